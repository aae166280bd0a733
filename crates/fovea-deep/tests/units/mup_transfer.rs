use fovea_deep::mup_transfer::valleys;

#[test]
fn valleys_are_counted_where_a_ridge_is_more_than_noise() {
    let one = [-1.0, -2.0, -3.0, -2.0, f64::INFINITY];
    assert_eq!(valleys(&[one.to_vec(), one.to_vec()]), 1);
    let two = [-1.0, -3.0, -2.0, -2.5, -2.0];
    let noisy = two.map(|x| x + 0.01);
    assert_eq!(valleys(&[two.to_vec(), noisy.to_vec()]), 2);
    // The second rise belongs to one network alone, as one that diverges and comes back does.
    let other = [-1.0, -3.0, -2.9, -2.8, -2.0];
    assert_eq!(valleys(&[two.to_vec(), other.to_vec(), other.to_vec()]), 1);
    let parted = [-1.0, -3.0, f64::INFINITY, -2.8, -2.0];
    assert_eq!(valleys(&[parted.to_vec(), other.to_vec(), other.to_vec()]), 1);
    assert_eq!(valleys(&[parted.to_vec(), parted.map(|x| x - 0.01).to_vec()]), 2);
}

use fovea_fields::loss_label_bias::claims::verdict;

#[test]
fn a_range_holds_a_mean_overlaps_or_lies_apart() {
    assert_eq!(verdict((0.80, 0.83), &[0.834]), "mean within");
    assert_eq!(verdict((0.80, 0.83), &[0.7, 0.81]), "ranges overlap");
    assert_eq!(verdict((0.80, 0.83), &[0.4, 0.6]), "apart");
    assert_eq!(verdict((0.80, 0.83), &[]), "no pair");
}

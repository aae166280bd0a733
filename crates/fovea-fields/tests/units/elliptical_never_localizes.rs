use fovea_desk::conduct::Experiment;
use fovea_desk::elliptical::factor;
use fovea_desk::two_class::scaled_at_records;
use fovea_fields::elliptical_never_localizes::EllipticalNeverLocalizes;
use fovea_theory::GaussianFlow;
use fovea_theory::relu::f_elliptical::f_elliptical;

#[test]
fn one_step_of_the_scaled_flow_has_the_gated_mean_of_the_law() {
    let settings = EllipticalNeverLocalizes::quick();
    let kernels = settings.two.kernels().unwrap();
    let rows = kernels.map(|kernel| kernel.first_row);
    let flow = GaussianFlow::from_rows(&rows[0], &rows[1]);
    let start: Vec<f64> = (0..settings.two.n).map(|i| libm::sin(1.0 + (i * i) as f64)).collect();
    let sum: Vec<f64> = rows[0].iter().zip(&rows[1]).map(|(a, b)| a + b).collect();
    let pull = fovea_core::ring::circulant_apply(&sum, &start);
    for data in settings.arms() {
        let Some(law) = data.law else { continue };
        let factor = factor(law, settings.two.n);
        let step = &scaled_at_records(&flow, &start, factor, (0.1, 1, 1))[1];
        let teacher = f_elliptical(law, &rows[0], &start);
        for i in 0..settings.two.n {
            let want = start[i] + 0.1 * (0.5 * teacher[i] - 0.25 * pull[i]);
            assert!((step[i] - want).abs() < 1e-12, "{}", data.name);
        }
    }
}

//! At which variances of weights and biases does depth leave signals alone, for any activation?
//!
//! The lectures tune a network so that neither the norm of a signal nor the distance of two close ones grows or shrinks exponentially with depth
//! (topic 2): both susceptibilities are 1 where `E[s s''] = 0` and `C_w = 1/E[s'^2]`, and `C_b = K - C_w E[s^2]` follows, if it is not negative. The solver finds
//! that point or says why there is none (T02.12); then two inputs are followed through random networks at it, below it and above it.
//! Susceptibilities off 1 by another route, or random networks whose first two layers have another variance or covariance than the
//! recursion, would falsify it. Deeper layers of a network of finite width lie off the recursion by one over the width, and are shown in the figure.

use fovea_core::special::normal_pdf;
use fovea_desk::depth::{AtLayer, deep, first_pair, first_two, follow, holds, layers, two_inputs};
use fovea_desk::prelude::*;
use fovea_theory::averages::{Averages, Pair};
use fovea_theory::critical::{Class, Critical, critical};
use fovea_theory::layer::Layer;

params! {
    /// Settings of `criticality`.
    pub struct Criticality {
        /// Activation: a registered one, or an expression in x such as `x*tanh(x)`.
        activation: Function = Function::Registered(&activation::gelu::ENTRY), any(), "";
        /// Units in every layer.
        width: usize = 256, between(2.0, 4096.0), "units";
        /// Layers.
        layers: usize = 30, between(3.0, 1000.0), "";
        /// Random networks at each setting.
        nets: usize = 100, between(2.0, 1e6), "networks";
        /// Correlation of the two inputs.
        r: f64 = 0.6, between(-1.0, 1.0), "";
        /// How far off the critical one the weights of the other two settings are, as a share.
        off: f64 = 0.2, between(1e-3, 0.9), "";
    }
}

impl Params for Criticality {
    fn check(&self) -> Result<(), ParamError> {
        holds(&deep(&self.activation, [1.0, 0.0], self.width, self.layers), 2)
    }
}

/// The critical point, and what depth does below, at and above it.
pub struct Found {
    critical: Critical,
    arms: Vec<Arm>,
}

impl Experiment for Criticality {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "Tuning a deep network",
        lead: "The variances of weights and biases at which signals neither grow nor shrink exponentially with depth, solved for one activation, and random networks at, below \
               and above them.",
        caption: CAPTION,
        formulas: &[
            r"\chi_\parallel=C_wE_K[ss''+s'^2]=1,\qquad\chi_\perp=C_wE_K[s'^2]=1,\qquad C_b=K-C_wE_K[s^2]\ge0",
            r"K^{(l+1)}_{ab}=C_b+C_wE_{K^{(l)}}[s(z_a)s(z_b)]",
        ],
    };

    fn quick() -> Self {
        Self { width: 96, layers: 16, nets: 60, ..Self::default() }
    }

    fn parts(&self) -> u64 {
        3 * self.nets as u64
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        let critical = critical(&self.activation)?;
        let ([c_w, c_b], k) = self.anchor(&critical)?;
        // The inputs that have K at the first layer of the critical network, the same for all settings.
        let size = (k - c_b) / c_w;
        let arm = |(index, factor): (usize, f64)| -> Result<Arm, LabError> {
            let constants = [factor * c_w, c_b];
            let layer = Layer::new(&self.activation, constants[0], c_b);
            let tolerant = Layer { averages: layer.averages.clone().to(1e-9), ..layer };
            let theory = tolerant.pairs(first_pair(constants, size, self.r), self.layers - 1)?;
            let shape = deep(&self.activation, constants, self.width, self.layers);
            let (x, part) = (two_inputs(size, self.r), format!("setting {index}"));
            Ok(Arm { constants, theory, measured: follow(&shape, &x, self.nets, &part, desk)? })
        };
        let factors = [1.0 - self.off, 1.0, 1.0 + self.off].into_iter().enumerate();
        let arms = factors.map(arm).collect::<Result<_, _>>()?;
        Ok(Found { critical, arms })
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        let Found { critical, arms } = found;
        Ok(Shown {
            arrays: arms.iter().map(Arm::array).collect(),
            claims: self.claims(critical, arms)?,
            figures: vec![("criticality", figure(self, critical, arms)?)],
            tables: self.tables(critical, arms),
            ..Shown::default()
        })
    }
}

/// `E[s'^2]` as a sum over equally spaced points; the trapezoidal rule has all digits on a Gaussian weight.
fn summed_slopes(s: &Function, k: f64) -> f64 {
    let (h, d) = (0.01, 1e-3 * k.sqrt());
    let slope = |z: f64| {
        let quotient = |d: f64| (s.value(z + d) - s.value(z - d)) / (2.0 * d);
        (4.0 * quotient(0.5 * d) - quotient(d)) / 3.0
    };
    let term = |i: i32| {
        let x = h * f64::from(i);
        let slope = slope(k.sqrt() * x);
        h * normal_pdf(x) * slope * slope
    };
    (-1000..=1000).map(term).sum()
}

impl Criticality {
    /// The critical constants and the variance at the first layer; without a critical point those at which close inputs keep their distance at K = 1.
    fn anchor(&self, found: &Critical) -> Result<([f64; 2], f64), LabError> {
        if let (Some(c_w), Some(c_b)) = (found.c_w, found.c_b) {
            return Ok(([c_w, c_b], found.k.filter(|k| *k > 0.0).unwrap_or(1.0)));
        }
        let slope = Averages::of(&self.activation).slope_square(1.0)?;
        Ok(([1.0 / slope, 0.0], 1.0))
    }

    fn claims(&self, found: &Critical, arms: &[Arm]) -> Result<Vec<Claim>, LabError> {
        let (mut claims, k) = (Vec::new(), found.k.filter(|k| *k > 0.0));
        if let (Some(k), Some(c_w), Some(c_b)) = (k, found.c_w, found.c_b) {
            claims.push(self.susceptibilities(k, c_w, c_b)?);
            // Layer 1 of the critical setting has K, so the second shows what is kept of it.
            let second = arms[1].measured[1].variance;
            let linear = Layer::new(&self.activation, 1.0, 0.0).next(k)?;
            let what =
                "variance in the second layer of random networks at the critical point, and K*";
            let wrong = "C_w = 1 and C_b = 0, which keep linear signals";
            claims.push(told_apart("T02.12/solver", what, wrong, &[(second, [k, linear])]));
        }
        let (mut pairs, mut wrong) = (Vec::new(), Vec::new());
        for arm in arms {
            pairs.extend(first_two(&arm.measured, &arm.theory));
            // The two constants printed alike: C_w added instead of C_b.
            let shift = arm.constants[0] - arm.constants[1];
            wrong.extend([0, 1].map(|l| (arm.measured[l].variance, arm.theory[l].aa + shift)));
        }
        let what =
            "variance and covariance in the first two layers of random networks, three settings";
        claims.push(
            Claim::family("criticality", what, &pairs)
                .rejecting("the recursion with both constants alike, as printed", &wrong),
        );
        Ok(claims)
    }

    /// Both susceptibilities without what the solver used: by a difference quotient of the recursion, and by a plain sum over slopes that are differences themselves.
    fn susceptibilities(&self, k: f64, c_w: f64, c_b: f64) -> Result<Claim, LabError> {
        let s = &self.activation;
        let layer = Layer::new(s, c_w, c_b);
        let step = 1e-3 * k;
        let quotient = |h: f64| -> Result<f64, LabError> {
            Ok((layer.next(k + h)? - layer.next(k - h)?) / (2.0 * h))
        };
        // Two quotients, extrapolated once: the error is of fourth order.
        let par = (4.0 * quotient(0.5 * step)? - quotient(step)?) / 3.0;
        let perp = c_w * summed_slopes(s, k);
        let what = "at the critical point chi_par (difference quotient of the recursion) and chi_perp (sum over difference quotients of the activation) are 1";
        // He initialization keeps ReLU alone.
        let (he, wrong) = (Layer::new(s, 2.0, 0.0), "He initialization, C_w = 2 and C_b = 0");
        let numbers = [(par, [1.0, he.chi_par(k)?]), (perp, [1.0, he.chi_perp(k)?])];
        Ok(told_apart_exactly("T02.12/solver", what, wrong, numbers, 1e-6))
    }

    /// What the solver found, and what depth does at each setting.
    fn tables(&self, found: &Critical, arms: &[Arm]) -> Vec<Table> {
        let known = |x: Option<f64>| x.unwrap_or(f64::NAN);
        let point = Table::of("critical_point", std::slice::from_ref(found))
            .words("activation", |_| self.activation.name())
            .words("class", |found| found.class.word())
            .real("k", 10, |found| known(found.k))
            .real("c_b", 10, |found| known(found.c_b))
            .real("c_w", 10, |found| known(found.c_w))
            .words("what_follows", |found| found.why.clone())
            .caption(
                "The critical point of the activation: the variance K that is kept and the variances of biases and weights. \
                 There is no K where every variance is kept, and no number where there is no critical point.",
            );
        let last = self.layers - 1;
        let depth = Table::of("depth", arms)
            .real("c_w", 5, |arm| arm.constants[0])
            .real("c_b", 5, |arm| arm.constants[1])
            .real("k_first", 5, |arm| arm.theory[0].aa)
            .real("k_last", 5, |arm| arm.theory[last].aa)
            .estimate("k_last_drawn", 5, |arm| arm.measured[last].variance)
            .real("r_first", 5, |arm| arm.theory[0].correlation())
            .real("r_last", 5, |arm| arm.theory[last].correlation())
            .real("r_last_drawn", 5, |arm| arm.measured[last].correlation())
            .caption(
                "Variance K of a preactivation and correlation r of the two inputs in the first and the last layer, one row per \
                 setting of the weights: at infinite width, compared with random networks.",
            );
        vec![point, depth]
    }
}

/// One setting.
struct Arm {
    /// C_w and C_b.
    constants: [f64; 2],
    /// Kernels of infinitely wide layers.
    theory: Vec<Pair>,
    /// Those of random networks.
    measured: Vec<AtLayer>,
}

impl Arm {
    /// Variance and covariance by layer: predicted, measured, standard errors.
    fn array(&self) -> Array {
        let line = |(k, m): (&Pair, &AtLayer)| {
            let [a, b] = [m.variance, m.covariance];
            vec![k.aa, k.ab, a.mean(), b.mean(), a.se(), b.se()]
        };
        let rows: Vec<Vec<f64>> = self.theory.iter().zip(&self.measured).map(line).collect();
        Array::of_rows(format!("kernels_cw_{:.4}", self.constants[0]), &rows)
    }
}

/// What the figure shows, for a reader.
const CAPTION: &str = "(a) The activation and its slope. (b) The ratio of the two susceptibilities less one, which does not depend on $C_w$, against the variance $K$ of \
    a preactivation: both can be 1 only where it vanishes. (c), (d) Two inputs through random networks: variance of a preactivation, and one minus the correlation of the \
    two inputs, by layer, with the critical weights (or, where there is no critical point, weights that keep close inputs apart at $K=1$) and with more and less. Lines: infinite width. Points: mean over networks, with two \
    standard errors in (c); deep in networks of finite width they lie off the lines by one over the width.";

fn figure(settings: &Criticality, found: &Critical, arms: &[Arm]) -> Result<Figure, LabError> {
    let name = settings.activation.name();
    let title = match found.class {
        Class::None => format!("{name} has no critical point"),
        Class::ScaleInvariant => format!("{name} keeps every variance at its critical point"),
        Class::Zero => format!("{name} is critical at zero variance alone"),
        Class::UnstableZero => format!("{name} has an unstable critical point at zero"),
        Class::HalfStable => format!("{name} has a half-stable critical point"),
    };
    let mut constants = String::new();
    if let (Some(c_w), Some(c_b)) = (found.c_w, found.c_b) {
        let k = found.k.map_or_else(String::new, |k| format!(", $K^*$ = {k:.5}"));
        constants = format!("$C_w$ = {c_w:.5}, $C_b$ = {c_b:.5}{k}; ");
    }
    let subtitle = format!(
        "{constants}{} networks of {} layers of {} units at each setting",
        settings.nets, settings.layers, settings.width
    );
    let figure = Figure::new(title).subtitle(subtitle).description(CAPTION);
    let [variance, distance] = by_layer(arms);
    let panels = [shape(&settings.activation), ratio(settings, found)?, variance, distance];
    Ok(grid(figure, (2, 860.0, 0.62), panels))
}

fn shape(s: &Function) -> Panel {
    let z = ladder(&[-4.0, 4.0], 400);
    let (value, slope) = (along(&z, |z| s.value(z)), along(&z, |z| s.slope(z)));
    let all = [
        named("$s(z)$", Style::series(3).solid(), value),
        named("$s'(z)$", Style::theory(), slope),
    ];
    lines("The activation", "$z$", "", all)
}

fn ratio(settings: &Criticality, found: &Critical) -> Result<Panel, LabError> {
    let averages = Averages::of(&settings.activation);
    let mut ratios = Vec::new();
    for i in 0..=120 {
        let k = libm::pow(10.0, -2.0 + f64::from(i) / 30.0);
        // A fast activation has no averages at large variances.
        let Ok(growth) = averages.growth(k) else { break };
        ratios.push((k, growth / averages.slope_square(k)? - 1.0));
    }
    let critical = found
        .k
        .filter(|k| (0.01..100.0).contains(k))
        .map(|k| xy(&[k], [0.0]).points("$K^*$", Style { size: 5.0, ..Style::series(1) }));
    let k = Axis::new("variance $K$").log().range(0.01, 100.0);
    let ratios = unnamed(Style::series(0), ratios.into_iter().collect());
    let title = "Where both susceptibilities agree";
    Ok(lines(title, k, r"$\chi_{par}/\chi_{perp}-1$", [ratios])
        .with(guide_at_y(0.0, ""))
        .with_all(critical))
}

/// Variance, and distance of the inputs, by layer.
fn by_layer(arms: &[Arm]) -> [Panel; 2] {
    let label = |arm: &Arm| format!("$C_w$ = {:.4}", arm.constants[0]);
    let distance = |r: f64| (1.0 - r).max(1e-12);
    let variances = arms.iter().map(|arm| {
        let layers = layers(&arm.theory);
        let measured = estimates(&layers, arm.measured.iter().map(|at| at.variance));
        let theory = xy(&layers, arm.theory.iter().map(|pair| pair.aa));
        (label(arm), Compared { measured, theory })
    });
    let distances = arms.iter().map(|arm| {
        let layers = layers(&arm.theory);
        let measured = xy(&layers, arm.measured.iter().map(|at| distance(at.correlation())));
        let theory = xy(&layers, arm.theory.iter().map(|pair| distance(pair.correlation())));
        (label(arm), Compared { measured, theory })
    });
    let (k, r) = (Axis::new("variance $K$").log(), Axis::new("$1-r$").log());
    [
        arms_with_theory("Variance by layer", "layer", k, series(variances)),
        arms_with_theory("Distance of the inputs", "layer", r, series(distances)),
    ]
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<Criticality>(
    "criticality",
    "critical variances of weights and biases for any activation, and depth profiles at and off them",
    include_str!("criticality.rs"),
);

//! DERIVE: closed forms and deterministic flows, numbers in and numbers out.
//!
//! Each form is one file that names its equation, its range and the wrong form a check must reject; its folder's
//! registry has one line for it. [`forms`] iterates over all of them and [`form()`] finds one by name.
//! Nothing here uses random numbers, and nothing here is shared with the simulator.

pub mod amplifier;
pub mod amplifier_flow;
pub mod ascent;
pub mod averages;
pub mod cell_flow;
mod cell_sum;
pub mod cell_walk;
mod chain;
pub mod charfun;
pub mod committee_flow;
pub mod conditional;
pub mod copula;
pub mod correlated;
pub mod cosine;
pub mod critical;
pub mod criticality;
pub mod crossing;
pub mod cube;
pub mod cumulants;
pub mod dictator;
pub mod diff;
pub mod digits;
pub mod dominance;
pub mod edgeworth;
pub mod edgeworth_flow;
pub mod elliptical;
pub mod error;
pub mod exponential;
pub mod form;
pub mod fourier;
pub mod gaussian_flow;
pub mod given;
pub mod harper;
pub mod head;
pub mod ising;
pub mod kur;
pub mod layer;
mod mehler;
pub mod nlgp;
pub mod nngp;
pub mod ntk;
pub mod pair;
mod panels;
pub mod phase;
mod plane;
pub mod pulse;
pub mod rates;
pub mod relu;
pub mod ring;
pub mod scaled;
pub mod sign;
pub mod site;
pub mod spins;
pub mod starting;
pub mod threshold;
pub mod truncated;
pub mod uncertainty;
pub mod unit_flow;
pub mod variational;
pub mod wrapped;

pub use amplifier_flow::{AmplifierFlow, CubicFlow};
pub use cell_flow::CellFlow;
pub use committee_flow::CommitteeFlow;
pub use edgeworth_flow::EdgeworthFlow;
pub use error::FormError;
pub use form::{Control, Form};
pub use gaussian_flow::GaussianFlow;
pub use spins::Spins;
pub use unit_flow::UnitFlow;

/// The registries, one per folder.
static FOLDERS: &[&[&Form]] = &[
    fourier::ALL,
    ring::ALL,
    wrapped::ALL,
    exponential::ALL,
    cosine::ALL,
    nlgp::ALL,
    kur::ALL,
    copula::ALL,
    elliptical::ALL,
    ising::ALL,
    sign::ALL,
    cube::ALL,
    pulse::ALL,
    scaled::ALL,
    conditional::ALL,
    truncated::ALL,
    relu::ALL,
    dictator::ALL,
    starting::ALL,
    diff::ALL,
    dominance::ALL,
    uncertainty::ALL,
    variational::ALL,
    amplifier::ALL,
    edgeworth::ALL,
    charfun::ALL,
    criticality::ALL,
    nngp::ALL,
    ntk::ALL,
    rates::ALL,
];

/// Every closed form, folder by folder.
pub fn forms() -> impl Iterator<Item = &'static Form> {
    FOLDERS.iter().copied().flatten().copied()
}

/// The form of this name; `nlgp.excess_kurtosis`, `nlgp_excess_kurtosis` and `nlgp-excess-kurtosis` are the same.
pub fn form(name: &str) -> Option<&'static Form> {
    let plain = |name: &str| name.replace(['.', '-'], "_");
    forms().find(|form| plain(form.name) == plain(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_found_under_each_spelling_of_its_name() {
        for name in ["nlgp.excess_kurtosis", "nlgp_excess_kurtosis", "nlgp-excess-kurtosis"] {
            assert_eq!(form(name).map(|form| form.name), Some("nlgp.excess_kurtosis"));
        }
        assert!(form("nlgp.kurtosis").is_none());
    }

    #[test]
    fn every_form_is_named_after_its_folder_and_file() {
        let src = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut found = 0;
        for folder in std::fs::read_dir(src).unwrap().map(|entry| entry.unwrap().path()) {
            if !folder.is_dir() {
                continue;
            }
            for file in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
                let stem = |path: &std::path::Path| {
                    path.file_stem().unwrap().to_string_lossy().into_owned()
                };
                if stem(&file) != "mod" {
                    let name = format!("{}.{}", stem(&folder), stem(&file));
                    assert!(forms().any(|form| form.name == name), "no form is named {name}");
                    found += 1;
                }
            }
        }
        assert_eq!(found, forms().count(), "two forms share a name");
    }
}

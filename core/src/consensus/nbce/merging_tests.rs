use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use proptest::prelude::{Just, Strategy, prop_assert, prop_assert_eq, prop_oneof, proptest};
use rand::RngExt;

use super::*;
use crate::consensus::nbce::prior::Prior;
use crate::consensus::nbce::{CVB, Concentration, NbceModel, VB};
use crate::consensus::test_ensembles::{Planted, combine, odd_inputs};
use crate::consensus::{MethodInfo, Solution};
use crate::ensemble::Ensemble;
use crate::ensemble::tests::ensembles;
use crate::params::{Params, Raw};
use crate::seed::Id;

const LIMITS: Limits = Limits { iterations: 40, tolerance: 1e-6 };

fn model(form: PriorForm, concentration: Concentration) -> NbceModel {
    NbceModel { prior: Prior { form, truncation: 9, alpha0: 0.8 }, beta: 0.4, concentration }
}

/// Rules with a prior that each is for.
fn rules() -> impl Strategy<Value = (UpdateRule, PriorForm)> {
    prop_oneof![
        Just((UpdateRule::Derived, PriorForm::Fsd)),
        Just((UpdateRule::Paper, PriorForm::Fsd)),
        Just((UpdateRule::Collapsed, PriorForm::Fsd)),
        Just((UpdateRule::Collapsed, PriorForm::Tsb)),
    ]
}

/// Every distinct row in one of five components at random.
fn certain(ensemble: &Ensemble, model: NbceModel, seed: u64) -> Responsibilities<'_> {
    let mut rng = Id::of("test", &[&seed.to_le_bytes()]).rng("components");
    let mut gamma = vec![0.0; ensemble.rows() * 5];
    gamma.chunks_exact_mut(5).for_each(|gamma| gamma[rng.random_range(0..5)] = 1.0);
    Responsibilities::new(ensemble, model, gamma)
}

proptest! {
    /// At certain assignments the bound is ln p(Y, Z), and with FSD nothing but the two components has a part in it.
    #[test]
    fn a_gain_is_the_difference_of_joints(ensemble in ensembles(), seed: u64) {
        let run = certain(&ensemble, model(PriorForm::Fsd, Concentration::Fixed), seed);
        let gains = MergeGains::new(&run);
        for (first, second) in [(0, 1), (0, 4), (2, 3)] {
            let gain = gains.of(first, second);
            let difference = run.merged(&[MergePair { gain, first, second }]).bound() - run.bound();
            prop_assert!((gain - difference).abs() < 1e-9 * run.bound().abs().max(1.0), "{gain} {difference}");
        }
    }

    /// With FSD and certain assignments the gains of pairs without a common component add up.
    #[test]
    fn pairs_that_are_merged_at_once_share_no_component(ensemble in ensembles(), seed: u64) {
        let run = certain(&ensemble, model(PriorForm::Fsd, Concentration::Fixed), seed);
        let pairs = promising(&run, &Watch::default()).unwrap();
        prop_assert_eq!(pairs.len(), 4);
        prop_assert!(pairs.is_sorted_by(|one, next| one.gain >= next.gain), "{pairs:?}");
        let apart = gaining_and_apart(&pairs, 5);
        let mut members: Vec<usize> = apart.iter().flat_map(|pair| [pair.first, pair.second]).collect();
        members.sort_unstable();
        prop_assert!(members.is_sorted_by(|one, next| one < next), "{apart:?}");
        let gain: f64 = apart.iter().map(|pair| pair.gain).sum();
        let difference = run.merged(&apart).bound() - run.bound();
        prop_assert!((gain - difference).abs() < 1e-9 * run.bound().abs().max(1.0), "{gain} {difference}");
    }

    #[test]
    fn merging_never_lowers_the_bound(
        ensemble in ensembles(), (rule, form) in rules(), estimated: bool, seed: u64,
    ) {
        let concentration = if estimated { Concentration::Estimated } else { Concentration::Fixed };
        let watch = Watch::default();
        let fitting = Fitting { rule, limits: LIMITS, watch: &watch };
        let mut fitted = FittedNbce::new(certain(&ensemble, model(form, concentration), seed), &fitting).unwrap();
        let before = fitted.bound;
        fitted.merge(&fitting).unwrap();
        prop_assert!(fitted.bound >= before, "{} {before}", fitted.bound);
        prop_assert_eq!(fitted.bound, fitted.run.bound());
        for gamma in fitted.run.gamma.chunks_exact(fitted.run.components) {
            prop_assert!((gamma.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
}

fn with_merging(info: &MethodInfo, word: &str, ensemble: &Ensemble, seed: u64) -> Solution {
    let mut params = Params::defaults(info.parameters);
    let parameter = info.parameters.iter().find(|parameter| parameter.name == "merging").unwrap();
    params.set(parameter, parameter.check(&Raw::Text(word.to_owned())).unwrap());
    combine(info.make(&params).as_ref(), ensemble, 3, seed)
}

/// Noise, gaps, repeated rows, and inputs with hardly any rows.
#[test]
fn the_default_never_has_a_lower_bound_than_the_starts_alone() {
    let usual = Planted { objects: 80, copies: 8, noise: 0.45, ..Planted::new(4, 0) };
    let mut all: Vec<Ensemble> = (0..4).map(|seed| Planted { seed, ..usual }.make().0).collect();
    all.extend((4..7).map(|seed| Planted { seed, missing: 0.3, ..usual }.make().0));
    all.push(Planted { copies: 2, objects: 300, ..usual }.make().0);
    let planted = all.len();
    all.extend(odd_inputs());
    for info in [&VB, &CVB] {
        let (mut risen, mut fewer) = (0, 0);
        for (case, ensemble) in all.iter().enumerate() {
            let [merged, alone] = ["greedy", "none"].map(|word| with_merging(info, word, ensemble, 5));
            let [bound, of_starts] = [&merged, &alone].map(|found| found.objective.as_ref().unwrap().value);
            assert!(bound >= of_starts, "{} on {case}: {bound} {of_starts}", info.name);
            risen += usize::from(bound > of_starts + 1.0);
            fewer += usize::from(merged.partition.clusters() < alone.partition.clusters());
        }
        assert!(2 * risen > planted && 2 * fewer > planted, "{}: {risen} and {fewer} of {planted}", info.name);
    }
}

/// A cluster that is split by chance, which no update of single objects mends.
#[test]
fn a_split_cluster_is_united() {
    let (ensemble, truth) = Planted { objects: 300, copies: 6, noise: 0.3, ..Planted::new(3, 8) }.make();
    let ensemble = ensemble.expanded();
    let mut rng = Id::of("test", &[]).rng("split");
    let mut gamma = vec![0.0; 300 * 4];
    for (gamma, &label) in gamma.chunks_exact_mut(4).zip(truth.labels()) {
        gamma[if label == 0 && rng.random_bool(0.5) { 3 } else { label as usize }] = 1.0;
    }
    for (rule, form) in [(UpdateRule::Derived, PriorForm::Fsd), (UpdateRule::Collapsed, PriorForm::Tsb)] {
        let watch = Watch::default();
        let fitting = Fitting { rule, limits: LIMITS, watch: &watch };
        let split = Responsibilities::new(&ensemble, model(form, Concentration::Fixed), gamma.clone());
        let mut fitted = FittedNbce::new(split, &fitting).unwrap();
        let before = fitted.bound;
        fitted.merge(&fitting).unwrap();
        let substantial = fitted.run.sizes.iter().filter(|&&size| size > 5.0).count();
        assert!(substantial == 3 && fitted.bound > before + 5.0, "{rule:?}: {:?}", fitted.run.sizes);
    }
}

#[test]
fn components_are_put_in_order_of_size_where_it_matters() {
    let (ensemble, _) = Planted { objects: 60, ..Planted::new(3, 1) }.make();
    let sorted = |run: &Responsibilities| run.sizes.is_sorted_by(|one, next| one >= next);
    let run = certain(&ensemble, model(PriorForm::Tsb, Concentration::Fixed), 3);
    assert!(!sorted(&run));
    let ordered = run.in_order_of_size().unwrap();
    assert!(sorted(&ordered) && ordered.bound() > run.bound());
    assert!(ordered.in_order_of_size().is_none());
    assert!(certain(&ensemble, model(PriorForm::Fsd, Concentration::Fixed), 3).in_order_of_size().is_none());
}

#[test]
fn a_cancelled_run_merges_nothing() {
    let (ensemble, _) = Planted { objects: 60, ..Planted::new(3, 1) }.make();
    let (calm, cancelled) = (Watch::default(), Watch::new(None, Arc::new(AtomicBool::new(true))));
    let fitting = Fitting { rule: UpdateRule::Derived, limits: LIMITS, watch: &calm };
    let start = certain(&ensemble, model(PriorForm::Fsd, Concentration::Fixed), 1);
    let mut fitted = FittedNbce::new(start, &fitting).unwrap();
    assert!(fitted.run.components > 1);
    assert_eq!(fitted.merge(&Fitting { watch: &cancelled, ..fitting }), Err(Halt::Cancelled));
}

//! Which results of a plan belong together along a sweep.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use super::{Bases, Values, checked, judged_on};
use crate::claim::{Judgement, Stored, Verdict, judge};
use crate::data::Catalog;
use crate::plan::{Cell, Job, Plan, Variant, expand};
use crate::results::{CellResult, Finished, ResultRow, Status};
use crate::seed::Id;
use crate::spec::claims::{Check, Test};
use crate::spec::{Experiment, PAPER_SCALE, Spec};
use crate::store::Pictures;

/// Ensembles that differ far more than masks do.
const SMALL_LOSS: Values = |method, x| {
    let worth = if method == "mm" { 0.1 } else { 0.12 };
    [0.3 - worth * x, 0.6 - (worth + 0.001) * x, 0.9 - (worth - 0.001) * x]
};

#[test]
fn masks_of_the_same_ensembles_decide_what_new_ensembles_leave_open() {
    let series = "metric = \"accuracy\"\nalong = \"missing\"";
    let claims = [
        format!("check = \"decreases\"\n{series}"),
        format!("check = \"increases\"\n{series}\nshow = \"error\""),
        format!("check = \"flat-until\"\nwithin = 0.15\n{series}"),
        format!("check = \"changes-less\"\nof = \"mm\"\nagainst = \"cspa\"\n{series}"),
    ];
    for claim in &claims {
        let [paired, unpaired] = [Bases::Masked, Bases::New].map(|bases| judged_on(bases, claim, SMALL_LOSS).verdict);
        assert_eq!(paired, Verdict::Reproduced, "{claim}");
        // Methods are paired at each end even on new ensembles.
        if !claim.contains("changes-less") {
            assert!(matches!(unpaired, Verdict::Inconclusive { .. }), "{claim}: {unpaired:?}");
        }
    }
}

/// A result for every cell of a plan: the same value of all metrics.
fn results(plan: &Plan, value: impl Fn(&Job, &Variant, &Cell) -> f64) -> Finished {
    let result = |(job, variant, cell): (&Job, &Variant, &Cell)| {
        let mut values: Vec<(&'static str, f64)> =
            plan.experiment.metrics.iter().map(|metric| (metric.name, value(job, variant, cell))).collect();
        values.sort_by_key(|(name, _)| *name);
        let (reason, seconds, parallel_seconds) = (None, Some(1.0), None);
        CellResult { id: cell.id, status: Status::Done, reason, values, seconds, parallel_seconds, peak_bytes: None }
    };
    plan.cells().map(|cell| (cell.2.id, result(cell))).collect()
}

fn judgements(plan: &Plan, finished: &Finished) -> Vec<Judgement> {
    let rows = ResultRow::of_universe(plan, finished, 0);
    judge(plan, &Stored { rows: &rows, finished, pictures: &Pictures::new() })
}

/// A number between 0 and 1 that depends on an identity.
fn fraction_of(id: Id) -> f64 {
    f64::from(id.bytes()[0]) / 256.0
}

/// The width of the widest interval of a judgement.
fn widest(judgement: &Judgement) -> f64 {
    let width = |interval: Option<[f64; 2]>| interval.map_or(f64::INFINITY, |[low, high]| high - low);
    judgement.evidence.iter().map(|evidence| width(evidence.interval)).fold(0.0, f64::max)
}

/// The shipped specs with claims along missing labels, as at the paper's scale, and stand-ins taken for the real data:
/// what is asked is how the claims would be judged.
fn shipped() -> Vec<Experiment> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let papers = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let specs = papers.chain([folder.clone()]).flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let specs =
        specs.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|end| end == "toml"));
    let mut specs: Vec<_> = specs.collect();
    specs.sort();
    let about_missing =
        |path: &&std::path::PathBuf| std::fs::read_to_string(path).unwrap().contains("along = \"missing\"");
    let check = |path| {
        let spec = Spec::load(path).unwrap();
        let mut experiment = spec.check(PAPER_SCALE, &Catalog::locate(None)).unwrap_or_else(|error| panic!("{error}"));
        for dataset in &mut experiment.datasets {
            Arc::make_mut(dataset).stand_in = false;
        }
        experiment
    };
    specs.iter().filter(about_missing).map(|path| check(path)).collect()
}

/// The ids of claims along missing labels.
fn along_missing(experiment: &Experiment) -> BTreeSet<String> {
    let along = |check: &Check| match check {
        Check::Measured(measured) => match &measured.test {
            Test::Flat(flat) => Some(flat.stretch.along),
            Test::Trend(trend) => Some(trend.stretch.along),
            Test::ChangesLess(change) => Some(change.stretch.along),
            _ => None,
        },
        _ => None,
    };
    let is_missing = |check: &Check| along(check).is_some_and(|along| along.key(&experiment.sweep) == "missing");
    experiment.claims.iter().filter(|claim| is_missing(&claim.check)).map(|claim| claim.id.clone()).collect()
}

#[test]
fn the_shipped_claims_along_missing_labels_are_judged_by_pairs() {
    let mut seen = Vec::new();
    for experiment in shipped() {
        let claims = along_missing(&experiment);
        let plan = expand(experiment);
        // A label less costs the same on every ensemble; where results are paired no chance is left.
        let value = |_: &Job, variant: &Variant, _: &Cell| {
            0.5 + 0.4 * fraction_of(variant.unmasked) - 0.3 * variant.mask.fraction
        };
        // The same, but every mask has an effect of its own, as if its ensemble were another one.
        let apart = |_: &Job, variant: &Variant, _: &Cell| {
            0.5 + 0.4 * fraction_of(variant.ensemble) - 0.3 * variant.mask.fraction
        };
        let (paired, apart) = (judgements(&plan, &results(&plan, value)), judgements(&plan, &results(&plan, apart)));
        for (judgement, apart) in paired.iter().zip(&apart).filter(|(judgement, _)| claims.contains(&judgement.id)) {
            let name = format!("{} {}", plan.experiment.name, judgement.id);
            assert!(judgement.evidence.iter().all(|evidence| evidence.n == 10), "{name}: {:?}", judgement.evidence);
            assert!(widest(judgement) < 1e-9, "{name}: {:?}", judgement.evidence);
            assert!(widest(apart) > 0.1, "{name}: {:?}", apart.evidence);
            seen.push(name);
        }
    }
    let expected = [
        "bce-figure2 flat-to-70-percent",
        "topchy-figure6 few-missing-change-little",
        "topchy-table8 few-missing-change-little",
        "topchy-table8 biochemical-insignificant",
        "topchy-table8 galaxy-falls",
        "topchy-table8 galaxy-k-2-flat",
        "topchy-table8 large-ensembles-suffer-less",
    ];
    assert_eq!(seen, expected);
}

/// Everything that makes ensembles differ is swept, beside masks.
const KINDS: &str = r#"
name = "kinds"
seed = 1
datasets = ["iris", "wine"]
metrics = ["accuracy"]

[[ensemble]]
label = "k-means"
generator = "kmeans"
k = 2
size = 3
count = 4

[[ensemble]]
label = "drawn"
generator = "kmeans"
k = 2
size = 3
count = 4
pool = 40

[sweep]
missing = [0.0, 0.2, 0.5]
ensemble.k = [2, 4]
ensemble.size = [3, 5]

[[method]]
name = "mm"
"#;

/// What an ensemble is, but for its mask.
fn kind_of(plan: &Plan, job: &Job, variant: &Variant) -> String {
    let kind = if job.pooled { "drawn" } else { "k-means" };
    let params = job.params.identity(job.generator.parameters);
    let label = &plan.experiment.datasets.iter().find(|known| known.id == job.dataset.id).unwrap().label;
    format!("{label} {kind} {params} number {} of {:?}", job.index, variant.columns)
}

#[test]
fn only_masks_of_one_ensemble_have_its_identity() {
    for masks in ["", "coupling = \"independent\"\n", "missing-per = \"partition\"\n"] {
        let plan = expand(checked(&KINDS.replace("seed = 1\n", &format!("seed = 1\n{masks}")), &[], PAPER_SCALE));
        let mut kinds: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut ensembles = BTreeSet::new();
        for (job, variant, _) in plan.cells() {
            kinds.entry(variant.unmasked.to_string()).or_default().insert(kind_of(&plan, job, variant));
            ensembles.insert(variant.ensemble.to_string());
        }
        assert!(kinds.values().all(|kinds| kinds.len() == 1), "{kinds:?}");
        let distinct: BTreeSet<&String> = kinds.values().flatten().collect();
        // Two datasets, two kinds, two k, two sizes, four of each; and three masks of each.
        assert_eq!((kinds.len(), distinct.len(), ensembles.len()), (64, 64, 192), "{masks}");
    }
}

#[test]
fn claims_of_a_plan_pair_masks_and_neither_sizes_nor_numbers_of_clusters() {
    let claim = |along: &str, fixed: &str| {
        format!(
            "[[claim]]\nid = \"{}\"\nsource = \"§1\"\nsays = \"It is so.\"\ncheck = \"decreases\"\nmetric = \"accuracy\"\n\
             along = \"{along}\"\nwhere = {{ {fixed} }}\n",
            along.replace('.', "-")
        )
    };
    let claims = [
        claim("missing", "ensemble.k = 2, ensemble.size = 3"),
        claim("ensemble.k", "missing = 0.2, ensemble.size = 3"),
        claim("ensemble.size", "missing = 0.2, ensemble.k = 2"),
    ];
    for coupling in ["nested", "independent"] {
        let coupled = KINDS.replace("seed = 1\n", &format!("seed = 1\ncoupling = \"{coupling}\"\n"));
        let plan = expand(checked(&format!("{coupled}{}", claims.concat()), &[], PAPER_SCALE));
        // Ensembles with the same number have the same value everywhere: pairing by numbers would leave no chance.
        let value = |job: &Job, _: &Variant, _: &Cell| f64::from(job.index) / 10.0;
        let widths: BTreeMap<String, Vec<f64>> = judgements(&plan, &results(&plan, value))
            .into_iter()
            .map(|judgement| {
                let width = |interval: Option<[f64; 2]>| interval.map_or(f64::NAN, |[low, high]| high - low);
                (judgement.id, judgement.evidence.iter().map(|evidence| width(evidence.interval)).collect())
            })
            .collect();
        // Two datasets, two kinds of ensembles.
        assert!(widths.values().all(|widths| widths.len() == 4), "{widths:?}");
        assert!(widths["missing"].iter().all(|width| *width == 0.0), "{coupling}: {widths:?}");
        for along in ["ensemble-k", "ensemble-size"] {
            assert!(widths[along].iter().all(|width| *width > 0.3), "{coupling}: {widths:?}");
        }
    }
}

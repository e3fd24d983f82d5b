//! Searches are as good as they were when this was written: on a few planted ensembles every method comes as near to the planted
//! clustering, and to the best of many starts, as stated here. `benches/quality` measures the same on more and larger ensembles.

#[allow(dead_code, reason = "the bench has more use for it")]
#[path = "../examples/quality/measure.rs"]
mod measure;
#[allow(dead_code, reason = "the bench has more use for it")]
#[path = "../examples/quality/planted.rs"]
mod planted;

use conclave_core::Method;
use measure::{Measured, many_starts, measure, methods, takes};
use planted::{Made, Planted, Sizes};

/// 70 objects; every pair of sizes and of gaps.
fn ensembles() -> Vec<(Planted, Made)> {
    let even =
        Planted { number: 1000, sizes: Sizes::Even, clusters: 4, objects: 70, columns: 12, noise: 0.4, missing: 0.0 };
    let planted = [
        even,
        Planted { number: 1001, sizes: Sizes::Skewed, clusters: 5, ..even },
        Planted { number: 1002, missing: 0.2, ..even },
        Planted { number: 1003, sizes: Sizes::Skewed, missing: 0.2, noise: 0.3, ..even },
    ];
    planted.into_iter().map(|planted| (planted, planted.make())).collect()
}

/// What a method must reach on average over the ensembles that it takes. Measured when it was stated, with a margin: whoever
/// improves a search raises what is stated, and nobody lowers it unseen.
struct Stated {
    method: &'static str,
    /// ARI with the planted clustering.
    ari: f64,
    /// No more clusters found than this; 4.25 are planted, and 4.5 in the complete ensembles.
    clusters: f64,
    /// How much better, in the unit of the objective, the best of many starts is at most.
    gap: f64,
}

const fn stated(method: &'static str, ari: f64, clusters: f64, gap: f64) -> Stated {
    Stated { method, ari, clusters, gap }
}

/// By name. Known to fall short: `nbce-gibbs` finds some clusters too many; `kcc` and `nmf` have the few starts of their authors' programs.
const STATED: [Stated; 39] = [
    stated("aspect", 0.97, 4.25, 1.2),
    stated("be", 0.98, 4.25, 1e-6),
    stated("cspa", 0.76, 4.25, 0.01),
    stated("cumulative-voting", 0.87, 4.25, 0.001),
    stated("eac-al", 0.94, 4.25, 0.001),
    stated("eac-cl", 0.74, 4.25, 0.06),
    stated("eac-sl", 0.42, 4.25, 0.001),
    stated("ecpcs-hc", 0.92, 4.25, 0.001),
    stated("ecpcs-mc", 0.985, 4.25, 0.001),
    stated("g-bce", 0.97, 4.25, 3.0),
    stated("gp-mgla", 0.925, 4.25, 0.01),
    stated("hbgf", 0.71, 4.25, 0.003),
    // Lower than before (0.43): since version 4 its further starts have other random numbers. Its cuts are as good, and which of the
    // divisions with equal cut is nearest to what was planted is chance.
    stated("hgpa", 0.425, 4.25, 0.1),
    stated("kcc", 0.68, 4.25, 45.0),
    stated("kmeans", 0.96, 4.5, 2.5),
    stated("lwea", 0.92, 4.25, 0.001),
    stated("lwgp", 0.96, 4.25, 0.03),
    stated("mcla", 0.985, 4.25, 0.001),
    stated("mm", 0.96, 4.25, 0.5),
    stated("nbce-cvb", 0.96, 4.25, 0.5),
    stated("nbce-gibbs", 0.95, 4.75, 0.5),
    stated("nbce-vb", 0.96, 4.25, 0.5),
    stated("nmf", 0.785, 4.25, 31.0),
    stated("peace", 0.97, 4.25, 1e-4),
    stated("pta-al", 0.95, 4.25, 0.001),
    stated("pta-cl", 0.94, 4.25, 0.001),
    stated("pta-sl", 0.81, 4.25, 0.001),
    stated("ptgp", 0.95, 4.25, 0.002),
    stated("qmi", 0.97, 4.25, 0.001),
    stated("sec", 0.93, 4.25, 0.01),
    stated("tcut", 0.97, 4.25, 0.001),
    // Lower than before (0.969), with bounds that are higher: here the highest bounds are not the nearest to what was planted.
    stated("v-bce", 0.955, 4.25, 0.01),
    stated("voting", 0.98, 4.25, 0.001),
    stated("wct-al", 0.93, 4.25, 0.001),
    stated("wct-cl", 0.88, 4.25, 0.001),
    stated("wct-sl", 0.5, 4.25, 0.001),
    stated("weac-al", 0.91, 4.25, 0.001),
    stated("weac-cl", 0.68, 4.25, 0.001),
    stated("weac-sl", 0.43, 4.25, 0.001),
];

/// Starts of a method that makes several, and seeds of one that makes one.
const STARTS: i64 = 25;

fn references(method: &Method) -> Vec<Method> {
    match many_starts(method, &[]).unwrap().pop() {
        Some(many) => vec![many.set("restarts", STARTS).unwrap()],
        None => (2..12).map(|seed| method.clone().seed(seed)).collect(),
    }
}

fn runs(method: &Method, references: &[Method]) -> Vec<Measured> {
    let taken = ensembles().into_iter().filter(|(planted, _)| takes(method, planted));
    taken.map(|(_, made)| measure(method, references, &made).unwrap()).collect()
}

fn mean(runs: &[Measured], value: impl Fn(&Measured) -> f64) -> f64 {
    runs.iter().map(value).sum::<f64>() / runs.len() as f64
}

/// What does not hold of what is stated, in words.
fn shortfalls(stated: &Stated) -> Vec<String> {
    let method = Method::find(stated.method).unwrap();
    let runs = runs(&method, &references(&method));
    let ari = mean(&runs, |run| run.ari);
    let clusters = mean(&runs, |run| run.clusters as f64);
    let gap = mean(&runs, |run| run.gap.unwrap_or(0.0));
    let judged = [
        (ari >= stated.ari, format!("mean ARI {ari:.4}, stated {}", stated.ari)),
        (clusters <= stated.clusters, format!("{clusters:.2} clusters, stated {}", stated.clusters)),
        (gap <= stated.gap, format!("mean gap {gap:.6}, stated {}", stated.gap)),
    ];
    let short = judged.into_iter().filter(|(holds, _)| !holds);
    short.map(|(_, words)| format!("{}: {words}", stated.method)).collect()
}

/// Every `step`-th method, so that the tests can share the work.
fn assert_stated(first: usize, step: usize) {
    let short: Vec<String> = STATED.iter().skip(first).step_by(step).flat_map(shortfalls).collect();
    assert!(short.is_empty(), "{}", short.join("\n"));
}

#[test]
fn every_other_method_from_the_first_is_as_good_as_stated() {
    assert_stated(0, 2);
}

#[test]
fn every_other_method_from_the_second_is_as_good_as_stated() {
    assert_stated(1, 2);
}

#[test]
fn every_method_in_one_place_is_stated() {
    let names: Vec<&str> = methods().map(|method| method.info().name).collect();
    assert_eq!(STATED.map(|stated| stated.method).to_vec(), names);
}

/// Skewed clusters, many gaps: for long, the components of a random start are nearly alike and the bound hardly rises.
#[test]
fn v_bce_finds_all_clusters_and_a_bound_above_the_plateau_with_every_seed() {
    let plateau = Planted {
        number: 1004,
        sizes: Sizes::Skewed,
        clusters: 6,
        objects: 150,
        columns: 20,
        noise: 0.3,
        missing: 0.4,
    };
    let made = plateau.make();
    for seed in 1..8 {
        let run = measure(&Method::find("v-bce").unwrap().seed(seed), &[], &made).unwrap();
        assert!(run.clusters >= 5 && run.ari > 0.6 && run.converged, "seed {seed}: {run:?}");
        // Seeds 1 to 3 ended at -1890 and below when the bound decided; now the worst of the seven is at -1864.2.
        assert!(run.objective.unwrap() > -1875.0, "seed {seed}: {run:?}");
    }
}

/// The same starts, followed until they really stand still, end higher. This states by how much, so that a better rule
/// for stopping can lower it.
#[test]
fn v_bce_stops_no_further_below_its_plateau_than_stated() {
    let method = Method::find("v-bce").unwrap().set("restarts", 3).unwrap();
    let patient = method.clone().set("tolerance", 1e-9).unwrap().set("iterations", 20_000).unwrap();
    let gap = mean(&runs(&method, &[patient]), |run| run.gap.unwrap());
    assert!(gap <= 3.0, "{gap} nats, stated 3");
}

#[test]
fn both_halves_have_the_same_mixture_of_sizes_noise_and_gaps() {
    for half in [0, 1] {
        let half: Vec<Planted> = (half..Planted::COUNT).step_by(2).map(Planted::of).collect();
        for sizes in [Sizes::Even, Sizes::Skewed] {
            for complete in [true, false] {
                let of_kind = half.iter().filter(|one| one.sizes == sizes && (one.missing == 0.0) == complete);
                let mut noise: Vec<usize> = of_kind.map(|one| ((one.noise - 0.2) / 0.05) as usize).collect();
                noise.sort_unstable();
                assert_eq!(noise, (0..8).collect::<Vec<_>>(), "{sizes:?}, complete: {complete}");
            }
        }
    }
}

#[test]
fn a_planted_ensemble_is_what_it_says() {
    for number in 0..Planted::COUNT {
        let planted = Planted::of(number);
        let Made { ensemble, truth } = planted.make();
        assert_eq!((ensemble.objects(), ensemble.columns()), (planted.objects, planted.columns), "{planted:?}");
        assert_eq!((truth.len(), truth.clusters()), (planted.objects, planted.clusters), "{planted:?}");
        let missing = ensemble.missing() as f64 / (planted.objects * planted.columns) as f64;
        assert!((missing - planted.missing).abs() < 0.06, "{planted:?}: {missing}");
        let mut sizes = vec![0; planted.clusters];
        truth.labels().iter().for_each(|&label| sizes[label as usize] += 1);
        let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
        match planted.sizes {
            Sizes::Even => assert!(most - least <= 1, "{planted:?}: {sizes:?}"),
            Sizes::Skewed => assert!(*most >= 2 * least && *least >= 1, "{planted:?}: {sizes:?}"),
        }
    }
}

#[test]
fn the_page_has_a_row_for_every_method() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/QUALITY.md")).unwrap();
    let today = page.split("\n## ").find(|section| section.starts_with("Today\n")).unwrap();
    let rows = today.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    assert_eq!(rows.collect::<Vec<_>>(), STATED.map(|stated| stated.method));
}

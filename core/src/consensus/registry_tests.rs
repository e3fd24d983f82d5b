//! Laws that every method of the registry obeys, with its defaults and with every word that its parameters offer: a new
//! method is held to them without anyone remembering.

use std::num::NonZeroUsize;

use rand::RngExt;

use super::test_ensembles::{ODD_COUNTS, Planted, odd_inputs};
use super::{
    AllPairs, Clusters, Consensus, Direction, Memberships, MethodInfo, Missing, Runs, Solution, Task, Watch, all,
};
use crate::ensemble::{Ensemble, Labels, Partition};
use crate::params::{Kind, Parameter, Params, Raw};
use crate::seed::Id;
use crate::threads::Threads;

/// A method with some settings.
struct RegisteredMethod {
    info: &'static MethodInfo,
    /// Its name and what is not as usual.
    name: String,
    method: Box<dyn Consensus>,
}

impl RegisteredMethod {
    fn new(info: &'static MethodInfo, chosen: Option<(&Parameter, &str)>) -> Self {
        // Short runs obey the same laws as long ones. Between few rows, walks by the usual number of neighbours do not get from
        // one to most others, which are then all equally far.
        let short = [
            ("restarts", 2),
            ("iterations", 60),
            ("sweeps", 20),
            ("burn-in", 5),
            ("truncation", 12),
            ("neighbours", 40),
        ];
        let mut params = Params::defaults(info.parameters);
        for parameter in info.parameters {
            let setting = short.iter().find(|(name, _)| *name == parameter.name).map(|(_, value)| Raw::Integer(*value));
            let setting = setting.or_else(|| (parameter.name == "parties").then_some(Raw::Integer(3)));
            if let Some(raw) = setting {
                params.set(parameter, parameter.check(&raw).unwrap());
            }
        }
        let mut name = info.name.to_owned();
        if let Some((parameter, word)) = chosen {
            params.set(parameter, parameter.check(&Raw::Text(word.to_owned())).unwrap());
            name = format!("{name} with {} = {word}", parameter.name);
        }
        Self { info, name, method: info.make(&params) }
    }

    fn run(&self, ensemble: &Ensemble, clusters: usize, seed: u64) -> Solution {
        self.run_on(ensemble, clusters, seed, Threads::default())
    }

    fn run_on(&self, ensemble: &Ensemble, clusters: usize, seed: u64, threads: Threads) -> Solution {
        let id = Id::of("test", &[&seed.to_le_bytes()]);
        let clusters = (self.info.accepts.clusters == Clusters::Given).then_some(clusters);
        // A method that returns base clusterings returns another one in each run.
        let repeat = if self.info.runs == Runs::Columns { seed as usize % ensemble.columns() } else { 0 };
        let task = Task { ensemble, clusters, repeat, id, watch: Watch::default().with_threads(threads) };
        self.method.combine(&task).unwrap_or_else(|halt| panic!("{}: {halt}", self.name))
    }

    /// The best of a few seeds, by the method's own objective.
    fn best(&self, ensemble: &Ensemble, clusters: usize) -> Solution {
        let value = |solution: &Solution| solution.objective.as_ref().map_or(0.0, |objective| objective.value);
        let better = |one: &Solution, other: &Solution| match self.info.optimises {
            Direction::HigherIsBetter => value(one) > value(other),
            Direction::LowerIsBetter => value(one) < value(other),
            Direction::Neither => false,
        };
        let runs = (0..6).map(|seed| self.run(ensemble, clusters, seed));
        runs.reduce(|kept, next| if better(&next, &kept) { next } else { kept }).unwrap()
    }
}

/// Every method as it comes, and once for every other word of every choice it offers.
fn entries() -> Vec<RegisteredMethod> {
    let of_method = |info: &'static MethodInfo| {
        let words = info.parameters.iter().flat_map(|parameter| match parameter.kind {
            Kind::Choice(words) => words.iter().map(|word| (parameter, *word)).collect(),
            _ => Vec::new(),
        });
        let others = words.filter(|(parameter, word)| parameter.default_value().to_string() != *word);
        let others: Vec<RegisteredMethod> = others.map(|chosen| RegisteredMethod::new(info, Some(chosen))).collect();
        std::iter::once(RegisteredMethod::new(info, None)).chain(others)
    };
    all().iter().flat_map(|info| of_method(info)).collect()
}

/// Ensembles of more and less noise, with gaps where the method takes them.
fn noisy(info: &MethodInfo) -> Vec<Ensemble> {
    let missing = if info.accepts.missing == Missing::Accepted { 0.1 } else { 0.0 };
    let usual = Planted { objects: 60, copies: 5, ..Planted::new(3, 1) };
    let harder = Planted { noise: 0.4, missing, seed: 2, ..usual };
    let few_rows = Planted { copies: 2, noise: 0.3, seed: 3, ..usual };
    [usual, harder, few_rows].map(|planted| planted.make().0).into()
}

fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut rng = Id::of("shuffled", &[&seed.to_le_bytes()]).rng("order");
    let mut order: Vec<usize> = (0..count).collect();
    (1..count).rev().for_each(|position| order.swap(position, rng.random_range(0..=position)));
    order
}

/// Object i of the result is object `order[i]`.
fn reordered(ensemble: &Ensemble, order: &[usize]) -> Ensemble {
    with_columns(ensemble, |codes, _| order.iter().map(|&object| codes[object]).collect())
}

/// Every column's codes replaced.
fn with_columns(ensemble: &Ensemble, replace: impl Fn(&[u32], usize) -> Vec<u32>) -> Ensemble {
    let column = |column| Labels::from_codes(replace(ensemble.column(column).codes(), ensemble.arity()[column]));
    Ensemble::from_columns(&(0..ensemble.columns()).map(column).collect::<Vec<_>>()).unwrap()
}

/// The labels and the cluster of every object, in an order that does not depend on theirs. Of objects with equal labels
/// nobody can say which is which, so they may exchange their clusters.
fn answers(ensemble: &Ensemble, partition: &Partition) -> Vec<(Vec<u32>, u32)> {
    let row = |object: usize| ensemble.row(ensemble.row_of()[object] as usize).to_vec();
    let mut answers: Vec<_> = (0..).map(row).zip(partition.labels().iter().copied()).collect();
    answers.sort_unstable();
    answers
}

/// Whether a method was asked to take the first of equals in the file.
fn goes_by_the_file(entry: &RegisteredMethod) -> bool {
    entry.name.ends_with(" with ties = order")
}

#[test]
fn permuting_the_objects_permutes_the_answer_of_every_method() {
    let mut broken = Vec::new();
    for entry in entries().into_iter().filter(|entry| !goes_by_the_file(entry)) {
        for (case, ensemble) in (0..).zip(noisy(entry.info)) {
            for seed in 0..4 {
                let permuted = reordered(&ensemble, &shuffled(ensemble.objects(), 10 * case + seed));
                let [one, other] = [&ensemble, &permuted].map(|ensemble| {
                    let solution = entry.run(ensemble, 3, seed);
                    answers(ensemble, &solution.partition)
                });
                if one != other {
                    broken.push(format!("{}: ensemble {case}, seed {seed}", entry.name));
                }
            }
        }
    }
    assert!(broken.is_empty(), "the order of the objects matters to\n{}", broken.join("\n"));
}

/// All but `mcla`, where only base clusters are taken in their order.
#[test]
fn where_the_file_decides_between_equals_its_order_matters() {
    let mut names = Vec::new();
    for entry in entries().into_iter().filter(goes_by_the_file) {
        let matters = (0..8).any(|seed| {
            let planted = Planted { objects: 60, copies: 3, noise: 0.5, ..Planted::new(3, seed) };
            let (ensemble, _) = planted.make();
            let permuted = reordered(&ensemble, &shuffled(ensemble.objects(), seed));
            let [one, other] =
                [&ensemble, &permuted].map(|ensemble| answers(ensemble, &entry.run(ensemble, 3, seed).partition));
            one != other
        });
        if matters {
            names.push(entry.info.name);
        }
    }
    let expected = [
        "cspa", "eac-al", "eac-cl", "eac-sl", "ecpcs-hc", "hgpa", "lwea", "pta-al", "pta-cl", "pta-sl", "wct-al",
        "wct-cl", "wct-sl", "weac-al", "weac-cl", "weac-sl",
    ];
    assert_eq!(names, expected);
}

#[test]
fn the_same_seed_gives_the_same_answer_of_every_method() {
    for entry in entries() {
        for ensemble in noisy(entry.info) {
            let [one, other] = [(); 2].map(|()| entry.run(&ensemble, 3, 7));
            assert_eq!(one.partition, other.partition, "{}", entry.name);
            assert_eq!(one.objective, other.objective, "{}", entry.name);
            assert_eq!((one.iterations, one.converged), (other.iterations, other.converged), "{}", entry.name);
        }
    }
}

/// With ensembles of several blocks of rows for those that do not compare all pairs.
#[test]
fn every_method_gives_the_same_bits_on_any_number_of_threads() {
    let bits = |solution: &Solution| {
        let objective = solution.objective.as_ref().map(|objective| objective.value.to_bits());
        let memberships = solution.memberships.as_ref().map(|found| {
            let objects = (0..solution.partition.len()).flat_map(|object| found.object(object));
            objects.map(|share| share.to_bits()).collect::<Vec<u64>>()
        });
        (solution.partition.clone(), objective, memberships, solution.iterations, solution.converged)
    };
    for entry in entries() {
        let missing = if entry.info.accepts.missing == Missing::Accepted { 0.05 } else { 0.0 };
        let is_usual = entry.name == entry.info.name;
        let (objects, copies) = if entry.info.pairs == AllPairs::None && is_usual { (5_200, 14) } else { (250, 8) };
        let (ensemble, _) = Planted { objects, copies, noise: 0.3, missing, ..Planted::new(4, 6) }.make();
        let alone = entry.run(&ensemble, 4, 3);
        for threads in [2, 8, 64] {
            let threads = Threads::new(NonZeroUsize::new(threads).unwrap());
            let together = entry.run_on(&ensemble, 4, 3, threads.clone());
            assert_eq!(bits(&alone), bits(&together), "{} on {threads:?}", entry.name);
        }
    }
}

#[test]
fn many_numbers_of_clusters_at_once_get_the_answers_that_each_gets_alone() {
    let counts = [5, 1, 3, 80, 2];
    for entry in entries().into_iter().filter(|entry| entry.info.accepts.clusters == Clusters::Given) {
        for ensemble in noisy(entry.info) {
            let id = Id::of("test", &[&7_u64.to_le_bytes()]);
            let task = Task { ensemble: &ensemble, clusters: None, repeat: 0, id, watch: Watch::default() };
            let mut together = Vec::new();
            let keep = &mut |solution: Solution| {
                together.push((solution.partition, solution.objective, solution.iterations, solution.converged));
                Ok(())
            };
            entry.method.combine_each(&task, &counts, keep).unwrap_or_else(|halt| panic!("{}: {halt}", entry.name));
            let alone = counts.map(|clusters| {
                let solution = entry.run(&ensemble, clusters, 7);
                (solution.partition, solution.objective, solution.iterations, solution.converged)
            });
            assert_eq!(together, alone, "{}", entry.name);
        }
    }
}

/// The order of the labels' names decides which random number meets which row, so that what is found by chance may
/// differ. What is plain to see may not.
#[test]
fn renaming_the_labels_changes_no_clear_answer_of_any_method() {
    let (ensemble, _) = Planted { objects: 60, copies: 8, noise: 0.02, ..Planted::new(3, 4) }.make();
    let renamed = with_columns(&ensemble, |codes, arity| codes.iter().map(|code| arity as u32 - 1 - code).collect());
    assert_ne!(ensemble, renamed);
    for entry in entries() {
        let [one, other] = [&ensemble, &renamed].map(|ensemble| entry.best(ensemble, 3).partition.by_first_object());
        assert_eq!(one, other, "{}", entry.name);
    }
}

#[test]
fn odd_inputs_get_answers_from_every_method() {
    for entry in entries() {
        for ensemble in &odd_inputs() {
            if entry.info.accepts.missing == Missing::Refused && ensemble.missing() > 0 {
                continue;
            }
            for clusters in ODD_COUNTS {
                check_answer(&entry, ensemble, clusters);
            }
        }
    }
}

/// A component that nobody belongs to is no column of `--soft`. Chains leave clusters behind, and there may be fewer
/// rows than clusters wanted.
#[test]
fn no_column_of_any_memberships_is_zero_throughout() {
    for entry in entries() {
        for ensemble in noisy(entry.info).iter().chain(&odd_inputs()) {
            if entry.info.accepts.missing == Missing::Refused && ensemble.missing() > 0 {
                continue;
            }
            for (clusters, seed) in [(1, 0), (2, 1), (5, 2)] {
                let solution = entry.run(ensemble, clusters, seed);
                let Some(memberships) = solution.memberships else { continue };
                let occurs = |column| (0..ensemble.objects()).any(|object| memberships.object(object)[column] > 0.0);
                let empty: Vec<usize> = (0..memberships.columns()).filter(|&column| !occurs(column)).collect();
                assert!(empty.is_empty(), "{}: columns {empty:?} for {clusters} of {ensemble:?}", entry.name);
                check_columns(&entry.name, &solution.partition, &memberships);
            }
        }
    }
}

/// Column h is that of cluster h, and there is one for every cluster.
fn check_columns(name: &str, partition: &Partition, memberships: &Memberships) {
    assert!(memberships.columns() >= partition.clusters(), "{name}");
    for (object, &label) in partition.labels().iter().enumerate() {
        let shares = memberships.object(object);
        let largest = shares.iter().copied().fold(0.0, f64::max);
        assert!(shares[label as usize] >= largest - 1e-12, "{name}: object {object} is in {label} and has {shares:?}");
    }
}

/// A label for every object, never more clusters than wanted, and numbers that are numbers.
fn check_answer(entry: &RegisteredMethod, ensemble: &Ensemble, clusters: usize) {
    let RegisteredMethod { info, name, .. } = entry;
    let solution = entry.run(ensemble, clusters, 1);
    assert_eq!(solution.partition.len(), ensemble.objects(), "{name}");
    let most = match info.accepts.clusters {
        Clusters::Given => clusters,
        Clusters::Found => ensemble.objects(),
    };
    let found = solution.partition.clusters();
    assert!((1..=most).contains(&found), "{name}: {found} clusters, {clusters} wanted of {ensemble:?}");
    match &solution.objective {
        Some(objective) => assert!(objective.value.is_finite(), "{name}: {objective:?} for {clusters} of {ensemble:?}"),
        None => assert_eq!(info.objective, "none", "{name} has an objective to report"),
    }
    let memberships = solution.memberships.iter();
    for (object, memberships) in
        memberships.flat_map(|found| (0..ensemble.objects()).map(move |object| (object, found)))
    {
        let sum: f64 = memberships.object(object).iter().sum();
        assert!((sum - 1.0).abs() < 1e-12, "{name}: object {object} of {ensemble:?} belongs to {sum}");
    }
}

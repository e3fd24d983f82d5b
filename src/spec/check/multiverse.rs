//! The universes of a spec, each checked as a spec of its own.

use super::{Catalog, Experiment, Fields, Problems, ScaledSpec, Spec, SpecProblem, SweepPoint, check_scale};
use crate::generate::Which;
use crate::spec::PAPER_SCALE;
use crate::spec::experiment::{EnsembleSetting, Setting};
use crate::spec::forks::{self, Forks, Universe};
use crate::spec::sweep;
use crate::spec::tree::TomlTable;

/// Reads the forks, and checks and adds every universe that is not as stated. What is wrong at a scale alone says at which.
pub(super) fn fill(stated: &mut Experiment, spec: &Spec, scale: &ScaledSpec, catalog: &Catalog, problems: &Problems) {
    let own = Problems::default();
    fill_noting(stated, spec, scale, catalog, &own);
    for problem in own.into_inner() {
        problems.add(if scale.name == PAPER_SCALE { problem } else { problem.at_scale(scale.name) });
    }
}

/// Reads the forks of a spec that has mistakes elsewhere, for mistakes of their own.
pub(super) fn check_forks(tree: &TomlTable, problems: &Problems) {
    let top = Fields::new(tree, "the spec", problems);
    let (swept, _) = sweep::read(&top.tables("sweep"), tree, &Problems::default());
    forks::read(&top, tree, &swept);
}

fn fill_noting(stated: &mut Experiment, spec: &Spec, scale: &ScaledSpec, catalog: &Catalog, problems: &Problems) {
    let top = Fields::new(scale.tree, "the spec", problems);
    let found = forks::read(&top, scale.tree, &stated.sweep);
    if problems.len() > 0 || found.forks.is_empty() {
        return;
    }
    let check = |tree: &TomlTable, name: &str| check_universe(spec, scale, tree, catalog, (name, problems));
    refuse_equal_options(stated, &found, scale.tree, check, problems);
    if problems.len() > 0 {
        return;
    }
    let others = forks::universes(&found, problems).into_iter().filter(|options| options.iter().any(|o| *o > 0));
    stated.forks.clone_from(&found.forks);
    let mut universes = Vec::new();
    for options in others {
        let tree = forks::lay_over(scale.tree, &found.forks, &options, found.limits);
        let name = forks::name(&found.forks, &options);
        universes.extend(check(&tree, &name).map(|experiment| Universe { options, experiment }));
    }
    stated.universes = universes;
}

/// Checks a spec with options laid over it. What is wrong with it is wrong with the universe, and says so.
fn check_universe(
    spec: &Spec,
    scale: &ScaledSpec,
    tree: &TomlTable,
    catalog: &Catalog,
    (name, problems): (&str, &Problems),
) -> Option<Experiment> {
    let own = Problems::default();
    let checked = check_scale(spec, &ScaledSpec { tree, ..*scale }, catalog, &own);
    let refused = own.len() > 0;
    for problem in own.into_inner() {
        problems.add(problem.in_universe(name));
    }
    checked.filter(|_| !refused)
}

/// Refuses options that change nothing: the first must be what the spec has, and every other something else.
fn refuse_equal_options(
    stated: &Experiment,
    found: &Forks,
    tree: &TomlTable,
    check: impl Fn(&TomlTable, &str) -> Option<Experiment>,
    problems: &Problems,
) {
    let own = everything(stated);
    for (fork, span) in found.forks.iter().zip(&found.spans) {
        let refuse = |message: String, expected: &str| {
            problems.add(SpecProblem::new(span.clone(), message).expected(expected));
        };
        let mut seen: Vec<(String, &str)> = Vec::new();
        for (position, option) in fork.options.iter().enumerate() {
            let laid = forks::with_option(tree, option);
            let name = format!("{} = {}", fork.id, option.label);
            let Some(experiment) = check(&laid, &name) else { continue };
            let here = everything(&experiment);
            if position == 0 && here != own {
                let message = format!("the first option of the fork \"{}\" is not what the spec has", fork.id);
                refuse(message, "the spec's own value first: it is the universe \"as stated\"");
            }
            if let Some((_, same)) = seen.iter().find(|(other, _)| *other == here) {
                let message = format!(
                    "the fork \"{}\" has two options that are the same: \"{same}\" and \"{}\"",
                    fork.id, option.label
                );
                refuse(message, "options that differ in what is run or judged");
            }
            seen.push((here, &option.label));
        }
    }
}

/// Everything of an experiment that an option can change, spelled out. Ensembles are compared by their identities: `2..7` and `2..4, 5..7`
/// are the same.
fn everything(experiment: &Experiment) -> String {
    let Experiment { tables, figures, tests, rankings, claims, datasets, .. } = experiment;
    let ensemble = |kind: &EnsembleSetting| {
        let which = Which { seed: experiment.seed, index: None };
        let ids: Vec<Option<String>> = datasets
            .iter()
            .map(|dataset| kind.generator.ensemble_id(&kind.params, dataset, &which).ok().map(|id| id.to_string()))
            .collect();
        let EnsembleSetting { label, only, params, size, count, pool, .. } = kind;
        // Without data there are no identities; what is written must do.
        let params = if datasets.is_empty() { format!("{params:?}") } else { String::new() };
        format!("{label} {only:?} {size} {count} {pool:?} {ids:?} {params}")
    };
    let point = |point: &SweepPoint| {
        let Setting { mask, holdout, ensembles, methods } = &point.setting;
        let ensembles: Vec<String> = ensembles.iter().map(ensemble).collect();
        format!("{:?} {mask:?} {holdout:?} {ensembles:?} {methods:?}", point.values)
    };
    let points: Vec<String> = experiment.points.iter().map(point).collect();
    let datasets: Vec<(&String, String)> =
        datasets.iter().map(|dataset| (&dataset.label, dataset.id.to_string())).collect();
    format!("{datasets:?} {points:?} {tables:?} {figures:?} {tests:?} {rankings:?} {claims:?}")
}

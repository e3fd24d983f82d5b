//! Which combinations of options are universes.

use super::read::Forks;
use super::{Design, Fork};
use crate::spec::bounds;
use crate::spec::fields::Problems;
use crate::spec::problem::SpecProblem;

/// Universes of one spec: each is a copy of it that is checked, run and judged.
const MOST: usize = 200;

/// All combinations that are looked at to find them.
const MOST_COMBINATIONS: f64 = 1e6;

/// For every universe the option of each fork; as stated comes first, the last fork varies fastest.
pub(in crate::spec) fn universes(found: &Forks, problems: &Problems) -> Vec<Vec<usize>> {
    let forks = &found.forks;
    let refuse = |count: f64| {
        let message = format!("the forks make {} universes", bounds::grouped(count));
        let span = found.spans.last().cloned().unwrap_or(0..0);
        let expected = format!("at most {MOST}: `design = \"one-at-a-time\"`, `when`, or fewer options");
        problems.add(SpecProblem::new(span, message).expected(expected));
        vec![vec![0; forks.len()]]
    };
    let all = forks.iter().map(|fork| fork.options.len() as f64).product::<f64>();
    if all > MOST_COMBINATIONS {
        return refuse(all);
    }
    let mut combinations = vec![Vec::new()];
    for fork in forks {
        combinations = combinations
            .iter()
            .flat_map(|begun: &Vec<usize>| (0..fork.options.len()).map(|option| [begun.as_slice(), &[option]].concat()))
            .collect();
    }
    combinations.retain(|options| (0..forks.len()).all(|fork| may_be(forks, options, fork)));
    if combinations.len() > MOST {
        return refuse(combinations.len() as f64);
    }
    combinations
}

/// Whether a fork may have its option among the options of the others.
fn may_be(forks: &[Fork], options: &[usize], at: usize) -> bool {
    let fork = &forks[at];
    if options[at] == 0 {
        return true;
    }
    let label_of = |other: usize| &forks[other].options[options[other]].label;
    let condition_on = |other: usize| fork.when.iter().find(|(id, _)| *id == forks[other].id);
    (0..forks.len()).filter(|other| *other != at).all(|other| match (condition_on(other), fork.design) {
        (Some((_, admitted)), _) => admitted.contains(label_of(other)),
        (None, Design::OneAtATime) => options[other] == 0 || asks_for(forks, other, at),
        (None, Design::Full) => true,
    })
}

/// Whether a fork is varied only with options of another.
fn asks_for(forks: &[Fork], fork: usize, other: usize) -> bool {
    forks[fork].when.iter().any(|(id, _)| *id == forks[other].id)
}

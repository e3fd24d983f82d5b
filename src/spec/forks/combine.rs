//! Which combinations of options are universes.

use super::read::Forks;
use super::{Design, Fork};
use crate::spec::fields::Problems;
use crate::spec::problem::SpecProblem;

/// Universes of one spec: each is a copy of it that is checked, run and judged.
const MOST: usize = 200;

/// Combinations that are looked at to find them.
const MOST_TRIED: usize = 1_000_000;

/// For every universe the option of each fork; as stated comes first, the last fork varies fastest.
pub(in crate::spec) fn universes(found: &Forks, problems: &Problems) -> Vec<Vec<usize>> {
    let forks = &found.forks;
    let refuse = |at: usize, message: String, expected: &str| {
        let span = found.spans.get(at).cloned().unwrap_or(0..0);
        problems.add(SpecProblem::new(span, message).expected(expected));
    };
    let mut search = UniverseSearch { forks, universes: Vec::new(), tried: 0 };
    search.extend(&mut Vec::new());
    let UniverseSearch { universes, tried, .. } = search;
    if universes.len() > MOST || tried > MOST_TRIED {
        let message = format!("the forks make more than {MOST} universes");
        let expected = "fewer: `design = \"one-at-a-time\"`, `when`, or fewer options";
        refuse(forks.len().saturating_sub(1), message, expected);
        return vec![vec![0; forks.len()]];
    }
    for (at, fork) in forks.iter().enumerate() {
        let unused = (0..fork.options.len()).find(|option| universes.iter().all(|options| options[at] != *option));
        if let Some(option) = unused {
            let label = &fork.options[option].label;
            let message = format!("no universe has the option \"{label}\" of the fork \"{}\"", fork.id);
            refuse(at, message, "a `when` that some universe meets");
        }
    }
    universes
}

/// Universes as they are found, fork by fork.
struct UniverseSearch<'a> {
    forks: &'a [Fork],
    universes: Vec<Vec<usize>>,
    tried: usize,
}

impl UniverseSearch<'_> {
    fn extend(&mut self, begun: &mut Vec<usize>) {
        self.tried += 1;
        if self.universes.len() > MOST || self.tried > MOST_TRIED || !self.may_go_on(begun) {
            return;
        }
        if begun.len() == self.forks.len() {
            if (0..begun.len()).all(|fork| self.conditions_hold(begun, fork)) {
                self.universes.push(begun.clone());
            }
            return;
        }
        for option in 0..self.forks[begun.len()].options.len() {
            begun.push(option);
            self.extend(begun);
            begun.pop();
        }
    }

    /// Whether the fork that was added last can be varied together with those before it.
    fn may_go_on(&self, begun: &[usize]) -> bool {
        let Some(last) = begun.len().checked_sub(1).filter(|last| begun[*last] > 0) else { return true };
        let varied = (0..last).filter(|fork| begun[*fork] > 0);
        varied.into_iter().all(|fork| {
            let alone = [fork, last].iter().any(|at| self.forks[*at].design == Design::OneAtATime);
            !alone || self.asks_for(fork, last) || self.asks_for(last, fork)
        })
    }

    /// Whether a fork that is varied has the options of others that it asks for.
    fn conditions_hold(&self, options: &[usize], at: usize) -> bool {
        let has = |(id, admitted): &(String, Vec<String>)| {
            let other = self.forks.iter().position(|fork| fork.id == *id);
            other.is_some_and(|other| admitted.contains(&self.forks[other].options[options[other]].label))
        };
        options[at] == 0 || self.forks[at].when.iter().all(has)
    }

    /// Whether a fork is varied only with options of another, perhaps by way of a third.
    fn asks_for(&self, fork: usize, other: usize) -> bool {
        let mut seen = vec![false; self.forks.len()];
        let mut next = vec![fork];
        while let Some(at) = next.pop() {
            for (id, _) in &self.forks[at].when {
                let Some(asked) = self.forks.iter().position(|fork| fork.id == *id) else { continue };
                if !std::mem::replace(&mut seen[asked], true) {
                    next.push(asked);
                }
            }
        }
        seen[other]
    }
}

use rand::RngExt;

use crate::ensemble::Partition;
use crate::seed::{Id, Rng};

/// Which objects a model does not see when it is fitted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Holdout {
    /// Share of the objects that are held out.
    pub fraction: f64,
    /// From where they are taken.
    pub strata: Strata,
}

/// From where held-out objects are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strata {
    /// From all objects alike.
    Objects,
    /// From every class in proportion, as nearly as whole objects allow.
    Classes,
}

impl Holdout {
    /// Nothing is held out.
    pub const NONE: Self = Self { fraction: 0.0, strata: Strata::Objects };

    /// What tells this split from others in an ensemble's identity; empty when nothing is held out.
    #[must_use]
    pub fn identity(&self) -> String {
        let strata = match self.strata {
            Strata::Objects => "objects",
            Strata::Classes => "classes",
        };
        if self.fraction == 0.0 { String::new() } else { format!("{} of {strata}", self.fraction) }
    }

    /// Splits objects into those a model is fitted to and those held out, each in ascending order; `None` when nothing is
    /// held out. At least one object stays on either side.
    #[must_use]
    pub fn split(&self, objects: usize, classes: Option<&Partition>, id: Id) -> Option<Split> {
        if self.fraction == 0.0 || objects < 2 {
            return None;
        }
        let mut rng = id.rng("holdout");
        let mut held: Vec<usize> = match (self.strata, classes) {
            (Strata::Classes, Some(classes)) => {
                let mut order = shuffled((0..objects).collect(), &mut rng);
                // Sorted by class and, within a class, in random order: every stretch of it is fair to the classes.
                order.sort_by_key(|&object| classes.labels()[object]);
                every_so_often(&order, self.fraction, rng.random())
            }
            _ => {
                let count = (self.fraction * objects as f64).round() as usize;
                shuffled((0..objects).collect(), &mut rng)[..count.clamp(1, objects - 1)].to_vec()
            }
        };
        held.sort_unstable();
        let mut is_held = vec![false; objects];
        held.iter().for_each(|&object| is_held[object] = true);
        Some(Split { fitted: (0..objects).filter(|&object| !is_held[object]).collect(), held_out: held })
    }
}

/// The two sides of a split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// What a model is fitted to.
    pub fitted: Vec<usize>,
    /// What it is tested on.
    pub held_out: Vec<usize>,
}

fn shuffled(mut objects: Vec<usize>, rng: &mut Rng) -> Vec<usize> {
    for position in (1..objects.len()).rev() {
        objects.swap(position, rng.random_range(0..=position));
    }
    objects
}

/// Items at even distances along the list: systematic sampling from a random start.
fn every_so_often(items: &[usize], share: f64, start: f64) -> Vec<usize> {
    let taken_before = |position: usize| (start + share * position as f64).floor();
    let taken = items.iter().enumerate().filter(|(position, _)| taken_before(position + 1) > taken_before(*position));
    let taken: Vec<usize> = taken.map(|(_, &item)| item).collect();
    match taken.len() {
        0 => vec![items[0]],
        count if count == items.len() => taken[1..].to_vec(),
        _ => taken,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(fraction: f64, strata: Strata, classes: &Partition, seed: u8) -> Split {
        Holdout { fraction, strata }.split(classes.len(), Some(classes), Id::of("test", &[&[seed]])).unwrap()
    }

    #[test]
    fn every_object_is_on_one_side_and_the_share_is_as_asked() {
        let classes = Partition::from_codes(&(0..101).map(|object| u32::from(object % 10 == 0)).collect::<Vec<_>>());
        for strata in [Strata::Objects, Strata::Classes] {
            let Split { fitted, held_out } = split(0.25, strata, &classes, 1);
            let mut all: Vec<usize> = fitted.iter().chain(&held_out).copied().collect();
            all.sort_unstable();
            assert_eq!(all, (0..101).collect::<Vec<_>>());
            assert!([25, 26].contains(&held_out.len()), "{}", held_out.len());
            assert_ne!(held_out, split(0.25, strata, &classes, 2).held_out);
        }
    }

    #[test]
    fn classes_are_held_out_in_proportion() {
        let classes = Partition::from_codes(&(0..120).map(|object| u32::from(object % 10 == 0)).collect::<Vec<_>>());
        for seed in 0..20 {
            let held_out = split(0.25, Strata::Classes, &classes, seed).held_out;
            let rare = held_out.iter().filter(|&&object| classes.labels()[object] == 1).count();
            assert!((2..=4).contains(&rare), "{rare} of 12");
        }
    }

    #[test]
    fn neither_side_is_empty() {
        let classes = Partition::from_codes(&[0, 0, 1]);
        for strata in [Strata::Objects, Strata::Classes] {
            for fraction in [0.001, 0.999] {
                let Split { fitted, held_out } = split(fraction, strata, &classes, 3);
                assert!(!fitted.is_empty() && !held_out.is_empty(), "{strata:?} {fraction}");
            }
        }
        assert_eq!(Holdout::NONE.split(10, None, Id::of("test", &[])), None);
    }
}

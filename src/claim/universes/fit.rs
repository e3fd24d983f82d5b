//! How well printed numbers fit in each universe.
//!
//! The universe that fits best was chosen by the numbers it is praised for. So each dataset is also left out in turn: the universe
//! that fits the others best is chosen, and what counts is how it fits the one that was left out.

use std::collections::BTreeMap;

use super::AcrossUniverses;
use crate::claim::{Evidence, Verdict};

/// How printed numbers fit.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct NumberFit {
    pub(crate) consistent: usize,
    /// Those that are consistent or contradicted.
    pub(crate) judged: usize,
    /// Those of which neither could be said.
    pub(crate) inconclusive: usize,
    squares: f64,
    measured: usize,
}

impl NumberFit {
    pub(crate) fn of<'a>(numbers: impl Iterator<Item = &'a Evidence>) -> Self {
        let mut fit = Self::default();
        for number in numbers {
            match number.verdict {
                Verdict::Reproduced => {
                    fit.consistent += 1;
                    fit.judged += 1;
                }
                Verdict::NotReproduced => fit.judged += 1,
                Verdict::Inconclusive { .. } => fit.inconclusive += 1,
                Verdict::Impossible | Verdict::NotRun(_) | Verdict::NothingFound => continue,
            }
            let printed = number.printed.as_ref().and_then(|printed| printed.trim().parse::<f64>().ok());
            if let Some(distance) = number.ours.zip(printed).map(|(ours, printed)| ours - printed) {
                fit.squares += distance * distance;
                fit.measured += 1;
            }
        }
        fit
    }

    /// Root of the mean square distance between ours and what is printed.
    pub(crate) fn distance(&self) -> Option<f64> {
        (self.measured > 0).then(|| (self.squares / self.measured as f64).sqrt())
    }
}

/// A table of printed numbers in every universe, as stated first.
pub(crate) struct FitTable {
    pub(crate) universes: Vec<UniverseFit>,
    pub(crate) left_out: Option<DatasetLeftOut>,
}

/// All numbers in one universe.
pub(crate) struct UniverseFit {
    pub(crate) all: NumberFit,
    /// By method, in the order of the table.
    pub(crate) methods: Vec<(String, NumberFit)>,
    /// Without each dataset in turn.
    pub(crate) without: Vec<NumberFit>,
}

/// What comes of choosing the universe by the datasets that are not counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DatasetLeftOut {
    pub(crate) datasets: usize,
    /// In the universe chosen without the dataset.
    pub(crate) chosen: NumberFit,
    /// As stated.
    pub(crate) stated: NumberFit,
}

fn value_at<'a>(number: &'a Evidence, dimension: &str) -> Option<&'a str> {
    let at = &number.number.as_ref()?.at;
    at.iter().find(|(name, _)| name == dimension).map(|(_, value)| value.as_str())
}

impl FitTable {
    /// The numbers of a judgement; those that are not about one of `methods` are left out, where some are given.
    pub(crate) fn of(across: &AcrossUniverses, methods: Option<&[&str]>) -> Self {
        let wanted = |number: &&Evidence| {
            methods.is_none_or(|methods| value_at(number, "method").is_some_and(|method| methods.contains(&method)))
        };
        let numbers: Vec<Vec<&Evidence>> =
            across.each.iter().map(|(_, judgement)| judgement.evidence.iter().filter(wanted).collect()).collect();
        let datasets = distinct(numbers[0].iter().filter_map(|number| value_at(number, "dataset")));
        let universes = numbers.iter().map(|numbers| UniverseFit::of(numbers, &datasets)).collect();
        Self { universes, left_out: left_out(&numbers, &datasets) }
    }
}

impl UniverseFit {
    fn of(numbers: &[&Evidence], datasets: &[&str]) -> Self {
        let names = distinct(numbers.iter().filter_map(|number| value_at(number, "method")));
        let of_method = |name: &&str| {
            let of_it = numbers.iter().copied().filter(|number| value_at(number, "method") == Some(name));
            ((*name).to_owned(), NumberFit::of(of_it))
        };
        let without = |dataset: &&str| {
            NumberFit::of(numbers.iter().copied().filter(|number| value_at(number, "dataset") != Some(dataset)))
        };
        Self {
            all: NumberFit::of(numbers.iter().copied()),
            methods: names.iter().map(of_method).collect(),
            without: if datasets.len() > 1 { datasets.iter().map(without).collect() } else { Vec::new() },
        }
    }

    /// The fewest and the most consistent numbers without a dataset.
    pub(crate) fn without_one(&self) -> Option<[usize; 2]> {
        let counts = || self.without.iter().map(|fit| fit.consistent);
        Some([counts().min()?, counts().max()?])
    }
}

/// The universe with most consistent numbers, of several the nearest, of several the first.
fn best(fits: &[NumberFit]) -> usize {
    let better = |one: &NumberFit, other: &NumberFit| {
        let distance = |fit: &NumberFit| fit.distance().unwrap_or(f64::INFINITY);
        one.consistent.cmp(&other.consistent).then_with(|| distance(other).total_cmp(&distance(one))).is_gt()
    };
    (1..fits.len()).fold(0, |best, at| if better(&fits[at], &fits[best]) { at } else { best })
}

fn left_out(numbers: &[Vec<&Evidence>], datasets: &[&str]) -> Option<DatasetLeftOut> {
    if datasets.len() < 2 || numbers.len() < 2 {
        return None;
    }
    let mut found =
        DatasetLeftOut { datasets: datasets.len(), chosen: NumberFit::default(), stated: NumberFit::default() };
    for dataset in datasets {
        let is_it = |number: &&&Evidence| value_at(number, "dataset") == Some(dataset);
        let others: Vec<NumberFit> = numbers
            .iter()
            .map(|numbers| NumberFit::of(numbers.iter().filter(|number| !is_it(number)).copied()))
            .collect();
        let on_it = |universe: usize| NumberFit::of(numbers[universe].iter().filter(is_it).copied());
        found.chosen = found.chosen.plus(on_it(best(&others)));
        found.stated = found.stated.plus(on_it(0));
    }
    Some(found)
}

impl NumberFit {
    fn plus(self, other: Self) -> Self {
        Self {
            consistent: self.consistent + other.consistent,
            judged: self.judged + other.judged,
            inconclusive: self.inconclusive + other.inconclusive,
            squares: self.squares + other.squares,
            measured: self.measured + other.measured,
        }
    }
}

/// Each value once, in the order of first appearance.
fn distinct<'a>(values: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen: BTreeMap<&str, ()> = BTreeMap::new();
    values.filter(|value| seen.insert(value, ()).is_none()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::model::NumberEvidence;

    fn number(dataset: &str, verdict: Verdict, ours: f64) -> Evidence {
        let at = vec![("dataset".to_owned(), dataset.to_owned()), ("method".to_owned(), "mm".to_owned())];
        Evidence {
            ours: Some(ours),
            printed: Some("0.50".to_owned()),
            number: Some(NumberEvidence { at, judged: Vec::new() }),
            ..Evidence::at(String::new(), verdict, String::new())
        }
    }

    /// Universes in which the numbers of three datasets are consistent or not.
    fn left_out_of(universes: &[[bool; 3]]) -> DatasetLeftOut {
        let verdict = |yes: bool| if yes { Verdict::Reproduced } else { Verdict::NotReproduced };
        let all: Vec<Vec<Evidence>> = universes
            .iter()
            .map(|holds| {
                let datasets = ["a", "b", "c"].into_iter().zip(holds);
                datasets.map(|(dataset, yes)| number(dataset, verdict(*yes), if *yes { 0.5 } else { 0.9 })).collect()
            })
            .collect();
        let numbers: Vec<Vec<&Evidence>> = all.iter().map(|numbers| numbers.iter().collect()).collect();
        left_out(&numbers, &["a", "b", "c"]).unwrap()
    }

    #[test]
    fn the_best_universe_is_not_praised_for_the_numbers_that_chose_it() {
        // Each universe fits one dataset. Whichever is chosen without a dataset does not fit that dataset.
        let found = left_out_of(&[[true, false, false], [false, true, false], [false, false, true]]);
        assert_eq!((found.chosen.consistent, found.stated.consistent), (0, 1));
    }

    #[test]
    fn a_universe_that_fits_all_is_chosen_without_any() {
        let found = left_out_of(&[[true, false, false], [true, true, true]]);
        assert_eq!((found.chosen.consistent, found.chosen.judged, found.stated.consistent), (3, 3, 1));
    }

    #[test]
    fn distances_are_root_mean_squares() {
        let numbers = [number("a", Verdict::Reproduced, 0.5), number("a", Verdict::NotReproduced, 0.9)];
        let fit = NumberFit::of(numbers.iter());
        assert_eq!((fit.consistent, fit.judged), (1, 2));
        assert!((fit.distance().unwrap() - (0.16f64 / 2.0).sqrt()).abs() < 1e-12);
    }
}

//! The positive control: papers whose inputs are public, where a harness that can say "reproduced" should say it.

use std::collections::BTreeMap;

use super::{PaperCard, Scorecard};
use crate::claim::count::count;
use crate::claim::model::{Evidence, Verdict};

/// How many of some printed numbers are consistent with a repeat of the experiment, and how many are contradicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ControlFit {
    /// Consistent.
    pub consistent: usize,
    /// Contradicted.
    pub contradicted: usize,
    /// Neither, though there is a number of ours beside it.
    pub inconclusive: usize,
}

impl ControlFit {
    fn add(&mut self, place: &Evidence) {
        match place.verdict {
            Verdict::Reproduced => self.consistent += 1,
            Verdict::NotReproduced => self.contradicted += 1,
            // What failed gave no number that could have contradicted anything.
            Verdict::Inconclusive { .. } if place.ours.is_some() => self.inconclusive += 1,
            _ => {}
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            consistent: self.consistent + other.consistent,
            contradicted: self.contradicted + other.contradicted,
            inconclusive: self.inconclusive + other.inconclusive,
        }
    }

    /// Those that are consistent or contradicted. A number inside an interval that is too wide is not among them, and one outside
    /// is however wide it is: so the share of those that are consistent is too low where intervals are wide.
    pub(crate) fn judged(self) -> usize {
        self.consistent + self.contradicted
    }

    /// Those that are not contradicted.
    pub(crate) fn not_contradicted(self) -> usize {
        self.consistent + self.inconclusive
    }

    /// All that have a number of ours beside them.
    pub(crate) fn all(self) -> usize {
        self.judged() + self.inconclusive
    }
}

/// What came of the printed numbers of all papers whose inputs are public.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ControlCount {
    /// Keys of the papers.
    pub papers: Vec<String>,
    /// Methods as they are defined.
    pub methods: BTreeMap<String, ControlFit>,
    /// Methods that are printed otherwise than they are defined, which say nothing of the harness.
    pub apart: BTreeMap<String, ControlFit>,
    /// Why these are counted apart.
    pub why: Vec<String>,
}

impl ControlCount {
    /// Of the papers of a scorecard; `None` where none is a control, or none of their numbers was judged.
    pub(super) fn of(card: &Scorecard) -> Option<Self> {
        let mut counted =
            Self { papers: Vec::new(), methods: BTreeMap::new(), apart: BTreeMap::new(), why: Vec::new() };
        for paper in &card.papers {
            counted.add(paper);
        }
        (counted.all().judged() > 0).then_some(counted)
    }

    fn add(&mut self, paper: &PaperCard) {
        let Some(control) = &paper.control else { return };
        let claims = paper.experiments.iter().flat_map(|experiment| &experiment.judgements);
        let evidence = claims.filter(|claim| claim.is_of_printed_numbers()).flat_map(|claim| &claim.evidence);
        for place in evidence {
            let at = place.number.iter().flat_map(|number| &number.at);
            let Some((_, method)) = at.into_iter().find(|(key, _)| key == "method") else { continue };
            let of = if control.apart.contains(method) { &mut self.apart } else { &mut self.methods };
            of.entry(method.clone()).or_default().add(place);
        }
        self.papers.push(paper.key.clone());
        if !control.why.is_empty() && !self.why.contains(&control.why) {
            self.why.push(control.why.clone());
        }
    }

    /// All methods as they are defined.
    pub(crate) fn all(&self) -> ControlFit {
        self.methods.values().fold(ControlFit::default(), |sum, fit| sum.and(*fit))
    }

    /// In two sentences.
    pub(crate) fn words(&self) -> String {
        let all = self.all();
        let papers = match &self.papers[..] {
            [only] => format!("one paper whose inputs are public ({only})"),
            [one, other] => format!("two papers whose inputs are public ({one}, {other})"),
            several => format!("{} papers whose inputs are public ({})", several.len(), several.join(", ")),
        };
        let mut words = format!(
            "On {papers}, {} of {} of methods as defined that could be decided are consistent with a repeat; {} of all {} are not \
             contradicted.",
            all.consistent,
            count(all.judged(), "printed number"),
            all.not_contradicted(),
            all.all()
        );
        let apart = listed(&self.apart);
        if !apart.is_empty() {
            words += &format!(" Counted apart: {apart}.");
            self.why.iter().for_each(|why| words += &format!(" {why}"));
        }
        words
    }

    /// Every method, those as defined first, then those that are counted apart.
    pub(crate) fn by_method(&self) -> impl Iterator<Item = (&str, ControlFit)> {
        self.methods
            .iter()
            .chain(&self.apart)
            .map(|(method, fit)| (method.as_str(), *fit))
            .filter(|(_, fit)| fit.all() > 0)
    }
}

fn listed(fits: &BTreeMap<String, ControlFit>) -> String {
    let judged = fits.iter().filter(|(_, fit)| fit.judged() > 0);
    let words = judged.map(|(method, fit)| format!("{method} {} of {}", fit.consistent, fit.judged()));
    words.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::sample::scorecard;
    use super::*;
    use crate::claim::{Judgement, NotRun};
    use crate::spec::Control;

    fn number(method: &str, verdict: Verdict) -> Evidence {
        let at = vec![("dataset".to_owned(), "iris".to_owned()), ("method".to_owned(), method.to_owned())];
        let ours = (verdict.not_run().is_none()).then_some(0.5);
        Evidence { ours, ..Evidence::at(format!("iris, {method}"), verdict, String::new()) }.standing_at(at)
    }

    fn with_control() -> Scorecard {
        let mut card = scorecard();
        card.papers[0].control =
            Some(Control { apart: vec!["hgpa".to_owned()], why: "It is printed weaker than it is.".to_owned() });
        let claims = &mut card.papers[0].experiments[0].judgements;
        let printed: &mut Judgement = claims.iter_mut().find(|claim| claim.is_of_printed_numbers()).unwrap();
        printed.evidence = vec![
            number("lwea", Verdict::Reproduced),
            number("lwea", Verdict::NotReproduced),
            number("lwgp", Verdict::Reproduced),
            number("lwgp", Verdict::Inconclusive { needed: None }),
            Evidence { ours: None, ..number("lwgp", Verdict::Inconclusive { needed: None }) },
            number("hgpa", Verdict::NotReproduced),
            number("sec", Verdict::NotRun(NotRun::NoData)),
        ];
        card
    }

    #[test]
    fn methods_as_defined_are_counted_and_others_apart() {
        let counted = ControlCount::of(&with_control()).unwrap();
        assert_eq!(counted.all(), ControlFit { consistent: 2, contradicted: 1, inconclusive: 1 });
        assert_eq!(counted.apart["hgpa"], ControlFit { contradicted: 1, ..ControlFit::default() });
        assert_eq!(
            counted.words(),
            "On one paper whose inputs are public (bce), 2 of 3 printed numbers of methods as defined that could be decided are \
             consistent with a repeat; 3 of all 4 are not contradicted. Counted apart: hgpa 0 of 1. It is printed weaker than it is."
        );
        let each: Vec<(&str, [usize; 4])> = counted
            .by_method()
            .map(|(method, fit)| (method, [fit.consistent, fit.judged(), fit.not_contradicted(), fit.all()]))
            .collect();
        assert_eq!(each, [("lwea", [1, 2, 1, 2]), ("lwgp", [1, 1, 2, 2]), ("hgpa", [0, 1, 0, 1])]);
    }

    #[test]
    fn without_a_control_or_without_judged_numbers_nothing_is_said() {
        assert_eq!(ControlCount::of(&scorecard()), None);
        let mut card = with_control();
        card.papers[0].experiments.clear();
        assert_eq!(ControlCount::of(&card), None);
    }
}

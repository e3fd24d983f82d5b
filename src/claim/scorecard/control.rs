//! The positive control: papers whose inputs are public, where a harness that can say "reproduced" should say it.

use std::collections::BTreeMap;

use super::{PaperCard, Scorecard};
use crate::claim::count::count;
use crate::claim::model::Verdict;

/// How many of some printed numbers are consistent with a repeat of the experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ControlFit {
    /// Consistent.
    pub consistent: usize,
    /// Consistent or contradicted; inconclusive numbers are not in it.
    pub judged: usize,
}

impl ControlFit {
    fn add(&mut self, verdict: Verdict) {
        self.consistent += usize::from(verdict == Verdict::Reproduced);
        self.judged += usize::from(matches!(verdict, Verdict::Reproduced | Verdict::NotReproduced));
    }

    fn and(self, other: Self) -> Self {
        Self { consistent: self.consistent + other.consistent, judged: self.judged + other.judged }
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
        (counted.all().judged > 0).then_some(counted)
    }

    fn add(&mut self, paper: &PaperCard) {
        let Some(control) = &paper.control else { return };
        let claims = paper.experiments.iter().flat_map(|experiment| &experiment.judgements);
        let evidence = claims.filter(|claim| claim.is_of_printed_numbers()).flat_map(|claim| &claim.evidence);
        for place in evidence {
            let at = place.number.iter().flat_map(|number| &number.at);
            let Some((_, method)) = at.into_iter().find(|(key, _)| key == "method") else { continue };
            let of = if control.apart.contains(method) { &mut self.apart } else { &mut self.methods };
            of.entry(method.clone()).or_default().add(place.verdict);
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
        let ControlFit { consistent, judged } = self.all();
        let papers = match &self.papers[..] {
            [only] => format!("one paper whose inputs are public ({only})"),
            [one, other] => format!("two papers whose inputs are public ({one}, {other})"),
            several => format!("{} papers whose inputs are public ({})", several.len(), several.join(", ")),
        };
        let mut words = format!(
            "On {papers}, {consistent} of {} of methods as defined are consistent with a repeat.",
            count(judged, "printed number")
        );
        let apart = listed(&self.apart);
        if !apart.is_empty() {
            words += &format!(" Counted apart: {apart}.");
            self.why.iter().for_each(|why| words += &format!(" {why}"));
        }
        words
    }

    /// Every method as it is defined: "lwea 58 of 60, lwgp 59 of 60".
    pub(crate) fn by_method(&self) -> String {
        listed(&self.methods)
    }
}

fn listed(fits: &BTreeMap<String, ControlFit>) -> String {
    let judged = fits.iter().filter(|(_, fit)| fit.judged > 0);
    let words = judged.map(|(method, fit)| format!("{method} {} of {}", fit.consistent, fit.judged));
    words.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::sample::scorecard;
    use super::*;
    use crate::claim::{Evidence, Judgement, NotRun};
    use crate::spec::Control;

    fn number(method: &str, verdict: Verdict) -> Evidence {
        let at = vec![("dataset".to_owned(), "iris".to_owned()), ("method".to_owned(), method.to_owned())];
        Evidence::at(format!("iris, {method}"), verdict, String::new()).standing_at(at)
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
            number("hgpa", Verdict::NotReproduced),
            number("sec", Verdict::NotRun(NotRun::NoData)),
        ];
        card
    }

    #[test]
    fn methods_as_defined_are_counted_and_others_apart() {
        let counted = ControlCount::of(&with_control()).unwrap();
        assert_eq!(counted.all(), ControlFit { consistent: 2, judged: 3 });
        assert_eq!(counted.apart["hgpa"], ControlFit { consistent: 0, judged: 1 });
        assert_eq!(
            counted.words(),
            "On one paper whose inputs are public (bce), 2 of 3 printed numbers of methods as defined are consistent with a \
            repeat. Counted apart: hgpa 0 of 1. It is printed weaker than it is."
        );
        assert_eq!(counted.by_method(), "lwea 1 of 2, lwgp 1 of 1");
    }

    #[test]
    fn without_a_control_or_without_judged_numbers_nothing_is_said() {
        assert_eq!(ControlCount::of(&scorecard()), None);
        let mut card = with_control();
        card.papers[0].experiments.clear();
        assert_eq!(ControlCount::of(&card), None);
    }
}

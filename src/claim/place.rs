//! The places a claim looks at.

use std::rc::Rc;

use super::estimate::Estimate;
use super::model::Lack;
use super::pairing::SampleChange;
use super::repeats::{DrawKind, Drawn, Holds, Repeats};
use super::sample::RunSample;
use super::source::{ResultSource, ShownMetric};
use super::{Evidence, Verdict};
use crate::metric::Direction;
use crate::results::{At, combinations, spelled_out};
use crate::spec::claims::Scope;
use crate::spec::{Dimension, Experiment, PointValue};

/// A claim's scope with the results it is judged by.
pub(super) struct Looking<'a> {
    pub(super) source: &'a dyn ResultSource,
    pub(super) scope: &'a Scope,
    /// Repeats of the paper's experiment, one for each size that it may have had.
    pub(super) repeats: &'a [Rc<Repeats>],
}

/// What was found at a place: evidence, and for each size of repeats in which of them it comes out as claimed.
pub(super) struct Found {
    pub(super) evidence: Evidence,
    pub(super) repeats: Vec<Result<Holds, Lack>>,
}

/// One place.
pub(super) struct Spot<'a> {
    looking: &'a Looking<'a>,
    at: At,
    /// As it is shown.
    pub(super) name: String,
}

impl<'a> Looking<'a> {
    fn experiment(&self) -> &'a Experiment {
        self.source.experiment()
    }

    /// Every place that is part of the experiment at this scale, and those of datasets that are not there.
    pub(super) fn spots(&'a self) -> Vec<Spot<'a>> {
        let fixed = self.fixed();
        let combined = self.combinations(&self.scope.over).into_iter();
        let at = combined.map(|at| at.into_iter().chain(fixed.iter().cloned()).collect::<At>());
        let there = at.filter(|at| self.is_absent(at) || self.source.is_planned(at));
        there.map(|at| Spot { looking: self, name: self.name(&at), at }).collect()
    }

    /// Dimensions with one value that `where` fixes, and that have no other part.
    fn fixed(&self) -> At {
        let Scope { over, average, .. } = self.scope;
        let one = self.scope.filter.iter().filter(|(dimension, _)| !over.contains(dimension));
        let one = one.filter(|(dimension, values)| values.len() == 1 && !average.contains(dimension));
        one.map(|(dimension, values)| (*dimension, values[0].clone())).collect()
    }

    /// Combinations that the sweep has; for datasets that are not there, those that the others have.
    fn combinations(&self, dimensions: &[Dimension]) -> Vec<At> {
        let experiment = self.experiment();
        let admitted = |label: &str| {
            let mut on_datasets = self.scope.filter.iter().filter(|(on, _)| *on == Dimension::Dataset);
            on_datasets.all(|(_, values)| values.contains(&PointValue::Text(label.to_owned())))
        };
        let zipped = |values: Vec<PointValue>| dimensions.iter().copied().zip(values).collect::<At>();
        let mut found: Vec<At> =
            combinations(experiment, dimensions, &self.scope.filter).into_iter().map(zipped).collect();
        if let Some(position) = dimensions.iter().position(|dimension| *dimension == Dimension::Dataset) {
            let others: Vec<Dimension> =
                dimensions.iter().copied().filter(|dimension| *dimension != Dimension::Dataset).collect();
            for (label, _) in experiment.absent.iter().filter(|(label, _)| admitted(label)) {
                for mut values in combinations(experiment, &others, &self.scope.filter) {
                    values.insert(position, PointValue::Text(label.clone()));
                    found.push(zipped(values));
                }
            }
        }
        found
    }

    fn is_absent(&self, at: &At) -> bool {
        let is = |value: &PointValue| self.experiment().absent.iter().any(|(label, _)| *label == value.to_string());
        at.iter().any(|(dimension, value)| *dimension == Dimension::Dataset && is(value))
    }

    fn name(&self, at: &At) -> String {
        let names: Vec<String> =
            at.iter().map(|(dimension, value)| spelled_out(self.experiment(), *dimension, value)).collect();
        names.join(", ")
    }

    /// A value of what is compared, in words.
    pub(super) fn spell(&self, value: &PointValue) -> String {
        spelled_out(self.experiment(), self.scope.compare, value)
    }

    /// +1 where larger numbers are better, −1 where smaller ones are.
    pub(super) fn sign(&self) -> f64 {
        if self.scope.better == Direction::LowerIsBetter { -1.0 } else { 1.0 }
    }
}

impl<'a> Spot<'a> {
    pub(super) fn looking(&self) -> &'a Looking<'a> {
        self.looking
    }

    /// This place with a value of what is compared.
    pub(super) fn with(&self, subject: &PointValue) -> At {
        self.at.iter().cloned().chain([(self.looking.scope.compare, subject.clone())]).collect()
    }

    fn wanted(&self) -> ShownMetric<'a> {
        ShownMetric { metric: &self.looking.scope.metric, show: self.looking.scope.show }
    }

    /// Where the places that are averaged over stand.
    fn averaged(&self, at: &[(Dimension, PointValue)]) -> Vec<At> {
        let combinations = self.looking.combinations(&self.looking.scope.average).into_iter();
        let places = combinations.map(|more| at.iter().cloned().chain(more).collect::<At>());
        places.filter(|at| self.looking.is_absent(at) || self.looking.source.is_planned(at)).collect()
    }

    /// The runs of one; only where nothing is averaged over.
    pub(super) fn sample(&self, at: &[(Dimension, PointValue)]) -> Result<Rc<RunSample>, Lack> {
        self.looking.source.sample(at, self.wanted())
    }

    /// What is claimed of, for one.
    pub(super) fn estimate(&self, at: &[(Dimension, PointValue)]) -> Result<Estimate, Lack> {
        let statistic = self.looking.scope.statistic;
        self.mean_of(at, |at| Ok(self.sample(at)?.estimate(statistic)))
    }

    /// What is claimed of, for one less another. Both differ from the place in `one` and `other` only.
    pub(super) fn difference(
        &self,
        one: &[(Dimension, PointValue)],
        other: &[(Dimension, PointValue)],
    ) -> Result<Estimate, Lack> {
        let statistic = self.looking.scope.statistic;
        self.mean_of(&[], |more| {
            let [one, other] = [one, other].map(|at| at.iter().chain(more).cloned().collect::<At>());
            let (one, other) = (self.sample(&one)?, self.sample(&other)?);
            Ok(one.minus(&other, statistic)?)
        })
    }

    /// By how much the change between two is larger than that between two others: minuend and subtrahend of each.
    pub(super) fn excess(&self, mine: [&At; 2], theirs: [&At; 2]) -> Result<Estimate, Lack> {
        let statistic = self.looking.scope.statistic;
        self.mean_of(&[], |more| {
            let sample = |at: &At| self.sample(&at.iter().chain(more).cloned().collect::<At>());
            let [mine, theirs] = [mine, theirs].map(|both| both.map(sample));
            let ([a, b], [c, d]) = (mine, theirs);
            let (a, b, c, d) = (a?, b?, c?, d?);
            let mine = SampleChange { minuend: &a, subtrahend: &b };
            Ok(mine.excess_over(&SampleChange { minuend: &c, subtrahend: &d }, statistic)?)
        })
    }

    fn mean_of(
        &self,
        at: &[(Dimension, PointValue)],
        of: impl Fn(&[(Dimension, PointValue)]) -> Result<Estimate, Lack>,
    ) -> Result<Estimate, Lack> {
        if self.looking.scope.average.is_empty() {
            return of(at);
        }
        let each: Result<Vec<Estimate>, Lack> = self.averaged(at).iter().map(|at| of(at)).collect();
        Ok(Estimate::average(&each?).ok_or_else(|| "there is nothing to average over".to_owned())?)
    }

    /// The values of a swept key here, in ascending order.
    pub(super) fn along(&self, key: Dimension) -> Vec<f64> {
        let numbers = self.looking.combinations(&[key]).into_iter().filter_map(|at| at.first()?.1.number());
        let here = |number: &f64| {
            let at: At = self.at.iter().cloned().chain([(key, PointValue::Number(*number))]).collect();
            self.looking.source.is_planned(&at)
        };
        let mut numbers: Vec<f64> = numbers.filter(here).collect();
        numbers.sort_by(f64::total_cmp);
        numbers
    }

    /// "iris, v-bce": this place and who is looked at.
    pub(super) fn named(&self, who: &str) -> String {
        if self.name.is_empty() { who.to_owned() } else { format!("{}, {who}", self.name) }
    }

    /// Evidence from a number, and what repeats find; or evidence for its absence.
    pub(super) fn found(
        &self,
        who: &str,
        measured: Result<Measurement, Lack>,
        repeated: impl Fn(&Repeats) -> Result<Holds, Lack>,
    ) -> Found {
        match measured {
            Ok(measured) => self.repeated(self.evidence(who, measured), repeated),
            Err(lack) => self.lacking(who, &lack),
        }
    }

    fn evidence(&self, who: &str, Measurement { estimate, verdict, reason }: Measurement) -> Evidence {
        Evidence {
            ours: Some(estimate.value),
            interval: estimate.shown_interval(),
            n: estimate.n,
            ..Evidence::at(self.named(who), verdict, reason)
        }
    }

    /// Evidence with what repeats find.
    pub(super) fn repeated(&self, evidence: Evidence, repeated: impl Fn(&Repeats) -> Result<Holds, Lack>) -> Found {
        let repeats: Vec<Result<Holds, Lack>> = self.looking.repeats.iter().map(|repeats| repeated(repeats)).collect();
        Found { evidence, repeats }.with_share()
    }

    /// Evidence that there is none.
    pub(super) fn lacking(&self, who: &str, lack: &Lack) -> Found {
        let repeats = self.looking.repeats.iter().map(|_| Err(lack.clone())).collect();
        Found { evidence: missing(self.named(who), lack), repeats }
    }

    /// What is claimed of, for one, in every repeat.
    pub(super) fn drawn(&self, repeats: &Repeats, at: &[(Dimension, PointValue)]) -> Result<Drawn, Lack> {
        let statistic = self.looking.scope.statistic;
        let one = |at: &[(Dimension, PointValue)]| {
            let name = format!("{statistic:?} {:?} {at:?}", self.wanted());
            repeats.remembered(name, || {
                let sample = self.sample(at)?;
                sample.can_stand_for(repeats.behind)?;
                Ok(repeats.statistic(&sample, statistic, DrawKind::Paper))
            })
        };
        if self.looking.scope.average.is_empty() {
            return one(at);
        }
        let each: Vec<Drawn> = self.averaged(at).iter().map(|at| one(at)).collect::<Result<_, Lack>>()?;
        let number = each.len() as f64;
        let first = each.first().ok_or_else(|| "there is nothing to average over".to_owned())?;
        Ok((0..first.len()).map(|repeat| each.iter().map(|drawn| drawn[repeat]).sum::<f64>() / number).collect())
    }
}

impl Found {
    /// Says of the evidence in which share of repeats it agrees.
    pub(super) fn with_share(mut self) -> Self {
        self.evidence.agrees = self.repeats.first().and_then(|first| first.as_ref().ok()).map(Holds::share);
        self
    }
}

/// What was found at a place.
pub(super) struct Measurement {
    pub(super) estimate: Estimate,
    pub(super) verdict: Verdict,
    pub(super) reason: String,
}

/// Evidence that there is none.
pub(super) fn missing(place: String, lack: &Lack) -> Evidence {
    Evidence::at(place, lack.verdict, lack.words.clone())
}

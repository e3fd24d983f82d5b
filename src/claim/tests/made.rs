//! Results by rule.

use std::rc::Rc;

use crate::claim::model::Lack;
use crate::claim::sample::RunSample;
use crate::claim::source::{Ends, Gallery, ResultSource, ShownMetric};
use crate::spec::{Dimension, Experiment, PointValue};
use crate::store::Pictures;

/// The values on three ensembles, of a method at a point.
pub(super) type Values = fn(&str, f64) -> [f64; 3];

/// Results by rule, the same on every dataset. Ensembles are shared by methods.
pub(super) struct MadeResults {
    experiment: Experiment,
    values: Values,
    bases: Bases,
    pictures: Pictures,
}

/// What ensembles are made of along a sweep.
#[derive(Clone, Copy)]
pub(super) enum Bases {
    /// Of other base clusterings at every point.
    New,
    /// Of the same ones, with other labels missing.
    Masked,
}

impl MadeResults {
    pub(super) fn new(experiment: Experiment, values: Values) -> Self {
        Self { experiment, values, bases: Bases::New, pictures: Pictures::new() }
    }

    /// On ensembles of these.
    pub(super) fn on(self, bases: Bases) -> Self {
        Self { bases, ..self }
    }

    fn place(at: &[(Dimension, PointValue)]) -> (String, f64) {
        let mut place = ("mm".to_owned(), 0.0);
        for (dimension, value) in at {
            match (dimension, value) {
                (Dimension::Method, method) => place.0 = method.to_string(),
                (Dimension::Sweep(_), PointValue::Number(x)) => place.1 = *x,
                _ => {}
            }
        }
        place
    }
}

impl ResultSource for MadeResults {
    fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    fn is_planned(&self, _: &[(Dimension, PointValue)]) -> bool {
        true
    }

    fn sample(&self, at: &[(Dimension, PointValue)], wanted: ShownMetric) -> Result<Rc<RunSample>, Lack> {
        let (method, x) = Self::place(at);
        let values = (self.values)(&method, x);
        let named = || (0..3).map(|ensemble| format!("missing {x}, ensemble {ensemble}"));
        let shown = values.map(|value| wanted.show.apply(value));
        let runs = named().zip(shown).map(|(name, value)| (name, vec![value])).collect();
        let base = |ensemble: usize| match self.bases {
            Bases::New => format!("{ensemble} at {x}"),
            Bases::Masked => format!("{ensemble}"),
        };
        let unmasked = named().zip((0..3).map(base)).collect();
        Ok(Rc::new(RunSample { runs, selected: named().zip(shown).collect(), unmasked, ..RunSample::default() }))
    }

    fn ends(&self, at: &[(Dimension, PointValue)]) -> Ends {
        let (method, x) = Self::place(at);
        let failed = (self.values)(&method, x).iter().filter(|value| value.is_nan()).count();
        Ends { planned: 3, done: 3 - failed, failed, reason: None, void: None }
    }

    fn gallery(&self) -> Gallery<'_> {
        Gallery { planned: &[], stored: &self.pictures }
    }
}

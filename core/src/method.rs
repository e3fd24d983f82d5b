//! One method, ready to run.

use crate::answer::{Answer, Anything, Asked, Permits};
use crate::consensus::{self, Clusters, Halt, MethodInfo, Missing, Runs, Watch};
use crate::ensemble::Ensemble;
use crate::params::{Params, Raw};
use crate::suggest::did_you_mean;

/// A method with its parameters, the number of clusters and the seed.
///
/// ```
/// use conclave_core::{Ensemble, Method};
///
/// let rows = [["a", "1", "x"], ["a", "1", "x"], ["b", "2", "y"], ["b", "1", "y"], ["b", "2", "y"]];
/// let ensemble = Ensemble::from_rows(rows)?;
/// let method = Method::find("mm")?.clusters(2).seed(7).set("restarts", 25)?;
/// let answer = method.combine(&ensemble)?;
/// assert_eq!(answer.partition().labels(), [0, 0, 1, 1, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Method {
    info: &'static MethodInfo,
    params: Params,
    clusters: Option<usize>,
    seed: u64,
}

/// Why a method cannot be found, or has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MethodError {
    /// There is no such method.
    #[error("no method is named `{name}`{hint}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What was meant, or what there is.
        hint: String,
    },
    /// The method has no such parameter.
    #[error("{method} has no parameter `{name}`{hint}")]
    UnknownParameter {
        /// The method.
        method: &'static str,
        /// What was asked for.
        name: String,
        /// What was meant, or what there is.
        hint: String,
    },
    /// A parameter does not take this value.
    #[error("{method}: `{name}` is {found}; expected {expected}")]
    Value {
        /// The method.
        method: &'static str,
        /// The parameter.
        name: &'static str,
        /// The value.
        found: String,
        /// What it takes.
        expected: String,
    },
    /// Labels are missing, and the method needs them all.
    #[error("{method} needs every label, and {missing} are missing")]
    MissingLabels {
        /// The method.
        method: &'static str,
        /// How many are missing.
        missing: usize,
    },
    /// There are fewer objects than clusters.
    #[error("{clusters} clusters of {objects} objects: there cannot be more clusters than objects, or none")]
    Clusters {
        /// How many clusters were asked for.
        clusters: usize,
        /// How many objects there are.
        objects: usize,
    },
    /// A number of clusters was given to a method that finds it itself.
    #[error("{method} finds the number of clusters itself")]
    FindsClusters {
        /// The method.
        method: &'static str,
    },
    /// The method stopped without an answer.
    #[error("{method}: {halt}")]
    Halted {
        /// The method.
        method: &'static str,
        /// Why it stopped.
        #[source]
        halt: Halt,
    },
}

impl Method {
    /// The method of that name, with its default parameters; the chapters of [`consensus`] have them all.
    ///
    /// # Errors
    /// When there is none.
    pub fn find(name: &str) -> Result<Self, MethodError> {
        let found = Self::all().find(|method| method.info.name == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = Self::all().map(|method| method.info.name).collect();
            MethodError::Unknown { name: name.to_owned(), hint: hint(name, &names) }
        })
    }

    /// Every method, by name, with its default parameters.
    pub fn all() -> impl Iterator<Item = Self> {
        // What returns one base clustering after the other is a yardstick for experiments, not a consensus.
        let methods = consensus::all().iter().filter(|info| info.runs != Runs::Columns);
        methods.map(|info| Self::of(info))
    }

    /// A method of the registry, with its default parameters.
    #[must_use]
    pub fn of(info: &'static MethodInfo) -> Self {
        Self { info, params: Params::defaults(info.parameters), clusters: None, seed: 1 }
    }

    /// What the method declares: its title, its reference, its parameters, what it accepts.
    #[must_use]
    pub fn info(&self) -> &'static MethodInfo {
        self.info
    }

    /// Into so many clusters. Without it the number is found, by the method's own rule or by the lowest BIC of `mm`.
    #[must_use]
    pub fn clusters(self, clusters: usize) -> Self {
        Self { clusters: Some(clusters), ..self }
    }

    /// Seeds every random number: the same seed gives the same answer on every machine. 1 unless told.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Sets a parameter of the method.
    ///
    /// # Errors
    /// When the method has no such parameter, or the parameter does not take the value.
    pub fn set(mut self, name: &str, value: impl Into<Raw>) -> Result<Self, MethodError> {
        let Self { info, .. } = self;
        let Some(parameter) = info.parameters.iter().find(|parameter| parameter.name == name) else {
            let names: Vec<&str> = info.parameters.iter().map(|parameter| parameter.name).collect();
            return Err(MethodError::UnknownParameter {
                method: info.name,
                name: name.to_owned(),
                hint: hint(name, &names),
            });
        };
        let value = value.into();
        let checked = parameter.check(&value).map_err(|error| MethodError::Value {
            method: info.name,
            name: parameter.name,
            found: value.to_string(),
            expected: error.to_string(),
        })?;
        self.params.set(parameter, checked);
        Ok(self)
    }

    /// As if every parameter had been set one by one; for those that were checked elsewhere.
    #[must_use]
    pub fn with_params(self, params: Params) -> Self {
        Self { params, ..self }
    }

    /// Combines the base clusterings into one.
    ///
    /// # Errors
    /// When the method cannot take these labels, or stops without an answer.
    pub fn combine<'e>(&self, ensemble: &'e Ensemble) -> Result<Answer<'e>, MethodError> {
        self.combine_within(ensemble, &Watch::default(), &Anything)
    }

    /// As [`Method::combine`], until `watch` says stop, and only if `permits` allows it.
    ///
    /// # Errors
    /// As [`Method::combine`].
    pub fn combine_within<'e>(
        &self,
        ensemble: &'e Ensemble,
        watch: &Watch,
        permits: &dyn Permits,
    ) -> Result<Answer<'e>, MethodError> {
        self.check(ensemble)?;
        let Self { info: method, ref params, clusters, seed } = *self;
        let asked = Asked { ensemble, method, params, clusters, seed, watch, limit: None, permits };
        let answer = asked.count().and_then(|count| asked.answer(count));
        answer.map_err(|halt| MethodError::Halted { method: method.name, halt })
    }

    fn check(&self, ensemble: &Ensemble) -> Result<(), MethodError> {
        let (method, objects, missing) = (self.info.name, ensemble.objects(), ensemble.missing());
        if missing > 0 && self.info.accepts.missing == Missing::Refused {
            return Err(MethodError::MissingLabels { method, missing });
        }
        match self.clusters {
            Some(_) if self.info.accepts.clusters == Clusters::Found => Err(MethodError::FindsClusters { method }),
            Some(clusters) if !(1..=objects).contains(&clusters) => Err(MethodError::Clusters { clusters, objects }),
            _ => Ok(()),
        }
    }
}

fn hint(name: &str, known: &[&str]) -> String {
    did_you_mean(name, known).unwrap_or_else(|| match known {
        [] => "; it has none".to_owned(),
        known => format!("; there are {}", known.join(", ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ensemble() -> Ensemble {
        let rows =
            [["a", "1", "x"], ["a", "1", "x"], ["a", "1", ""], ["b", "2", "y"], ["b", "2", "x"], ["b", "2", "y"]];
        Ensemble::from_rows(rows).unwrap()
    }

    #[test]
    fn every_method_that_takes_the_labels_has_an_answer_without_being_told_anything() {
        let ensemble = ensemble();
        for method in Method::all().filter(|method| method.info().accepts.missing == Missing::Accepted) {
            let answer = method.combine(&ensemble).unwrap();
            assert_eq!(answer.partition().labels().len(), 6, "{method:?}");
            let confidence = answer.confidence();
            assert!((0..6).all(|object| (0.0..=1.0 + 1e-12).contains(&confidence.object(object))), "{method:?}");
        }
    }

    #[test]
    fn the_seed_and_nothing_else_decides() {
        let ensemble = ensemble();
        let method = Method::find("mm").unwrap().clusters(2).set("restarts", 1).unwrap().set("iterations", 1).unwrap();
        let method = method.set("start", "uniform").unwrap();
        let value = |seed: u64| method.clone().seed(seed).combine(&ensemble).unwrap().objective().unwrap().value;
        assert_eq!(value(7).to_bits(), value(7).to_bits());
        assert_ne!(value(7).to_bits(), value(8).to_bits());
    }

    #[test]
    fn what_cannot_be_is_refused_in_words() {
        let words = |error: MethodError| error.to_string();
        assert_eq!(words(Method::find("v-bec").unwrap_err()), "no method is named `v-bec`; did you mean `v-bce`?");
        let mm = || Method::find("mm").unwrap();
        assert_eq!(
            words(mm().set("restart", 3).unwrap_err()),
            "mm has no parameter `restart`; did you mean `restarts`?"
        );
        let refused = words(mm().set("restarts", 0).unwrap_err());
        assert_eq!(refused, "mm: `restarts` is 0; expected a whole number from 1 to 1000000");
        assert!(words(mm().set("restarts", "many").unwrap_err()).contains("`restarts` is many"));
        let ensemble = ensemble();
        assert!(words(mm().clusters(7).combine(&ensemble).unwrap_err()).starts_with("7 clusters of 6 objects"));
        assert!(words(mm().clusters(0).combine(&ensemble).unwrap_err()).starts_with("0 clusters of 6 objects"));
        let gibbs = Method::find("nbce-gibbs").unwrap().clusters(2);
        assert_eq!(words(gibbs.combine(&ensemble).unwrap_err()), "nbce-gibbs finds the number of clusters itself");
        let refusing = Method::all().find(|method| method.info().accepts.missing == Missing::Refused).unwrap();
        assert!(words(refusing.combine(&ensemble).unwrap_err()).contains("needs every label, and 1 are missing"));
    }

    #[test]
    fn a_watch_stops_it() {
        let watch = Watch::new(Some(std::time::Duration::ZERO), std::sync::Arc::default());
        let error = Method::find("mm").unwrap().clusters(2).combine_within(&ensemble(), &watch, &Anything).unwrap_err();
        assert_eq!(error, MethodError::Halted { method: "mm", halt: Halt::TimedOut });
    }
}

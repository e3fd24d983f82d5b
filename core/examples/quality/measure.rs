//! What one method makes of one planted ensemble, and of all of a half.

use conclave_core::consensus::{Clusters, Missing, Parties};
use conclave_core::metric::{Contingency, Direction, ari};
use conclave_core::params::Raw;
use conclave_core::{Method, MethodError};

use crate::planted::{Made, Planted};

/// So many starts are held against the default.
pub const MANY_STARTS: i64 = 50;

/// A parameter and its value, as on the command line.
pub type Setting = (String, Raw);

/// Every method that has all labels in one place.
pub fn methods() -> impl Iterator<Item = Method> {
    Method::all().filter(|method| method.info().accepts.parties == Parties::None)
}

/// Whether the method can be run on that ensemble.
pub fn takes(method: &Method, planted: &Planted) -> bool {
    planted.missing == 0.0 || method.info().accepts.missing == Missing::Accepted
}

/// A method with some of its parameters set.
///
/// # Errors
/// When it has no such parameter, or the parameter does not take the value.
pub fn with_settings(method: Method, settings: &[Setting]) -> Result<Method, MethodError> {
    settings.iter().try_fold(method, |method, (name, value)| method.set(name, value.clone()))
}

/// What came of one run.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    pub ari: f64,
    pub clusters: usize,
    pub planted: usize,
    /// By how much the best of the references is better, in the unit of the objective; never negative. `None` without
    /// references.
    pub gap: Option<f64>,
    pub objective: Option<f64>,
    pub converged: bool,
    pub seconds: f64,
}

/// Runs a method, and the references that it is held against.
///
/// # Errors
/// When a run has no answer.
pub fn measure(method: &Method, references: &[Method], made: &Made) -> Result<Measured, MethodError> {
    let planted = made.truth.clusters();
    let told = |method: &Method| match method.info().accepts.clusters {
        Clusters::Given => method.clone().clusters(planted),
        Clusters::Found => method.clone(),
    };
    let answer = told(method).combine(&made.ensemble)?;
    let objective = answer.objective().map(|objective| objective.value);
    let lead = |best: f64, own: f64| match method.info().optimises {
        Direction::LowerIsBetter => own - best,
        Direction::HigherIsBetter | Direction::Neither => best - own,
    };
    let mut gap: Option<f64> = None;
    for reference in references {
        let answer = told(reference).combine(&made.ensemble)?;
        let leads = answer.objective().zip(objective).map(|(best, own)| lead(best.value, own));
        gap = leads.map(|leads| leads.max(gap.unwrap_or(0.0))).or(gap);
    }
    Ok(Measured {
        ari: ari(&Contingency::new(answer.partition(), &made.truth)),
        clusters: answer.partition().clusters(),
        planted,
        gap,
        objective,
        converged: answer.converged(),
        seconds: answer.seconds,
    })
}

/// The method with many starts, where it has a number of starts, and with `settings`; nothing where that is the method itself.
///
/// # Errors
/// When it does not take one of the settings.
pub fn many_starts(method: &Method, settings: &[Setting]) -> Result<Vec<Method>, MethodError> {
    let several = method.info().parameters.iter().any(|parameter| parameter.name == "restarts");
    if !several && settings.is_empty() {
        return Ok(Vec::new());
    }
    let many = if several { method.clone().set("restarts", MANY_STARTS)? } else { method.clone() };
    Ok(vec![with_settings(many, settings)?])
}

//! NBCE — Wang, Domeniconi & Laskey, *Nonparametric Bayesian clustering ensembles* (ECML PKDD 2010): a
//! Dirichlet-process mixture that finds the number of clusters.
//!
//! Object n is in cluster z_n ~ discrete(π); its label in base clustering m is drawn from θ_km, k = z_n, with
//! θ_km ~ Dirichlet(β, …, β) of dimension J_m. π is a Dirichlet process with concentration α0, truncated at K clusters
//! by stick breaking (TSB) or as a symmetric Dirichlet (FSD). With π and θ integrated out (Eq. 4):
//!
//! p(Y, Z | α0, β) = p(Z | α0) Π_m Π_k Γ(J_m β) / Γ(J_m β + N^{km}) Π_j Γ(β + N^{km}_j) / Γ(β),
//!
//! N^{km}_j being the objects of cluster k with label j in base clustering m, N^{km} their sum over j (the paper writes
//! N_k, the same where no label is missing).
//!
//! | file | |
//! |---|---|
//! | `prior` | p(Z \| α0) and its conditionals, TSB and FSD |
//! | `gibbs`, `chain`, `counts`, `slice` | `nbce-gibbs`: collapsed Gibbs sampling, §5.1 |
//! | `variational`, `responsibilities`, `merging`, `newton` | `nbce-vb`, `nbce-cvb`: variational inference, §5.2–5.3 |
//! | `predictive` | the probability of new objects' labels, for all three |

mod chain;
mod counts;
pub mod gibbs;
mod merging;
mod newton;
mod predictive;
mod prior;
mod responsibilities;
mod slice;
pub mod variational;

pub(super) use gibbs::INFO as GIBBS;
pub(super) use variational::{CVB, VB};

use self::prior::{Prior, PriorForm};
use super::Shape;
use crate::params::{DefaultValue, Kind, Parameter, Params};

const TRUNCATION: Parameter = Parameter {
    name: "truncation",
    kind: Kind::Integer { min: 1, max: 100_000 },
    default: DefaultValue::Integer(100),
    help: "K, the most clusters there can be",
};

const CONCENTRATION: Parameter = Parameter {
    name: "concentration",
    kind: Kind::Choice(&["fixed", "estimated"]),
    default: DefaultValue::Text("fixed"),
    help: "whether alpha0 and beta stay as they are, or are estimated, starting from there",
};

const ALPHA0: Parameter = Parameter {
    name: "alpha0",
    kind: Kind::Real { min: BOUNDS.0, max: BOUNDS.1 },
    default: DefaultValue::Real(1.0),
    help: "concentration of the Dirichlet process; larger: more clusters",
};

const BETA: Parameter = Parameter {
    name: "beta",
    kind: Kind::Real { min: BOUNDS.0, max: BOUNDS.1 },
    default: DefaultValue::Real(0.5),
    help: "Dirichlet parameter of a cluster's labels; small: nearly one label a base clustering",
};

const FORM: Parameter = Parameter {
    name: "prior",
    kind: Kind::Choice(&["tsb", "fsd"]),
    default: DefaultValue::Text("tsb"),
    help: "how the Dirichlet process is cut: truncated stick breaking, or a finite symmetric Dirichlet",
};

/// Where α0 and β must lie, also when they are estimated. Beyond, a model is its limit, and differences of ln Γ lose
/// digits.
const BOUNDS: (f64, f64) = (1e-4, 1e4);

/// Whether α0 and β are estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Concentration {
    Fixed,
    Estimated,
}

/// The model's parameters as they were given.
#[derive(Debug, Clone, Copy)]
struct NbceModel {
    prior: Prior,
    beta: f64,
    concentration: Concentration,
}

impl NbceModel {
    /// About how many clusters are in use at a time: a dozen or two of all that there could be, or as many as a base
    /// clustering has.
    fn found(&self, shape: &Shape) -> f64 {
        (self.prior.truncation as f64).min(shape.widest.max(20.0)).min(shape.objects)
    }

    fn new(params: &Params, form: PriorForm) -> Self {
        let concentration = match params.choice(CONCENTRATION.name) {
            "fixed" => Concentration::Fixed,
            _ => Concentration::Estimated,
        };
        let prior = Prior { form, truncation: params.integer(TRUNCATION.name), alpha0: params.real(ALPHA0.name) };
        Self { prior, beta: params.real(BETA.name), concentration }
    }
}

/// The declared form of the prior.
fn form(params: &Params) -> PriorForm {
    match params.choice(FORM.name) {
        "tsb" => PriorForm::Tsb,
        _ => PriorForm::Fsd,
    }
}

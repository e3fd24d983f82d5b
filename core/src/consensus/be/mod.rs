//! BE, pairwise probabilistic clustering by the Baum–Eagon inequality — Rota Bulò, Lourenço, Fred & Pelillo, *Pairwise
//! probabilistic clustering using evidence accumulation* (S+SSPR 2010); the rival of Lourenço et al. 2013, §5.
//!
//! Memberships y_i on the simplex whose products are the co-association S_ij = C_ij / N_ij: least
//! E(Y) = Σ_{i≠j} (S_ij − y_i·y_j)² over ordered pairs, by (METHODS §7)
//!
//! y_ki ← y_ki \[Σ_{j≠i} y_kj (S_ij − y_i·y_j) + n_i\], columns divided by their sum.
//!
//! n_i = n − 1 where all pairs were observed. A pair that no base clustering labels both of says nothing, rather than that
//! its objects are unlike: it is left out of all sums, and n_i counts the objects that i was observed with. An object
//! without any label stays where it starts.
//!
//! E never rises: on the simplices −(S − y_i·y_j)² equals 2 S y_i·y_j + (Σ_k y_ki)² (Σ_k y_kj)² − (y_i·y_j)² up to a
//! constant; that is a polynomial without a negative coefficient, summed over whatever pairs, and the step above is its
//! growth transformation, which never lowers it (Baum & Eagon 1967).
//!
//! # Longer steps
//!
//! n_i outweighs the sum it is added to, so that steps are short and thousands are needed. By default a step is therefore
//! lengthened: y_ki is multiplied by the factor in brackets to the power of η ≥ 1. η grows while E falls; when a step would
//! raise E it is taken back, the plain step made instead, and η starts again from 1. So E never rises, and since a power
//! leaves y_i as it is exactly when the factors on its support are equal, the fixed points are those of the plain iteration
//! (Salakhutdinov & Roweis, *Adaptive overrelaxed bound optimization methods*, ICML 2003). METHODS §7 has the plain steps
//! only; `step = "plain"` makes these.
//!
//! # To the end
//!
//! Multiplicative steps creep at the end, and a rule on how much E falls ends them too early: a plain step after one that was
//! taken back hardly lowers E, wherever it is. So where E falls by less than `tolerance`, projected gradient and Newton
//! steps take over until Y is stationary (`newton`). Plain steps end as published.
//!
//! # Cost
//!
//! The products y_i·y_j need no n × n matrix: Σ_j y_j (y_i·y_j) = (Y Yᵀ) y_i, K × K. S depends on distinct rows alone, so
//! the other sum runs over U rows, with the sum of y over each row's objects. An iteration is O(U² K + n K²), O(U M K + n K²)
//! where no label is missing, after O(U M²) for Σ S², and O(K) more for every pair that was never observed. E comes out of the same sums.
//!
//! Objects with equal labels may take different y, so memberships belong to objects. Starts are uniform on the simplex;
//! of `restarts` the one with the least E is kept. With `restarts = 1`, repeated runs are those of Tables 2–3 of
//! Lourenço et al. 2013: their mean, deviation and range, and "selected" by the objective.

mod complete;
mod factors;
mod newton;

use self::factors::Factors;
use self::newton::Newton;
use super::limits::{self, Limits, restarts_of};
use super::pairs::Places;
use super::{AllPairs, Answers, Consensus, Direction, Halt, MethodInfo, Objective, Shape, Solution, Task, Watch};
use crate::params::{DefaultValue, Kind, Parameter, Params};
use crate::threads::Starts;

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "be",
    title: "Baum-Eagon factorisation",
    reference: "Rota Bulò, Lourenço, Fred & Pelillo 2010; Lourenço et al. 2013, §5",
    version: 4,
    answers: Answers::Memberships,
    pairs: AllPairs::Objects,
    objective: OBJECTIVE,
    optimises: Direction::LowerIsBetter,
    parameters: &[
        limits::restarts(5, "random starts, of which the one with the least squared error is kept"),
        limits::iterations(5000, "at most this many iterations per start"),
        limits::tolerance(1e-5, "Baum-Eagon steps end when the squared error falls by less than this share of itself"),
        STEP,
    ],
    maker: |params| Box::new(BaumEagon::new(params)),
    ..MethodInfo::PLAIN
};

const OBJECTIVE: &str = "off-diagonal squared error";

const STEP: Parameter = Parameter {
    name: "step",
    kind: Kind::Choice(&["overrelaxed", "plain"]),
    default: DefaultValue::Text("overrelaxed"),
    help: "steps that lengthen while the squared error falls, or as published",
};

/// Mean squared error of a pair below which a fit is perfect: an error on its way to 0 always falls by a share of itself.
const PERFECT: f64 = 1e-10;

/// η grows by this factor after a step that lowered E.
const GROWTH: f64 = 1.5;

struct BaumEagon {
    restarts: usize,
    limits: Limits,
    step: Step,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Overrelaxed,
    Plain,
}

impl BaumEagon {
    fn new(params: &Params) -> Self {
        let step = match params.choice(STEP.name) {
            "plain" => Step::Plain,
            _ => Step::Overrelaxed,
        };
        Self { restarts: restarts_of(params), limits: Limits::of(params), step }
    }

    /// Iterates from a random Y. Plain steps end as published; longer ones are followed by Newton's, to a stationary Y.
    fn fit(&self, factors: &mut Factors, watch: &Watch) -> Result<BeFit, Halt> {
        let mut descent = Descent::new(factors, self.step, watch)?;
        let (mut iterations, mut converged) = (0, false);
        while iterations < self.limits.iterations && !converged {
            let before = descent.error;
            descent.advance(watch)?;
            iterations += 1;
            converged = before - descent.error <= self.limits.tolerance * before || descent.is_perfect();
        }
        let fit = BeFit { error: descent.error, iterations, converged };
        if self.step == Step::Plain || !fit.converged || descent.is_perfect() {
            return Ok(fit);
        }
        self.settle(fit, factors, watch)
    }

    /// From where the steps of the descent are short to a stationary Y.
    fn settle(&self, fit: BeFit, factors: &mut Factors, watch: &Watch) -> Result<BeFit, Halt> {
        let mut newton = Newton::new(factors, fit.error, watch);
        let mut iterations = fit.iterations;
        let mut converged = newton.is_stationary();
        while iterations < self.limits.iterations && !converged {
            // Where no step gets anywhere, the digits of E and of its gradient are used up.
            converged = !newton.advance()? || newton.is_stationary();
            iterations += 1;
        }
        Ok(BeFit { error: newton.error, iterations, converged })
    }
}

impl Consensus for BaumEagon {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let clusters = task.given_clusters()?;
        let places = Places::of(task.ensemble);
        let (fit, y, factors) = task.watch.threads().best_start(Starts {
            count: self.restarts,
            bytes: self.bytes(&Shape::of(task.ensemble, Some(clusters))),
            state: || Factors::new(task.ensemble, &places, clusters, &task.watch),
            run: |factors: &mut Factors, restart| {
                factors.randomise(&mut task.rng(&format!("restart {restart}")));
                self.fit(factors, &task.watch)
            },
            merit: |fit: &BeFit| -fit.error,
            keep: |factors: &mut Factors| factors.memberships(),
        })?;
        drop(factors);
        let (partition, memberships) = places.answer(task, &y);
        Ok(Solution {
            objective: Some(Objective { name: OBJECTIVE, value: fit.error }),
            iterations: fit.iterations,
            converged: fit.converged,
            memberships: Some(memberships),
            ..Solution::of(partition)
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        let iterations = match self.step {
            Step::Plain => 3000.0,
            Step::Overrelaxed => 200.0,
        };
        let iterations = iterations * self.restarts as f64;
        let Shape { objects, rows, columns, clusters, .. } = *shape;
        if shape.missing > 0.0 {
            objects * objects * (columns + iterations * clusters)
        } else {
            rows * columns * columns + iterations * objects * (columns + clusters) * clusters
        }
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let Shape { objects, rows, labels, clusters, .. } = *shape;
        let lanes = 32.0 * (clusters / 4.0).ceil();
        let pairs = if shape.missing > 0.0 {
            // Pairs that no base clustering has both of are listed.
            let apart = (1.0 - (1.0 - shape.missing).powi(2)).powf(shape.columns);
            (8.0 + 8.0 * apart) * rows * rows
        } else {
            shape.observed_bytes() + lanes * labels
        };
        pairs
            + shape.compared_bytes()
            // Y, its residuals and what is kept of both, and seven vectors more for Newton's steps.
            + lanes * (11.0 * objects + 2.0 * rows)
            + 80.0 * rows
            + 30.0 * objects
            + 16.0 * objects * clusters
            + shape.own_memberships_bytes(clusters)
    }
}

#[derive(Debug, Clone, Copy)]
struct BeFit {
    /// E(Y).
    error: f64,
    iterations: usize,
    converged: bool,
}

/// The way down from the current Y. E and the residuals are always those of the Y at hand.
struct Descent<'f, 'a> {
    factors: &'f mut Factors<'a>,
    step: Step,
    /// η of the next step.
    exponent: f64,
    /// E(Y).
    error: f64,
}

impl<'f, 'a> Descent<'f, 'a> {
    fn new(factors: &'f mut Factors<'a>, step: Step, watch: &Watch) -> Result<Self, Halt> {
        let error = factors.evaluate(watch)?;
        Ok(Self { factors, step, exponent: 1.0, error })
    }

    /// One step, which does not raise E.
    fn advance(&mut self, watch: &Watch) -> Result<(), Halt> {
        if self.exponent > 1.0 {
            self.factors.keep();
            self.factors.update(self.exponent);
            let error = self.factors.evaluate(watch)?;
            if error < self.error {
                self.error = error;
                self.exponent *= GROWTH;
                return Ok(());
            }
            self.factors.go_back();
            self.exponent = 1.0;
        }
        self.factors.update(1.0);
        self.error = self.factors.evaluate(watch)?;
        if self.step == Step::Overrelaxed {
            self.exponent = GROWTH;
        }
        Ok(())
    }

    fn is_perfect(&self) -> bool {
        self.error <= PERFECT * self.factors.pairs()
    }
}

#[cfg(test)]
mod tests;

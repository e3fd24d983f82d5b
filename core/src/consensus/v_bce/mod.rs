//! Bayesian cluster ensembles by variational inference — Wang, Shan & Banerjee, *Bayesian cluster ensembles*, SDM 2009,
//! §4–5.
//!
//! Every object has a mixed membership θ_i ~ Dirichlet(α) of K consensus clusters; each of its labels first picks a
//! consensus cluster z_ij ~ θ_i, then the label from β_hj. The posterior is approximated by Dirichlet(γ_i) and discrete φ_ij:
//!
//! - E-step (Eq. 5.5–5.6): φ_ijh ∝ exp(Ψ(γ_ih)) β_hj(y_ij); γ_ih = α_h + Σ_j φ_ijh, over the observed labels
//! - M-step (Eq. 5.7–5.8): β_hj(r) ∝ Σ_i φ_ijh \[y_ij = r\] + 1e-6; α by Newton's method
//!
//! The label of an object is its largest γ, its memberships are γ / Σ γ; an object without labels has γ = α. Objects with
//! equal labels have equal γ, so everything runs on distinct rows weighted by multiplicity, exactly. The lower bound of
//! Eq. 5.4 never falls, but for the smoothing: what never falls at all is the bound plus 1e-6 Σ ln β. With very many distinct
//! rows starts are tried on a sample of them and the best goes through all (`screening`).
//!
//! The default preset differs from the authors' in how it searches. β is drawn with components that are less alike
//! (`BetaDraw::Squared`); many starts go a few iterations and the best of them to the end; and the end is where β and γ stand still.
//!
//! `rows` is the E-step, made of `settle` and `blocks`; `beta` and `alpha` are the M-step, `sums` what it needs, `fit` is the loop,
//! `predictive` the fitted model.

pub(crate) mod alpha;
pub(crate) mod beta;
mod blocks;
pub(crate) mod fit;
pub(crate) mod predictive;
pub(crate) mod rows;
mod settle;
pub(crate) mod sums;

use std::ops::ControlFlow;
use std::sync::Arc;

use self::alpha::NewtonSteps;
use self::beta::{BetaDraw, LANE};
use self::fit::{BceFit, BceParameters, Expectation, Inner, Rules, Stop};
use self::predictive::FittedBce;
use self::rows::{BceRows, Gamma};
use self::sums::Sums;
use super::limits::{self, MOST_ITERATIONS, MOST_RESTARTS, restarts_of};
use super::screening::Screening;
use super::task::strongest;
use super::{Answers, Consensus, Halt, MethodInfo, Objective, Predicts, Shape, Solution, Task, Watch};
use crate::ensemble::Ensemble;
use crate::params::{DefaultValue, Kind, Parameter, Params};

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "v-bce",
    title: "Bayesian cluster ensemble (variational)",
    reference: "Wang, Shan & Banerjee, §5, Eq. 5.5-5.8",
    version: 4,
    predicts: Predicts::Labels,
    answers: Answers::Memberships,
    objective: OBJECTIVE,
    parameters: &[PRESET, RESTARTS, ITERATIONS, TOLERANCE],
    maker: |params| Box::new(VBce { settings: Settings::of(params), screening: Screening::USUAL }),
    ..MethodInfo::PLAIN
};

pub(crate) const OBJECTIVE: &str = "lower bound";

pub(crate) const PRESET: Parameter = Parameter {
    name: "preset",
    kind: Kind::Choice(&["default", "paper"]),
    default: DefaultValue::Text("default"),
    help: "how to start and when to stop: when beta and gamma stand still, or by the authors' rules (changes of less than 1 %; with restarts = 1)",
};

const RESTARTS: Parameter = Parameter {
    name: "restarts",
    kind: Kind::Integer { min: 0, max: MOST_RESTARTS },
    default: DefaultValue::Integer(0),
    help: "random starts, of which the one with the highest lower bound is kept; by default, the best three after 60 iterations go on \
           to the end; 0: as the preset says (default 40, paper 10; the paper itself: 1)",
};
const DEFAULT_RESTARTS: usize = 40;
const PAPER_RESTARTS: usize = 10;

/// Between parties, where every start goes on to the end.
pub(crate) const SEVERAL_RESTARTS: Parameter =
    limits::restarts(10, "random starts, of which the one with the highest lower bound is kept (the paper: 1)");

pub(crate) const ITERATIONS: Parameter = Parameter {
    name: "iterations",
    kind: Kind::Integer { min: 0, max: MOST_ITERATIONS },
    default: DefaultValue::Integer(0),
    help: "at most this many EM iterations per start; 0: as the preset says (default 2000, paper 500)",
};

pub(crate) const TOLERANCE: Parameter = Parameter {
    name: "tolerance",
    kind: Kind::Real { min: 0.0, max: 1.0 },
    default: DefaultValue::Real(0.0),
    help: "stop when beta, and gamma in the mean of all objects, have less than this share of change ahead of them (paper: when beta, and \
           each gamma, change by less); 0: as the preset says (default 1e-5, paper 0.01)",
};

/// Inner iterations of an E-step under the default preset. γ goes on from where the last E-step left it, so the bound rises
/// all the same. With many, γ commits itself to the random β of the start: on noisy copies of four clusters (20 %), 37 of
/// 40 starts come within 1 % of the best bound with three, 10 of 40 with a hundred. Where clusters are clean, the few good
/// starts with a hundred can end higher than any with three.
const DEFAULT_INNER: usize = 3;

/// Iterations after which starts are compared under the default preset, where there are more than [`FOLLOWED`].
const SHORT: usize = 60;
/// So many of them, those with the highest bounds, go on to the end.
const FOLLOWED: usize = 3;

/// So often the best start is nudged, at most.
const ROUNDS: usize = 10;
/// A bound that rises by no more than so many nats after a nudge was at its maximum.
const SETTLED: f64 = 1e-3;
/// Iterations after which a start that has not moved is believed to be at rest.
const PATIENCE: usize = 500;

/// Checked parameters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) restarts: usize,
    pub(crate) rules: Rules,
    follow: Follow,
}

/// Which starts go on to the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Follow {
    /// All.
    All,
    /// The best after a few iterations.
    Best,
}

impl Settings {
    /// The preset's rules, refined by what is given besides.
    pub(crate) fn of(params: &Params) -> Self {
        let iterations = |preset: usize| match params.integer(ITERATIONS.name) {
            0 => preset,
            given => given,
        };
        let tolerance = |preset: f64| match params.real(TOLERANCE.name) {
            0.0 => preset,
            given => given,
        };
        let rules = match params.choice(PRESET.name) {
            "paper" => Rules {
                iterations: iterations(500),
                stop: Stop::BetaChange(tolerance(0.01)),
                inner: Inner { iterations: 500, tolerance: tolerance(0.01) },
                steps: NewtonSteps::Positive,
                draw: BetaDraw::Uniform,
            },
            _ => Rules {
                iterations: iterations(2000),
                stop: Stop::Still(tolerance(1e-5)),
                inner: Inner { iterations: DEFAULT_INNER, tolerance: 1e-6 },
                steps: NewtonSteps::Uphill,
                draw: BetaDraw::Squared,
            },
        };
        let (preset_restarts, follow) = match params.choice(PRESET.name) {
            "paper" => (PAPER_RESTARTS, Follow::All),
            _ => (DEFAULT_RESTARTS, Follow::Best),
        };
        let restarts = match restarts_of(params) {
            0 => preset_restarts,
            given => given,
        };
        Self { restarts, rules, follow }
    }

    /// Whether only the best starts go on to the end.
    fn is_screened(&self) -> bool {
        self.follow == Follow::Best && self.restarts > FOLLOWED && self.rules.iterations > SHORT
    }
}

/// The name of the random stream of one start.
pub(crate) fn start_stream(restart: usize) -> String {
    format!("restart {restart}")
}

struct VBce {
    settings: Settings,
    screening: Screening,
}

impl VBce {
    /// The parameters that the best start ends with on a sample.
    fn best_on(&self, sample: &Ensemble, clusters: usize, task: &Task) -> Result<BceParameters, Halt> {
        let task = task.on(sample);
        Ok(SideBySide::new(&task, clusters, &self.settings).best(&task, &self.settings)?.parameters)
    }
}

impl Consensus for VBce {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let clusters = task.given_clusters()?;
        let sample = if self.settings.restarts > 1 { self.screening.sample(task.ensemble) } else { None };
        let best = if let Some(sample) = sample {
            let mut run = Run::new(task, clusters, &self.settings);
            run.parameters = self.best_on(&sample, clusters, task)?;
            run.rows.restart(&run.parameters.alpha);
            let fit = run.go_on(BceFit::NEW, task, &self.settings.rules)?;
            run.kept(fit)
        } else {
            SideBySide::new(task, clusters, &self.settings).best(task, &self.settings)?
        };
        let KeptStart { fit, parameters, memberships, .. } = best;
        let (partition, memberships) = strongest(task.ensemble, &memberships, clusters);
        Ok(Solution {
            objective: Some(Objective { name: OBJECTIVE, value: fit.lower_bound }),
            iterations: fit.iterations,
            converged: fit.converged,
            memberships: Some(memberships),
            predictive: Some(Arc::new(FittedBce::new(parameters, task.id))),
            ..Solution::of(partition)
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        // A start that is followed takes some hundred iterations.
        let starts = self.settings.restarts as f64;
        let passes = if self.settings.is_screened() { 10.0 * starts + 60.0 * FOLLOWED as f64 } else { 60.0 * starts };
        passes * shape.objects * shape.columns * shape.clusters
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        Run::bytes(shape) + shape.memberships_bytes(shape.clusters)
    }
}

/// The best start so far.
struct KeptStart {
    fit: BceFit,
    parameters: BceParameters,
    gamma: Gamma,
    memberships: Vec<f64>,
}

/// How it is tried whether a start has really come to rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nudge {
    /// γ begins anew, undecided, for the same β.
    Restart,
    /// Every row chooses its γ again, for the same β.
    Choose,
    /// β is pushed a little: EM comes back to a maximum and leaves a saddle.
    Push,
    /// Nothing: EM creeps, and a row that is about to change over takes hundreds of iterations.
    Wait,
}

impl Nudge {
    const ALL: [Self; 4] = [Self::Restart, Self::Choose, Self::Push, Self::Wait];
}

/// A start after its first iterations.
struct ShortStart {
    fit: BceFit,
    parameters: BceParameters,
    gamma: Gamma,
}

/// What the runs of borrowed threads may take together.
const MOST_BYTES: f64 = 128e6;

/// What every start of a run uses again.
struct Run {
    parameters: BceParameters,
    sums: Sums,
    rows: BceRows,
}

impl Run {
    /// What a run takes: the rows' memberships, also of the starts that will be followed, and the tables of labels before and
    /// after a step, of the best start and of those.
    fn bytes(shape: &Shape) -> f64 {
        let gamma = 16.0 * shape.rows * (shape.clusters / LANE as f64).ceil();
        let followed = (FOLLOWED + 3) as f64 * (gamma + 8.0 * shape.labels * shape.clusters);
        rows_bytes(shape) + 64.0 * shape.labels * shape.clusters + 8.0 * shape.rows * shape.clusters + followed
    }

    fn new(task: &Task, clusters: usize, settings: &Settings) -> Self {
        let parameters = BceParameters::new(task.ensemble.arity(), clusters);
        let sums = Sums::until(settings.rules.stop, &parameters.beta);
        Self { sums, rows: BceRows::of(task.ensemble, clusters), parameters }
    }

    /// Buffers for the same rows.
    fn another(&self, task: &Task) -> Self {
        let (parameters, sums) = (self.parameters.clone(), self.sums.clone());
        Self { sums, rows: BceRows::of(task.ensemble, parameters.beta.clusters()), parameters }
    }

    /// Begins where a start has ended, but for a nudge; returns the rules by which it goes on.
    fn nudge(
        &mut self,
        nudge: Nudge,
        from: &KeptStart,
        task: &Task,
        rules: &Rules,
        round: usize,
    ) -> Result<Rules, Halt> {
        self.parameters.clone_from(&from.parameters);
        self.rows.resume(&from.gamma);
        match nudge {
            Nudge::Restart => self.rows.restart(&self.parameters.alpha),
            Nudge::Choose => self.rows.choose_again(&self.parameters, &task.watch)?,
            Nudge::Push => self.parameters.beta.push(&mut task.rng(&format!("push {round}"))),
            Nudge::Wait => return Ok(Rules { iterations: PATIENCE, stop: Stop::Never, ..*rules }),
        }
        Ok(*rules)
    }

    fn fit(&mut self, task: &Task, restart: usize, rules: &Rules) -> Result<BceFit, Halt> {
        self.parameters.randomise(rules.draw, &mut task.rng(&start_stream(restart)));
        self.rows.restart(&self.parameters.alpha);
        self.go_on(BceFit::NEW, task, rules)
    }

    /// EM from the parameters and γ as they are.
    fn go_on(&mut self, from: BceFit, task: &Task, rules: &Rules) -> Result<BceFit, Halt> {
        let Self { parameters, sums, rows } = self;
        let mut steps = AllRows { rows, inner: rules.inner, watch: &task.watch };
        fit::go_on(from, parameters, sums, rules, &mut steps)
    }

    /// Where it ended.
    fn kept(&self, fit: BceFit) -> KeptStart {
        let (parameters, gamma) = (self.parameters.clone(), self.rows.snapshot());
        KeptStart { fit, parameters, gamma, memberships: memberships(&self.rows) }
    }
}

/// Runs side by side: as many as there are threads, and as find room.
struct SideBySide {
    all: Vec<Run>,
    most: usize,
}

impl SideBySide {
    fn new(task: &Task, clusters: usize, settings: &Settings) -> Self {
        let bytes = rows_bytes(&Shape::of(task.ensemble, Some(clusters)));
        Self { all: vec![Run::new(task, clusters, settings)], most: (MOST_BYTES / bytes) as usize }
    }

    /// Has `work` done with each number below `count`, every time on a run that nothing is known of, and hands what comes of it to `take`, in
    /// their order, until that breaks off.
    fn side_by_side<T: Send>(
        &mut self,
        task: &Task,
        count: usize,
        work: impl Fn(&mut Run, usize) -> Result<T, Halt> + Sync,
        mut take: impl FnMut(&Run, usize, T) -> ControlFlow<()>,
    ) -> Result<(), Halt> {
        let mut next = 0;
        while next < count {
            let wave = task.watch.threads().at_work().min(self.most.max(1)).min(count - next);
            while self.all.len() < wave {
                self.all.push(self.all[0].another(task));
            }
            let items: Vec<(&mut Run, usize)> = self.all.iter_mut().zip(next..next + wave).collect();
            let done = task.watch.threads().try_map(items, |(run, number)| work(run, number))?;
            for (number, (run, made)) in (next..).zip(self.all.iter().zip(done)) {
                if take(run, number, made).is_break() {
                    return Ok(());
                }
            }
            next += wave;
        }
        Ok(())
    }

    /// The start that ends with the highest bound.
    fn best(&mut self, task: &Task, settings: &Settings) -> Result<KeptStart, Halt> {
        let shorts = if settings.is_screened() { self.short_starts(task, settings)? } else { Vec::new() };
        let followed = if settings.is_screened() { shorts.len() } else { settings.restarts };
        let follow = |run: &mut Run, start: usize| match shorts.get(start) {
            Some(short) => {
                run.parameters.clone_from(&short.parameters);
                run.rows.resume(&short.gamma);
                run.go_on(short.fit, task, &settings.rules)
            }
            None => run.fit(task, start, &settings.rules),
        };
        let mut best: Option<KeptStart> = None;
        self.side_by_side(task, followed, follow, |run, _, fit| {
            if best.as_ref().is_none_or(|kept| fit.lower_bound > kept.fit.lower_bound) {
                best = Some(run.kept(fit));
            }
            ControlFlow::Continue(())
        })?;
        let best = best.expect("at least one start is made");
        match settings.follow {
            Follow::All => Ok(best),
            Follow::Best => self.settled(best, task, settings),
        }
    }

    /// A start that has come to rest, where it really does: whatever [`Nudge`] leads to a higher bound is followed, and all are tried
    /// again from there.
    fn settled(&mut self, mut best: KeptStart, task: &Task, settings: &Settings) -> Result<KeptStart, Halt> {
        for round in 0..ROUNDS {
            if !best.fit.converged {
                return Ok(best);
            }
            let follow = |run: &mut Run, nudge: usize| {
                let rules = run.nudge(Nudge::ALL[nudge], &best, task, &settings.rules, round)?;
                Ok((run.go_on(BceFit::NEW, task, &rules)?, rules))
            };
            let mut higher = None;
            self.side_by_side(task, Nudge::ALL.len(), follow, |run, _, (fit, rules)| {
                let gain = fit.lower_bound - best.fit.lower_bound;
                if gain > SETTLED {
                    let fit = BceFit { iterations: best.fit.iterations + fit.iterations, ..fit };
                    higher = Some(run.kept(BceFit { converged: fit.converged || rules.stop == Stop::Never, ..fit }));
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            })?;
            match higher {
                Some(higher) => best = higher,
                None => return Ok(best),
            }
        }
        // Each round found a higher bound, so the next might.
        best.fit.converged = false;
        Ok(best)
    }

    /// All starts for a few iterations: the ones with the highest bounds, the best first.
    fn short_starts(&mut self, task: &Task, settings: &Settings) -> Result<Vec<ShortStart>, Halt> {
        let rules = Rules { iterations: SHORT, ..settings.rules };
        let mut best: Vec<ShortStart> = Vec::with_capacity(FOLLOWED + 1);
        let start = |run: &mut Run, restart: usize| run.fit(task, restart, &rules);
        self.side_by_side(task, settings.restarts, start, |run, _, fit| {
            let place = best.partition_point(|kept| kept.fit.lower_bound >= fit.lower_bound);
            if place < FOLLOWED {
                let (parameters, gamma) = (run.parameters.clone(), run.rows.snapshot());
                best.insert(place, ShortStart { fit, parameters, gamma });
                best.truncate(FOLLOWED);
            }
            ControlFlow::Continue(())
        })?;
        Ok(best)
    }
}

/// All rows in one place.
struct AllRows<'a> {
    rows: &'a mut BceRows,
    inner: Inner,
    watch: &'a Watch,
}

impl Expectation for AllRows<'_> {
    type Error = Halt;

    fn expect(&mut self, parameters: &BceParameters, sums: &mut Sums) -> Result<(), Halt> {
        self.rows.expect(parameters, self.inner, self.watch, sums)
    }

    fn add_bound(&mut self, parameters: &BceParameters, sums: &mut Sums) {
        sums.bound = self.rows.bound(parameters, self.watch.threads());
    }
}

/// What [`BceRows`] of an ensemble of this shape take.
pub(crate) fn rows_bytes(shape: &Shape) -> f64 {
    shape.observed_bytes() + 8.0 * shape.rows + 32.0 * shape.rows * (shape.clusters / LANE as f64).ceil()
}

/// γ / Σ γ: distinct row × component.
pub(crate) fn memberships(rows: &BceRows) -> Vec<f64> {
    let shares = rows.gamma().flat_map(|gamma| {
        let total: f64 = gamma.iter().sum();
        gamma.iter().map(move |value| value / total)
    });
    shares.collect()
}

#[cfg(test)]
mod tests;

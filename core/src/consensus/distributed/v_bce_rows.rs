//! Row-distributed V-BCE — Wang, Shan & Banerjee, §5.2.1.
//!
//! **Exact**: every party makes its sums Δ (K × ΣJ), Λ (K), Ω, its number of objects and its part of the bound; their
//! totals go around the ring ([`super::ring`]), and every party makes the same M-step of them. The paper passes Λ and Ω once
//! for every Newton step of α; they do not depend on α, so once per iteration is enough. Bytes per iteration:
//! 2 (P − 1) · 8 (K ΣJ + K + 3), and under the default preset one number more, how far γ moved.
//!
//! **Heuristic**: (α, β) goes from party to party, each of which makes an E-step and an M-step on its own rows; the last
//! party says when it is over, by the change of β over a whole round.
//! A round is P messages of 8 (K ΣJ + K + 2) bytes, and the last word takes P − 2 more to reach everybody.

use std::sync::Arc;

use super::RowPart;
use super::forms::{Assigned, Common, Form, PARTIES, RowForm, RowsFound, RunEnd, combine_rows};
use super::ring;
use super::transport::{Exchange, Message, Stopped, Transport};
use crate::consensus::v_bce::beta::Change;
use crate::consensus::v_bce::fit::{self, BceFit, BceParameters, Expectation, Inner, Rules, Stop};
use crate::consensus::v_bce::predictive::FittedBce;
use crate::consensus::v_bce::rows::BceRows;
use crate::consensus::v_bce::sums::Sums;
use crate::consensus::v_bce::{
    ITERATIONS, OBJECTIVE, PRESET, SEVERAL_RESTARTS, Settings, TOLERANCE, memberships, rows_bytes, start_stream,
};
use crate::consensus::{
    Accepts, Answers, Clusters, Consensus, Halt, MethodInfo, Missing, Parties, Predicts, Shape, Solution, Task,
};
use crate::params::{DefaultValue, Kind, Parameter};
use crate::threads::Threads;

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "v-bce-rows",
    title: "Bayesian cluster ensemble, row-distributed",
    reference: "Wang, Shan & Banerjee, §5.2.1",
    version: 4,
    accepts: Accepts { missing: Missing::Accepted, clusters: Clusters::Given, parties: Parties::Rows { of: "v-bce" } },
    predicts: Predicts::Labels,
    answers: Answers::Memberships,
    objective: OBJECTIVE,
    parameters: &[PARTIES, VARIANT, PRESET, SEVERAL_RESTARTS, ITERATIONS, TOLERANCE],
    maker: |params| {
        let variant = if params.choice(VARIANT.name) == "exact" { RowVariant::Exact } else { RowVariant::Heuristic };
        Box::new(VBceRows { parties: params.integer(PARTIES.name), variant, settings: Settings::of(params) })
    },
    ..MethodInfo::PLAIN
};

const VARIANT: Parameter = Parameter {
    name: "variant",
    kind: Kind::Choice(&["exact", "heuristic"]),
    default: DefaultValue::Text("exact"),
    help: "exact: sums go around, as good as all rows in one place; heuristic: parameters go around (the paper's Figure 4)",
};

struct VBceRows {
    parties: usize,
    variant: RowVariant,
    settings: Settings,
}

/// How the parties work together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowVariant {
    /// Sums go around: the same as the centralised run.
    Exact,
    /// Parameters go around.
    Heuristic,
}

impl RowForm for VBceRows {
    fn party(&self, part: &RowPart, common: &Common, transport: &mut dyn Transport) -> Result<RowsFound, Stopped> {
        let mut member = BceParty {
            rows: part.as_ref().map(|ensemble| BceRows::of(ensemble, common.clusters)),
            parameters: BceParameters::new(common.arity, common.clusters),
            rules: self.settings.rules,
            common,
        };
        let mut sums = Sums::until(self.settings.rules.stop, &member.parameters.beta);
        let mut best: Option<(BceFit, BceParameters, Vec<f64>)> = None;
        let mut spent = 0;
        for restart in 0..self.settings.restarts {
            member.parameters.randomise(self.settings.rules.draw, &mut common.id.rng(&start_stream(restart)));
            if let Some(rows) = &mut member.rows {
                rows.restart(&member.parameters.alpha);
            }
            let fit = match self.variant {
                RowVariant::Exact => member.exact(&mut sums, transport)?,
                RowVariant::Heuristic => member.heuristic(&mut sums, transport)?,
            };
            spent += fit.iterations;
            if best.as_ref().is_none_or(|(kept, ..)| fit.lower_bound > kept.lower_bound) {
                let memberships = member.rows.as_ref().map_or_else(Vec::new, memberships);
                best = Some((fit, member.parameters.clone(), memberships));
            }
        }
        let (fit, parameters, memberships) = best.expect("restarts is declared to be at least 1");
        Ok(RowsFound {
            end: RunEnd { spent, ..RunEnd::of_v_bce(fit) },
            assigned: Assigned::Memberships(memberships),
            predictive: Some(Arc::new(FittedBce::new(parameters, common.id))),
        })
    }
}

impl Consensus for VBceRows {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        combine_rows(self, self.parties, task, OBJECTIVE)
    }

    fn form(&self) -> Option<Form<'_>> {
        Some(Form::Rows(self))
    }

    fn operations(&self, shape: &Shape) -> f64 {
        60.0 * self.settings.restarts as f64 * shape.objects * shape.columns * shape.clusters
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let parts = shape.in_rows(self.parties as f64);
        let tables = 64.0 * self.parties as f64 * shape.labels * shape.clusters;
        let found = 8.0 * parts.rows * shape.clusters + Shape { rows: shape.objects, ..*shape }.ensemble_bytes();
        2.0 * parts.ensemble_bytes()
            + rows_bytes(&parts)
            + tables
            + found
            + 8.0 * shape.objects * shape.clusters
            + shape.own_memberships_bytes(shape.clusters)
    }
}

/// A party at work.
struct BceParty<'a> {
    rows: Option<BceRows>,
    parameters: BceParameters,
    rules: Rules,
    common: &'a Common<'a>,
}

impl BceParty<'_> {
    fn exact(&mut self, sums: &mut Sums, transport: &mut dyn Transport) -> Result<BceFit, Stopped> {
        let Self { rows, parameters, rules, common } = self;
        let mut steps = RingOfRows { rows: rows.as_mut(), inner: rules.inner, common, transport };
        fit::fit(parameters, sums, rules, &mut steps)
    }

    fn heuristic(&mut self, sums: &mut Sums, transport: &mut dyn Transport) -> Result<BceFit, Stopped> {
        let (me, parties) = (transport.party(), transport.parties());
        let rules = self.rules;
        let before = (me + parties - 1) % parties;
        let mut fit = BceFit::NEW;
        let mut at_last_round = self.parameters.clone();
        let mut handover = Handover { parameters: self.parameters.clone(), bound: 0.0, word: Word::GoOn };
        loop {
            self.common.watch.check()?;
            // Nobody is before party 0 in the first round.
            if parties > 1 && (me > 0 || fit.iterations > 0) {
                transport.receive(before, &mut handover)?;
                if handover.word != Word::GoOn {
                    fit.converged = handover.word == Word::Converged;
                    fit.lower_bound = handover.bound;
                    self.parameters = handover.parameters.clone();
                    if me + 1 < parties - 1 {
                        transport.send(me + 1, &handover)?;
                    }
                    return Ok(fit);
                }
                self.parameters = handover.parameters.clone();
            }
            fit.iterations += 1;
            let bound = self.own_steps(sums)?;
            handover.bound = if me == 0 { bound } else { handover.bound + bound };
            handover.parameters = self.parameters.clone();
            if me + 1 < parties {
                transport.send(me + 1, &handover)?;
                continue;
            }
            // The last party has seen the whole round.
            let moved = change(&at_last_round, &self.parameters).relative();
            fit.converged = match rules.stop {
                Stop::Still(tolerance) | Stop::BetaChange(tolerance) => moved < tolerance,
                Stop::Never => false,
            };
            at_last_round.clone_from(&self.parameters);
            fit.lower_bound = handover.bound;
            let is_over = fit.converged || fit.iterations == rules.iterations;
            handover.word = match (fit.converged, is_over) {
                (true, _) => Word::Converged,
                (false, true) => Word::OutOfIterations,
                (false, false) => Word::GoOn,
            };
            if parties > 1 {
                transport.send(0, &handover)?;
            }
            if is_over {
                return Ok(fit);
            }
        }
    }

    /// E-step and M-step on the own rows; returns the bound they saw.
    fn own_steps(&mut self, sums: &mut Sums) -> Result<f64, Stopped> {
        let Some(rows) = &mut self.rows else { return Ok(0.0) };
        let rules = self.rules;
        rows.expect(&self.parameters, rules.inner, self.common.watch, sums)?;
        sums.bound = rows.bound(&self.parameters, &Threads::default());
        let bound = self.parameters.lower_bound(sums);
        self.parameters.beta.maximise(&mut sums.delta);
        sums.statistic().maximise(&mut self.parameters.alpha, rules.steps);
        Ok(bound)
    }
}

/// The rows of all parties, of which this one has some.
struct RingOfRows<'a> {
    rows: Option<&'a mut BceRows>,
    inner: Inner,
    common: &'a Common<'a>,
    transport: &'a mut dyn Transport,
}

impl Expectation for RingOfRows<'_> {
    type Error = Stopped;

    fn expect(&mut self, parameters: &BceParameters, sums: &mut Sums) -> Result<(), Stopped> {
        self.common.watch.check()?;
        match &mut self.rows {
            Some(rows) => {
                rows.expect(parameters, self.inner, self.common.watch, sums)?;
                sums.bound = rows.bound(parameters, &Threads::default());
            }
            None => sums.clear(),
        }
        ring::total(self.transport, sums)
    }

    /// It is there: it goes around with the other sums.
    fn add_bound(&mut self, _parameters: &BceParameters, _sums: &mut Sums) {}
}

fn change(old: &BceParameters, new: &BceParameters) -> Change {
    let pairs = old.beta.values().as_flattened().iter().zip(new.beta.values().as_flattened());
    pairs.fold(Change::default(), |sum, (old, new)| Change {
        difference: sum.difference + (new - old).abs(),
        total: sum.total + old,
    })
}

/// The last party's word at the end of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    GoOn,
    Converged,
    OutOfIterations,
}

/// What the heuristic passes on.
struct Handover {
    parameters: BceParameters,
    /// Sum of the bounds of the parties so far in this round; of the whole last round when it is over.
    bound: f64,
    word: Word,
}

impl Message for Handover {
    fn write(&self, frame: &mut Vec<f64>) {
        let word = match self.word {
            Word::GoOn => 0.0,
            Word::Converged => 1.0,
            Word::OutOfIterations => 2.0,
        };
        frame.extend([self.bound, word]);
        frame.extend_from_slice(&self.parameters.alpha);
        (0..self.parameters.beta.labels()).for_each(|label| frame.extend_from_slice(self.parameters.beta.label(label)));
    }

    fn read(&mut self, frame: &[f64]) -> bool {
        let BceParameters { alpha, beta } = &mut self.parameters;
        let clusters = alpha.len();
        if frame.len() != 2 + clusters * (1 + beta.labels()) {
            return false;
        }
        self.bound = frame[0];
        self.word = match frame[1] {
            0.0 => Word::GoOn,
            1.0 => Word::Converged,
            _ => Word::OutOfIterations,
        };
        alpha.copy_from_slice(&frame[2..][..clusters]);
        for (label, values) in frame[2 + clusters..].chunks_exact(clusters).enumerate() {
            beta.label_mut(label).copy_from_slice(values);
        }
        true
    }
}

impl Message for Sums {
    fn write(&self, frame: &mut Vec<f64>) {
        frame.extend([self.omega, self.objects, self.bound]);
        frame.extend(self.moved);
        frame.extend_from_slice(&self.lambda);
        self.delta_by_label().for_each(|values| frame.extend_from_slice(values));
    }

    fn read(&mut self, frame: &[f64]) -> bool {
        let clusters = self.lambda.len();
        let head = 3 + usize::from(self.moved.is_some());
        if frame.len() != head + clusters * (1 + self.delta_by_label().count()) {
            return false;
        }
        (self.omega, self.objects, self.bound) = (frame[0], frame[1], frame[2]);
        self.moved = self.moved.map(|_| frame[3]);
        self.lambda.copy_from_slice(&frame[head..][..clusters]);
        let labels = self.delta_by_label_mut().zip(frame[head + clusters..].chunks_exact(clusters));
        labels.for_each(|(own, values)| own.copy_from_slice(values));
        true
    }
}

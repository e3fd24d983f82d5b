//! Row-distributed V-BCE — Wang, Shan & Banerjee, §5.2.1.
//!
//! **Exact**: every party makes its sums Δ (K × ΣJ), Λ (K), Ω, its number of objects and its part of the bound; their
//! totals go around the ring ([`super::ring`]), and every party makes the same M-step of them. The paper passes Λ and Ω once
//! for every Newton step of α; they do not depend on α, so once an iteration is enough. Bytes an iteration:
//! 2 (P − 1) · 8 (K ΣJ + K + 3).
//!
//! **Heuristic**: (α, β) goes from party to party, each of which makes an E-step and an M-step on its own rows; the last
//! party says when it is over: by the sum of the bounds that the parties saw, or by the change of β over a whole round.
//! A round is P messages of 8 (K ΣJ + K + 2) bytes, and the last word takes P − 2 more to reach everybody.

use super::ring;
use super::rows::Part;
use super::transport::{Ended, Exchange, Message, Transport};
use crate::consensus::Watch;
use crate::consensus::v_bce::beta::Change;
use crate::consensus::v_bce::fit::{self, Fit, Parameters, Stop};
use crate::consensus::v_bce::rows::{Rows, Sums};
use crate::consensus::v_bce::{Settings, memberships, start_stream};
use crate::seed::Id;

/// How the parties work together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variant {
    /// Sums go around: the same as the centralised run.
    Exact,
    /// Parameters go around.
    Heuristic,
}

/// What everybody knows.
pub(crate) struct Known<'a> {
    pub(crate) arity: &'a [usize],
    pub(crate) clusters: usize,
    pub(crate) id: Id,
    pub(crate) settings: Settings,
    pub(crate) variant: Variant,
    pub(crate) watch: &'a Watch,
}

/// A party's own result.
pub(crate) struct Own {
    pub(crate) fit: Fit,
    /// Iterations of all starts.
    pub(crate) spent: usize,
    pub(crate) parameters: Parameters,
    /// Own distinct row × component.
    pub(crate) memberships: Vec<f64>,
}

/// A party's program.
pub(crate) fn party(part: &Part, known: &Known, transport: &mut dyn Transport) -> Result<Own, Ended> {
    let mut party = Party {
        rows: part.as_ref().map(|ensemble| Rows::of(ensemble, known.clusters)),
        parameters: Parameters::new(known.arity, known.clusters),
        known,
    };
    let mut sums = Sums::new(&party.parameters.beta);
    let mut best: Option<Own> = None;
    let mut spent = 0;
    for restart in 0..known.settings.restarts {
        party.parameters.randomise(&mut known.id.rng(&start_stream(restart)));
        if let Some(rows) = &mut party.rows {
            rows.restart(&party.parameters.alpha);
        }
        let fit = match known.variant {
            Variant::Exact => party.exact(&mut sums, transport)?,
            Variant::Heuristic => party.heuristic(&mut sums, transport)?,
        };
        spent += fit.iterations;
        if best.as_ref().is_none_or(|kept| fit.lower_bound > kept.fit.lower_bound) {
            let memberships = party.rows.as_ref().map_or_else(Vec::new, memberships);
            best = Some(Own { fit, spent, parameters: party.parameters.clone(), memberships });
        }
    }
    let best = best.expect("restarts is declared to be at least 1");
    Ok(Own { spent, ..best })
}

struct Party<'a> {
    rows: Option<Rows>,
    parameters: Parameters,
    known: &'a Known<'a>,
}

impl Party<'_> {
    fn exact(&mut self, sums: &mut Sums, transport: &mut dyn Transport) -> Result<Fit, Ended> {
        let Self { rows, parameters, known } = self;
        let rules = &known.settings.rules;
        fit::fit(parameters, sums, rules, |parameters, sums| {
            known.watch.check()?;
            match rows {
                Some(rows) => rows.expect(parameters, rules.inner, known.watch, sums)?,
                None => sums.clear(),
            }
            ring::total(transport, sums)
        })
    }

    fn heuristic(&mut self, sums: &mut Sums, transport: &mut dyn Transport) -> Result<Fit, Ended> {
        let (me, parties) = (transport.party(), transport.parties());
        let rules = &self.known.settings.rules;
        let before = (me + parties - 1) % parties;
        let mut fit = Fit { lower_bound: f64::NEG_INFINITY, iterations: 0, converged: false };
        let mut at_last_round = self.parameters.clone();
        let mut handover = Handover { parameters: self.parameters.clone(), bound: 0.0, verdict: Verdict::GoOn };
        loop {
            self.known.watch.check()?;
            // Nobody is before party 0 in the first round.
            if parties > 1 && (me > 0 || fit.iterations > 0) {
                transport.receive(before, &mut handover)?;
                if handover.verdict != Verdict::GoOn {
                    fit.converged = handover.verdict == Verdict::Converged;
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
            let change = change(&at_last_round, &self.parameters);
            fit.converged = match rules.stop {
                Stop::BoundRise(tolerance) => {
                    (handover.bound - fit.lower_bound).abs() <= tolerance * handover.bound.abs()
                }
                Stop::BetaChange(tolerance) => change.relative() < tolerance,
            };
            at_last_round.clone_from(&self.parameters);
            fit.lower_bound = handover.bound;
            let is_over = fit.converged || fit.iterations == rules.iterations;
            handover.verdict = match (fit.converged, is_over) {
                (true, _) => Verdict::Converged,
                (false, true) => Verdict::OutOfIterations,
                (false, false) => Verdict::GoOn,
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
    fn own_steps(&mut self, sums: &mut Sums) -> Result<f64, Ended> {
        let Some(rows) = &mut self.rows else { return Ok(0.0) };
        let rules = &self.known.settings.rules;
        rows.expect(&self.parameters, rules.inner, self.known.watch, sums)?;
        let bound = self.parameters.lower_bound(sums);
        self.parameters.beta.maximise(&mut sums.delta);
        sums.statistic().maximise(&mut self.parameters.alpha, rules.steps);
        Ok(bound)
    }
}

fn change(old: &Parameters, new: &Parameters) -> Change {
    let pairs = old.beta.values().as_flattened().iter().zip(new.beta.values().as_flattened());
    pairs.fold(Change::default(), |sum, (old, new)| Change {
        difference: sum.difference + (new - old).abs(),
        total: sum.total + old,
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    GoOn,
    Converged,
    OutOfIterations,
}

/// What the heuristic passes on.
struct Handover {
    parameters: Parameters,
    /// Sum of the bounds of the parties so far in this round; of the whole last round when it is over.
    bound: f64,
    verdict: Verdict,
}

impl Message for Handover {
    fn write(&self, frame: &mut Vec<f64>) {
        let verdict = match self.verdict {
            Verdict::GoOn => 0.0,
            Verdict::Converged => 1.0,
            Verdict::OutOfIterations => 2.0,
        };
        frame.extend([self.bound, verdict]);
        frame.extend_from_slice(&self.parameters.alpha);
        (0..self.parameters.beta.labels()).for_each(|label| frame.extend_from_slice(self.parameters.beta.label(label)));
    }

    fn read(&mut self, frame: &[f64]) -> bool {
        let Parameters { alpha, beta } = &mut self.parameters;
        let clusters = alpha.len();
        if frame.len() != 2 + clusters * (1 + beta.labels()) {
            return false;
        }
        self.bound = frame[0];
        self.verdict = match frame[1] {
            0.0 => Verdict::GoOn,
            1.0 => Verdict::Converged,
            _ => Verdict::OutOfIterations,
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
        frame.extend_from_slice(&self.lambda);
        self.delta_by_label().for_each(|values| frame.extend_from_slice(values));
    }

    fn read(&mut self, frame: &[f64]) -> bool {
        let clusters = self.lambda.len();
        if frame.len() != 3 + clusters * (1 + self.delta_by_label().count()) {
            return false;
        }
        (self.omega, self.objects, self.bound) = (frame[0], frame[1], frame[2]);
        self.lambda.copy_from_slice(&frame[3..][..clusters]);
        let labels = self.delta_by_label_mut().zip(frame[3 + clusters..].chunks_exact(clusters));
        labels.for_each(|(own, values)| own.copy_from_slice(values));
        true
    }
}

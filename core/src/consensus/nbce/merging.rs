//! Merge moves for variational inference.
//!
//! A start leaves several components where the data have one cluster, and coordinate ascent does not unite them: every
//! step on the way lowers the bound. So whole components are united, γ_n of the one added to that of the other, and the
//! fit goes on from there. The move is kept if the bound is then higher, and undone if not: the bound never falls.
//!
//! Pairs are tried in the order of what Eq. 4 gains at expected counts, which takes no look at the objects: first all
//! that gain something and have no component in common at once, then one by one. When [`TRIES`] of them have failed,
//! that is the end. Under TSB, components in order of size are another move.

use super::prior::PriorForm;
use super::responsibilities::{NbceFit, Responsibilities, UpdateRule};
use crate::consensus::limits::Limits;
use crate::consensus::{Halt, Watch};
use crate::special::ln_gamma;

/// Pairs that are tried before merging ends.
const TRIES: usize = 3;

/// The share of itself by which a bound must rise: less is rounding.
const LEAST_RISE: f64 = 1e-10;

/// Counts below this gain nothing worth a logarithm.
const HARDLY_ANY: f64 = 1e-6;

/// Components of fewer expected objects are left out when components are united.
const NO_OBJECTS: f64 = 1e-9;

/// How a fit is made, once a start is there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fitting<'a> {
    pub(super) rule: UpdateRule,
    pub(super) limits: Limits,
    pub(super) watch: &'a Watch,
}

/// Responsibilities at the end of their fit.
#[derive(Debug)]
pub(super) struct FittedNbce<'a> {
    pub(super) bound: f64,
    pub(super) fit: NbceFit,
    pub(super) run: Responsibilities<'a>,
}

impl<'a> FittedNbce<'a> {
    /// Follows a start to its end.
    pub(super) fn new(mut run: Responsibilities<'a>, fitting: &Fitting) -> Result<Self, Halt> {
        let fit = run.fit(fitting.rule, fitting.limits, fitting.watch, |_| ())?;
        Ok(Self { bound: run.bound(), fit, run })
    }

    /// Makes moves as long as one raises the bound.
    pub(super) fn merge(&mut self, fitting: &Fitting) -> Result<(), Halt> {
        if let Some(ordered) = self.run.in_order_of_size() {
            self.take_if_higher(ordered, fitting)?;
        }
        while self.merge_some(fitting)? {}
        Ok(())
    }

    /// Whether some of the most promising pairs could be merged.
    fn merge_some(&mut self, fitting: &Fitting) -> Result<bool, Halt> {
        let pairs = promising(&self.run, fitting.watch)?;
        let apart = gaining_and_apart(&pairs, self.run.components);
        if apart.len() > 1 && self.take_if_higher(self.run.merged(&apart), fitting)? {
            return Ok(true);
        }
        for pair in pairs.iter().take(TRIES) {
            if self.take_if_higher(self.run.merged(&[*pair]), fitting)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Fits a proposal and keeps it if its bound is higher.
    fn take_if_higher(&mut self, proposal: Responsibilities<'a>, fitting: &Fitting) -> Result<bool, Halt> {
        let proposal = Self::new(proposal, fitting)?;
        let higher = proposal.bound > self.bound + LEAST_RISE * self.bound.abs();
        if higher {
            let iterations = self.fit.iterations + proposal.fit.iterations;
            *self = Self { fit: NbceFit { iterations, ..proposal.fit }, ..proposal };
        }
        Ok(higher)
    }
}

/// Two components, and what is gained if they become one.
#[derive(Debug, Clone, Copy)]
struct MergePair {
    gain: f64,
    first: usize,
    second: usize,
}

/// Every component with the one before it that it gains most with; the pair that gains most comes first, of equals the
/// one with the lower components.
fn promising(run: &Responsibilities, watch: &Watch) -> Result<Vec<MergePair>, Halt> {
    let gains = MergeGains::new(run);
    let mut pairs = Vec::with_capacity(run.components);
    for second in 1..run.components {
        watch.check()?;
        let of_pair = |first| MergePair { gain: gains.of(first, second), first, second };
        let best = (0..second).map(of_pair).reduce(|best, pair| if pair.gain > best.gain { pair } else { best });
        pairs.extend(best);
    }
    pairs.sort_by(|one, other| other.gain.total_cmp(&one.gain));
    Ok(pairs)
}

/// Those of the pairs that gain something, without those that share a component with one before them.
fn gaining_and_apart(pairs: &[MergePair], components: usize) -> Vec<MergePair> {
    let mut taken = vec![false; components];
    let mut apart = Vec::new();
    for pair in pairs.iter().take_while(|pair| pair.gain > 0.0) {
        if !taken[pair.first] && !taken[pair.second] {
            (taken[pair.first], taken[pair.second]) = (true, true);
            apart.push(*pair);
        }
    }
    apart
}

/// What ln p(Y | Z, β) of Eq. 4 gains at expected counts when two components become one, and what the prior gains as far
/// as it depends on their sizes alone.
struct MergeGains<'a> {
    /// Label positions, then base clusterings, then the clusters themselves: by component, with their Dirichlet parameter
    /// and sign.
    terms: Vec<GainTerm<'a>>,
}

/// ± ln Γ(x + n) − ln Γ(x), for every component's n.
struct GainTerm<'a> {
    sign: f64,
    x: f64,
    of_x: f64,
    counts: &'a [f64],
    rising: Vec<f64>,
}

impl<'a> GainTerm<'a> {
    fn new(sign: f64, x: f64, counts: &'a [f64]) -> Self {
        let of_x = ln_gamma(x);
        let rising = counts.iter().map(|&count| if count > 0.0 { ln_gamma(x + count) - of_x } else { 0.0 });
        Self { sign, x, of_x, counts, rising: rising.collect() }
    }

    fn gain(&self, first: usize, second: usize) -> f64 {
        let (one, other) = (self.counts[first], self.counts[second]);
        if one.min(other) < HARDLY_ANY {
            return 0.0;
        }
        let together = ln_gamma(self.x + one + other) - self.of_x;
        self.sign * (together - self.rising[first] - self.rising[second])
    }
}

impl<'a> MergeGains<'a> {
    fn new(run: &'a Responsibilities) -> Self {
        let beta = run.model.beta;
        let labels = run.of_label.chunks_exact(run.components).map(|counts| GainTerm::new(1.0, beta, counts));
        let columns = run.of_column.chunks_exact(run.components).zip(run.arity());
        let columns = columns.map(|(counts, &labels)| GainTerm::new(-1.0, labels as f64 * beta, counts));
        // The sticks of TSB depend on all sizes; α0 / K is theirs, too, up to what their order adds.
        let prior = run.model.prior;
        let sizes = GainTerm::new(1.0, prior.alpha0 / prior.truncation as f64, &run.sizes);
        Self { terms: labels.chain(columns).chain(std::iter::once(sizes)).collect() }
    }

    fn of(&self, first: usize, second: usize) -> f64 {
        self.terms.iter().map(|term| term.gain(first, second)).sum()
    }
}

impl Responsibilities<'_> {
    /// The components of each pair made one, components without objects left out; under TSB by size. No component may be
    /// in two pairs.
    fn merged(&self, pairs: &[MergePair]) -> Self {
        let mut sizes = self.sizes.clone();
        let mut joined = vec![None; self.components];
        for pair in pairs {
            sizes[pair.first] += std::mem::take(&mut sizes[pair.second]);
            joined[pair.first] = Some(pair.second);
        }
        self.with_components(&self.order(&sizes), |gamma, component| {
            gamma[component] + joined[component].map_or(0.0, |other: usize| gamma[other])
        })
    }

    /// The components by size, if the prior makes a difference and they are in another order.
    fn in_order_of_size(&self) -> Option<Self> {
        let ordered = self.model.prior.form == PriorForm::Fsd || self.sizes.is_sorted_by(|one, next| one >= next);
        (!ordered).then(|| self.with_components(&self.order(&self.sizes), |gamma, component| gamma[component]))
    }

    /// Components with these expected sizes, without those that have no objects; under TSB the largest first.
    fn order(&self, sizes: &[f64]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.components).filter(|&k| sizes[k] > NO_OBJECTS).collect();
        if self.model.prior.form == PriorForm::Tsb {
            order.sort_by(|&one, &other| sizes[other].total_cmp(&sizes[one]));
        }
        order
    }

    /// Responsibilities of these components only, scaled to sum to 1.
    fn with_components(&self, kept: &[usize], share: impl Fn(&[f64], usize) -> f64) -> Self {
        let mut gamma = Vec::with_capacity(self.gamma.len() / self.components * kept.len());
        for before in self.gamma.chunks_exact(self.components) {
            let start = gamma.len();
            gamma.extend(kept.iter().map(|&component| share(before, component)));
            let sum: f64 = gamma[start..].iter().sum();
            gamma[start..].iter_mut().for_each(|gamma| *gamma /= sum);
        }
        self.with_gamma(gamma)
    }
}

#[cfg(test)]
#[path = "merging_tests.rs"]
mod tests;

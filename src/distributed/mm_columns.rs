//! The mixture model between a server (party 0) and clients that own base clusterings: as [`super::v_bce_columns`].
//!
//! In every iteration a client sends Σ_j ln ϑ_jm(y_ij) over its observed columns for every object and component; the server
//! adds them to ln α_m, makes the E-step and α, and sends r back, of which the client makes the M-step of its ϑ. A missing
//! label adds 0. Bytes an iteration: 2 · 8 N K a client, and 8 for the server's verdict.

use std::ops::Range;

use rand::RngExt;

use super::columns::{Part, Reply};
use super::transport::{Ended, Exchange, Transport};
use crate::consensus::Watch;
use crate::consensus::mm::{Fit, Limits};
use crate::ensemble::{Ensemble, Observed};
use crate::seed::{Id, Rng};
use crate::special::shares_of_logs;

/// What everybody knows.
pub(crate) struct Known<'a> {
    pub(crate) objects: usize,
    pub(crate) clients: usize,
    pub(crate) clusters: usize,
    pub(crate) id: Id,
    pub(crate) restarts: usize,
    pub(crate) limits: Limits,
    pub(crate) watch: &'a Watch,
}

/// The server's result.
pub(crate) struct Found {
    pub(crate) fit: Fit,
    /// Iterations of all starts.
    pub(crate) spent: usize,
    /// Object × component.
    pub(crate) memberships: Vec<f64>,
}

/// A client's program.
pub(crate) fn client(part: &Part, known: &Known, transport: &mut dyn Transport) -> Result<(), Ended> {
    let mut theta = Theta::new(&part.ensemble, known.clusters);
    for restart in 0..known.restarts {
        let mut rng = known.id.rng(&format!("restart {restart}"));
        // The labels of the columns before come first in the common stream.
        (0..known.clusters * part.first_label).for_each(|_| {
            let _: f64 = rng.random();
        });
        theta.randomise(&mut rng);
        loop {
            known.watch.check()?;
            transport.send(0, &theta.log_products(&part.ensemble))?;
            let mut reply = Reply::Values(vec![0.0; known.objects * known.clusters]);
            transport.receive(0, &mut reply)?;
            let Reply::Values(responsibilities) = reply else { break };
            theta.maximise(&part.ensemble, &responsibilities);
        }
    }
    Ok(())
}

/// ln ϑ of a client's columns.
struct Theta {
    clusters: usize,
    observed: Observed,
    columns: Vec<Range<usize>>,
    /// Label position × component.
    log_theta: Vec<f64>,
    counts: Vec<f64>,
}

impl Theta {
    fn new(ensemble: &Ensemble, clusters: usize) -> Self {
        let observed = Observed::of(ensemble);
        let zeros = vec![0.0; observed.labels() * clusters];
        let columns = observed.columns().collect();
        Self { clusters, columns, observed, log_theta: zeros.clone(), counts: zeros }
    }

    fn randomise(&mut self, rng: &mut Rng) {
        self.counts.fill_with(|| 1.0 - rng.random::<f64>());
        self.normalise();
    }

    /// Σ_j ln ϑ_jm(y_ij): object × component.
    fn log_products(&self, ensemble: &Ensemble) -> Vec<f64> {
        let mut of_rows = vec![0.0; ensemble.rows() * self.clusters];
        for (row, sum) in of_rows.chunks_exact_mut(self.clusters).enumerate() {
            for &label in self.observed.row(row) {
                let log_theta = &self.log_theta[label as usize * self.clusters..][..self.clusters];
                sum.iter_mut().zip(log_theta).for_each(|(sum, more)| *sum += more);
            }
        }
        let row = |&row: &u32| &of_rows[row as usize * self.clusters..][..self.clusters];
        ensemble.row_of().iter().flat_map(row).copied().collect()
    }

    fn maximise(&mut self, ensemble: &Ensemble, responsibilities: &[f64]) {
        let mut of_rows = vec![0.0; ensemble.rows() * self.clusters];
        for (&row, r) in ensemble.row_of().iter().zip(responsibilities.chunks_exact(self.clusters)) {
            let sum = &mut of_rows[row as usize * self.clusters..][..self.clusters];
            sum.iter_mut().zip(r).for_each(|(sum, r)| *sum += r);
        }
        self.counts.fill(0.0);
        for (row, r) in of_rows.chunks_exact(self.clusters).enumerate() {
            for &label in self.observed.row(row) {
                let count = &mut self.counts[label as usize * self.clusters..][..self.clusters];
                count.iter_mut().zip(r).for_each(|(count, r)| *count += r);
            }
        }
        self.normalise();
    }

    /// A component without any observed label in a column says nothing about it: uniform.
    fn normalise(&mut self) {
        for column in &self.columns {
            for component in 0..self.clusters {
                let at = |label: usize| label * self.clusters + component;
                let total: f64 = column.clone().map(|label| self.counts[at(label)]).sum();
                for label in column.clone() {
                    let share = (self.counts[at(label)] / total).ln();
                    self.log_theta[at(label)] = if total > 0.0 { share } else { -(column.len() as f64).ln() };
                }
            }
        }
    }
}

/// The server's program.
pub(crate) fn server(known: &Known, transport: &mut dyn Transport) -> Result<Found, Ended> {
    let mut best: Option<Found> = None;
    let mut spent = 0;
    for _ in 0..known.restarts {
        let found = fit(known, transport)?;
        spent += found.fit.iterations;
        if best.as_ref().is_none_or(|kept| found.fit.log_likelihood > kept.fit.log_likelihood) {
            best = Some(found);
        }
    }
    let best = best.expect("restarts is declared to be at least 1");
    Ok(Found { spent, ..best })
}

fn fit(known: &Known, transport: &mut dyn Transport) -> Result<Found, Ended> {
    let mut log_alpha = vec![-(known.clusters as f64).ln(); known.clusters];
    let mut fit = Fit::new();
    let mut r = vec![0.0; known.objects * known.clusters];
    let mut received = r.clone();
    loop {
        known.watch.check()?;
        r.chunks_exact_mut(known.clusters).for_each(|row| row.copy_from_slice(&log_alpha));
        for client in 1..=known.clients {
            transport.receive(client, &mut received)?;
            r.iter_mut().zip(&received).for_each(|(sum, more)| *sum += more);
        }
        fit.reached(expect(&mut r, known.clusters), known.limits);
        let mut sizes = vec![0.0; known.clusters];
        for row in r.chunks_exact(known.clusters) {
            sizes.iter_mut().zip(row).for_each(|(size, r)| *size += r);
        }
        log_alpha.iter_mut().zip(&sizes).for_each(|(slot, size)| *slot = (size / known.objects as f64).ln());
        let goes_on = fit.goes_on(known.limits);
        let reply = if goes_on { Reply::Values(r.clone()) } else { Reply::Over };
        (1..=known.clients).try_for_each(|client| transport.send(client, &reply))?;
        if !goes_on {
            return Ok(Found { fit, spent: fit.iterations, memberships: r });
        }
    }
}

/// E-step (topchy Eq. 9) from log weights to responsibilities in place; returns the log-likelihood.
fn expect(r: &mut [f64], clusters: usize) -> f64 {
    r.chunks_exact_mut(clusters).map(shares_of_logs).sum()
}

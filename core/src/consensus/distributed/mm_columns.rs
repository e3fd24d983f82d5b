//! The mixture model between a server (party 0) and clients that own base clusterings: as [`super::v_bce_columns`].
//!
//! In every iteration a client sends Σ_j ln ϑ_jm(y_ij) over its observed columns for every object and component; the server
//! adds them to ln α_m, makes the E-step and α, and sends r back, of which the client makes the M-step of its ϑ. A missing
//! label adds 0. Bytes per iteration: 2 · 8 N K per client, and 8 for the server's verdict. With smoothing a client sends one number
//! more, the penalty of its ϑ. Starts are uniform, as in [`super::mm_rows`].

use std::ops::Range;

use rand::RngExt;

use super::columns::{ColumnPart, Reply};
use super::forms::{CLIENTS, ColumnForm, ColumnsFound, Common, Form, RunEnd, combine_columns};
use super::transport::{Exchange, Stopped, Transport};
use crate::consensus::mm::{self, ITERATIONS, MixtureFit, Mm, OBJECTIVE, RESTARTS, SMOOTHING, TOLERANCE};
use crate::consensus::{Accepts, Consensus, Halt, MethodInfo, Parties, Predicts, Shape, Solution, Task};
use crate::ensemble::{Ensemble, Observed};
use crate::seed::Rng;
use crate::special::shares_of_logs;

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "mm-columns",
    title: "Mixture model (EM), column-distributed",
    reference: "Topchy, Jain & Punch, §3; Wang, Shan & Banerjee, Table 2",
    // Its starts are uniform as ever, whatever those of `mm` are.
    version: 2,
    parameters: &[CLIENTS, RESTARTS, ITERATIONS, TOLERANCE, SMOOTHING],
    maker: |params| Box::new(MmColumns { clients: params.integer(CLIENTS.name), centralised: Mm::uniform(params) }),
    accepts: Accepts { parties: Parties::Columns { of: "mm" }, ..mm::INFO.accepts },
    predicts: Predicts::Nothing,
    ..mm::INFO
};

struct MmColumns {
    clients: usize,
    centralised: Mm,
}

impl ColumnForm for MmColumns {
    fn client(&self, part: &ColumnPart, common: &Common, transport: &mut dyn Transport) -> Result<(), Stopped> {
        let mut theta = Theta::new(&part.ensemble, common.clusters, self.centralised.smoothing);
        for restart in 0..self.centralised.restarts {
            let mut rng = common.id.rng(&format!("restart {restart}"));
            // The labels of the columns before come first in the common stream.
            (0..common.clusters * part.first_label).for_each(|_| {
                let _: f64 = rng.random();
            });
            theta.randomise(&mut rng);
            loop {
                common.watch.check()?;
                transport.send(0, &theta.description(&part.ensemble))?;
                let mut reply = Reply::Values(vec![0.0; common.objects * common.clusters]);
                transport.receive(0, &mut reply)?;
                let Reply::Values(responsibilities) = reply else { break };
                theta.maximise(&part.ensemble, &responsibilities);
            }
        }
        Ok(())
    }

    fn server(&self, common: &Common, transport: &mut dyn Transport) -> Result<ColumnsFound, Stopped> {
        let mut best: Option<(f64, ColumnsFound)> = None;
        let mut spent = 0;
        for _ in 0..self.centralised.restarts {
            let (penalised, found) = fit(common, &self.centralised, transport)?;
            spent += found.end.iterations;
            if best.as_ref().is_none_or(|(kept, _)| penalised > *kept) {
                best = Some((penalised, found));
            }
        }
        let (_, mut best) = best.expect("restarts is declared to be at least 1");
        best.end.spent = spent;
        Ok(best)
    }
}

impl Consensus for MmColumns {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        combine_columns(self, self.clients, task, OBJECTIVE)
    }

    fn form(&self) -> Option<Form<'_>> {
        Some(Form::Columns(self))
    }

    fn operations(&self, shape: &Shape) -> f64 {
        self.centralised.operations(shape)
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let clients = if self.clients == 0 { shape.columns } else { shape.columns.min(self.clients as f64) };
        let table = 8.0 * shape.objects * shape.clusters;
        let expanded = Shape { rows: shape.objects, ..*shape };
        (4.0 + 3.0 * clients) * table
            + 2.0 * expanded.ensemble_bytes()
            + 4.0 * clients * shape.objects
            + shape.own_memberships_bytes(shape.clusters)
    }
}

/// ln ϑ of a client's columns.
struct Theta {
    clusters: usize,
    /// s.
    smoothing: f64,
    observed: Observed,
    columns: Vec<Range<usize>>,
    /// Label position × component.
    log_theta: Vec<f64>,
    counts: Vec<f64>,
}

impl Theta {
    fn new(ensemble: &Ensemble, clusters: usize, smoothing: f64) -> Self {
        let observed = Observed::of(ensemble);
        let zeros = vec![0.0; observed.labels() * clusters];
        let columns = observed.columns().collect();
        Self { clusters, smoothing, columns, observed, log_theta: zeros.clone(), counts: zeros }
    }

    fn randomise(&mut self, rng: &mut Rng) {
        self.counts.fill_with(|| 1.0 - rng.random::<f64>());
        self.normalise(0.0);
    }

    /// What the server needs to know: Σ_j ln ϑ_jm(y_ij), object × component, and the penalty, where there is one.
    fn description(&self, ensemble: &Ensemble) -> Vec<f64> {
        let mut values = self.log_products(ensemble);
        if self.smoothing > 0.0 {
            values.push(mm::penalty(self.smoothing, self.log_theta.iter().copied()));
        }
        values
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
        self.normalise(self.smoothing);
    }

    /// As many `more` of every label are added to its count. A component without any observed label in a column says nothing about it: uniform.
    fn normalise(&mut self, more: f64) {
        for column in &self.columns {
            for component in 0..self.clusters {
                let at = |label: usize| label * self.clusters + component;
                let total =
                    column.clone().map(|label| self.counts[at(label)]).sum::<f64>() + more * column.len() as f64;
                for label in column.clone() {
                    let share = ((self.counts[at(label)] + more) / total).ln();
                    self.log_theta[at(label)] = if total > 0.0 { share } else { -(column.len() as f64).ln() };
                }
            }
        }
    }
}

/// One start, and the penalised log-likelihood that it reached.
fn fit(common: &Common, method: &Mm, transport: &mut dyn Transport) -> Result<(f64, ColumnsFound), Stopped> {
    let mut log_alpha = vec![-(common.clusters as f64).ln(); common.clusters];
    let mut fit = MixtureFit::new();
    let mut r = vec![0.0; common.objects * common.clusters];
    let mut received = vec![0.0; r.len() + usize::from(method.smoothing > 0.0)];
    loop {
        common.watch.check()?;
        r.chunks_exact_mut(common.clusters).for_each(|row| row.copy_from_slice(&log_alpha));
        let mut penalty = 0.0;
        for client in 1..=common.columns.len() {
            transport.receive(client, &mut received)?;
            penalty += received[r.len()..].iter().sum::<f64>();
            r.iter_mut().zip(&received).for_each(|(sum, more)| *sum += more);
        }
        fit.reached(expect(&mut r, common.clusters), penalty, method.limits);
        let mut sizes = vec![0.0; common.clusters];
        for row in r.chunks_exact(common.clusters) {
            sizes.iter_mut().zip(row).for_each(|(size, r)| *size += r);
        }
        log_alpha.iter_mut().zip(&sizes).for_each(|(slot, size)| *slot = (size / common.objects as f64).ln());
        let goes_on = fit.goes_on(method.limits);
        let reply = if goes_on { Reply::Values(r.clone()) } else { Reply::Over };
        (1..=common.columns.len()).try_for_each(|client| transport.send(client, &reply))?;
        if !goes_on {
            return Ok((fit.penalised, ColumnsFound { end: RunEnd::of_mm(fit), memberships: r }));
        }
    }
}

/// E-step (topchy Eq. 9) from log weights to responsibilities in place; returns the log-likelihood.
fn expect(r: &mut [f64], clusters: usize) -> f64 {
    r.chunks_exact_mut(clusters).map(shares_of_logs).sum()
}

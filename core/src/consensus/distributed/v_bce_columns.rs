//! Column-distributed V-BCE — Wang, Shan & Banerjee, §5.2.2: a server (party 0), and clients that own base clusterings.
//!
//! In every iteration a client sends, for every object and each of its columns, β_hj(y_ij) for all h, zeros where the
//! label is missing (no probability is 0: β is smoothed). The server makes the E-step and the M-step of α and sends φ back,
//! of which the client makes the M-step of its β. Bytes per iteration: 2 · 8 N M K, and 24 per client for the changes of β and
//! the server's verdict. The server sees which objects of a column have equal probabilities, as the protocol has it, and
//! not what they are called.
//!
//! Objects that all clients describe alike are one row to the server, weighted; every round it checks that they still are.

use std::collections::HashMap;

use super::columns::{ColumnPart, Reply};
use super::forms::{CLIENTS, ColumnForm, ColumnsFound, Common, Form, RunEnd, combine_columns};
use super::transport::{Exchange, Message, Stopped, Transport};
use crate::consensus::v_bce::beta::{Beta, Change, LANE};
use crate::consensus::v_bce::fit::{BceFit, BceParameters, Rules, Trail};
use crate::consensus::v_bce::rows::BceRows;
use crate::consensus::v_bce::sums::Sums;
use crate::consensus::v_bce::{
    ITERATIONS, OBJECTIVE, PRESET, SEVERAL_RESTARTS, Settings, TOLERANCE, memberships, start_stream,
};
use crate::consensus::{
    Accepts, Answers, Clusters, Consensus, Halt, MethodInfo, Missing, Parties, Shape, Solution, Task,
};
use crate::ensemble::{Ensemble, Labels};
use crate::threads::Threads;

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "v-bce-columns",
    title: "Bayesian cluster ensemble, column-distributed",
    reference: "Wang, Shan & Banerjee, §5.2.2",
    version: 3,
    accepts: Accepts {
        missing: Missing::Accepted,
        clusters: Clusters::Given,
        parties: Parties::Columns { of: "v-bce" },
    },
    answers: Answers::Memberships,
    objective: OBJECTIVE,
    parameters: &[CLIENTS, PRESET, SEVERAL_RESTARTS, ITERATIONS, TOLERANCE],
    maker: |params| Box::new(VBceColumns { clients: params.integer(CLIENTS.name), settings: Settings::of(params) }),
    ..MethodInfo::PLAIN
};

struct VBceColumns {
    clients: usize,
    settings: Settings,
}

impl ColumnForm for VBceColumns {
    fn client(&self, part: &ColumnPart, common: &Common, transport: &mut dyn Transport) -> Result<(), Stopped> {
        let ensemble = &part.ensemble;
        let mut beta = Beta::new(ensemble.arity(), common.clusters);
        let mut delta = vec![[0.0; LANE]; beta.values().len()];
        for restart in 0..self.settings.restarts {
            let mut rng = common.id.rng(&start_stream(restart));
            // α and the labels of the columns before come first in the common stream.
            (0..common.clusters * (1 + part.first_label)).for_each(|_| {
                let _: f64 = rand::RngExt::random(&mut rng);
            });
            beta.randomise(self.settings.rules.draw, &mut rng);
            let mut change = Change::default();
            loop {
                common.watch.check()?;
                transport.send(0, &Described { change, beta: describe(ensemble, &beta) })?;
                let mut reply = Reply::Values(vec![0.0; ensemble.objects() * ensemble.columns() * common.clusters]);
                transport.receive(0, &mut reply)?;
                let Reply::Values(phi) = reply else { break };
                collect(ensemble, &beta, &phi, &mut delta);
                change = beta.maximise(&mut delta);
            }
        }
        Ok(())
    }

    fn server(&self, common: &Common, transport: &mut dyn Transport) -> Result<ColumnsFound, Stopped> {
        let mut merged: Option<Merged> = None;
        let mut best: Option<ColumnsFound> = None;
        let mut spent = 0;
        for restart in 0..self.settings.restarts {
            let described = receive_all(common, transport)?;
            let merged = match &mut merged {
                Some(merged) => merged,
                none => none.insert(Merged::of(common, self.settings.rules, &described)?),
            };
            merged.parameters.alpha.fill_with({
                let mut rng = common.id.rng(&start_stream(restart));
                move || 1.0 - rand::RngExt::random::<f64>(&mut rng)
            });
            let fit = merged.fit(common, described, transport)?;
            spent += fit.iterations;
            if best.as_ref().is_none_or(|kept| fit.lower_bound > kept.end.objective) {
                best = Some(ColumnsFound { end: RunEnd::of_v_bce(fit), memberships: merged.memberships() });
            }
        }
        let mut best = best.expect("restarts is declared to be at least 1");
        best.end.spent = spent;
        Ok(best)
    }
}

impl Consensus for VBceColumns {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        combine_columns(self, self.clients, task, OBJECTIVE)
    }

    fn form(&self) -> Option<Form<'_>> {
        Some(Form::Columns(self))
    }

    fn operations(&self, shape: &Shape) -> f64 {
        60.0 * self.settings.restarts as f64 * shape.objects * shape.columns * shape.clusters
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let expanded = Shape { rows: shape.objects, ..*shape };
        let described = 8.0 * shape.objects * shape.columns * shape.clusters;
        4.0 * described
            + 2.0 * expanded.ensemble_bytes()
            + 8.0 * shape.objects * shape.clusters
            + shape.own_memberships_bytes(shape.clusters)
    }
}

/// What a client says of its columns.
struct Described {
    /// How far its last M-step moved its β.
    change: Change,
    /// Object × own column × component.
    beta: Vec<f64>,
}

/// β_hj(y_ij): object × column × component; zeros for a missing label.
fn describe(ensemble: &Ensemble, beta: &Beta) -> Vec<f64> {
    let mut described = Vec::with_capacity(ensemble.objects() * ensemble.columns() * beta.clusters());
    let missing = vec![0.0; beta.clusters()];
    for &row in ensemble.row_of() {
        for (column, &code) in beta.columns().iter().zip(ensemble.row(row as usize)) {
            let is_missing = code == Labels::MISSING;
            described.extend_from_slice(if is_missing { &missing } else { beta.label(column.start + code as usize) });
        }
    }
    described
}

/// Δ of the own columns (Eq. 5.7).
fn collect(ensemble: &Ensemble, beta: &Beta, phi: &[f64], delta: &mut [[f64; LANE]]) {
    delta.fill([0.0; LANE]);
    let (clusters, stride) = (beta.clusters(), beta.lanes() * LANE);
    let delta = delta.as_flattened_mut();
    let objects = ensemble.row_of().iter().zip(phi.chunks_exact(ensemble.columns() * clusters));
    for (&row, phi) in objects {
        let cells = beta.columns().iter().zip(ensemble.row(row as usize)).zip(phi.chunks_exact(clusters));
        for ((column, &code), phi) in cells.filter(|((_, code), _)| **code != Labels::MISSING) {
            let sum = &mut delta[(column.start + code as usize) * stride..][..clusters];
            sum.iter_mut().zip(phi).for_each(|(sum, phi)| *sum += phi);
        }
    }
}

fn receive_all(common: &Common, transport: &mut dyn Transport) -> Result<Vec<Described>, Stopped> {
    let each = common.columns.iter().enumerate().map(|(client, columns)| {
        let beta = vec![0.0; common.objects * columns.len() * common.clusters];
        let mut described = Described { change: Change::default(), beta };
        transport.receive(client + 1, &mut described)?;
        Ok(described)
    });
    each.collect()
}

/// Objects that all clients describe alike, as an ensemble whose labels are the different descriptions of a column.
struct Merged {
    ensemble: Ensemble,
    /// An object and a column with each label.
    examples: Vec<(usize, usize)>,
    parameters: BceParameters,
    rows: BceRows,
    sums: Sums,
    /// φ: row × column × component.
    phi: Vec<f64>,
    rules: Rules,
}

impl Merged {
    fn of(common: &Common, rules: Rules, described: &[Described]) -> Result<Self, Halt> {
        let mut columns = Vec::new();
        let mut examples = Vec::new();
        for column in 0..total_columns(common) {
            let mut seen: HashMap<Vec<u64>, u32> = HashMap::new();
            let codes = (0..common.objects).map(|object| {
                let vector = vector(common, described, object, column);
                let bits: Vec<u64> = vector.iter().map(|value| value.to_bits()).collect();
                let next = u32::try_from(seen.len()).expect("fewer objects than u32 values");
                (!is_missing(vector)).then(|| {
                    *seen.entry(bits).or_insert_with(|| {
                        examples.push((object, column));
                        next
                    })
                })
            });
            columns.push(Labels::from_options(codes));
        }
        let ensemble = Ensemble::from_columns(&columns).map_err(|error| Halt::Failed(error.to_string()))?;
        let parameters = BceParameters::new(ensemble.arity(), common.clusters);
        Ok(Self {
            examples,
            sums: Sums::until(rules.stop, &parameters.beta),
            rows: BceRows::of(&ensemble, common.clusters),
            phi: vec![0.0; ensemble.rows() * ensemble.columns() * common.clusters],
            parameters,
            ensemble,
            rules,
        })
    }

    /// Reads β of every label, and checks that objects of one label are still described alike.
    fn read(&mut self, common: &Common, described: &[Described]) -> Result<(), Halt> {
        for (label, &(object, column)) in self.examples.iter().enumerate() {
            self.parameters.beta.label_mut(label).copy_from_slice(vector(common, described, object, column));
        }
        for (object, &row) in self.ensemble.row_of().iter().enumerate() {
            let cells = self.ensemble.row(row as usize).iter().zip(self.parameters.beta.columns());
            for (column, (&code, labels)) in cells.enumerate() {
                let vector = vector(common, described, object, column);
                let is_alike = match code {
                    Labels::MISSING => is_missing(vector),
                    code => vector == self.parameters.beta.label(labels.start + code as usize),
                };
                if !is_alike {
                    return Err(Halt::Failed(format!("column {column} no longer describes alike what it did before")));
                }
            }
        }
        Ok(())
    }

    fn fit(
        &mut self,
        common: &Common,
        first: Vec<Described>,
        transport: &mut dyn Transport,
    ) -> Result<BceFit, Stopped> {
        let rules = self.rules;
        let mut described = first;
        let mut fit = BceFit::NEW;
        let mut trail = Trail::default();
        self.rows.restart(&self.parameters.alpha);
        loop {
            self.read(common, &described)?;
            self.expect(common)?;
            fit.lower_bound = self.parameters.lower_bound(&self.sums);
            fit.iterations += 1;
            if fit.iterations < rules.iterations {
                self.send_phi(common, transport)?;
                described = receive_all(common, transport)?;
                fit.converged = rules.stop.is_reached(total_change(&described), &self.sums, &mut trail);
            }
            if fit.converged || fit.iterations == rules.iterations {
                (0..common.columns.len()).try_for_each(|client| transport.send(client + 1, &Reply::Over))?;
                return Ok(fit);
            }
            self.sums.statistic().maximise(&mut self.parameters.alpha, rules.steps);
        }
    }

    fn expect(&mut self, common: &Common) -> Result<(), Halt> {
        let Self { ensemble, parameters, rows, sums, phi, rules, .. } = self;
        rows.expect(parameters, rules.inner, common.watch, sums)?;
        sums.bound = rows.bound(parameters, &Threads::default());
        let beta = &parameters.beta;
        let width = ensemble.columns() * common.clusters;
        rows.each_phi(parameters, |row| {
            let phi = phi[row.row * width..][..width].chunks_exact_mut(common.clusters);
            let observed = phi.zip(ensemble.row(row.row)).filter(|(_, code)| **code != Labels::MISSING);
            for (((phi, _), &label), pull) in observed.zip(row.labels).zip(row.pull) {
                let components = phi.iter_mut().zip(row.e).zip(beta.label(label as usize));
                components.for_each(|((phi, e), beta)| *phi = e * beta * pull);
            }
        });
        Ok(())
    }

    fn send_phi(&self, common: &Common, transport: &mut dyn Transport) -> Result<(), Stopped> {
        for (client, columns) in common.columns.iter().enumerate() {
            let width = columns.len() * common.clusters;
            let mut own = Vec::with_capacity(common.objects * width);
            for &row in self.ensemble.row_of() {
                let first = (row as usize * self.ensemble.columns() + columns.start) * common.clusters;
                own.extend_from_slice(&self.phi[first..][..width]);
            }
            transport.send(client + 1, &Reply::Values(own))?;
        }
        Ok(())
    }

    fn memberships(&self) -> Vec<f64> {
        let clusters = self.parameters.alpha.len();
        let of_rows = memberships(&self.rows);
        let objects = self.ensemble.row_of().iter();
        objects.flat_map(|&row| of_rows[row as usize * clusters..][..clusters].to_vec()).collect()
    }
}

fn total_change(described: &[Described]) -> Change {
    described.iter().fold(Change::default(), |sum, of_client| Change {
        difference: sum.difference + of_client.change.difference,
        total: sum.total + of_client.change.total,
    })
}

fn is_missing(vector: &[f64]) -> bool {
    vector.iter().all(|&value| value == 0.0)
}

fn total_columns(common: &Common) -> usize {
    common.columns.last().map_or(0, |columns| columns.end)
}

/// What was said of one object in one column.
fn vector<'b>(common: &Common, described: &'b [Described], object: usize, column: usize) -> &'b [f64] {
    let client = common.columns.partition_point(|columns| columns.end <= column);
    let own = &common.columns[client];
    let cell = object * own.len() + column - own.start;
    &described[client].beta[cell * common.clusters..][..common.clusters]
}

impl Message for Described {
    fn write(&self, frame: &mut Vec<f64>) {
        frame.reserve_exact(2 + self.beta.len());
        frame.extend([self.change.difference, self.change.total]);
        frame.extend_from_slice(&self.beta);
    }

    fn read(&mut self, frame: &[f64]) -> bool {
        if frame.len() != 2 + self.beta.len() {
            return false;
        }
        self.change = Change { difference: frame[0], total: frame[1] };
        self.beta.copy_from_slice(&frame[2..]);
        true
    }
}

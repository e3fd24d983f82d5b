//! k-means on one-hot rows between parties that own rows, after Jagannathan & Wright (KDD 2005): what Figure 4 of Wang,
//! Shan & Banerjee compares with. Without their encryption: sums and counts of clusters go around the ring in the clear.
//!
//! Seeds: everybody draws from a common stream which object is the next seed, by owner and number within the owner;
//! only the owner knows what its objects are. It gives one of its rows that is no centre yet, at random, as a centre: a vector
//! of numbers, without saying of which object. A party with no such row passes; k places are found, or all there are.
//! A centre that is one row shows the labels of some object of its party; there is no k-means from rows without that.
//!
//! Lloyd's iterations until no row moves. The first empty cluster of an iteration takes the row farthest from its own
//! centre, from whichever party has it. Bytes per iteration: 2 (P − 1) · 8 (K ΣJ + K + 1) for sums, sizes and moves, and
//! P − 1 messages of P numbers where a cluster is empty.

use rand::RngExt;

use super::RowPart;
use super::forms::{Assigned, Common, Form, PARTIES, RowForm, RowsFound, RunEnd, combine_rows};
use super::ring;
use super::transport::{Stopped, Transport};
use crate::consensus::kmeans::{self, ITERATIONS};
use crate::consensus::{Accepts, Consensus, Halt, MethodInfo, Parties, Predicts, Shape, Solution, Task};
use crate::ensemble::{Ensemble, Observed};
use crate::seed::Rng;

pub(crate) const INFO: MethodInfo = MethodInfo {
    name: "kmeans-rows",
    title: "k-means on labels, row-distributed",
    reference: "Jagannathan & Wright, KDD 2005; Wang, Shan & Banerjee, Figure 4",
    // Once since rows are dealt by what they say.
    version: kmeans::INFO.version + 1,
    parameters: &[PARTIES, ITERATIONS],
    maker: |params| {
        let (parties, iterations) = (params.integer(PARTIES.name), params.integer(ITERATIONS.name));
        Box::new(KMeansRows { parties, iterations })
    },
    accepts: Accepts { parties: Parties::Rows { of: "kmeans" }, ..kmeans::INFO.accepts },
    predicts: Predicts::Nothing,
    ..kmeans::INFO
};

struct KMeansRows {
    parties: usize,
    iterations: usize,
}

impl RowForm for KMeansRows {
    fn party(&self, part: &RowPart, common: &Common, transport: &mut dyn Transport) -> Result<RowsFound, Stopped> {
        let mut member = KMeansParty {
            rows: part.as_ref().map(|ensemble| (ensemble, Observed::of(ensemble))),
            labels: vec![u32::MAX; part.as_ref().map_or(0, Ensemble::rows)],
            centres: Vec::new(),
            all_labels: common.arity.iter().sum(),
            common,
        };
        member.seed(transport)?;
        let (mut iterations, mut converged) = (0, false);
        while !converged && iterations < self.iterations {
            common.watch.check()?;
            let mut sums = member.assign();
            ring::total(transport, &mut sums)?;
            iterations += 1;
            let is_refilled = member.update(&sums, transport)?;
            converged = sums[0] == 0.0 && !is_refilled;
        }
        // Distances to the centres of the last assignment: once more around for the objective.
        let mut objective = vec![member.sum_of_squares()];
        ring::total(transport, &mut objective)?;
        let end = RunEnd { objective: objective[0], iterations, converged, spent: iterations };
        Ok(RowsFound { end, assigned: Assigned::Clusters(member.labels), predictive: None })
    }
}

impl Consensus for KMeansRows {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        combine_rows(self, self.parties, task, INFO.objective)
    }

    fn form(&self) -> Option<Form<'_>> {
        Some(Form::Rows(self))
    }

    fn operations(&self, shape: &Shape) -> f64 {
        5.0 * shape.objects * shape.columns * shape.clusters
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let (parties, parts) = (self.parties as f64, shape.in_rows(self.parties as f64));
        let table = 8.0 * (1.0 + shape.labels) * (1.0 + shape.clusters);
        2.0 * parts.ensemble_bytes() + 4.0 * parties * table + 16.0 * shape.objects + shape.partition_bytes()
    }
}

/// A party at work.
struct KMeansParty<'a> {
    rows: Option<(&'a Ensemble, Observed)>,
    /// The cluster of every own distinct row.
    labels: Vec<u32>,
    /// One-hot means.
    centres: Vec<Vec<f64>>,
    /// ΣJ.
    all_labels: usize,
    common: &'a Common<'a>,
}

impl KMeansParty<'_> {
    fn seed(&mut self, transport: &mut dyn Transport) -> Result<(), Stopped> {
        let (me, parties) = (transport.party(), transport.parties());
        let mut owned = vec![0.0; parties];
        owned[me] = self.rows.as_ref().map_or(0.0, |(ensemble, _)| ensemble.objects() as f64);
        ring::total(transport, &mut owned)?;
        let mut shared = self.common.id.rng("seeds");
        let mut private = self.common.id.rng(&format!("seeds of party {me}"));
        while self.centres.len() < self.common.clusters && owned.iter().sum::<f64>() > 0.0 {
            self.common.watch.check()?;
            let mut object = shared.random::<f64>() * owned.iter().sum::<f64>();
            let mut owner = owned.iter().rposition(|&count| count > 0.0).unwrap_or(0);
            for (party, &count) in owned.iter().enumerate() {
                if object < count {
                    owner = party;
                    break;
                }
                object -= count;
            }
            // 1 and a centre, or 0 and zeros.
            let mut offer = vec![0.0; 1 + self.all_labels];
            if owner == me
                && let Some(row) = self.another_place(&mut private)
            {
                offer[0] = 1.0;
                offer[1..].copy_from_slice(&self.one_hot(row));
            }
            ring::broadcast(transport, owner, &mut offer)?;
            if offer[0] == 1.0 {
                self.centres.push(offer[1..].to_vec());
            } else {
                owned[owner] = 0.0;
            }
        }
        Ok(())
    }

    /// An own row that is no centre yet, every object equally likely.
    fn another_place(&self, rng: &mut Rng) -> Option<usize> {
        let (ensemble, _) = self.rows.as_ref()?;
        let is_new = |row: &usize| {
            let place = self.one_hot(*row);
            self.centres.iter().all(|centre| *centre != place)
        };
        let candidates: Vec<usize> = (0..ensemble.rows()).filter(is_new).collect();
        let total: u32 = candidates.iter().map(|&row| ensemble.weights()[row]).sum();
        let mut object = rng.random_range(0..total.max(1));
        candidates.into_iter().find(|&row| {
            let is_here = object < ensemble.weights()[row];
            object = object.saturating_sub(ensemble.weights()[row]);
            is_here
        })
    }

    fn one_hot(&self, row: usize) -> Vec<f64> {
        let mut vector = vec![0.0; self.all_labels];
        if let Some((_, observed)) = &self.rows {
            observed.row(row).iter().for_each(|&label| vector[label as usize] = 1.0);
        }
        vector
    }

    /// |x − c|² = |x|² − 2 Σ_j c_{j y_j} + |c|².
    fn distance(&self, row: usize, centre: &[f64]) -> f64 {
        let Some((_, observed)) = &self.rows else { return 0.0 };
        let labels = observed.row(row);
        let product: f64 = labels.iter().map(|&label| centre[label as usize]).sum();
        let square: f64 = centre.iter().map(|value| value * value).sum();
        (labels.len() as f64 - 2.0 * product + square).max(0.0)
    }

    /// Every row to its nearest centre, staying where it is among equals; rows that moved, sizes and sums of the
    /// clusters.
    fn assign(&mut self) -> Vec<f64> {
        let clusters = self.centres.len();
        let mut sums = vec![0.0; 1 + clusters * (1 + self.all_labels)];
        let Some((ensemble, observed)) = &self.rows else { return sums };
        let margin = 1e-12 * ensemble.columns() as f64;
        let squares: Vec<f64> = self.centres.iter().map(|centre| centre.iter().map(|c| c * c).sum()).collect();
        for row in 0..ensemble.rows() {
            let closeness = |cluster: usize| {
                let centre = &self.centres[cluster];
                let product: f64 = observed.row(row).iter().map(|&label| centre[label as usize]).sum();
                product - 0.5 * squares[cluster]
            };
            let own = if self.labels[row] == u32::MAX { 0 } else { self.labels[row] as usize };
            let mut best = (own, closeness(own));
            for cluster in 0..clusters {
                let here = closeness(cluster);
                if here > best.1 + margin {
                    best = (cluster, here);
                }
            }
            let label = u32::try_from(best.0).expect("fewer clusters than u32 values");
            sums[0] += f64::from(u8::from(self.labels[row] != label));
            self.labels[row] = label;
            let weight = f64::from(ensemble.weights()[row]);
            sums[1 + best.0] += weight;
            let sum = &mut sums[1 + clusters + best.0 * self.all_labels..][..self.all_labels];
            observed.row(row).iter().for_each(|&label| sum[label as usize] += weight);
        }
        sums
    }

    /// New centres from the sums over all parties; says whether an empty cluster got another place.
    fn update(&mut self, sums: &[f64], transport: &mut dyn Transport) -> Result<bool, Stopped> {
        let clusters = self.centres.len();
        let (sizes, sums) = sums[1..].split_at(clusters);
        for (cluster, centre) in self.centres.iter_mut().enumerate().filter(|(cluster, _)| sizes[*cluster] > 0.0) {
            let sum = &sums[cluster * self.all_labels..][..self.all_labels];
            centre.iter_mut().zip(sum).for_each(|(mean, sum)| *mean = sum / sizes[cluster]);
        }
        match sizes.iter().position(|&size| size == 0.0) {
            Some(empty) => self.refill(empty, transport),
            None => Ok(false),
        }
    }

    /// Puts an empty cluster at the row farthest from its centre, wherever that is.
    fn refill(&mut self, empty: usize, transport: &mut dyn Transport) -> Result<bool, Stopped> {
        let me = transport.party();
        let distance = |row: usize| self.distance(row, &self.centres[self.labels[row] as usize]);
        let own = (0..self.labels.len()).map(|row| (row, distance(row))).reduce(|a, b| if b.1 > a.1 { b } else { a });
        let mut farthest = vec![0.0; transport.parties()];
        farthest[me] = own.map_or(0.0, |(_, distance)| distance);
        ring::total(transport, &mut farthest)?;
        let owner =
            (0..farthest.len()).fold(0, |best, party| if farthest[party] > farthest[best] { party } else { best });
        if farthest[owner] <= 0.0 {
            return Ok(false);
        }
        let mut place = match own {
            Some((row, _)) if owner == me => self.one_hot(row),
            _ => vec![0.0; self.all_labels],
        };
        ring::broadcast(transport, owner, &mut place)?;
        self.centres[empty] = place;
        Ok(true)
    }

    /// Weighted squared distances of the own rows to their clusters' centres.
    fn sum_of_squares(&self) -> f64 {
        let Some((ensemble, _)) = &self.rows else { return 0.0 };
        let weighted = |row: usize| {
            f64::from(ensemble.weights()[row]) * self.distance(row, &self.centres[self.labels[row] as usize])
        };
        (0..ensemble.rows()).map(weighted).sum()
    }
}

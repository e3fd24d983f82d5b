//! Of labels: base clusterings and objects, drawn again and combined by a consensus method.

use rand::RngExt;
use rand::seq::SliceRandom;

use super::judge::SetCurves;
use super::{ConsensusCdf, LEAST, PairTally, Stability, StabilityPlan, Unstable, sample};
use crate::consensus::{Consensus, Halt, MethodInfo, Shape, Solution, Task};
use crate::ensemble::{Ensemble, Labels};
use crate::params::Params;
use crate::seed::Id;

/// The share of the objects in a draw, Monti's.
const SHARE: f64 = 0.8;

/// How stable each number of clusters of an ensemble is, by a method that is told k.
///
/// # Errors
/// When there is too little to draw from, the method cannot go on, or time is up.
pub fn of_labels(
    ensemble: &Ensemble,
    method: &'static MethodInfo,
    params: &Params,
    plan: &StabilityPlan,
) -> Result<Stability, Unstable> {
    let id = Id::of("stability of labels", &[&plan.seed.to_le_bytes()]);
    let objects = ensemble.objects();
    let chosen = plan.looked_at(objects, &mut id.rng("objects")).map(|chosen| ensemble.of_objects(&chosen));
    let looked_at = chosen.as_ref().unwrap_or(ensemble);
    if looked_at.rows() == 1 {
        return Err(Unstable::OneRow);
    }
    let sampled = (SHARE * looked_at.objects() as f64).round() as usize;
    let mut counts = plan.counts(objects, sampled)?;
    // There are no more clusters than distinct rows, and there are two.
    counts.retain(|&clusters| clusters <= looked_at.rows());
    let columns: Vec<Labels> = (0..looked_at.columns()).map(|column| looked_at.column(column)).collect();
    let source = LabelDraws { id, method, params, plan, counts: &counts, sampled };
    let curves = plan.each_set(|set| match set {
        0 => source.curves(&columns),
        reference => source.curves(&permuted(&columns, &id, reference)),
    })?;
    Ok(SetCurves { counts: &counts, curves, objects, looked_at: looked_at.objects(), draws: plan.draws }.judge())
}

/// The operations of the method for all draws of [`of_labels`], roughly: what is drawn from depends on the ensemble and the plan alone,
/// so that whoever bounds them asks for the same draws on every machine.
#[must_use]
pub fn operations_of_labels(ensemble: &Ensemble, method: &dyn Consensus, plan: &StabilityPlan) -> f64 {
    let sampled = (SHARE * ensemble.objects().min(plan.objects) as f64).round();
    let most = plan.largest.min(ensemble.rows()).min(sampled as usize / 2);
    let of_count = |clusters: usize| {
        let shape = Shape::of(ensemble, Some(clusters));
        method.operations(&Shape { objects: sampled, rows: shape.rows.min(sampled), ..shape })
    };
    let of_draw: f64 = (LEAST..=most).map(of_count).sum();
    of_draw * plan.draws as f64 * (plan.references + 1) as f64
}

/// How draws are combined.
struct LabelDraws<'a> {
    id: Id,
    method: &'static MethodInfo,
    params: &'a Params,
    plan: &'a StabilityPlan<'a>,
    counts: &'a [usize],
    sampled: usize,
}

impl LabelDraws<'_> {
    fn curves(&self, columns: &[Labels]) -> Result<Vec<ConsensusCdf>, Unstable> {
        let mut found: Vec<Vec<Labels>> = self.counts.iter().map(|_| Vec::with_capacity(self.plan.draws)).collect();
        for draw in 0..self.plan.draws {
            for (of_count, labels) in found.iter_mut().zip(self.draw(columns, draw)?) {
                of_count.push(labels);
            }
        }
        let curve = |columns: Vec<Labels>| Ok(PairTally::of(&ensemble_of(&columns)?).cdf());
        found.into_iter().map(curve).collect()
    }

    /// The consensus of one draw, for each number of clusters. The draws are the same for the labels and for every reference.
    fn draw(&self, columns: &[Labels], draw: usize) -> Result<Vec<Labels>, Halt> {
        self.plan.watch.check()?;
        let id = Id::of("draw", &[self.id.bytes(), &(draw as u64).to_le_bytes()]);
        let objects = sample(columns[0].len(), self.sampled, &mut id.rng("objects"));
        let mut rng = id.rng("columns");
        let of_objects =
            |column: &Labels| Labels::from_codes(objects.iter().map(|&object| column.codes()[object]).collect());
        let drawn = (0..columns.len()).map(|_| of_objects(&columns[rng.random_range(0..columns.len())]));
        // What labels none of these objects says nothing of them.
        let drawn: Vec<Labels> = drawn.filter(|column| column.clusters() > 0).collect();
        if drawn.is_empty() {
            return Err(Halt::Failed("there are too few labels to draw from".to_owned()));
        }
        let ensemble = ensemble_of(&drawn)?;
        let task = Task { ensemble: &ensemble, clusters: None, repeat: 0, id, watch: self.plan.watch.clone() };
        let mut found = Vec::with_capacity(self.counts.len());
        self.method.make(self.params).combine_each(&task, self.counts, &mut |solution: Solution| {
            let mut codes = vec![Labels::MISSING; columns[0].len()];
            for (&object, &label) in objects.iter().zip(solution.partition.labels()) {
                codes[object] = label;
            }
            found.push(Labels::from_codes(codes));
            Ok(())
        })?;
        Ok(found)
    }
}

fn ensemble_of(columns: &[Labels]) -> Result<Ensemble, Halt> {
    Ensemble::from_columns(columns).map_err(|error| Halt::Failed(error.to_string()))
}

/// Every base clustering with its labels dealt to the objects anew: clusters of the same sizes that have nothing in common.
fn permuted(columns: &[Labels], id: &Id, reference: usize) -> Vec<Labels> {
    let mut rng = Id::of("reference", &[id.bytes(), &(reference as u64).to_le_bytes()]).rng("order");
    let permuted = columns.iter().map(|column| {
        let mut codes = column.codes().to_vec();
        codes.shuffle(&mut rng);
        Labels::from_codes(codes)
    });
    permuted.collect()
}

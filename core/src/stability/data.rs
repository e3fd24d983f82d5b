//! Of features: subsamples of the objects, clustered by a generator.

use super::judge::SetCurves;
use super::{ConsensusCdf, PairTally, Stability, StabilityPlan, Unstable};
use crate::data::{Dataset, Matrix};
use crate::ensemble::{Ensemble, Labels};
use crate::generate::{self, GenerateError, GeneratorInfo, Which};
use crate::normal::standard_normal;
use crate::params::{Params, Raw};
use crate::seed::Id;

/// How stable each number of clusters of a dataset is, by a generator with a `k` that clusters samples. The columns are those of
/// `conclave ensemble` with the same seed and parameters.
///
/// # Errors
/// When the data cannot be clustered this way, or time is up.
pub fn of_data(
    dataset: &Dataset,
    generator: &'static GeneratorInfo,
    params: &Params,
    plan: &StabilityPlan,
) -> Result<Stability, Unstable> {
    let id = Id::of("stability of data", &[&plan.seed.to_le_bytes(), dataset.id.bytes()]);
    let objects = dataset.features.rows();
    let chosen = plan.looked_at(objects, &mut id.rng("objects")).map(|rows| {
        let features = dataset.features.select(&rows);
        Dataset::new(dataset.label.clone(), features, None)
    });
    let data = chosen.as_ref().unwrap_or(dataset);
    let looked_at = data.features.rows();
    if !params.values().contains_key("resample") {
        return Err(GenerateError::from(format!("{} does not cluster samples of the objects", generator.name)).into());
    }
    let sampled = match params.choice("resample") {
        "subsample" => (params.real("share") * looked_at as f64).round() as usize,
        _ => looked_at,
    };
    let counts = plan.counts(objects, sampled)?;
    let source = DataDraws { generator, params, plan, counts: &counts };
    let curves = plan.each_set(|set| match set {
        0 => source.curves(data),
        reference => {
            let features = without_clusters(&data.features, &id, reference)?;
            source.curves(&Dataset::new("reference", features, None))
        }
    })?;
    Ok(SetCurves { counts: &counts, curves, objects, looked_at, draws: plan.draws }.judge())
}

/// How clusterings are made.
struct DataDraws<'a> {
    generator: &'static GeneratorInfo,
    params: &'a Params,
    plan: &'a StabilityPlan<'a>,
    counts: &'a [usize],
}

impl DataDraws<'_> {
    fn curves(&self, data: &Dataset) -> Result<Vec<ConsensusCdf>, Unstable> {
        self.counts.iter().map(|&clusters| self.curve(data, clusters)).collect()
    }

    fn curve(&self, data: &Dataset, clusters: usize) -> Result<ConsensusCdf, Unstable> {
        let Self { generator, plan, .. } = self;
        let refused = |reason: String| Unstable::Refused(GenerateError::from(reason));
        let declared = generator.parameters.iter().find(|parameter| parameter.name == "k");
        let declared = declared.ok_or_else(|| refused("the generator has no number of clusters".to_owned()))?;
        let mut params = self.params.clone();
        params
            .set(declared, declared.check(&Raw::Integer(clusters as i64)).map_err(|error| refused(error.to_string()))?);
        let id = generator.ensemble_id(&params, data, &Which { seed: plan.seed, index: Some(0) })?;
        let maker = generator.make(&params, data)?;
        let columns = (0..plan.draws).map(|column| {
            plan.watch.check()?;
            Ok(generate::column(maker.as_ref(), id, column)?)
        });
        let columns = columns.collect::<Result<Vec<Labels>, Unstable>>()?;
        let ensemble = Ensemble::from_columns(&columns).map_err(|error| refused(error.to_string()))?;
        Ok(PairTally::of(&ensemble).cdf())
    }
}

/// As many objects, normal, with the mean and the covariance of these: c + Σ_i z_i (x_i − c) / √(N − 1) for standard normal z. On the
/// principal components that is a normal variate with the standard deviation of each.
fn without_clusters(features: &Matrix, id: &Id, reference: usize) -> Result<Matrix, GenerateError> {
    let (objects, columns) = (features.rows(), features.columns());
    let mut rng = Id::of("reference", &[id.bytes(), &(reference as u64).to_le_bytes()]).rng("normal");
    let mut centre = vec![0.0; columns];
    for object in 0..objects {
        centre.iter_mut().zip(features.row(object)).for_each(|(sum, value)| *sum += value / objects as f64);
    }
    let scale = 1.0 / ((objects - 1) as f64).sqrt();
    let centred: Vec<f64> = features
        .values()
        .chunks(columns)
        .flat_map(|row| row.iter().zip(&centre))
        .map(|(value, mean)| (value - mean) * scale)
        .collect();
    let mut values = Vec::with_capacity(objects * columns);
    for _ in 0..objects {
        let start = values.len();
        values.extend_from_slice(&centre);
        for row in centred.chunks(columns) {
            let z = standard_normal(&mut rng);
            values[start..].iter_mut().zip(row).for_each(|(sum, value)| *sum += z * value);
        }
    }
    Ok(Matrix::new(columns, values)?)
}

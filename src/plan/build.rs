//! Jobs, variants and cells, each once, with their identities.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Cell, Job, MethodRun, Variant};
use crate::consensus::Runs;
use crate::data::Dataset;
use crate::params::CountTrial;
use crate::seed::Id;
use crate::spec::{CellPlace, EnsembleSetting, MethodSetting, MethodSource, Setting};

/// What is planned so far, and where to find it by its identity.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) jobs: Vec<Job>,
    job_of: HashMap<Id, usize>,
    variant_of: HashMap<Id, (usize, usize)>,
    cell_of: HashMap<Id, (usize, usize, usize)>,
}

impl Builder {
    pub(super) fn job(&mut self, base: Id, dataset: &Arc<Dataset>, kind: &EnsembleSetting, index: u32) -> usize {
        let pooled = kind.pool.is_some();
        let identity = Id::of("job", &[base.bytes(), &index.to_le_bytes()]);
        *self.job_of.entry(identity).or_insert_with(|| {
            self.jobs.push(Job {
                base,
                pooled,
                dataset: Arc::clone(dataset),
                generator: kind.generator,
                params: kind.params.clone(),
                index,
                variants: Vec::new(),
            });
            self.jobs.len() - 1
        })
    }

    pub(super) fn variant(&mut self, job: usize, setting: &Setting, kind: &EnsembleSetting) -> (usize, usize) {
        let Job { base, index, .. } = self.jobs[job];
        let columns: Vec<usize> = match kind.pool {
            Some(pool) => pool.columns(index, kind.size, setting.mask.coupling, base),
            None => (0..kind.size).collect(),
        };
        let spelled: Vec<u8> = columns.iter().flat_map(|column| (*column as u64).to_le_bytes()).collect();
        let unmasked = Id::of("columns", &[base.bytes(), &index.to_le_bytes(), &spelled]);
        let (mask, holdout) = (setting.mask.identity(), setting.holdout.identity());
        let mut parts: Vec<&[u8]> = vec![unmasked.bytes(), mask.as_bytes()];
        if !holdout.is_empty() {
            parts.push(holdout.as_bytes());
        }
        let ensemble = Id::of("variant", &parts);
        *self.variant_of.entry(ensemble).or_insert_with(|| {
            let variants = &mut self.jobs[job].variants;
            variants.push(Variant {
                ensemble,
                columns,
                unmasked,
                mask: setting.mask,
                holdout: setting.holdout,
                cells: Vec::new(),
            });
            (job, variants.len() - 1)
        })
    }

    pub(super) fn cells(
        &mut self,
        (job, variant): (usize, usize),
        setting: &MethodSetting,
        run: &Arc<MethodRun>,
        place: CellPlace,
        dataset: &Dataset,
    ) {
        let cells = &mut self.jobs[job].variants[variant];
        let resolved = setting.clusters.as_ref().map(|wanted| {
            let resolved = wanted.rule.resolve(dataset.population());
            (wanted.trial, resolved.expect("the spec's check resolved this rule"))
        });
        let clusters = resolved.as_ref().map(|(_, resolved)| resolved.largest());
        let best_over: Option<Arc<[usize]>> = resolved
            .filter(|(trial, _)| *trial == CountTrial::BestOver)
            .map(|(_, resolved)| resolved.in_order().into_iter().collect());
        let repeats = match setting.method.runs() {
            Runs::Repeats => setting.repeats,
            Runs::Columns => u32::try_from(cells.columns.len()).expect("sizes are small"),
        };
        for repeat in 0..repeats {
            let mut id = cell_id(cells.ensemble, setting, clusters, repeat);
            let mut seed = cell_seed(cells.ensemble, &setting.method, clusters, repeat);
            if let Some(tried) = &best_over {
                let tried: Vec<u8> = tried.iter().flat_map(|clusters| (*clusters as u64).to_le_bytes()).collect();
                id = Id::of("best over clusters", &[id.bytes(), &tried]);
                // The range does not matter to what one number of it finds.
                seed = cell_seed(cells.ensemble, &setting.method, None, repeat);
            }
            match self.cell_of.get(&id) {
                Some(&(_, _, known)) => cells.cells[known].places.push(place),
                None => {
                    self.cell_of.insert(id, (job, variant, cells.cells.len()));
                    cells.cells.push(Cell {
                        id,
                        seed,
                        run: Arc::clone(run),
                        clusters,
                        best_over: best_over.clone(),
                        repeat,
                        places: vec![place],
                    });
                }
            }
        }
    }
}

/// Seeds a run. A distributed form of a method has the seed of the method itself: exact forms take the same steps.
fn cell_seed(ensemble: Id, method: &MethodSource, clusters: Option<usize>, repeat: u32) -> Id {
    let clusters = clusters.map_or(0, |clusters| clusters as u64).to_le_bytes();
    Id::of("run", &[ensemble.bytes(), method.family().as_bytes(), &clusters, &repeat.to_le_bytes()])
}

/// Hashes everything that can change a cell's number.
fn cell_id(ensemble: Id, setting: &MethodSetting, clusters: Option<usize>, repeat: u32) -> Id {
    let clusters = clusters.map_or(0, |clusters| clusters as u64).to_le_bytes();
    let repeat = repeat.to_le_bytes();
    match &setting.method {
        MethodSource::Listed { info, params } => {
            let (version, params) = (info.version.to_le_bytes(), params.identity(info.parameters));
            let parts = [ensemble.bytes(), info.name.as_bytes(), &version, params.as_bytes(), &clusters, &repeat];
            Id::of("cell", &parts)
        }
        MethodSource::Program(program) => {
            Id::of("cell of a program", &[ensemble.bytes(), program.identity().as_bytes(), &clusters, &repeat])
        }
    }
}

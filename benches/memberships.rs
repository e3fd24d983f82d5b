//! `peace` and `be` at n = 2,000 and K = 10 with no two objects alike, one start on one thread.

use std::hint::black_box;

use conclave::consensus::{self, Task, Watch};
use conclave::ensemble::{Ensemble, Labels};
use conclave::params::{Params, Value};
use conclave::seed::Id;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use rand::RngExt;

const OBJECTS: u32 = 2_000;
const COLUMNS: usize = 20;
const CLUSTERS: u32 = 10;

/// Noisy copies of ten clusters, with a share of the labels missing.
fn ensemble(missing: f64) -> Ensemble {
    let mut rng = Id::of("bench", &[]).rng("labels");
    let mut label = |object: u32| {
        let label = if rng.random_bool(0.3) { rng.random_range(0..CLUSTERS) } else { object % CLUSTERS };
        (!rng.random_bool(missing)).then_some(label)
    };
    let columns: Vec<Labels> =
        (0..COLUMNS).map(|_| Labels::from_options((0..OBJECTS).map(&mut label).collect::<Vec<_>>())).collect();
    Ensemble::from_columns(&columns).expect("every column has labels")
}

fn one_start(method: &str, ensemble: &Ensemble) -> f64 {
    let info = consensus::find(method).expect("the method is registered");
    let restarts = info.parameters.iter().find(|parameter| parameter.name == "restarts").expect("both have starts");
    let mut params = Params::defaults(info.parameters);
    params.set(restarts, Value::Integer(1));
    let id = Id::of("bench", &[]);
    let task = Task { ensemble, clusters: Some(CLUSTERS as usize), repeat: 0, id, watch: Watch::default() };
    let solution = info.make(&params).combine(&task).expect("there is no deadline");
    solution.objective.map_or(0.0, |objective| objective.value)
}

fn starts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("one start, 2000 objects, 20 columns, k = 10");
    group.sample_size(10);
    for (share, missing) in [("complete", 0.0), ("20 % missing", 0.2)] {
        let ensemble = ensemble(missing);
        for method in ["peace", "be"] {
            group.bench_with_input(BenchmarkId::new(method, share), &ensemble, |bencher, ensemble| {
                bencher.iter(|| one_start(method, black_box(ensemble)));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, starts);
criterion_main!(benches);

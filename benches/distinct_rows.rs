//! The time of the mixture model and of variational BCE goes with distinct rows, not with objects (METHODS §0).
//!
//! Both curves: objects grow while distinct rows stay, and distinct rows grow while objects stay.

use std::hint::black_box;

use conclave::consensus::{self, Task, Watch};
use conclave::ensemble::{Ensemble, Labels};
use conclave::params::{Params, Raw};
use conclave::seed::Id;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use rand::RngExt;

const COLUMNS: usize = 20;
const CLUSTERS: u32 = 5;

/// An ensemble of `objects` rows drawn from `distinct` different ones: noisy copies of a five-cluster truth.
fn ensemble(objects: usize, distinct: usize) -> Ensemble {
    let mut rng = Id::of("bench", &[]).rng("rows");
    let rows: Vec<Vec<u32>> = (0..distinct)
        .map(|row| {
            let truth = row as u32 % CLUSTERS;
            let noisy = |_| if rng.random_bool(0.3) { rng.random_range(0..CLUSTERS) } else { truth };
            (0..COLUMNS).map(noisy).collect()
        })
        .collect();
    let column =
        |column: usize| Labels::from_codes((0..objects).map(|object| rows[object % distinct][column]).collect());
    let columns: Vec<Labels> = (0..COLUMNS).map(column).collect();
    Ensemble::from_columns(&columns).expect("every object has every label")
}

/// One start and a fixed number of EM iterations, so that only the size differs.
fn fit(method: &str, ensemble: &Ensemble) -> f64 {
    let info = consensus::find(method).expect("the method is registered");
    let mut params = Params::defaults(info.parameters);
    let fixed = [("restarts", Raw::Integer(1)), ("iterations", Raw::Integer(20)), ("tolerance", Raw::Real(1e-300))];
    for (name, raw) in fixed {
        let parameter = info.parameters.iter().find(|parameter| parameter.name == name);
        let parameter = parameter.expect("both methods have it");
        params.set(parameter, parameter.check(&raw).expect("within its bounds"));
    }
    let id = Id::of("bench", &[]);
    let task = Task { ensemble, clusters: Some(CLUSTERS as usize), repeat: 0, id, watch: Watch::default() };
    let solution = info.make(&params).combine(&task).expect("there is no deadline");
    solution.objective.map_or(0.0, |objective| objective.value)
}

fn curves(criterion: &mut Criterion) {
    for method in ["mm", "v-bce"] {
        let mut group = criterion.benchmark_group(format!("{method}, 20 iterations, 20 columns, k = 5"));
        group.sample_size(10);
        for objects in [2_000, 19_020, 100_000] {
            let ensemble = ensemble(objects, 100);
            let id = BenchmarkId::new("100 distinct rows, objects", objects);
            group.bench_with_input(id, &ensemble, |bencher, ensemble| {
                bencher.iter(|| fit(method, black_box(ensemble)));
            });
        }
        for distinct in [100, 1_000, 19_020] {
            let ensemble = ensemble(19_020, distinct);
            let id = BenchmarkId::new("19020 objects, distinct rows", distinct);
            group.bench_with_input(id, &ensemble, |bencher, ensemble| {
                bencher.iter(|| fit(method, black_box(ensemble)));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, curves);
criterion_main!(benches);

//! Prints the cut that HGPA reaches: `hypergraph_cut LABELS.csv K [SEED]`, a header and then a row of labels for each
//! object, empty where one is missing. Prints the cut, the size of the largest cluster and the milliseconds it took.
//! Used by `benches/peers/run hypergraph` to compare with KaHyPar.

use std::time::Instant;

use conclave::consensus::{self, Task, Watch};
use conclave::ensemble::EnsembleBuilder;
use conclave::seed::Id;

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, clusters, seed @ ..] = arguments.as_slice() else {
        return Err("usage: hypergraph_cut LABELS.csv K [SEED]".to_owned());
    };
    let clusters: usize = clusters.parse().map_err(|error| format!("{clusters}: {error}"))?;
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let mut lines = text.lines();
    let columns = lines.next().map_or(0, |header| header.split(',').count());
    let mut builder = EnsembleBuilder::new(columns);
    for line in lines {
        let labels = line.split(',').map(|label| Some(label).filter(|label| !label.is_empty()));
        builder.push(labels).map_err(|error| error.to_string())?;
    }
    let ensemble = builder.finish().map_err(|error| error.to_string())?;
    let method = consensus::find("hgpa").ok_or("hgpa is not there")?;
    let id = Id::of("hypergraph_cut", &[seed.first().map_or("1", String::as_str).as_bytes()]);
    let task = Task { ensemble: &ensemble, clusters: Some(clusters), repeat: 0, id, watch: Watch::default() };
    let started = Instant::now();
    let combined = method.make_default().combine(&task);
    let milliseconds = 1000.0 * started.elapsed().as_secs_f64();
    let solution = combined.map_err(|error| error.to_string())?;
    let mut sizes = vec![0; solution.partition.clusters()];
    solution.partition.labels().iter().for_each(|&label| sizes[label as usize] += 1);
    let cut = solution.objective.map_or(f64::NAN, |objective| objective.value);
    println!("{cut} {} {milliseconds:.1}", sizes.iter().max().copied().unwrap_or(0));
    Ok(())
}

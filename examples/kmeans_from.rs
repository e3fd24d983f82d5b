//! Prints the sums of squares of k-means from given starts: `kmeans_from DATASET STARTS.csv`, a line of object numbers (from
//! 0) for each run. Used by `benches/peers/run base` to compare with scikit-learn from the same starts.

use conclave::cluster::kmeans_from;
use conclave::data::{Catalog, DatasetChoice};

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let (Some(name), Some(starts)) = (arguments.next(), arguments.next()) else {
        return Err("usage: kmeans_from DATASET STARTS.csv".to_owned());
    };
    let dataset = Catalog::locate(None).load(&DatasetChoice::named(&name), 1).map_err(|error| error.to_string())?;
    let starts = std::fs::read_to_string(starts).map_err(|error| error.to_string())?;
    for line in starts.lines() {
        let start = line.split(',').map(|object| object.trim().parse()).collect::<Result<Vec<usize>, _>>();
        let start = start.map_err(|error| format!("{line}: {error}"))?;
        println!("{}", kmeans_from(&dataset.features, &start).sum_of_squares);
    }
    Ok(())
}

//! Prints the merges of a hierarchical clustering as CSV: `linkage_heights FEATURES.csv LINK`. Used by
//! `benches/peers/run base` to compare heights with SciPy's.

use std::path::PathBuf;

use conclave::cluster::{Linkage, linkage};
use conclave::data::{Catalog, DatasetChoice, Source, UserFile};

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let (Some(path), Some(link)) = (arguments.next(), arguments.next()) else {
        return Err("usage: linkage_heights FEATURES.csv single|average|complete|ward|centroid".to_owned());
    };
    let link = match link.as_str() {
        "single" => Linkage::Single,
        "average" => Linkage::Average,
        "complete" => Linkage::Complete,
        "ward" => Linkage::Ward,
        "centroid" => Linkage::Centroid,
        other => return Err(format!("no link is named `{other}`")),
    };
    let source = Source::File(UserFile { path: PathBuf::from(path), ..UserFile::default() });
    let choice = DatasetChoice { source, ..DatasetChoice::named("features") };
    let dataset = Catalog::locate(None).load(&choice, 1).map_err(|error| error.to_string())?;
    println!("height,size");
    for merge in linkage(&dataset.features, link).merges() {
        println!("{},{}", merge.height, merge.size);
    }
    Ok(())
}

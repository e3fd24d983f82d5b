//! Generators: those of the core, and the one that reads base clusterings from a file.

mod labels;

use std::sync::LazyLock;

pub use conclave_core::generate::{
    ColumnCache, Coupling, GenerateError, Generator, GeneratorInfo, Holdout, LabelOrigin, Made, Mask, Pool, PoolDraw,
    Split, Spread, Strata, Which, column,
};

/// Every generator, by name.
#[must_use]
pub fn all() -> &'static [&'static GeneratorInfo] {
    static ALL: LazyLock<Vec<&'static GeneratorInfo>> = LazyLock::new(|| {
        let mut all: Vec<&GeneratorInfo> = conclave_core::generate::all().to_vec();
        all.push(&labels::INFO);
        all.sort_by_key(|info| info.name);
        all
    });
    &ALL
}

/// The generator of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static GeneratorInfo> {
    all().iter().copied().find(|info| info.name == name)
}

//! The reader of specs must take any text: every problem with its place, or a checked experiment, never a panic.

#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use conclave::data::Catalog;
use conclave::spec::{PAPER_SCALE, Spec};
use libfuzzer_sys::fuzz_target;

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| Catalog::locate(None));

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    // A spec may name files, and those outside the project are not ours to open.
    if text.contains("path") || text.contains("file") {
        return;
    }
    let checked = Spec::parse(Path::new("fuzz.toml"), text.to_owned())
        .and_then(|spec| spec.check(PAPER_SCALE, &CATALOG).map(|experiment| experiment.name.clone()));
    if let Err(problems) = checked {
        assert!(!problems.to_string().is_empty());
    }
});

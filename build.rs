//! Notes the git revision the program is built from, for the provenance of results, and packs the datasets and specs that are
//! part of the program.

use std::fmt::Write as _;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::Command;

/// What is packed: the tables and descriptions in these folders.
const FOLDERS: [&str; 2] = ["datasets", "experiments"];
const ENDINGS: [&str; 2] = ["csv", "toml"];

/// The best that deflate does.
const LEVEL: u8 = 10;

fn main() {
    note_revision();
    pack_bundle();
}

fn note_revision() {
    let revision = git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_else(|| "unknown".to_owned());
    let changes = git(&["status", "--porcelain", "--", "src", "core", "build.rs", "Cargo.toml", "Cargo.lock"]);
    let dirty = changes.is_some_and(|changes| !changes.is_empty());
    println!("cargo::rustc-env=CONCLAVE_REVISION={revision}");
    println!("cargo::rustc-env=CONCLAVE_DIRTY={dirty}");
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=core");
    println!("cargo::rerun-if-changed=build.rs");
    if let Some(folder) = git(&["rev-parse", "--git-dir"]) {
        println!("cargo::rerun-if-changed={folder}/HEAD");
        println!("cargo::rerun-if-changed={folder}/logs/HEAD");
    }
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Writes `bundle.bin`, every file compressed on its own, one after another in the order of their paths, and `bundle.rs`, which says
/// where each begins and ends. Nothing is compressed again while no file changes.
fn pack_bundle() {
    let mut files = Vec::new();
    for folder in FOLDERS {
        println!("cargo::rerun-if-changed={folder}");
        collect(Path::new(folder), &mut files);
    }
    files.sort();
    let out = std::env::var("OUT_DIR").expect("cargo says where to write");
    let out = Path::new(&out);
    let mut hasher = DefaultHasher::new();
    (LEVEL, include_str!("build.rs"), &files).hash(&mut hasher);
    let key = format!("{:016x}", hasher.finish());
    if fs::read_to_string(out.join("bundle.key")).is_ok_and(|known| known == key) {
        return;
    }
    let mut packed = Vec::new();
    let mut table = "[\n".to_owned();
    for (path, bytes) in &files {
        let start = packed.len();
        packed.extend(miniz_oxide::deflate::compress_to_vec(bytes, LEVEL));
        let (length, end) = (bytes.len(), packed.len());
        writeln!(table, "BundledFile {{ path: {path:?}, length: {length}, packed: {start}..{end} }},")
            .expect("writing to a string cannot fail");
    }
    table.push_str("]\n");
    write(&out.join("bundle.bin"), &packed);
    write(&out.join("bundle.rs"), table.as_bytes());
    // Last, so that what it stands for is there.
    write(&out.join("bundle.key"), key.as_bytes());
}

/// The files of a folder and of those in it, under paths with `/` between their parts.
fn collect(folder: &Path, files: &mut Vec<(String, Vec<u8>)>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with('.') {
            continue;
        }
        let is_wanted = path.extension().is_some_and(|ending| ENDINGS.iter().any(|wanted| ending == *wanted));
        if path.is_dir() {
            collect(&path, files);
        } else if is_wanted {
            let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let parts: Vec<&str> = path.iter().map(|part| part.to_str().expect("our files have plain names")).collect();
            files.push((parts.join("/"), bytes));
        }
    }
}

fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

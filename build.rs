//! Notes the git revision the program is built from, for the provenance of results.

use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn main() {
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

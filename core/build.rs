//! Builds what METIS keeps for each thread (src/graph/metis_threads.c), and links all of it before METIS's own.

fn main() {
    let source = "src/graph/metis_threads.c";
    println!("cargo::rerun-if-changed={source}");
    cc::Build::new().file(source).link_lib_modifier("+whole-archive").compile("metis_threads");
}

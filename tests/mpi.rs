//! Real `mpirun`s of `conclave party`. They need a build with the feature `mpi` and an MPI installation, and say so when
//! they are skipped.

fn conclave() -> std::process::Command {
    std::process::Command::new(env!("CARGO_BIN_EXE_conclave"))
}

#[cfg(not(feature = "mpi"))]
#[test]
fn ranks_need_a_build_with_mpi() {
    eprintln!("skipped: built without MPI; run `cargo test --features mpi --test mpi`");
    let output = conclave().args(["party", "labels.csv", "--method", "mm-rows", "-k", "2"]).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("--features mpi"), "{message}");
}

#[cfg(feature = "mpi")]
mod ranks {
    use std::path::Path;
    use std::process::{Command, Output, Stdio};
    use std::time::{Duration, Instant};

    use serde_json::Value;

    use super::conclave;

    /// `mpirun -n RANKS conclave`, or `None` with a word about it where there is no mpirun.
    fn mpirun(ranks: usize, folder: &Path) -> Option<Command> {
        if Command::new("mpirun").arg("--version").output().is_err() {
            eprintln!("skipped: there is no mpirun here (Debian: openmpi-bin)");
            return None;
        }
        let mut command = Command::new("mpirun");
        command
            .args(["-n", &ranks.to_string(), "--oversubscribe", env!("CARGO_BIN_EXE_conclave")])
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
            .stdin(Stdio::null())
            .current_dir(folder);
        Some(command)
    }

    fn run(command: &mut Command) -> Output {
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output
    }

    fn json(output: &Output) -> Value {
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// 60 objects in three groups, five columns with a deviating label in every seventh place and one missing in every
    /// eleventh.
    fn labels(folder: &Path) -> Vec<String> {
        let rows: Vec<String> = (0..60)
            .map(|object: usize| {
                let fields = (0..5).map(|column| match (object * 5 + column) % 77 {
                    place if place % 11 == 5 => String::new(),
                    place if place % 7 == 3 => format!("g{}", (object / 20 + 1) % 3),
                    _ => format!("g{}", object / 20),
                });
                format!("o{object},{}", fields.collect::<Vec<_>>().join(","))
            })
            .collect();
        std::fs::write(folder.join("labels.csv"), format!("who,a,b,c,d,e\n{}\n", rows.join("\n"))).unwrap();
        rows
    }

    /// Objects by name and their clusters, from all files of a run.
    fn clusters(folder: &Path, files: &[String]) -> Vec<(String, String)> {
        let mut all: Vec<(String, String)> = Vec::new();
        for file in files {
            let text = std::fs::read_to_string(folder.join(file)).unwrap();
            all.extend(text.lines().skip(1).map(|line| {
                let (object, cluster) = line.split_once(',').unwrap();
                (object.to_owned(), cluster.to_owned())
            }));
        }
        all
    }

    #[test]
    fn ranks_find_what_one_place_finds() {
        let folder = tempfile::tempdir().unwrap();
        labels(folder.path());
        // One place has starts and ways to go on that need all labels; what it has in common with ranks is the paper's.
        let uniform = ["--param", "start=uniform"];
        let pairs: [(&str, &str, &[&str]); 4] = [
            ("v-bce", "v-bce-rows", &[]),
            ("v-bce", "v-bce-columns", &[]),
            ("mm", "mm-rows", &uniform),
            ("mm", "mm-columns", &uniform),
        ];
        for (central, between, only_central) in pairs {
            let mut asked = vec!["-k", "3", "--seed", "5", "--param", "restarts=2", "--json", "--id", "who"];
            if central == "v-bce" {
                asked.extend(["--param", "preset=paper"]);
            }
            let one = conclave()
                .args(["consensus", "labels.csv", "--method", central])
                .args(only_central)
                .args(&asked)
                .current_dir(folder.path())
                .output()
                .unwrap();
            let one = json(&one);
            let Some(mut command) = mpirun(4, folder.path()) else { return };
            let by_rows = between.ends_with("rows");
            let target = if by_rows { "found-{rank}.csv" } else { "found.csv" };
            let ranks =
                run(command.args(["party", "labels.csv", "--method", between]).args(&asked).args(["--output", target]));
            let ranks = json(&ranks);
            let [a, b] = [&one, &ranks].map(|answer| answer["objective"]["value"].as_f64().unwrap());
            assert!((a - b).abs() <= 1e-9 * a.abs(), "{between}: {a} {b}");
            assert_eq!(one["iterations"], ranks["iterations"], "{between}");
            assert_eq!(ranks["objects"], 60);
            let files: Vec<String> = match by_rows {
                true => (0..4).map(|rank| format!("found-{rank}.csv")).collect(),
                false => vec!["found.csv".to_owned()],
            };
            let found = clusters(folder.path(), &files);
            assert_eq!(found.len(), 60, "{between}");
            let labels = one["labels"].as_array().unwrap();
            let mut names = std::collections::BTreeMap::new();
            for (object, cluster) in found {
                // The server knows objects by number, from 1; owners of rows by the name they gave.
                let object: usize = match object.strip_prefix('o') {
                    Some(number) => number.parse().unwrap(),
                    None => object.parse::<usize>().unwrap() - 1,
                };
                let name = names.entry(labels[object].to_string()).or_insert_with(|| cluster.clone());
                assert_eq!(*name, cluster, "{between}, object {object}");
            }
        }
    }

    #[test]
    fn files_of_the_ranks_own_are_as_good_as_one_and_traffic_is_what_the_formula_says() {
        let folder = tempfile::tempdir().unwrap();
        let rows = labels(folder.path());
        for rank in 0..3 {
            let own: Vec<&str> = rows[rank * 20..][..20].iter().map(String::as_str).collect();
            let text = format!("who,a,b,c,d,e\n{}\n", own.join("\n"));
            std::fs::write(folder.path().join(format!("site-{rank}.csv")), text).unwrap();
        }
        let Some(mut command) = mpirun(3, folder.path()) else { return };
        let asked = ["--method", "v-bce-rows", "-k", "3", "--id", "who", "--param", "restarts=1", "--json"];
        let own = json(&run(command.args(["party", "site-{rank}.csv"]).args(asked)));
        let mut command = mpirun(3, folder.path()).expect("it was there a moment ago");
        let shared = json(&run(command.args(["party", "labels.csv"]).args(asked)));
        let [a, b] = [&own, &shared].map(|answer| answer["objective"]["value"].as_f64().unwrap());
        assert!((a - b).abs() <= 1e-9 * a.abs(), "{a} {b}");
        // 2 (P − 1) messages per iteration, each of K ΣJ + K + 4 numbers: one of them is how far γ moved.
        let (parties, clusters, labels) = (3, 3, 15);
        let bytes = 2 * (parties - 1) * 8 * (clusters * labels + clusters + 4);
        assert_eq!(own["traffic"]["bytes_per_iteration"].as_f64(), Some(f64::from(bytes)), "{own}");
        assert!(own["setup_bytes"].as_u64() > Some(0));
    }

    #[test]
    fn distributed_kmeans_runs_over_ranks() {
        let folder = tempfile::tempdir().unwrap();
        labels(folder.path());
        let Some(mut command) = mpirun(4, folder.path()) else { return };
        let asked = ["--method", "kmeans-rows", "-k", "3", "--id", "who", "--json", "--output", "found-{rank}.csv"];
        let answer = json(&run(command.args(["party", "labels.csv"]).args(asked)));
        assert_eq!(answer["converged"], true);
        let files: Vec<String> = (0..4).map(|rank| format!("found-{rank}.csv")).collect();
        assert_eq!(clusters(folder.path(), &files).len(), 60);
    }

    #[test]
    fn a_rank_that_cannot_go_on_ends_all_and_is_named() {
        let folder = tempfile::tempdir().unwrap();
        labels(folder.path());
        let cases = [
            (vec!["party", "site-{rank}.csv", "--method", "mm-rows", "-k", "3"], "site-"),
            (
                vec!["party", "labels.csv", "--method", "mm-rows", "-k", "61", "--id", "who"],
                "there are only 60 objects",
            ),
            (vec!["party", "labels.csv", "--method", "mm", "-k", "3"], "expected one of kmeans-rows"),
            (vec!["party", "labels.csv", "--method", "mm-rows", "-k", "3", "--param", "parties=2"], "leave it out"),
            (
                vec!["party", "labels.csv", "--method", "mm-rows", "-k", "3", "--output", "x.csv"],
                "put {rank} in the name",
            ),
            (
                vec!["party", "labels.csv", "--method", "mm-columns", "-k", "3", "--columns", "a,b"],
                "3 clients cannot share 2",
            ),
        ];
        for (asked, expected) in cases {
            let Some(mut command) = mpirun(4, folder.path()) else { return };
            let output = command.args(&asked).output().unwrap();
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(!output.status.success(), "{asked:?}");
            assert!(message.contains(expected), "{asked:?}: {message}");
            assert!((0..4).any(|rank| message.contains(&format!("rank {rank} of 4: error: "))), "{message}");
        }
    }

    #[test]
    fn a_rank_that_dies_ends_the_run_with_a_message_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        labels(folder.path());
        let Some(mut command) = mpirun(4, folder.path()) else { return };
        let endless = ["--param", "restarts=1000000", "--param", "tolerance=0"];
        let mut child = command
            .args(["party", "labels.csv", "--method", "mm-rows", "-k", "3", "--id", "who"])
            .args(endless)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A second of work is well past the start: mpirun does not name a rank that dies before MPI knows it.
        let victim = wait_for(|| {
            assert_eq!(child.try_wait().unwrap(), None, "the run ended before a rank could be killed");
            process_of_rank(2, folder.path()).filter(|&process| processor_ticks(process) >= 100)
        });
        let killed = Command::new("kill").args(["-9", &victim.to_string()]).status().unwrap();
        assert!(killed.success());
        let status = wait_for(|| child.try_wait().unwrap());
        let mut message = String::new();
        std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut message).unwrap();
        assert!(!status.success());
        assert!(message.contains("rank 2"), "{message}");
    }

    /// Asks again until there is an answer; two minutes without one are a hang.
    fn wait_for<T>(mut ask: impl FnMut() -> Option<T>) -> T {
        let since = Instant::now();
        loop {
            if let Some(answer) = ask() {
                return answer;
            }
            assert!(since.elapsed() < Duration::from_secs(120), "nothing happened for two minutes");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Hundredths of a second of processor time that a process has had.
    fn processor_ticks(process: u32) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
        after_name.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum()
    }

    /// The process that is a rank of the run in `folder`.
    fn process_of_rank(rank: usize, folder: &Path) -> Option<u32> {
        let wanted = format!("OMPI_COMM_WORLD_RANK={rank}");
        std::fs::read_dir("/proc").unwrap().flatten().find_map(|entry| {
            let process: u32 = entry.file_name().to_str()?.parse().ok()?;
            let here = std::fs::read_link(entry.path().join("cwd")).ok()? == folder.canonicalize().ok()?;
            let environment = std::fs::read(entry.path().join("environ")).ok()?;
            let is_rank = environment.split(|&byte| byte == 0).any(|entry| entry == wanted.as_bytes());
            (here && is_rank).then_some(process)
        })
    }
}

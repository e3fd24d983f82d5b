use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Instant;

use mpi::topology::{Communicator, SimpleCommunicator};
use serde::Serialize;

use super::{Outcome, PartyArguments};
use crate::cli::{Problem, outputs, params, refuse_own_input, text};
use crate::consensus::distributed::{Form, RunEnd, Stopped};
use crate::consensus::{self, Consensus, MethodInfo, Parties, Traffic};
use crate::data::{
    AskedThrough, LabelPart, LabelShare, LabelTable, ObjectNames, OutputColumn, Selection, Values, write_table,
};
use crate::files::Target;
use crate::party::{self, Finished, PartyQuestion, Ranks};
use crate::suggest::did_you_mean;

/// What rank 0 prints with `--json`.
#[derive(Debug, Serialize)]
struct RankReport {
    method: &'static str,
    k: usize,
    parties: usize,
    objects: usize,
    objective: ObjectiveValue,
    iterations: usize,
    converged: bool,
    seconds: f64,
    setup_bytes: u64,
    traffic: Exchanged,
}

#[derive(Debug, Serialize)]
struct ObjectiveValue {
    name: &'static str,
    value: f64,
}

#[derive(Debug, Serialize)]
struct Exchanged {
    bytes: u64,
    messages: u64,
    rounds: u64,
    bytes_per_iteration: f64,
    rounds_per_iteration: f64,
    slowest_party_seconds: f64,
    server_seconds: f64,
}

/// Runs the verb as one rank. When a rank cannot go on it says why and ends all of them: the others wait for it.
///
/// # Errors
/// When MPI cannot be used.
pub fn run(arguments: &PartyArguments) -> Outcome {
    let universe = mpi::initialize().ok_or_else(|| Problem::new("MPI was already initialised in this process"))?;
    let world = universe.world();
    let problem = match catch_unwind(AssertUnwindSafe(|| take_part(arguments, &world))) {
        Ok(Ok(())) => return Ok(ExitCode::SUCCESS),
        Ok(Err(problem)) => problem,
        Err(_) => Problem::new("the program panicked; the message is above"),
    };
    eprintln!("rank {} of {}: {problem}", world.rank(), world.size());
    world.abort(2)
}

fn take_part(arguments: &PartyArguments, world: &SimpleCommunicator) -> Result<(), Problem> {
    let place = WorldRank::of(world);
    let method = find_method(&arguments.method)?;
    let params = params::read(&arguments.param, method.parameters, method.name)?;
    if let Some(given) =
        arguments.param.iter().find(|given| given.starts_with("parties=") || given.starts_with("clients="))
    {
        return Err(Problem::new(format!("--param {given}: leave it out; the ranks are the parties")));
    }
    if let Some(output) = arguments.output.as_deref().map(|output| place.in_name(output)) {
        let target = outputs::table("--output", &output)?;
        refuse_own_input(&format!("--output {output}"), &target, &place.in_name(&arguments.labels))?;
    }
    let made = method.make(&params);
    let question = PartyQuestion { clusters: arguments.k.get(), id: method.run_id(arguments.seed) };
    let started = Instant::now();
    let mut ranks = Ranks::of(world);
    let (finished, ids) = ask(arguments, &*made, question, place, &mut ranks)?;
    if let Some(target) = &arguments.output
        && !finished.clusters.is_empty()
    {
        write(target, arguments, method, &finished, ids.as_ref(), place)?;
    }
    if let (0, Some(end)) = (place.rank, finished.end) {
        say(arguments, method, &finished, end, place, started.elapsed().as_secs_f64())?;
    }
    Ok(())
}

/// Which rank this is.
#[derive(Debug, Clone, Copy)]
struct WorldRank {
    rank: usize,
    ranks: usize,
}

impl WorldRank {
    fn of(world: &SimpleCommunicator) -> Self {
        let count = |number: i32| usize::try_from(number).expect("ranks count from 0");
        Self { rank: count(world.rank()), ranks: count(world.size()) }
    }

    fn in_name(self, name: &str) -> String {
        name.replace("{rank}", &self.rank.to_string())
    }
}

fn find_method(name: &str) -> Result<&'static MethodInfo, Problem> {
    let between = || consensus::all().iter().filter(|info| info.accepts.parties != Parties::None);
    between().find(|info| info.name == name).copied().ok_or_else(|| {
        let names: Vec<&str> = between().map(|info| info.name).collect();
        let hint = did_you_mean(name, &names).unwrap_or_default();
        Problem::new(format!("no method between parties is named `{name}`{hint}; expected one of {}", names.join(", ")))
    })
}

/// Reads what this rank owns and runs its program on it.
fn ask(
    arguments: &PartyArguments,
    made: &dyn Consensus,
    question: PartyQuestion,
    place: WorldRank,
    ranks: &mut Ranks,
) -> Result<(Finished, Option<ObjectNames>), Problem> {
    let selection = Selection {
        columns: arguments.columns.clone(),
        id: arguments.id.clone(),
        without: arguments.drop.clone(),
        asked: AskedThrough::RankOptions,
        ..Selection::default()
    };
    let own_file = arguments.labels.contains("{rank}");
    let source = place.in_name(&arguments.labels);
    match made.form().expect("methods between parties have a form for it") {
        Form::Rows(form) => {
            let share = LabelShare::Rows { owner: place.rank, owners: place.ranks };
            let part = LabelPart::read(&source, &selection, if own_file { LabelShare::All } else { share })?;
            let finished = party::of_rows(form, part.names, part.rows, question, ranks).map_err(problem)?;
            Ok((finished, part.ids))
        }
        Form::Columns(_) if place.ranks < 2 => {
            Err(Problem::new("a server and at least one client are needed; start two or more ranks (mpirun -n 2)"))
        }
        Form::Columns(form) if place.rank == 0 => {
            Ok((party::of_columns(form, None, question, ranks).map_err(problem)?, None))
        }
        Form::Columns(form) => {
            let share = LabelShare::Columns { owner: place.rank - 1, owners: place.ranks - 1 };
            let table = LabelTable::read_share(&source, &selection, if own_file { LabelShare::All } else { share })?;
            Ok((party::of_columns(form, Some(table.ensemble), question, ranks).map_err(problem)?, None))
        }
    }
}

fn problem(ended: Stopped) -> Problem {
    match ended {
        Stopped::Halt(halt) => Problem::new(halt.to_string()),
        Stopped::Gone { party } => Problem::new(format!("rank {party} has ended early; its own message says why")),
    }
}

fn write(
    target: &str,
    arguments: &PartyArguments,
    method: &MethodInfo,
    finished: &Finished,
    ids: Option<&ObjectNames>,
    place: WorldRank,
) -> Result<(), Problem> {
    let rows = matches!(method.accepts.parties, Parties::Rows { .. });
    if rows && place.ranks > 1 && !target.contains("{rank}") {
        return Err(Problem::new(format!(
            "--output {target}: every rank writes its own objects; put {{rank}} in the name"
        )));
    }
    // Counted from 1 in the file the objects were read from.
    let shared = rows && !arguments.labels.contains("{rank}");
    let number = |object: usize| if shared { object * place.ranks + place.rank + 1 } else { object + 1 };
    let object = match (ids, &arguments.id) {
        (Some(ids), Some(name)) => {
            OutputColumn { name: name.clone(), values: Values::Texts(Box::new(|object| ids.get(object))) }
        }
        _ => OutputColumn {
            name: "object".to_owned(),
            values: Values::Labels(Box::new(move |object| u32::try_from(number(object)).ok())),
        },
    };
    let cluster = OutputColumn {
        name: "cluster".to_owned(),
        values: Values::Labels(Box::new(|object| Some(finished.clusters[object]))),
    };
    let target = Target::find(place.in_name(target))?;
    Ok(write_table(&target, finished.clusters.len(), &[object, cluster])?)
}

fn say(
    arguments: &PartyArguments,
    method: &MethodInfo,
    finished: &Finished,
    end: RunEnd,
    place: WorldRank,
    seconds: f64,
) -> Result<(), Problem> {
    let Traffic { bytes, messages, rounds, slowest_party_seconds, server_seconds } = finished.counted.traffic;
    let an_iteration = |count: u64| count as f64 / end.spent.max(1) as f64;
    let answer = RankReport {
        method: method.name,
        k: arguments.k.get(),
        parties: place.ranks,
        objects: finished.objects,
        objective: ObjectiveValue { name: method.objective, value: end.objective },
        iterations: end.iterations,
        converged: end.converged,
        seconds,
        setup_bytes: finished.counted.agreeing,
        traffic: Exchanged {
            bytes,
            messages,
            rounds,
            bytes_per_iteration: an_iteration(bytes),
            rounds_per_iteration: an_iteration(rounds),
            slowest_party_seconds,
            server_seconds,
        },
    };
    if arguments.json {
        println!("{}", serde_json::to_string(&answer)?);
        return Ok(());
    }
    eprintln!(
        "{}: {}, {}, {} {:.4}, {}, {seconds:.3} s",
        method.name,
        text::counted(place.ranks, "rank"),
        text::counted(finished.objects, "object"),
        method.objective,
        end.objective,
        text::counted(end.iterations, "iteration"),
    );
    eprintln!(
        "exchanged {bytes} bytes in {messages} messages and {rounds} rounds: {:.0} bytes and {:.1} rounds per iteration",
        answer.traffic.bytes_per_iteration, answer.traffic.rounds_per_iteration
    );
    Ok(())
}

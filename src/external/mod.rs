//! Methods in any language: a program that a spec names runs like a method of the library.
//!
//! # The protocol
//!
//! On standard input the program gets one line of JSON, then one line for each object with its labels, separated by
//! commas, never quoted: whole numbers from 0, nothing where a label is missing.
//!
//! ```text
//! {"k":2,"seed":120584,"rows":4,"columns":3,"repeat":0,"missing":1,"arity":[3,2,2],"params":{"alpha":0.5}}
//! 0,1,0
//! 2,,0
//! 0,0,1
//! 1,1,1
//! ```
//!
//! `k` is `null` for a program that finds it (`clusters = "found"`); `seed` is from 0 to 2³¹ − 1, the same whenever the
//! cell is run; `arity` is the number of clusters of every base clustering; `params` is the spec's table of that name.
//!
//! On standard output it prints one label for each object, in their order: any text, a line each. It ends with exit
//! code 0. Anything else is a failure, with the end of what it wrote to standard error as the reason.
//!
//! With `stream = true` (`stream.rs`) the program stays: it prints a line that ends its answer, and reads the next task.
//!
//! # What is measured
//!
//! The wall-clock seconds, and the most memory that it had at once (`peak.rs`); of a program that stays, only the seconds.
//!
//! # What it may do
//!
//! It runs in the spec's folder (where that is not on disk, in the current one), in a process group of its own, until its
//! deadline; then, when its first process ends, or when the run is stopped or killed, everything it started is killed, also
//! what left the group (`setsid`) or was forked twice: a [`guard`] sees to it, and says what escapes. Where there is none (in
//! a library, without Linux's `/proc`), only the group is killed, and only while conclave lives. The memory ceiling is one of
//! address space, for each of its processes.

pub mod guard;
mod peak;
mod process;
mod protocol;
mod stream;

pub use crate::memory::Memory;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::consensus::{Accepts, Clusters, Consensus, Halt, Shape, Solution, Task};
use crate::ensemble::Partition;
use process::{Invocation, ProgramEnd};
use stream::{IdlePrograms, StreamFailure, StreamTask, StreamedProgram};

/// How long a program may take when the spec does not say.
pub const DEADLINE: Duration = Duration::from_secs(600);

/// A program that combines base clusterings.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its name in results.
    pub name: String,
    /// Part of every cell's identity: another version is computed anew.
    pub version: String,
    /// The program and its arguments, as the spec has them; at least one word.
    pub command: Vec<String>,
    /// Where it runs: the spec's folder, or the current one where that is not on disk.
    pub folder: PathBuf,
    /// Handed through to it.
    pub params: BTreeMap<String, Value>,
    /// What input it takes.
    pub accepts: Accepts,
    /// How much memory each of its processes may have.
    pub memory: Memory,
    /// How it is handed its tasks.
    pub tasks: TaskStream,
}

/// How a program is handed its tasks.
#[derive(Debug, Clone)]
pub struct TaskStream(Option<Arc<IdlePrograms>>);

impl TaskStream {
    /// It is started for each.
    pub const ONE_EACH: Self = Self(None);

    /// It stays, and is handed one after the other; as many run as there are workers, however often a spec has it.
    #[must_use]
    pub fn several(command: &[String], folder: &Path, memory: Memory) -> Self {
        Self(Some(IdlePrograms::of(command, folder, memory)))
    }
}

impl Program {
    /// Everything about it that can change a number, spelled out. Where files are is not part of it.
    #[must_use]
    pub fn identity(&self) -> String {
        let portable = |word: &String| match Path::new(word) {
            path if path.is_absolute() => {
                path.file_name().map_or_else(|| word.clone(), |name| name.display().to_string())
            }
            _ => word.clone(),
        };
        let command: Vec<String> = self.command.iter().map(portable).collect();
        json!([self.name, self.version, command, self.params]).to_string()
    }

    /// Says what went wrong, with what the program itself said about it.
    fn complaint(&self, what: &str, ended: &ProgramEnd) -> String {
        let short_of_memory = ended.was_killed() || ["emory", "alloc"].iter().any(|word| ended.said.contains(word));
        let ceiling = if short_of_memory { format!(" (its `memory` is {})", self.memory) } else { String::new() };
        with_words(format!("the program {what}{ceiling}"), &ended.said)
    }
}

impl Program {
    fn invocation(&self, task: &Task) -> Invocation<'_> {
        let output = protocol::longest_answer(task.ensemble.objects());
        Invocation { command: &self.command, folder: &self.folder, memory: self.memory, output }
    }

    /// The clustering that it printed.
    fn read(&self, task: &Task, printed: &[u8]) -> Result<Partition, String> {
        let most = match self.accepts.clusters {
            Clusters::Given => task.clusters,
            Clusters::Found => None,
        };
        protocol::read_labels(printed, task.ensemble.objects(), most)
    }

    /// Starts it for this task.
    fn run_once(&self, task: &Task) -> Result<(Partition, Option<u64>), Halt> {
        let ended = process::run(&self.invocation(task), protocol::input(task, &self.params), &task.watch)?;
        if let Some(how) = ended.misfortune() {
            return Err(Halt::Failed(self.complaint(&how, &ended)));
        }
        let read = self.read(task, &ended.printed).map_err(|what| Halt::Failed(self.complaint(&what, &ended)))?;
        Ok((read, ended.peak_bytes))
    }

    /// Hands the task to one that is running, or to a new one.
    fn ask(&self, idle: &IdlePrograms, task: &Task) -> Result<Partition, Halt> {
        let invocation = self.invocation(task);
        let (input, seed) = protocol::seeded_input(task, &self.params);
        let asked = StreamTask { input, end: format!("end {seed}"), most: invocation.output };
        if let Some(program) = idle.one() {
            match self.hand_over(idle, program, task, &asked) {
                // It ended after its last answer: that is not this task's fault.
                Err(StreamFailure::Ended(ended)) if ended.printed.is_empty() => {}
                answer => return answer.map_err(|problem| self.halt(problem)),
            }
        }
        let program = StreamedProgram::start(&invocation)?;
        self.hand_over(idle, program, task, &asked).map_err(|problem| self.halt(problem))
    }

    fn hand_over(
        &self,
        idle: &IdlePrograms,
        mut program: StreamedProgram,
        task: &Task,
        asked: &StreamTask,
    ) -> Result<Partition, StreamFailure> {
        let printed = program.answer(asked, &task.watch)?;
        match self.read(task, &printed) {
            Ok(partition) => {
                idle.take_back(program);
                Ok(partition)
            }
            Err(what) => Err(StreamFailure::Halted(program.failed(format!("the program {what}")))),
        }
    }

    fn halt(&self, problem: StreamFailure) -> Halt {
        match problem {
            StreamFailure::Halted(halt) => halt,
            StreamFailure::Ended(ended) => {
                let how = ended.misfortune().unwrap_or_else(|| "ended before it had answered".to_owned());
                Halt::Failed(self.complaint(&how, &ended))
            }
        }
    }
}

impl Consensus for Program {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let (partition, peak_bytes) = match &self.tasks.0 {
            // What it has may be left from another task.
            Some(idle) => (self.ask(idle, task)?, None),
            None => self.run_once(task)?,
        };
        Ok(Solution { iterations: 0, peak_bytes, ..Solution::of(partition) })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        // To start an interpreter takes longer than most of what it then does.
        const START: f64 = 1e8;
        START + 100.0 * shape.objects * shape.columns
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        // What is written to it and what it may print; its own memory is bounded by the system.
        3.0 * shape.objects * shape.columns + 40.0 * shape.objects
    }
}

/// A reason in one line: the last thing a program said, which is where most say what is wrong. What it said before follows
/// on lines of its own.
fn with_words(what: String, said: &str) -> String {
    match said.lines().last() {
        None => what,
        Some(last) if last == said => format!("{what}: {last}"),
        Some(last) => format!("{what}: {last}\nstandard error:\n{said}"),
    }
}

#[cfg(test)]
mod tests;

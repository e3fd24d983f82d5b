//! The command line: arguments → one verb → exit code.

use std::process::ExitCode;

use clap::Parser;
use conclave::cli::{
    Arguments, Outcome, Verb, compare, completions, consensus, data, end, ensemble, init, list, man, misused, party,
    plan, report, reproduce, run, score, status,
};

fn main() -> ExitCode {
    end(match Arguments::try_parse() {
        Ok(arguments) => perform(arguments.verb),
        Err(misuse) => Ok(misused(&misuse)),
    })
}

fn perform(verb: Verb) -> Outcome {
    match verb {
        Verb::Run(arguments) => run::run(&arguments),
        Verb::Plan(arguments) => plan::run(&arguments),
        Verb::Status(arguments) => status::run(&arguments),
        Verb::Report(arguments) => report::run(&arguments),
        Verb::Reproduce(arguments) => reproduce::run(&arguments),
        Verb::Consensus(arguments) => consensus::run(&arguments),
        Verb::Party(arguments) => party::run(&arguments),
        Verb::Ensemble(arguments) => ensemble::run(&arguments),
        Verb::Score(arguments) => score::run(&arguments),
        Verb::Compare(arguments) => compare::run(&arguments),
        Verb::List(arguments) => list::run(&arguments),
        Verb::Init(arguments) => init::run(&arguments),
        Verb::Data(arguments) => data::run(&arguments),
        Verb::Completions(arguments) => completions::run(&arguments),
        Verb::Man(arguments) => man::run(&arguments),
    }
}

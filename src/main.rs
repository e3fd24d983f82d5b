//! The command line: arguments → one verb → exit code.

use std::process::ExitCode;

use clap::Parser;
use conclave::cli::{
    Arguments, Verb, compare, consensus, data, ensemble, list, plan, report, reproduce, run, score, status,
};

fn main() -> ExitCode {
    let outcome = match Arguments::parse().verb {
        Verb::Run(arguments) => run::run(&arguments),
        Verb::Plan(arguments) => plan::run(&arguments),
        Verb::Status(arguments) => status::run(&arguments),
        Verb::Report(arguments) => report::run(&arguments),
        Verb::Reproduce(arguments) => reproduce::run(&arguments),
        Verb::Consensus(arguments) => consensus::run(&arguments),
        Verb::Ensemble(arguments) => ensemble::run(&arguments),
        Verb::Score(arguments) => score::run(&arguments),
        Verb::Compare(arguments) => compare::run(&arguments),
        Verb::List(arguments) => list::run(&arguments),
        Verb::Data(arguments) => data::run(&arguments),
    };
    match outcome {
        Ok(code) => code,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(2)
        }
    }
}

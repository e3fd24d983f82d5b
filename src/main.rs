//! The command line: arguments → one verb → exit code.

use std::panic;
use std::process::ExitCode;

use clap::Parser;
use conclave::cli::{
    Arguments, Verb, compare, completions, consensus, data, ensemble, init, list, man, party, plan, report, reproduce,
    run, score, status, style,
};

fn main() -> ExitCode {
    end_quietly_when_nobody_reads();
    let outcome = match Arguments::parse().verb {
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
    };
    match outcome {
        Ok(code) => code,
        Err(problem) => {
            anstream::eprintln!("{}", style::problem(&problem.to_string()));
            ExitCode::from(2)
        }
    }
}

/// `conclave list methods | head -n 1` closes the pipe while there is more to print. That is no bug to tell of.
fn end_quietly_when_nobody_reads() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let message = info.payload_as_str().unwrap_or_default();
        if message.starts_with("failed printing to std") && message.contains("Broken pipe") {
            // As the shell reports of a program that SIGPIPE ended.
            std::process::exit(141);
        }
        usual(info);
    }));
}

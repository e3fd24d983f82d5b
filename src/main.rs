//! The command line: arguments → one verb → exit code.

use std::process::ExitCode;

use conclave::cli::{
    Outcome, Verb, choose_k, compare, completions, consensus, data, end, ensemble, init, list, man, misused, parse,
    party, plan, report, reproduce, run, score, status, stop,
};
use conclave::external::guard;

fn main() -> ExitCode {
    if let Some(ended) = guard::act() {
        return ended;
    }
    guard::offer();
    end(match parse() {
        Ok(arguments) => perform(arguments.verb),
        Err(misuse) => Ok(misused(&misuse)),
    })
}

fn perform(verb: Verb) -> Outcome {
    stop::listen(kept(&verb));
    match verb {
        Verb::Run(arguments) => run::run(&arguments),
        Verb::Plan(arguments) => plan::run(&arguments),
        Verb::Status(arguments) => status::run(&arguments),
        Verb::Report(arguments) => report::run(&arguments),
        Verb::Reproduce(arguments) => reproduce::run(&arguments),
        Verb::Consensus(arguments) => consensus::run(&arguments),
        Verb::Party(arguments) => party::run(&arguments),
        Verb::Ensemble(arguments) => ensemble::run(&arguments),
        Verb::ChooseK(arguments) => choose_k::run(&arguments),
        Verb::Score(arguments) => score::run(&arguments),
        Verb::Compare(arguments) => compare::run(&arguments),
        Verb::List(arguments) => list::run(&arguments),
        Verb::Init(arguments) => init::run(&arguments),
        Verb::Data(arguments) => data::run(&arguments),
        Verb::Completions(arguments) => completions::run(&arguments),
        Verb::Man(arguments) => man::run(&arguments),
    }
}

/// What is left when a signal ends a verb at once.
fn kept(verb: &Verb) -> &'static str {
    match verb {
        Verb::Run(_) | Verb::Reproduce(_) => "every finished cell is kept; run the same command again to continue",
        Verb::Report(_) => "no result was changed; run the same command again to write the reports",
        Verb::Consensus(_) | Verb::Ensemble(_) | Verb::Party(_) => "what was not finished is not written",
        _ => "nothing was changed",
    }
}

//! How good the answers of every method are: on ensembles whose clustering is known, against it and against the best of
//! many starts. `benches/quality` runs it; docs/QUALITY.md has its table and says what the columns are.

mod measure;
mod planted;
mod table;

use std::process::ExitCode;

use conclave_core::params::Raw;
use conclave_core::{Method, MethodError};

use measure::{Measured, Setting, many_starts, measure, methods, takes, with_settings};
use planted::{Made, Planted};

const USAGE: &str = "\
Usage: benches/quality [--half choose|report] [--method NAME]… [--set NAME=VALUE]… [--reference NAME=VALUE]…

  --half choose|report    even ensembles, for choosing defaults, or odd ones, for reporting (default: report)
  --method NAME           only this method; may be repeated (default: every method)
  --set NAME=VALUE        a parameter of the methods, instead of its default
  --reference NAME=VALUE  a parameter of the 50 starts that a method is held against";

/// Even or odd ensembles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    /// For choosing defaults.
    Choose,
    /// For reporting what was chosen.
    Report,
}

/// What was asked for.
struct Request {
    half: Half,
    methods: Vec<String>,
    settings: Vec<Setting>,
    reference: Vec<Setting>,
}

/// A method to be measured, and the one with many starts that it is held against.
struct Entrant {
    method: Method,
    references: Vec<Method>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let done = Request::parse(&arguments).and_then(|request| run(&request).map_err(|error| error.to_string()));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(words) => {
            eprintln!("error: {words}");
            ExitCode::from(2)
        }
    }
}

fn run(request: &Request) -> Result<(), MethodError> {
    let entrants = request.entrants()?;
    let numbers = (0..Planted::COUNT).filter(|number| Half::of(*number) == request.half);
    let ensembles: Vec<(Planted, Made)> = numbers.map(Planted::of).map(|planted| (planted, planted.make())).collect();
    println!("{}", table::HEADER);
    for Entrant { method, references } in &entrants {
        let taken = ensembles.iter().filter(|(planted, _)| takes(method, planted));
        let runs: Result<Vec<Measured>, MethodError> =
            taken.map(|(_, made)| measure(method, references, made)).collect();
        println!("{}", table::row(method.info(), &runs?));
    }
    Ok(())
}

impl Half {
    fn of(number: u64) -> Self {
        if number.is_multiple_of(2) { Self::Choose } else { Self::Report }
    }
}

impl Request {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut request = Self { half: Half::Report, methods: Vec::new(), settings: Vec::new(), reference: Vec::new() };
        let mut rest = arguments.iter();
        while let Some(option) = rest.next() {
            let mut value = || rest.next().ok_or_else(|| format!("`{option}` needs a value\n\n{USAGE}"));
            match option.as_str() {
                "--half" => request.half = half(value()?)?,
                "--method" => request.methods.push(value()?.clone()),
                "--set" => request.settings.push(setting(value()?)?),
                "--reference" => request.reference.push(setting(value()?)?),
                _ => return Err(format!("there is no `{option}`\n\n{USAGE}")),
            }
        }
        Ok(request)
    }

    /// Checked before anything is run.
    fn entrants(&self) -> Result<Vec<Entrant>, MethodError> {
        let chosen: Vec<Method> = match self.methods.as_slice() {
            [] => methods().collect(),
            names => names.iter().map(|name| Method::find(name)).collect::<Result<_, _>>()?,
        };
        let entrant = |method: Method| {
            let method = with_settings(method, &self.settings)?;
            Ok(Entrant { references: many_starts(&method, &self.reference)?, method })
        };
        chosen.into_iter().map(entrant).collect()
    }
}

fn half(text: &str) -> Result<Half, String> {
    match text {
        "choose" => Ok(Half::Choose),
        "report" => Ok(Half::Report),
        _ => Err(format!("`--half` is {text}; expected choose or report")),
    }
}

fn setting(text: &str) -> Result<Setting, String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("`{text}` is no setting; expected NAME=VALUE"))?;
    Ok((name.to_owned(), Raw::from_argument(value)))
}

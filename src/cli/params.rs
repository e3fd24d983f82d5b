//! `--param NAME=VALUE`.

use super::Problem;
use crate::params::{Parameter, Params, Raw};
use crate::suggest::did_you_mean;

/// Reads and checks `NAME=VALUE` pairs; `owner` is the method or generator they are for.
pub(super) fn read(pairs: &[String], declared: &'static [Parameter], owner: &str) -> Result<Params, Problem> {
    let mut params = Params::defaults(declared);
    for pair in pairs {
        let Some((name, value)) = pair.split_once('=') else {
            return Err(Problem::new(format!("--param {pair}: expected NAME=VALUE")));
        };
        let Some(parameter) = declared.iter().find(|parameter| parameter.name == name) else {
            let names: Vec<&str> = declared.iter().map(|parameter| parameter.name).collect();
            let hint = did_you_mean(name, &names).unwrap_or_else(|| match names.as_slice() {
                [] => "; it has none".to_owned(),
                names => format!("; it has {}", names.join(", ")),
            });
            return Err(Problem::new(format!("--param {pair}: {owner} has no parameter `{name}`{hint}")));
        };
        let checked = parameter.check(&Raw::from_argument(value));
        let value = checked.map_err(|expected| Problem::new(format!("--param {pair}: expected {expected}")))?;
        params.set(parameter, value);
    }
    Ok(params)
}

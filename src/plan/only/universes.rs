//! `--only universe=…`, and `--only FORK=OPTION`.

use super::OnlyError;
use crate::spec::{AS_STATED, Experiment};

/// The key that names universes.
const UNIVERSE: &str = "universe";

/// The keys that name universes, where there are several.
pub(super) fn keys(experiment: &Experiment) -> impl Iterator<Item = &str> {
    let forks = experiment.forks.iter().map(|fork| fork.id.as_str());
    let several = !experiment.forks.is_empty();
    several.then_some(UNIVERSE).into_iter().chain(forks)
}

/// The universes that a pair asks for, by their positions; `None` where it is about something else.
pub(super) fn read(pair: &str, experiment: &Experiment) -> Result<Option<Vec<usize>>, OnlyError> {
    let Some((key, value)) = pair.split_once('=').filter(|(key, _)| keys(experiment).any(|known| known == *key)) else {
        return Ok(None);
    };
    let all = 0..experiment.universe_count();
    let refused = |values: Vec<String>| {
        Err(OnlyError::UnknownValue { pair: pair.to_owned(), key: key.to_owned(), values: values.join("; ") })
    };
    if key == UNIVERSE {
        // By its number, counted from 1 as `plan` does, or by its name.
        let is = |index: &usize| value == (index + 1).to_string() || value == experiment.universe_name(*index);
        return match all.clone().find(|index| is(index) || *index == 0 && value == AS_STATED.replace(' ', "-")) {
            Some(index) => Ok(Some(vec![index])),
            None => refused(all.map(|index| format!("{} ({})", index + 1, experiment.universe_name(index))).collect()),
        };
    }
    let forks = experiment.forks.iter().enumerate().find(|(_, fork)| fork.id == key);
    let Some((position, fork)) = forks else { return Ok(None) };
    match fork.options.iter().position(|option| option.label == value) {
        Some(option) => Ok(Some(all.filter(|index| experiment.universe_options(*index)[position] == option).collect())),
        None => refused(fork.options.iter().map(|option| option.label.clone()).collect()),
    }
}

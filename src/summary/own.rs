//! Whose methods come first: the user's own, then those that the paper is about, then those it compares them with.

use crate::results::combinations;
use crate::spec::{Dimension, Experiment, Filter, MethodSource, PointValue};

/// How near to the first place a method stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MethodPlace {
    /// A program of the user's.
    Users,
    /// The paper's own.
    Papers,
    Others,
}

/// The combinations of values of some dimensions, in the order of the spec but for methods.
pub(super) fn own_first(experiment: &Experiment, dimensions: &[Dimension], filter: &Filter) -> Vec<Vec<PointValue>> {
    let mut found = combinations(experiment, dimensions, filter);
    let orders: Vec<Vec<PointValue>> = dimensions.iter().map(|dimension| ordered(experiment, *dimension)).collect();
    found.sort_by_cached_key(|values| {
        let place = |(order, value): (&Vec<PointValue>, &PointValue)| order.iter().position(|other| other == value);
        orders.iter().zip(values).map(place).collect::<Vec<_>>()
    });
    found
}

fn ordered(experiment: &Experiment, dimension: Dimension) -> Vec<PointValue> {
    let mut values = experiment.values_of(dimension);
    if dimension == Dimension::Method {
        values.sort_by_cached_key(|label| standing(experiment, &label.to_string()));
    }
    values
}

fn standing(experiment: &Experiment, label: &str) -> MethodPlace {
    let mut settings = experiment.points.iter().flat_map(|point| &point.setting.methods);
    let own = |name: &str| experiment.paper.as_ref().is_some_and(|paper| paper.methods.iter().any(|own| own == name));
    match settings.find(|setting| setting.label == label).map(|setting| &setting.method) {
        Some(MethodSource::Program(_)) => MethodPlace::Users,
        Some(listed) if own(listed.name()) || own(listed.family()) => MethodPlace::Papers,
        _ => MethodPlace::Others,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::data::Catalog;
    use crate::spec::{PAPER_SCALE, Spec};

    #[test]
    fn a_users_program_comes_before_the_papers_methods_and_those_before_all_others() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/bce/table3.toml");
        let text = std::fs::read_to_string(&path).unwrap()
            + "\n[[method]]\nname = \"mine\"\ncommand = [\"cat\"]\nversion = \"1\"\n";
        let experiment = Spec::parse(&path, text).unwrap().check(PAPER_SCALE, &Catalog::locate(None)).unwrap();
        let methods: Vec<String> = own_first(&experiment, &[Dimension::Dataset, Dimension::Method], &Vec::new())
            .iter()
            .filter(|values| values[0].to_string() == "wdbc")
            .map(|values| values[1].to_string())
            .collect();
        assert_eq!(methods, ["mine", "g-bce", "v-bce", "base-kmeans", "mcla", "cspa", "hgpa", "mm", "kmeans"]);
    }
}

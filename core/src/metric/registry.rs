//! The table of every index by name.

use super::{
    Contingency, ModelFit, accuracy, ami, ari, clusters, f1_class, f1_nbce, f1_pairs, mp, mp_greedy, nmi_max, nmi_sqrt,
    singletons,
};
use crate::ensemble::Partition;

/// Which way an index improves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// A larger value is a better clustering.
    HigherIsBetter,
    /// A smaller value is a better clustering.
    LowerIsBetter,
    /// The value describes the clustering and does not judge it.
    Neither,
}

impl Direction {
    /// A number that is larger for a better value; none where values do not judge.
    #[must_use]
    pub fn merit(self, value: f64) -> Option<f64> {
        match self {
            Self::HigherIsBetter => Some(value),
            Self::LowerIsBetter => Some(-value),
            Self::Neither => None,
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Function {
    AgainstTruth(fn(&Contingency) -> f64),
    OfClustering(fn(&Partition) -> f64),
    OfModel(JudgedOn, ModelKind, fn(&ModelFit) -> Option<f64>),
}

/// The objects on which a model is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgedOn {
    /// Those it was fitted to.
    Fitted,
    /// Those held out.
    HeldOut,
}

/// Which models have an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelKind {
    /// Every model that gives labels a probability.
    Any,
    /// Those that also have a lower bound of it.
    WithBound,
}

/// What the definition of an index says of its values, whatever is clustered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueRange {
    /// Nothing that matters here.
    Any,
    /// From 0 to 1.
    Share,
    /// From 0 to 1 in steps of one object.
    ShareOfObjects,
    /// A share of the objects that is never below that of the largest class.
    ShareOfMajority,
    /// A share of the objects under the best one-to-one matching, so never below that of a random one.
    ShareOfMatching,
    /// At least 1; a model that guesses has as much as there are labels.
    Perplexity,
    /// At least 1.
    AboveOne,
    /// At most 1; chance gives 0.
    AtMostOne,
    /// From −1/2 to 1 (Chacón & Rastrojo 2023); chance gives 0.
    AdjustedRand,
    /// A number of things of which there is at least one.
    Count,
    /// At least 0.
    NotNegative,
}

/// One index: what it is called, what it means and how it is computed.
#[derive(Debug, Clone, Copy)]
pub struct MetricInfo {
    /// The name used in specs and tables, e.g. `mp-greedy`.
    pub name: &'static str,
    /// The name used in headings and on axes.
    pub title: &'static str,
    /// The definition in one line.
    pub definition: &'static str,
    /// Which way the index improves.
    pub direction: Direction,
    /// Whether the index compares with known classes.
    pub needs_truth: bool,
    /// Raised when its values change: stored values of another version are computed again.
    pub version: u32,
    /// What its values can be.
    pub range: ValueRange,
    function: Function,
}

impl MetricInfo {
    const fn against_truth(
        name: &'static str,
        title: &'static str,
        definition: &'static str,
        function: fn(&Contingency) -> f64,
    ) -> MetricInfo {
        MetricInfo {
            name,
            title,
            definition,
            direction: Direction::HigherIsBetter,
            needs_truth: true,
            version: 1,
            range: ValueRange::Any,
            function: Function::AgainstTruth(function),
        }
    }

    const fn of_clustering(
        name: &'static str,
        title: &'static str,
        definition: &'static str,
        function: fn(&Partition) -> f64,
    ) -> MetricInfo {
        MetricInfo {
            name,
            title,
            definition,
            direction: Direction::Neither,
            needs_truth: false,
            version: 1,
            range: ValueRange::Any,
            function: Function::OfClustering(function),
        }
    }

    const fn of_model(
        name: &'static str,
        title: &'static str,
        definition: &'static str,
        (sample, model): (JudgedOn, ModelKind),
        function: fn(&ModelFit) -> Option<f64>,
    ) -> MetricInfo {
        MetricInfo {
            name,
            title,
            definition,
            direction: Direction::LowerIsBetter,
            needs_truth: false,
            version: 1,
            range: ValueRange::Any,
            function: Function::OfModel(sample, model, function),
        }
    }

    const fn ranging(self, range: ValueRange) -> MetricInfo {
        MetricInfo { range, ..self }
    }

    /// The least and the largest value that it can have at all; infinite where there is none.
    #[must_use]
    pub fn bounds(&self) -> [f64; 2] {
        match self.range {
            ValueRange::Any => [f64::NEG_INFINITY, f64::INFINITY],
            ValueRange::Share
            | ValueRange::ShareOfObjects
            | ValueRange::ShareOfMajority
            | ValueRange::ShareOfMatching => [0.0, 1.0],
            ValueRange::Perplexity | ValueRange::AboveOne | ValueRange::Count => [1.0, f64::INFINITY],
            ValueRange::AtMostOne => [f64::NEG_INFINITY, 1.0],
            ValueRange::AdjustedRand => [-0.5, 1.0],
            ValueRange::NotNegative => [0.0, f64::INFINITY],
        }
    }

    /// Whether it lies between 0 and 1 whatever is clustered.
    #[must_use]
    pub fn is_share(&self) -> bool {
        self.range == ValueRange::Share || self.counts_objects()
    }

    /// Whether it is a number of objects over the number of all objects, and so a multiple of 1/N.
    #[must_use]
    pub fn counts_objects(&self) -> bool {
        use ValueRange::{ShareOfMajority, ShareOfMatching, ShareOfObjects};
        matches!(self.range, ShareOfObjects | ShareOfMajority | ShareOfMatching)
    }

    /// The objects on which it judges a model; `None` for an index of a clustering.
    #[must_use]
    pub fn sample(&self) -> Option<JudgedOn> {
        match self.function {
            Function::OfModel(sample, ..) => Some(sample),
            _ => None,
        }
    }

    /// Which models have it; `None` for an index of a clustering.
    #[must_use]
    pub fn model(&self) -> Option<ModelKind> {
        match self.function {
            Function::OfModel(_, model, _) => Some(model),
            _ => None,
        }
    }

    /// The value for a model's fit to the objects of its [`MetricInfo::sample`]; `None` where the model does not have it.
    #[must_use]
    pub fn judge(&self, fit: &ModelFit) -> Option<f64> {
        match self.function {
            Function::OfModel(.., function) => function(fit),
            _ => None,
        }
    }

    /// The value of the index of a clustering; `None` for one of a model, or when it needs the truth and `contingency` is absent.
    ///
    /// `contingency` is the table of this same `predicted` against the truth.
    pub fn evaluate(&self, predicted: &Partition, contingency: Option<&Contingency>) -> Option<f64> {
        match self.function {
            Function::AgainstTruth(function) => contingency.map(function),
            Function::OfClustering(function) => Some(function(predicted)),
            Function::OfModel(..) => None,
        }
    }
}

static METRICS: [MetricInfo; 18] = [
    MetricInfo::against_truth(
        "mp",
        "Micro-precision",
        "share of objects in the majority class of their cluster (purity)",
        mp,
    )
    .ranging(ValueRange::ShareOfMajority),
    MetricInfo::against_truth(
        "mp-greedy",
        "Micro-precision (greedy one-to-one)",
        "share of objects in the largest cell of clusters × classes, its row and column struck, and so on",
        mp_greedy,
    )
    .ranging(ValueRange::ShareOfObjects),
    MetricInfo::against_truth(
        "accuracy",
        "Accuracy",
        "share of objects in the class of their cluster under the best one-to-one matching",
        accuracy,
    )
    .ranging(ValueRange::ShareOfMatching),
    MetricInfo::against_truth(
        "f1-nbce",
        "F1 (mean over clusters)",
        "harmonic mean of the clusters' mean best precision and mean best recall over the classes",
        f1_nbce,
    )
    .ranging(ValueRange::Share),
    MetricInfo::against_truth(
        "f1-class",
        "F1 (weighted by class)",
        "mean over classes, weighted by size, of the best F1 any cluster reaches for the class",
        f1_class,
    )
    .ranging(ValueRange::Share),
    MetricInfo::against_truth(
        "f1-pairs",
        "F1 (pairs of objects)",
        "harmonic mean of the share of pairs in one cluster that are in one class, and the reverse",
        f1_pairs,
    )
    .ranging(ValueRange::Share),
    MetricInfo::against_truth(
        "nmi-sqrt",
        "NMI (geometric mean)",
        "mutual information over the geometric mean of the two entropies",
        nmi_sqrt,
    )
    .ranging(ValueRange::Share),
    MetricInfo::against_truth(
        "nmi-max",
        "NMI (maximum)",
        "mutual information over the larger of the two entropies",
        nmi_max,
    )
    .ranging(ValueRange::Share),
    MetricInfo::against_truth(
        "ami",
        "AMI",
        "mutual information adjusted for chance, over the arithmetic mean of the two entropies",
        ami,
    )
    .ranging(ValueRange::AtMostOne),
    MetricInfo::against_truth("ari", "ARI", "Rand index adjusted for chance (Hubert and Arabie)", ari)
        .ranging(ValueRange::AdjustedRand),
    MetricInfo::of_clustering("clusters", "Clusters", "number of clusters", clusters).ranging(ValueRange::Count),
    MetricInfo::of_clustering("singletons", "Singletons", "share of objects alone in their cluster", singletons)
        .ranging(ValueRange::ShareOfObjects),
    MetricInfo::of_model(
        "perplexity-train",
        "Perplexity (train)",
        "exp(−Σ ln p(y) / number of labels) of the objects a model was fitted to",
        (JudgedOn::Fitted, ModelKind::Any),
        |fit| Some(fit.perplexity()),
    )
    .ranging(ValueRange::Perplexity),
    MetricInfo::of_model(
        "perplexity-test",
        "Perplexity (test)",
        "exp(−Σ ln p(y) / number of labels) of the objects held out",
        (JudgedOn::HeldOut, ModelKind::Any),
        |fit| Some(fit.perplexity()),
    )
    .ranging(ValueRange::Perplexity),
    MetricInfo::of_model(
        "perplexity-train-se",
        "Standard error of perplexity (train)",
        "what simulation leaves uncertain of perplexity-train; 0 where it is exact",
        (JudgedOn::Fitted, ModelKind::Any),
        |fit| Some(fit.standard_error()),
    )
    .ranging(ValueRange::NotNegative),
    MetricInfo::of_model(
        "perplexity-test-se",
        "Standard error of perplexity (test)",
        "what simulation leaves uncertain of perplexity-test; 0 where it is exact",
        (JudgedOn::HeldOut, ModelKind::Any),
        |fit| Some(fit.standard_error()),
    )
    .ranging(ValueRange::NotNegative),
    MetricInfo::of_model(
        "perplexity-train-bound",
        "Perplexity (train) by the lower bound",
        "perplexity-train with the lower bound of v-bce in place of the likelihood: never below it",
        (JudgedOn::Fitted, ModelKind::WithBound),
        ModelFit::bound,
    )
    .ranging(ValueRange::AboveOne),
    MetricInfo::of_model(
        "perplexity-test-bound",
        "Perplexity (test) by the lower bound",
        "perplexity-test with the lower bound of v-bce in place of the likelihood: never below it",
        (JudgedOn::HeldOut, ModelKind::WithBound),
        ModelFit::bound,
    )
    .ranging(ValueRange::AboveOne),
];

/// Every index, in the order in which they are listed to the user.
pub fn all() -> &'static [MetricInfo] {
    &METRICS
}

/// The index of that name.
pub fn find(name: &str) -> Option<&'static MetricInfo> {
    METRICS.iter().find(|metric| metric.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    #[test]
    fn every_name_finds_its_own_entry_and_no_other() {
        for (position, metric) in all().iter().enumerate() {
            let found = find(metric.name).expect("a listed metric is found by its name");
            assert!(std::ptr::eq(found, &all()[position]), "{}", metric.name);
        }
        assert!(find("purity").is_none());
    }

    #[test]
    fn shares_are_those_that_lie_between_0_and_1_by_definition() {
        let shares: Vec<&str> = all().iter().filter(|metric| metric.is_share()).map(|metric| metric.name).collect();
        let expected =
            ["mp", "mp-greedy", "accuracy", "f1-nbce", "f1-class", "f1-pairs", "nmi-sqrt", "nmi-max", "singletons"];
        assert_eq!(shares, expected);
    }

    #[test]
    fn shares_of_objects_are_whole_numbers_of_objects_on_any_table() {
        let counting: Vec<&str> = all().iter().filter(|metric| metric.counts_objects()).map(|info| info.name).collect();
        assert_eq!(counting, ["mp", "mp-greedy", "accuracy", "singletons"]);
        let predicted = Partition::from_codes(&[0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3]);
        let truth = Partition::from_codes(&[0, 0, 0, 1, 0, 0, 1, 2, 2, 2, 1]);
        let table = Contingency::new(&predicted, &truth);
        for metric in all().iter().filter(|metric| metric.range == ValueRange::Share || metric.counts_objects()) {
            let objects = 11.0 * metric.evaluate(&predicted, Some(&table)).expect("an index of clusterings");
            assert_eq!((objects - objects.round()).abs() < 1e-9, metric.counts_objects(), "{}", metric.name);
        }
    }

    #[test]
    fn no_clustering_has_a_value_beyond_its_bounds() {
        let mut rng = crate::seed::Id::of("bounds", &[]).rng("labels");
        for _ in 0..3000 {
            let objects = rng.random_range(1..9);
            let [predicted, truth] = [0, 1].map(|_| {
                let codes: Vec<u32> = (0..objects).map(|_| rng.random_range(0..4)).collect();
                Partition::from_codes(&codes)
            });
            let table = Contingency::new(&predicted, &truth);
            for metric in all().iter().filter(|metric| metric.sample().is_none()) {
                let value = metric.evaluate(&predicted, Some(&table)).expect("an index of clusterings");
                let [low, high] = metric.bounds();
                assert!(value >= low - 1e-9 && value <= high + 1e-9, "{}: {value} on {table:?}", metric.name);
            }
        }
    }

    #[test]
    fn only_metrics_that_need_the_truth_are_silent_without_it() {
        let predicted = Partition::from_codes(&[0, 0, 1]);
        for metric in all() {
            let value = metric.evaluate(&predicted, None);
            let of_model = metric.sample().is_some();
            assert_eq!(value.is_none(), metric.needs_truth || of_model, "{}", metric.name);
        }
    }

    #[test]
    fn each_name_is_wired_to_its_own_function() {
        // A table on which no two indices agree, so that a swapped entry shows.
        let predicted = Partition::from_codes(&[0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3]);
        let truth = Partition::from_codes(&[0, 0, 0, 1, 0, 0, 1, 2, 2, 2, 1]);
        let table = Contingency::new(&predicted, &truth);
        let expected = [
            ("mp", mp(&table)),
            ("mp-greedy", mp_greedy(&table)),
            ("accuracy", accuracy(&table)),
            ("f1-nbce", f1_nbce(&table)),
            ("f1-pairs", f1_pairs(&table)),
            ("f1-class", f1_class(&table)),
            ("nmi-sqrt", nmi_sqrt(&table)),
            ("nmi-max", nmi_max(&table)),
            ("ami", ami(&table)),
            ("ari", ari(&table)),
            ("clusters", 4.0),
            ("singletons", 1.0 / 11.0),
        ];
        assert_eq!(expected.len(), all().iter().filter(|metric| metric.sample().is_none()).count());
        for (name, value) in expected {
            let metric = find(name).expect("the name is listed");
            assert_eq!(metric.evaluate(&predicted, Some(&table)), Some(value), "{name}");
        }
    }
}

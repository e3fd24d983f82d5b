//! Why columns are no base clusterings, and the words that put it right.

use super::measured::has_fraction;
use super::roles::listed;
use super::suspects::{ReadColumns, Suspects, is_called_like_classes};
use super::words::AskedThrough;

/// More columns than this are not named one by one.
const SHOWN: usize = 4;

impl ReadColumns<'_> {
    /// What is wrong with some of the columns.
    pub(super) fn refusal(&self, suspects: &Suspects, clusterings: &[usize]) -> String {
        let asked = self.selection.asked;
        let Suspects { row_numbers, differing, measured } = suspects;
        let differing: Vec<usize> = row_numbers.iter().chain(differing).copied().collect();
        let all: Vec<usize> = differing.iter().chain(measured).copied().collect();
        let mut parts: Vec<String> = match differing.len() {
            ..=SHOWN => differing.iter().map(|&place| self.difference(place)).collect(),
            _ => vec![format!(
                "columns {} have another value in nearly every row, so they are no base clusterings",
                self.quoted(&differing)
            )],
        };
        if let [first, more @ ..] = &measured[..] {
            let (columns, have) = if more.is_empty() { ("column", "has") } else { ("columns", "have") };
            let example = self.example(*first);
            parts.push(format!("{columns} {} {have} measurements, such as {example}", self.quoted(measured)));
        }
        let mut ways = Vec::new();
        if all.len() <= SHOWN {
            let named = |places: &[usize]| places.iter().map(|&place| self.names[place]).collect::<Vec<&str>>();
            // Names must be unique, and one may be empty.
            let may_name = |place: usize| {
                self.labels[place].len() == self.present(place) && self.missing.of(place) <= 1 && self.objects > 1
            };
            let id = differing.iter().copied().find(|&place| self.selection.id.is_none() && may_name(place));
            if let Some((id, words)) = id.and_then(|id| Some((id, asked.id(self.names[id])?))) {
                let rest: Vec<usize> = all.iter().copied().filter(|&place| place != id).collect();
                let drop = if rest.is_empty() { String::new() } else { format!(" {}", asked.drop(&named(&rest))) };
                ways.push(format!("{words}{drop} if it names the objects"));
            }
            let them = if all.len() == 1 { "it" } else { "them" };
            ways.push(format!("{} to leave {them} out", asked.drop(&named(&all))));
        }
        let others: Vec<&str> =
            clusterings.iter().filter(|place| !suspects.has(**place)).map(|&place| self.names[place]).collect();
        match asked.columns(&others) {
            Some(words) => ways.push(format!("{words} to name the base clusterings")),
            None if ways.is_empty() => ways.push(asked.leave_out_many().to_owned()),
            None => {}
        }
        let ways = match ways.split_last() {
            Some((last, first @ [_, ..])) => format!("{}, or {last}", first.join(", ")),
            _ => ways.join(", "),
        };
        let add = if asked == AskedThrough::Spec { "write" } else { "add" };
        format!("{}; {add} {ways}", parts.join("; "))
    }

    fn quoted(&self, places: &[usize]) -> String {
        let quoted: Vec<String> = places.iter().map(|&place| format!("\"{}\"", self.names[place])).collect();
        listed(&quoted.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn difference(&self, place: usize) -> String {
        let (name, labels) = (self.called(place), self.labels[place].len());
        if self.differs_everywhere(place) {
            format!("{name} has another value in every row, so it is no base clustering")
        } else if self.present(place) == labels {
            let missing = match self.missing.of(place) {
                1 => "one, which has none".to_owned(),
                many => format!("{many}, which have none"),
            };
            format!("{name} has another value in every row but {missing}, so it is no base clustering")
        } else {
            let present = self.present(place);
            format!("{name} has another value in nearly every row ({labels} in {present}), so it is no base clustering")
        }
    }

    pub(super) fn called(&self, place: usize) -> String {
        match self.names[place] {
            "" => "the column without a name".to_owned(),
            name => format!("column \"{name}\""),
        }
    }

    /// A table of features that was given for labels.
    pub(super) fn measurements(&self, places: &[usize]) -> String {
        let example = self.example(places[0]);
        let counts = || places.iter().map(|&place| self.labels[place].len());
        let (fewest, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
        let range = if fewest == most { fewest.to_string() } else { format!("{fewest} to {most}") };
        let columns = if places.len() == 1 { "its column has" } else { "the columns have" };
        let classes = self.names.iter().find(|name| is_called_like_classes(name));
        let classes = classes.map_or_else(String::new, |name| format!(" --class {name}"));
        let ensemble =
            format!("conclave ensemble FILE{classes} --generator kmeans --size 20 --param k=3 --output labels.csv");
        let asked = self.selection.asked;
        let all: Vec<&str> = places.iter().map(|&place| self.names[place]).collect();
        let otherwise =
            asked.columns(&all).map_or_else(String::new, |words| format!("; if these are labels, add {words}"));
        format!(
            "this looks like measurements, not labels: {columns} {range} different numbers, such as {example}; make base \
             clusterings of them first: {ensemble}{otherwise}"
        )
    }

    fn example(&self, place: usize) -> &str {
        let with_fraction = self.labels[place].iter().find(|label| has_fraction(label));
        with_fraction.or(self.labels[place].first()).map_or("", |label| label)
    }
}

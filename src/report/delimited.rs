//! Tables and figures as tidy CSV: one value per line, in full precision.

mod curve;
mod dots;

use super::claims;
use super::drawing::Drawing;
use super::format::Format;
use super::numbers::exact;
use super::section::ClaimList;
use crate::summary::{
    Axis, Figure, HeatMap, Point, Ranking, Standing, Table, TableCell, TestNumbers, TestTable, Trade,
};

pub(super) use curve::specification_curve;
pub(super) use dots::printed_dots;

/// One `.csv` per table, test and drawing, and one of all claims.
pub(super) struct Csv;

impl Format for Csv {
    type Part = Vec<u8>;

    fn claims(&self, list: &ClaimList) -> Option<Vec<u8>> {
        Some(claims::csv(list.claims))
    }

    fn drawing(&self, drawing: &dyn Drawing) -> Option<Vec<u8>> {
        Some(drawing.csv())
    }

    fn table(&self, shown: &Table) -> Option<Vec<u8>> {
        Some(table(shown))
    }

    fn test(&self, shown: &TestTable) -> Option<Vec<u8>> {
        Some(test(shown))
    }
}

/// One line per cell.
fn table(table: &Table) -> Vec<u8> {
    let mut lines = Lines::new();
    let rest = ["group", "column", "value", "n", "half_width", "printed", "note", "low", "high"].map(str::to_owned);
    lines.push(table.keys.iter().cloned().chain(rest));
    for row in &table.rows {
        for (column, cell) in table.columns.iter().zip(&row.cells) {
            let values = [
                column.group.clone().unwrap_or_default(),
                column.name.clone(),
                shown(cell),
                cell.n.to_string(),
                optional(cell.half_width),
                cell.printed.clone().unwrap_or_default(),
                cell.note.clone().unwrap_or_default(),
                optional(cell.interval.map(|[low, _]| low)),
                optional(cell.interval.map(|[_, high]| high)),
            ];
            lines.push(row.keys.iter().cloned().chain(values));
        }
    }
    lines.done()
}

/// What stands in a cell.
fn shown(cell: &TableCell) -> String {
    match (cell.words, cell.outcomes) {
        (Some(words), _) => words.to_owned(),
        (None, Some([won, tied, lost])) => format!("{won}/{tied}/{lost}"),
        (None, None) => optional(cell.value),
    }
}

/// One line per method; its groups are the numbers of the bars under it, from the best on.
pub(super) fn ranking(ranking: &Ranking) -> Vec<u8> {
    let mut lines = Lines::new();
    lines.push(["place", "method", "mean_rank", "groups", "critical_difference"].map(str::to_owned));
    for (position, place) in ranking.places.iter().enumerate() {
        let within = |(_, clique): &(usize, &[usize; 2])| (clique[0]..=clique[1]).contains(&position);
        let groups = ranking.cliques.iter().enumerate().filter(within).map(|(group, _)| (group + 1).to_string());
        lines.push([
            (position + 1).to_string(),
            place.method.clone(),
            exact(place.mean_rank),
            groups.collect::<Vec<_>>().join(" "),
            optional(ranking.critical_difference),
        ]);
    }
    lines.done()
}

/// One line per method.
pub(super) fn trade(trade: &Trade) -> Vec<u8> {
    let mut lines = Lines::new();
    lines.push(["method", "cost", "quality", "unbeaten"].map(str::to_owned));
    for mark in &trade.marks {
        let unbeaten = match mark.standing {
            Standing::Front => "yes",
            Standing::Beaten => "no",
        };
        lines.push([mark.method.clone(), exact(mark.cost), exact(mark.quality), unbeaten.to_owned()]);
    }
    lines.done()
}

/// One line per test.
fn test(test: &TestTable) -> Vec<u8> {
    const NUMBERS: [&str; 17] = [
        "n",
        "mean_difference",
        "ci_low",
        "ci_high",
        "bca_low",
        "bca_high",
        "sd_first",
        "sd_second",
        "t",
        "p",
        "p_holm",
        "p_wilcoxon",
        "effect_d",
        "above",
        "equal",
        "below",
        "refused",
    ];
    let mut lines = Lines::new();
    let heads = ["metric", "first", "second"].into_iter().chain(NUMBERS).map(str::to_owned);
    lines.push(test.keys.iter().cloned().chain(heads));
    for row in &test.rows {
        let compared = [test.metric.clone(), test.first.clone(), row.second.clone()];
        let numbers = match &row.outcome {
            Ok(numbers) => test_numbers(numbers),
            Err(reason) => {
                let mut empty = vec![String::new(); NUMBERS.len() - 1];
                empty.push(reason.clone());
                empty
            }
        };
        lines.push(row.keys.iter().cloned().chain(compared).chain(numbers));
    }
    lines.done()
}

fn test_numbers(numbers: &TestNumbers) -> Vec<String> {
    let [above, equal, below] = numbers.above_equal_below;
    vec![
        numbers.n.to_string(),
        exact(numbers.mean_difference),
        exact(numbers.interval[0]),
        exact(numbers.interval[1]),
        exact(numbers.bootstrap[0]),
        exact(numbers.bootstrap[1]),
        exact(numbers.sd_first),
        exact(numbers.sd_second),
        optional(numbers.t),
        exact(numbers.p),
        exact(numbers.p_holm),
        exact(numbers.p_wilcoxon),
        optional(numbers.effect),
        above.to_string(),
        equal.to_string(),
        below.to_string(),
        String::new(),
    ]
}

/// One line per mark.
pub(super) fn figure(figure: &Figure) -> Vec<u8> {
    const HEADS: [&str; 13] = [
        "panel",
        "series",
        "x",
        "y",
        "low",
        "high",
        "n",
        "minimum",
        "lower_quartile",
        "median",
        "upper_quartile",
        "maximum",
        "printed",
    ];
    let mut lines = Lines::new();
    lines.push(HEADS.map(str::to_owned));
    for panel in &figure.panels {
        for series in &panel.series {
            for point in &series.points {
                let named = [panel.name.clone(), series.name.clone(), position(&figure.x, point.x)];
                lines.push(named.into_iter().chain(mark(point)));
            }
        }
    }
    lines.done()
}

/// One line per cell; a matrix is symmetric, so only those on and above its diagonal.
pub(super) fn heat_map(map: &HeatMap) -> Vec<u8> {
    let mut lines = Lines::new();
    lines.push(["panel", "row", "column", "value"].map(str::to_owned));
    for panel in &map.panels {
        for row in 0..panel.side {
            for column in row..panel.side {
                let value = exact(panel.cells[row * panel.side + column]);
                lines.push([panel.name.clone(), row.to_string(), column.to_string(), value]);
            }
        }
    }
    lines.done()
}

fn mark(point: &Point) -> Vec<String> {
    let mut values = vec![exact(point.y), exact(point.low), exact(point.high), point.n.to_string()];
    match point.quartiles {
        Some(quartiles) => values.extend(quartiles.map(exact)),
        None => values.extend(std::iter::repeat_n(String::new(), 5)),
    }
    values.push(optional(point.printed));
    values
}

/// The name of a category, or the number itself.
pub(super) fn position(axis: &Axis, x: f64) -> String {
    match axis {
        Axis::Numeric => exact(x),
        Axis::Categories(names) => {
            let name = names.iter().enumerate().find(|(index, _)| *index as f64 == x);
            name.map_or_else(|| exact(x), |(_, name)| name.clone())
        }
    }
}

fn optional(value: Option<f64>) -> String {
    value.map_or_else(String::new, exact)
}

/// CSV in memory.
pub(super) struct Lines(csv::Writer<Vec<u8>>);

impl Lines {
    pub(super) fn new() -> Self {
        Self(csv::Writer::from_writer(Vec::new()))
    }

    pub(super) fn push(&mut self, values: impl IntoIterator<Item = String>) {
        self.0.write_record(values).expect("memory can be written to, and all lines of a file are equally long");
    }

    pub(super) fn done(self) -> Vec<u8> {
        self.0.into_inner().expect("memory can be written to")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).expect("CSV is UTF-8")
    }

    #[test]
    fn tables_are_tidy_and_exact() {
        let text = text(table(&sample::table()));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "dataset,group,column,value,n,half_width,printed,note,low,high");
        assert_eq!(lines[1], "iris,mm,mean,0.8866666666666667,50,0.0123,.8867,,0.8743666666666667,0.8989666666666667");
        assert_eq!(lines.last(), Some(&"\"wine, <red> & \"\"white\"\"\",k_means,max,,0,,,not run: too slow,,"));
    }

    #[test]
    fn a_refused_test_keeps_its_reason() {
        let text = text(test(&sample::test()));
        let refused = text.lines().last().expect("there are lines");
        assert!(refused.ends_with(",only 1 pair"), "{refused}");
        assert_eq!(refused.matches(',').count(), text.lines().next().expect("a heading").matches(',').count());
    }

    #[test]
    fn a_ranking_lists_methods_with_their_groups() {
        let text = text(ranking(&sample::ranking()));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "place,method,mean_rank,groups,critical_difference");
        assert_eq!(lines[1], "1,mm,1.5,1,1.25");
        assert_eq!(lines[3], "3,k<means,2.75,1 2,1.25");
    }

    #[test]
    fn costs_and_outcomes_are_exact() {
        let ranking = sample::ranking();
        let costs = text(trade(ranking.trade.as_ref().expect("the sample has costs")));
        assert_eq!(costs.lines().nth(1), Some("mm,0.0001,0.9,yes"));
        let duel = text(table(&ranking.tables[0]));
        assert!(duel.contains("won / tied / lost,6/1/2,9") && duel.contains("seconds,0.001234,9"), "{duel}");
    }

    #[test]
    fn half_of_a_matrix_is_enough() {
        let text = text(heat_map(&sample::heat_map()));
        let cells: Vec<&str> = text.lines().filter_map(|line| line.rsplit('"').next()).collect();
        assert_eq!(cells, ["panel,row,column,value", ",0,0,1", ",0,1,0.25", ",1,1,0.5"]);
    }

    #[test]
    fn categories_have_their_names() {
        let text = text(figure(&sample::bars()));
        assert!(text.contains("\n,mm,iris,0.9,0.88,0.92,50,,,,,,0.91\n"), "{text}");
    }
}

//! The tables of a ranking.

use super::Filled;
use super::compared::{Duel, Member};
use super::findings::{accepts_missing, finds_clusters, percent};
use crate::facts::{Fact, FactUnit};
use crate::summary::amounts::spoken;
use crate::summary::model::{Column, NumberForm, QuietColumns, Row, Table, TableCell};

/// Mean ranks, Wilcoxon's tests, wins and effects.
pub(super) fn all(filled: &Filled) -> Vec<Table> {
    let level = percent(filled.request.level);
    vec![
        ranks(filled),
        without_differences(
            filled,
            matrix(
                filled,
                "wilcoxon",
                "which methods differ",
                &format!(
                    "p of two-sided Wilcoxon signed-rank tests, paired by block, after Holm’s adjustment over all pairs; bold where \
                 below {level}."
                ),
                |duel, _| TableCell {
                    value: Some(duel.p),
                    form: NumberForm::PValue,
                    best: duel.p < filled.request.level,
                    ..counted(filled)
                },
            ),
        ),
        matrix(
            filled,
            "wins",
            "won / tied / lost",
            "Blocks in which the method of the row is better than, equal to and worse than that of the column.",
            |duel, side| {
                let [won, tied, lost] = duel.outcomes;
                let outcomes = match side {
                    Side::First => [won, tied, lost],
                    Side::Second => [lost, tied, won],
                };
                TableCell { outcomes: Some(outcomes), ..counted(filled) }
            },
        ),
        matrix(
            filled,
            "effects",
            "effect sizes",
            "Matched-pairs rank-biserial correlation: 1 where the method of the row is better in every block that tells them \
             apart, −1 where that of the column is; no number where they are equal everywhere.",
            |duel, side| {
                let effect = match side {
                    Side::First => duel.effect,
                    Side::Second => duel.effect.map(|effect| -effect),
                };
                TableCell { value: effect, form: NumberForm::Fixed(2), ..counted(filled) }
            },
        ),
    ]
}

/// Where no test finds a difference, a sentence says so.
fn without_differences(filled: &Filled, mut table: Table) -> Table {
    let least = filled.compared.duels.values().map(|duel| duel.p).min_by(f64::total_cmp);
    if let Some(least) = least.filter(|least| *least >= filled.request.level) {
        let pairs = filled.compared.duels.len();
        let words =
            format!("No two methods differ: the least p of {pairs} pairs is {least:.2} after Holm’s adjustment.");
        table.quiet = vec![QuietColumns { columns: (0..table.columns.len()).collect(), words }];
    }
    table
}

fn counted(filled: &Filled) -> TableCell {
    TableCell { n: filled.measured.blocks.len(), ..TableCell::default() }
}

/// One row per method, the best ranked first.
fn ranks(filled: &Filled) -> Table {
    let Filled { request, compared, .. } = filled;
    let mut columns = vec![
        Column::named("mean rank"),
        Column::named(format!("mean {}", spoken(&request.show.describe(&request.metric)))),
    ];
    columns.push(Column::named("best or equal"));
    columns.extend(request.cost.map(|cost| Column::named(cost_name(cost))));
    let has_peaks = request.cost.is_some() && compared.members.iter().any(|member| member.peak.is_some());
    columns.extend(has_peaks.then(|| Column::named("most memory of a run, MB")));
    columns.extend(["finds k", "takes missing labels"].map(Column::named));
    let least = |cost: Option<f64>| {
        compared.members.iter().all(|other| cost <= other.cost)
            && compared.members.iter().any(|other| cost < other.cost)
    };
    let row = |(position, member): (usize, &Member)| {
        let number = |value: f64, form: NumberForm| TableCell { value: Some(value), form, ..counted(filled) };
        let word = |yes: bool| TableCell { words: Some(if yes { "yes" } else { "no" }), n: 1, ..TableCell::default() };
        let mut cells = vec![
            TableCell {
                best: position < compared.leaders() && compared.leaders() < compared.members.len(),
                ..number(member.mean_rank, NumberForm::Fixed(2))
            },
            number(member.mean, NumberForm::Table),
            number(member.wins as f64, NumberForm::Fixed(0)),
        ];
        if let Some(cost) = request.cost {
            let priced = TableCell { value: member.cost, form: cost_form(cost), ..counted(filled) };
            cells.push(TableCell { best: least(member.cost), ..priced });
        }
        if has_peaks {
            let (value, form) = (member.peak.map(|bytes| bytes / 1e6), NumberForm::Significant(2));
            let note = value.is_none().then(|| "not measured: only that of programs is".to_owned());
            cells.push(TableCell { value, form, note, ..counted(filled) });
        }
        cells.push(word(finds_clusters(filled, &member.method)));
        cells.push(word(accepts_missing(filled, &member.method)));
        Row { keys: vec![member.method.clone()], cells }
    };
    let rows: Vec<Row> = compared.members.iter().enumerate().map(row).collect();
    let quiet = alike(&rows, columns.len() - 2, ["finds the number of clusters", "takes missing labels"]);
    Table {
        id: format!("{}-ranks", request.id),
        title: format!("{}: mean ranks", request.title),
        caption: format!("Over {} blocks. {}", filled.measured.blocks.len(), bold_ranks(filled)),
        keys: vec!["method".to_owned()],
        columns,
        rows,
        digits: 3,
        references: Vec::new(),
        across: Vec::new(),
        quiet,
    }
}

/// What is said of methods in the columns from `first` on, where that is the same of all of them.
fn alike(rows: &[Row], first: usize, what: [&str; 2]) -> Vec<QuietColumns> {
    let same = what.into_iter().enumerate().filter_map(|(place, what)| {
        let column = first + place;
        let words = rows.first()?.cells[column].words?;
        let is_same = rows.iter().all(|row| row.cells[column].words == Some(words));
        let who = if words == "yes" { "Every method" } else { "No method" };
        is_same.then(|| QuietColumns { columns: vec![column], words: format!("{who} {what}.") })
    });
    same.collect()
}

/// What it says that ranks are bold, or that none is.
fn bold_ranks(filled: &Filled) -> &'static str {
    if filled.compared.leaders() < filled.compared.members.len() {
        "Bold ranks: the group of the best, within which no test tells methods apart."
    } else {
        "No rank is bold, as no test tells any two methods apart."
    }
}

/// "time per run".
pub(super) fn cost_name(cost: Fact) -> String {
    match cost.unit {
        FactUnit::Seconds => "time per run".to_owned(),
        FactUnit::Bytes | FactUnit::None => format!("{} per run", cost.name),
    }
}

fn cost_form(cost: Fact) -> NumberForm {
    match cost.unit {
        FactUnit::Seconds => NumberForm::Time,
        FactUnit::Bytes | FactUnit::None => NumberForm::Significant(2),
    }
}

/// Which of a duel's methods is the row's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    First,
    Second,
}

/// Methods × methods in the order of the ranking; nothing on the diagonal.
fn matrix(filled: &Filled, part: &str, title: &str, caption: &str, cell: impl Fn(&Duel, Side) -> TableCell) -> Table {
    let Filled { request, compared, .. } = filled;
    let members = &compared.members;
    let at = |row: usize, other: usize| {
        let (key, side) = if row < other { ((row, other), Side::First) } else { ((other, row), Side::Second) };
        let nothing = TableCell { words: Some("·"), ..TableCell::default() };
        compared.duels.get(&key).map_or(nothing, |duel| cell(duel, side))
    };
    Table {
        id: format!("{}-{part}", request.id),
        title: format!("{}: {title}", request.title),
        caption: caption.to_owned(),
        keys: vec!["method".to_owned()],
        columns: members.iter().map(|member| Column::named(&member.method)).collect(),
        rows: members
            .iter()
            .enumerate()
            .map(|(row, member)| Row {
                keys: vec![member.method.clone()],
                cells: (0..members.len()).map(|other| at(row, other)).collect(),
            })
            .collect(),
        digits: 4,
        references: Vec::new(),
        across: Vec::new(),
        quiet: Vec::new(),
    }
}

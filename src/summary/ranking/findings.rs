//! Which method to use and what it costs: sentences made from the numbers.

use super::compared::{Member, NEAR};
use super::{Filled, blocks_in_words};
use crate::consensus::{Accepts, Clusters, Missing};
use crate::facts::{Fact, FactUnit};
use crate::summary::amounts::{spoken, time};

/// The answer; empty where the spec names no cost.
pub(super) fn sentences(filled: &Filled) -> Vec<String> {
    let Some(cost) = filled.request.cost else { return Vec::new() };
    let mut sentences = vec![advice(filled, cost)];
    sentences.extend([leading_group(filled), quickest(filled, cost), without_k(filled), missing_labels(filled)]);
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

/// The best, and the cheapest of those that are as good.
fn advice(filled: &Filled, cost: Fact) -> String {
    let compared = filled.compared;
    let best = &compared.members[0];
    let group = compared.like_the_first(filled.request.level);
    let metric = spoken(&filled.request.show.describe(&filled.request.metric));
    let of = |member: &Member| {
        let price = member.cost.map(|price| format!(", {} per run", amount(cost, price)));
        format!("mean {metric} {:.3}{}", member.mean, price.unwrap_or_default())
    };
    if compared.too_few_for_any(filled.request.level) {
        let blocks = blocks_in_words(filled.request, filled.experiment);
        return format!(
            "Too few {blocks} for any test of two methods: {}. The least p there can be is {}, and after Holm's adjustment for {} comparisons none is below \
             {}; so no method is recommended. {} has the best mean rank ({}).",
            filled.measured.blocks.len(),
            small(compared.least_p),
            compared.members.len() - 1,
            percent(filled.request.level),
            best.method,
            of(best)
        );
    }
    let not_worse = match compared.not_worse(filled.request.level).len() {
        1 => "1 other is not shown to be worse".to_owned(),
        others => format!("{others} others are not shown to be worse"),
    };
    let priced = group.iter().filter_map(|&member| Some((member, member.cost?)));
    let cheapest = priced.min_by(|one, other| one.1.total_cmp(&other.1));
    match cheapest.zip(best.cost) {
        _ if group.len() == 1 => {
            format!(
                "Use {}: it has the best mean rank ({}), and tests tell it from every other or the other's mean is more than {} worse.",
                best.method,
                of(best),
                percent(NEAR)
            )
        }
        Some(((cheapest, price), best_price)) if cheapest.method != best.method => format!(
            "{} has the best mean rank ({}); {not_worse}. Of those whose mean is at most {} worse {} is the cheapest ({}): {} cheaper.",
            best.method,
            of(best),
            percent(NEAR),
            cheapest.method,
            of(cheapest),
            times(best_price / price)
        ),
        _ => format!(
            "Use {}: it has the best mean rank ({}); {not_worse}, and of those whose mean is at most {} worse it is the cheapest.",
            best.method,
            of(best),
            percent(NEAR)
        ),
    }
}

fn leading_group(filled: &Filled) -> String {
    let compared = filled.compared;
    let (members, leaders) = (&compared.members, compared.leaders());
    let over = format!("{} {}", filled.measured.blocks.len(), blocks_in_words(filled.request, filled.experiment));
    let level = percent(filled.request.level);
    let friedman = if compared.friedman.f_p < filled.request.level {
        format!("Over {over} methods differ (Iman–Davenport {}).", p(compared.friedman.f_p))
    } else {
        format!("Over {over} no difference between methods is shown (Iman–Davenport {}).", p(compared.friedman.f_p))
    };
    if compared.too_few_for_any(filled.request.level) {
        return friedman;
    }
    if leaders == 1 {
        let [best, second] = [&members[0], &members[1]];
        return format!(
            "{friedman} {} has mean rank {:.2} of {}, the next, {}, {:.2}.",
            best.method,
            best.mean_rank,
            members.len(),
            second.method,
            second.mean_rank
        );
    }
    if leaders == members.len() {
        let apart = match compared.too_few_for_pairs(filled.request.level) {
            true => format!(
                "no test could tell any two of the {leaders} methods apart at {level}, as {} {} are too few for {} pairs",
                filled.measured.blocks.len(),
                blocks_in_words(filled.request, filled.experiment),
                compared.duels.len()
            ),
            false => format!("no test tells any two of the {leaders} methods apart at {level}"),
        };
        return match compared.not_worse(filled.request.level).len() + 1 {
            alike if alike == leaders => format!("{friedman} Adjusted for all pairs, {apart}."),
            _ => format!(
                "{friedman} Adjusted for all pairs, {apart}; comparisons with the first alone, which are fewer, do for some."
            ),
        };
    }
    let names: Vec<String> =
        members[..leaders].iter().map(|member| format!("{} ({:.2})", member.method, member.mean_rank)).collect();
    format!(
        "{friedman} The best group, in which no two can be told apart at {level}, is {}; in brackets, mean ranks of {}.",
        listed(&names),
        members.len()
    )
}

/// The cheapest method of all, where it is not among the best.
fn quickest(filled: &Filled, cost: Fact) -> String {
    let members = &filled.compared.members;
    let priced = members.iter().enumerate().filter_map(|(position, member)| Some((position, member, member.cost?)));
    let cheapest = priced.min_by(|one, other| one.2.total_cmp(&other.2));
    let Some((position, cheapest, price)) = cheapest.filter(|(position, ..)| *position >= filled.compared.leaders())
    else {
        return String::new();
    };
    format!(
        "Cheapest of all is {} ({}), in place {} of {} with mean {} {:.3}.",
        cheapest.method,
        amount(cost, price),
        position + 1,
        members.len(),
        spoken(&filled.request.show.describe(&filled.request.metric)),
        cheapest.mean
    )
}

fn without_k(filled: &Filled) -> String {
    let members = &filled.compared.members;
    let finders = members.iter().enumerate().filter(|(_, member)| finds_clusters(filled, &member.method));
    let names: Vec<String> =
        finders.map(|(position, member)| format!("{} (place {})", member.method, position + 1)).collect();
    match &names[..] {
        [] => "Every method must be told the number of clusters.".to_owned(),
        names if names.len() == members.len() => "No method needs to be told the number of clusters.".to_owned(),
        names => format!("The number of clusters need not be known for {}; the others were told it.", listed(names)),
    }
}

fn missing_labels(filled: &Filled) -> String {
    let labels = filled.request.methods.iter();
    let (takers, others): (Vec<String>, Vec<String>) =
        labels.cloned().partition(|label| accepts_missing(filled, label));
    match (&takers[..], &others[..]) {
        (_, []) => "All take missing labels.".to_owned(),
        ([], _) => "None takes missing labels.".to_owned(),
        (_, others) => format!("Missing labels are accepted by all but {}.", listed(others)),
    }
}

fn accepts(filled: &Filled, label: &str) -> Option<Accepts> {
    let methods = &filled.experiment.points[0].setting.methods;
    methods.iter().find(|setting| setting.label == label).map(|setting| setting.method.accepts())
}

pub(super) fn finds_clusters(filled: &Filled, label: &str) -> bool {
    accepts(filled, label).is_some_and(|accepts| accepts.clusters == Clusters::Found)
}

pub(super) fn accepts_missing(filled: &Filled, label: &str) -> bool {
    accepts(filled, label).is_some_and(|accepts| accepts.missing == Missing::Accepted)
}

/// "a, b and c".
fn listed(names: &[String]) -> String {
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

/// "p = 0.012", "p < 0.0001".
pub(super) fn p(p: f64) -> String {
    if p < 1e-4 { "p < 0.0001".to_owned() } else { format!("p = {p:.4}") }
}

/// "0.125", "0.00024".
pub(super) fn small(p: f64) -> String {
    if p < 0.001 { format!("{p:.5}") } else { format!("{p:.3}") }
}

/// "5 %".
pub(super) fn percent(level: f64) -> String {
    let text = format!("{:.2}", 100.0 * level);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// "420 µs", "3.1 s", "1200 bytes".
fn amount(cost: Fact, value: f64) -> String {
    match cost.unit {
        FactUnit::Bytes => format!("{value:.0} bytes"),
        FactUnit::Seconds => time(value),
        FactUnit::None => format!("{value:.1} {}", cost.name),
    }
}

/// "1.4 times", "12 times", "about 1,500 times".
fn times(ratio: f64) -> String {
    match ratio {
        ratio if ratio < 9.95 => format!("{ratio:.1} times"),
        ratio if ratio < 99.5 => format!("{ratio:.0} times"),
        ratio => {
            // Two digits: times on another machine differ by more than the third.
            let unit = 10f64.powf(ratio.log10().floor() - 1.0);
            format!("about {} times", with_thousands((ratio / unit).round() * unit))
        }
    }
}

/// "1,500".
fn with_thousands(whole: f64) -> String {
    let digits = format!("{whole:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts;

    #[test]
    fn numbers_read_as_people_say_them() {
        assert_eq!(amount(facts::SECONDS, 0.000_42), "420 µs");
        assert_eq!(
            [0.0042, 0.31, 2.26, 75.3].map(|value| amount(facts::SECONDS, value)),
            ["4.2 ms", "310 ms", "2.3 s", "75 s"]
        );
        assert_eq!(amount(facts::BYTES, 1234.4), "1234 bytes");
        let ratios = [1.44, 12.4, 99.6, 132.0, 1473.0, 1_234_567.0].map(times);
        let said = ["1.4", "12", "about 100", "about 130", "about 1,500", "about 1,200,000"];
        assert_eq!(ratios, said.map(|number| format!("{number} times")));
        assert_eq!([0.05, 0.1, 0.001].map(percent), ["5 %", "10 %", "0.1 %"]);
        assert_eq!([0.00001, 0.0321].map(p), ["p < 0.0001", "p = 0.0321"]);
        let names = ["a", "b", "c"].map(str::to_owned);
        assert_eq!([listed(&names), listed(&names[..1]), listed(&[])], ["a, b and c", "a", ""]);
    }
}

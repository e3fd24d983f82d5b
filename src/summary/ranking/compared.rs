//! Every test over blocks.

use std::collections::BTreeMap;

use super::measured::Measured;
use crate::facts::direction_of;
use crate::metric::Direction;
use crate::spec::RankingRequest;
use crate::stats::{self, Alternative, Best, Friedman, Pairs, RankTable};

/// A mean that is worse by no more than this share of the best is as good.
pub(super) const NEAR: f64 = 0.02;

/// Two or more methods compared over two or more blocks. Methods are in the order of their mean ranks, the best first.
pub(super) struct ComparedMethods {
    pub(super) members: Vec<Member>,
    pub(super) friedman: Friedman,
    pub(super) critical_difference: f64,
    /// One for every two methods, first before second.
    pub(super) duels: BTreeMap<(usize, usize), Duel>,
    pub(super) cliques: Vec<[usize; 2]>,
    pub(super) best: Best,
    /// The least two-sided p that Wilcoxon's test can have over so many blocks: one method is better in all of them.
    pub(super) least_p: f64,
}

/// A method over all blocks.
pub(super) struct Member {
    pub(super) method: String,
    pub(super) mean_rank: f64,
    pub(super) mean: f64,
    /// Blocks in which no other is better.
    pub(super) wins: usize,
    /// Geometric mean, so that large datasets do not drown the small ones.
    pub(super) cost: Option<f64>,
    /// The most memory that a run had, in bytes; of programs only.
    pub(super) peak: Option<f64>,
}

/// Two methods over all blocks; the better ranked is the first.
pub(super) struct Duel {
    /// Blocks won, tied and lost by the first.
    pub(super) outcomes: [usize; 3],
    /// Rank-biserial correlation, positive where the first is better; `None` when they are equal everywhere.
    pub(super) effect: Option<f64>,
    /// Wilcoxon's two-sided p, Holm-adjusted over all pairs.
    pub(super) p: f64,
    /// The same p by itself.
    alone: f64,
}

impl ComparedMethods {
    /// `None` when there are too few blocks or methods.
    pub(super) fn of(measured: &Measured, request: &RankingRequest) -> Option<Self> {
        let best = match request.show.direction(direction_of(&request.metric)) {
            Direction::LowerIsBetter => Best::Lowest,
            Direction::HigherIsBetter | Direction::Neither => Best::Highest,
        };
        let values: Vec<Vec<f64>> = measured.blocks.iter().map(|block| block.values.clone()).collect();
        let table = RankTable::of(&values, best)?;
        let mean_ranks = table.mean_ranks();
        let mut order: Vec<usize> = (0..measured.methods.len()).collect();
        order.sort_by(|&one, &other| mean_ranks[one].total_cmp(&mean_ranks[other]));
        let first_ranks: Vec<f64> =
            values.iter().map(|block| stats::ranks(block, best).into_iter().fold(f64::INFINITY, f64::min)).collect();
        let member = |method: usize| {
            let ranks = values.iter().map(|block| stats::ranks(block, best)[method]);
            let of_blocks: Vec<f64> = values.iter().map(|block| block[method]).collect();
            Some(Member {
                method: measured.methods[method].clone(),
                mean_rank: mean_ranks[method],
                mean: stats::mean(&of_blocks)?,
                wins: ranks.zip(&first_ranks).filter(|(rank, first)| rank == *first).count(),
                cost: geometric_mean(measured.blocks.iter().map(|block| block.costs[method])),
                peak: measured.blocks.iter().filter_map(|block| block.peaks[method]).reduce(f64::max),
            })
        };
        let members: Option<Vec<Member>> = order.iter().map(|&method| member(method)).collect();
        let duels = duels(measured, &order, best)?;
        let differ = |one: usize, other: usize| duels.get(&(one, other)).is_some_and(|duel| duel.p < request.level);
        Some(Self {
            members: members?,
            friedman: stats::friedman(&table),
            critical_difference: stats::nemenyi_difference(&table, request.level),
            cliques: stats::cliques(order.len(), differ),
            duels,
            best,
            least_p: 0.5f64.powf(values.len() as f64 - 1.0),
        })
    }

    /// Whether no test over all pairs could come out below the level, whatever the numbers: Holm multiplies the least p by the number
    /// of pairs.
    pub(super) fn too_few_for_pairs(&self, level: f64) -> bool {
        self.too_few_for(self.duels.len(), level)
    }

    /// The same for comparisons with the first alone, and so for every test.
    pub(super) fn too_few_for_any(&self, level: f64) -> bool {
        self.too_few_for(self.members.len() - 1, level)
    }

    fn too_few_for(&self, tests: usize, level: f64) -> bool {
        self.least_p * tests as f64 >= level
    }

    /// How many of the best no test tells from the first or from each other; at least 1.
    pub(super) fn leaders(&self) -> usize {
        self.cliques.first().filter(|clique| clique[0] == 0).map_or(1, |clique| clique[1] + 1)
    }

    /// The others that tests against the first alone do not tell from it (Holm's adjustment over the comparisons with the first,
    /// which have more power than all pairs have).
    pub(super) fn not_worse(&self, level: f64) -> Vec<&Member> {
        let others: Vec<usize> = (1..self.members.len()).collect();
        let alone: Vec<f64> = others.iter().filter_map(|&other| Some(self.duels.get(&(0, other))?.alone)).collect();
        let adjusted = stats::holm_adjust(&alone);
        others.iter().zip(adjusted).filter(|(_, p)| *p >= level).map(|(&other, _)| &self.members[other]).collect()
    }

    /// The first, and those that are as good: not shown to be worse, and with a mean that is not worse by more than [`NEAR`], which
    /// a few datasets could not tell either.
    pub(super) fn like_the_first(&self, level: f64) -> Vec<&Member> {
        let first = &self.members[0];
        let near = |other: &&Member| self.merit(first) - self.merit(other) <= NEAR * first.mean.abs();
        std::iter::once(first).chain(self.not_worse(level).into_iter().filter(near)).collect()
    }

    /// Whether no other member is at least as good and as cheap, and better in one of the two.
    pub(super) fn is_unbeaten(&self, member: &Member) -> bool {
        let beats = |other: &Member| match (other.cost, member.cost) {
            (Some(theirs), Some(own)) => {
                let (better, cheaper) = (self.merit(other) - self.merit(member), own - theirs);
                better >= 0.0 && cheaper >= 0.0 && better + cheaper > 0.0
            }
            _ => false,
        };
        !self.members.iter().any(beats)
    }

    /// The higher the better.
    fn merit(&self, member: &Member) -> f64 {
        match self.best {
            Best::Highest => member.mean,
            Best::Lowest => -member.mean,
        }
    }
}

fn duels(measured: &Measured, order: &[usize], best: Best) -> Option<BTreeMap<(usize, usize), Duel>> {
    let sample = |method: usize| -> BTreeMap<String, f64> {
        measured.blocks.iter().map(|block| (block.name.clone(), block.values[method])).collect()
    };
    let mut duels = BTreeMap::new();
    for first in 0..order.len() {
        for second in first + 1..order.len() {
            let pairs = Pairs::by_id(&sample(order[first]), &sample(order[second])).ok()?;
            let wilcoxon = stats::wilcoxon(&pairs, Alternative::TwoSided);
            let [above, equal, below] = stats::wins(&pairs);
            let (outcomes, sign) = match best {
                Best::Highest => ([above, equal, below], 1.0),
                Best::Lowest => ([below, equal, above], -1.0),
            };
            let effect = wilcoxon.rank_biserial().map(|effect| sign * effect);
            duels.insert((first, second), Duel { outcomes, effect, p: wilcoxon.p, alone: wilcoxon.p });
        }
    }
    let raw: Vec<f64> = duels.values().map(|duel| duel.p).collect();
    duels.values_mut().zip(stats::holm_adjust(&raw)).for_each(|(duel, p)| duel.p = p);
    Some(duels)
}

/// exp of the mean logarithm; `None` when a value is missing.
fn geometric_mean(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    // What took no time that the clock can tell took less than a nanosecond.
    const LEAST: f64 = 1e-9;
    let logarithms: Option<Vec<f64>> = values.map(|value| value.map(|value| value.max(LEAST).ln())).collect();
    stats::mean(&logarithms?).map(f64::exp)
}

#[cfg(test)]
mod tests {
    use super::super::measured::Block;
    use super::*;
    use crate::spec::{Dimension, Show};

    /// Nine blocks: "good" is better than "poor" everywhere, "near" differs from "good" by turns.
    fn measured() -> Measured {
        let block = |i: i32| {
            let x = f64::from(i);
            let near = if i % 2 == 0 { 0.001 } else { -0.001 };
            Block {
                name: format!("block {i}"),
                values: vec![0.5 + 0.01 * x, 0.8 + 0.01 * x, 0.8 + 0.01 * x + near],
                costs: vec![Some(0.1), Some(10f64.powi(i % 3 - 1)), Some(0.01)],
                peaks: vec![Some(f64::from(i)), None, None],
            }
        };
        Measured {
            methods: ["poor", "good", "near"].map(str::to_owned).to_vec(),
            blocks: (0..9).map(block).collect(),
            left_out: Vec::new(),
            not_run: Vec::new(),
        }
    }

    fn request(show: Show) -> RankingRequest {
        RankingRequest {
            id: "test".to_owned(),
            title: String::new(),
            caption: String::new(),
            metric: "accuracy".to_owned(),
            methods: measured().methods,
            blocks: vec![Dimension::Dataset],
            show,
            level: 0.05,
            cost: Some(crate::facts::SECONDS),
            filter: Vec::new(),
        }
    }

    #[test]
    fn the_best_come_first_and_only_what_differs_is_told_apart() {
        let compared = ComparedMethods::of(&measured(), &request(Show::Value)).expect("nine blocks");
        let members: Vec<(&str, usize)> = compared.members.iter().map(|m| (m.method.as_str(), m.wins)).collect();
        assert_eq!(members, [("near", 5), ("good", 4), ("poor", 0)]);
        assert_eq!((&compared.cliques[..], compared.leaders()), (&[[0, 1]][..], 2));
        let duel = &compared.duels[&(0, 2)];
        assert_eq!((duel.outcomes, duel.effect), ([9, 0, 0], Some(1.0)));
        // Exact two-sided p of nine equal signs is 2 / 2⁹; the smallest two of three p are multiplied by 3 and 2.
        assert!((duel.p - 3.0 * 2.0 / 512.0).abs() < 1e-15, "{}", duel.p);
        assert_eq!(compared.duels[&(0, 1)].outcomes, [5, 0, 4]);
    }

    #[test]
    fn lower_is_better_where_errors_are_shown() {
        let mut errors = measured();
        errors.blocks.iter_mut().for_each(|block| block.values.iter_mut().for_each(|value| *value = 1.0 - *value));
        let [values, errors] = [(measured(), Show::Value), (errors, Show::Error)]
            .map(|(measured, show)| ComparedMethods::of(&measured, &request(show)).expect("nine blocks"));
        for (one, other) in values.members.iter().zip(&errors.members) {
            assert_eq!((&one.method, one.mean_rank, one.wins), (&other.method, other.mean_rank, other.wins));
        }
        for (key, duel) in &values.duels {
            assert_eq!((duel.outcomes, duel.effect), (errors.duels[key].outcomes, errors.duels[key].effect));
        }
        assert_eq!(values.cliques, errors.cliques);
    }

    #[test]
    fn costs_are_geometric_means_and_the_beaten_are_known() {
        let compared = ComparedMethods::of(&measured(), &request(Show::Value)).expect("nine blocks");
        let cost = |method: &str| compared.members.iter().find(|m| m.method == method).and_then(|m| m.cost);
        assert!(cost("good").is_some_and(|cost| (cost - 1.0).abs() < 1e-12));
        let unbeaten: Vec<bool> = compared.members.iter().map(|member| compared.is_unbeaten(member)).collect();
        assert_eq!(unbeaten, [true, false, false]);
    }

    #[test]
    fn as_good_as_the_first_is_what_neither_tests_nor_means_tell_from_it() {
        let like_the_first = |measured: &Measured| -> Vec<String> {
            let compared = ComparedMethods::of(measured, &request(Show::Value)).expect("nine blocks");
            compared.like_the_first(0.05).into_iter().map(|member| member.method.clone()).collect()
        };
        assert_eq!(like_the_first(&measured()), ["near", "good"]);
        // In four blocks of nine "good" is better, as before, but where it is worse it is much worse.
        let mut uneven = measured();
        uneven.blocks.iter_mut().step_by(2).for_each(|block| block.values[1] -= 0.1);
        assert_eq!(like_the_first(&uneven), ["near"]);
        let compared = ComparedMethods::of(&uneven, &request(Show::Value)).expect("nine blocks");
        let not_worse: Vec<&str> = compared.not_worse(0.05).into_iter().map(|member| member.method.as_str()).collect();
        assert_eq!(not_worse, ["good"], "no test tells it from the first");
    }

    #[test]
    fn too_few_blocks_are_those_over_which_no_test_can_come_out() {
        let over = |blocks: usize| {
            let mut few = measured();
            few.blocks.truncate(blocks);
            let compared = ComparedMethods::of(&few, &request(Show::Value)).expect("blocks enough for a ranking");
            let any_pair = compared.duels.values().any(|duel| duel.p < 0.05);
            (compared.too_few_for_any(0.05), compared.too_few_for_pairs(0.05), any_pair)
        };
        // Three pairs, two of them with the first: 2⁻⁵ · 2 and 2⁻⁶ · 2 are on both sides of 0.05, and so are 2⁻⁵ · 3 and 2⁻⁶ · 3.
        assert_eq!(over(6), (true, true, false));
        assert_eq!(over(7), (false, false, true));
        let mut many = measured();
        many.blocks.truncate(7);
        many.methods.push("other".to_owned());
        many.blocks.iter_mut().for_each(|block| {
            block.values.push(0.4);
            block.costs.push(None);
            block.peaks.push(None);
        });
        let compared = ComparedMethods::of(&many, &request(Show::Value)).expect("seven blocks");
        assert_eq!(
            (compared.too_few_for_any(0.05), compared.too_few_for_pairs(0.05)),
            (false, true),
            "six pairs, three with the first"
        );
    }

    #[test]
    fn one_block_is_no_ranking() {
        let mut short = measured();
        short.blocks.truncate(1);
        assert!(ComparedMethods::of(&short, &request(Show::Value)).is_none());
    }
}

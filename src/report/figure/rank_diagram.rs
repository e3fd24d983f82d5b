//! Critical-difference diagrams (Demšar 2006, Figure 1): mean ranks on a line, bars under methods that cannot be told apart.

use super::Medium;
use super::axis::{Range, Tick, whole_ticks};
use super::font::{elide, width, wrap};
use super::layout::label;
use super::scene::{Anchor, Label, Scene, Stroke, Weight};
use super::theme::{Ink, text};
use crate::report::numbers::fixed;
use crate::summary::Ranking;

/// Room at the left and right of everything.
const MARGIN: f64 = 8.0;
/// From one name to the next.
const ROW: f64 = 20.0;
/// From one clique's bar to the next.
const BAR_PITCH: f64 = 8.0;
/// Longest name that is not cut.
const LONGEST: f64 = 190.0;
const BAR: Stroke = Stroke { ink: Ink::Series(0), width: 4.0 };
const LEADER: Stroke = Stroke { ink: Ink::Axis, width: 1.0 };
const AXIS: Stroke = Stroke { ink: Ink::Text, width: 1.2 };

/// Lays a diagram out.
pub(in crate::report) fn compose(ranking: &Ranking, medium: Medium) -> Scene {
    match medium {
        Medium::Wide => wide(ranking),
        Medium::Narrow => narrow(ranking),
    }
}

/// Where ranks lie.
struct RankAxis {
    range: Range,
    left: f64,
    right: f64,
}

impl RankAxis {
    /// From 1 to the number of methods.
    fn of(ranking: &Ranking, left: f64, right: f64) -> Self {
        Self { range: Range { low: 1.0, high: (ranking.places.len() as f64).max(2.0) }, left, right }
    }

    fn x(&self, rank: f64) -> f64 {
        self.left + self.range.share(rank) * (self.right - self.left)
    }

    fn ticks(&self) -> Vec<Tick> {
        whole_ticks(self.range, ((self.right - self.left) / 34.0) as usize)
    }

    fn draw(&self, scene: &mut Scene, y: f64) {
        scene.line(vec![(self.left, y), (self.right, y)], AXIS);
        for tick in self.ticks() {
            let x = self.x(tick.at);
            scene.line(vec![(x, y - 5.0), (x, y)], AXIS);
            scene.text(label(&tick.text, (x, y - 9.0), text::TICK, Ink::Soft));
        }
    }

    /// The critical difference as a ruler that begins at the best rank, its name beside it; returns where it ends.
    fn draw_difference(&self, scene: &mut Scene, ranking: &Ranking, top: f64) -> f64 {
        let Some(difference) = ranking.critical_difference else { return top };
        let y = top + 10.0;
        let end = self.x((1.0 + difference).min(self.range.high));
        scene.line(vec![(self.left, y), (end, y)], AXIS);
        for x in [self.left, end] {
            scene.line(vec![(x, y - 4.0), (x, y + 4.0)], AXIS);
        }
        let name = format!("CD = {}", fixed(difference, 2));
        let beside = end + 8.0;
        let room = self.right - beside;
        let at = if width(&name, text::TICK, Weight::Normal) <= room {
            starting(&name, (beside, y + 4.0))
        } else {
            starting(&name, (self.left, y + 18.0))
        };
        let below = if at.at.1 > y + 4.0 { 16.0 } else { 0.0 };
        scene.text(at);
        y + 14.0 + below
    }
}

fn starting(text: &str, at: (f64, f64)) -> Label {
    Label { anchor: Anchor::Start, ..label(text, at, text::TICK, Ink::Text) }
}

/// Title of the axis in lines; returns where it ends.
fn draw_title(scene: &mut Scene, ranking: &Ranking) -> f64 {
    let room = scene.width - 2.0 * MARGIN;
    let lines = wrap(&ranking.axis, text::TITLE, room)
        .unwrap_or_else(|| vec![elide(&ranking.axis, text::TITLE, Weight::Normal, room)]);
    for (line, part) in lines.iter().enumerate() {
        let style = label(part, (MARGIN, 14.0 + 16.0 * line as f64), text::TITLE, Ink::Text);
        scene.text(Label { anchor: Anchor::Start, ..style });
    }
    6.0 + 16.0 * lines.len() as f64
}

fn empty(mut scene: Scene) -> Scene {
    scene.height = 90.0;
    scene.text(label("no numbers yet", (scene.width / 2.0, 55.0), text::TITLE, Ink::Soft));
    scene
}

/// The classical form: names on both sides, joined to their ranks by lines that never cross.
fn wide(ranking: &Ranking) -> Scene {
    let mut scene = Scene::empty(860.0, 0.0);
    let top = draw_title(&mut scene, ranking);
    if ranking.places.is_empty() {
        return empty(scene);
    }
    let rank_room = width("00.00", text::TICK, Weight::Normal) + 10.0;
    let names = ranking.places.iter().map(|place| width(&place.method, text::LEGEND, Weight::Normal));
    let side = MARGIN + names.fold(0.0, f64::max).min(LONGEST) + rank_room + 8.0;
    let scale = RankAxis::of(ranking, side, scene.width - side);
    let axis = scale.draw_difference(&mut scene, ranking, top + 4.0) + 26.0;
    let bars_end = axis + 8.0 + BAR_PITCH * lanes(ranking) as f64;
    let on_left = ranking.places.len().div_ceil(2);
    let rows = bars_end + 12.0;
    for (position, place) in ranking.places.iter().enumerate() {
        let x = scale.x(place.mean_rank);
        let name = elide(&place.method, text::LEGEND, Weight::Normal, LONGEST);
        let rank = fixed(place.mean_rank, 2);
        // Going inwards from either side, names go downwards: no line meets another's.
        let (row, edge, anchor, rank_at) = if position < on_left {
            (position, side, Anchor::End, side - rank_room + 4.0)
        } else {
            let right = scene.width - side;
            (ranking.places.len() - 1 - position, right, Anchor::Start, right + rank_room - 4.0)
        };
        let y = rows + ROW * row as f64;
        scene.line(vec![(x, axis), (x, y), (edge, y)], LEADER);
        let outwards = if anchor == Anchor::End { -1.0 } else { 1.0 };
        let rank = label(&rank, (edge + 5.0 * outwards, y + 4.0), text::TICK, Ink::Soft);
        scene.text(Label { anchor, ..rank });
        let name = label(&name, (rank_at + 6.0 * outwards, y + 4.4), text::LEGEND, Ink::Text);
        scene.text(Label { anchor, ..name });
    }
    for ((first, last), lane) in placed_bars(ranking) {
        let y = axis + 9.0 + BAR_PITCH * lane as f64;
        let [from, to] = [first, last].map(|position| scale.x(ranking.places[position].mean_rank));
        // Methods of equal rank still have a bar that can be seen.
        scene.line(vec![(from - 3.0, y), (to + 3.0, y)], BAR);
    }
    scale.draw(&mut scene, axis);
    scene.height = (rows + ROW * (on_left as f64 - 1.0) + 14.0).ceil();
    scene
}

/// One row per method, its rank as a dot; bars stand upright at the right.
fn narrow(ranking: &Ranking) -> Scene {
    let mut scene = Scene::empty(372.0, 0.0);
    let top = draw_title(&mut scene, ranking);
    if ranking.places.is_empty() {
        return empty(scene);
    }
    const NAMES: f64 = 128.0;
    let widest = ranking.places.iter().map(|place| width(&place.method, text::LEGEND, Weight::Normal));
    let names = widest.fold(0.0, f64::max).min(NAMES);
    let bars = lanes(ranking) as f64 * BAR_PITCH;
    let left = MARGIN + names + 14.0;
    let scale = RankAxis::of(ranking, left, scene.width - MARGIN - bars - 12.0);
    let axis = scale.draw_difference(&mut scene, ranking, top + 4.0) + 26.0;
    scale.draw(&mut scene, axis);
    let y = |position: usize| axis + 16.0 + ROW * position as f64;
    let end = y(ranking.places.len() - 1) + 12.0;
    for tick in scale.ticks() {
        let x = scale.x(tick.at);
        scene.line(vec![(x, axis + 1.0), (x, end)], Stroke { ink: Ink::Grid, width: 1.0 });
    }
    for (position, place) in ranking.places.iter().enumerate() {
        let name = elide(&place.method, text::LEGEND, Weight::Normal, NAMES);
        let style = label(&name, (MARGIN, y(position) + 4.4), text::LEGEND, Ink::Text);
        scene.text(Label { anchor: Anchor::Start, ..style });
        scene.dots(vec![(scale.x(place.mean_rank), y(position))], Ink::Series(0), 4.0);
    }
    for ((first, last), lane) in placed_bars(ranking) {
        let x = scale.right + 14.0 + BAR_PITCH * lane as f64;
        scene.line(vec![(x, y(first) - 6.0), (x, y(last) + 6.0)], BAR);
    }
    scene.height = (end + 6.0).ceil();
    scene
}

/// The cliques, each in the first lane in which it meets no other.
fn placed_bars(ranking: &Ranking) -> Vec<((usize, usize), usize)> {
    let mut ends: Vec<usize> = Vec::new();
    let mut placed = Vec::new();
    for &[first, last] in &ranking.cliques {
        let lane = ends.iter().position(|end| *end < first).unwrap_or(ends.len());
        if lane == ends.len() {
            ends.push(last);
        } else {
            ends[lane] = last;
        }
        placed.push(((first, last), lane));
    }
    placed
}

fn lanes(ranking: &Ranking) -> usize {
    placed_bars(ranking).iter().map(|(_, lane)| lane + 1).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::scene::Primitive;
    use super::*;
    use crate::report::sample;

    /// Left, top, right and bottom of every text.
    fn boxes(scene: &Scene) -> Vec<([f64; 4], String)> {
        let labels = scene.shapes.iter().filter_map(|shape| match shape {
            Primitive::Text(label) => Some(label),
            _ => None,
        });
        let place = |label: &Label| {
            let wide = width(&label.text, label.size, label.weight);
            let left = match label.anchor {
                Anchor::Start => label.at.0,
                Anchor::Middle => label.at.0 - wide / 2.0,
                Anchor::End => label.at.0 - wide,
            };
            ([left, label.at.1 - 0.75 * label.size, left + wide, label.at.1 + 0.2 * label.size], label.text.clone())
        };
        labels.map(place).collect()
    }

    fn assert_readable(scene: &Scene) {
        let boxes = boxes(scene);
        for (index, (one, name)) in boxes.iter().enumerate() {
            assert!(
                one[0] >= 0.0 && one[2] <= scene.width && one[3] <= scene.height,
                "{name} leaves the picture: {one:?}"
            );
            for (other, rival) in &boxes[index + 1..] {
                let apart = one[2] <= other[0] || other[2] <= one[0] || one[3] <= other[1] || other[3] <= one[1];
                assert!(apart, "{name} meets {rival}");
            }
        }
    }

    #[test]
    fn texts_stay_inside_and_apart_however_many_and_long_the_names() {
        let mut ranking = sample::ranking();
        for medium in [Medium::Wide, Medium::Narrow] {
            assert_readable(&compose(&ranking, medium));
        }
        let methods = (0..23).map(|i| crate::summary::RankPlace {
            method: format!("method number {i} with quite a long name for a method"),
            mean_rank: 1.0 + f64::from(i / 3),
        });
        ranking.places = methods.collect();
        ranking.cliques = (0..12).map(|first| [first, first + 9]).collect();
        for difference in [0.4, 9.0, 21.9] {
            ranking.critical_difference = Some(difference);
            for medium in [Medium::Wide, Medium::Narrow] {
                assert_readable(&compose(&ranking, medium));
            }
        }
    }

    #[test]
    fn bars_share_a_lane_only_where_they_do_not_meet() {
        let mut ranking = sample::ranking();
        ranking.cliques = vec![[0, 2], [1, 4], [3, 5], [5, 6]];
        assert_eq!(placed_bars(&ranking), [((0, 2), 0), ((1, 4), 1), ((3, 5), 0), ((5, 6), 1)]);
    }

    #[test]
    fn nothing_to_rank_is_said() {
        let ranking =
            Ranking { places: Vec::new(), cliques: Vec::new(), critical_difference: None, ..sample::ranking() };
        for medium in [Medium::Wide, Medium::Narrow] {
            assert!(boxes(&compose(&ranking, medium)).iter().any(|(_, text)| text == "no numbers yet"));
        }
    }
}

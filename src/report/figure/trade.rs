//! Quality against cost: one mark per method, its name beside it.

use super::Medium;
use super::axis::{Range, Tick, ticks};
use super::font::{elide, width};
use super::layout::label;
use super::scene::{Anchor, Frame, Label, Position, Scene, Stroke, Turn, Weight};
use super::theme::{Ink, Symbol, text};
use crate::facts::FactUnit;
use crate::summary::{Standing, Trade, TradeMark};

const RADIUS: f64 = 4.2;
const GRID: Stroke = Stroke { ink: Ink::Grid, width: 1.0 };
/// A reader without the font that names are measured with may have a wider one.
const SLACK: f64 = 0.9;
const AXIS: Stroke = Stroke { ink: Ink::Axis, width: 1.0 };
const LEADER: Stroke = Stroke { ink: Ink::Axis, width: 0.8 };

/// Lays a figure out.
pub(in crate::report) fn compose(trade: &Trade, medium: Medium) -> Scene {
    let (scene_width, plot_height, longest) = match medium {
        Medium::Wide => (760.0, 400.0, 170.0),
        Medium::Narrow => (372.0, 420.0, 110.0),
    };
    let mut scene = Scene::empty(scene_width, plot_height + 66.0);
    let Some(scales) = Scales::of(trade, scene_width, plot_height) else {
        scene.text(label("no numbers yet", (scene_width / 2.0, plot_height / 2.0), text::TITLE, Ink::Soft));
        return scene;
    };
    scales.draw(&mut scene, trade);
    let spots: Vec<Position> = trade.marks.iter().map(|mark| scales.place(mark)).collect();
    let mut taken: Vec<Frame> = spots.iter().map(|spot| around(*spot)).collect();
    let names = trade.marks.iter().map(|mark| elide(&mark.method, text::TICK, Weight::Normal, longest));
    let names: Vec<String> = names.collect();
    for (name, spot) in names.iter().zip(&spots) {
        draw_name(&mut scene, name, *spot, scales.frame, &mut taken);
    }
    for (mark, spot) in trade.marks.iter().zip(&spots) {
        match mark.standing {
            Standing::Front => scene.mark(Symbol::Disc, *spot, Ink::Series(1), RADIUS),
            Standing::Beaten => scene.hollow(Symbol::Disc, *spot, Ink::Series(0), RADIUS),
        }
    }
    scene
}

/// The two axes and the plot area between them.
struct Scales {
    frame: Frame,
    /// Of the decimal logarithm of the cost.
    across: Range,
    upright: Range,
}

impl Scales {
    fn of(trade: &Trade, scene_width: f64, plot_height: f64) -> Option<Self> {
        let costs = Range::of(trade.marks.iter().map(|mark| mark.cost.log10()))?;
        let upright = Range::of(trade.marks.iter().map(|mark| mark.quality))?.padded(0.08);
        // Whole powers of ten at both ends: a logarithmic axis without two labels cannot be read.
        let across = Range { low: (costs.low - 0.1).floor(), high: (costs.high + 0.1).ceil() };
        let left = 30.0 + ticks(upright, 6).iter().map(tick_width).fold(0.0, f64::max);
        let frame = Frame { left, top: 10.0, right: scene_width - 26.0, bottom: 10.0 + plot_height };
        Some(Self { frame, across, upright })
    }

    fn place(&self, mark: &TradeMark) -> Position {
        (self.x(mark.cost.log10()), self.y(mark.quality))
    }

    fn x(&self, power: f64) -> f64 {
        self.frame.left + self.across.share(power) * self.frame.width()
    }

    fn y(&self, quality: f64) -> f64 {
        self.frame.bottom - self.upright.share(quality) * (self.frame.bottom - self.frame.top)
    }

    fn draw(&self, scene: &mut Scene, trade: &Trade) {
        let Frame { left, top, right, bottom } = self.frame;
        for tick in ticks(self.upright, 6) {
            let y = self.y(tick.at);
            scene.line(vec![(left, y), (right, y)], GRID);
            let style = label(&tick.text, (left - 7.0, y + 4.0), text::TICK, Ink::Soft);
            scene.text(Label { anchor: Anchor::End, ..style });
        }
        for power in self.across.low as i32..=self.across.high as i32 {
            let x = self.x(f64::from(power));
            scene.line(vec![(x, top), (x, bottom)], GRID);
            scene.line(vec![(x, bottom), (x, bottom + 4.0)], AXIS);
            scene.text(label(&power_of_ten(trade.cost_unit, power), (x, bottom + 17.0), text::TICK, Ink::Soft));
        }
        scene.line(vec![(left, bottom), (right, bottom)], AXIS);
        let title = elide(&trade.cost_label, text::TITLE, Weight::Normal, right - left);
        scene.text(label(&title, ((left + right) / 2.0, bottom + 40.0), text::TITLE, Ink::Text));
        let title = elide(&trade.quality_label, text::TITLE, Weight::Normal, bottom - top);
        let style = label(&title, (13.0, (top + bottom) / 2.0), text::TITLE, Ink::Text);
        scene.text(Label { turn: Turn::Upwards, ..style });
    }
}

fn tick_width(tick: &Tick) -> f64 {
    width(&tick.text, text::TICK, Weight::Normal)
}

/// "0.001", "1", "1000"; of seconds "1 ms", "1 s", "1000 s".
fn power_of_ten(unit: FactUnit, power: i32) -> String {
    let scaled = |by: i32, unit: &str| format!("{}{unit}", 10f64.powi(power + by));
    if unit == FactUnit::Seconds {
        match power {
            -9..=-7 => return scaled(9, " ns"),
            -6..=-4 => return scaled(6, " µs"),
            -3..=-1 => return scaled(3, " ms"),
            0..=4 => return scaled(0, " s"),
            _ => {}
        }
    }
    match power {
        -4..=4 => scaled(0, ""),
        _ => format!("1e{power}").replace('-', "−"),
    }
}

fn around((x, y): Position) -> Frame {
    const ROOM: f64 = RADIUS + 1.5;
    Frame { left: x - ROOM, top: y - ROOM, right: x + ROOM, bottom: y + ROOM }
}

/// Writes a name at the nearest free place around its mark, with a line to it where that is not beside it.
fn draw_name(scene: &mut Scene, name: &str, spot: Position, plot: Frame, taken: &mut Vec<Frame>) {
    // Beyond what [`meet`] keeps free beside the mark itself.
    const BESIDE: f64 = RADIUS + 8.0;
    const HEIGHT: f64 = text::TICK;
    let wide = width(name, text::TICK, Weight::Normal) / SLACK;
    let frame = |(x, y): Position| Frame { left: x, top: y - HEIGHT / 2.0, right: x + wide, bottom: y + HEIGHT / 2.0 };
    let free = |frame: &Frame| {
        let inside = frame.left >= plot.left + 2.0
            && frame.right <= scene.width - 2.0
            && frame.top >= 0.0
            && frame.bottom <= plot.bottom - 2.0;
        inside && !taken.iter().any(|other| meet(frame, other))
    };
    // Rings of growing distance; on each, right and left come before above and below.
    let directions =
        [0.0, 180.0, -30.0, 30.0, 210.0, 150.0, -60.0, 60.0, 240.0, 120.0, -90.0, 90.0].map(f64::to_radians);
    let candidates = (0..40).flat_map(|ring| {
        directions.map(|angle: f64| {
            let distance = BESIDE + 7.0 * f64::from(ring);
            let (x, y) = (spot.0 + distance * angle.cos(), spot.1 + distance * angle.sin());
            // The near end of the text is at the place: its start to the right, its end to the left, its middle above.
            let shift = wide * (1.0 - angle.cos()) / 2.0;
            (frame((x - shift, y)), (x, y), distance)
        })
    });
    // Where there is no room at all, the name is in the table of ranks alone.
    let Some((placed, near, distance)) = candidates.into_iter().find(|(frame, ..)| free(frame)) else { return };
    if distance > BESIDE {
        scene.line(vec![spot, near], LEADER);
    }
    let style = label(name, (placed.left, placed.bottom - 1.8), text::TICK, Ink::Text);
    scene.text(Label { anchor: Anchor::Start, ..style });
    taken.push(placed);
}

fn meet(one: &Frame, other: &Frame) -> bool {
    // Two names on one line with less between them would be read as one.
    const BESIDE: f64 = 6.0;
    const GAP: f64 = 1.0;
    one.left < other.right + BESIDE
        && other.left < one.right + BESIDE
        && one.top < other.bottom + GAP
        && other.top < one.bottom + GAP
}

#[cfg(test)]
mod tests {
    use super::super::scene::Primitive;
    use super::*;
    use crate::report::sample;

    /// Where the names stand.
    fn names(scene: &Scene, trade: &Trade) -> Vec<Frame> {
        let named = |text: &str| trade.marks.iter().any(|mark| mark.method == text);
        let labels = scene.shapes.iter().filter_map(|shape| match shape {
            Primitive::Text(label) if named(&label.text) => Some(label),
            _ => None,
        });
        let frame = |label: &Label| {
            let ((left, base), wide) = (label.at, width(&label.text, label.size, label.weight));
            Frame { left, top: base - 0.75 * label.size, right: left + wide, bottom: base + 0.1 * label.size }
        };
        labels.map(frame).collect()
    }

    #[test]
    fn crowded_names_keep_apart_and_inside() {
        let mut trade = sample::ranking().trade.expect("the sample has costs");
        // Twenty methods within a few pixels of each other, and one far away.
        let crowd = (0..20).map(|i| TradeMark {
            method: format!("method-{i:02}"),
            cost: 1e-3 * (1.0 + 0.05 * f64::from(i % 5)),
            quality: 0.8 + 0.001 * f64::from(i / 5),
            standing: Standing::Beaten,
        });
        let far = TradeMark { method: "far-away".to_owned(), cost: 9.0, quality: 0.3, standing: Standing::Front };
        trade.marks = crowd.chain([far]).collect();
        for medium in [Medium::Wide, Medium::Narrow] {
            let scene = compose(&trade, medium);
            let frames = names(&scene, &trade);
            assert_eq!(frames.len(), 21);
            for (index, one) in frames.iter().enumerate() {
                assert!(one.left >= 0.0 && one.right <= scene.width && one.bottom <= scene.height);
                assert!(!frames[index + 1..].iter().any(|other| meet(one, other)), "{medium:?} {index}");
            }
        }
    }

    #[test]
    fn powers_of_ten_are_short() {
        let of = |unit: FactUnit| [-6, -3, 0, 2, 5].map(|power| power_of_ten(unit, power));
        assert_eq!(of(FactUnit::None), ["1e−6", "0.001", "1", "100", "1e5"]);
        let seconds = [-7, -6, -5, -3, -1, 0, 2].map(|power| power_of_ten(FactUnit::Seconds, power));
        assert_eq!(seconds, ["100 ns", "1 µs", "10 µs", "1 ms", "100 ms", "1 s", "100 s"]);
    }

    #[test]
    fn no_marks_are_said() {
        let trade = Trade { marks: Vec::new(), ..sample::ranking().trade.expect("the sample has costs") };
        let scene = compose(&trade, Medium::Wide);
        assert!(matches!(&scene.shapes[..], [Primitive::Text(label)] if label.text == "no numbers yet"));
    }
}

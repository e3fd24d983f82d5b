//! What the signs mean, in words: only those that occur.

use super::super::font::width;
use super::super::scene::{Frame, Position, Scene, Stroke, Weight};
use super::super::theme::{Ink, text};
use super::{MARGIN, options, starting, universes, words};
use crate::summary::{CurveStanding, SpecificationCurve};

/// From the start of a sign to its words.
const SAMPLE: f64 = 22.0;
const SPACE: f64 = 22.0;
const ROW: f64 = 20.0;

#[derive(Clone, Copy)]
enum Sign {
    Standing(CurveStanding),
    Interval,
    Band,
    OwnOption,
}

/// Draws signs and words in rows; returns where they end.
pub(super) fn draw(scene: &mut Scene, curve: &SpecificationCurve, top: f64) -> f64 {
    let (mut left, mut middle) = (MARGIN, top + ROW / 2.0);
    for sign in signs(curve) {
        let name = sign.name();
        let wide = SAMPLE + width(name, text::LEGEND, Weight::Normal);
        if left > MARGIN && left + wide > scene.width - MARGIN {
            (left, middle) = (MARGIN, middle + ROW);
        }
        sign.draw(scene, (left + SAMPLE / 2.0 - 3.0, middle));
        scene.text(starting(name, (left + SAMPLE, middle + 4.4), text::LEGEND));
        left += wide + SPACE;
    }
    middle + ROW / 2.0
}

fn signs(curve: &SpecificationCurve) -> Vec<Sign> {
    let occurs = |standing: &CurveStanding| curve.universes.iter().any(|universe| universe.standing == *standing);
    let standings = [CurveStanding::Holds, CurveStanding::Fails, CurveStanding::Open];
    let standings = standings.into_iter().filter(occurs).map(Sign::Standing);
    let interval = curve.universes.iter().any(|universe| universe.interval.is_some());
    let options = curve.forks.iter().any(|fork| !fork.options.is_empty());
    standings
        .chain(interval.then_some(Sign::Interval))
        .chain(curve.band.is_some().then_some(Sign::Band))
        .chain(options.then_some(Sign::OwnOption))
        .collect()
}

impl Sign {
    fn name(self) -> &'static str {
        match self {
            Self::Standing(standing) => words::standing(standing),
            Self::Interval => "95 % interval",
            Self::Band => "claimed or printed",
            Self::OwnOption => "option as stated",
        }
    }

    fn draw(self, scene: &mut Scene, (x, y): Position) {
        match self {
            Self::Standing(standing) => universes::draw_mark(scene, standing, (x, y), 4.2),
            Self::Interval => {
                scene.line(vec![(x, y - 7.0), (x, y + 7.0)], Stroke { ink: Ink::Soft, width: 1.4 });
            }
            Self::Band => {
                let frame = Frame { left: x - 8.0, top: y - 5.0, right: x + 8.0, bottom: y + 5.0 };
                universes::draw_band(scene, frame, [Some(frame.top), Some(frame.bottom)]);
            }
            Self::OwnOption => options::draw_own(scene, (x, y)),
        }
    }
}

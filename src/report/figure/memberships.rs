//! Memberships as bars: an upright bar for a few objects, divided by the clusters they belong to.

use super::Medium;
use super::layout::label;
use super::scene::{Anchor, Frame, Label, Scene, Stroke};
use super::theme::{Hatch, Ink, PALETTE_SIZE, hatch, text};
use crate::report::consensus::MembershipBars;

const LEFT: f64 = 40.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 8.0;
const FOOT: f64 = 44.0;
const OVERLAP: f64 = 0.6;

/// Lays the bars out.
pub(in crate::report) fn compose(bars: &MembershipBars, medium: Medium) -> Scene {
    let (width, height) = match medium {
        Medium::Wide => (960.0, 240.0),
        Medium::Narrow => (372.0, 220.0),
    };
    let frame = Frame { left: LEFT, top: TOP, right: width - RIGHT, bottom: height - FOOT };
    let mut scene = Scene::empty(width, height);
    let tall = frame.bottom - frame.top;
    let pitch = frame.width() / bars.bars.len().max(1) as f64;
    for (position, shares) in bars.bars.iter().enumerate() {
        let left = frame.left + position as f64 * pitch;
        let mut from = 0.0;
        for (cluster, share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            let ends = [from, from + share].map(|end: f64| frame.bottom - end.min(1.0) * tall);
            // A little under the next bar, so that no ground shows between them.
            let right = (left + pitch + OVERLAP).min(frame.right);
            let part = Frame { left, top: ends[1], right, bottom: ends[0] };
            scene.bar(part, Ink::Series(cluster), hatch_of(cluster));
            from += share;
        }
    }
    for share in [0.0, 0.5, 1.0] {
        let y = frame.bottom - share * tall;
        scene.line(vec![(frame.left - 4.0, y), (frame.left, y)], Stroke { ink: Ink::Axis, width: 1.0 });
        let style = label(&share.to_string(), (frame.left - 8.0, y + 4.0), text::TICK, Ink::Soft);
        scene.text(Label { anchor: Anchor::End, ..style });
    }
    let names = names(bars, frame);
    let mut free = f64::NEG_INFINITY;
    for ((_, from, to), name) in bars.clusters.iter().zip(names) {
        let along = |share: f64| frame.left + share * frame.width();
        for end in [*from, *to] {
            let x = along(end);
            scene.line(vec![(x, frame.bottom), (x, frame.bottom + 5.0)], Stroke { ink: Ink::Axis, width: 1.0 });
        }
        let (middle, half) = (along((from + to) / 2.0), half_width(name));
        if middle - half >= free {
            scene.text(label(name, (middle, frame.bottom + 17.0), text::TICK, Ink::Soft));
            free = middle + half;
        }
    }
    scene.text(label("objects, by cluster", (frame.middle().0, frame.bottom + 37.0), text::TITLE, Ink::Text));
    scene
}

/// Plain while colours last; a colour that comes back has another hatch each time.
fn hatch_of(cluster: usize) -> Hatch {
    hatch((cluster / PALETTE_SIZE).min(PALETTE_SIZE - 1))
}

/// Names of the clusters: their last words, which are numbers, where whole names would not all fit.
fn names(bars: &MembershipBars, frame: Frame) -> Vec<&str> {
    let whole = || bars.clusters.iter().map(|(name, ..)| name.as_str());
    let fits = |(name, from, to): &(String, f64, f64)| (to - from) * frame.width() >= 2.0 * half_width(name);
    let last = |name| str::rsplit(name, ' ').next().unwrap_or(name);
    if bars.clusters.iter().all(fits) { whole().collect() } else { whole().map(last).collect() }
}

/// Half of the room that a name takes.
fn half_width(name: &str) -> f64 {
    4.0 * name.len() as f64
}

#[cfg(test)]
mod tests {
    use super::super::scene::Primitive;
    use super::*;

    #[test]
    fn many_clusters_are_all_named_and_told_apart() {
        let many = 15;
        let ends = |cluster: usize| [cluster, cluster + 1].map(|end| end as f64 / many as f64);
        let bars = MembershipBars {
            caption: String::new(),
            bars: (0..many).map(|bar| (0..many).map(|cluster| f64::from(u8::from(bar == cluster))).collect()).collect(),
            clusters: (0..many)
                .map(|cluster| (format!("cluster {cluster}"), ends(cluster)[0], ends(cluster)[1]))
                .collect(),
        };
        for medium in [Medium::Wide, Medium::Narrow] {
            let scene = compose(&bars, medium);
            let named = |cluster: usize| {
                let is_name = |text: &str| text == cluster.to_string() || text == format!("cluster {cluster}");
                scene.shapes.iter().any(|shape| matches!(shape, Primitive::Text(label) if is_name(&label.text)))
            };
            assert!((2..many).all(named), "{medium:?}");
        }
        let looks: Vec<(usize, Hatch)> = (0..64).map(|cluster| (cluster % PALETTE_SIZE, hatch_of(cluster))).collect();
        assert!((0..64).all(|one| (0..one).all(|other| looks[one] != looks[other])));
    }
}

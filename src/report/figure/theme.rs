//! Colours, sizes, marks and hatches: everything that makes figures look alike.

use crate::summary::DotJudgement;

/// What a shape is painted with. Pages replace each of these by a CSS class, so that a figure follows the
/// reader's light or dark scheme; files use the colours given here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    /// Names and headings.
    Text,
    /// Tick labels.
    Soft,
    /// The axis line, ticks.
    Axis,
    /// Grid lines.
    Grid,
    /// The ground the figure stands on.
    Paper,
    /// A series, by its position in the figure.
    Series(usize),
    /// A printed number, by what came of it: the colours of verdicts on pages.
    Judged(DotJudgement),
}

/// So many series have colours of their own.
pub(super) const PALETTE_SIZE: usize = 8;

/// Okabe and Ito's colours, darkened until each has a contrast of 3 : 1 on white; yellow is left out.
const PALETTE: [(u8, u8, u8); PALETTE_SIZE] = [
    (0x00, 0x72, 0xB2),
    (0xD5, 0x5E, 0x00),
    (0x00, 0x8A, 0x64),
    (0xB5, 0x47, 0x8F),
    (0x9A, 0x73, 0x00),
    (0x2B, 0x93, 0xCE),
    (0x7A, 0x1F, 0x4C),
    (0x6A, 0x73, 0x7D),
];

impl Ink {
    /// Every ink, each palette colour once.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        [Self::Text, Self::Soft, Self::Axis, Self::Grid, Self::Paper]
            .into_iter()
            .chain((0..PALETTE.len()).map(Self::Series))
            .chain(DotJudgement::ALL.into_iter().map(Self::Judged))
    }

    /// Red, green and blue on white paper.
    pub(super) fn rgb(self) -> (u8, u8, u8) {
        match self {
            Self::Text => (0x1F, 0x23, 0x28),
            Self::Soft => (0x57, 0x60, 0x6A),
            Self::Axis => (0x8C, 0x95, 0x9F),
            Self::Grid => (0xE4, 0xE7, 0xEB),
            Self::Paper => (0xFF, 0xFF, 0xFF),
            Self::Series(index) => PALETTE[index % PALETTE.len()],
            Self::Judged(DotJudgement::Consistent) => (0x1A, 0x6B, 0x3C),
            Self::Judged(DotJudgement::Contradicted) => (0xB3, 0x26, 0x1E),
            Self::Judged(DotJudgement::Inconclusive) => (0x7A, 0x56, 0x00),
            Self::Judged(DotJudgement::Impossible) => (0x7B, 0x2D, 0x8E),
        }
    }

    /// The colour as SVG and CSS write it.
    pub(super) fn hex(self) -> String {
        let (red, green, blue) = self.rgb();
        format!("#{red:02X}{green:02X}{blue:02X}")
    }

    /// The end of the CSS class and variable of this ink.
    pub(super) fn name(self) -> String {
        match self {
            Self::Text => "text".into(),
            Self::Soft => "soft".into(),
            Self::Axis => "axis".into(),
            Self::Grid => "grid".into(),
            Self::Paper => "paper".into(),
            Self::Series(index) => format!("s{}", index % PALETTE.len()),
            Self::Judged(DotJudgement::Consistent) => "consistent".into(),
            Self::Judged(DotJudgement::Contradicted) => "contradicted".into(),
            Self::Judged(DotJudgement::Inconclusive) => "undecided".into(),
            Self::Judged(DotJudgement::Impossible) => "impossible".into(),
        }
    }
}

/// Shape of a mark. There are seven of these and eight colours, so that their pairs repeat late.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Symbol {
    Disc,
    Square,
    Up,
    Diamond,
    Down,
    Cross,
    Plus,
}

const MARKS: [Symbol; 7] =
    [Symbol::Disc, Symbol::Square, Symbol::Up, Symbol::Diamond, Symbol::Down, Symbol::Cross, Symbol::Plus];

/// The mark of a series.
pub(super) fn mark(series: usize) -> Symbol {
    MARKS[series % MARKS.len()]
}

/// Lengths of strokes and gaps; empty for a whole line.
pub(super) fn dash(series: usize) -> &'static [f64] {
    const DASHES: [&[f64]; 4] = [&[], &[7.0, 3.0], &[2.0, 2.5], &[9.0, 3.0, 2.0, 3.0]];
    // Whole lines as long as marks tell them apart, in grey, too: dashes cost legibility.
    DASHES[(series / MARKS.len()) % DASHES.len()]
}

/// How a bar or box is filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hatch {
    Plain,
    Rising,
    Falling,
    Level,
    Upright,
    /// Rising and falling.
    Crossed,
    /// Level and upright.
    Grid,
    /// Rising, twice as dense.
    Dense,
}

/// The hatch of a series.
pub(super) fn hatch(series: usize) -> Hatch {
    const HATCHES: [Hatch; 8] = [
        Hatch::Plain,
        Hatch::Rising,
        Hatch::Level,
        Hatch::Falling,
        Hatch::Upright,
        Hatch::Crossed,
        Hatch::Grid,
        Hatch::Dense,
    ];
    // Shifted by one in each round of the palette, so that colour and hatch do not repeat together.
    HATCHES[(series + series / PALETTE.len()) % HATCHES.len()]
}

/// Sizes of text, in pixels of the figure.
pub(super) mod text {
    /// Tick labels.
    pub(in super::super) const TICK: f64 = 11.5;
    /// Axis titles.
    pub(in super::super) const TITLE: f64 = 12.5;
    /// Legend.
    pub(in super::super) const LEGEND: f64 = 12.5;
    /// Panel names.
    pub(in super::super) const PANEL: f64 = 13.0;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn luminance((red, green, blue): (u8, u8, u8)) -> f64 {
        let linear = |c: u8| {
            let c = f64::from(c) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    fn contrast(a: (u8, u8, u8), b: (u8, u8, u8)) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    fn from_css(name: &str, occurrence: usize) -> (u8, u8, u8) {
        let css = include_str!("../style.css");
        let key = format!(" --{name}:");
        let at = css.match_indices(&key).nth(occurrence).expect("the variable is in style.css").0;
        let hex = css[at + key.len()..].trim_start().trim_start_matches('#');
        let part = |from: usize| u8::from_str_radix(&hex[from..from + 2], 16).expect("six hexadecimal digits");
        (part(0), part(2), part(4))
    }

    #[test]
    fn series_stand_out_on_light_and_dark_pages() {
        for ink in Ink::all().filter(|ink| matches!(ink, Ink::Series(_))) {
            for scheme in 0..2 {
                let ratio = contrast(from_css(&format!("fig-{}", ink.name()), scheme), from_css("fig-paper", scheme));
                assert!(ratio >= 3.0, "{} in scheme {scheme}: {ratio:.2}", ink.name());
            }
        }
    }

    #[test]
    fn text_has_contrast_aa() {
        for scheme in 0..2 {
            for name in ["fig-text", "fig-soft"] {
                let ratio = contrast(from_css(name, scheme), from_css("fig-paper", scheme));
                assert!(ratio >= 4.5, "{name} in scheme {scheme}: {ratio:.2}");
            }
        }
    }

    #[test]
    fn words_of_pages_have_contrast_aa_on_every_ground() {
        let verdicts = ["reproduced", "not-reproduced", "inconclusive", "impossible", "not-run"];
        for scheme in 0..2 {
            for name in ["text", "muted", "link"].into_iter().chain(verdicts) {
                for ground in ["ground", "code"] {
                    let ratio = contrast(from_css(name, scheme), from_css(ground, scheme));
                    assert!(ratio >= 4.5, "{name} on {ground} in scheme {scheme}: {ratio:.2}");
                }
            }
        }
    }

    #[test]
    fn the_light_page_has_the_colours_of_the_files() {
        for ink in Ink::all() {
            assert_eq!(from_css(&format!("fig-{}", ink.name()), 0), ink.rgb(), "{ink:?}");
        }
    }

    #[test]
    fn printed_numbers_have_the_colours_of_their_verdicts_on_pages() {
        let names = [
            (DotJudgement::Consistent, "reproduced"),
            (DotJudgement::Contradicted, "not-reproduced"),
            (DotJudgement::Inconclusive, "inconclusive"),
            (DotJudgement::Impossible, "impossible"),
        ];
        for (scheme, (judged, name)) in (0..2).flat_map(|scheme| names.map(|named| (scheme, named))) {
            let ink = format!("fig-{}", Ink::Judged(judged).name());
            assert_eq!(from_css(&ink, scheme), from_css(name, scheme), "{name} in scheme {scheme}");
        }
    }

    #[test]
    fn no_two_inks_share_a_colour() {
        let colours: HashSet<_> = Ink::all().map(Ink::hex).collect();
        assert_eq!(colours.len(), Ink::all().count());
    }

    #[test]
    fn twenty_eight_lines_and_eight_kinds_of_bars_differ_without_colour() {
        let lines: HashSet<_> = (0..28).map(|i| format!("{:?} {:?}", mark(i), dash(i))).collect();
        let bars: HashSet<_> = (0..8).map(|i| format!("{:?}", hatch(i))).collect();
        assert_eq!((lines.len(), bars.len()), (28, 8));
    }

    #[test]
    fn no_colour_comes_back_unmarked() {
        let lines: HashSet<_> =
            (0..56).map(|i| (Ink::Series(i).hex(), format!("{:?} {:?}", mark(i), dash(i)))).collect();
        let bars: HashSet<_> = (0..64).map(|i| (Ink::Series(i).hex(), format!("{:?}", hatch(i)))).collect();
        assert_eq!((lines.len(), bars.len()), (56, 64));
    }

    /// What readers without long-wave or without medium-wave cones see (Viénot, Brettel & Mollon 1999), in linear light.
    fn seen_by_dichromats((red, green, blue): (u8, u8, u8)) -> [[f64; 3]; 2] {
        let [r, g, b] = [red, green, blue].map(|c| (f64::from(c) / 255.0).powf(2.2));
        let protan = [0.11238 * r + 0.88762 * g, 0.11238 * r + 0.88762 * g, 0.00401 * r - 0.00401 * g + b];
        let deutan = [0.29275 * r + 0.70725 * g, 0.29275 * r + 0.70725 * g, -0.02234 * r + 0.02234 * g + b];
        [protan, deutan]
    }

    #[test]
    fn the_first_colours_differ_to_the_colour_blind() {
        for (one, other) in (0..4).flat_map(|one| (0..one).map(move |other| (one, other))) {
            let [seen, other_seen] = [one, other].map(|series| seen_by_dichromats(Ink::Series(series).rgb()));
            for (a, b) in seen.iter().zip(&other_seen) {
                let distance = a.iter().zip(b).map(|(x, y)| (x.cbrt() - y.cbrt()).powi(2)).sum::<f64>().sqrt();
                assert!(distance > 0.1, "{one} and {other}: {distance:.3}");
            }
        }
    }
}

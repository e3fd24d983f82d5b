//! The embedded font: PNG files are drawn with it, and every text is measured with it.

use super::scene::Weight;
use plotters::style::{FontDesc, FontFamily, FontStyle, register_font};
use std::sync::OnceLock;

/// plotters takes a font's size to be 1.24 times its em in SVG, and the embedded font is cut to agree in PNG.
const SIZE_OF_EM: f64 = 1.24;

/// The font at a size in pixels a em.
pub(super) fn font(size: f64, weight: Weight) -> FontDesc<'static> {
    register();
    let style = match weight {
        Weight::Normal => FontStyle::Normal,
        Weight::Bold => FontStyle::Bold,
    };
    FontDesc::new(FontFamily::SansSerif, size * SIZE_OF_EM, style)
}

/// Width of a line of text in pixels.
pub(super) fn width(text: &str, size: f64, weight: Weight) -> f64 {
    // plotters measures in whole pixels: measuring large and scaling down keeps the fraction.
    const FINE: f64 = 16.0;
    font(size * FINE, weight).box_size(text).map_or(0.0, |(width, _)| f64::from(width) / FINE)
}

/// The text, cut and ended by "…" where it is wider than allowed.
pub(super) fn elide(text: &str, size: f64, weight: Weight, allowed: f64) -> String {
    if width(text, size, weight) <= allowed {
        return text.to_owned();
    }
    let letters: Vec<char> = text.chars().collect();
    (1..letters.len())
        .rev()
        .map(|kept| letters[..kept].iter().collect::<String>().trim_end().to_owned() + "…")
        .find(|cut| width(cut, size, weight) <= allowed)
        .unwrap_or_else(|| "…".to_owned())
}

/// Words joined into at most three lines no wider than allowed; `None` when a word is too wide.
pub(super) fn wrap(text: &str, size: f64, allowed: f64) -> Option<Vec<String>> {
    const MOST_LINES: usize = 3;
    let fits = |text: &str| width(text.trim_end(), size, Weight::Normal) <= allowed;
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_inclusive([' ', '-', '_', '/']) {
        let line = lines.last_mut().expect("there is a line from the start");
        let longer = format!("{line}{word}");
        if fits(&longer) {
            *line = longer;
        } else if fits(word) {
            lines.push(word.to_owned());
        } else {
            return None;
        }
    }
    let rest = lines.split_off(lines.len().min(MOST_LINES));
    if let Some(last) = lines.last_mut().filter(|_| !rest.is_empty()) {
        *last = elide(&(last.clone() + &rest.concat()), size, Weight::Normal, allowed);
    }
    Some(lines.iter().map(|line| line.trim_end().to_owned()).collect())
}

fn register() {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        let regular = include_bytes!("../../../assets/fonts/figure-sans-regular.otf");
        let bold = include_bytes!("../../../assets/fonts/figure-sans-bold.otf");
        for (style, bytes) in [(FontStyle::Normal, regular.as_slice()), (FontStyle::Bold, bold.as_slice())] {
            let accepted = register_font("sans-serif", style, bytes);
            assert!(accepted.is_ok(), "the embedded font is a valid font");
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_to_the_width() {
        let cut = elide("a rather long name of a method", 12.0, Weight::Normal, 60.0);
        assert!(cut.ends_with('…') && width(&cut, 12.0, Weight::Normal) <= 60.0, "{cut}");
        assert_eq!(elide("short", 12.0, Weight::Normal, 60.0), "short");
    }

    #[test]
    fn names_wrap_at_spaces_and_hyphens() {
        assert_eq!(wrap("breast cancer", 12.0, 55.0), Some(vec!["breast".to_owned(), "cancer".to_owned()]));
        assert_eq!(wrap("unbreakableword", 12.0, 30.0), None);
        let cut = wrap("one two three four five six seven eight", 12.0, 60.0).expect("every word fits");
        assert!(cut.len() == 3 && cut[2].ends_with('…'), "{cut:?}");
    }

    #[test]
    fn signs_of_the_reports_are_in_the_font() {
        // An absent sign is drawn as the box of the first glyph, which is as wide as that of a private character.
        let absent = width("\u{E000}", 100.0, Weight::Normal);
        for sign in "−×÷±≤≥√∞≈≠′″–—ακΔé".chars() {
            let drawn = width(&sign.to_string(), 100.0, Weight::Normal);
            assert!(drawn > 0.0 && (drawn - absent).abs() > 1e-9, "{sign}");
        }
    }
}

//! Names and sentences made safe for Markdown and LaTeX. HTML and SVG are escaped by `maud`.

/// For GitHub Markdown, inside table cells too: on one line.
pub(super) fn markdown(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '\n' | '\r' => safe.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '$' => {
                safe.push('\\');
                safe.push(c);
            }
            other => safe.push(other),
        }
    }
    safe
}

/// For LaTeX text: specials, and the signs that its default fonts know only in formulas.
pub(super) fn latex(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => safe.push_str("\\textbackslash{}"),
            '~' => safe.push_str("\\textasciitilde{}"),
            '^' => safe.push_str("\\textasciicircum{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                safe.push('\\');
                safe.push(c);
            }
            '\n' | '\r' => safe.push(' '),
            // At the start of a row these would belong to the line break before it.
            '[' | ']' | '*' => safe.push_str(&format!("{{{c}}}")),
            '–' => safe.push_str("--"),
            '—' => safe.push_str("---"),
            '…' => safe.push_str("\\ldots{}"),
            '’' => safe.push('\''),
            '‘' => safe.push('`'),
            '“' => safe.push_str("``"),
            '”' => safe.push_str("''"),
            '\u{a0}' | '\u{202f}' | '\u{2009}' => safe.push('~'),
            other => match formula(other) {
                Some(sign) => safe.push_str(&format!("${sign}$")),
                None => safe.push(other),
            },
        }
    }
    safe
}

fn formula(sign: char) -> Option<&'static str> {
    const SIGNS: [(char, &str); 46] = [
        ('−', "-"),
        ('<', "<"),
        ('>', ">"),
        ('|', "|"),
        ('±', "\\pm"),
        ('×', "\\times"),
        ('÷', "\\div"),
        ('·', "\\cdot"),
        ('≤', "\\leq"),
        ('≥', "\\geq"),
        ('≠', "\\neq"),
        ('≈', "\\approx"),
        ('∞', "\\infty"),
        ('√', "\\surd"),
        ('→', "\\rightarrow"),
        ('←', "\\leftarrow"),
        ('′', "'"),
        ('″', "''"),
        ('²', "^2"),
        ('³', "^3"),
        ('∑', "\\sum"),
        ('∏', "\\prod"),
        ('Γ', "\\Gamma"),
        ('Δ', "\\Delta"),
        ('Θ', "\\Theta"),
        ('Λ', "\\Lambda"),
        ('Σ', "\\Sigma"),
        ('Φ', "\\Phi"),
        ('Ω', "\\Omega"),
        ('α', "\\alpha"),
        ('β', "\\beta"),
        ('γ', "\\gamma"),
        ('δ', "\\delta"),
        ('ε', "\\varepsilon"),
        ('η', "\\eta"),
        ('θ', "\\theta"),
        ('κ', "\\kappa"),
        ('λ', "\\lambda"),
        ('µ', "\\mu"),
        ('μ', "\\mu"),
        ('π', "\\pi"),
        ('ρ', "\\rho"),
        ('σ', "\\sigma"),
        ('τ', "\\tau"),
        ('φ', "\\varphi"),
        ('χ', "\\chi"),
    ];
    SIGNS.iter().find(|(known, _)| *known == sign).map(|(_, formula)| *formula)
}

/// One line for a LaTeX comment.
pub(super) fn latex_comment(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// A code fence longer than any run of back ticks in the text.
pub(super) fn fence(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    "`".repeat((longest + 1).max(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_cells_stay_cells() {
        assert_eq!(markdown("a|b_c*\nd<e"), "a\\|b\\_c\\* d&lt;e");
    }

    #[test]
    fn latex_specials() {
        assert_eq!(latex("50 % of k_1 & −1"), "50 \\% of k\\_1 \\& $-$1");
        assert_eq!(latex("a\\b^c"), "a\\textbackslash{}b\\textasciicircum{}c");
        assert_eq!(latex("[*] a"), "{[}{*}{]} a");
        assert_eq!(latex("< 0.0001, α"), "$<$ 0.0001, $\\alpha$");
    }

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        assert_eq!(fence("x"), "```");
        assert_eq!(fence("a ```` b"), "`````");
    }
}

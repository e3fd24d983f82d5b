//! What rankings say first, and their diagrams and tables.

use super::{Texts, section, tables};
use crate::report::escape::html;
use crate::report::figure;
use crate::summary::{Page, Ranking, Trade};

/// The findings of all rankings, at the top of the page; nothing where there are none.
pub(super) fn findings(page: &Page) -> String {
    let with_findings: Vec<&Ranking> = page.rankings.iter().filter(|ranking| !ranking.findings.is_empty()).collect();
    if with_findings.is_empty() {
        return String::new();
    }
    let blocks: String = with_findings
        .iter()
        .map(|ranking| {
            let sentences: String =
                ranking.findings.iter().map(|sentence| format!("<li>{}</li>\n", html(sentence))).collect();
            format!(
                "<h3><a href=\"#{}\">{}</a></h3>\n<ul class=\"notes\">\n{sentences}</ul>\n",
                html(&ranking.id),
                html(&ranking.title)
            )
        })
        .collect();
    format!(
        "<section id=\"findings\" class=\"findings\" aria-labelledby=\"findings-title\">\n\
         <h2 id=\"findings-title\">Which method, and at what cost</h2>\n{blocks}</section>\n"
    )
}

/// A ranking's diagram, its figure of costs, and its tables.
pub(super) fn ranking(ranking: &Ranking) -> String {
    let texts = Texts { id: &ranking.id, title: &ranking.title, caption: &ranking.caption };
    let diagram = section(&texts, "", |medium| figure::compose_rank_diagram(ranking, medium));
    let trade = ranking.trade.as_ref().map_or_else(String::new, trade);
    let tables: String = ranking.tables.iter().map(tables::table).collect();
    diagram + &trade + &tables
}

fn trade(trade: &Trade) -> String {
    let texts = Texts { id: &trade.id, title: &trade.title, caption: &trade.caption };
    section(&texts, "", |medium| figure::compose_trade(trade, medium))
}

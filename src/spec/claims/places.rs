//! At how many places a claim must hold: `at-least`, `at-most`, `exactly` and `out-of`.

use super::reader::Reader;
use crate::spec::bounds;
use crate::spec::tree::{Item, Node};

/// At how many places something must hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct HowMany {
    pub(crate) quantity: Quantity,
    /// How many places the paper looked at, where the spec says so.
    pub(crate) out_of: Option<usize>,
}

/// A number of places.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Quantity {
    /// Every one.
    All,
    /// So many or more.
    AtLeast(PlaceCount),
    /// So many or fewer.
    AtMost(PlaceCount),
    /// Just so many.
    Exactly(usize),
}

/// So many of some places.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PlaceCount {
    Number(usize),
    Share(f64),
    /// More than half.
    Most,
}

impl HowMany {
    /// At every place there is.
    pub(crate) const EVERYWHERE: Self = Self { quantity: Quantity::All, out_of: None };
}

impl Reader<'_, '_> {
    pub(super) fn how_many(&self) -> HowMany {
        let fields = &self.output.fields;
        let keys = ["at-least", "at-most", "exactly"];
        let given: Vec<&Item> = keys.iter().filter_map(|key| fields.item(key)).collect();
        if let [_, second, ..] = given[..] {
            fields.refuse(second, "a claim has one number of places", "one of at-least, at-most, exactly");
        }
        let quantity = if let Some(item) = fields.item("at-least") {
            self.place_count(item).map(Quantity::AtLeast)
        } else if let Some(item) = fields.item("at-most") {
            let count = self.place_count(item).filter(|count| *count != PlaceCount::Most);
            if count.is_none() {
                fields.refuse(item, "at most how many?", "a whole number or a share like \"90%\"");
            }
            count.map(Quantity::AtMost)
        } else {
            fields.whole("exactly").and_then(|n| usize::try_from(n).ok()).map(Quantity::Exactly)
        };
        HowMany { quantity: quantity.unwrap_or(Quantity::All), out_of: fields.count("out-of", bounds::COUNTED) }
    }

    fn place_count(&self, item: &Item) -> Option<PlaceCount> {
        let read = match &item.node {
            Node::Integer(number) => usize::try_from(*number).ok().map(PlaceCount::Number),
            Node::Text(text) if text == "most" => Some(PlaceCount::Most),
            Node::Text(text) => share(text).map(PlaceCount::Share),
            _ => None,
        };
        if read.is_none() {
            let expected = "a whole number, a share like \"90%\" or \"most\"";
            self.output.fields.refuse(item, &format!("a number of places is {}", item.node.describe()), expected);
        }
        read
    }

    /// `share = "90%"`.
    pub(super) fn share(&self) -> Option<f64> {
        let fields = &self.output.fields;
        let text = fields.text("share")?;
        let read = share(text);
        if let (Some(item), None) = (fields.item("share"), read) {
            fields.refuse(item, &format!("`share` is \"{text}\""), "a share like \"90%\"");
        }
        read
    }
}

/// Reads "90%".
fn share(text: &str) -> Option<f64> {
    let percent: f64 = text.strip_suffix('%')?.trim().parse().ok()?;
    (0.0..=100.0).contains(&percent).then_some(percent / 100.0)
}

//! `picture`: what a picture shows, as numbers.

use super::Outputs;
use super::reader::Reader;
use super::relation::Relation;
use crate::spec::experiment::PointValue;
use crate::spec::tree::{Node, TomlTable};

/// A claim about a picture.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PictureClaim {
    /// The picture's id.
    pub(crate) picture: String,
    /// What is measured of every panel.
    pub(crate) measure: PictureMeasure,
    pub(crate) relation: Relation,
    pub(crate) against: PictureBound,
}

/// What is measured of a panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PictureMeasure {
    /// Root mean square distance of pairs from the law.
    Deviation,
    /// Mean share of pairs within classes that are together, less that of pairs between classes.
    Contrast,
    /// The share of links that have the least weight.
    LightestShare,
    /// The share of these that join objects of one class.
    LightestRight,
    /// The share of the heaviest links that do.
    HeaviestRight,
    /// By how much that share rises from one weight to the next, at least.
    LeastRise,
}

impl PictureMeasure {
    const ALL: [(&str, Self); 6] = [
        ("deviation", Self::Deviation),
        ("contrast", Self::Contrast),
        ("lightest-share", Self::LightestShare),
        ("lightest-right", Self::LightestRight),
        ("heaviest-right", Self::HeaviestRight),
        ("least-rise", Self::LeastRise),
    ];
}

/// What a panel's measure is compared with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum PictureBound {
    /// A number, every panel.
    Number(f64),
    /// The next panel of a chain.
    Order(Vec<PointValue>),
}

impl PictureClaim {
    pub(super) fn read<'a>(reader: &Reader<'a, '_>, outputs: &Outputs<'a>) -> Option<Self> {
        let fields = &reader.output.fields;
        let picture = fields.required("in", "the id of a picture", fields.text("in"));
        let table = picture.and_then(|id| outputs.check(id, fields.item("in")?, fields, &["picture"]));
        let expected = "deviation, contrast, lightest-share, lightest-right, heaviest-right or least-rise";
        let measure = fields.required("measure", expected, fields.choice("measure", &PictureMeasure::ALL));
        let relation = reader.relation();
        let against = match (order(reader, table), fields.item("bound")) {
            (Some(order), None) => PictureBound::Order(order),
            (Some(_), Some(item)) => {
                fields.refuse(item, "panels are compared with each other or with a number", "`bound` or `order`");
                return None;
            }
            (None, _) => PictureBound::Number(reader.required_number("bound", "a number, or `order` for panels")),
        };
        Some(Self { picture: picture?.to_owned(), measure: measure?, relation, against })
    }
}

/// `order`: the panels that are compared with each other.
fn order(reader: &Reader, picture: Option<&TomlTable>) -> Option<Vec<PointValue>> {
    let fields = &reader.output.fields;
    let item = fields.item("order")?;
    let panel = picture.and_then(|table| match &table.get("panel")?.node {
        Node::Text(name) => reader.output.known.dimension_names().into_iter().find(|(known, _)| known == name),
        _ => None,
    });
    let Some((_, dimension)) = panel else {
        fields.refuse(item, "this picture has one panel", "`bound`");
        return None;
    };
    let order = reader.values("order", dimension);
    if order.as_ref().is_some_and(|order| order.len() == 1) {
        fields.refuse(item, "one panel is compared with nothing", "two or more panels, or `bound`");
    }
    order
}

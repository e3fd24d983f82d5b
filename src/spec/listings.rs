//! `[[listing]]`: the spec's datasets or methods and what is declared of them, beside what the paper says of its own.

use super::fields::{Fields, Problems};
use super::known_names::KnownNames;
use super::output::Output;
use super::published;
use super::requests::{ListingRequest, ListingSubject};

/// Reads `[[listing]]`s.
pub(super) fn read<'a>(top: &Fields<'a>, known: &KnownNames, problems: &'a Problems) -> Vec<ListingRequest> {
    let read = top.tables("listing").into_iter().map(|table| {
        let output = Output::read(table, "[[listing]]", known, problems);
        let fields = &output.fields;
        let subjects = [("datasets", ListingSubject::Datasets), ("methods", ListingSubject::Methods)];
        let of = fields.required("of", "datasets or methods", fields.choice("of", &subjects));
        let printed = of.and_then(|of| {
            let table = fields.table("published")?;
            published::read_listing(table, of.columns(), known.folder, fields)
        });
        let request = ListingRequest {
            id: output.id.clone(),
            title: output.title.clone(),
            caption: fields.text("caption").unwrap_or_default().to_owned(),
            of: of.unwrap_or(ListingSubject::Datasets),
            printed: printed.unwrap_or_default(),
        };
        output.fields.finish(&[]);
        request
    });
    read.collect()
}

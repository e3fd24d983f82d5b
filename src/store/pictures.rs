//! `pictures.parquet`: one line a mark, by picture and panel.

use std::collections::BTreeMap;
use std::path::Path;

use polars::prelude::{DataFrame, NamedFrom, PolarsError, PolarsResult, Series};

use super::{OTHER_PICTURES, PICTURES, Provenance, StoreError, compact};
use crate::picture::{Mark, Part};
use crate::plan::Plan;
use crate::seed::Id;

/// The marks of panels by their identity.
pub type Pictures = BTreeMap<Id, Vec<Mark>>;

/// Reads every panel of a results folder; nothing when there are none.
///
/// # Errors
/// When a file is damaged.
pub fn load(folder: &Path) -> Result<Pictures, StoreError> {
    let mut pictures = Pictures::new();
    for name in [OTHER_PICTURES, PICTURES] {
        let path = folder.join(name);
        let Some(parquet) = compact::open(&path)? else { continue };
        let damaged = |error: PolarsError| StoreError::Damaged { path: path.clone(), problem: error.to_string() };
        // A panel that two pictures show is there twice, with the same marks.
        let mut panels: BTreeMap<(String, Id), Vec<Mark>> = BTreeMap::new();
        for (key, mark) in lines(&parquet.frame).map_err(damaged)? {
            panels.entry(key).or_default().push(mark);
        }
        pictures.extend(panels.into_iter().map(|((_, id), marks)| (id, marks)));
    }
    Ok(pictures)
}

/// The lines of a file: picture and panel, and the mark.
fn lines(frame: &DataFrame) -> PolarsResult<Vec<((String, Id), Mark)>> {
    let [picture, panel, id, part, note] = ["picture", "panel", "id", "part", "note"].map(|name| frame.column(name));
    let (picture, panel, id, part, note) = (picture?.str()?, panel?.str()?, id?.str()?, part?.str()?, note?.str()?);
    let [x, y, value] = ["x", "y", "value"].map(|name| frame.column(name));
    let (x, y, value) = (x?.f64()?, y?.f64()?, value?.f64()?);
    let line = |line: usize| {
        let identity = (id.get(line).and_then(Id::parse), part.get(line).and_then(Part::parse));
        let (Some(id), Some(part)) = identity else {
            return Err(PolarsError::ComputeError(format!("line {} is not a part of a picture", line + 1).into()));
        };
        let shown = format!("{}\n{}", picture.get(line).unwrap_or_default(), panel.get(line).unwrap_or_default());
        let note = note.get(line).map(str::to_owned);
        Ok(((shown, id), Mark { part, x: x.get(line), y: y.get(line), value: value.get(line), note }))
    };
    (0..frame.height()).map(line).collect()
}

/// A panel where it is used: its picture and value, its identity, its marks.
type Panel<'a> = (String, String, Id, &'a [Mark]);

/// Writes the panels of a plan, and those of other plans beside them.
pub(super) fn write(
    folder: &Path,
    plan: &Plan,
    pictures: &Pictures,
    provenance: &Provenance,
) -> Result<(), StoreError> {
    let mut shown: Vec<Panel> = Vec::new();
    for picture in &plan.pictures {
        for panel in &picture.panels {
            let value = panel.value.as_ref().map_or_else(String::new, ToString::to_string);
            let marks = pictures.get(&panel.id).map(|marks| (picture.request.id.clone(), value, panel.id, &marks[..]));
            shown.extend(marks);
        }
    }
    shown.sort_by(|one, other| (&one.0, &one.1, one.2).cmp(&(&other.0, &other.1, other.2)));
    let others = pictures.iter().filter(|(id, _)| shown.iter().all(|(_, _, planned, _)| planned != *id));
    let others: Vec<Panel> = others.map(|(id, marks)| (String::new(), String::new(), *id, &marks[..])).collect();
    // What the plan does not ask for goes first, so that nothing is ever in no file.
    for (name, panels) in [(OTHER_PICTURES, others), (PICTURES, shown)] {
        let path = folder.join(name);
        if panels.is_empty() {
            super::remove_if_there(&path)?;
        } else {
            compact::write_batches(&path, provenance, std::iter::once(frame(&panels)))?;
        }
    }
    Ok(())
}

fn frame(panels: &[Panel]) -> PolarsResult<DataFrame> {
    let lines: Vec<(&Panel, &Mark)> =
        panels.iter().flat_map(|panel| panel.3.iter().map(move |mark| (panel, mark))).collect();
    let texts = |name: &str, text: &dyn Fn(&Panel) -> String| {
        Series::new(name.into(), lines.iter().map(|(panel, _)| text(panel)).collect::<Vec<_>>())
    };
    let numbers = |name: &str, number: &dyn Fn(&Mark) -> Option<f64>| {
        Series::new(name.into(), lines.iter().map(|(_, mark)| number(mark)).collect::<Vec<_>>())
    };
    let columns = [
        texts("picture", &|panel| panel.0.clone()),
        texts("panel", &|panel| panel.1.clone()),
        Series::new("part".into(), lines.iter().map(|(_, mark)| mark.part.name()).collect::<Vec<_>>()),
        numbers("x", &|mark| mark.x),
        numbers("y", &|mark| mark.y),
        numbers("value", &|mark| mark.value),
        Series::new("note".into(), lines.iter().map(|(_, mark)| mark.note.clone()).collect::<Vec<_>>()),
        texts("id", &|panel| panel.2.to_string()),
    ];
    DataFrame::new(lines.len(), columns.into_iter().map(Into::into).collect())
}

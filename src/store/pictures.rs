//! `pictures.parquet`: one line per mark, by picture and panel.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use polars::prelude::{DataFrame, NamedFrom, PolarsError, PolarsResult, Series};

use super::folder::HeldFolder;
use super::{OTHER_PICTURES, PICTURES, Provenance, StoreError, compact, parquet};
use crate::picture::{Mark, MarkKind};
use crate::plan::Plan;
use crate::seed::Id;

/// The marks of panels by their identity.
pub type Pictures = BTreeMap<Id, Vec<Mark>>;

/// Reads every panel of a results folder; nothing when there are none.
///
/// # Errors
/// When a file is damaged.
pub fn load(folder: &Path) -> Result<Pictures, StoreError> {
    let mut pictures = read(&folder.join(OTHER_PICTURES))?.unwrap_or_default();
    pictures.extend(read(&folder.join(PICTURES))?.unwrap_or_default());
    Ok(pictures)
}

/// The panels of one file; `None` when it is not there.
fn read(path: &Path) -> Result<Option<Pictures>, StoreError> {
    let Some(parquet) = parquet::open(path)? else { return Ok(None) };
    // A panel that two pictures show is there twice, with the same marks.
    let mut panels: BTreeMap<(String, Id), Vec<Mark>> = BTreeMap::new();
    for (key, mark) in lines(&parquet.frame).map_err(|error| parquet.damaged(&error))? {
        panels.entry(key).or_default().push(mark);
    }
    Ok(Some(panels.into_iter().map(|((_, id), marks)| (id, marks)).collect()))
}

/// The lines of a file: picture and panel, and the mark.
fn lines(frame: &DataFrame) -> PolarsResult<Vec<((String, Id), Mark)>> {
    let [picture, panel, id, part, note] = ["picture", "panel", "id", "part", "note"].map(|name| frame.column(name));
    let (picture, panel, id, part, note) = (picture?.str()?, panel?.str()?, id?.str()?, part?.str()?, note?.str()?);
    let [x, y, value] = ["x", "y", "value"].map(|name| frame.column(name));
    let (x, y, value) = (x?.f64()?, y?.f64()?, value?.f64()?);
    let line = |line: usize| {
        let identity = (id.get(line).and_then(Id::parse), part.get(line).and_then(MarkKind::parse));
        let (Some(id), Some(part)) = identity else {
            return Err(PolarsError::ComputeError(format!("line {} is not a part of a picture", line + 1).into()));
        };
        let shown = format!("{}\n{}", picture.get(line).unwrap_or_default(), panel.get(line).unwrap_or_default());
        let note = note.get(line).map(str::to_owned);
        let mark = Mark { part, x: x.get(line), y: y.get(line), value: value.get(line), note };
        if !mark.is_possible() {
            return Err(PolarsError::ComputeError(format!("line {} is no mark of a picture", line + 1).into()));
        }
        Ok(((shown, id), mark))
    };
    (0..frame.height()).map(line).collect()
}

/// A panel where it is used: its picture and value, its identity, its marks.
type Panel<'a> = (String, String, Id, &'a [Mark]);

/// Writes the panels of a plan, and those of other plans beside them. After every step each panel is in some file, as in
/// [`compact::write`].
pub(super) fn write(
    held: &HeldFolder,
    plan: &Plan,
    pictures: &Pictures,
    provenance: &Provenance,
) -> Result<(), StoreError> {
    let shown = shown(plan, pictures);
    let planned: BTreeSet<Id> = shown.iter().map(|panel| panel.2).collect();
    let others: BTreeSet<Id> = pictures.keys().filter(|id| !planned.contains(id)).copied().collect();
    let before = read(&held.path().join(OTHER_PICTURES))?;
    let beside = before.as_ref().map(|panels| panels.keys().copied().collect::<BTreeSet<Id>>()).unwrap_or_default();
    let archive = |ids: &BTreeSet<Id>| {
        let kept = pictures.iter().filter(|(id, _)| ids.contains(id));
        let panels: Vec<Panel> = kept.map(|(id, marks)| (String::new(), String::new(), *id, &marks[..])).collect();
        compact::replace(held, OTHER_PICTURES, provenance, std::iter::once(frame(&panels)))
    };
    if !others.is_subset(&beside) {
        archive(&others.union(&beside).copied().collect())?;
    }
    if !shown.is_empty() || held.path().join(PICTURES).exists() {
        compact::replace(held, PICTURES, provenance, std::iter::once(frame(&shown)))?;
    }
    if before.is_some() || !others.is_empty() {
        archive(&others)?;
    }
    Ok(())
}

/// Replaces the files by empty ones.
pub(super) fn discard(held: &HeldFolder, provenance: &Provenance) -> Result<(), StoreError> {
    for name in [PICTURES, OTHER_PICTURES].into_iter().filter(|name| held.path().join(name).exists()) {
        compact::replace(held, name, provenance, std::iter::once(frame(&[])))?;
    }
    Ok(())
}

/// The panels that a plan shows, in the order of their pictures' names.
fn shown<'a>(plan: &Plan, pictures: &'a Pictures) -> Vec<Panel<'a>> {
    let mut shown: Vec<Panel> = Vec::new();
    for picture in &plan.pictures {
        for panel in &picture.panels {
            let value = panel.value.as_ref().map_or_else(String::new, ToString::to_string);
            let marks = pictures.get(&panel.id).map(|marks| (picture.request.id.clone(), value, panel.id, &marks[..]));
            shown.extend(marks);
        }
    }
    shown.sort_by(|one, other| (&one.0, &one.1, one.2).cmp(&(&other.0, &other.1, other.2)));
    shown
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

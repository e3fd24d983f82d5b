//! What pictures show, as numbers.

use super::checks::shown;
use super::count::{PlaceTally, all};
use super::estimate::Estimate;
use super::judge::{counterexample, explain, not_judged};
use super::model::{Lack, NotRun};
use super::place::missing;
use super::source::{ResultSource, not_counted};
use super::{Evidence, Verdict};
use crate::picture::{Mark, MarkKind};
use crate::plan::{PlannedPanel, PlannedPicture};
use crate::results::spelled_out;
use crate::spec::claims::{HowMany, PictureBound, PictureClaim, PictureMeasure, Relation};
use crate::spec::{Experiment, PointValue};
use crate::store::Pictures;

/// Judges a claim about a picture. A panel shows one ensemble, so numbers are compared as they are.
pub(super) fn judge(claim: &PictureClaim, source: &dyn ResultSource) -> (Verdict, String, Vec<Evidence>) {
    let (experiment, gallery) = (source.experiment(), source.gallery());
    let Some(picture) = gallery.planned.iter().find(|picture| picture.request.id == claim.picture) else {
        return (
            Verdict::NotRun(NotRun::NotAtThisScale),
            format!("There is no picture {}.", claim.picture),
            Vec::new(),
        );
    };
    let look = Look { experiment, picture, pictures: gallery.stored, claim };
    let evidence = match &claim.against {
        PictureBound::Number(bound) => picture.panels.iter().map(|panel| look.bounded(panel, *bound)).collect(),
        PictureBound::Order(chain) => chain.windows(2).map(|pair| look.ordered(pair)).collect::<Vec<Evidence>>(),
    };
    if evidence.is_empty() {
        let absent: Vec<&str> = experiment.absent.iter().map(|(_, why)| why.as_str()).collect();
        return (Verdict::NotRun(NotRun::NoData), format!("There is no panel: {}.", absent.join("; ")), evidence);
    }
    let tally = PlaceTally::of(evidence.iter());
    let everywhere = HowMany::EVERYWHERE;
    let verdict = all(evidence.iter().map(|evidence| evidence.verdict));
    let more = match verdict {
        Verdict::NotReproduced => counterexample(evidence.iter(), &tally, everywhere),
        _ => explain(verdict, &evidence),
    };
    let finding = not_judged(&evidence, "").unwrap_or_else(|| tally.describe(everywhere) + &more);
    (verdict, finding, evidence)
}

struct Look<'a> {
    experiment: &'a Experiment,
    picture: &'a PlannedPicture,
    pictures: &'a Pictures,
    claim: &'a PictureClaim,
}

impl Look<'_> {
    fn name(&self, panel: &PlannedPanel) -> String {
        let value = self.picture.request.panel.zip(panel.value.as_ref());
        let title = || self.picture.request.title.clone();
        value.map_or_else(title, |(dimension, value)| spelled_out(self.experiment, dimension, value))
    }

    fn measure(&self, panel: &PlannedPanel) -> Result<f64, Lack> {
        let dataset = &self.experiment.datasets[panel.place.dataset].label;
        if let Some(why) = not_counted(self.experiment, dataset) {
            return Err(why);
        }
        let marks = self.pictures.get(&panel.id).ok_or_else(|| Lack::new(NotRun::NotYet, "not computed yet"))?;
        if let Some(failed) = marks.iter().find(|mark| mark.part == MarkKind::Failed) {
            let words = failed.note.clone().unwrap_or_else(|| "there is no picture".to_owned());
            return Err(Lack::of_failed_runs(words));
        }
        let found = match self.claim.measure {
            PictureMeasure::Deviation => {
                marks.iter().find(|mark| mark.part == MarkKind::Deviation).and_then(|mark| mark.value)
            }
            PictureMeasure::Contrast => contrast(marks),
            PictureMeasure::LightestShare => by_weight(marks, MarkKind::LinkShare).first().copied(),
            PictureMeasure::LightestRight => by_weight(marks, MarkKind::LinkRight).first().copied(),
            PictureMeasure::HeaviestRight => by_weight(marks, MarkKind::LinkRight).last().copied(),
            PictureMeasure::LeastRise => {
                let steps: Vec<f64> =
                    by_weight(marks, MarkKind::LinkRight).windows(2).map(|pair| pair[1] - pair[0]).collect();
                steps.into_iter().reduce(f64::min)
            }
        };
        Ok(found.ok_or_else(|| "this picture has no such number".to_owned())?)
    }

    fn bounded(&self, panel: &PlannedPanel, bound: f64) -> Evidence {
        let place = self.name(panel);
        match self.measure(panel) {
            Err(lack) => missing(place, &lack),
            Ok(value) => {
                let reason = format!("{} (claimed: {} {})", shown(value), self.claim.relation.sign(), shown(bound));
                certain(place, Estimate::certain(value, 1), self.claim.relation, (bound, reason))
            }
        }
    }

    fn ordered(&self, pair: &[PointValue]) -> Evidence {
        let place = format!("{} − {}", pair[0], pair[1]);
        let measure = |value: &PointValue| {
            let panel = self.picture.panels.iter().find(|panel| panel.value.as_ref() == Some(value));
            match panel {
                Some(panel) => self.measure(panel),
                None => Err(not_counted(self.experiment, &value.to_string())
                    .unwrap_or_else(|| Lack::new(NotRun::NotAtThisScale, format!("{value} is not part of this run")))),
            }
        };
        match (measure(&pair[0]), measure(&pair[1])) {
            (Ok(one), Ok(other)) => {
                let reason = format!("{} and {}", shown(one), shown(other));
                let difference = Estimate::certain(super::estimate::difference(one, other), 1);
                certain(place, difference, self.claim.relation, (0.0, reason))
            }
            (Err(lack), _) | (_, Err(lack)) => missing(place, &lack),
        }
    }
}

fn certain(place: String, value: Estimate, relation: Relation, (bound, reason): (f64, String)) -> Evidence {
    let verdict = value.against(relation, bound);
    Evidence { ours: Some(value.value), n: value.n, ..Evidence::at(place, verdict, reason) }
}

/// The numbers of links, from the lightest to the heaviest.
fn by_weight(marks: &[Mark], part: MarkKind) -> Vec<f64> {
    let of_part = marks.iter().filter(|mark| mark.part == part);
    let mut found: Vec<(f64, f64)> = of_part.filter_map(|mark| mark.x.zip(mark.value)).collect();
    found.sort_by(|one, other| one.0.total_cmp(&other.0));
    found.into_iter().map(|(_, value)| value).collect()
}

/// Mean share of pairs within classes that are together, less that of pairs between classes. A cell that is a mean over
/// objects of two classes is left out, and so is the diagonal, where objects are together with themselves.
fn contrast(marks: &[Mark]) -> Option<f64> {
    let classes: Vec<(f64, f64)> =
        marks.iter().filter(|mark| mark.part == MarkKind::Class).filter_map(|mark| mark.x.zip(mark.y)).collect();
    let objects = marks.iter().find(|mark| mark.part == MarkKind::Objects)?.value?;
    let cells: Vec<(f64, f64, f64)> = marks
        .iter()
        .filter(|mark| mark.part == MarkKind::Cell)
        .filter_map(|mark| Some((mark.x?, mark.y?, mark.value?)))
        .collect();
    let side = cells.iter().fold(0.0_f64, |side, (x, _, _)| side.max(x + 1.0));
    let block = objects / side;
    let class = |cell: f64| {
        let (first, last) = ((cell * block).floor(), ((cell + 1.0) * block).ceil());
        classes.iter().position(|(from, to)| first >= *from && last <= *to)
    };
    let mut means = [(0.0, 0.0); 2];
    for (x, y, value) in cells.into_iter().filter(|(x, y, _)| x != y) {
        if let (Some(column), Some(row)) = (class(x), class(y)) {
            let (sum, count) = &mut means[usize::from(column != row)];
            *sum += value;
            *count += 1.0;
        }
    }
    let [within, between] = means.map(|(sum, count)| if count > 0.0 { Some(sum / count) } else { None });
    Some(within? - between?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_taken_by_weight() {
        let of = |weight: f64, value: f64| Mark::at(MarkKind::LinkRight, weight, value);
        let marks = [of(0.3, 0.5), of(0.1, 0.1), Mark::at(MarkKind::LinkShare, 0.1, 0.9), of(0.2, 0.2)];
        assert_eq!(by_weight(&marks, MarkKind::LinkRight), [0.1, 0.2, 0.5]);
        assert_eq!(by_weight(&marks, MarkKind::LinkShare), [0.9]);
    }

    #[test]
    fn contrast_is_the_mean_within_less_the_mean_between_classes() {
        let mut marks = vec![Mark::number(MarkKind::Objects, 4.0)];
        marks.push(Mark { x: Some(0.0), y: Some(2.0), ..Mark::number(MarkKind::Class, 0.0) });
        marks.push(Mark { x: Some(2.0), y: Some(4.0), ..Mark::number(MarkKind::Class, 0.0) });
        for (x, y, value) in [(0, 0, 1.0), (1, 0, 0.8), (1, 1, 1.0), (2, 0, 0.1), (2, 1, 0.3), (2, 2, 1.0)] {
            marks.push(Mark::over(MarkKind::Cell, [f64::from(x), f64::from(y)], value));
        }
        for (x, y, value) in [(3, 0, 0.2), (3, 1, 0.2), (3, 2, 0.6), (3, 3, 1.0)] {
            marks.push(Mark::over(MarkKind::Cell, [f64::from(x), f64::from(y)], value));
        }
        // Within: (0.8 + 0.6) / 2; between: (0.1 + 0.3 + 0.2 + 0.2) / 4.
        assert!((contrast(&marks).unwrap() - 0.5).abs() < 1e-12);
    }
}

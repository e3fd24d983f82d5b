//! `fails`: the paper says that a method cannot do it.

use crate::claim::estimate::Estimate;
use crate::claim::place::{Found, Looking, Spot};
use crate::claim::source::Ends;
use crate::claim::{Evidence, Verdict, count::count};
use crate::spec::PointValue;

pub(super) fn look(looking: &Looking, of: &[PointValue]) -> Vec<Evidence> {
    let spots = looking.spots();
    let each = of.iter().flat_map(|subject| spots.iter().map(move |spot| (subject, spot)));
    each.map(|(subject, spot)| spot.evidence(&looking.spell(subject), one(spot, subject))).collect()
}

fn one(spot: &Spot, subject: &PointValue) -> Result<Found, String> {
    let Ends { planned, done, failed, reason, void } = spot.looking().source.ends(&spot.with(subject));
    if let Some(why) = void {
        return Err(why);
    }
    if done + failed < planned || planned == 0 {
        return Err(format!("not computed yet: {} of {}", planned - done - failed, count(planned, "run")));
    }
    let verdict = match (done, failed) {
        (0, _) => Verdict::Reproduced,
        (_, 0) => Verdict::NotReproduced,
        _ => Verdict::Inconclusive { needed: None },
    };
    let why = reason.map_or_else(String::new, |why| format!(": {why}"));
    let reason = format!("{done} of {} finished, {failed} did not{why}", count(planned, "run"));
    Ok(Found { estimate: Estimate::certain(done as f64, planned), verdict, reason })
}

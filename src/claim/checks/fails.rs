//! `fails`: the paper says that a method cannot do it.

use super::{EvidenceGroup, Judge, of_each};
use crate::claim::estimate::Estimate;
use crate::claim::place::{Looking, Measurement, Spot};
use crate::claim::source::Ends;
use crate::claim::{Verdict, count::count};
use crate::spec::PointValue;
use crate::spec::claims::Fails;

impl Judge for Fails {
    fn look(&self, looking: &Looking) -> Vec<EvidenceGroup> {
        of_each(looking, &self.of, one)
    }
}

fn one(spot: &Spot, subject: &PointValue) -> Result<Measurement, String> {
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
    Ok(Measurement { estimate: Estimate::certain(done as f64, planned), verdict, reason })
}

//! `fails`: the paper says that a method cannot do it.

use rand::RngExt;

use super::{EvidenceGroup, Judge, of_each};
use crate::claim::estimate::Estimate;
use crate::claim::model::{Lack, NotRun};
use crate::claim::place::{Looking, Measurement, Spot};
use crate::claim::repeats::{Holds, Repeats};
use crate::claim::source::Ends;
use crate::claim::{Verdict, count::count};
use crate::seed::Id;
use crate::spec::PointValue;
use crate::spec::claims::Fails;

impl Judge for Fails {
    fn look(&self, looking: &Looking) -> Vec<EvidenceGroup> {
        of_each(looking, &self.of, one, repeated)
    }
}

fn one(spot: &Spot, subject: &PointValue) -> Result<Measurement, Lack> {
    let Ends { planned, done, failed, reason, void } = spot.looking().source.ends(&spot.with(subject));
    if let Some(why) = void {
        return Err(why);
    }
    if done + failed < planned || planned == 0 {
        let words = format!("not computed yet: {} of {}", planned - done - failed, count(planned, "run"));
        return Err(Lack::new(NotRun::NotYet, words));
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

/// A repeat says so where none of its runs finishes; each fails as often as ours did.
fn repeated(spot: &Spot, subject: &PointValue, repeats: &Repeats) -> Result<Holds, Lack> {
    let Ends { planned, failed, .. } = spot.looking().source.ends(&spot.with(subject));
    let share = failed as f64 / planned.max(1) as f64;
    let mut rng = Id::of("repeated failures", &[spot.named(&subject.to_string()).as_bytes()]).rng("runs");
    Ok(Holds::of(|_| (0..repeats.behind.total()).all(|_| rng.random_bool(share))))
}

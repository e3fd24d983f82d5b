//! The transport between processes: MPI ranks of one communicator.
//!
//! A rank that fails says why and ends the whole run; one that dies is noticed by `mpirun`, which ends the
//! others and names it. Nobody waits for ever, so receiving needs no look at a watch.
//!
//! Sends are MPI's standard ones, which may wait until the receiver is ready. In every protocol here whoever is sent to
//! comes to receive without sending to the sender first, so nobody waits in a circle.

use mpi::point_to_point::{Destination, Source};
use mpi::topology::{Communicator, SimpleCommunicator};

use crate::consensus::Traffic;
use crate::consensus::distributed::{Meter, Stopped, Transport, ring};

/// One rank's place among all.
pub(crate) struct Ranks<'a> {
    world: &'a SimpleCommunicator,
    meter: Meter,
    /// Bytes this rank sent before the method began.
    agreeing: u64,
}

impl<'a> Ranks<'a> {
    /// This process among the ranks of `world`.
    #[must_use]
    pub(crate) fn of(world: &'a SimpleCommunicator) -> Self {
        let mut meter = Meter::default();
        meter.begin();
        Self { world, meter, agreeing: 0 }
    }

    /// What was sent so far was to agree; counts anew.
    pub(crate) fn start_counting(&mut self) {
        self.agreeing += self.meter.bytes;
        self.meter = Meter::default();
        self.meter.begin();
    }

    /// What all ranks exchanged; telling each other is not counted.
    ///
    /// # Errors
    /// When another rank is gone.
    pub(crate) fn counted(&mut self, server: Server) -> Result<Counted, Stopped> {
        const KEPT: usize = 5;
        self.meter.rest();
        let Meter { bytes, messages, depth, working, .. } = self.meter;
        let own = [bytes as f64, messages as f64, depth as f64, working.as_secs_f64(), self.agreeing as f64];
        let mut all = vec![0.0; KEPT * self.parties()];
        all[KEPT * self.party()..][..KEPT].copy_from_slice(&own);
        ring::total(self, &mut all)?;
        let of = |what: usize| all.iter().copied().skip(what).step_by(KEPT);
        let (server_seconds, servers) = match server {
            Server::None => (0.0, 0),
            Server::First => (all[3], 1),
        };
        let traffic = Traffic {
            bytes: of(0).sum::<f64>() as u64,
            messages: of(1).sum::<f64>() as u64,
            rounds: of(2).fold(0.0, f64::max) as u64,
            slowest_party_seconds: of(3).skip(servers).fold(0.0, f64::max),
            server_seconds,
        };
        Ok(Counted { traffic, agreeing: of(4).sum::<f64>() as u64 })
    }
}

/// What all ranks exchanged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Counted {
    /// By the method.
    pub(crate) traffic: Traffic,
    /// Bytes before it began: names of labels, numbers of objects.
    pub(crate) agreeing: u64,
}

/// Whether rank 0 is a server rather than a party like the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Server {
    /// All are alike.
    None,
    /// It is.
    First,
}

impl Transport for Ranks<'_> {
    fn party(&self) -> usize {
        usize::try_from(self.world.rank()).expect("ranks count from 0")
    }

    fn parties(&self) -> usize {
        usize::try_from(self.world.size()).expect("a communicator has a size")
    }

    fn send_frame(&mut self, to: usize, mut frame: Vec<f64>) -> Result<(), Stopped> {
        // The last number is how long a chain of messages led here; it is for counting and is not counted.
        frame.push(self.meter.send(frame.len()) as f64);
        self.meter.rest();
        self.world.process_at_rank(rank(to)).send(&frame[..]);
        self.meter.begin();
        Ok(())
    }

    fn receive_frame(&mut self, from: usize) -> Result<Vec<f64>, Stopped> {
        self.meter.rest();
        let (mut frame, _) = self.world.process_at_rank(rank(from)).receive_vec::<f64>();
        self.meter.begin();
        let depth = frame.pop().ok_or(Stopped::Gone { party: from })?;
        self.meter.receive(depth as u64);
        Ok(frame)
    }
}

fn rank(party: usize) -> i32 {
    i32::try_from(party).expect("parties are numbered as ranks are")
}

//! How a party reaches the others.

use crate::consensus::Halt;

/// Sends and receives frames of numbers between numbered parties.
pub trait Transport {
    /// This party's number.
    fn party(&self) -> usize;

    /// How many parties there are.
    fn parties(&self) -> usize;

    /// Sends a frame; does not wait until it is received.
    fn send_frame(&mut self, to: usize, frame: Vec<f64>) -> Result<(), Stopped>;

    /// Waits for the next frame of one party.
    fn receive_frame(&mut self, from: usize) -> Result<Vec<f64>, Stopped>;
}

/// Messages over any transport.
pub trait Exchange: Transport {
    /// Sends a message.
    fn send<M: Message>(&mut self, to: usize, message: &M) -> Result<(), Stopped> {
        let mut frame = Vec::new();
        message.write(&mut frame);
        self.send_frame(to, frame)
    }

    /// Waits for a message that has the shape of `message`, and reads it into it.
    fn receive<M: Message>(&mut self, from: usize, message: &mut M) -> Result<(), Stopped> {
        let frame = self.receive_frame(from)?;
        if message.read(&frame) {
            Ok(())
        } else {
            Err(Stopped::Halt(Halt::Failed(format!("party {from} sent {} numbers, which is no message", frame.len()))))
        }
    }
}

impl<T: Transport + ?Sized> Exchange for T {}

/// What may cross the boundary: something that is numbers, and has no labels.
pub trait Message {
    /// Appends the numbers.
    fn write(&self, frame: &mut Vec<f64>);

    /// Reads them back; says whether the frame has the right shape.
    fn read(&mut self, frame: &[f64]) -> bool;
}

/// Why a party's program ended without a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stopped {
    /// Of its own.
    Halt(Halt),
    /// Another party is gone; the reason is with that party.
    Gone {
        /// The number of the party that is gone.
        party: usize,
    },
}

impl From<Halt> for Stopped {
    fn from(halt: Halt) -> Self {
        Self::Halt(halt)
    }
}

/// Numbers of a fixed length are a message.
impl Message for Vec<f64> {
    fn write(&self, frame: &mut Vec<f64>) {
        frame.extend_from_slice(self);
    }

    fn read(&mut self, frame: &[f64]) -> bool {
        let fits = frame.len() == self.len();
        if fits {
            self.copy_from_slice(frame);
        }
        fits
    }
}

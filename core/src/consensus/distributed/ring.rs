//! Sums over parties that stand in a ring (bce §5.2.1): party p adds its own to what it gets from p − 1 and passes it on;
//! the last one has the total, and passes that around once more.
//!
//! A total costs 2 (P − 1) messages, each as long as the sum, and P rounds: party 0 can go on while the total still travels
//! to the others. Nobody sees another's sum, only the sum
//! of all before it; party 1 sees that of party 0.

use super::transport::{Exchange, Message, Stopped, Transport};

/// Replaces this party's numbers by the sum over all parties; the same bits everywhere.
pub fn total(transport: &mut dyn Transport, message: &mut impl Message) -> Result<(), Stopped> {
    let (me, last) = (transport.party(), transport.parties() - 1);
    if last == 0 {
        return Ok(());
    }
    let before = (me + last) % (last + 1);
    let mut frame = Vec::new();
    message.write(&mut frame);
    if me > 0 {
        let mut partial = vec![0.0; frame.len()];
        transport.receive(before, &mut partial)?;
        frame.iter_mut().zip(&partial).for_each(|(own, sum)| *own += sum);
    }
    if me < last {
        transport.send_frame(me + 1, frame.clone())?;
        transport.receive(before, &mut frame)?;
    }
    if (me + 1) % (last + 1) != last {
        transport.send_frame((me + 1) % (last + 1), frame.clone())?;
    }
    let fits = message.read(&frame);
    debug_assert!(fits, "a sum has the shape of what was summed");
    Ok(())
}

/// Gives everybody the message of one party: P − 1 messages.
pub fn broadcast(transport: &mut dyn Transport, from: usize, message: &mut impl Message) -> Result<(), Stopped> {
    let (me, parties) = (transport.party(), transport.parties());
    if me != from {
        transport.receive((me + parties - 1) % parties, message)?;
    }
    if (me + 1) % parties != from {
        transport.send((me + 1) % parties, message)?;
    }
    Ok(())
}

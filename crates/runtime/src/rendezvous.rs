//! Where the parts of a step meet: a value sent under a name waits for its receiver, or the receiver for it.
//!
//! Names are TensorFlow's rendezvous keys, or between our own tasks slots: the numbers of the edges that
//! cross. Protocol: each name belongs to one side or the other at a time: values that nobody asked for yet,
//! or receivers that no value has come for yet. `abort` ends the step: everybody who waits is told, and
//! everybody who comes later. Callbacks are called outside of the lock.

mod meeting;

use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;

use meeting::Meetings;

/// A value that crosses; `None` is dead: its branch was not taken.
pub type Crossing = Option<Tensor>;

/// Told what was sent, or why nothing will be.
pub type OnReceive = Box<dyn FnOnce(Result<Crossing>) + Send>;

/// Told that a value was taken, or why it cannot be.
pub type OnSent = Box<dyn FnOnce(Result<()>) + Send>;

/// An edge of a step that crosses, by its number, and the loop iteration its value is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    pub number: u32,
    pub frame: u64,
    pub iteration: u64,
}

impl Slot {
    /// An edge outside of all loops.
    pub fn new(number: u32) -> Slot {
        Slot { number, frame: 0, iteration: 0 }
    }
}

/// How the kernels of a step hand values to other devices and tasks.
pub trait Rendezvous: Send + Sync {
    fn send(&self, key: &str, value: Crossing) -> Result<()>;

    /// Calls `done` once: with the value, or with the error that ended the step.
    fn receive(&self, key: &str, done: OnReceive);

    /// Hands a value to the task of incarnation `peer`. `done` is called when there is room for it on the
    /// way, which is at once unless the peer is slower than we are.
    fn push(&self, peer: u64, slot: Slot, value: Crossing, done: OnSent);

    /// As `receive`, of a value that is pushed to us.
    fn receive_slot(&self, slot: Slot, done: OnReceive);
}

/// The meeting place inside one task.
#[derive(Default)]
pub struct LocalRendezvous {
    named: Mutex<Meetings<String>>,
    numbered: Mutex<Meetings<Slot>>,
}

impl LocalRendezvous {
    pub fn new() -> LocalRendezvous {
        LocalRendezvous::default()
    }

    /// Ends the step here: the first status stays.
    pub fn abort(&self, status: Status) {
        let mut waiting = self.named.lock().end(&status);
        waiting.extend(self.numbered.lock().end(&status));
        waiting.into_iter().for_each(|done| done(Err(status.clone())));
    }

    /// How many values or receivers wait.
    pub fn len(&self) -> usize {
        self.named.lock().len() + self.numbered.lock().len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Leaves a value; if somebody waits for it the caller is to call them, at a time that suits it.
    pub fn deliver(&self, slot: Slot, value: Crossing) -> Result<Option<(OnReceive, Crossing)>> {
        self.numbered.lock().send(slot, value)
    }
}

impl Rendezvous for LocalRendezvous {
    fn send(&self, key: &str, value: Crossing) -> Result<()> {
        let met = self.named.lock().send(key.to_string(), value)?;
        if let Some((done, value)) = met {
            done(Ok(value));
        }
        Ok(())
    }

    fn receive(&self, key: &str, done: OnReceive) {
        let met = self.named.lock().receive(key.to_string(), done);
        if let Some((done, value)) = met {
            done(value);
        }
    }

    fn push(&self, _: u64, slot: Slot, value: Crossing, sent: OnSent) {
        match self.deliver(slot, value) {
            Ok(met) => {
                if let Some((done, value)) = met {
                    done(Ok(value));
                }
                sent(Ok(()));
            }
            Err(status) => sent(Err(status)),
        }
    }

    fn receive_slot(&self, slot: Slot, done: OnReceive) {
        let met = self.numbered.lock().receive(slot, done);
        if let Some((done, value)) = met {
            done(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn sender_and_receiver_meet_whoever_comes_first() {
        let place = LocalRendezvous::new();
        let (send, receive) = mpsc::channel();
        let tell = |name: &'static str| -> OnReceive {
            let send = send.clone();
            Box::new(move |value| send.send((name, value)).unwrap())
        };
        place.receive("a", tell("a"));
        assert!(receive.try_recv().is_err());
        place.send("a", Some(Tensor::scalar(1i32))).unwrap();
        let (_, value) = receive.recv().unwrap();
        assert_eq!(value.unwrap().unwrap().to_scalar::<i32>().unwrap(), 1);
        place.send("dead", None).unwrap();
        place.receive("dead", tell("dead"));
        assert!(receive.recv().unwrap().1.unwrap().is_none());
        place.push(0, Slot::new(3), Some(Tensor::scalar(2i32)), Box::new(|sent| sent.unwrap()));
        place.receive_slot(Slot { iteration: 1, ..Slot::new(3) }, tell("other iteration"));
        place.receive_slot(Slot::new(3), tell("slot"));
        assert_eq!(receive.recv().unwrap().0, "slot");
        assert_eq!(place.len(), 1);
    }

    #[test]
    fn after_the_end_everybody_is_told() {
        let place = LocalRendezvous::new();
        let (send, receive) = mpsc::channel();
        let other = send.clone();
        place.receive("a", Box::new(move |value| send.send(value).unwrap()));
        place.abort(Status::unavailable("the other task is gone"));
        place.abort(Status::cancelled("later"));
        assert!(receive.recv().unwrap().unwrap_err().message().contains("gone"));
        place.receive_slot(Slot::new(1), Box::new(move |value| other.send(value).unwrap()));
        assert!(receive.recv().unwrap().unwrap_err().message().contains("gone"));
        assert!(place.send("c", None).is_err());
        assert!(place.deliver(Slot::new(1), None).is_err());
    }
}

//! Where the values of one step wait for those who need them, by key.
//!
//! Protocol. A sender and a receiver of the same key meet once, whoever comes first. What is waiting is
//! kept under one lock; callbacks run outside of it. After `abort` everybody who waits and everybody who
//! still comes gets the same status, so nothing waits for a step that has ended.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;

/// A value that crosses; `None` is dead: its branch was not taken.
pub type Crossing = Option<Tensor>;

/// Told what was sent, or why nothing will be.
pub type OnReceive = Box<dyn FnOnce(Result<Crossing>) + Send>;

/// How the kernels of a step hand values to other devices and tasks.
pub trait Rendezvous: Send + Sync {
    fn send(&self, key: &str, value: Crossing) -> Result<()>;

    /// Calls `done` once: with the value, or with the error that ended the step.
    fn receive(&self, key: &str, done: OnReceive);
}

/// The meeting place inside one task.
#[derive(Default)]
pub struct LocalRendezvous(Mutex<State>);

#[derive(Default)]
struct State {
    waiting: HashMap<String, Meeting>,
    ended: Option<Status>,
}

enum Meeting {
    Values(VecDeque<Crossing>),
    Receivers(VecDeque<OnReceive>),
}

impl LocalRendezvous {
    pub fn new() -> LocalRendezvous {
        LocalRendezvous::default()
    }

    /// Ends the step here: the first status stays.
    pub fn abort(&self, status: Status) {
        let (taken, status) = {
            let mut state = self.0.lock();
            let status = state.ended.get_or_insert(status).clone();
            (std::mem::take(&mut state.waiting), status)
        };
        for meeting in taken.into_values() {
            if let Meeting::Receivers(receivers) = meeting {
                receivers.into_iter().for_each(|done| done(Err(status.clone())));
            }
        }
    }

    /// How many values or receivers wait.
    pub fn len(&self) -> usize {
        self.0.lock().waiting.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Rendezvous for LocalRendezvous {
    fn send(&self, key: &str, value: Crossing) -> Result<()> {
        let receiver = {
            let mut state = self.0.lock();
            if let Some(status) = &state.ended {
                return Err(status.clone());
            }
            match state.waiting.entry(key.to_string()) {
                Entry::Vacant(entry) => {
                    entry.insert(Meeting::Values(VecDeque::from([value])));
                    return Ok(());
                }
                Entry::Occupied(mut entry) => match entry.get_mut() {
                    Meeting::Values(values) => {
                        values.push_back(value);
                        return Ok(());
                    }
                    Meeting::Receivers(receivers) => {
                        let first = receivers.pop_front();
                        if receivers.is_empty() {
                            entry.remove();
                        }
                        first
                    }
                },
            }
        };
        if let Some(done) = receiver {
            done(Ok(value));
        }
        Ok(())
    }

    fn receive(&self, key: &str, done: OnReceive) {
        let ready = {
            let mut guard = self.0.lock();
            let state = &mut *guard;
            match (&state.ended, state.waiting.get_mut(key)) {
                (Some(status), _) => Err(status.clone()),
                (None, Some(Meeting::Receivers(receivers))) => {
                    receivers.push_back(done);
                    return;
                }
                (None, Some(Meeting::Values(values))) => {
                    let first = values.pop_front().flatten();
                    if values.is_empty() {
                        state.waiting.remove(key);
                    }
                    Ok(first)
                }
                (None, None) => {
                    let receivers = Meeting::Receivers(VecDeque::from([done]));
                    state.waiting.insert(key.to_string(), receivers);
                    return;
                }
            }
        };
        done(ready);
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
        assert!(place.is_empty());
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
        place.receive("b", Box::new(move |value| other.send(value).unwrap()));
        assert!(receive.recv().unwrap().is_err());
        assert!(place.send("c", None).is_err());
    }
}

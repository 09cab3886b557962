//! The calls whose message has not come.
//!
//! Opening a call takes its client twenty bytes and us some kilobytes, and a call that never says anything is not ended by
//! a clock: TensorFlow's clients may take their time. So there is room for a number of them in all; for one more, the
//! oldest is answered with an error. A client sends its message at once, so those that wait for long are strangers'.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::oneshot;

/// Calls of all connections that may wait for their message: as many as one connection may have open by default, so that
/// no client meets the limit alone.
const MAX_WAITING: usize = 16_384;

/// The calls of a server that wait for their message.
#[derive(Clone, Default)]
pub struct WaitingCalls(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    next: u64,
    /// By age.
    calls: BTreeMap<u64, oneshot::Sender<()>>,
}

impl WaitingCalls {
    /// One more call waits. The receiver resolves if it has to give way, and fails when it has left.
    pub fn enter(&self) -> (Waiting, oneshot::Receiver<()>) {
        let (send, receive) = oneshot::channel();
        let mut state = self.0.lock();
        let number = state.next;
        state.next += 1;
        state.calls.insert(number, send);
        let evicted = if state.calls.len() > MAX_WAITING { state.calls.pop_first() } else { None };
        drop(state);
        if let Some((_, oldest)) = evicted {
            // A receiver that is gone needs no answer.
            let _ = oldest.send(());
        }
        (Waiting { calls: self.clone(), number }, receive)
    }
}

/// A call's place among those that wait; it leaves when this is dropped.
pub struct Waiting {
    calls: WaitingCalls,
    number: u64,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        // Dropped after the lock is released.
        let _sender = self.calls.0.lock().calls.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_gives_way() {
        let calls = WaitingCalls::default();
        let mut waiting: Vec<_> = (0..MAX_WAITING).map(|_| calls.enter()).collect();
        assert!(waiting.iter_mut().all(|(_, evicted)| evicted.try_recv().is_err()));
        // One that has what it waited for makes room.
        drop(waiting.pop());
        let newer = calls.enter();
        assert!(waiting[0].1.try_recv().is_err());
        let newest = calls.enter();
        assert!(waiting[0].1.try_recv().is_ok());
        assert!(waiting[1].1.try_recv().is_err());
        drop((newer, newest, waiting));
        assert!(calls.0.lock().calls.is_empty());
    }
}

//! The answers of one gRPC connection that have not left.
//!
//! An answer is unread from the moment it exists until HTTP/2 has let go of its last bytes: each piece that is handed
//! over keeps hold of its [`Answer`]. A connection has one task that looks at its answers now and then; when one of them
//! has moved nothing for `unread`, the connection is closed, and everything that waited goes.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use bytes::Bytes;
use downpour_tensor::Charge;
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::admission::Seat;

/// How often answers are looked at while they may be unread for as long as they may.
const LOOKS: u32 = 4;

/// The unread answers of a connection.
pub struct Answers {
    connection: Weak<Seat>,
    unread: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    next: u64,
    /// When something of each has left last.
    open: BTreeMap<u64, Instant>,
    is_watched: bool,
}

impl Answers {
    /// Closes the connection when nothing of an answer leaves for `unread`.
    pub fn new(connection: Weak<Seat>, unread: Duration) -> Arc<Answers> {
        Arc::new(Answers { connection, unread, state: Mutex::default() })
    }

    /// One more answer, and what it takes. To be called within a runtime.
    pub fn begin(self: &Arc<Self>, charge: Charge) -> Arc<Answer> {
        let mut state = self.state.lock();
        let number = state.next;
        state.next += 1;
        state.open.insert(number, Instant::now());
        if !std::mem::replace(&mut state.is_watched, true) {
            tokio::spawn(watch(Arc::downgrade(self), self.unread));
        }
        drop(state);
        Arc::new(Answer { answers: self.clone(), number, _charge: charge })
    }

    fn is_stuck(&self) -> bool {
        let state = self.state.lock();
        state.open.values().any(|moved| moved.elapsed() >= self.unread)
    }
}

/// Lives as long as the connection does.
async fn watch(answers: Weak<Answers>, unread: Duration) {
    loop {
        tokio::time::sleep(unread / LOOKS).await;
        let Some(answers) = answers.upgrade() else { return };
        if !answers.is_stuck() {
            continue;
        }
        let Some(seat) = answers.connection.upgrade() else { return };
        tracing::warn!(
            "closing a connection from {}: it has taken nothing of an answer for {} s (--unread-timeout)",
            seat.origin(),
            unread.as_secs_f64()
        );
        return seat.close();
    }
}

/// An answer of which something has not left.
pub struct Answer {
    answers: Arc<Answers>,
    number: u64,
    _charge: Charge,
}

impl Answer {
    /// The same bytes, which keep hold of their answer.
    pub fn hold(self: &Arc<Self>, bytes: Bytes) -> Bytes {
        self.moved();
        Bytes::from_owner(Piece { bytes, answer: self.clone() })
    }

    fn moved(&self) {
        if let Some(moved) = self.answers.state.lock().open.get_mut(&self.number) {
            *moved = Instant::now();
        }
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.answers.state.lock().open.remove(&self.number);
    }
}

/// Bytes that were handed to HTTP/2.
struct Piece {
    bytes: Bytes,
    answer: Arc<Answer>,
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        self.answer.moved();
    }
}

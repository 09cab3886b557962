//! A connection between two ranks: bytes arrive after a while, in order, a window of them under way, until it breaks.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use downpour_simulation::Random;
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

#[derive(Default)]
struct Way {
    queue: VecDeque<(Instant, Vec<u8>)>,
    /// Bytes that were sent and not read.
    under_way: usize,
    last: Option<Instant>,
    /// From then on the reader finds the end.
    closed: Option<Instant>,
    /// The writer is told that nobody reads.
    refused: bool,
    /// What is sent is lost, and nobody gets to know.
    silent: bool,
    reader: Option<Waker>,
    writer: Option<Waker>,
}

struct State {
    ways: [Way; 2],
    random: Random,
    /// Milliseconds a segment takes, at most.
    delay: u64,
    window: usize,
}

/// Both ends' connection, for whoever breaks it.
#[derive(Clone)]
pub struct Wire(Arc<Mutex<State>>);

/// One rank's end.
pub struct End {
    wire: Wire,
    side: usize,
    sleep: Option<Pin<Box<Sleep>>>,
}

impl Wire {
    pub fn new(random: Random, delay: u64, window: usize) -> (Wire, End, End) {
        let ways = Default::default();
        let wire = Wire(Arc::new(Mutex::new(State { ways, random, delay, window })));
        let end = |side| End { wire: wire.clone(), side, sleep: None };
        let ends = (end(0), end(1));
        (wire, ends.0, ends.1)
    }

    /// Ends it; both sides get to know, and what was under way is lost.
    pub fn cut(&self) {
        for way in &mut self.0.lock().ways {
            way.queue.clear();
            way.last = None;
            way.close(Instant::now());
        }
    }

    /// Nothing arrives any more, and nobody gets to know.
    pub fn silence(&self) {
        self.0.lock().ways.iter_mut().for_each(|way| way.silent = true);
    }
}

impl Way {
    fn close(&mut self, now: Instant) {
        // That it is closed does not get through either where nothing does.
        if !self.silent {
            // What was sent before arrives before.
            self.closed.get_or_insert(self.last.map_or(now, |last| last.max(now)));
            self.refused = true;
        }
        self.wake();
    }

    fn wake(&mut self) {
        self.reader.take().into_iter().chain(self.writer.take()).for_each(Waker::wake);
    }
}

impl AsyncRead for End {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        loop {
            let now = Instant::now();
            let ready = {
                let mut state = this.wire.0.lock();
                let way = &mut state.ways[1 - this.side];
                way.reader = Some(cx.waker().clone());
                let at = match (way.queue.front(), way.closed) {
                    (Some((at, _)), _) => *at,
                    (None, Some(end)) => end,
                    (None, None) => return Poll::Pending,
                };
                if at <= now {
                    if let Some((_, bytes)) = way.queue.front_mut() {
                        let count = bytes.len().min(out.remaining());
                        out.put_slice(&bytes[..count]);
                        bytes.drain(..count);
                        if bytes.is_empty() {
                            way.queue.pop_front();
                        }
                        way.under_way -= count;
                        way.writer.take().into_iter().for_each(Waker::wake);
                    }
                    return Poll::Ready(Ok(()));
                }
                at
            };
            let sleep = this.sleep.insert(Box::pin(tokio::time::sleep_until(ready)));
            if sleep.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
        }
    }
}

impl AsyncWrite for End {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let mut state = self.wire.0.lock();
        let State { ways, random, delay, window } = &mut *state;
        let way = &mut ways[self.side];
        if way.refused {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        let room = window.saturating_sub(way.under_way).min(bytes.len());
        if room == 0 && !bytes.is_empty() {
            way.writer = Some(cx.waker().clone());
            return Poll::Pending;
        }
        let count = match room > 1 && random.chance(300) {
            true => random.between(1, room as u64) as usize,
            false => room,
        };
        way.under_way += count;
        if !way.silent {
            let arrives = Instant::now() + random.millis(0, *delay);
            let arrives = way.last.map_or(arrives, |last| last.max(arrives));
            way.last = Some(arrives);
            way.queue.push_back((arrives, bytes[..count].to_vec()));
            way.reader.take().into_iter().for_each(Waker::wake);
        }
        Poll::Ready(Ok(count))
    }

    fn poll_flush(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.wire.0.lock().ways[self.side].close(Instant::now());
        Poll::Ready(Ok(()))
    }
}

impl Drop for End {
    fn drop(&mut self) {
        let mut state = self.wire.0.lock();
        state.ways[self.side].close(Instant::now());
        // What comes for it now finds nobody.
        let way = &mut state.ways[1 - self.side];
        way.refused = !way.silent;
        way.wake();
    }
}

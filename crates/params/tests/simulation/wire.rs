//! One connection: two ways, on each of which bytes arrive after a while, in order, until it breaks.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

use crate::net::Link;

/// How a connection ends before its time.
#[derive(Clone, Copy, PartialEq)]
pub enum Break {
    /// Both ends get to know.
    Reset,
    /// Nothing arrives any more, and nobody gets to know.
    Silence,
}

#[derive(Default)]
struct Way {
    queue: VecDeque<(Instant, Vec<u8>)>,
    sent: u64,
    /// After so many bytes it breaks.
    limit: Option<(u64, Break)>,
    last: Option<Instant>,
    /// From then on the reader finds the end.
    closed: Option<Instant>,
    /// The writer is told that nobody reads.
    refused: bool,
    silent: bool,
    reader: Option<Waker>,
}

pub struct Wire {
    /// From the side that has connected, and to it.
    ways: [Way; 2],
    link: Arc<Link>,
}

/// One side's end.
pub struct End {
    wire: Arc<Mutex<Wire>>,
    side: usize,
    sleep: Option<Pin<Box<Sleep>>>,
}

/// Both ends, and a way to break it from outside.
pub fn connection(
    link: Arc<Link>,
    limits: [Option<(u64, Break)>; 2],
) -> (End, End, Arc<Mutex<Wire>>) {
    let [there, back] = limits;
    let ways = [Way { limit: there, ..Way::default() }, Way { limit: back, ..Way::default() }];
    let wire = Arc::new(Mutex::new(Wire { ways, link }));
    let end = |side| End { wire: wire.clone(), side, sleep: None };
    (end(0), end(1), wire)
}

impl Way {
    fn wake(&mut self) {
        if let Some(reader) = self.reader.take() {
            reader.wake();
        }
    }

    /// What has been sent may still arrive.
    fn close(&mut self, now: Instant) {
        let end = self.last.map_or(now, |last| last.max(now));
        if !self.silent {
            self.closed.get_or_insert(end);
        }
        self.refused = true;
        self.wake();
    }
}

impl Wire {
    /// Ends it for both; false if it had ended.
    pub fn reset(&mut self) -> bool {
        let now = Instant::now();
        let open = self.ways.iter().any(|way| way.closed.is_none() && !way.silent);
        for way in &mut self.ways {
            way.queue.clear();
            way.last = None;
            way.close(now);
        }
        open
    }

    fn send(&mut self, side: usize, bytes: &[u8]) -> io::Result<usize> {
        if self.ways[side].refused {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let (delay, take) = self.link.segment(bytes.len());
        let way = &mut self.ways[side];
        let now = Instant::now();
        let mut arrives = now + delay;
        if let Some(last) = way.last {
            arrives = arrives.max(last);
        }
        let mut whole = take;
        let mut breaks = None;
        if let Some((limit, how)) = way.limit
            && way.sent + take as u64 > limit
        {
            whole = (limit - way.sent.min(limit)) as usize;
            breaks = Some(how);
        }
        way.sent += take as u64;
        if whole > 0 && !way.silent {
            way.queue.push_back((arrives, bytes[..whole].to_vec()));
            way.last = Some(arrives);
        }
        if let Some(how) = breaks.filter(|_| !way.silent) {
            self.link.broke(side, how);
            match how {
                Break::Silence => way.silent = true,
                Break::Reset => {
                    way.close(now);
                    let other = &mut self.ways[1 - side];
                    other.queue.clear();
                    other.last = None;
                    other.close(now);
                }
            }
        }
        self.ways[side].wake();
        Ok(take)
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
                let mut wire = this.wire.lock();
                let open_from = wire.link.blocked_until();
                let way = &mut wire.ways[1 - this.side];
                way.reader = Some(cx.waker().clone());
                let at = match (way.queue.front(), way.closed) {
                    (Some((at, _)), _) => *at,
                    (None, Some(end)) => end,
                    (None, None) => return Poll::Pending,
                };
                let at = open_from.map_or(at, |open| at.max(open));
                if at <= now {
                    if let Some((_, bytes)) = way.queue.front_mut() {
                        let count = bytes.len().min(out.remaining());
                        out.put_slice(&bytes[..count]);
                        bytes.drain(..count);
                        if bytes.is_empty() {
                            way.queue.pop_front();
                        }
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
        _cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if bytes.is_empty() {
            return Poll::Ready(Ok(0));
        }
        Poll::Ready(self.wire.lock().send(self.side, bytes))
    }

    fn poll_flush(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.wire.lock().ways[self.side].close(Instant::now());
        Poll::Ready(Ok(()))
    }
}

impl Drop for End {
    fn drop(&mut self) {
        let mut wire = self.wire.lock();
        let now = Instant::now();
        let side = self.side;
        wire.ways[side].close(now);
        // What comes for it now finds nobody.
        wire.ways[1 - side].refused = true;
    }
}

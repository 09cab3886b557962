//! The loop under every operation: send and receive without blocking, then yield, then sleep.
//!
//! While bytes move, nothing waits. When none moves, the thread looks again for a short while, giving its
//! processor to whoever else can run (a peer of this machine, most likely), and only then sleeps in poll(2):
//! waking up costs more than a small message takes.

use std::io;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::connection::{Connection, Moved};
use crate::header::{HEADER, check_header, header};
use crate::sink::Sink;
use downpour_tensor::{Result, Status};

/// How long to look again before sleeping: the best time of 1 KB between two processes over Unix sockets is 10 us
/// with it and 16 us without; on a busy machine medians do not show it.
const SPIN: Duration = Duration::from_micros(50);

/// Bytes handed to the system at once: while the receiver takes them they are still in a cache.
const PIECE: usize = 256 << 10;
/// And at least, over TCP, whose segments are as large: the receiver of a message that is not much longer begins
/// sooner (a megabyte between two processes takes 15 % less).
const SEGMENT: usize = 64 << 10;

fn piece(connection: &Connection, length: usize) -> usize {
    if connection.is_near() { PIECE } else { (length / 8).clamp(SEGMENT, PIECE) }
}

/// A message on its way out.
pub(super) struct Sending<'a> {
    pub connection: &'a Connection,
    header: [u8; HEADER],
    bytes: &'a [u8],
    piece: usize,
    /// Of header and bytes.
    done: usize,
}

impl<'a> Sending<'a> {
    pub fn new(connection: &'a Connection, tag: u64, bytes: &'a [u8]) -> Sending<'a> {
        let (header, piece) = (header(tag, bytes.len()), piece(connection, bytes.len()));
        Sending { connection, header, bytes, piece, done: 0 }
    }

    fn is_done(&self) -> bool {
        self.done == HEADER + self.bytes.len()
    }

    /// Moves what can be moved; true if anything was.
    fn advance(&mut self) -> io::Result<bool> {
        let begin = self.done.saturating_sub(HEADER);
        let piece = &self.bytes[begin..self.bytes.len().min(begin + self.piece)];
        let moved = if self.done < HEADER {
            self.connection.send_both(&self.header[self.done..], piece)?
        } else {
            self.connection.send(piece)?
        };
        let Moved::Bytes(count) = moved else { return Ok(false) };
        self.done += count;
        Ok(count > 0)
    }
}

/// A message on its way in.
pub(super) struct Receiving<'a> {
    pub connection: &'a Connection,
    tag: u64,
    length: usize,
    header: [u8; HEADER],
    header_done: usize,
    sink: &'a mut dyn Sink,
}

impl<'a> Receiving<'a> {
    pub fn new(connection: &'a Connection, tag: u64, sink: &'a mut dyn Sink) -> Receiving<'a> {
        let length = sink.remaining();
        Receiving { connection, tag, length, header: [0; HEADER], header_done: 0, sink }
    }

    fn is_done(&self) -> bool {
        self.header_done == HEADER && self.sink.remaining() == 0
    }

    /// Moves what can be moved; true if anything was.
    fn advance(&mut self, peer: impl FnOnce() -> String) -> Result<bool, Failure> {
        if self.header_done == HEADER {
            let Moved::Bytes(count) = self.connection.receive(self.sink.space())? else {
                return Ok(false);
            };
            self.sink.filled(count);
            return Ok(true);
        }
        let missing = &mut self.header[self.header_done..];
        let wanted = missing.len();
        let moved = if self.length == 0 {
            self.connection.receive(missing)?
        } else {
            self.connection.receive_both(missing, self.sink.space())?
        };
        let Moved::Bytes(count) = moved else { return Ok(false) };
        self.header_done += count.min(wanted);
        if self.header_done == HEADER {
            check_header(self.header, self.tag, self.length, peer)?;
            if count > wanted {
                self.sink.filled(count - wanted);
            }
        }
        Ok(true)
    }
}

/// Why an exchange ended.
pub(super) enum Failure {
    /// The one we send to, or (true) the one we receive from.
    Gone(bool, io::Error),
    Silent,
    Status(Status),
}

impl From<io::Error> for Failure {
    /// Of receiving.
    fn from(error: io::Error) -> Failure {
        Failure::Gone(true, error)
    }
}

impl From<Status> for Failure {
    fn from(status: Status) -> Failure {
        Failure::Status(status)
    }
}

/// Moves both messages to their end.
pub(super) fn exchange(
    mut sending: Option<Sending<'_>>,
    mut receiving: Option<Receiving<'_>>,
    patience: Duration,
    sender_name: impl Fn() -> String,
) -> Result<(), Failure> {
    // When nothing moved for the first time since something did.
    let mut idle: Option<Instant> = None;
    loop {
        let mut any = false;
        if let Some(message) = &mut sending {
            any |= message.advance().map_err(|e| Failure::Gone(false, e))?;
            if message.is_done() {
                sending = None;
            }
        }
        if let Some(message) = &mut receiving {
            any |= message.advance(&sender_name)?;
            if message.is_done() {
                receiving = None;
            }
        }
        if sending.is_none() && receiving.is_none() {
            return Ok(());
        }
        if any {
            idle = None;
            continue;
        }
        let since = *idle.get_or_insert_with(Instant::now);
        let waited = since.elapsed();
        if waited < SPIN {
            rustix::thread::sched_yield();
        } else if waited < patience {
            sleep(sending.as_ref(), receiving.as_ref(), patience - waited)?;
        } else {
            return Err(Failure::Silent);
        }
    }
}

/// Until something can be moved, or for so long.
fn sleep(
    sending: Option<&Sending<'_>>,
    receiving: Option<&Receiving<'_>>,
    limit: Duration,
) -> Result<(), Failure> {
    let out = sending.map(|s| PollFd::from_borrowed_fd(s.connection.as_fd(), PollFlags::OUT));
    let into = receiving.map(|r| PollFd::from_borrowed_fd(r.connection.as_fd(), PollFlags::IN));
    let mut waiting: Vec<PollFd<'_>> = out.into_iter().chain(into).collect();
    let limit = Timespec {
        tv_sec: i64::try_from(limit.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: limit.subsec_nanos().into(),
    };
    match poll(&mut waiting, Some(&limit)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(e) => Err(Failure::Status(Status::internal(format!("poll failed: {e}")))),
    }
}

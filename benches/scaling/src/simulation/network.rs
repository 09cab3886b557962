//! A network of hosts with cards: every card sends and receives so many bytes a second, both at the same time.
//!
//! What is written to a connection queues at its sender's card. The card sends segments, one of each connection that
//! has any in turn, so that connections share it fairly; a segment's first byte is at the other card a latency later,
//! and takes its place in that card's queue, which is served in the order of arrival. A segment passes both cards at once
//! if both are free: the slower of the two counts, not their sum. A message ends with a flush; its first segment costs
//! both cards `message` besides, and its first bytes, as many as a header has, nothing. Buffers have no end and nothing
//! is lost: TCP's own troubles (slow start, retransmissions when many senders meet) are not in it.
//!
//! Until [`Network::begin`] everything arrives at once, so that a cluster can be set up without waiting.
//!
//! Protocol. All state is behind one lock. Events are in a heap, by time and then by number, and [`Network::run`] lets
//! them happen: it sleeps until the first is due, or until an earlier one is added.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use bytes::{Buf, Bytes};
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;

use super::clock::{Clock, nanoseconds};

/// Of a message; the smallest there is. More would be fairer, and slower to simulate.
const SEGMENTS: usize = 4;
const SMALLEST: usize = 64;

/// A host's connection to the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card(usize);

/// All hosts, and what is on its way between them.
#[derive(Clone)]
pub struct Network {
    state: Arc<Mutex<State>>,
    earlier: Arc<Notify>,
}

struct State {
    clock: Clock,
    /// Seconds of a card for every message.
    message: f64,
    /// Bytes of a message's header, which these seconds are for.
    framing: usize,
    costs: bool,
    cards: Vec<CardState>,
    ways: Vec<Way>,
    events: BinaryHeap<Reverse<(u64, u64, Event)>>,
    number: u64,
}

#[derive(Default)]
struct CardState {
    bandwidth: f64,
    sends: bool,
    /// Ways that have something to send, in turn.
    turn: VecDeque<usize>,
    receives: bool,
    arrived: VecDeque<Segment>,
}

/// One direction of a connection.
struct Way {
    from: usize,
    to: usize,
    latency: u64,
    unsent: VecDeque<Unsent>,
    /// What is written next belongs to the last message that is unsent.
    open: bool,
    /// Segments between the cards.
    flying: VecDeque<Segment>,
    inbox: VecDeque<Bytes>,
    reader: Option<Waker>,
    closed: bool,
}

/// What was written from one flush to the next.
#[derive(Default)]
struct Unsent {
    bytes: VecDeque<Bytes>,
    /// Most bytes of a segment; not known before the first.
    segment: Option<usize>,
}

struct Segment {
    way: usize,
    bytes: Vec<Bytes>,
    length: usize,
    begins: bool,
    /// When its last byte is at the receiver's card.
    complete: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A card looks for something to send.
    Send(usize),
    /// The first segment that flies on a way has come to the card.
    Arrive(usize),
    /// A card has received the first segment that had arrived.
    Receive(usize),
}

/// One end of a connection.
pub struct End {
    network: Network,
    reads: usize,
    writes: usize,
}

impl Network {
    /// Without hosts. A message costs each of the two cards so many seconds besides its bytes, of which its header's
    /// do not count.
    pub fn new(message: f64, framing: usize) -> Network {
        let state = State {
            clock: Clock::new(),
            message,
            framing,
            costs: false,
            cards: Vec::new(),
            ways: Vec::new(),
            events: BinaryHeap::new(),
            number: 0,
        };
        Network { state: Arc::new(Mutex::new(state)), earlier: Arc::default() }
    }

    /// A card of so many bytes a second.
    pub fn card(&self, bandwidth: f64) -> Card {
        let mut state = self.state.lock();
        state.cards.push(CardState { bandwidth, ..CardState::default() });
        Card(state.cards.len() - 1)
    }

    /// A connection between two cards, with a latency of so many seconds each way.
    pub fn connect(&self, near: Card, far: Card, latency: f64) -> (End, End) {
        let mut state = self.state.lock();
        let first = state.ways.len();
        for (from, to) in [(near.0, far.0), (far.0, near.0)] {
            state.ways.push(Way {
                from,
                to,
                latency: nanoseconds(latency),
                unsent: VecDeque::new(),
                open: false,
                flying: VecDeque::new(),
                inbox: VecDeque::new(),
                reader: None,
                closed: false,
            });
        }
        let end = |reads, writes| End { network: self.clone(), reads, writes };
        (end(first + 1, first), end(first, first + 1))
    }

    /// From now on everything takes its time.
    pub fn begin(&self) {
        self.state.lock().costs = true;
    }

    /// Simulated seconds since the beginning.
    pub fn now(&self) -> f64 {
        self.state.lock().clock.now() as f64 * 1e-9
    }

    /// Lets happen what is due; never ends.
    pub async fn run(self) {
        loop {
            let next = {
                let mut state = self.state.lock();
                let now = state.clock.now();
                while let Some(Reverse((time, _, event))) = state.events.peek().copied()
                    && time <= now
                {
                    state.events.pop();
                    state.happen(time, event);
                }
                state.events.peek().map(|Reverse((time, ..))| state.clock.instant(*time))
            };
            match next {
                None => self.earlier.notified().await,
                Some(next) => tokio::select! {
                    biased;
                    () = self.earlier.notified() => {}
                    () = tokio::time::sleep_until(next) => {}
                },
            }
        }
    }

    fn write(&self, way: usize, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.state.lock();
        if state.ways[way].closed {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if !state.costs {
            state.deliver(way, [Bytes::copy_from_slice(bytes)]);
            return Ok(bytes.len());
        }
        let waiting = !state.ways[way].unsent.is_empty();
        let (open, unsent) = {
            let way = &mut state.ways[way];
            (std::mem::replace(&mut way.open, true), &mut way.unsent)
        };
        if !open || unsent.is_empty() {
            unsent.push_back(Unsent::default());
        }
        if let Some(message) = unsent.back_mut() {
            message.bytes.push_back(Bytes::copy_from_slice(bytes));
        }
        if !waiting {
            let card = state.ways[way].from;
            state.cards[card].turn.push_back(way);
            if !state.cards[card].sends {
                state.cards[card].sends = true;
                // As an event, so that what is written at the same moment leaves with it.
                let now = state.clock.now();
                if state.add(now, Event::Send(card)) {
                    self.earlier.notify_one();
                }
            }
        }
        Ok(bytes.len())
    }
}

impl State {
    /// True if no other event is before it.
    fn add(&mut self, time: u64, event: Event) -> bool {
        let first = self.events.peek().is_none_or(|Reverse((other, ..))| time < *other);
        self.number += 1;
        self.events.push(Reverse((time, self.number, event)));
        first
    }

    fn happen(&mut self, time: u64, event: Event) {
        match event {
            Event::Send(card) => self.send(time, card),
            Event::Arrive(way) => {
                let Some(segment) = self.ways[way].flying.pop_front() else { return };
                let card = self.ways[way].to;
                self.cards[card].arrived.push_back(segment);
                if !self.cards[card].receives {
                    self.receive(time, card);
                }
            }
            Event::Receive(card) => {
                if let Some(segment) = self.cards[card].arrived.pop_front() {
                    self.deliver(segment.way, segment.bytes);
                }
                self.receive(time, card);
            }
        }
    }

    /// Nanoseconds of a card for a segment: before its first byte, and for its bytes.
    fn work(&self, card: usize, bytes: usize, begins: bool) -> (u64, u64) {
        let free = if begins { self.framing } else { 0 };
        let counted = bytes.saturating_sub(free) as f64;
        let before = if begins { nanoseconds(self.message) } else { 0 };
        (before, nanoseconds(counted / self.cards[card].bandwidth))
    }

    fn send(&mut self, time: u64, card: usize) {
        let Some(way) = self.cards[card].turn.pop_front() else {
            self.cards[card].sends = false;
            return;
        };
        let framing = self.framing;
        let state = &mut self.ways[way];
        let Some(message) = state.unsent.front_mut() else { return };
        let begins = message.segment.is_none();
        let segment = *message.segment.get_or_insert_with(|| {
            let whole: usize = message.bytes.iter().map(Bytes::len).sum();
            (whole.saturating_sub(framing) / SEGMENTS).max(SMALLEST)
        });
        // The framing comes with the first segment and does not make it shorter than the others.
        let most = segment + if begins { framing } else { 0 };
        let (mut bytes, mut length) = (Vec::with_capacity(2), 0);
        while let Some(first) = message.bytes.front_mut()
            && length < most
        {
            let take = first.len().min(most - length);
            bytes.push(first.split_to(take));
            length += take;
            if first.is_empty() {
                message.bytes.pop_front();
            }
        }
        if message.bytes.is_empty() {
            state.unsent.pop_front();
        }
        if !state.unsent.is_empty() {
            self.cards[card].turn.push_back(way);
        }
        let (before, during) = self.work(card, length, begins);
        let latency = self.ways[way].latency;
        let left = time + before + during;
        let complete = left + latency;
        self.ways[way].flying.push_back(Segment { way, bytes, length, begins, complete });
        self.add(time + before + latency, Event::Arrive(way));
        self.add(left, Event::Send(card));
    }

    /// The card begins with the next segment that has arrived.
    fn receive(&mut self, time: u64, card: usize) {
        let next = self.cards[card].arrived.front();
        let next = next.map(|segment| (segment.length, segment.begins, segment.complete));
        self.cards[card].receives = next.is_some();
        let Some((bytes, begins, complete)) = next else { return };
        let (before, during) = self.work(card, bytes, begins);
        self.add((time + before + during).max(complete + before), Event::Receive(card));
    }

    fn deliver(&mut self, way: usize, bytes: impl IntoIterator<Item = Bytes>) {
        let way = &mut self.ways[way];
        way.inbox.extend(bytes);
        if let Some(reader) = way.reader.take() {
            reader.wake();
        }
    }
}

impl AsyncRead for End {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut state = self.network.state.lock();
        let way = &mut state.ways[self.reads];
        if way.inbox.is_empty() {
            if way.closed {
                return Poll::Ready(Ok(()));
            }
            way.reader = Some(cx.waker().clone());
            return Poll::Pending;
        }
        while let Some(first) = way.inbox.front_mut() {
            let count = first.len().min(out.remaining());
            out.put_slice(&first[..count]);
            first.advance(count);
            if !first.is_empty() {
                break;
            }
            way.inbox.pop_front();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for End {
    fn poll_write(
        self: Pin<&mut Self>,
        _cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Poll::Ready(self.network.write(self.writes, bytes))
    }

    fn poll_flush(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let writes = self.writes;
        self.network.state.lock().ways[writes].open = false;
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

impl Drop for End {
    fn drop(&mut self) {
        let mut state = self.network.state.lock();
        for way in [self.reads, self.writes] {
            let way = &mut state.ways[way];
            way.closed = true;
            if let Some(reader) = way.reader.take() {
                reader.wake();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::super::simulate;
    use super::*;

    const FRAMING: usize = 100;

    /// Seconds until so many senders have each sent 100,000 bytes to one receiver.
    fn incast(senders: usize) -> f64 {
        simulate(async {
            let network = Network::new(1e-6, FRAMING);
            let receiver = network.card(1e9);
            let mut ends = Vec::new();
            for _ in 0..senders {
                let sender = network.card(1e9);
                ends.push(network.connect(sender, receiver, 10e-6));
            }
            tokio::spawn(network.clone().run());
            network.begin();
            let mut readers = Vec::new();
            for (mut near, mut far) in ends {
                readers.push(tokio::spawn(async move {
                    near.write_all(&vec![7; 100_000 + FRAMING]).await.unwrap();
                    let mut got = vec![0; 100_000 + FRAMING];
                    far.read_exact(&mut got).await.unwrap();
                    assert!(got.iter().all(|b| *b == 7));
                }));
            }
            for reader in readers {
                reader.await.unwrap();
            }
            network.now()
        })
    }

    #[test]
    fn bytes_take_their_time_and_share_a_card() {
        // 100 us of bytes, 10 us of latency, 1 us of each card.
        assert!((incast(1) - 112e-6).abs() < 1e-6, "{}", incast(1));
        let eight = incast(8);
        assert!((eight - 820e-6).abs() < 5e-6, "{eight}");
        assert_eq!(eight, incast(8));
    }
}

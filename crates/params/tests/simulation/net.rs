//! The network between workers and servers.

use std::sync::{Arc, Weak};
use std::time::Duration;

use downpour_simulation::Random;
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::trace::{Fault, Trace};
use crate::wire::{Break, End, Wire, connection};

/// What the network does to every connection.
#[derive(Clone, Copy)]
pub struct Weather {
    /// Milliseconds a segment takes, at most.
    pub delay: u64,
    /// Of a thousand connections, how many will be reset, and how many will fall silent.
    pub resets: u64,
    pub silences: u64,
}

/// Between one worker and one server.
pub struct Link {
    state: Mutex<State>,
    trace: Arc<Trace>,
    name: String,
}

struct State {
    random: Random,
    weather: Weather,
    blocked_until: Option<Instant>,
    wires: Vec<Weak<Mutex<Wire>>>,
}

impl Link {
    pub fn new(name: String, random: Random, weather: Weather, trace: Arc<Trace>) -> Arc<Link> {
        let state = State { random, weather, blocked_until: None, wires: Vec::new() };
        Arc::new(Link { state: Mutex::new(state), trace, name })
    }

    /// A new connection: the near and the far end.
    pub fn open(self: &Arc<Link>) -> (End, End) {
        let mut state = self.state.lock();
        let mut limits = [None, None];
        let (resets, silences) = (state.weather.resets, state.weather.silences);
        // Somewhere within the first messages, most often within one.
        let (side, after) = (state.random.below(2) as usize, state.random.below(1500));
        if state.random.chance(resets) {
            limits[side] = Some((after, Break::Reset));
        } else if state.random.chance(silences) {
            limits[side] = Some((after, Break::Silence));
        }
        let (near, far, wire) = connection(self.clone(), limits);
        state.wires.retain(|wire| wire.strong_count() > 0);
        state.wires.push(Arc::downgrade(&wire));
        (near, far)
    }

    /// How long the next segment takes, and how much of so many bytes is in it.
    pub fn segment(&self, bytes: usize) -> (Duration, usize) {
        let mut state = self.state.lock();
        let longest = state.weather.delay;
        let delay = state.random.millis(0, longest);
        let take = match state.random.chance(300) {
            true => state.random.between(1, bytes as u64) as usize,
            false => bytes,
        };
        (delay, take)
    }

    pub fn blocked_until(&self) -> Option<Instant> {
        self.state.lock().blocked_until
    }

    /// Nothing gets through for so long.
    pub fn block(&self, time: Duration) {
        self.trace.fault(Fault::Partition, &format!("{} for {time:?}", self.name));
        self.state.lock().blocked_until = Some(Instant::now() + time);
    }

    /// Ends the connections there are.
    pub fn cut(&self) {
        let wires: Vec<_> = self.state.lock().wires.iter().filter_map(Weak::upgrade).collect();
        let open = wires.iter().filter(|wire| wire.lock().reset()).count();
        if open > 0 {
            self.trace.fault(Fault::Cut, &format!("{}: {open} connections", self.name));
        }
    }

    pub fn broke(&self, side: usize, how: Break) {
        let fault = match (how, side) {
            (Break::Reset, 0) => Fault::RequestTorn,
            (Break::Reset, _) => Fault::AnswerTorn,
            (Break::Silence, _) => Fault::Silence,
        };
        self.trace.fault(fault, &self.name);
    }

    /// From now on the network is kind.
    pub fn calm(&self) {
        let mut state = self.state.lock();
        state.weather.resets = 0;
        state.weather.silences = 0;
    }
}

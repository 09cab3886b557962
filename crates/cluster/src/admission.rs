//! Limits how many connections a server accepts.
//!
//! Every connection has a [`Seat`] until it is closed. It is silent at first, until its first words were right
//! (`Seat::greet`), on gRPC until its first call. Silent ones are few, and when there are too many of them, or no seats
//! at all, the oldest is closed for the new one: a client speaks at once, so it is heard even while strangers open
//! connections as fast as they can. Connections that have spoken are never closed for others; a new one is refused
//! when these have taken all seats.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use parking_lot::Mutex;
use tokio::sync::watch;

use crate::limits::PortLimits;
use crate::throttle::Throttle;

/// Where a connection comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    Address(IpAddr),
    /// The Unix socket beside the port.
    Machine,
    /// A simulated network.
    Process,
}

impl Origin {
    /// The origins that share one limit with this one: of IPv6, whoever has one address has all of its network.
    fn shared(self) -> Origin {
        match self {
            Origin::Address(IpAddr::V6(address)) => match address.to_ipv4_mapped() {
                Some(address) => Origin::Address(address.into()),
                None => {
                    let network = address.to_bits() & !u128::from(u64::MAX);
                    let address = if address.is_loopback() { address.to_bits() } else { network };
                    Origin::Address(Ipv6Addr::from_bits(address).into())
                }
            },
            other => other,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Address(address) => write!(f, "{address}"),
            Origin::Machine => f.write_str("this machine"),
            Origin::Process => f.write_str("this process"),
        }
    }
}

/// The seats of one server.
pub struct Admission {
    limits: PortLimits,
    state: Mutex<State>,
    refusals: Throttle,
    evictions: Throttle,
}

#[derive(Default)]
struct State {
    seats: usize,
    by_origin: HashMap<Origin, usize>,
    next: u64,
    /// By age.
    silent: BTreeMap<u64, Silent>,
}

struct Silent {
    origin: Origin,
    ending: Arc<Ending>,
}

/// The signal that ends a connection.
struct Ending {
    close: watch::Sender<bool>,
    /// It does not count any more.
    has_left: AtomicBool,
}

impl Admission {
    pub fn new(limits: PortLimits) -> Arc<Admission> {
        let (refusals, evictions) = (Throttle::default(), Throttle::default());
        Arc::new(Admission { limits, state: Mutex::default(), refusals, evictions })
    }

    /// Gives a new connection a seat, or says in the log why there is none.
    pub fn admit(self: &Arc<Self>, from: Origin) -> Option<Arc<Seat>> {
        let origin = from.shared();
        let mut state = self.state.lock();
        let mut evicted = None;
        if state.silent.len() >= self.limits.silent_connections {
            evicted = state.evict(|_| true);
        }
        let mine = |state: &State| state.by_origin.get(&origin).copied().unwrap_or(0);
        if mine(&state) >= self.limits.peer_connections {
            evicted = state.evict(|silent| silent.origin == origin).or(evicted);
        }
        if state.seats >= self.limits.connections {
            evicted = state.evict(|_| true).or(evicted);
        }
        let (all, mine) = (state.seats, mine(&state));
        let full = all >= self.limits.connections;
        if full || mine >= self.limits.peer_connections {
            drop(state);
            if let Some(count) = self.refusals.count() {
                tracing::warn!(
                    "refused {count} connections, the last from {from}: {mine} of {} connections that one address may \
                     have (--peer-connection-limit) and {all} of {} in all (--connection-limit) are open",
                    self.limits.peer_connections,
                    self.limits.connections
                );
            }
            return None;
        }
        let number = state.next;
        state.next += 1;
        state.seats += 1;
        *state.by_origin.entry(origin).or_default() += 1;
        let close = watch::Sender::new(false);
        let ending = Arc::new(Ending { close, has_left: AtomicBool::new(false) });
        state.silent.insert(number, Silent { origin, ending: ending.clone() });
        drop(state);
        if let Some(from) = evicted {
            self.report_eviction(from);
        }
        Some(Arc::new(Seat { admission: self.clone(), number, origin, ending }))
    }

    /// Closes the oldest connection that has not said what it wants, if there is one.
    pub fn evict(&self) {
        if let Some(from) = self.state.lock().evict(|_| true) {
            self.report_eviction(from);
        }
    }

    fn report_eviction(&self, from: Origin) {
        if let Some(count) = self.evictions.count() {
            tracing::warn!(
                "closed {count} connections that had not said what they want, the last from {from}: others came \
                 (--silent-connection-limit is {})",
                self.limits.silent_connections
            );
        }
    }

    #[cfg(test)]
    fn seats(&self) -> (usize, usize) {
        let state = self.state.lock();
        (state.seats, state.silent.len())
    }
}

impl State {
    /// Takes its seat from the oldest silent connection of some kind; returns where that came from.
    fn evict(&mut self, is_meant: impl Fn(&Silent) -> bool) -> Option<Origin> {
        let number = *self.silent.iter().find(|(_, silent)| is_meant(silent))?.0;
        let silent = self.silent.remove(&number)?;
        self.leave(silent.origin);
        silent.ending.has_left.store(true, Relaxed);
        silent.ending.close.send_replace(true);
        Some(silent.origin)
    }

    fn leave(&mut self, origin: Origin) {
        self.seats -= 1;
        if let Some(count) = self.by_origin.get_mut(&origin) {
            *count -= 1;
            if *count == 0 {
                self.by_origin.remove(&origin);
            }
        }
    }
}

/// A connection's place among all; free again when the last owner drops it.
pub struct Seat {
    admission: Arc<Admission>,
    number: u64,
    origin: Origin,
    ending: Arc<Ending>,
}

impl Seat {
    /// Where the connection comes from.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// The connection has said what it wants: it is not closed for others.
    pub fn greet(&self) {
        // Dropped after the lock is released.
        let _silent = self.admission.state.lock().silent.remove(&self.number);
    }

    /// Has the connection end.
    pub fn close(&self) {
        self.ending.close.send_replace(true);
    }

    /// Resolves when the connection must end.
    pub async fn closed(&self) {
        let mut close = self.ending.close.subscribe();
        // Fails only without a sender, and this is one.
        drop(close.wait_for(|closed| *closed).await);
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut state = self.admission.state.lock();
        state.silent.remove(&self.number);
        // Under the lock, as it is set.
        if !self.ending.has_left.load(Relaxed) {
            state.leave(self.origin);
        }
    }
}

#[cfg(test)]
mod tests;

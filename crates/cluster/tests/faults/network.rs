//! A network on which connections are refused, cut, stalled, delayed and damaged, as a seed says.
//!
//! What happens to a connection follows from the seed, its two ends and its number between them, whatever else goes on:
//! threads may take another way the second time, and the faults are the same.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use downpour_cluster::{BoxStream, Network, SimulatedNetwork};
use downpour_simulation::{FaultyStream, Random, StreamFaults, StreamSwitch};
use parking_lot::Mutex;
use tonic::codegen::BoxFuture;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    Refused,
    Cut,
    Stalled,
    Delayed,
    /// In what the other end of a link says of itself at first. Other bytes are the transport's to protect, as with
    /// TensorFlow: a number in HTTP/2's settings may forbid all calls, and values have no checksums.
    Flipped,
}

pub const FAULTS: [Fault; 5] =
    [Fault::Refused, Fault::Cut, Fault::Stalled, Fault::Delayed, Fault::Flipped];

struct State {
    seed: u64,
    healed: bool,
    numbers: HashMap<(String, String, bool), u64>,
    /// Of open connections, by their ends.
    switches: Vec<(String, String, StreamSwitch)>,
    seen: BTreeMap<Fault, usize>,
}

/// The whole network.
#[derive(Clone)]
pub struct FaultyNetwork {
    inner: SimulatedNetwork,
    state: Arc<Mutex<State>>,
}

/// The network as one task sees it.
pub struct End {
    network: FaultyNetwork,
    from: String,
}

impl FaultyNetwork {
    pub fn new(seed: u64) -> FaultyNetwork {
        let state = State {
            seed,
            healed: false,
            numbers: HashMap::new(),
            switches: Vec::new(),
            seen: BTreeMap::new(),
        };
        let state = Arc::new(Mutex::new(state));
        FaultyNetwork { inner: SimulatedNetwork::new(), state }
    }

    pub fn inner(&self) -> &SimulatedNetwork {
        &self.inner
    }

    pub fn end(&self, address: &str) -> Arc<dyn Network> {
        Arc::new(End { network: self.clone(), from: address.to_string() })
    }

    /// New connections are good ones from now on; those that stand still stay so.
    pub fn heal(&self) {
        self.state.lock().healed = true;
    }

    /// Cuts the connections that a task has, as its death does.
    pub fn cut_off(&self, address: &str) {
        let cut: Vec<StreamSwitch> = {
            let mut state = self.state.lock();
            let ours = |(from, to, _): &mut (String, String, StreamSwitch)| {
                from == address || to == address
            };
            state.switches.extract_if(.., ours).map(|(_, _, switch)| switch).collect()
        };
        cut.iter().for_each(StreamSwitch::cut);
    }

    pub fn seen(&self) -> BTreeMap<Fault, usize> {
        self.state.lock().seen.clone()
    }

    /// What happens to the next connection between these two; nothing if it is refused.
    fn faults(&self, from: &str, to: &str, link: bool) -> Option<StreamFaults> {
        let mut state = self.state.lock();
        let number = state.numbers.entry((from.to_string(), to.to_string(), link)).or_default();
        *number += 1;
        let number = *number;
        if state.healed {
            return Some(StreamFaults::default());
        }
        let mut hasher = DefaultHasher::new();
        (state.seed, from, to, link, number).hash(&mut hasher);
        let mut random = Random::new(hasher.finish());
        let mut faults = StreamFaults::default();
        if random.chance(450) {
            return Some(faults);
        }
        let fault = *random.choose(&FAULTS[..if link { FAULTS.len() } else { FAULTS.len() - 1 }]);
        *state.seen.entry(fault).or_default() += 1;
        // Most often early, where sessions and links are made, sometimes in the middle of a large value.
        let after = match random.chance(600) {
            true => random.below(3000),
            false => random.below(400_000),
        };
        match fault {
            Fault::Refused => return None,
            Fault::Cut => faults.cut_after = Some(after),
            Fault::Stalled => faults.stall_after = Some(after),
            Fault::Delayed => faults.delay_after = Some((after, random.millis(1, 9000))),
            Fault::Flipped => faults.flip_read = Some(random.below(24)),
        }
        Some(faults)
    }
}

impl End {
    fn open(&self, address: &str, link: bool) -> BoxFuture<BoxStream, io::Error> {
        let Some(faults) = self.network.faults(&self.from, address, link) else {
            return Box::pin(async { Err(io::ErrorKind::ConnectionRefused.into()) });
        };
        let connecting = self.network.inner.connect(address);
        let (state, ends) = (self.network.state.clone(), (self.from.clone(), address.to_string()));
        Box::pin(async move {
            // As a network has it: never at once.
            tokio::time::sleep(Duration::from_millis(1)).await;
            let stream = connecting.await?;
            let switch = StreamSwitch::default();
            state.lock().switches.push((ends.0, ends.1, switch.clone()));
            Ok(Box::new(FaultyStream::new(stream, faults, switch)) as BoxStream)
        })
    }
}

impl Network for End {
    fn connect(&self, address: &str) -> BoxFuture<BoxStream, io::Error> {
        self.open(address, false)
    }

    fn connect_link(&self, address: &str) -> BoxFuture<BoxStream, io::Error> {
        self.open(address, true)
    }
}

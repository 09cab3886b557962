//! What has happened in a run, written down outside of the simulated processes.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use parking_lot::Mutex;
use tokio::time::Instant;

/// Lines that are kept for a failing seed.
const LINES: usize = 120;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// A connection was reset within a request.
    RequestTorn,
    /// A connection was reset before or within an answer.
    AnswerTorn,
    /// All connections between two were reset.
    Cut,
    /// A connection has swallowed what was sent.
    Silence,
    /// Nothing got through between two for a while.
    Partition,
    ServerCrash,
    /// A server came back without its disk.
    DiskLost,
    WorkerCrash,
    /// A worker was started again while its process was there, and may wake up.
    Twin,
    ServerStopped,
    WorkerStopped,
    /// Everybody's time went on at once.
    Jump,
    /// Shards have moved.
    Moved,
    /// A move was given up.
    NotMoved,
    /// Whoever moved shards is not there any more.
    MoverVanished,
}

pub const FAULTS: [Fault; 15] = [
    Fault::RequestTorn,
    Fault::AnswerTorn,
    Fault::Cut,
    Fault::Silence,
    Fault::Partition,
    Fault::ServerCrash,
    Fault::DiskLost,
    Fault::WorkerCrash,
    Fault::Twin,
    Fault::ServerStopped,
    Fault::WorkerStopped,
    Fault::Jump,
    Fault::Moved,
    Fault::NotMoved,
    Fault::MoverVanished,
];

/// A push, as its worker has made it. Its number is its place in the list.
#[derive(Clone, Debug)]
pub struct Made {
    pub worker: u32,
    pub incarnation: u64,
    /// Of its data: each must be used once.
    pub position: i64,
    /// What its parameters were computed from: of each server, the updates in them.
    pub seen: Vec<u64>,
    /// The starts of the servers it was pulled from.
    pub starts: Vec<u64>,
    /// Of each server, whether it was answered, and then whether it was used.
    pub answered: Vec<Option<bool>>,
}

/// One start of a server.
#[derive(Default)]
pub struct Start {
    /// Pushes in the parameters it began with.
    pub restored: Vec<i64>,
    /// Pushes in order: taken, and in an update.
    pub accepted: Vec<i64>,
    pub applied: BTreeSet<i64>,
    /// Taken since the last update.
    pub pending: BTreeSet<i64>,
    /// When it began.
    pub began: Option<Instant>,
}

#[derive(Default)]
pub struct Seen {
    lines: VecDeque<String>,
    hash: u64,
    pub faults: BTreeMap<Fault, u64>,
    pub violation: Option<String>,
    pub made: Vec<Made>,
    /// By server and its start.
    pub starts: BTreeMap<(usize, u64), Start>,
    /// Incarnations that were out at a start of a server: server, start, worker, incarnation.
    pub fenced: BTreeSet<(usize, u64, u32, u64)>,
    /// The newest incarnation a start of a server knew of a worker.
    pub newest: BTreeMap<(usize, u64, u32), u64>,
    pub finished: BTreeSet<u32>,
    pub crashed: BTreeSet<u32>,
    /// When a worker's last push was answered.
    pub last_answer: BTreeMap<u32, Instant>,
    /// The newest of each shard.
    pub shards: BTreeMap<String, ShardAt>,
    /// Starts of servers without anything on their disk.
    pub blank: BTreeSet<(usize, u64)>,
    /// A snapshot is being read back.
    pub restoring: bool,
}

/// A shard, as the server has it that may change it.
#[derive(Clone, Debug)]
pub struct ShardAt {
    pub server: usize,
    pub start: u64,
    pub history: Vec<i64>,
}

pub struct Trace {
    begin: Instant,
    echo: bool,
    seen: Mutex<Seen>,
}

impl Trace {
    pub fn new() -> Trace {
        let echo = std::env::var_os("DOWNPOUR_TRACE").is_some();
        Trace { begin: Instant::now(), echo, seen: Mutex::default() }
    }

    pub fn say(&self, line: impl AsRef<str>) {
        let line = format!("{:9.3} {}", self.begin.elapsed().as_secs_f64(), line.as_ref());
        if self.echo {
            println!("{line}");
        }
        let mut seen = self.seen.lock();
        for byte in line.bytes() {
            seen.hash = (seen.hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        if seen.lines.len() == LINES {
            seen.lines.pop_front();
        }
        seen.lines.push_back(line);
    }

    pub fn fault(&self, fault: Fault, what: &str) {
        *self.seen.lock().faults.entry(fault).or_default() += 1;
        self.say(format!("fault: {fault:?} {what}"));
    }

    /// Something that must not be; the first is kept.
    pub fn violated(&self, what: String) {
        self.say(format!("VIOLATED: {what}"));
        self.seen.lock().violation.get_or_insert(what);
    }

    pub fn with<T>(&self, look: impl FnOnce(&mut Seen) -> T) -> T {
        look(&mut self.seen.lock())
    }

    pub fn hash(&self) -> u64 {
        self.seen.lock().hash
    }

    pub fn end(&self) -> String {
        let seen = self.seen.lock();
        seen.lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

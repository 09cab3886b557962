//! A rank's sockets to all others.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use downpour_tensor::{Result, Status};
use parking_lot::Mutex;

use super::connection::Connection;
use super::dial::dial;
use super::door::{Door, Expected};
use super::exchange::{Failure, Receiving, Sending, exchange};
use super::hello::{GroupId, Hello};
use crate::cost::CostModel;
use crate::header::HEADER;
use crate::mesh::{Incoming, Mesh, Outgoing, check_peers};

/// What a mesh is to be. All but the rank must be the same on every rank.
#[derive(Clone, Debug)]
pub struct MeshConfig {
    /// Which group.
    pub group: GroupId,
    /// Which life of the group: ranks of an earlier one are turned away.
    pub incarnation: u64,
    /// Which of the addresses is this process.
    pub rank: usize,
    /// `host:port` of every rank's door.
    pub addresses: Vec<String>,
    /// Until when everybody must be connected.
    pub deadline: Instant,
    /// Set by whoever does not want to wait for the others any more.
    pub give_up: Option<Arc<AtomicBool>>,
    /// A peer that neither takes nor gives a byte for so long is given up.
    pub patience: Duration,
    /// Whether processes of one machine may use Unix sockets.
    pub near: bool,
    /// What sending costs.
    pub costs: CostModel,
    /// The machine of each rank; `None` takes ranks with the same host in their address for neighbours.
    pub machines: Option<Vec<usize>>,
}

impl MeshConfig {
    /// A group with the usual settings: 30 seconds to connect and of patience, near ways where there are any.
    pub fn new(group: GroupId, rank: usize, addresses: Vec<String>) -> MeshConfig {
        MeshConfig {
            group,
            incarnation: 0,
            rank,
            addresses,
            deadline: Instant::now() + Duration::from_secs(30),
            give_up: None,
            patience: Duration::from_secs(30),
            near: true,
            costs: CostModel::default(),
            machines: None,
        }
    }

    /// CANCELLED, with who is waited for, if nobody wants to wait any more.
    pub(super) fn check(&self, rank: u32, address: &str) -> Result<()> {
        match self.give_up.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            true => Err(Status::cancelled(format!(
                "stopped while waiting for rank {rank} ({address}) to connect"
            ))),
            false => Ok(()),
        }
    }

    fn machines(&self) -> Vec<usize> {
        if let Some(machines) = &self.machines {
            return machines.clone();
        }
        let host = |address: &str| address.rsplit_once(':').map_or("", |(h, _)| h).to_string();
        let hosts: Vec<String> = self.addresses.iter().map(|a| host(a)).collect();
        let first = |host: &String| hosts.iter().position(|h| h == host).unwrap_or(0);
        hosts.iter().map(first).collect()
    }
}

struct Shared {
    connections: Vec<Option<Connection>>,
    cancelled: Mutex<Option<Status>>,
}

impl Shared {
    fn shut(&self) {
        self.connections.iter().flatten().for_each(Connection::shut);
    }
}

/// Ends a mesh from another thread.
#[derive(Clone)]
pub struct Canceller(Arc<Shared>);

impl Canceller {
    /// Whatever the mesh is doing fails with this status, at once, and everything after it; the other ranks
    /// find their connections closed.
    pub fn cancel(&self, status: Status) {
        self.0.cancelled.lock().get_or_insert(status);
        self.0.shut();
    }
}

/// A mesh of sockets. Its exchanges block, so run operations on it with [`now`](crate::now), on a thread that
/// may wait.
pub struct SocketMesh {
    rank: usize,
    addresses: Vec<String>,
    machines: Vec<usize>,
    costs: CostModel,
    patience: Duration,
    shared: Arc<Shared>,
    operations: u32,
    moved: (u64, u64),
    failed: Option<Status>,
}

impl SocketMesh {
    /// Connects every pair of ranks; all of them must call this before the deadline.
    ///
    /// # Errors
    /// UNAVAILABLE with the rank and address of one that did not come in time; ABORTED if the group has gone on
    /// to another incarnation; INVALID_ARGUMENT if the ranks were told different things.
    pub fn connect(door: &Door, config: &MeshConfig) -> Result<SocketMesh> {
        let connections = connect_all(door, config, Links::All)?;
        Ok(SocketMesh {
            rank: config.rank,
            addresses: config.addresses.clone(),
            machines: config.machines(),
            costs: config.costs,
            patience: config.patience,
            shared: Arc::new(Shared { connections, cancelled: Mutex::default() }),
            operations: 0,
            moved: (0, 0),
            failed: None,
        })
    }

    /// Bytes sent and received so far, headers included.
    pub fn moved(&self) -> (u64, u64) {
        self.moved
    }

    /// A handle to end it with.
    pub fn canceller(&self) -> Canceller {
        Canceller(self.shared.clone())
    }

    /// How many of the connections are Unix sockets.
    pub fn near_connections(&self) -> usize {
        self.shared.connections.iter().flatten().filter(|c| c.is_near()).count()
    }

    fn name(&self, rank: usize) -> String {
        format!("rank {rank} ({})", self.addresses[rank])
    }

    /// Who is gone, and who else: one of them was the first.
    fn gone(&self, peer: usize, error: &std::io::Error) -> Status {
        let closed = |rank: &usize| {
            let connection = self.shared.connections[*rank].as_ref();
            *rank != peer && connection.is_some_and(Connection::is_closed)
        };
        let others: Vec<String> =
            (0..self.addresses.len()).filter(closed).map(|rank| self.name(rank)).collect();
        let mut message = format!("{} is gone ({error})", self.name(peer));
        match others.is_empty() {
            true => message.push_str(": it ended, or left because another rank did"),
            false => message.push_str(&format!("; so is {}", others.join(" and "))),
        }
        Status::unavailable(message)
    }

    fn connection(&self, rank: usize) -> Result<&Connection> {
        self.shared.connections[rank]
            .as_ref()
            .ok_or_else(|| Status::internal(format!("there is no connection to rank {rank}")))
    }

    fn exchange_now(
        &self,
        tag: u64,
        outgoing: Option<Outgoing<'_>>,
        incoming: Option<Incoming<'_>>,
    ) -> Result<()> {
        check_peers(self.rank, self.addresses.len(), &outgoing, &incoming)?;
        let (to, from) = (outgoing.as_ref().map(|o| o.to), incoming.as_ref().map(|i| i.from));
        let sending = match outgoing {
            Some(o) => Some(Sending::new(self.connection(o.to)?, tag, o.bytes)),
            None => None,
        };
        let receiving = match incoming {
            Some(i) => Some(Receiving::new(self.connection(i.from)?, tag, i.sink)),
            None => None,
        };
        let sender = || from.map_or_else(String::new, |from| self.name(from));
        exchange(sending, receiving, self.patience, sender).map_err(|failure| {
            if let Some(status) = &*self.shared.cancelled.lock() {
                return status.clone();
            }
            let silent = || from.or(to).map_or_else(String::new, |rank| self.name(rank));
            match failure {
                Failure::Status(status) => status,
                Failure::Silent => Status::unavailable(format!(
                    "{} has been silent for {:?}",
                    silent(),
                    self.patience
                )),
                Failure::Gone(receiving, error) => {
                    let peer = if receiving { from } else { to };
                    self.gone(peer.unwrap_or(self.rank), &error)
                }
            }
        })
    }
}

impl Drop for SocketMesh {
    fn drop(&mut self) {
        // A canceller may still hold the sockets; the others shall see the end now.
        self.shared.shut();
    }
}

impl Mesh for SocketMesh {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.addresses.len()
    }

    fn machine(&self, rank: usize) -> usize {
        self.machines.get(rank).copied().unwrap_or(0)
    }

    fn costs(&self) -> CostModel {
        self.costs
    }

    fn next_operation(&mut self) -> u32 {
        self.operations = self.operations.wrapping_add(1);
        self.operations
    }

    async fn exchange(
        &mut self,
        tag: u64,
        outgoing: Option<Outgoing<'_>>,
        incoming: Option<Incoming<'_>>,
    ) -> Result<()> {
        if let Some(status) = &self.failed {
            return Err(status.clone());
        }
        let with_header = |bytes: usize| (bytes + HEADER) as u64;
        let sent = outgoing.as_ref().map_or(0, |outgoing| with_header(outgoing.bytes.len()));
        let received = incoming.as_ref().map_or(0, |i| with_header(i.sink.remaining()));
        let result = self.exchange_now(tag, outgoing, incoming);
        match &result {
            Ok(()) => self.moved = (self.moved.0 + sent, self.moved.1 + received),
            Err(status) => {
                self.failed = Some(status.clone());
                self.shared.shut();
            }
        }
        result
    }
}

/// How often who waits for a call looks whether it should go on waiting.
const GLANCE: Duration = Duration::from_millis(100);

/// Which pairs of ranks get a connection.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    All,
    /// Only those with rank 0.
    Star,
}

/// Connections to other ranks: dials the lower ones, waits for the higher ones.
pub(crate) fn connect_all(
    door: &Door,
    config: &MeshConfig,
    links: Links,
) -> Result<Vec<Option<Connection>>> {
    let (rank, size) = (config.rank, config.addresses.len());
    let machines = config.machines.as_ref().map_or(size, Vec::len);
    let number = |n: usize| u32::try_from(n).ok();
    let (Some(own), Some(ranks), true, true) =
        (number(rank), number(size), rank < size, machines == size)
    else {
        return Err(Status::invalid_argument(format!(
            "rank {rank} of {size} addresses and {machines} machines cannot be a mesh"
        )));
    };
    let (arrivals, arrived) = channel();
    let incarnation = config.incarnation;
    let expected = Expected { rank: own, size: ranks, incarnation, arrivals };
    let _expecting = door.expect(config.group, expected)?;
    let mut connections: Vec<Option<Connection>> = (0..size).map(|_| None).collect();
    let linked = |other: usize| links == Links::All || rank == 0 || other == 0;
    for (to, address) in config.addresses.iter().enumerate().take(rank).filter(|(r, _)| linked(*r))
    {
        let hello =
            Hello { group: config.group, incarnation, size: ranks, from: own, to: to as u32 };
        connections[to] = Some(dial(address, hello, config)?);
    }
    while let Some(missing) = (rank + 1..size).find(|&r| linked(r) && connections[r].is_none()) {
        config.check(missing as u32, &config.addresses[missing])?;
        let left = config.deadline.saturating_duration_since(Instant::now());
        match arrived.recv_timeout(left.min(GLANCE)) {
            // A rank that calls again has started again: its first connection is dead.
            Ok((from, connection)) => connections[from] = Some(connection),
            Err(RecvTimeoutError::Timeout) if left > GLANCE => {}
            Err(_) => {
                return Err(Status::unavailable(format!(
                    "rank {missing} ({}) has not called in time",
                    config.addresses[missing]
                )));
            }
        }
    }
    Ok(connections)
}

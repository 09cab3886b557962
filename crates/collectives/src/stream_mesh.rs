//! A mesh of asynchronous streams: pipes inside one process, a simulated network, or tokio's sockets.
//!
//! Time is tokio's, so that a test can stop it.

use std::time::Duration;

use downpour_tensor::{Result, Status};
use tokio::io::{
    AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf,
};
use tokio::time::timeout;

use crate::header::{HEADER, check_header, header};
use crate::mesh::{EAGER, Incoming, Mesh, Outgoing, check_peers};

/// A connection to one peer; its two directions are used at the same time.
struct Peer<S> {
    name: String,
    halves: Option<(ReadHalf<S>, WriteHalf<S>)>,
}

type Writer<'a, S> = Option<(&'a mut WriteHalf<S>, &'a str)>;
type Reader<'a, S> = Option<(&'a mut ReadHalf<S>, &'a str)>;

impl<S> Peer<S> {
    /// Both directions, with the peer's name.
    fn both(&mut self) -> (Writer<'_, S>, Reader<'_, S>) {
        let Peer { name, halves: Some((read, write)) } = self else { return (None, None) };
        (Some((write, name)), Some((read, name)))
    }

    fn writer(&mut self) -> Writer<'_, S> {
        self.both().0
    }

    fn reader(&mut self) -> Reader<'_, S> {
        self.both().1
    }
}

/// A rank's streams to all others.
pub struct StreamMesh<S> {
    rank: usize,
    peers: Vec<Peer<S>>,
    machines: Vec<usize>,
    patience: Duration,
    operations: u32,
    /// Why this mesh is of no use any more. Set while an exchange is under way: one that is dropped in the
    /// middle leaves half a message behind.
    failed: Option<Status>,
}

/// Bytes under way in one direction of a pipe: four eager messages and their headers.
const PIPE: usize = 4 * (EAGER + HEADER);

impl StreamMesh<DuplexStream> {
    /// So many ranks connected by pipes.
    pub fn in_process(size: usize, patience: Duration) -> Vec<StreamMesh<DuplexStream>> {
        let mut rows: Vec<Vec<Option<DuplexStream>>> =
            (0..size).map(|_| (0..size).map(|_| None).collect()).collect();
        let pairs = (0..size).flat_map(|low| (low + 1..size).map(move |high| (low, high)));
        for (low, high) in pairs {
            let (near, far) = tokio::io::duplex(PIPE);
            rows[low][high] = Some(near);
            rows[high][low] = Some(far);
        }
        let meshes = rows.into_iter().enumerate().map(|(rank, streams)| {
            let streams = streams.into_iter().map(|s| (s, "this process".to_string()));
            StreamMesh::new(rank, streams.collect(), patience)
        });
        meshes.collect()
    }
}

impl<S: AsyncRead + AsyncWrite + Send> StreamMesh<S> {
    /// A mesh of one stream, with its address, per rank; the own place is empty. A peer that neither takes nor
    /// gives a byte for `patience` is given up.
    pub fn new(
        rank: usize,
        streams: Vec<(Option<S>, String)>,
        patience: Duration,
    ) -> StreamMesh<S> {
        let machines = vec![0; streams.len()];
        let peers = streams.into_iter().enumerate().map(|(rank, (stream, address))| Peer {
            name: format!("rank {rank} ({address})"),
            halves: stream.map(tokio::io::split),
        });
        let peers = peers.collect();
        StreamMesh { rank, peers, machines, patience, operations: 0, failed: None }
    }

    /// Says which machine each rank runs on.
    pub fn on_machines(mut self, machines: Vec<usize>) -> StreamMesh<S> {
        self.machines = machines;
        self
    }

    async fn try_exchange(
        &mut self,
        tag: u64,
        outgoing: Option<Outgoing<'_>>,
        incoming: Option<Incoming<'_>>,
    ) -> Result<()> {
        check_peers(self.rank, self.peers.len(), &outgoing, &incoming)?;
        let patience = self.patience;
        let (to, from) = (outgoing.as_ref().map(|o| o.to), incoming.as_ref().map(|i| i.from));
        // By place: looking at every peer would make an operation of many ranks cubic.
        let (writer, reader) = match (to, from) {
            (Some(to), Some(from)) if to != from => {
                let pair = self.peers.get_disjoint_mut([to, from]);
                let [to, from] = pair.map_err(|_| Status::internal("ranks that are not there"))?;
                (to.writer(), from.reader())
            }
            (to, from) => match to.or(from).and_then(|rank| self.peers.get_mut(rank)) {
                Some(peer) => peer.both(),
                None => (None, None),
            },
        };
        let sending = async {
            let Some(outgoing) = outgoing else { return Ok(()) };
            let (writer, name) = writer.ok_or_else(|| unconnected(outgoing.to))?;
            send(writer, name, tag, outgoing.bytes, patience).await
        };
        let receiving = async {
            let Some(incoming) = incoming else { return Ok(()) };
            let (reader, name) = reader.ok_or_else(|| unconnected(incoming.from))?;
            receive(reader, name, tag, incoming, patience).await
        };
        tokio::try_join!(sending, receiving).map(|_| ())
    }
}

fn unconnected(rank: usize) -> Status {
    Status::unavailable(format!("there is no connection to rank {rank}"))
}

fn gone(name: &str, why: impl std::fmt::Display) -> Status {
    Status::unavailable(format!(
        "{name} is gone ({why}): it ended, or left because another rank did"
    ))
}

fn silent(name: &str, patience: Duration) -> Status {
    Status::unavailable(format!("{name} has been silent for {patience:?}"))
}

async fn send<S: AsyncWrite>(
    writer: &mut WriteHalf<S>,
    name: &str,
    tag: u64,
    bytes: &[u8],
    patience: Duration,
) -> Result<()> {
    let header = header(tag, bytes.len());
    for mut part in [&header[..], bytes] {
        while !part.is_empty() {
            let wrote = timeout(patience, writer.write(part)).await;
            match wrote.map_err(|_| silent(name, patience))? {
                Ok(0) => return Err(gone(name, "it takes nothing")),
                Ok(count) => part = &part[count..],
                Err(e) => return Err(gone(name, e)),
            }
        }
    }
    let flushed = timeout(patience, writer.flush()).await;
    flushed.map_err(|_| silent(name, patience))?.map_err(|e| gone(name, e))
}

async fn receive<S: AsyncRead>(
    reader: &mut ReadHalf<S>,
    name: &str,
    tag: u64,
    incoming: Incoming<'_>,
    patience: Duration,
) -> Result<()> {
    let sink = incoming.sink;
    let mut header = [0; HEADER];
    let read = timeout(patience, reader.read_exact(&mut header)).await;
    read.map_err(|_| silent(name, patience))?.map_err(|e| gone(name, e))?;
    check_header(header, tag, sink.remaining(), || name.to_string())?;
    while sink.remaining() > 0 {
        let read = timeout(patience, reader.read(sink.space())).await;
        match read.map_err(|_| silent(name, patience))? {
            Ok(0) => return Err(gone(name, "end of stream")),
            Ok(count) => sink.filled(count),
            Err(e) => return Err(gone(name, e)),
        }
    }
    Ok(())
}

impl<S: AsyncRead + AsyncWrite + Send> Mesh for StreamMesh<S> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.peers.len()
    }

    fn machine(&self, rank: usize) -> usize {
        self.machines.get(rank).copied().unwrap_or(0)
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
        self.failed = Some(Status::cancelled("an exchange was given up half-way"));
        let result = self.try_exchange(tag, outgoing, incoming).await;
        self.failed = result.clone().err();
        if self.failed.is_some() {
            self.peers.iter_mut().for_each(|peer| peer.halves = None);
        }
        result
    }
}

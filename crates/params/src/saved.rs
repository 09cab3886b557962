//! A snapshot as bytes: a magic, a length, a header, the tensors' bytes, and a checksum over everything before.

use std::io::{ErrorKind, Read, Write};

use bytes::Bytes;
use downpour_coordinator::Extent;
use downpour_tensor::{Code, Result, Status, Tensor};
use downpour_wire::tensor_to_proto;
use prost::Message;

use crate::frame::{Contents, room_for};
use crate::gradient::Named;
use crate::member::{Receipt, Remembered, Tag};
use crate::message::{ExtentHead, MAX_HEADER, TensorHead};
use crate::mode::Mode;
use crate::moving::{Placed, Prepared};
use crate::snapshot::Snapshot;
use crate::store::Definition;

const FILE_MAGIC: [u8; 8] = *b"dpstore2";

#[derive(Clone, PartialEq, prost::Message)]
struct FileHead {
    #[prost(bytes = "bytes", tag = "1")]
    program: Bytes,
    #[prost(uint32, repeated, tag = "2")]
    mode: Vec<u32>,
    #[prost(uint64, tag = "3")]
    version: u64,
    #[prost(uint64, tag = "4")]
    steps: u64,
    #[prost(message, repeated, tag = "5")]
    members: Vec<MemberHead>,
    #[prost(message, repeated, tag = "6")]
    tensors: Vec<TensorHead>,
    #[prost(uint64, tag = "7")]
    shares: u64,
    #[prost(fixed64, tag = "8")]
    start: u64,
    #[prost(uint64, tag = "9")]
    lost: u64,
    #[prost(uint64, tag = "10")]
    known: u64,
    #[prost(message, repeated, tag = "20")]
    applied: Vec<ExtentHead>,
    #[prost(uint64, tag = "60")]
    epoch: u64,
    #[prost(bytes = "bytes", tag = "61")]
    layout: Bytes,
    #[prost(fixed64, tag = "62")]
    moved_by: u64,
    #[prost(message, optional, tag = "63")]
    prepared: Option<PreparedHead>,
}

/// What the server is to have if a move has happened. Its values come with the others, as another part.
#[derive(Clone, PartialEq, prost::Message)]
struct PreparedHead {
    #[prost(fixed64, tag = "1")]
    id: u64,
    #[prost(uint64, tag = "2")]
    epoch: u64,
    #[prost(bytes = "bytes", tag = "3")]
    layout: Bytes,
    #[prost(bytes = "bytes", tag = "4")]
    program: Bytes,
    #[prost(string, repeated, tag = "5")]
    leaving: Vec<String>,
    #[prost(uint64, tag = "6")]
    cut: u64,
}

/// The parts of a file's tensors: values, and what is prepared.
const HERE: u32 = 0;
const PREPARED: u32 = 1;

impl PreparedHead {
    fn new(prepared: &Prepared) -> PreparedHead {
        let Prepared { id, placed, program, leaving, cut, .. } = prepared.clone();
        PreparedHead { id, epoch: placed.epoch, layout: placed.layout, program, leaving, cut }
    }

    fn with(self, values: Vec<Named<Tensor>>) -> Prepared {
        let PreparedHead { id, epoch, layout, program, leaving, cut } = self;
        Prepared { id, placed: Placed { epoch, layout }, program, values, leaving, cut }
    }
}

#[derive(Clone, PartialEq, prost::Message)]
struct MemberHead {
    #[prost(uint32, tag = "1")]
    worker: u32,
    #[prost(fixed64, tag = "2")]
    incarnation: u64,
    #[prost(uint64, tag = "3")]
    sequence: u64,
    #[prost(uint64, tag = "4")]
    clock: u64,
    #[prost(uint64, tag = "5")]
    used: u64,
    #[prost(bool, tag = "6")]
    gone: bool,
    /// Version, steps, staleness, next; and whether it was used.
    #[prost(uint64, repeated, tag = "7")]
    receipt: Vec<u64>,
    #[prost(bool, tag = "8")]
    was_used: bool,
    #[prost(uint64, tag = "15")]
    apart: u64,
}

impl MemberHead {
    fn new(member: &Remembered) -> MemberHead {
        let Remembered { tag, receipt, clock, used, gone, apart } = *member;
        MemberHead {
            worker: tag.worker,
            incarnation: tag.incarnation,
            sequence: tag.sequence,
            clock,
            used,
            gone,
            receipt: vec![receipt.version, receipt.steps, receipt.staleness, receipt.next],
            was_used: receipt.used,
            apart,
        }
    }

    fn remembered(&self) -> Result<Remembered> {
        let [version, steps, staleness, next] = self.receipt[..] else {
            return Err(damaged("its list of workers"));
        };
        Ok(Remembered {
            tag: Tag {
                worker: self.worker,
                incarnation: self.incarnation,
                sequence: self.sequence,
            },
            receipt: Receipt { version, steps, staleness, next, used: self.was_used },
            clock: self.clock,
            used: self.used,
            gone: self.gone,
            apart: self.apart,
        })
    }
}

/// Sums up what passes through.
struct Summed<'s, S> {
    stream: &'s mut S,
    sum: u32,
}

impl<S: Write> Summed<'_, S> {
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.sum = crc32c::crc32c_append(self.sum, bytes);
        self.stream.write_all(bytes).map_err(|e| match e.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                Status::resource_exhausted(e.to_string())
            }
            ErrorKind::ReadOnlyFilesystem => Status::permission_denied(e.to_string()),
            _ => Status::unavailable(e.to_string()),
        })
    }
}

impl<S: Read> Summed<'_, S> {
    fn take(&mut self, bytes: &mut [u8]) -> Result<()> {
        self.stream.read_exact(bytes).map_err(|e| match e.kind() {
            ErrorKind::UnexpectedEof => damaged("it ends too early"),
            _ => Status::unavailable(format!("the snapshot cannot be read: {e}")),
        })?;
        self.sum = crc32c::crc32c_append(self.sum, bytes);
        Ok(())
    }
}

fn damaged(what: &str) -> Status {
    let message =
        format!("the snapshot is damaged ({what}); remove it to begin from the last checkpoint");
    Status::new(Code::DataLoss, message)
}

impl Snapshot {
    /// Writes it to a stream.
    pub fn write_to(&self, out: &mut impl Write) -> Result<()> {
        let (mode, workers, amount) = self.definition.mode.parts();
        let mut head = FileHead {
            program: self.definition.program.clone(),
            mode: vec![mode, workers, amount],
            version: self.version,
            steps: self.steps,
            members: self.members.iter().map(MemberHead::new).collect(),
            tensors: Vec::new(),
            shares: self.shares,
            start: self.start,
            lost: self.lost,
            known: self.known,
            applied: self.applied.iter().map(|extent| ExtentHead::from(*extent)).collect(),
            epoch: self.placed.epoch,
            layout: self.placed.layout.clone(),
            moved_by: self.moved_by,
            prepared: self.prepared.as_ref().map(PreparedHead::new),
        };
        let mut payloads = Vec::with_capacity(self.values.len());
        let prepared = self.prepared.iter().flat_map(|prepared| &prepared.values);
        let here = self.values.iter().map(|value| (HERE, value));
        for (part, (name, tensor)) in here.chain(prepared.map(|value| (PREPARED, value))) {
            let (payload, encoded) = match tensor.to_bytes() {
                Some(bytes) => (bytes, false),
                None => (Bytes::from(tensor_to_proto(tensor)?.encode_to_vec()), true),
            };
            head.tensors.push(TensorHead {
                name: name.clone(),
                part,
                dtype: tensor.dtype() as i32,
                dims: tensor.dims().iter().map(|&d| d as u64).collect(),
                length: payload.len() as u64,
                encoded,
                packed: false,
            });
            payloads.push(payload);
        }
        let mut out = Summed { stream: out, sum: 0 };
        let head = head.encode_to_vec();
        if head.len() > MAX_HEADER {
            return Err(Status::invalid_argument(format!(
                "a snapshot's header of {} bytes is too long: {} variables",
                head.len(),
                self.values.len()
            )));
        }
        out.put(&FILE_MAGIC)?;
        out.put(&(head.len() as u32).to_le_bytes())?;
        out.put(&head)?;
        for payload in &payloads {
            out.put(payload)?;
        }
        let sum = out.sum;
        out.put(&sum.to_le_bytes())
    }

    /// Reads it from a stream; DATA_LOSS if anything about it is not as it was written.
    pub fn read_from(stream: &mut impl Read) -> Result<Snapshot> {
        Snapshot::read_at_most(stream, u64::MAX)
    }

    /// The same for a stream of which the length is known: no memory is taken for more.
    pub(crate) fn read_at_most(stream: &mut impl Read, bytes: u64) -> Result<Snapshot> {
        let mut stream = Summed { stream, sum: 0 };
        let (mut magic, mut length) = ([0; 8], [0; 4]);
        stream.take(&mut magic)?;
        if magic != FILE_MAGIC {
            return Err(damaged("it does not begin like one"));
        }
        stream.take(&mut length)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > MAX_HEADER || length as u64 > bytes {
            return Err(damaged("its header is too long"));
        }
        let mut left = bytes - length as u64;
        let mut head = vec![0; length];
        stream.take(&mut head)?;
        let head = FileHead::decode(&head[..]).map_err(|e| damaged(&e.to_string()))?;
        let mut values = Vec::with_capacity(head.tensors.len());
        for tensor in &head.tensors {
            let length = usize::try_from(tensor.length).map_err(|_| damaged("a length"))?;
            let within = left.checked_sub(tensor.length);
            left = within.ok_or_else(|| damaged("it announces more than it has"))?;
            let contents = room_for(tensor.dtype, &tensor.dims, length, tensor.encoded);
            let mut contents = contents.map_err(|e| match e.code() {
                Code::ResourceExhausted => e,
                _ => damaged(e.message()),
            })?;
            let (Contents::Plain(room) | Contents::Encoded(room)) = &mut contents;
            if let Some(bytes) = room.bytes_mut() {
                stream.take(bytes)?;
            }
            values.push((tensor.part, tensor.name.clone(), contents));
        }
        let sum = stream.sum;
        let mut expected = [0; 4];
        stream.take(&mut expected)?;
        if sum != u32::from_le_bytes(expected) {
            return Err(damaged("its checksum is another"));
        }
        let (mut here, mut to_be) = (Vec::new(), Vec::new());
        for (part, name, contents) in values {
            let value = (name, contents.finish()?);
            if part == PREPARED { to_be.push(value) } else { here.push(value) }
        }
        let [mode, workers, amount] = head.mode[..] else { return Err(damaged("its mode")) };
        Ok(Snapshot {
            definition: Definition {
                program: head.program,
                mode: Mode::from_parts(mode, workers, amount)?,
            },
            version: head.version,
            steps: head.steps,
            lost: head.lost,
            known: head.known,
            shares: head.shares,
            start: head.start,
            members: head.members.iter().map(MemberHead::remembered).collect::<Result<_>>()?,
            applied: head.applied.into_iter().map(Extent::from).collect(),
            values: here,
            placed: Placed { epoch: head.epoch, layout: head.layout },
            moved_by: head.moved_by,
            prepared: head.prepared.map(|prepared| prepared.with(to_be)),
        })
    }
}

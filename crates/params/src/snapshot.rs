//! A store's whole state, and its file.
//!
//! The file is written beside its place and then put there, so that there is always a whole one: a magic, a
//! length, a header, the tensors' bytes, and a checksum over everything before it.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

use bytes::Bytes;
use downpour_tensor::{Code, Result, Status, Tensor};
use downpour_wire::tensor_to_proto;
use prost::Message;

use crate::frame::{Contents, room_for};
use crate::gradient::Named;
use crate::ledger::Tag;
use crate::message::{MAX_HEADER, TensorHead};
use crate::mode::Mode;
use crate::store::Definition;

const FILE_MAGIC: [u8; 8] = *b"dpstore1";

/// Everything a server must remember.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// What is trained.
    pub definition: Definition,
    /// Updates so far.
    pub version: u64,
    /// Steps so far.
    pub steps: u64,
    /// The last update of each worker, and its clock.
    pub members: Vec<(Tag, u64)>,
    /// All variables.
    pub values: Vec<Named<Tensor>>,
}

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
    /// Worker, incarnation, sequence, clock; of each.
    #[prost(uint64, repeated, tag = "5")]
    members: Vec<u64>,
    #[prost(message, repeated, tag = "6")]
    tensors: Vec<TensorHead>,
}

struct Summed<W> {
    inner: W,
    sum: u32,
}

impl<W: Write> Summed<W> {
    fn put(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.sum = crc32c::crc32c_append(self.sum, bytes);
        self.inner.write_all(bytes)
    }
}

/// Writes a snapshot's file; the old one stays until the new one is whole.
pub fn write_snapshot(snapshot: &Snapshot, path: &Path) -> Result<()> {
    let (mode, workers, amount) = snapshot.definition.mode.parts();
    let mut head = FileHead {
        program: snapshot.definition.program.clone(),
        mode: vec![mode, workers, amount],
        version: snapshot.version,
        steps: snapshot.steps,
        members: Vec::new(),
        tensors: Vec::new(),
    };
    for (tag, clock) in &snapshot.members {
        head.members.extend([u64::from(tag.worker), tag.incarnation, tag.sequence, *clock]);
    }
    let mut payloads = Vec::with_capacity(snapshot.values.len());
    for (name, tensor) in &snapshot.values {
        let (payload, encoded) = match tensor.to_bytes() {
            Some(bytes) => (bytes, false),
            None => (Bytes::from(tensor_to_proto(tensor)?.encode_to_vec()), true),
        };
        head.tensors.push(TensorHead {
            name: name.clone(),
            part: 0,
            dtype: tensor.dtype() as i32,
            dims: tensor.dims().iter().map(|&d| d as u64).collect(),
            length: payload.len() as u64,
            encoded,
            packed: false,
        });
        payloads.push(payload);
    }
    let failed = |e: std::io::Error| {
        Status::unavailable(format!("cannot write the snapshot {}: {e}", path.display()))
    };
    let new = path.with_extension("new");
    let write = || -> std::io::Result<()> {
        let file = File::create(&new)?;
        let mut out = Summed { inner: BufWriter::new(file), sum: 0 };
        let head = head.encode_to_vec();
        out.put(&FILE_MAGIC)?;
        out.put(&(head.len() as u32).to_le_bytes())?;
        out.put(&head)?;
        for payload in &payloads {
            out.put(payload)?;
        }
        let sum = out.sum;
        out.inner.write_all(&sum.to_le_bytes())?;
        let file = out.inner.into_inner().map_err(|e| e.into_error())?;
        file.sync_all()?;
        std::fs::rename(&new, path)
    };
    write().map_err(failed)
}

/// Reads a snapshot's file; `None` if there is none.
pub fn read_snapshot(path: &Path) -> Result<Option<Snapshot>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => {
            return Err(Status::unavailable(format!(
                "cannot open the snapshot {}: {e}",
                path.display()
            )));
        }
    };
    let damaged = |what: &str| {
        Status::new(
            Code::DataLoss,
            format!(
                "the snapshot {} is damaged ({what}); remove it to begin from the last checkpoint",
                path.display()
            ),
        )
    };
    let mut file = BufReader::new(file);
    let mut sum = 0;
    let mut read = |bytes: &mut [u8], checked: bool| {
        file.read_exact(bytes).map_err(|e| damaged(&e.to_string()))?;
        if checked {
            sum = crc32c::crc32c_append(sum, bytes);
        }
        Ok::<u32, Status>(sum)
    };
    let (mut magic, mut length) = ([0; 8], [0; 4]);
    read(&mut magic, true)?;
    if magic != FILE_MAGIC {
        return Err(damaged("it does not begin like one"));
    }
    read(&mut length, true)?;
    let length = u32::from_le_bytes(length) as usize;
    if length > MAX_HEADER {
        return Err(damaged("its header is too long"));
    }
    let mut bytes = vec![0; length];
    read(&mut bytes, true)?;
    let head = FileHead::decode(&bytes[..]).map_err(|e| damaged(&e.to_string()))?;
    let mut values = Vec::with_capacity(head.tensors.len());
    for tensor in &head.tensors {
        let length = usize::try_from(tensor.length).map_err(|_| damaged("a length"))?;
        let mut contents = room_for(tensor.dtype, &tensor.dims, length, tensor.encoded)?;
        let (Contents::Plain(room) | Contents::Encoded(room)) = &mut contents;
        if let Some(bytes) = room.bytes_mut() {
            read(bytes, true)?;
        }
        values.push((tensor.name.clone(), contents));
    }
    let mut expected = [0; 4];
    if read(&mut expected, false)? != u32::from_le_bytes(expected) {
        return Err(damaged("its checksum is another"));
    }
    let finish = |(name, contents): (String, Contents)| contents.finish().map(|t| (name, t));
    let values = values.into_iter().map(finish).collect::<Result<_>>()?;
    let [mode, workers, amount] = head.mode[..] else { return Err(damaged("its mode")) };
    let (members, []) = head.members.as_chunks::<4>() else {
        return Err(damaged("its list of workers"));
    };
    let member = |[worker, incarnation, sequence, clock]: &[u64; 4]| {
        let worker = u32::try_from(*worker).map_err(|_| damaged("a worker's number"))?;
        Ok((Tag { worker, incarnation: *incarnation, sequence: *sequence }, *clock))
    };
    Ok(Some(Snapshot {
        definition: Definition {
            program: head.program,
            mode: Mode::from_parts(mode, workers, amount)?,
        },
        version: head.version,
        steps: head.steps,
        members: members.iter().map(member).collect::<Result<_>>()?,
        values,
    }))
}

//! Messages with tensors: payloads are read into the tensors they become, and leave from where they lie.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use downpour_coordinator::door::ConnectionLimits;
use downpour_tensor::{DataType, Result, Status, Tensor};
use downpour_wire::proto::TensorProto;
use downpour_wire::{tensor_from_proto, tensor_to_proto};
use prost::Message;
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::header::{MAX_HELLO, broken, read_header};
use crate::message::{Head, MAX_HEADER, Part, TensorHead};
use crate::payload::{Credit, Kind, Payload};
use crate::pieces::Pieces;

/// Bytes of a payload that must come within the time a message may stand still.
const PIECE: usize = 1 << 20;

/// A tensor under its name.
#[derive(Clone, Debug)]
pub struct Item {
    pub name: String,
    pub part: Part,
    pub tensor: Tensor,
    /// The tensor is bytes that a compressor has made.
    pub packed: bool,
}

impl Item {
    pub fn new(name: &str, part: Part, tensor: Tensor) -> Item {
        Item { name: name.to_string(), part, tensor, packed: false }
    }
}

/// A message that can be written.
pub fn pieces<H: Head>(mut head: H, items: &[Item]) -> Result<Pieces> {
    let mut heads = Vec::with_capacity(items.len());
    let mut payloads = Vec::with_capacity(items.len());
    for item in items {
        let (payload, encoded) = match item.tensor.to_bytes() {
            Some(bytes) => (bytes, false),
            None => (Bytes::from(tensor_to_proto(&item.tensor)?.encode_to_vec()), true),
        };
        heads.push(TensorHead {
            name: item.name.clone(),
            part: item.part as u32,
            dtype: item.tensor.dtype() as i32,
            dims: item.tensor.dims().iter().map(|&d| d as u64).collect(),
            length: payload.len() as u64,
            encoded,
            packed: item.packed,
        });
        payloads.push(payload);
    }
    head.set_tensors(heads);
    // The other side would end the connection, and nobody would know why.
    let length = head.encoded_len();
    if length > MAX_HEADER {
        return Err(Status::invalid_argument(format!(
            "a message with {} tensors needs a header of {length} bytes, and {MAX_HEADER} are allowed: ask for \
             fewer variables at a time, or give them shorter names",
            items.len()
        )));
    }
    Ok(Pieces::new(&head, &payloads))
}

/// Receives messages.
pub struct Reader<R> {
    stream: R,
    header: Vec<u8>,
    credit: Credit,
    stall: Duration,
}

/// A tensor of a file, which is as long as it says.
pub(crate) enum Contents {
    /// A tensor's bytes.
    Plain(Tensor),
    /// The bytes of a TensorProto, in a tensor so that they count against the memory limit.
    Encoded(Tensor),
}

impl<R: AsyncRead + Unpin> Reader<R> {
    /// Reads from a stream.
    pub fn new(stream: R) -> Reader<R> {
        Reader::with_stall(stream, ConnectionLimits::default().stall)
    }

    /// Reads from a stream that may stand still for so long within a message.
    pub(crate) fn with_stall(stream: R, stall: Duration) -> Reader<R> {
        Reader { stream, header: Vec::new(), credit: Credit::default(), stall }
    }

    /// The stream itself.
    pub fn stream(&mut self) -> &mut R {
        &mut self.stream
    }

    /// The first header, which says who the other side is.
    pub(crate) async fn hello<M: Message + Default>(&mut self) -> io::Result<M> {
        read_header(&mut self.stream, &mut self.header, MAX_HELLO).await
    }

    /// The next message. The outer error ends the connection; the inner one is of this message alone.
    pub(crate) async fn message<H: Head>(&mut self) -> io::Result<(H, Result<Vec<Item>>)> {
        // Nothing needs to come between two messages.
        let first = [self.stream.read_u8().await?];
        let mut stream = (&first[..]).chain(&mut self.stream);
        let header = read_header(&mut stream, &mut self.header, MAX_HEADER);
        let head: H = moving(self.stall, header).await?;
        let mut items = Ok(Vec::with_capacity(head.tensors().len().min(1 << 16)));
        for tensor in head.tensors() {
            let item = self.item(tensor).await?;
            items = items.and_then(|mut all: Vec<Item>| {
                all.push(item?);
                Ok(all)
            });
        }
        Ok((head, items))
    }

    async fn item(&mut self, head: &TensorHead) -> io::Result<Result<Item>> {
        let length = usize::try_from(head.length).map_err(|_| broken("a length"))?;
        let mut payload = Payload::new(head.dtype, &head.dims, length, head.encoded);
        while payload.missing() > 0 {
            let piece = payload.missing().min(PIECE);
            let read = payload.read(&mut self.stream, piece, &mut self.credit);
            moving(self.stall, read).await?;
        }
        let part = match head.part {
            0 => Part::Whole,
            1 => Part::Indices,
            2 => Part::Rows,
            3 => Part::Set,
            _ => return Err(broken("a tensor of an unknown kind")),
        };
        let (name, packed) = (head.name.clone(), head.packed);
        Ok(payload.finish().map(|tensor| Item { name, part, tensor, packed }))
    }
}

/// Waits for a piece of a message that has begun, and not for ever: what has come of it takes memory.
async fn moving<T>(stall: Duration, read: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    tokio::time::timeout(stall, read).await.unwrap_or_else(|_| {
        Err(io::Error::new(
            io::ErrorKind::TimedOut,
            format!("a message stood still for {} s", stall.as_secs_f64()),
        ))
    })
}

impl Contents {
    /// The tensor, when its bytes are there.
    pub fn finish(self) -> Result<Tensor> {
        match self {
            Contents::Plain(tensor) => Ok(clean(tensor)),
            Contents::Encoded(bytes) => {
                let proto = TensorProto::decode(bytes.to_bytes().unwrap_or_default());
                let proto = proto.map_err(|e| {
                    Status::invalid_argument(format!("a tensor that was sent: {e}"))
                })?;
                tensor_from_proto(&proto)
            }
        }
    }
}

/// Room for a tensor of a file: its type, shape and length must fit each other, and there must be memory.
pub(crate) fn room_for(dtype: i32, dims: &[u64], length: usize, encoded: bool) -> Result<Contents> {
    match Kind::new(dtype, dims, length, encoded)? {
        Kind::Plain(dtype, shape) => Tensor::new(dtype, shape).map(Contents::Plain),
        Kind::Encoded => Tensor::new(DataType::UInt8, [length]).map(Contents::Encoded),
    }
}

/// Booleans other than 0 and 1 become 1.
fn clean(mut tensor: Tensor) -> Tensor {
    if tensor.dtype() == DataType::Bool
        && let Some(bytes) = tensor.bytes_mut()
    {
        bytes.iter_mut().for_each(|b| *b = (*b != 0) as u8);
    }
    tensor
}

#[cfg(test)]
mod tests;

//! Messages with tensors: payloads are read into the tensors they become, and leave from where they lie.

use std::io;

use bytes::Bytes;
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};
use downpour_wire::proto::TensorProto;
use downpour_wire::{tensor_from_proto, tensor_to_proto};
use prost::Message;
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::message::{Head, MAX_HEADER, Part, TensorHead};
use crate::pieces::Pieces;

/// Most that is made room for before it has come.
const GROWTH: usize = 1 << 20;

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
}

/// Where a payload goes.
pub enum Contents {
    /// A tensor's bytes.
    Plain(Tensor),
    /// The bytes of a TensorProto, in a tensor so that they count against the memory limit.
    Encoded(Tensor),
}

impl<R: AsyncRead + Unpin> Reader<R> {
    /// Reads from a stream.
    pub fn new(stream: R) -> Reader<R> {
        Reader { stream, header: Vec::new() }
    }

    /// The stream itself.
    pub fn stream(&mut self) -> &mut R {
        &mut self.stream
    }

    /// The next header.
    pub async fn header<M: Message + Default>(&mut self) -> io::Result<M> {
        let length = self.stream.read_u32_le().await? as usize;
        if length > MAX_HEADER {
            return Err(broken("a header that is too long"));
        }
        self.header.clear();
        // Room grows with what comes, not with what was announced.
        while self.header.len() < length {
            let from = self.header.len();
            self.header.resize(length.min(from + GROWTH), 0);
            self.stream.read_exact(&mut self.header[from..]).await?;
        }
        M::decode(&self.header[..]).map_err(|_| broken("a header that cannot be read"))
    }

    /// The next message. The outer error ends the connection; the inner one is of this message alone.
    pub(crate) async fn message<H: Head>(&mut self) -> io::Result<(H, Result<Vec<Item>>)> {
        let head: H = self.header().await?;
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
        let room = room_for(head.dtype, &head.dims, length, head.encoded);
        let mut contents = match room {
            Ok(contents) => contents,
            Err(status) => {
                self.skip(length).await?;
                return Ok(Err(status));
            }
        };
        let (Contents::Plain(tensor) | Contents::Encoded(tensor)) = &mut contents;
        // Only this owns the tensor so far.
        if let Some(bytes) = tensor.bytes_mut() {
            self.stream.read_exact(bytes).await?;
        }
        let part = match head.part {
            0 => Part::Whole,
            1 => Part::Indices,
            2 => Part::Rows,
            3 => Part::Set,
            _ => return Err(broken("a tensor of an unknown kind")),
        };
        let (name, packed) = (head.name.clone(), head.packed);
        Ok(contents.finish().map(|tensor| Item { name, part, tensor, packed }))
    }

    async fn skip(&mut self, length: usize) -> io::Result<()> {
        let mut rest = (&mut self.stream).take(length as u64);
        match tokio::io::copy(&mut rest, &mut tokio::io::sink()).await? == length as u64 {
            true => Ok(()),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
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

/// Room for a payload: its type, shape and length must fit each other, and there must be memory.
pub fn room_for(dtype: i32, dims: &[u64], length: usize, encoded: bool) -> Result<Contents> {
    if encoded {
        return Tensor::new(DataType::UInt8, [length]).map(Contents::Encoded);
    }
    let odd = || {
        Status::invalid_argument(format!(
            "a value of type {dtype} and shape {dims:?} cannot have {length} bytes"
        ))
    };
    let kind = DataType::from_i32(dtype).filter(|d| d.is_plain()).ok_or_else(odd)?;
    let dims: Option<Vec<i64>> = dims.iter().map(|&d| i64::try_from(d).ok()).collect();
    let shape = Shape::from_i64(&dims.ok_or_else(odd)?)?;
    if shape.elements().checked_mul(kind.size()) != Some(length) {
        return Err(odd());
    }
    Tensor::new(kind, shape).map(Contents::Plain)
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

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("it sent {what}"))
}

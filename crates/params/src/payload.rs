//! A tensor's bytes while they come over a connection.
//!
//! A header announces how long a payload is, and anybody can announce anything. So memory is reserved as bytes come: on
//! one connection, what is reserved and not yet filled is never more than [`SLACK`] and what that connection has
//! delivered before ([`Credit`]). A task that has sent a hundred megabytes once gets the memory for the next hundred
//! at once, and nothing is copied; a stranger who announces a gigabyte gets a page.

use std::io;

use bytes::Bytes;
use downpour_tensor::{DataType, Filling, Result, Shape, Status, Tensor, memory_limit};
use downpour_wire::proto::TensorProto;
use downpour_wire::whole_tensor_from_proto;
use prost::Message;
use tokio::io::{AsyncRead, AsyncReadExt};

/// Bytes that a connection may have reserved before it has delivered any.
const SLACK: usize = 1 << 20;
/// The least that is reserved for a payload whose bytes begin to come.
const LEAST: usize = 4 << 10;
/// Bytes of a payload without a place that are read at a time.
const SKIPPED: usize = 64 << 10;

/// How far memory may be reserved ahead of the bytes of one connection.
#[derive(Debug, Default)]
pub struct Credit {
    /// Bytes of payloads that have come.
    received: usize,
    /// Bytes that are reserved and have not come.
    ahead: usize,
}

impl Credit {
    fn reserve(&mut self, room: &mut Filling) -> Result<()> {
        let before = room.room();
        let credit = (SLACK + self.received).saturating_sub(self.ahead);
        room.reserve(credit.max(room.filled()).max(LEAST))?;
        self.ahead += room.room() - before;
        Ok(())
    }

    fn receive(&mut self, bytes: usize) {
        self.received = self.received.saturating_add(bytes);
        self.ahead -= bytes;
    }

    fn give_up(&mut self, room: &Filling) {
        self.ahead -= room.room();
    }
}

/// What the bytes of a payload are.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Plain(DataType, Shape),
    /// A TensorProto of a type that has no plain bytes, as strings.
    Encoded,
}

impl Kind {
    /// Type, shape and length must fit each other.
    pub fn new(dtype: i32, dims: &[u64], length: usize, encoded: bool) -> Result<Kind> {
        if encoded {
            return Ok(Kind::Encoded);
        }
        let odd = || {
            Status::invalid_argument(format!(
                "a value of type {dtype} and shape {dims:?} cannot have {length} bytes"
            ))
        };
        let kind = DataType::from_i32(dtype).filter(|d| d.is_plain()).ok_or_else(odd)?;
        let dims: Option<Vec<i64>> = dims.iter().map(|&d| i64::try_from(d).ok()).collect();
        let shape = Shape::from_i64(&dims.ok_or_else(odd)?)?;
        match shape.elements().checked_mul(kind.size()) == Some(length) {
            true => Ok(Kind::Plain(kind, shape)),
            false => Err(odd()),
        }
    }
}

/// A payload of which a part has come. That it cannot be a tensor, or that there is no memory for it, is an error of
/// this value alone: its bytes are read and dropped.
pub struct Payload {
    place: Result<(Kind, Filling)>,
    missing: usize,
}

impl Payload {
    /// A payload as a header announces it. No memory is reserved.
    pub fn new(dtype: i32, dims: &[u64], length: usize, encoded: bool) -> Payload {
        let place = Kind::new(dtype, dims, length, encoded).and_then(|kind| {
            if length > memory_limit() {
                return Err(Status::resource_exhausted(format!(
                    "a value of {length} bytes was announced, and the memory limit is {} bytes",
                    memory_limit()
                )));
            }
            Ok((kind, Filling::new(length)))
        });
        Payload { place, missing: length }
    }

    /// The bytes that have not come.
    pub fn missing(&self) -> usize {
        self.missing
    }

    /// Reads the next `length` bytes, of which there are at most `missing`. An error ends the connection.
    pub async fn read<R: AsyncRead + Unpin>(
        &mut self,
        stream: &mut R,
        length: usize,
        credit: &mut Credit,
    ) -> io::Result<()> {
        let mut rest = stream.take(length as u64);
        while rest.limit() > 0 {
            if let Ok((_, room)) = &mut self.place
                && room.room() == 0
                && let Err(status) = credit.reserve(room)
            {
                credit.give_up(room);
                self.place = Err(status);
            }
            let count = match &mut self.place {
                Ok((_, room)) => {
                    let count = rest.read_buf(room).await?;
                    credit.receive(count);
                    count
                }
                Err(_) => skip(&mut rest).await?,
            };
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.missing -= count;
        }
        Ok(())
    }

    /// Returns the tensor when all its bytes have come.
    pub fn finish(self) -> Result<Tensor> {
        let (kind, room) = self.place?;
        let buffer = room
            .finish()
            .ok_or_else(|| Status::internal("a value was used before all its bytes had come"))?;
        match kind {
            Kind::Plain(dtype, shape) => Tensor::from_buffer(dtype, shape, buffer),
            Kind::Encoded => encoded(buffer.to_bytes()),
        }
    }
}

/// The tensor of a TensorProto that somebody has sent. A type that has plain bytes goes as those: nothing else says how
/// much memory it takes before that is reserved.
fn encoded(bytes: Bytes) -> Result<Tensor> {
    let odd = |why: String| Status::invalid_argument(format!("a tensor that was sent: {why}"));
    let proto = TensorProto::decode(bytes).map_err(|e| odd(e.to_string()))?;
    if let Some(dtype) = DataType::from_i32(proto.dtype).filter(|dtype| dtype.is_plain()) {
        return Err(odd(format!(
            "{dtype} goes as plain bytes, and came as a message; do both sides run the same release?"
        )));
    }
    whole_tensor_from_proto(&proto)
}

/// Reads some bytes and drops them.
async fn skip(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<usize> {
    let mut sink = Vec::with_capacity(SKIPPED);
    stream.read_buf(&mut sink).await
}

#[cfg(test)]
mod tests;

//! The body of a gRPC call as it is received.
//!
//! gRPC's messages begin with their length, and tonic reserves that much memory when it has read it. So a message is
//! shown to tonic only when half of it has come: what is reserved is at most twice what was received. Until then the
//! call has not begun, which also spares tonic's buffers for calls that never say anything. What has come counts
//! against the memory limit, and a message that stands still for too long ends its call.
//!
//! A decoded message may be hundreds of times as large as its encoding. So what decoding will take ([`Scan`]) is counted
//! as the bytes pass, before tonic has all of them and decodes; whoever answers the call keeps the count (`decoded`) as
//! long as there may be a request.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use downpour_tensor::{Charge, memory_limit};
use downpour_wire::{Scan, Shape};
use http_body::{Body, Frame};
use parking_lot::Mutex;
use tokio::time::Sleep;
use tonic::Status;
use tonic::codegen::StdError;

use crate::grpc_status::to_grpc;
use crate::waiting::Waiting;

/// A flag and a length.
const PREFIX: usize = 5;
/// Pieces below this size are joined: each would take more memory for itself than for its bytes.
const SMALL: usize = 4 << 10;
/// Bytes that any decoded message may take, and the multiple of its length that it may take in addition. Graphs take about
/// twenty times, feeds of many scalars forty times; a list of empty messages takes 450 times.
const FREE_DECODED: usize = 16 << 20;
const DECODED_PER_BYTE: usize = 64;

/// The body of a call with one message, of which at least half has come.
pub struct CallBody<B> {
    rest: B,
    held: VecDeque<Bytes>,
    /// Bytes that `rest` may still bring.
    missing: usize,
    charge: Charge,
    shape: Option<&'static Shape>,
    weighed: Option<Weighed>,
    /// Counts the memory of the decoded message.
    decoded: Arc<Mutex<Charge>>,
    /// As many bytes count without being refused at the memory limit.
    unrefused: usize,
    stall: Duration,
    timer: Option<Pin<Box<Sleep>>>,
}

/// How much of a message's memory is known.
struct Weighed {
    scan: Scan,
    length: usize,
}

impl<B> CallBody<B>
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: Into<StdError>,
{
    /// Waits for the first half of a message; without a shape nobody decodes it. Its first `unrefused` bytes are not
    /// refused at the memory limit. The call leaves `waiting` when enough has come to see that there is a message.
    pub async fn receive(
        body: B,
        stall: Duration,
        shape: Option<&'static Shape>,
        unrefused: usize,
        waiting: Waiting,
    ) -> Result<CallBody<B>, Status> {
        let mut message = CallBody {
            rest: body,
            held: VecDeque::new(),
            missing: usize::MAX,
            charge: Charge::default(),
            shape,
            weighed: None,
            decoded: Arc::default(),
            unrefused,
            stall,
            timer: None,
        };
        let (mut joined, mut length) = (BytesMut::new(), None);
        let mut waiting = Some(waiting);
        while length.is_none_or(|length| message.charge.bytes() < PREFIX + length / 2) {
            let piece = match std::future::poll_fn(|cx| message.poll_rest(cx)).await {
                Some(piece) => piece?,
                // tonic reports an incomplete message.
                None => break,
            };
            message.count(piece.len())?;
            if message.charge.bytes() >= SMALL {
                // A long message is on its way.
                waiting = None;
            }
            message.weigh(&piece)?;
            if piece.len() < SMALL || length.is_none() {
                joined.extend_from_slice(&piece);
            } else {
                message.hold(joined.split().freeze());
                message.hold(piece);
            }
            if length.is_none() {
                length = message.announced(&joined)?;
                message.weigh(joined.get(PREFIX..).unwrap_or_default())?;
            }
        }
        drop(waiting);
        message.hold(joined.freeze());
        if let Some(length) = length {
            // tonic is about to reserve it.
            let reserved = (PREFIX + length).saturating_sub(message.charge.bytes());
            message.count(reserved)?;
        }
        Ok(message)
    }

    fn count(&mut self, more: usize) -> Result<(), Status> {
        if self.charge.bytes().saturating_add(more) <= self.unrefused {
            self.charge.restore(more);
            return Ok(());
        }
        self.charge.grow(more).map_err(to_grpc)
    }

    fn hold(&mut self, piece: Bytes) {
        if !piece.is_empty() {
            self.held.push_back(piece);
        }
    }

    /// The length of the message, if enough has come to know it.
    fn announced(&mut self, begin: &[u8]) -> Result<Option<usize>, Status> {
        let Some(&[_, a, b, c, d]) = begin.first_chunk() else { return Ok(None) };
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        if length > memory_limit() {
            return Err(Status::resource_exhausted(format!(
                "the call's message has {length} bytes, and the memory limit is {} bytes",
                memory_limit()
            )));
        }
        self.missing = (PREFIX + length).checked_sub(begin.len()).ok_or_else(too_long)?;
        self.weighed = self.shape.map(|shape| Weighed { scan: Scan::new(shape, length), length });
        Ok(Some(length))
    }

    /// Counts what the next bytes of the message will take when they are decoded; nothing before its length is known.
    fn weigh(&mut self, bytes: &[u8]) -> Result<(), Status> {
        let Some(Weighed { scan, length }) = &mut self.weighed else { return Ok(()) };
        let unreadable =
            |_| Status::invalid_argument("the call's message is no message of this method");
        let more = scan.take(bytes).map_err(unreadable)?;
        let mut decoded = self.decoded.lock();
        let bound = FREE_DECODED.saturating_add(length.saturating_mul(DECODED_PER_BYTE));
        if decoded.bytes().saturating_add(more) > bound {
            return Err(Status::resource_exhausted(format!(
                "the call's message of {length} bytes would take more than {bound} bytes when it is decoded: it \
                 consists of very many empty parts. Send fewer of them in one call."
            )));
        }
        decoded.grow(more).map_err(to_grpc)
    }

    /// The count of what the decoded message takes, to be kept as long as that may exist.
    pub fn decoded(&self) -> Arc<Mutex<Charge>> {
        self.decoded.clone()
    }

    /// The next bytes; what else a body may have is of no interest to a call.
    fn poll_rest(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Status>>> {
        loop {
            let frame = match Pin::new(&mut self.rest).poll_frame(cx) {
                Poll::Pending => return self.poll_stall(cx).map(|stalled| Some(Err(stalled))),
                Poll::Ready(None) => return Poll::Ready(None),
                Poll::Ready(Some(Err(e))) => {
                    return Poll::Ready(Some(Err(Status::from_error(e.into()))));
                }
                Poll::Ready(Some(Ok(frame))) => frame,
            };
            self.timer = None;
            let Ok(piece) = frame.into_data() else { continue };
            let missing = self.missing.checked_sub(piece.len());
            let counted = missing.map(|missing| self.missing = missing).ok_or_else(too_long);
            return Poll::Ready(Some(counted.map(|()| piece)));
        }
    }

    fn poll_stall(&mut self, cx: &mut Context<'_>) -> Poll<Status> {
        let stall = self.stall;
        let timer = self.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep(stall)));
        timer.as_mut().poll(cx).map(|()| {
            Status::deadline_exceeded(format!(
                "the call's message stood still for {} s (--stall-timeout)",
                stall.as_secs_f64()
            ))
        })
    }
}

fn too_long() -> Status {
    Status::invalid_argument("the call has more bytes than its message announced")
}

impl<B> Body for CallBody<B>
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: Into<StdError>,
{
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let piece = match self.held.pop_front() {
            Some(piece) => Poll::Ready(Some(Ok(piece))),
            None => match self.poll_rest(cx) {
                Poll::Ready(Some(Ok(piece))) => {
                    Poll::Ready(Some(self.weigh(&piece).map(|()| piece)))
                }
                other => other,
            },
        };
        piece.map_ok(Frame::data)
    }

    fn is_end_stream(&self) -> bool {
        self.held.is_empty() && self.rest.is_end_stream()
    }
}

#[cfg(test)]
mod tests;

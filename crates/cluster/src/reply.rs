//! Large answers, sent from where their tensors lie.
//!
//! tonic writes an answer into one buffer before it sends anything: a copy of a hundred megabytes on a thread that
//! carries everybody's messages, kept until its client has read it. So an answer that is large is put into pieces
//! ([`reply`]), which share the memory of its tensors and travel beside an empty message through tonic; [`send`] puts
//! them in the place of that message. A client that takes nothing of an answer for too long loses its connection, and
//! the tensors go.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::buf::UninitSlice;
use bytes::{Buf, BufMut, Bytes, BytesMut};
use http_body::{Body, Frame};
use prost::Message;
use tokio::task::JoinHandle;
use tonic::codegen::http::{HeaderMap, HeaderValue, Response as HttpResponse};
use tonic::{Response, Status};

use crate::admission::Seat;

/// Answers from this size on leave in pieces.
const LARGE: usize = 64 << 10;
/// Fields from this size on are pieces of their own.
const PIECE: usize = 4 << 10;
/// Bytes handed over at a time: a client takes what it has room for.
const AT_ONCE: usize = 1 << 20;

/// The pieces of an answer.
#[derive(Clone)]
struct Pieces(Vec<Bytes>);

/// An answer for tonic, whose contents travel beside it if they are large.
pub fn reply<M: Message + Default>(message: M) -> Response<M> {
    let length = message.encoded_len();
    // One that is longer than gRPC allows is tonic's to refuse.
    let Some(announced) = u32::try_from(length).ok().filter(|_| length >= LARGE) else {
        return Response::new(message);
    };
    let mut gather = Gather::default();
    gather.put_u8(0);
    gather.put_u32(announced);
    message.encode_raw(&mut gather);
    let mut response = Response::new(M::default());
    response.extensions_mut().insert(Pieces(gather.finish()));
    response
}

/// Puts the contents that travelled beside an answer into it.
pub fn send(
    mut response: HttpResponse<tonic::body::Body>,
    connection: &Weak<Seat>,
    unread: Duration,
) -> HttpResponse<tonic::body::Body> {
    match response.extensions_mut().remove::<Pieces>() {
        Some(Pieces(pieces)) => {
            let body = ReplyBody::new(pieces, connection.clone(), unread);
            response.map(|_| tonic::body::Body::new(body))
        }
        None => response,
    }
}

/// Takes the bytes of a message; large ones stay where they are.
#[derive(Default)]
struct Gather {
    pieces: Vec<Bytes>,
    last: BytesMut,
}

impl Gather {
    fn end_piece(&mut self) {
        if !self.last.is_empty() {
            self.pieces.push(self.last.split().freeze());
        }
    }

    fn finish(mut self) -> Vec<Bytes> {
        self.end_piece();
        self.pieces
    }
}

// SAFETY: what may be written and how much was written is `BytesMut`'s to say, and its rules are passed on unchanged.
unsafe impl BufMut for Gather {
    fn remaining_mut(&self) -> usize {
        self.last.remaining_mut()
    }

    unsafe fn advance_mut(&mut self, count: usize) {
        // SAFETY: the caller has written `count` bytes of `chunk_mut`, which is that of `last`.
        unsafe { self.last.advance_mut(count) }
    }

    fn chunk_mut(&mut self) -> &mut UninitSlice {
        self.last.chunk_mut()
    }

    fn put<T: Buf>(&mut self, mut source: T) {
        let length = source.remaining();
        if length < PIECE {
            return self.last.put(source);
        }
        self.end_piece();
        // Shares memory if the source is `Bytes`, as all payloads are.
        self.pieces.push(source.copy_to_bytes(length));
    }

    fn put_slice(&mut self, source: &[u8]) {
        self.last.put_slice(source);
    }
}

/// The body of an answer in pieces.
struct ReplyBody {
    pieces: VecDeque<Bytes>,
    is_over: bool,
    /// Counts how often something was taken.
    taken: Arc<AtomicU64>,
    watch: JoinHandle<()>,
}

impl ReplyBody {
    fn new(pieces: Vec<Bytes>, connection: Weak<Seat>, unread: Duration) -> ReplyBody {
        let taken = Arc::new(AtomicU64::new(0));
        let watch = tokio::spawn(watch(taken.clone(), connection, unread));
        ReplyBody { pieces: pieces.into(), is_over: false, taken, watch }
    }
}

/// Closes a connection that takes nothing of an answer for `unread`.
async fn watch(taken: Arc<AtomicU64>, connection: Weak<Seat>, unread: Duration) {
    let mut before = u64::MAX;
    loop {
        let now = taken.load(Relaxed);
        if now == before {
            break;
        }
        before = now;
        tokio::time::sleep(unread).await;
    }
    if let Some(seat) = connection.upgrade() {
        tracing::warn!(
            "closing a connection from {}: it has taken nothing of an answer for {} s (--unread-timeout)",
            seat.origin(),
            unread.as_secs_f64()
        );
        seat.close();
    }
}

impl Drop for ReplyBody {
    fn drop(&mut self) {
        self.watch.abort();
    }
}

impl Body for ReplyBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        self.taken.fetch_add(1, Relaxed);
        let Some(piece) = self.pieces.front_mut() else {
            let mut trailers = HeaderMap::new();
            trailers.insert("grpc-status", HeaderValue::from_static("0"));
            let is_first = !std::mem::replace(&mut self.is_over, true);
            return Poll::Ready(is_first.then(|| Ok(Frame::trailers(trailers))));
        };
        let some = piece.split_to(piece.len().min(AT_ONCE));
        if piece.is_empty() {
            self.pieces.pop_front();
        }
        Poll::Ready(Some(Ok(Frame::data(some))))
    }

    fn is_end_stream(&self) -> bool {
        self.is_over
    }
}

#[cfg(test)]
mod tests;

//! Answers, sent from where their tensors lie.
//!
//! tonic writes an answer into one buffer before it sends anything: a copy of a hundred megabytes on a thread that
//! carries everybody's messages, kept until its client has read it. So an answer is put into pieces ([`reply`]), the
//! large ones of which share the memory of its tensors, and which travel beside an empty message through tonic; [`send`]
//! puts them in the place of that message. What an answer takes counts against the memory limit until the last byte has
//! left, and a client that takes nothing of one for too long loses its connection (`unread.rs`).

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::buf::UninitSlice;
use bytes::{Buf, BufMut, Bytes, BytesMut};
use downpour_tensor::Charge;
use http_body::{Body, Frame, SizeHint};
use prost::Message;
use tonic::codegen::http::{HeaderMap, HeaderValue, Response as HttpResponse};
use tonic::{Response, Status};

use crate::grpc_status::to_grpc;
use crate::unread::{Answer, Answers};

/// A flag and a length.
const PREFIX: usize = 5;
/// Fields from this size on are pieces of their own.
const PIECE: usize = 4 << 10;
/// Bytes handed over at a time: a client takes what it has room for.
const AT_ONCE: usize = 1 << 20;

/// The pieces of an answer.
#[derive(Clone)]
struct Pieces(Vec<Bytes>);

/// An answer for tonic, whose contents travel beside it.
pub fn reply<M: Message + Default>(message: M) -> Response<M> {
    let length = message.encoded_len();
    // One that is longer than gRPC allows is tonic's to refuse.
    let Ok(announced) = u32::try_from(length) else { return Response::new(message) };
    let mut gather = Gather::default();
    gather.last.reserve(PREFIX + length.min(PIECE));
    gather.put_u8(0);
    gather.put_u32(announced);
    message.encode_raw(&mut gather);
    let mut response = Response::new(M::default());
    response.extensions_mut().insert(Pieces(gather.finish()));
    response
}

/// Puts the contents that travelled beside an answer into it. `charge` is what the call counted; it is kept until the
/// answer has left.
pub fn send(
    mut response: HttpResponse<tonic::body::Body>,
    answers: &Arc<Answers>,
    mut charge: Charge,
) -> HttpResponse<tonic::body::Body> {
    match response.extensions_mut().remove::<Pieces>() {
        Some(Pieces(pieces)) => {
            // Larger pieces are tensors, which count for themselves.
            let own = pieces.iter().map(Bytes::len).filter(|length| *length < PIECE).sum();
            if let Err(full) = charge.grow(own) {
                return to_grpc(full).into_http();
            }
            let answer = answers.begin(charge);
            let body = ReplyBody { pieces: pieces.into(), is_over: false, answer };
            response.map(|_| tonic::body::Body::new(body))
        }
        // A few words, or none.
        None if response.body().is_end_stream() => response,
        None => {
            let answer = answers.begin(charge);
            response.map(|body| tonic::body::Body::new(ShortBody { body, answer }))
        }
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

/// The body of an answer that tonic has made.
struct ShortBody {
    body: tonic::body::Body,
    answer: Arc<Answer>,
}

impl Body for ShortBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        frame.map_ok(|frame| frame.map_data(|bytes| self.answer.hold(bytes)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of an answer in pieces.
struct ReplyBody {
    pieces: VecDeque<Bytes>,
    is_over: bool,
    answer: Arc<Answer>,
}

impl Body for ReplyBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
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
        Poll::Ready(Some(Ok(Frame::data(self.answer.hold(some)))))
    }

    fn is_end_stream(&self) -> bool {
        self.is_over
    }
}

#[cfg(test)]
mod tests;

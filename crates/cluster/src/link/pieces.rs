//! A message as runs of bytes: small payloads joined, large ones where they lie.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Buf, Bytes, BytesMut};
use prost::Message;
use smallvec::SmallVec;
use tokio::io::AsyncWrite;

use super::outgoing::Batch;

/// Payloads up to this size are copied behind the header: cheaper than a piece of their own.
const COPIED: usize = 4096;
/// Pieces handed to the system at a time.
const AT_ONCE: usize = 64;

pub struct Pieces {
    all: Vec<Bytes>,
    /// The first that has not left entirely.
    next: usize,
}

impl Pieces {
    pub fn of(batch: &Batch) -> Pieces {
        let mut all = Vec::new();
        let mut joined = BytesMut::new();
        put_header(&mut joined, &batch.header);
        for payload in &batch.payloads {
            if payload.len() <= COPIED {
                joined.extend_from_slice(payload);
                continue;
            }
            if !joined.is_empty() {
                all.push(joined.split().freeze());
            }
            all.push(payload.clone());
        }
        if !joined.is_empty() {
            all.push(joined.freeze());
        }
        Pieces { all, next: 0 }
    }

    /// A message that is only a header.
    pub fn of_header(header: &impl Message) -> Pieces {
        let mut out = BytesMut::new();
        put_header(&mut out, header);
        Pieces { all: vec![out.freeze()], next: 0 }
    }

    /// Writes as much as can be written now; ready when everything has left.
    pub fn poll_write<W: AsyncWrite + Unpin + ?Sized>(
        &mut self,
        writer: &mut W,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        while self.next < self.all.len() {
            let end = self.all.len().min(self.next + AT_ONCE);
            let rest = self.all[self.next..end].iter();
            let slices: SmallVec<[IoSlice<'_>; AT_ONCE]> = rest.map(|p| IoSlice::new(p)).collect();
            let wrote = Pin::new(&mut *writer).poll_write_vectored(cx, &slices);
            drop(slices);
            match wrote {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Err(e)) => return Poll::Ready(Err(e)),
                Poll::Ready(Ok(0)) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Poll::Ready(Ok(written)) => self.advance(written),
            }
        }
        Poll::Ready(Ok(()))
    }

    fn advance(&mut self, mut written: usize) {
        while let Some(piece) = self.all.get_mut(self.next) {
            let step = written.min(piece.len());
            piece.advance(step);
            written -= step;
            if !piece.is_empty() {
                return;
            }
            self.next += 1;
        }
    }
}

fn put_header(out: &mut BytesMut, header: &impl Message) {
    let length = header.encoded_len();
    out.reserve(4 + length);
    // Headers are cut long before they reach 4 GB.
    out.extend_from_slice(&(length as u32).to_le_bytes());
    header.encode_raw(out);
}

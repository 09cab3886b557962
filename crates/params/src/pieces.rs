//! A message as runs of bytes: small payloads joined, large ones where they lie.

use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Buf, Bytes, BytesMut};
use prost::Message;
use smallvec::SmallVec;
use tokio::io::AsyncWrite;

/// Payloads up to this size are copied behind the header: cheaper than a piece of their own.
const COPIED: usize = 4096;
/// Pieces handed to the system at a time.
const AT_ONCE: usize = 64;

/// What is left to be written of a message.
pub struct Pieces {
    all: Vec<Bytes>,
    /// The first that has not left entirely.
    next: usize,
}

impl Pieces {
    /// A header's length, the header, and payloads.
    pub fn new<'p>(header: &impl Message, payloads: impl IntoIterator<Item = &'p Bytes>) -> Pieces {
        let mut all = Vec::new();
        let mut joined = BytesMut::new();
        put_header(&mut joined, header);
        for payload in payloads {
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

    /// Writes everything and hands it on.
    pub async fn write<W: AsyncWrite + Unpin>(mut self, writer: &mut W) -> io::Result<()> {
        poll_fn(|cx| self.poll_write(writer, cx)).await?;
        poll_fn(|cx| Pin::new(&mut *writer).poll_flush(cx)).await
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

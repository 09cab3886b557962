//! Sends a link's messages.

use std::io::{self, IoSlice};
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use downpour_runtime::ComputePool;
use prost::Message;
use tokio::io::{AsyncWrite, AsyncWriteExt};

use super::outgoing::{Batch, Outgoing};

/// Payloads up to this size are copied behind the header: cheaper than a piece of their own.
const COPIED: usize = 4096;

/// Sends until the queue is closed; says that we live when there is nothing else to say.
pub async fn write_all<W: AsyncWrite + Unpin>(
    outgoing: &Outgoing,
    writer: &mut W,
    pool: &Arc<ComputePool>,
    heartbeat: Duration,
) -> io::Result<()> {
    loop {
        let batch = match tokio::time::timeout(heartbeat, outgoing.next()).await {
            Ok(Some(batch)) => batch,
            Ok(None) => return Ok(()),
            Err(_) => outgoing.now(),
        };
        write_pieces(writer, pieces(&batch)).await?;
        let admitted = outgoing.written(&batch);
        if !admitted.is_empty() {
            // They go on with kernels, which is not this thread's business.
            pool.spawn(move || admitted.into_iter().for_each(|done| done(Ok(()))));
        }
    }
}

/// Writes one message that is only a header.
pub async fn write_header<W: AsyncWrite + Unpin>(
    writer: &mut W,
    header: &impl Message,
) -> io::Result<()> {
    let mut out = BytesMut::new();
    put_header(&mut out, header);
    writer.write_all(&out).await
}

fn put_header(out: &mut BytesMut, header: &impl Message) {
    let length = header.encoded_len();
    out.reserve(4 + length);
    // Headers are cut long before they reach 4 GB.
    out.extend_from_slice(&(length as u32).to_le_bytes());
    header.encode_raw(out);
}

/// The message as runs of bytes: small payloads joined, large ones where they lie.
fn pieces(batch: &Batch) -> Vec<Bytes> {
    let mut out = Vec::new();
    let mut joined = BytesMut::new();
    put_header(&mut joined, &batch.header);
    for payload in &batch.payloads {
        if payload.len() <= COPIED {
            joined.extend_from_slice(payload);
            continue;
        }
        if !joined.is_empty() {
            out.push(joined.split().freeze());
        }
        out.push(payload.clone());
    }
    if !joined.is_empty() {
        out.push(joined.freeze());
    }
    out
}

async fn write_pieces<W: AsyncWrite + Unpin>(writer: &mut W, pieces: Vec<Bytes>) -> io::Result<()> {
    let mut slices: Vec<IoSlice<'_>> = pieces.iter().map(|piece| IoSlice::new(piece)).collect();
    let mut rest = &mut slices[..];
    while !rest.is_empty() {
        match writer.write_vectored(rest).await? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            n => IoSlice::advance_slices(&mut rest, n),
        }
    }
    Ok(())
}

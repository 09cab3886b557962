//! A connection that counts what passes through it, whose first bytes can be looked at, and which ends when the other
//! side takes nothing for too long.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};
use tokio::runtime::Handle;
use tokio::time::Sleep;

use super::BoxStream;
use crate::admission::Seat;
use crate::metrics::Metrics;

pub struct Connection {
    stream: BoxStream,
    metrics: Arc<Metrics>,
    /// Looked at, to be read again.
    opening: Vec<u8>,
    unread: Option<Unread>,
    /// Counts as open as long as the connection is.
    _seat: Option<Arc<Seat>>,
}

/// How long the other side has taken nothing.
struct Unread {
    limit: Duration,
    /// Has the timer: links are written to from compute threads, too, which have no runtime.
    runtime: Handle,
    /// Runs while something cannot be written.
    timer: Option<Pin<Box<Sleep>>>,
}

impl Connection {
    pub fn new(stream: BoxStream, metrics: &Arc<Metrics>) -> Connection {
        let metrics = metrics.clone();
        Connection { stream, metrics, opening: Vec::new(), unread: None, _seat: None }
    }

    /// A connection that was accepted. It ends when the other side takes nothing of what it is sent for `unread`. To be
    /// called within a runtime.
    pub fn accepted(
        stream: BoxStream,
        metrics: &Arc<Metrics>,
        seat: Arc<Seat>,
        unread: Duration,
    ) -> Connection {
        let unread = Some(Unread { limit: unread, runtime: Handle::current(), timer: None });
        Connection { unread, _seat: Some(seat), ..Connection::new(stream, metrics) }
    }

    /// Waits for the first `count` bytes and leaves them where they are.
    pub async fn opening(&mut self, count: usize) -> io::Result<&[u8]> {
        let mut opening = std::mem::take(&mut self.opening);
        while opening.len() < count {
            let mut rest = (&mut *self).take((count - opening.len()) as u64);
            if rest.read_buf(&mut opening).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        self.opening = opening;
        Ok(&self.opening[..count])
    }

    /// Counts what was written, and watches whether anything is.
    fn sent(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(bytes)) = &written {
            self.metrics.sent(*bytes);
        }
        match &mut self.unread {
            Some(unread) => unread.watch(cx, written),
            None => written,
        }
    }
}

impl Unread {
    fn watch<T>(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.timer = None;
            return written;
        }
        let timer = self.timer.get_or_insert_with(|| {
            let _runtime = self.runtime.enter();
            Box::pin(tokio::time::sleep(self.limit))
        });
        match timer.as_mut().poll(cx) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(()) => Poll::Ready(Err(io::Error::new(
                io::ErrorKind::TimedOut,
                format!("it has read nothing for {} s", self.limit.as_secs_f64()),
            ))),
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.opening.is_empty() {
            let count = self.opening.len().min(buffer.remaining());
            buffer.put_slice(&self.opening[..count]);
            self.opening.drain(..count);
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        self.metrics.received(buffer.filled().len() - before);
        read
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.sent(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.sent(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::admission::{Admission, Origin};
    use crate::limits::PortLimits;
    use tokio::io::{AsyncWriteExt, duplex};

    #[tokio::test]
    async fn what_was_looked_at_is_read_again() {
        let (mut near, far) = duplex(100);
        let mut connection = Connection::new(Box::new(far), &Metrics::new());
        near.write_all(b"hello world").await.unwrap();
        assert_eq!(connection.opening(1).await.unwrap(), b"h");
        assert_eq!(connection.opening(5).await.unwrap(), b"hello");
        drop(near);
        let mut all = Vec::new();
        connection.read_to_end(&mut all).await.unwrap();
        assert_eq!(all, b"hello world");
        assert!(connection.opening(1).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn who_reads_nothing_is_not_waited_for() {
        let limits = PortLimits::default();
        let admission = Admission::new(limits.clone());
        let seat = admission.admit(Origin::Process).unwrap();
        let (mut near, far) = duplex(100);
        let metrics = Metrics::new();
        let mut connection = Connection::accepted(Box::new(far), &metrics, seat, limits.unread);
        let writing = tokio::spawn(async move { connection.write_all(&[0; 500]).await });
        // Every byte that is read makes the time begin anew.
        let mut some = [0; 100];
        for _ in 0..3 {
            tokio::time::sleep(limits.unread / 2).await;
            near.read_exact(&mut some).await.unwrap();
        }
        assert!(!writing.is_finished());
        tokio::time::sleep(limits.unread + Duration::from_secs(1)).await;
        let ended = writing.await.unwrap().unwrap_err();
        assert_eq!(ended.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test(start_paused = true)]
    async fn a_thread_without_a_runtime_can_write() {
        let limits = PortLimits::default();
        let seat = Admission::new(limits.clone()).admit(Origin::Process).unwrap();
        let (_near, far) = duplex(100);
        let metrics = Metrics::new();
        let mut connection = Connection::accepted(Box::new(far), &metrics, seat, limits.unread);
        let writing = move || {
            let mut cx = Context::from_waker(std::task::Waker::noop());
            let first = Pin::new(&mut connection).poll_write(&mut cx, &[0; 100]);
            (first, Pin::new(&mut connection).poll_write(&mut cx, &[0; 100]).is_pending())
        };
        let (first, waits) = std::thread::spawn(writing).join().unwrap();
        assert!(matches!(first, Poll::Ready(Ok(100))) && waits);
    }
}

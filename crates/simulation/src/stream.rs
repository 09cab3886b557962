//! A connection on which things go wrong at the bytes a seed says.
//!
//! Only one end is wrapped. Bytes are counted in both directions together. When the count of a fault is reached:
//! a cut connection answers both sides with errors; a stalled one takes what is written and gives nothing, and nobody is
//! told, as when a cable is pulled or a machine stands still; a flipped byte arrives with another bit.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// Bytes that are read at once, at most.
const CHUNK: usize = 64 << 10;

/// What goes wrong on a connection, and after how many bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamFaults {
    /// It is cut.
    pub cut_after: Option<u64>,
    /// Nothing gets through any more, and nobody is told.
    pub stall_after: Option<u64>,
    /// Nothing can be read for a while, once.
    pub delay_after: Option<(u64, Duration)>,
    /// A bit of this byte that is read is another.
    pub flip_read: Option<u64>,
}

/// Cuts a connection from outside.
#[derive(Clone, Debug, Default)]
pub struct StreamSwitch(Arc<SwitchState>);

#[derive(Debug, Default)]
struct SwitchState {
    cut: AtomicBool,
    wakers: Mutex<Vec<std::task::Waker>>,
}

impl StreamSwitch {
    /// Cuts every connection that has this switch.
    pub fn cut(&self) {
        self.0.cut.store(true, Ordering::Release);
        let wakers = std::mem::take(&mut *self.0.wakers.lock());
        wakers.into_iter().for_each(std::task::Waker::wake);
    }

    fn is_cut(&self) -> bool {
        self.0.cut.load(Ordering::Acquire)
    }

    /// Wakes the task when the switch is used; at once if it was.
    fn watch(&self, cx: &Context<'_>) {
        let mut wakers = self.0.wakers.lock();
        if !wakers.iter().any(|waker| waker.will_wake(cx.waker())) {
            wakers.push(cx.waker().clone());
        }
        drop(wakers);
        if self.is_cut() {
            cx.waker().wake_by_ref();
        }
    }
}

/// A connection on which things go wrong; see the module's text.
pub struct FaultyStream<S> {
    /// None once it was cut: the other end notices.
    inner: Option<S>,
    faults: StreamFaults,
    switch: StreamSwitch,
    moved: u64,
    read: u64,
    sleep: Option<Pin<Box<Sleep>>>,
}

impl<S> FaultyStream<S> {
    /// Wraps one end of a connection.
    pub fn new(inner: S, faults: StreamFaults, switch: StreamSwitch) -> FaultyStream<S> {
        FaultyStream { inner: Some(inner), faults, switch, moved: 0, read: 0, sleep: None }
    }

    fn stalled(&self) -> bool {
        self.faults.stall_after.is_some_and(|after| self.moved >= after)
    }

    /// The connection, unless it was cut.
    fn open(&mut self) -> io::Result<&mut S> {
        if self.switch.is_cut() || self.faults.cut_after.is_some_and(|after| self.moved >= after) {
            self.inner = None;
        }
        self.inner.as_mut().ok_or_else(|| io::ErrorKind::ConnectionReset.into())
    }

    /// How many bytes may pass before the next thing happens.
    fn until_fault(&self) -> usize {
        let cut = self.faults.cut_after.into_iter();
        let next = cut.chain(self.faults.stall_after).filter(|after| *after > self.moved).min();
        next.map_or(usize::MAX, |after| usize::try_from(after - self.moved).unwrap_or(usize::MAX))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for FaultyStream<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        this.switch.watch(cx);
        this.open()?;
        if this.stalled() {
            return Poll::Pending;
        }
        if let Some((after, time)) = this.faults.delay_after
            && this.moved >= after
        {
            let sleep = this.sleep.get_or_insert_with(|| Box::pin(tokio::time::sleep(time)));
            if sleep.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
            (this.sleep, this.faults.delay_after) = (None, None);
        }
        // Through a buffer of our own: tests do not mind the copy.
        let mut buffer = vec![0; out.remaining().min(this.until_fault()).min(CHUNK)];
        let mut part = ReadBuf::new(&mut buffer);
        let polled = Pin::new(this.open()?).poll_read(cx, &mut part);
        let filled = part.filled().len();
        if let Some(at) = this.faults.flip_read
            && at >= this.read
            && at < this.read + filled as u64
        {
            part.filled_mut()[(at - this.read) as usize] ^= 1 << (at % 8);
            this.faults.flip_read = None;
        }
        out.put_slice(part.filled());
        this.moved += filled as u64;
        this.read += filled as u64;
        polled
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for FaultyStream<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        this.switch.watch(cx);
        this.open()?;
        if this.stalled() {
            return Poll::Ready(Ok(bytes.len()));
        }
        let part = &bytes[..bytes.len().min(this.until_fault())];
        let polled = Pin::new(this.open()?).poll_write(cx, part);
        if let Poll::Ready(Ok(written)) = polled {
            this.moved += written as u64;
        }
        polled
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.stalled() {
            return Poll::Ready(Ok(()));
        }
        Pin::new(this.open()?).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        // That one side has closed does not get through either.
        if this.stalled() {
            return Poll::Ready(Ok(()));
        }
        Pin::new(this.open()?).poll_shutdown(cx)
    }
}

//! The sending side of a connection.

use std::future::poll_fn;
use std::io;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use downpour_params::Pieces;
use downpour_runtime::ComputePool;
use parking_lot::Mutex;
use tokio::io::AsyncWrite;

use super::outgoing::Outgoing;

/// Shared by the writer's task and those who send for themselves; who has begun a message uses it.
pub struct Writer(Mutex<Box<dyn AsyncWrite + Send + Unpin>>);

impl Writer {
    pub fn new(stream: impl AsyncWrite + Send + Unpin + 'static) -> Writer {
        Writer(Mutex::new(Box::new(stream)))
    }

    /// Lets the connection go, whoever still holds the link: the peer is to hear that it is over.
    pub fn close(&self) {
        *self.0.lock() = Box::new(tokio::io::sink());
    }

    fn poll(&self, pieces: &mut Pieces, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        pieces.poll_write(&mut **self.0.lock(), cx)
    }

    pub async fn write(&self, mut pieces: Pieces) -> io::Result<()> {
        poll_fn(|cx| self.poll(&mut pieces, cx)).await
    }

    /// Sends what waits, as far as the connection takes it at once.
    pub fn send_now(&self, outgoing: &Outgoing, pool: &Arc<ComputePool>) {
        // If a message is under way, who sends it sees what has come meanwhile.
        let Some(mut pieces) = outgoing.begin() else { return };
        match self.poll(&mut pieces, &mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Ok(())) => admit(outgoing, pool),
            // An error is the writer's to report: it will have the same.
            Poll::Pending | Poll::Ready(Err(_)) => outgoing.leave_over(pieces),
        }
    }

    /// Sends until the queue is closed; says that we live when there is nothing else to say.
    pub async fn send_all(
        &self,
        outgoing: &Outgoing,
        pool: &Arc<ComputePool>,
        heartbeat: Duration,
    ) -> io::Result<()> {
        loop {
            let pieces = match tokio::time::timeout(heartbeat, outgoing.next()).await {
                Ok(Some(pieces)) => pieces,
                Ok(None) => return Ok(()),
                Err(_) => match outgoing.begin_anyway() {
                    Some(pieces) => pieces,
                    None => continue,
                },
            };
            self.write(pieces).await?;
            admit(outgoing, pool);
        }
    }
}

/// A message has left: there may be room for others.
fn admit(outgoing: &Outgoing, pool: &Arc<ComputePool>) {
    let admitted = outgoing.written();
    if !admitted.is_empty() {
        // They go on with kernels, which is not a network thread's business.
        pool.spawn(move || admitted.into_iter().for_each(|done| done(Ok(()))));
    }
}

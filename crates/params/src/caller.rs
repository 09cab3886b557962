//! Requests to one server, over connections that come and go.
//!
//! A call takes an idle connection or makes one, and gives it back when it has its answer. A connection that
//! fails is thrown away and the request is sent again: whoever calls makes sure that repeating does no harm.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use downpour_tensor::{Result, Status};
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::time::Instant;

use crate::frame::{Item, Reader, pieces};
use crate::message::{Answer, Ask, Hello, MAGIC, Request, VERSION};
use crate::pieces::Pieces;

/// A way there and back.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// Makes a new connection to a server.
pub type Connect = Arc<
    dyn Fn() -> Pin<Box<dyn Future<Output = io::Result<Box<dyn Stream>>> + Send>> + Send + Sync,
>;

/// How long to go on trying.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// With a server that cannot be reached, or others that do not come.
    pub total: Duration,
    /// With one answer; then the connection is given up.
    pub answer: Duration,
    /// Before the first repetition; each further one waits twice as long.
    pub first_pause: Duration,
    /// But not longer than this.
    pub longest_pause: Duration,
    /// With the answer to a sign of life. A server that does not answer must not keep the others from hearing the
    /// next one in time: at most as long as signs of life are apart.
    pub beat: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            total: Duration::from_secs(300),
            answer: Duration::from_secs(60),
            first_pause: Duration::from_millis(20),
            longest_pause: Duration::from_secs(2),
            beat: Duration::from_secs(2),
        }
    }
}

/// How long between two questions to a server that says "not yet" at once.
pub(crate) const NOT_YET: Duration = Duration::from_millis(10);

/// Calls one server.
pub struct Caller {
    name: String,
    connect: Connect,
    patience: Patience,
    idle: Mutex<Vec<Reader<Box<dyn Stream>>>>,
    /// The newest layout the server has told of.
    newest: AtomicU64,
    /// Calls that have no answer yet.
    open: AtomicUsize,
}

/// A call that has no answer yet.
struct OpenCall<'a>(&'a AtomicUsize);

impl<'a> OpenCall<'a> {
    fn new(open: &'a AtomicUsize) -> OpenCall<'a> {
        open.fetch_add(1, Ordering::Relaxed);
        OpenCall(open)
    }
}

impl Drop for OpenCall<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Caller {
    /// `name` is what messages call the server.
    pub fn new(name: &str, connect: Connect, patience: Patience) -> Caller {
        Caller {
            name: name.to_string(),
            connect,
            patience,
            idle: Mutex::default(),
            newest: AtomicU64::new(0),
            open: AtomicUsize::new(0),
        }
    }

    /// The server's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// True if the server has not answered everything it was asked; signs of life do not count.
    pub(crate) fn is_unanswered(&self) -> bool {
        self.open.load(Ordering::Relaxed) > 0
    }

    /// Another one to the same server.
    pub(crate) fn again(&self) -> Caller {
        Caller::new(&self.name, self.connect.clone(), self.patience)
    }

    /// Another one to the same server, for what takes longer.
    pub(crate) fn with_answers_in(&self, answer: Duration) -> Caller {
        let patience = Patience { answer, ..self.patience };
        Caller::new(&self.name, self.connect.clone(), patience)
    }

    pub(crate) fn newest(&self) -> u64 {
        self.newest.load(Ordering::Relaxed)
    }

    pub(crate) fn patience(&self) -> Patience {
        self.patience
    }

    /// One answer, over as many connections as it takes. It may say "again".
    pub(crate) async fn call(&self, ask: Ask, items: &[Item]) -> Result<(Answer, Vec<Item>)> {
        let _open = OpenCall::new(&self.open);
        let request = Request { ask: Some(ask), ..Request::default() };
        let mut pause = self.patience.first_pause;
        let until = Instant::now() + self.patience.total;
        loop {
            let tried = tokio::time::timeout(self.patience.answer, self.once(&request, items));
            let error = match tried.await {
                Ok(Ok(answered)) => return answered,
                Ok(Err(e)) => e,
                Err(_) => io::Error::new(
                    io::ErrorKind::TimedOut,
                    format!("no answer in {:.0} s", self.patience.answer.as_secs_f64()),
                ),
            };
            if Instant::now() + pause > until {
                return Err(Status::unavailable(format!(
                    "the parameter server {} cannot be reached for {:.0} s: {error}",
                    self.name,
                    self.patience.total.as_secs_f64()
                )));
            }
            tracing::debug!("the parameter server {}: {error}; trying again", self.name);
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(self.patience.longest_pause);
        }
    }

    /// One answer that does not say "again"; `waits_for` is what the server has to have before.
    pub(crate) async fn patiently(
        &self,
        ask: Ask,
        items: &[Item],
        waits_for: &str,
    ) -> Result<(Answer, Vec<Item>)> {
        let until = Instant::now() + self.patience.total;
        loop {
            let (answer, found) = self.call(ask.clone(), items).await?;
            if !answer.again {
                return Ok((answer, found));
            }
            if Instant::now() > until {
                return Err(Status::deadline_exceeded(format!(
                    "waited {:.0} s until the parameter server {} had {waits_for}; are all parameter servers running?",
                    self.patience.total.as_secs_f64(),
                    self.name
                )));
            }
            tokio::time::sleep(NOT_YET).await;
        }
    }

    /// One answer, if it comes soon over one connection.
    pub(crate) async fn try_once(&self, ask: Ask) -> Option<Result<Answer>> {
        let request = Request { ask: Some(ask), ..Request::default() };
        let soon = self.patience.beat.min(self.patience.answer);
        let tried = tokio::time::timeout(soon, self.once(&request, &[])).await;
        tried.ok()?.ok().map(|answered| answered.map(|(answer, _)| answer))
    }

    /// The outer error is of the connection.
    async fn once(
        &self,
        request: &Request,
        items: &[Item],
    ) -> io::Result<Result<(Answer, Vec<Item>)>> {
        let idle = self.idle.lock().pop();
        let mut connection = match idle {
            Some(connection) => connection,
            None => self.meet().await?,
        };
        let out = match pieces(request.clone(), items) {
            Ok(out) => out,
            Err(status) => return Ok(Err(status)),
        };
        out.write(connection.stream()).await?;
        let (answer, items) = connection.message::<Answer>().await?;
        self.newest.fetch_max(answer.epoch, Ordering::Relaxed);
        self.idle.lock().push(connection);
        Ok(crate::service::status_of(&answer).and(items).map(|items| (answer, items)))
    }

    async fn meet(&self) -> io::Result<Reader<Box<dyn Stream>>> {
        // Who calls decides how long an answer may take, all of it.
        let mut connection = Reader::with_stall((self.connect)().await?, self.patience.answer);
        connection.stream().write_all(&MAGIC).await?;
        Pieces::new(&Hello { version: VERSION }, []).write(connection.stream()).await?;
        let hello: Hello = connection.hello().await?;
        match hello.version {
            VERSION => Ok(connection),
            other => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!(
                    "the server speaks version {other} of the parameter service, not {VERSION}"
                ),
            )),
        }
    }
}

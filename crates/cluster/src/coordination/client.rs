//! The way to a coordinator, over connections that come and go.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use downpour_coordinator::door::{MAGIC, MAX_RESPONSE, read_frame, write_frame};
use downpour_coordinator::message::{Answer, Request, RequestKind, Response};
use downpour_tensor::{Code, Result, Status};
use parking_lot::Mutex;
use prost::Message;
use tokio::io::AsyncWriteExt;
use tokio::time::Instant;

use crate::network::{Connection, Dialer};

/// Between two attempts of a call that goes on trying.
const PAUSE: Duration = Duration::from_millis(100);
/// How long one attempt may take.
const ANSWER: Duration = Duration::from_secs(10);

/// The way to a coordinator. Clones share a connection and what was heard.
#[derive(Clone)]
pub struct CoordinatorClient {
    shared: Arc<Shared>,
}

struct Shared {
    dialer: Arc<Dialer>,
    address: String,
    /// A connection nobody uses at the moment.
    idle: Mutex<Option<Connection>>,
    heard: Mutex<Instant>,
}

impl CoordinatorClient {
    /// To the coordinator at `host:port`.
    pub fn new(dialer: Arc<Dialer>, address: &str) -> CoordinatorClient {
        let shared = Shared {
            dialer,
            address: address.to_string(),
            idle: Mutex::new(None),
            heard: Mutex::new(Instant::now()),
        };
        CoordinatorClient { shared: Arc::new(shared) }
    }

    /// Where it is.
    pub fn address(&self) -> &str {
        &self.shared.address
    }

    /// How long ago it answered last; since this was made, if it never has.
    pub fn silent_for(&self) -> Duration {
        self.shared.heard.lock().elapsed()
    }

    /// One attempt: UNAVAILABLE if there is no answer. May be dropped at any moment: a connection that waits for an
    /// answer is not used again. For [`MemberHandle::run`](downpour_coordinator::MemberHandle::run), which repeats.
    pub async fn call(&self, request: Request) -> Result<Response> {
        let response = self.attempt(&request).await.map_err(|e| {
            Status::unavailable(format!("the coordinator at {}: {e}", self.shared.address))
        })?;
        *self.shared.heard.lock() = Instant::now();
        Ok(response)
    }

    /// Asks until there is an answer, at most for `patience`; for requests that may be repeated.
    pub async fn ask(&self, kind: RequestKind, patience: Duration) -> Result<Answer> {
        let until = Instant::now() + patience;
        loop {
            let request = Request::new(1, kind.clone());
            let answered = match tokio::time::timeout(ANSWER, self.call(request)).await {
                Ok(answered) => answered.and_then(Response::result),
                Err(_) => Err(Status::unavailable("no answer")),
            };
            match answered {
                Err(e) if e.code() == Code::Unavailable && Instant::now() < until => {
                    tracing::debug!("{e}; trying again");
                    tokio::time::sleep(PAUSE).await;
                }
                Err(e) if e.code() == Code::Unavailable => {
                    return Err(Status::unavailable(format!(
                        "{} (tried for {:.0} s; is the task /job:coordinator/task:0 running?)",
                        e.message(),
                        patience.as_secs_f64()
                    )));
                }
                answered => return answered,
            }
        }
    }

    async fn attempt(&self, request: &Request) -> io::Result<Response> {
        let idle = self.shared.idle.lock().take();
        let mut connection = match idle {
            Some(connection) => connection,
            None => {
                let mut new = self.shared.dialer.connect_link(&self.shared.address).await?;
                new.write_all(&MAGIC).await?;
                new
            }
        };
        write_frame(&mut connection, &request.encode_to_vec()).await?;
        let bytes = read_frame(&mut connection, MAX_RESPONSE).await?;
        let response = Response::decode(&bytes[..])
            .map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e.to_string()))?;
        *self.shared.idle.lock() = Some(connection);
        Ok(response)
    }
}

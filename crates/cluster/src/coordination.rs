//! The coordinator's door: who takes part in training and which data each works on, on a task's one port.
//!
//! A connection begins with [`MAGIC`]. Then come requests, each answered before the next is read: a length of four
//! bytes, least first, and as many bytes, as `downpour_coordinator::message` has them. A task that hosts no
//! coordinator answers each with FAILED_PRECONDITION, which says so.
//!
//! The coordinator waits for its disk, so it is called where waiting is allowed, and a thread of its own lets time
//! pass for it.

mod client;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use downpour_coordinator::message::{MAX_REQUEST_BYTES, Response};
use downpour_coordinator::{Config, Coordinator, FileStorage, Service, SyncPolicy};
use downpour_tensor::{Result, Status};
use prost::Message;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::watch;

pub use client::CoordinatorClient;

/// First bytes on a connection to a coordinator: nothing else on the port starts with them.
pub(crate) const MAGIC: [u8; 8] = *b"coord_01";

/// Longest answer a client takes.
const MAX_RESPONSE: usize = 64 << 20;
/// How long the other side may take for its first words.
const MEETING: Duration = Duration::from_secs(10);

/// A coordinator this task hosts.
#[derive(Clone, Debug)]
pub struct Hosted {
    /// Where its log is: a coordinator that is started again goes on where it was.
    pub log: PathBuf,
    /// How patient it is.
    pub config: Config,
}

/// A running coordinator. It ends when this is dropped.
pub(crate) struct Coordination {
    service: Service,
    /// Why it has ended.
    failed: watch::Receiver<Option<Status>>,
    /// The thread that lets time pass ends with this.
    _ends: Arc<watch::Sender<()>>,
}

impl Coordination {
    /// Goes on from the log, or begins one.
    pub fn start(hosted: &Hosted) -> Result<Coordination> {
        let folder = hosted.log.parent().unwrap_or(std::path::Path::new("."));
        std::fs::create_dir_all(folder).map_err(|e| {
            Status::permission_denied(format!(
                "cannot keep the coordinator's log in {}: {e}",
                folder.display()
            ))
        })?;
        let storage = FileStorage::open(&hosted.log, SyncPolicy::Always)?;
        let config = hosted.config.clone();
        let service = Service::open(move |now| Coordinator::open(Box::new(storage), config, now))?;
        let (ends, mut ended) = watch::channel(());
        let (fail, failed) = watch::channel(None);
        let ticking = service.clone();
        // It writes to the disk: not on a thread that carries messages.
        let passing_time = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
            let result = match runtime {
                Ok(runtime) => runtime.block_on(async {
                    tokio::select! {
                        failed = ticking.run() => failed,
                        _ = ended.changed() => Ok(()),
                    }
                }),
                Err(e) => Err(Status::internal(format!("the coordinator has no clock: {e}"))),
            };
            if let Err(status) = result {
                drop(fail.send(Some(status)));
            }
        };
        std::thread::Builder::new()
            .name("coordinator".to_string())
            .spawn(passing_time)
            .map_err(|e| Status::resource_exhausted(format!("cannot start a thread: {e}")))?;
        Ok(Coordination { service, failed, _ends: Arc::new(ends) })
    }

    pub fn service(&self) -> Service {
        self.service.clone()
    }

    /// Comes back when the coordinator cannot go on, with why.
    pub async fn failed(&self) -> Status {
        let mut failed = self.failed.clone();
        let known = failed.wait_for(Option::is_some).await.ok().and_then(|status| status.clone());
        match known {
            Some(status) => status,
            None => std::future::pending().await,
        }
    }
}

/// Answers a connection until it ends.
pub(crate) async fn serve<S>(mut stream: S, service: Option<Service>) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
{
    let mut magic = [0; 8];
    let meeting = stream.read_exact(&mut magic);
    tokio::time::timeout(MEETING, meeting).await.map_err(|_| io::ErrorKind::TimedOut)??;
    if magic != MAGIC {
        return Err(broken("another version's first words"));
    }
    loop {
        let request = match read_frame(&mut stream, MAX_REQUEST_BYTES).await {
            Ok(request) => request,
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            Err(e) => return Err(e),
        };
        let response = match &service {
            Some(service) => {
                let service = service.clone();
                let answer = tokio::task::spawn_blocking(move || service.call_bytes(&request));
                answer.await.map_err(io::Error::other)?
            }
            None => not_here(&request),
        };
        write_frame(&mut stream, &response).await?;
    }
}

/// What a task says that is no coordinator.
fn not_here(request: &[u8]) -> Vec<u8> {
    let id = downpour_coordinator::message::Request::from_bytes(request).map_or(0, |r| r.id);
    let status = Status::failed_precondition(
        "this task hosts no coordinator: the cluster's job `coordinator` does",
    );
    let message = status.message().to_string();
    Response { id, code: status.code() as i32, message, answer: None }.encode_to_vec()
}

async fn read_frame(stream: &mut (impl AsyncRead + Unpin), most: usize) -> io::Result<Vec<u8>> {
    let length = stream.read_u32_le().await? as usize;
    if length > most {
        return Err(broken("a message that is too long"));
    }
    // Room grows with what comes, not with what was announced.
    let mut bytes = Vec::new();
    let read = stream.take(length as u64).read_to_end(&mut bytes).await?;
    if read < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(bytes) }
}

async fn write_frame(stream: &mut (impl AsyncWrite + Unpin), bytes: &[u8]) -> io::Result<()> {
    let mut frame = Vec::with_capacity(4 + bytes.len());
    let length = u32::try_from(bytes.len()).map_err(|_| broken("a message that is too long"))?;
    frame.extend_from_slice(&length.to_le_bytes());
    frame.extend_from_slice(bytes);
    stream.write_all(&frame).await?;
    stream.flush().await
}

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("it sent {what}"))
}

#[cfg(test)]
mod tests;

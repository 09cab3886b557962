//! How requests and answers travel over a connection.
//!
//! A connection begins with [`MAGIC`]. Then come requests, each answered before the next is read: a length of four
//! bytes, least first, and as many bytes, as [`message`](crate::message) has them. Who hosts no coordinator answers each
//! with FAILED_PRECONDITION, which says so.

use std::io;
use std::time::Duration;

use downpour_tensor::Status;
use prost::Message;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::Service;
use crate::message::{MAX_REQUEST_BYTES, Request, Response};

/// First bytes on a connection to a coordinator: nothing else on the port starts with them.
pub const MAGIC: [u8; 8] = *b"coord_01";

/// Longest answer a client takes.
pub const MAX_RESPONSE: usize = 64 << 20;

/// How long a connection may keep us waiting.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// The time the other side may take to say who it is.
    pub hello: Duration,
    /// The time a message that has begun may stand still.
    pub stall: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> ConnectionLimits {
        ConnectionLimits { hello: Duration::from_secs(10), stall: Duration::from_secs(60) }
    }
}

impl ConnectionLimits {
    /// Waits for a hello; a late one is an error that says so.
    pub async fn hello<T>(&self, meeting: impl Future<Output = io::Result<T>>) -> io::Result<T> {
        let late = format!("it has not said who it is within {} s", self.hello.as_secs_f64());
        let met = tokio::time::timeout(self.hello, meeting).await;
        met.unwrap_or_else(|_| Err(io::Error::new(io::ErrorKind::TimedOut, late)))
    }
}

/// Answers a connection until it ends.
pub async fn serve<S>(stream: S, service: Option<Service>) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
{
    serve_within(stream, service, &ConnectionLimits::default(), || ()).await
}

/// Answers a connection until it ends or passes a limit; `greeted` is called when the other side has begun well. The
/// service waits for its disk, so it is called where waiting is allowed.
pub async fn serve_within<S>(
    mut stream: S,
    service: Option<Service>,
    limits: &ConnectionLimits,
    greeted: impl FnOnce(),
) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
{
    let mut magic = [0; 8];
    limits.hello(async { stream.read_exact(&mut magic).await }).await?;
    if magic != MAGIC {
        return Err(broken("another version's first words"));
    }
    greeted();
    let mut presence = service.as_ref().map(|service| service.attendance().connection());
    loop {
        let request = match next_request(&mut stream, limits).await {
            Ok(request) => request,
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            Err(e) => return Err(e),
        };
        let response = match &service {
            Some(service) => {
                let service = service.clone();
                let answer = tokio::task::spawn_blocking(move || service.call_bytes(&request));
                let (response, who) = answer.await.map_err(io::Error::other)?;
                if let (Some(presence), Some((member, epoch))) = (&mut presence, who) {
                    presence.joined(member, epoch);
                }
                response
            }
            None => not_here(&request),
        };
        write_frame(&mut stream, &response).await?;
    }
}

/// Waits for a request as long as need be, but for the rest of one that has begun only so long.
async fn next_request(
    stream: &mut (impl AsyncRead + Unpin),
    limits: &ConnectionLimits,
) -> io::Result<Vec<u8>> {
    let first = [stream.read_u8().await?];
    let mut whole = (&first[..]).chain(stream);
    let rest = read_frame(&mut whole, MAX_REQUEST_BYTES);
    tokio::time::timeout(limits.stall, rest)
        .await
        .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

/// What a task says that is no coordinator.
fn not_here(request: &[u8]) -> Vec<u8> {
    let id = Request::from_bytes(request).map_or(0, |request| request.id);
    let status = Status::failed_precondition(
        "this task hosts no coordinator: the cluster's job `coordinator` does",
    );
    Response::new(id, Err(status)).encode_to_vec()
}

/// The bytes of one message, which are at most so many.
pub async fn read_frame(stream: &mut (impl AsyncRead + Unpin), most: usize) -> io::Result<Vec<u8>> {
    let length = stream.read_u32_le().await? as usize;
    if length > most {
        return Err(broken("a message that is too long"));
    }
    // Room grows with what comes, not with what was announced.
    let mut bytes = Vec::new();
    let read = stream.take(length as u64).read_to_end(&mut bytes).await?;
    if read < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(bytes) }
}

/// Sends the bytes of one message.
pub async fn write_frame(stream: &mut (impl AsyncWrite + Unpin), bytes: &[u8]) -> io::Result<()> {
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

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
/// How long the other side may take for its first words.
const MEETING: Duration = Duration::from_secs(10);

/// Answers a connection until it ends. The service waits for its disk, so it is called where waiting is allowed.
pub async fn serve<S>(mut stream: S, service: Option<Service>) -> io::Result<()>
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

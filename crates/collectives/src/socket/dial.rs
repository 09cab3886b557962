//! Calling a lower rank: again and again until it is there, or the deadline passes.

use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use downpour_tensor::{Code, Result, Status};

use super::connection::Connection;
use super::hello::{ANSWER, Hello, Verdict};
use super::mesh::MeshConfig;
use super::near;

/// How long one attempt may take.
const ATTEMPT: Duration = Duration::from_secs(5);
/// Pauses between attempts grow from the one to the other.
const PAUSES: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(250));

/// A connection on which the peer has said welcome.
pub(super) fn dial(address: &str, hello: Hello, config: &MeshConfig) -> Result<Connection> {
    let MeshConfig { deadline, near, .. } = *config;
    let mut pause = PAUSES.0;
    loop {
        config.check(hello.to, address)?;
        let error = match attempt(address, hello, deadline, near) {
            Ok(connection) => return Ok(connection),
            Err(error) if error.code() == Code::Unavailable => error,
            Err(error) => return Err(error.context(format!("rank {} ({address})", hello.to))),
        };
        let left = deadline.saturating_duration_since(Instant::now());
        if left <= pause {
            let what = format!("rank {} ({address}) cannot be reached in time", hello.to);
            return Err(error.context(what));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(PAUSES.1);
    }
}

/// UNAVAILABLE where another attempt may do better.
fn attempt(address: &str, hello: Hello, deadline: Instant, near: bool) -> Result<Connection> {
    let unavailable = |e: std::io::Error| Status::unavailable(e.to_string());
    let limit = || deadline.saturating_duration_since(Instant::now()).min(ATTEMPT);
    let mut last = Status::unavailable("its name has no address");
    for address in address.to_socket_addrs().map_err(unavailable)? {
        if near && let Some(stream) = near::connect(address) {
            match greet_near(stream, hello, limit()) {
                // Then the long way may do.
                Err(Refusal::Broken(_)) => {}
                // A peer that says "later" is called again over the same socket.
                answered => return answered.map_err(Refusal::into_status),
            }
        }
        // Zero is not a time to wait for.
        let limit = limit().max(Duration::from_millis(1));
        match TcpStream::connect_timeout(&address, limit).map_err(unavailable) {
            Ok(stream) => return greet_far(stream, hello, limit).map_err(Refusal::into_status),
            Err(error) => last = error,
        }
    }
    Err(last)
}

fn greet_near(
    stream: UnixStream,
    hello: Hello,
    limit: Duration,
) -> std::result::Result<Connection, Refusal> {
    let limit = Some(limit.max(Duration::from_millis(1)));
    stream.set_read_timeout(limit).map_err(broken)?;
    greet(&stream, hello)?;
    Connection::unix(stream).map_err(broken)
}

fn greet_far(
    stream: TcpStream,
    hello: Hello,
    limit: Duration,
) -> std::result::Result<Connection, Refusal> {
    stream.set_nodelay(true).map_err(broken)?;
    stream.set_read_timeout(Some(limit)).map_err(broken)?;
    greet(&stream, hello)?;
    Connection::tcp(stream).map_err(broken)
}

/// Why a greeting has given no connection.
enum Refusal {
    /// Nobody of ours has answered.
    Broken(Status),
    /// The peer has answered.
    Answered(Status),
}

impl Refusal {
    fn into_status(self) -> Status {
        match self {
            Refusal::Broken(status) | Refusal::Answered(status) => status,
        }
    }
}

fn broken(error: std::io::Error) -> Refusal {
    Refusal::Broken(Status::unavailable(format!("the connection broke before it began: {error}")))
}

fn greet(mut stream: impl Read + Write, hello: Hello) -> std::result::Result<(), Refusal> {
    stream.write_all(&hello.to_bytes()).map_err(broken)?;
    let mut answer = [0; ANSWER];
    stream.read_exact(&mut answer).map_err(broken)?;
    let (verdict, incarnation) = Verdict::parse(&answer).ok_or_else(|| {
        Refusal::Broken(Status::unavailable("what listens there is no mesh of ours"))
    })?;
    Err(Refusal::Answered(match verdict {
        Verdict::Welcome => return Ok(()),
        Verdict::Later => Status::unavailable("it does not connect this group yet"),
        Verdict::Over => Status::aborted(format!(
            "incarnation {} of the group is over, it goes on as {incarnation}",
            hello.incarnation
        )),
        Verdict::Unfit => Status::invalid_argument(format!(
            "it does not take rank {} of {} for a member of its group: all ranks must be given the same \
             addresses",
            hello.from, hello.size
        )),
        Verdict::Version => {
            Status::failed_precondition("it speaks another version of the mesh's protocol")
        }
    }))
}

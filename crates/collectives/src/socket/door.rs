//! Where a process's connections come in: one thread that listens, reads hellos and hands connections on.
//!
//! Protocol. A caller has `HELLO_TIME` to say its hello; at most `CALLERS` may be about to, and for one more the oldest
//! of them is turned away: ranks say theirs at once, strangers may not. A hello for a
//! group that somebody here connects is answered and the connection handed to the mesh; everything else is
//! answered with the reason, if it was a hello, and closed. Nobody waits for a caller: the thread polls all
//! of them at once.

use std::collections::HashMap;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::os::fd::AsFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use downpour_tensor::{Result, Status};
use parking_lot::Mutex;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::connection::{Connection, Moved};
use super::hello::{GroupId, HELLO, Hello, Verdict};
use super::near;

/// How long a caller may take to say its hello.
const HELLO_TIME: Duration = Duration::from_secs(5);
/// Callers that have not said theirs yet.
const CALLERS: usize = 256;

/// Who is expected for a group.
pub(super) struct Expected {
    pub rank: u32,
    pub size: u32,
    pub incarnation: u64,
    pub arrivals: Sender<(usize, Connection)>,
}

struct Shared {
    address: SocketAddr,
    groups: Mutex<HashMap<GroupId, Expected>>,
    closed: AtomicBool,
}

/// A process's address for meshes. Closes when dropped; meshes that are connected stay so.
pub struct Door {
    shared: Arc<Shared>,
    wake: UnixStream,
    thread: Option<JoinHandle<()>>,
}

impl Door {
    /// Listens on an address, `host:port`; port 0 takes a free one.
    pub fn open(address: &str) -> Result<Door> {
        let cannot = |e| Status::unavailable(format!("cannot listen on {address}: {e}"));
        Door::of(TcpListener::bind(address).map_err(cannot)?)
    }

    /// Takes over a listener.
    pub fn of(listener: TcpListener) -> Result<Door> {
        let cannot = |e: io::Error| Status::internal(format!("cannot use a listener: {e}"));
        let address = listener.local_addr().map_err(cannot)?;
        listener.set_nonblocking(true).map_err(cannot)?;
        let near = near::listen(address);
        if let Some(near) = &near {
            near.set_nonblocking(true).map_err(cannot)?;
        }
        let (wake, woken) = UnixStream::pair().map_err(cannot)?;
        let groups = Mutex::default();
        let shared = Arc::new(Shared { address, groups, closed: AtomicBool::new(false) });
        let hall = Hall { shared: shared.clone(), listener, near, woken, callers: Vec::new() };
        let thread = std::thread::Builder::new().name("mesh-door".into());
        let thread = Some(thread.spawn(|| hall.serve()).map_err(cannot)?);
        Ok(Door { shared, wake, thread })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.shared.address
    }

    /// Hands connections for a group on, until the guard is dropped.
    pub(super) fn expect(&self, group: GroupId, expected: Expected) -> Result<Expecting> {
        let mut groups = self.shared.groups.lock();
        if groups.contains_key(&group) {
            return Err(Status::already_exists(format!(
                "{} is connecting this group already",
                self.shared.address
            )));
        }
        groups.insert(group, expected);
        Ok(Expecting { shared: self.shared.clone(), group })
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.shared.closed.store(true, Ordering::Release);
        self.wake.shutdown(std::net::Shutdown::Both).ok();
        if let Some(thread) = self.thread.take() {
            thread.join().ok();
        }
    }
}

/// While it lives, connections of a group are taken.
pub(super) struct Expecting {
    shared: Arc<Shared>,
    group: GroupId,
}

impl Drop for Expecting {
    fn drop(&mut self) {
        self.shared.groups.lock().remove(&self.group);
    }
}

struct Caller {
    connection: Connection,
    hello: [u8; HELLO],
    heard: usize,
    until: Instant,
}

/// What the thread owns.
struct Hall {
    shared: Arc<Shared>,
    listener: TcpListener,
    near: Option<UnixListener>,
    woken: UnixStream,
    callers: Vec<Caller>,
}

impl Hall {
    fn serve(mut self) {
        while !self.shared.closed.load(Ordering::Acquire) {
            if let Err(e) = self.wait() {
                tracing::warn!("the door at {} cannot wait: {e}", self.shared.address);
                std::thread::sleep(Duration::from_millis(100));
            }
            self.accept();
        }
    }

    /// Until somebody comes, says something, or has been silent for too long.
    fn wait(&self) -> rustix::io::Result<()> {
        let read = |fd| PollFd::from_borrowed_fd(fd, PollFlags::IN);
        let mut waiting = vec![read(self.woken.as_fd()), read(self.listener.as_fd())];
        waiting.extend(self.near.as_ref().map(|near| read(near.as_fd())));
        waiting.extend(self.callers.iter().map(|caller| read(caller.connection.as_fd())));
        let limit = (!self.callers.is_empty()).then_some(Timespec { tv_sec: 1, tv_nsec: 0 });
        match poll(&mut waiting, limit.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(e) => Err(e),
        }
    }

    fn accept(&mut self) {
        let until = Instant::now() + HELLO_TIME;
        let mut arrived = Vec::new();
        let mut could = take_some(
            || self.listener.accept().map(|(stream, _)| stream),
            |stream| arrived.extend(Connection::tcp(stream)),
        );
        if let Some(near) = &self.near {
            could &= take_some(
                || near.accept().map(|(stream, _)| stream),
                |stream| arrived.extend(Connection::unix(stream)),
            );
        }
        for connection in arrived {
            self.callers.push(Caller { connection, hello: [0; HELLO], heard: 0, until });
        }
        // Those who have said theirs are not turned away for those who have not.
        let now = Instant::now();
        let shared = &self.shared;
        self.callers = self.callers.drain(..).filter_map(|c| listen_to(shared, c, now)).collect();
        // The oldest stand first. Out of files, most likely, fewer of them may wait.
        let most = if could { CALLERS } else { self.callers.len() / 2 };
        let too_many = self.callers.len().saturating_sub(most);
        self.callers.drain(..too_many);
        if !could {
            // Who waits to be accepted would wake us again at once.
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Takes those who wait to be accepted, some at a time; returns false when the system refuses to.
fn take_some<S>(accept: impl Fn() -> io::Result<S>, mut take: impl FnMut(S)) -> bool {
    for _ in 0..CALLERS {
        match accept() {
            Ok(stream) => take(stream),
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => return true,
            Err(e) if e.kind() == io::ErrorKind::ConnectionAborted => {}
            Err(e) => {
                tracing::warn!("a mesh's door cannot take a caller: {e}");
                return false;
            }
        }
    }
    true
}

/// Reads what a caller says; gives it back while it has not said everything.
fn listen_to(shared: &Shared, mut caller: Caller, now: Instant) -> Option<Caller> {
    while caller.heard < HELLO {
        match caller.connection.receive(&mut caller.hello[caller.heard..]) {
            Ok(Moved::Bytes(count)) => caller.heard += count,
            Ok(Moved::Blocked) => return (now < caller.until).then_some(caller),
            Err(_) => return None,
        }
    }
    let Some(hello) = Hello::parse(&caller.hello) else {
        tracing::debug!("somebody who says nonsense is turned away at {}", shared.address);
        return None;
    };
    let groups = shared.groups.lock();
    let (verdict, expected) = match hello {
        Err(verdict) => (verdict, None),
        Ok(hello) => judge(hello, groups.get(&hello.group)),
    };
    let incarnation = expected.map_or(0, |(e, _)| e.incarnation);
    // So few bytes always fit into a new connection.
    let answered = caller.connection.send(&verdict.to_bytes(incarnation)).is_ok();
    if let (Verdict::Welcome, Some((expected, from)), true) = (verdict, expected, answered) {
        // Fails if the mesh has just given up; then the caller finds the connection closed.
        let _ = expected.arrivals.send((from, caller.connection));
    }
    None
}

fn judge(hello: Hello, expected: Option<&Expected>) -> (Verdict, Option<(&Expected, usize)>) {
    let Some(expected) = expected else { return (Verdict::Later, None) };
    let fits = hello.size == expected.size
        && hello.to == expected.rank
        && hello.from > expected.rank
        && hello.from < expected.size;
    let verdict = match hello.incarnation.cmp(&expected.incarnation) {
        std::cmp::Ordering::Less => Verdict::Over,
        std::cmp::Ordering::Greater => Verdict::Later,
        std::cmp::Ordering::Equal if fits => Verdict::Welcome,
        std::cmp::Ordering::Equal => Verdict::Unfit,
    };
    (verdict, Some((expected, hello.from as usize)))
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;

    use super::super::hello::ANSWER;
    use super::*;

    #[test]
    fn silent_callers_do_not_keep_others_out() {
        let door = Door::open("127.0.0.1:0").unwrap();
        let call = || TcpStream::connect(door.address()).unwrap();
        let mut callers: Vec<TcpStream> = (0..CALLERS + 50).map(|_| call()).collect();
        let mut last = call();
        let hello =
            Hello { group: GroupId::from_name("g"), incarnation: 1, size: 2, from: 1, to: 0 };
        last.write_all(&hello.to_bytes()).unwrap();
        let mut answer = [0; ANSWER];
        last.read_exact(&mut answer).unwrap();
        assert_eq!(Verdict::parse(&answer), Some((Verdict::Later, 0)));
        // The first one had to go for it.
        assert!(!matches!(callers[0].read(&mut [0; 1]), Ok(1..)));
    }
}

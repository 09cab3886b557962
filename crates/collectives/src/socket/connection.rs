//! A connected socket of either kind, used without blocking.

use std::io::{self, IoSlice, IoSliceMut};
use std::net::TcpStream;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendAncillaryBuffer, SendFlags, Shutdown, sockopt};

use crate::group::BoxStream;

/// How much may be under way on a Unix socket, which does not widen by itself as TCP does. The system may
/// allow less.
const UNIX_BUFFER: usize = 1 << 20;

/// The same for TCP between processes of one machine: there no bytes are under way for long, the system widens the
/// buffers too late, and a sender that meets a full one waits for the receiver's turn. Between machines it knows
/// better, from the time a round trip takes.
const LOOPBACK_BUFFER: usize = 1 << 20;

/// A connection to a peer.
pub(crate) struct Connection {
    socket: OwnedFd,
    near: bool,
}

/// What one attempt to move bytes came to.
pub(crate) enum Moved {
    Bytes(usize),
    /// Nothing can be moved just now.
    Blocked,
}

impl Connection {
    pub fn tcp(stream: TcpStream) -> io::Result<Connection> {
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        let ends = (stream.local_addr(), stream.peer_addr());
        let same = matches!(ends, (Ok(near), Ok(far)) if near.ip() == far.ip());
        let socket = OwnedFd::from(stream);
        if same {
            // Smaller ones are slower, nothing worse.
            let _ = sockopt::set_socket_send_buffer_size(&socket, LOOPBACK_BUFFER);
            let _ = sockopt::set_socket_recv_buffer_size(&socket, LOOPBACK_BUFFER);
        }
        Ok(Connection { socket, near: false })
    }

    pub fn unix(stream: UnixStream) -> io::Result<Connection> {
        stream.set_nonblocking(true)?;
        let socket = OwnedFd::from(stream);
        // A smaller buffer is slower, nothing worse.
        let _ = sockopt::set_socket_send_buffer_size(&socket, UNIX_BUFFER);
        Ok(Connection { socket, near: true })
    }

    /// True for a Unix socket.
    pub fn is_near(&self) -> bool {
        self.near
    }

    /// The socket as a stream of tokio's; to be called on its runtime.
    pub fn into_stream(self) -> io::Result<BoxStream> {
        Ok(if self.near {
            Box::new(tokio::net::UnixStream::from_std(self.socket.into())?)
        } else {
            Box::new(tokio::net::TcpStream::from_std(self.socket.into())?)
        })
    }

    pub fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }

    /// Ends both directions, also for a thread that waits.
    pub fn shut(&self) {
        // Fails only if it is shut already.
        let _ = rustix::net::shutdown(&self.socket, Shutdown::Both);
    }

    /// True if the other end has closed it.
    pub fn is_closed(&self) -> bool {
        // What is asked for beyond hang-ups and errors, which are always told.
        #[cfg(target_os = "linux")]
        let asked = PollFlags::RDHUP;
        #[cfg(not(target_os = "linux"))]
        let asked = PollFlags::empty();
        let mut one = [PollFd::from_borrowed_fd(self.as_fd(), asked)];
        poll(&mut one, Some(&Timespec::default())).is_ok_and(|told| told > 0)
    }

    pub fn send(&self, bytes: &[u8]) -> io::Result<Moved> {
        moved(rustix::net::send(&self.socket, bytes, SendFlags::NOSIGNAL))
    }

    pub fn send_both(&self, first: &[u8], second: &[u8]) -> io::Result<Moved> {
        let parts = [IoSlice::new(first), IoSlice::new(second)];
        let mut control = SendAncillaryBuffer::default();
        moved(rustix::net::sendmsg(&self.socket, &parts, &mut control, SendFlags::NOSIGNAL))
    }

    /// Never 0 bytes: that is the end of the stream, an error.
    pub fn receive(&self, space: &mut [u8]) -> io::Result<Moved> {
        not_ended(rustix::net::recv(&self.socket, space, RecvFlags::empty()).map(|(n, _)| n))
    }

    pub fn receive_both(&self, first: &mut [u8], second: &mut [u8]) -> io::Result<Moved> {
        let mut parts = [IoSliceMut::new(first), IoSliceMut::new(second)];
        not_ended(rustix::io::readv(&self.socket, &mut parts))
    }
}

fn moved(result: rustix::io::Result<usize>) -> io::Result<Moved> {
    match result {
        Ok(count) => Ok(Moved::Bytes(count)),
        Err(Errno::AGAIN | Errno::INTR) => Ok(Moved::Blocked),
        Err(e) => Err(e.into()),
    }
}

fn not_ended(result: rustix::io::Result<usize>) -> io::Result<Moved> {
    match moved(result)? {
        Moved::Bytes(0) => Err(io::ErrorKind::UnexpectedEof.into()),
        moved => Ok(moved),
    }
}

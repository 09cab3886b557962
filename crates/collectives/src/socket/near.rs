//! The short way between processes of one machine: an abstract Unix socket beside the TCP address.
//!
//! It belongs to the same network namespace as the address and goes with the process. Its name holds the
//! address, so it is looked for only if that address is this machine's.

#[cfg(target_os = "linux")]
mod linux {
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr as UnixAddress, UnixListener, UnixStream};

    fn name(address: SocketAddr) -> std::io::Result<UnixAddress> {
        UnixAddress::from_abstract_name(format!("downpour-mesh-{address}"))
    }

    /// Only addresses of this machine can be bound.
    fn is_ours(ip: IpAddr) -> bool {
        ip.is_loopback() || UdpSocket::bind((ip, 0)).is_ok()
    }

    pub fn listen(address: SocketAddr) -> Option<UnixListener> {
        UnixListener::bind_addr(&name(address).ok()?).ok()
    }

    pub fn connect(address: SocketAddr) -> Option<UnixStream> {
        if !is_ours(address.ip()) {
            return None;
        }
        // Who listens everywhere has that in its name.
        let anywhere = |ip| SocketAddr::new(ip, address.port());
        let four = anywhere(Ipv4Addr::UNSPECIFIED.into());
        let six = anywhere(Ipv6Addr::UNSPECIFIED.into());
        [address, four, six]
            .into_iter()
            .find_map(|address| UnixStream::connect_addr(&name(address).ok()?).ok())
    }
}

#[cfg(not(target_os = "linux"))]
mod linux {
    use std::net::SocketAddr;
    use std::os::unix::net::{UnixListener, UnixStream};

    pub fn listen(_: SocketAddr) -> Option<UnixListener> {
        None
    }

    pub fn connect(_: SocketAddr) -> Option<UnixStream> {
        None
    }
}

pub(super) use linux::{connect, listen};

//! The short way between tasks of one machine: a Unix socket, three times as fast as TCP over loopback.
//!
//! A task that listens on a loopback address also listens on an abstract Unix socket of that name, which
//! belongs to the same network namespace as the address and goes with the process. Only links take it:
//! TensorFlow's tasks have none.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use socket2::SockRef;
use tokio::net::{UnixListener, UnixStream};

/// The name of the socket beside an address, if tasks of this machine reach the address by loopback.
fn name(address: SocketAddr) -> Option<String> {
    let ip = match address.ip() {
        // Who listens everywhere listens there too.
        ip if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        ip => ip,
    };
    // The leading zero makes it abstract: no file.
    ip.is_loopback().then(|| format!("\0downpour-link-{}", SocketAddr::new(ip, address.port())))
}

/// How much may be under way: a large tensor should not be handed over in small pieces. The system may allow
/// less.
const BUFFER: usize = 4 << 20;

/// Lets more be under way than a Unix socket does by itself.
pub fn widen(stream: UnixStream) -> UnixStream {
    if let Err(e) = SockRef::from(&stream).set_send_buffer_size(BUFFER) {
        tracing::debug!("a link keeps its small buffer: {e}");
    }
    stream
}

/// Listens beside a TCP address; `None` if that is not reached by loopback, or the system has no such sockets.
pub fn listen(address: SocketAddr) -> Option<UnixListener> {
    UnixListener::bind(name(address)?).ok()
}

/// Connects to the socket beside an address, if there is one of the same user: any other user could have taken the name
/// first, to read or change what passes.
pub async fn connect(address: SocketAddr) -> Option<UnixStream> {
    let stream = UnixStream::connect(name(address)?).await.ok()?;
    let peer = stream.peer_cred().ok()?;
    (peer.uid() == rustix::process::geteuid().as_raw()).then(|| widen(stream))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_addresses_have_a_name() {
        let of = |address: &str| name(address.parse().unwrap());
        assert_eq!(of("127.0.0.1:2222").unwrap(), "\0downpour-link-127.0.0.1:2222");
        assert_eq!(of("0.0.0.0:2222"), of("127.0.0.1:2222"));
        assert_eq!(of("[::1]:7").unwrap(), "\0downpour-link-[::1]:7");
        assert!(of("10.0.0.1:2222").is_none());
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn who_listens_is_found() {
        let address: SocketAddr = "127.0.0.1:1".parse().unwrap();
        assert!(connect(address).await.is_none());
        let listener = listen(address).unwrap();
        let near = connect(address).await.unwrap();
        let (far, _) = listener.accept().await.unwrap();
        near.writable().await.unwrap();
        assert_eq!(near.try_write(b"hello").unwrap(), 5);
        far.readable().await.unwrap();
        let mut heard = [0; 5];
        assert_eq!(far.try_read(&mut heard).unwrap(), 5);
    }
}

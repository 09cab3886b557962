//! Where a server listens.

use std::net::{SocketAddr, ToSocketAddrs};

use downpour_tensor::{Result, Status};

/// The socket address of `host:port`.
pub fn resolve(address: &str) -> Result<SocketAddr> {
    let resolved = address.to_socket_addrs().map_err(|e| {
        Status::invalid_argument(format!("'{address}' is not an address to listen on: {e}"))
    })?;
    // IPv4 first: TensorFlow's clients try `localhost` as 127.0.0.1 before ::1.
    let mut all: Vec<SocketAddr> = resolved.collect();
    all.sort_by_key(|a| a.is_ipv6());
    all.first()
        .copied()
        .ok_or_else(|| Status::invalid_argument(format!("'{address}' resolves to no address")))
}

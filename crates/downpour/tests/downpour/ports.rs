//! Loopback addresses for the tasks of a test.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Below the ports that systems give to whoever asks for any: between the choice of a port and its use no other test,
/// and nobody's connection, gets it.
const FIRST: u32 = 6_000;
const COUNT: u32 = 4_000;

/// Different addresses on which nobody listens, each given once in this process.
pub fn addresses(count: usize) -> Vec<String> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    // Processes that run at the same time begin at different places.
    let start = std::process::id().wrapping_mul(397);
    let candidates = (0..COUNT).map(|_| {
        let next = NEXT.fetch_add(1, Relaxed);
        FIRST + start.wrapping_add(next) % COUNT
    });
    let free = candidates.filter(|port| {
        let port = u16::try_from(*port).expect("ports have 16 bits");
        TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
    });
    let found: Vec<String> = free.take(count).map(|port| format!("127.0.0.1:{port}")).collect();
    assert_eq!(found.len(), count, "there are not so many free ports");
    found
}

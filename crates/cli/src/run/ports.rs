//! Free ports for a cluster's tasks.

use std::hash::{BuildHasher, RandomState};
use std::net::{Ipv4Addr, TcpListener};

use downpour_tensor::{Result, Status};

/// Below the ports that systems give to outgoing connections: while a task is down, nobody else's
/// connection takes its port, and a client that tries again and again never connects to itself.
const FIRST: u16 = 20_000;
const COUNT: u16 = 12_000;

/// Loopback ports nobody listens on, all different.
pub fn free(count: usize) -> Result<Vec<u16>> {
    // Runs that start at the same moment begin at different places.
    let start = RandomState::new().hash_one(std::process::id()) % u64::from(COUNT);
    let mut held = Vec::new();
    for i in 0..COUNT {
        if held.len() == count {
            break;
        }
        let port = FIRST + ((start + u64::from(i)) % u64::from(COUNT)) as u16;
        // Held until all are found.
        held.extend(TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map(|held| (port, held)));
    }
    if held.len() < count {
        return Err(Status::resource_exhausted(format!(
            "only {} of {count} ports are free on 127.0.0.1 between {FIRST} and {}",
            held.len(),
            FIRST + COUNT
        )));
    }
    Ok(held.into_iter().map(|(port, _)| port).collect())
}

#[cfg(test)]
mod tests {
    #[test]
    fn ports_differ_and_can_be_bound() {
        let ports = super::free(20).unwrap();
        let mut different = ports.clone();
        different.sort();
        different.dedup();
        assert_eq!(different.len(), 20);
        assert!(super::free(usize::from(super::COUNT) + 1).is_err());
    }
}

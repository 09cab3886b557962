//! The limits of a server's port, all in one place.
//!
//! They hold before memory is reserved or a call is begun, on each of the four protocols of the port. Strangers meet
//! them; the defaults are beyond anything TensorFlow's own clients and tasks do.

use std::time::Duration;

use downpour_params::ConnectionLimits;

/// File descriptors that connections leave to files, listeners and connections of our own.
const OTHER_FILES: usize = 64;

/// Limits on what clients may use.
#[derive(Clone, Debug)]
pub struct PortLimits {
    /// Connections in all.
    pub connections: usize,
    /// Connections from one address (for IPv6, one /64 network). All tasks of a machine share it.
    pub peer_connections: usize,
    /// Connections that have not said yet what they want. For one more, the oldest of them is closed.
    pub silent_connections: usize,
    /// The time a connection may take to say what it wants.
    pub hello: Duration,
    /// The time a message that has begun may stand still on its way to us.
    pub stall: Duration,
    /// The time a connection may take nothing of what is sent to it.
    pub unread: Duration,
    /// Calls that may be open on one gRPC connection. TensorFlow's tasks ask for every value of a step at once, and the
    /// call that makes us produce them comes over the same connection, perhaps last: were it kept waiting behind
    /// them, both sides would wait for ever.
    pub calls: u32,
    /// Sessions that are kept although the connection of their client has ended.
    pub dropped_sessions: usize,
    /// The time such a session is kept after it was used last; without one, as long as there is room.
    pub dropped_session_time: Option<Duration>,
}

impl Default for PortLimits {
    fn default() -> PortLimits {
        let ConnectionLimits { hello, stall } = ConnectionLimits::default();
        PortLimits {
            connections: 16_384,
            peer_connections: 8_192,
            silent_connections: 1_024,
            hello,
            stall,
            unread: Duration::from_secs(300),
            calls: 16_384,
            dropped_sessions: 100,
            dropped_session_time: Some(Duration::from_secs(3 * 3600)),
        }
    }
}

impl PortLimits {
    /// The same limits for a process that may open so many files: connections leave some for everything else, one
    /// address does not take all of them, and the silent ones are the fewest.
    pub fn within_files(&self, files: usize) -> PortLimits {
        let connections = self.connections.min(files.saturating_sub(OTHER_FILES).max(files / 2));
        let connections = connections.max(1);
        PortLimits {
            connections,
            peer_connections: self.peer_connections.min((connections * 3 / 4).max(1)),
            silent_connections: self.silent_connections.min((connections / 4).max(1)),
            ..self.clone()
        }
    }

    /// The limits of connections that speak our own protocols.
    pub fn connection(&self) -> ConnectionLimits {
        ConnectionLimits { hello: self.hello, stall: self.stall }
    }
}

/// Raises this process's limit of open files as far as the system allows it, and returns the limit.
pub fn raise_file_limit() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    let current = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => limit.maximum,
        Err(_) => limit.current,
    };
    // No limit at all is as good as a very large one.
    current.map_or(usize::MAX, |files| usize::try_from(files).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_files_leave_room_for_everybody() {
        let limits = PortLimits::default();
        let plenty = limits.within_files(1 << 20);
        assert_eq!(plenty.connections, limits.connections);
        assert_eq!(plenty.silent_connections, limits.silent_connections);
        let few = limits.within_files(256);
        assert_eq!((few.connections, few.peer_connections, few.silent_connections), (192, 144, 48));
        for files in 0..200 {
            let few = limits.within_files(files);
            assert!(few.silent_connections >= 1 && few.peer_connections >= 1);
            assert!(few.silent_connections <= few.connections);
            assert!(few.connections <= files.max(1));
        }
    }

    #[test]
    fn the_limit_of_files_is_known() {
        assert!(raise_file_limit() >= 64);
    }
}

//! The flags that limit what clients may use of a server's port.

use std::time::Duration;

use clap::Args;
use downpour_cluster::PortLimits;

#[derive(Args)]
#[command(next_help_heading = "Limits of the port")]
pub struct PortArgs {
    /// Allow so many connections in all. Fewer are allowed if the system lets the process open fewer files.
    #[arg(long, value_name = "COUNT", default_value_t = PortLimits::default().connections, value_parser = at_least_one)]
    connection_limit: usize,
    /// Allow so many connections from one address. All tasks and clients of a machine share it.
    #[arg(long, value_name = "COUNT", default_value_t = PortLimits::default().peer_connections, value_parser = at_least_one)]
    peer_connection_limit: usize,
    /// Keep so many connections that have not said what they want; close the oldest of them for a new one.
    #[arg(long, value_name = "COUNT", default_value_t = PortLimits::default().silent_connections, value_parser = at_least_one)]
    silent_connection_limit: usize,
    /// Close a connection that has not said what it wants after so long.
    #[arg(long, value_name = "SECONDS", default_value_t = PortLimits::default().hello.as_secs(), value_parser = clap::value_parser!(u64).range(1..))]
    hello_timeout: u64,
    /// End a message that has begun and of which nothing has come for so long.
    #[arg(long, value_name = "SECONDS", default_value_t = PortLimits::default().stall.as_secs(), value_parser = clap::value_parser!(u64).range(1..))]
    stall_timeout: u64,
    /// Close a connection that has read nothing of what it was sent for so long.
    #[arg(long, value_name = "SECONDS", default_value_t = PortLimits::default().unread.as_secs(), value_parser = clap::value_parser!(u64).range(1..))]
    unread_timeout: u64,
    /// Allow so many open calls on one gRPC connection. A TensorFlow task opens one for every value it waits for.
    #[arg(long, value_name = "COUNT", default_value_t = PortLimits::default().calls, value_parser = clap::value_parser!(u32).range(1..))]
    call_limit: u32,
    /// Keep so many sessions whose client's connection has ended without closing them.
    #[arg(long, value_name = "COUNT", default_value_t = PortLimits::default().dropped_sessions)]
    dropped_session_limit: usize,
    /// Close such a session when nobody has used it for so long. 0 is never, as in TensorFlow's server.
    #[arg(long, value_name = "SECONDS", default_value_t = dropped_session_time())]
    dropped_session_timeout: u64,
}

fn dropped_session_time() -> u64 {
    PortLimits::default().dropped_session_time.map_or(0, |time| time.as_secs())
}

/// A number of connections with which a server can be reached.
fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("nobody could connect; give at least 1".to_string()),
        Ok(count) => Ok(count),
        Err(_) => Err(format!("'{text}' is not a number of connections")),
    }
}

impl PortArgs {
    pub fn limits(&self) -> PortLimits {
        let seconds = Duration::from_secs;
        PortLimits {
            connections: self.connection_limit,
            peer_connections: self.peer_connection_limit,
            silent_connections: self.silent_connection_limit,
            hello: seconds(self.hello_timeout),
            stall: seconds(self.stall_timeout),
            unread: seconds(self.unread_timeout),
            calls: self.call_limit,
            dropped_sessions: self.dropped_session_limit,
            dropped_session_time: Some(seconds(self.dropped_session_timeout))
                .filter(|time| !time.is_zero()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Whole {
        #[command(flatten)]
        port: PortArgs,
    }

    #[test]
    fn flags_say_what_the_limits_are() {
        let defaults = Whole::parse_from(["serve"]).port.limits();
        assert_eq!(format!("{defaults:?}"), format!("{:?}", PortLimits::default()));
        let words = ["serve", "--hello-timeout", "3", "--dropped-session-timeout", "0"];
        let limits = Whole::parse_from(words).port.limits();
        assert_eq!((limits.hello, limits.dropped_session_time), (Duration::from_secs(3), None));
        assert!(Whole::try_parse_from(["serve", "--connection-limit", "0"]).is_err());
    }
}

//! Sessions whose client has gone without closing them.
//!
//! A client that lives may still lose its connection and come back with another: gRPC drops connections that were idle
//! for half an hour, networks fail. So a session is kept for long after its last connection has ended, unless many
//! such sessions are kept already: then the one that was used longest ago is closed first.

use std::sync::{Arc, Weak};
use std::time::Duration;

use super::{MasterSession, Sessions};
use crate::doors::CallConnection;
use crate::limits::PortLimits;

/// Time a client has to connect again before its session counts as dropped.
const RECONNECTING: Duration = Duration::from_secs(60);

impl MasterSession {
    /// The session was called over this connection. Calls within the process come over none.
    pub fn used_by(&self, connection: Option<CallConnection>) {
        let Some(CallConnection(connection)) = connection else { return };
        let mut last = self.connection.lock();
        if !last.as_ref().is_some_and(|last| Weak::ptr_eq(last, &connection)) {
            *last = Some(connection);
        }
    }

    /// True if the connection that used it last has ended.
    fn is_dropped(&self) -> bool {
        let last = self.connection.lock();
        last.as_ref().is_some_and(|connection| connection.strong_count() == 0)
    }
}

impl Sessions {
    /// Closes sessions whose clients have gone, as far as the limits say.
    pub fn collect_dropped(&self, limits: &PortLimits) {
        let closed: Vec<(String, Arc<MasterSession>)> = {
            let mut open = self.open.lock();
            let dropped = open.iter().filter(|(_, session)| session.is_dropped());
            let idle = dropped.map(|(handle, session)| (handle.clone(), session.activity.idle()));
            let over = over_limits(idle.collect(), limits);
            over.into_iter().filter_map(|handle| open.remove_entry(&handle)).collect()
        };
        for (handle, session) in closed {
            tracing::warn!(
                "closing session {handle}: its client's connection has ended without closing it, and nobody has used \
                 it for {:.0} s (--dropped-session-limit, --dropped-session-timeout)",
                session.activity.idle().as_secs_f64()
            );
            session.session.close();
        }
    }
}

/// Which of these sessions, with the time since each was used, are not to be kept any longer.
fn over_limits(mut dropped: Vec<(String, Duration)>, limits: &PortLimits) -> Vec<String> {
    let reconnecting = limits.dropped_session_time.unwrap_or(RECONNECTING).min(RECONNECTING);
    dropped.retain(|(_, idle)| *idle > reconnecting);
    dropped.sort_by_key(|(_, idle)| std::cmp::Reverse(*idle));
    let too_many = dropped.len().saturating_sub(limits.dropped_sessions);
    let is_old = |idle: Duration| limits.dropped_session_time.is_some_and(|longest| idle > longest);
    let over = dropped.into_iter().enumerate();
    over.filter(|(place, (_, idle))| *place < too_many || is_old(*idle))
        .map(|(_, (handle, _))| handle)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(sessions: usize, seconds: Option<u64>) -> PortLimits {
        PortLimits {
            dropped_sessions: sessions,
            dropped_session_time: seconds.map(Duration::from_secs),
            ..PortLimits::default()
        }
    }

    fn dropped(idle: &[u64]) -> Vec<(String, Duration)> {
        idle.iter().map(|s| (s.to_string(), Duration::from_secs(*s))).collect()
    }

    #[test]
    fn the_longest_unused_are_closed_first() {
        let all = dropped(&[100, 3000, 61, 500, 10]);
        assert_eq!(over_limits(all.clone(), &limits(2, None)), ["3000", "500"]);
        assert_eq!(over_limits(all.clone(), &limits(9, Some(400))), ["3000", "500"]);
        assert!(over_limits(all.clone(), &limits(9, None)).is_empty());
        // Who was there a moment ago may be about to come back.
        assert_eq!(over_limits(all.clone(), &limits(0, None)), ["3000", "500", "100", "61"]);
        assert_eq!(over_limits(all, &limits(9, Some(5))).len(), 5);
    }
}

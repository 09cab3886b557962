//! The record of connected members: a process that has a connection lives, and nobody else can take its name.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

/// The member or worker, and which of its starts.
type Who = (u64, u64);

/// The starts of members that have connections. Clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Attendance(Arc<Mutex<BTreeMap<Who, usize>>>);

impl Attendance {
    /// Returns true if this start of a member has a connection.
    pub fn has(&self, member: u64, start: u64) -> bool {
        self.0.lock().contains_key(&(member, start))
    }

    /// A connection on which nobody has joined yet.
    pub fn connection(&self) -> Presence {
        Presence { attendance: self.clone(), who: None }
    }

    fn come(&self, who: Who) {
        *self.0.lock().entry(who).or_default() += 1;
    }

    fn go(&self, who: Who) {
        let mut connections = self.0.lock();
        if let Some(count) = connections.get_mut(&who) {
            *count -= 1;
            if *count == 0 {
                connections.remove(&who);
            }
        }
    }
}

/// A member's presence on one connection; it ends with the connection.
#[derive(Debug)]
pub struct Presence {
    attendance: Attendance,
    who: Option<Who>,
}

impl Presence {
    /// Notes who has joined on this connection, or given a sign of life.
    pub fn joined(&mut self, member: u64, start: u64) {
        let who = Some((member, start));
        if self.who != who {
            self.end();
            self.attendance.come((member, start));
            self.who = who;
        }
    }

    fn end(&mut self) {
        if let Some(who) = self.who.take() {
            self.attendance.go(who);
        }
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_attends_while_it_has_a_connection() {
        let attendance = Attendance::default();
        let mut one = attendance.connection();
        one.joined(3, 1);
        one.joined(3, 1);
        let mut other = attendance.connection();
        other.joined(3, 1);
        drop(one);
        assert!(attendance.has(3, 1));
        other.joined(3, 2);
        assert!(!attendance.has(3, 1) && attendance.has(3, 2));
        drop(other);
        assert!(attendance.0.lock().is_empty());
    }
}

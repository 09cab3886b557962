//! The end of a run: clients first, so that they can still save what servers hold.

use std::time::Duration;

use downpour_tensor::{Result, Status};
use rustix::process::Signal;
use tokio::signal::unix::{Signal as Source, SignalKind, signal};
use tokio::time::Instant;

use super::fleet::Fleet;
use super::plan::Role;

/// The signals that ask us to stop.
pub struct Signals {
    interrupt: Source,
    terminate: Source,
    hang_up: Source,
}

impl Signals {
    pub fn new() -> Result<Signals> {
        let listen = |kind| {
            signal(kind).map_err(|e| Status::internal(format!("cannot listen for signals: {e}")))
        };
        Ok(Signals {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
            hang_up: listen(SignalKind::hangup())?,
        })
    }

    pub async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.interrupt.recv() => Signal::INT,
            _ = self.terminate.recv() => Signal::TERM,
            _ = self.hang_up.recv() => Signal::HUP,
        }
    }
}

/// Ends everything: `with` goes to the clients, SIGTERM to the servers after them, SIGKILL to what is
/// left after `grace` or when a further signal comes.
pub async fn stop(fleet: &mut Fleet, signals: &mut Signals, with: Signal, grace: Duration) {
    let servers = &[Role::Server, Role::Background][..];
    let mut hurry = false;
    for (roles, with) in [(&[Role::Client][..], with), (servers, Signal::TERM)] {
        if !hurry {
            fleet.signal(roles, with);
            // A stopped process (SIGSTOP) would notice nothing, and clients may need what a stopped server holds.
            fleet.signal(&[Role::Client, Role::Server, Role::Background], Signal::CONT);
            hurry = !ended(fleet, signals, roles, grace).await;
        }
        let left = fleet.running(roles);
        if left > 0 {
            fleet.say(&format!("killing {left} of the processes that have not ended"));
            fleet.signal(roles, Signal::KILL);
            // Nothing resists that, but a process may take a while to give back its memory.
            while fleet.running(roles) > 0 && fleet.next().await.is_some() {}
        }
    }
}

/// Waits until no process of these roles runs, at most for `grace`; false if we were told to hurry.
async fn ended(fleet: &mut Fleet, signals: &mut Signals, roles: &[Role], grace: Duration) -> bool {
    let limit = Instant::now() + grace;
    while fleet.running(roles) > 0 {
        tokio::select! {
            event = fleet.next() => if event.is_none() { return true },
            _ = signals.next() => return false,
            () = tokio::time::sleep_until(limit) => return true,
        }
    }
    true
}

//! A member whose messages go out by themselves.

use std::sync::Arc;
use std::time::Duration;

use downpour_tensor::{Result, Status};
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until, timeout};

use crate::member::{Member, MemberEvent};
use crate::message::{Lease, Measurements, Request, Response};

/// A member that training threads and the network share. Clones are the same one.
///
/// [`run`](MemberHandle::run) moves the messages; everything else may be called from any thread and never waits for
/// the network.
#[derive(Clone, Debug)]
pub struct MemberHandle {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    member: Mutex<Member>,
    origin: Instant,
    /// Something was asked of the member: it may have something to send.
    asked: Notify,
    /// An answer came: there may be an event or a lease.
    answered: Notify,
}

impl MemberHandle {
    /// Shares a member. To be called where tokio's clock is.
    pub fn new(member: Member) -> MemberHandle {
        let shared = Shared {
            member: Mutex::new(member),
            origin: Instant::now(),
            asked: Notify::new(),
            answered: Notify::new(),
        };
        MemberHandle { shared: Arc::new(shared) }
    }

    /// Sends what the member has to say by `call`, until it is over (left, replaced or refused). An error of `call`
    /// means that there was no answer: the request is repeated. `call` may be dropped at any moment.
    pub async fn run<F>(&self, mut call: impl FnMut(Request) -> F)
    where
        F: Future<Output = Result<Response>>,
    {
        loop {
            let (request, wake, over) = {
                let mut member = self.shared.member.lock();
                (member.poll(self.now()), member.next_wake(), member.is_over())
            };
            self.shared.answered.notify_waiters();
            if over {
                return;
            }
            match request {
                Some(request) => {
                    let until = wake.saturating_sub(self.now()).max(Duration::from_millis(1));
                    match timeout(until, call(request)).await {
                        Ok(Ok(response)) => self.shared.member.lock().receive(self.now(), response),
                        // It is repeated when its time has come.
                        Ok(Err(_)) => sleep_until(self.shared.origin + wake).await,
                        Err(_) => {}
                    }
                }
                None => {
                    let wake =
                        self.shared.origin + wake.min(self.now() + Duration::from_secs(3600));
                    tokio::select! {
                        () = sleep_until(wake) => {}
                        () = self.shared.asked.notified() => {}
                    }
                }
            }
        }
    }

    /// Asks something of the member: [`work_on`](Member::work_on), [`progress`](Member::progress),
    /// [`complete`](Member::complete), [`leave`](Member::leave).
    pub fn with<T>(&self, ask: impl FnOnce(&mut Member) -> T) -> T {
        let result = ask(&mut self.shared.member.lock());
        self.shared.asked.notify_one();
        result
    }

    /// What it measures of itself.
    pub fn measure(&self, measurements: Measurements) {
        // Told with the next heartbeat: nobody has to wake up for it.
        self.shared.member.lock().measure(measurements);
    }

    /// The next unit. `None` when there is none left: the dataset is complete, nothing was asked for
    /// ([`work_on`](Member::work_on)), or the member is over; the events say which.
    pub async fn next_lease(&self) -> Option<Lease> {
        loop {
            let answered = self.shared.answered.notified();
            tokio::pin!(answered);
            // From here on no notice is missed.
            answered.as_mut().enable();
            {
                let mut member = self.shared.member.lock();
                if let Some(lease) = member.take_lease() {
                    self.shared.asked.notify_one();
                    return Some(lease);
                }
                if !member.wants_leases() {
                    return None;
                }
            }
            answered.await;
        }
    }

    /// The next event. CANCELLED when the member is over and everything was said.
    pub async fn next_event(&self) -> Result<MemberEvent> {
        loop {
            let answered = self.shared.answered.notified();
            tokio::pin!(answered);
            answered.as_mut().enable();
            {
                let mut member = self.shared.member.lock();
                if let Some(event) = member.take_event() {
                    return Ok(event);
                }
                if member.is_over() {
                    return Err(Status::cancelled("the member takes part no more"));
                }
            }
            answered.await;
        }
    }

    fn now(&self) -> Duration {
        self.shared.origin.elapsed()
    }
}

//! The leader: has cuts made, and has all servers go back when one has died.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use downpour_tensor::{Code, Result, Status};
use futures_util::future::{join_all, try_join_all};
use tokio::time::Instant;

use super::Recovered;
use super::messages::{GoBack, Look, Reply, Request, Settle, Step, Take, Write};
use crate::caller::{Caller, Patience};
use crate::client::Shard;
use crate::message::{Answer, Ask};
use crate::moving::common_cut::Cut;

/// How often the leader looks at all servers.
const LOOK: Duration = Duration::from_millis(100);
/// How long a server may take to say how it is.
const SOON: Duration = Duration::from_secs(2);
/// How long a server that cannot be reached is tried for: it may be dead, and then others wait for the leader.
const TRY: Duration = Duration::from_secs(2);
/// How long writing or reading a cut may take.
const DISK: Duration = Duration::from_secs(600);
/// How long pushes may have to wait for a cut.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long servers hold without a sign of the leader.
const HOLD: Duration = Duration::from_secs(2);
/// After this many failed cuts, servers need not have the same positions of leased data any more: a
/// worker has died after some servers had its push, and nobody does its work again.
const STRICT: u32 = 6;
/// The longest time between two cuts.
const LONGEST_EVERY: Duration = Duration::from_secs(24 * 3600);
/// After this many failures to go back to a cut an older one is taken: a disk may not be able to read it any more.
const TRIES: u32 = 5;
/// How long after a failure servers are asked to go back again.
const AGAIN: Duration = Duration::from_millis(500);
/// The longest pause after cuts that could not be made.
const LONGEST_PAUSE: Duration = Duration::from_secs(8);
/// Pauses are at least this multiple of the time for which pushes waited, which keeps the cost of cuts under 3 %.
const HELD_SHARE: u32 = 40;
/// The same for the time that writing takes, while training goes on.
const WRITING_SHARE: u32 = 10;

/// The settings of a leader.
pub struct Lead {
    /// All servers, the leader's own among them.
    pub servers: Vec<Shard>,
    /// How long between two cuts, at least.
    pub every: Duration,
    /// A number that no other start of a leader has.
    pub start: u64,
    /// Hears of every recovery.
    pub tell: Arc<dyn Fn(Recovered) + Send + Sync>,
}

struct Leader {
    /// For what is answered at once, and for what waits for a disk.
    quick: Vec<Caller>,
    patient: Vec<Caller>,
    every: Duration,
    start: u64,
    ids: u64,
    /// How often servers could not go back to a cut, by its number.
    failures: BTreeMap<u64, u32>,
    tell: Arc<dyn Fn(Recovered) + Send + Sync>,
}

/// The cost of a cut.
struct Cost {
    held: Duration,
    writing: Duration,
}

/// One server's state.
pub(crate) async fn look(server: &Caller) -> Result<Reply> {
    ask(server, Step::Look(Look {})).await
}

async fn ask(server: &Caller, step: Step) -> Result<Reply> {
    let request = Ask::Recovery(Request { step: Some(step) });
    let (answer, _) = server.call(request, &[]).await?;
    Ok(answer.recovering.unwrap_or_default())
}

/// Leads all servers; never ends.
pub async fn lead(lead: Lead) {
    let Lead { servers, every, start, tell } = lead;
    // "Never" may be any large number.
    let every = every.min(LONGEST_EVERY);
    let patience = |answer: Duration| Patience {
        total: TRY,
        answer,
        longest_pause: Duration::from_millis(200),
        beat: SOON,
        ..Patience::default()
    };
    let caller =
        |shard: &Shard, answer| Caller::new(&shard.name, shard.connect.clone(), patience(answer));
    let quick = servers.iter().map(|shard| caller(shard, SOON)).collect();
    let patient = servers.iter().map(|shard| caller(shard, DISK)).collect();
    let failures = BTreeMap::new();
    Leader { quick, patient, every, start, ids: 0, failures, tell }.run().await;
}

impl Leader {
    async fn run(mut self) {
        let mut next = Instant::now() + self.every;
        let mut failed = 0u32;
        // Each server's recovery and version at the last cut.
        let mut cut_at: Vec<(u64, u64)> = Vec::new();
        loop {
            tokio::time::sleep(LOOK).await;
            let Some(looks) = self.look().await else { continue };
            if looks.iter().any(|look| look.waits || look.recovery != looks[0].recovery) {
                match self.go_back(&looks).await {
                    Ok(recovered) => (self.tell)(recovered),
                    Err(e) => {
                        tracing::warn!("servers have not gone back to a cut yet: {e}");
                        tokio::time::sleep(AGAIN).await;
                    }
                }
                next = Instant::now() + self.every;
                continue;
            }
            let now: Vec<(u64, u64)> =
                looks.iter().map(|look| (look.recovery, look.version)).collect();
            // The first is made as soon as there are values, which nobody may be there to give again.
            let first = looks.iter().any(|look| look.cuts.is_empty());
            if !looks.iter().all(|look| look.ready)
                || Instant::now() < next && !(first && failed == 0)
                || now == cut_at && !first
            {
                continue;
            }
            let pause = match self.cut(&looks, failed < STRICT).await {
                Ok(cost) => {
                    (failed, cut_at) = (0, now);
                    (cost.held * HELD_SHARE).max(cost.writing * WRITING_SHARE)
                }
                Err(e) => {
                    // Somebody is in the middle of a push and does not get further; others must not wait for it for long.
                    failed += 1;
                    tracing::debug!("no cut: {e}");
                    (self.every * 2u32.saturating_pow(failed.min(8))).min(LONGEST_PAUSE)
                }
            };
            next = Instant::now() + pause.max(self.every);
        }
    }

    /// A number that is used once, and is not 0.
    fn next_id(&mut self) -> u64 {
        self.ids += 1;
        self.start.wrapping_add(self.ids.wrapping_mul(0x9e37_79b9_7f4a_7c15)).max(1)
    }

    /// The state of all servers; `None` while one of them does not answer.
    async fn look(&self) -> Option<Vec<Reply>> {
        let all = self.quick.iter().map(|server| async move {
            let ask = Ask::Recovery(Request { step: Some(Step::Look(Look {})) });
            let answer: Answer = server.try_once(ask).await?.ok()?;
            answer.recovering
        });
        join_all(all).await.into_iter().collect()
    }

    /// Has every server write a cut.
    async fn cut(&mut self, looks: &[Reply], same_positions: bool) -> Result<Cost> {
        let id = self.next_id();
        let newest = looks.iter().map(|look| look.newest).max().unwrap_or(0);
        let number = newest.checked_add(1).ok_or_else(|| {
            Status::resource_exhausted(
                "cuts cannot be numbered any more: a server has the last number",
            )
        })?;
        let cut = Cut { id, layout: None, same_positions, patience: PATIENCE, hold: HOLD };
        let begun = Instant::now();
        let taken = async {
            let at_cut = cut.reach(&self.quick).await?;
            let take =
                self.quick.iter().zip(&at_cut).map(|(server, at)| {
                    ask(server, Step::Take(Take { number, id, hold: at.hold }))
                });
            try_join_all(take).await
        };
        let taken = taken.await;
        cut.let_go(&self.quick).await;
        taken?;
        let held = begun.elapsed();
        let begun = Instant::now();
        let write = self.patient.iter().map(|server| async move {
            let written = ask(server, Step::Write(Write { number })).await;
            written.inspect_err(|e| {
                tracing::error!(
                    "{} could not write its snapshot: {e}. If the disk is full, make room: \
                     until then a server that dies costs everything since the last cut.",
                    server.name()
                );
            })
        });
        try_join_all(write).await?;
        let writing = begun.elapsed();
        let settle = self.patient.iter().map(|s| ask(s, Step::Settle(Settle { number })));
        try_join_all(settle).await?;
        tracing::debug!("cut {number}: held pushes for {held:?}, written in {writing:?}");
        Ok(Cost { held, writing })
    }

    /// Has every server go back to the newest cut that all have.
    async fn go_back(&mut self, looks: &[Reply]) -> Result<Recovered> {
        let (first, others) = looks.split_first().ok_or_else(|| Status::internal("no servers"))?;
        let usable = |number: &&u64| {
            let tried = self.failures.get(number).is_some_and(|failures| *failures >= TRIES);
            !tried && others.iter().all(|look| look.cuts.contains(number))
        };
        let number = first.cuts.iter().filter(usable).max().copied().unwrap_or(0);
        let recovery = self.next_id();
        let back = Step::GoBack(GoBack { number, recovery });
        let all = self.patient.iter().map(|server| ask(server, back.clone()));
        // All are told, whatever one of them says.
        let replies = join_all(all).await.into_iter().collect::<Result<Vec<Reply>>>();
        let replies = replies.inspect_err(|e| {
            // A server that cannot be reached may come back with it.
            if e.code() != Code::Unavailable {
                *self.failures.entry(number).or_default() += 1;
            }
        })?;
        self.failures.clear();
        let waited = self.patient.iter().zip(looks).filter(|(_, look)| look.waits);
        let survived = looks.iter().any(|look| look.ready);
        let state = replies.first().filter(|_| number != 0);
        Ok(Recovered {
            restarted: waited.map(|(server, _)| server.name().to_string()).collect(),
            version: state.map(|reply| reply.version),
            steps: state.map_or(0, |reply| reply.steps),
            lost: survived.then(|| replies.iter().map(|reply| reply.lost).max().unwrap_or(0)),
        })
    }
}

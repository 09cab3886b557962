//! The chief looks at what variables cost the servers, and has them moved where that is uneven.
//!
//! Looking and moving go on beside training, each as one task at a time; between steps `look` sees what they have
//! brought. Building the programs of a new layout is the training thread's work, as the graph is its own.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use downpour_params::{Client, Load, Mode, Mover, Placed};
use downpour_tensor::Result;
use tokio::task::JoinHandle;

use super::division::Division;
use super::{moves, random};
use crate::training::exchange::{Local, handed};
use crate::training::handed::Handed;
use crate::training::layout::{Layout, Weighed, even_out, ways};
use crate::training::stopping::Waits;

/// So many times in a row it must be uneven: what happens once is no reason to move.
const TIMES: u32 = 2;
/// Servers that are busy for less than this share of the time are left alone.
const BUSY: f64 = 0.005;
/// Moving a byte costs about as much as so many nanoseconds of applying: a server writes a gigabyte in a second.
const NANOSECONDS_PER_BYTE: u64 = 1;
/// How long servers may take until they have the same updates.
const PATIENCE: Duration = Duration::from_secs(20);

type Loads = Vec<BTreeMap<String, Load>>;
/// Of each server, with its layout.
type Looked = Vec<(u64, BTreeMap<String, Load>)>;

pub(super) struct Rebalancer {
    every: Duration,
    mover: Arc<Mover>,
    runtime: Waits,
    mode: Mode,
    /// Of the layout that is looked at.
    epoch: u64,
    looking: Option<JoinHandle<Result<Looked>>>,
    moving: Option<JoinHandle<()>>,
    last: Option<(Instant, Loads)>,
    looked: Instant,
    uneven: u32,
}

impl Rebalancer {
    pub fn new(client: &Client, every: Duration, runtime: Waits, mode: Mode, epoch: u64) -> Self {
        Rebalancer {
            every,
            mover: Arc::new(client.mover(PATIENCE)),
            runtime,
            mode,
            epoch,
            looking: None,
            moving: None,
            last: None,
            looked: Instant::now(),
            uneven: 0,
        }
    }

    /// To be called between steps: takes what was measured, and begins what is due.
    pub fn look(&mut self, local: &Local<'_>) -> Result<()> {
        if let Some(moving) = self.moving.take() {
            if moving.is_finished() {
                // Whatever has become of it, what was measured before says nothing any more.
                (self.last, self.uneven) = (None, 0);
            } else {
                self.moving = Some(moving);
                return Ok(());
            }
        }
        match self.looking.take() {
            Some(looking) if looking.is_finished() => match self.runtime.block_on(looking) {
                Ok(Ok(loads)) => self.weigh(local, loads)?,
                Ok(Err(e)) => tracing::debug!("what variables cost is not known: {e}"),
                Err(e) => tracing::debug!("what variables cost is not known: {e}"),
            },
            Some(looking) => self.looking = Some(looking),
            None if self.looked.elapsed() >= self.every => {
                self.looked = Instant::now();
                let mover = self.mover.clone();
                self.looking = Some(self.runtime.spawn(async move { mover.loads().await }));
            }
            None => {}
        }
        Ok(())
    }

    fn weigh(&mut self, local: &Local<'_>, loads: Looked) -> Result<()> {
        let now = Instant::now();
        if loads.iter().any(|(epoch, _)| *epoch != self.epoch) {
            return Ok(());
        }
        let loads: Loads = loads.into_iter().map(|(_, loads)| loads).collect();
        let last = self.last.replace((now, loads.clone()));
        let Some((then, before)) = last else { return Ok(()) };
        let window = now - then;
        let since: Loads =
            loads.iter().zip(&before).map(|(now, before)| since(now, before)).collect();
        let handed = handed(local)?;
        let weighed = weighed(handed, &since);
        let Some(evened) = even_out(&weighed, since.len()) else {
            self.uneven = 0;
            return Ok(());
        };
        let most = evened.before.iter().copied().max().unwrap_or(0);
        if Duration::from_nanos(most) < window.mul_f64(BUSY) {
            return Ok(());
        }
        self.uneven += 1;
        if self.uneven < TIMES {
            return Ok(());
        }
        self.uneven = 0;
        let why = why(&evened.before, &evened.after, &since, window);
        self.begin(local, handed, evened.parts, why)
    }

    /// Builds what the servers are to do, and has variables moved.
    fn begin(
        &mut self,
        local: &Local<'_>,
        handed: &Handed,
        parts: Vec<Vec<crate::training::layout::Part>>,
        why: String,
    ) -> Result<()> {
        let mut moved = Vec::new();
        let variables = handed.gradients.iter().zip(&handed.parts).zip(&parts);
        for (((variable, _), before), after) in variables {
            let rows = variable.shape().dims().first().copied().unwrap_or(1);
            for way in ways(before, after, rows).iter().filter(|way| way.from != way.to) {
                let (name, range) = (variable.name(), &way.rows);
                moved.push(match range.len() == rows {
                    true => format!("{name} from ps/{} to ps/{}", way.from, way.to),
                    false => format!(
                        "{name} [{}..{}] from ps/{} to ps/{}",
                        range.start, range.end, way.from, way.to
                    ),
                });
            }
        }
        let names = handed.gradients.iter().map(|(variable, _)| variable.name().to_string());
        let layout = Layout::new(names.zip(parts).collect(), why, moved);
        tracing::info!("{}; moving {}", layout.why, layout.moved.join(", "));
        let placed = Placed { epoch: self.epoch + 1, layout: layout.to_bytes()? };
        let bytes = placed.layout.clone();
        let next = local.layouts.relaid(local.program, local.optimizers, placed)?;
        let before = Division::new(local.program, handed);
        let after = Division::new(local.program, &next.handed);
        let definitions = after.definitions(local.program, &next.handed, self.mode)?;
        let programs = definitions.into_iter().map(|definition| definition.program).collect();
        let plan = moves::plan(&before, &after, programs, bytes)?;
        let (mover, epoch) = (self.mover.clone(), self.epoch);
        self.moving = Some(self.runtime.spawn(async move {
            match mover.carry_out(random(), epoch, &plan).await {
                Ok(moved) => tracing::info!(
                    "variables have moved: layout {}, {} bytes, no new updates for {:.2} s",
                    moved.epoch,
                    moved.bytes,
                    moved.held.as_secs_f64()
                ),
                Err(e) => tracing::warn!("variables have not moved: {e}"),
            }
        }));
        Ok(())
    }
}

fn since(now: &BTreeMap<String, Load>, before: &BTreeMap<String, Load>) -> BTreeMap<String, Load> {
    let load = |(name, load): (&String, &Load)| {
        (name.clone(), load.since(before.get(name).copied().unwrap_or_default()))
    };
    now.iter().map(load).collect()
}

fn cost(load: &Load) -> u64 {
    load.applying.as_nanos() as u64 + (load.received + load.sent) * NANOSECONDS_PER_BYTE
}

fn weighed(handed: &Handed, loads: &[BTreeMap<String, Load>]) -> Vec<Weighed> {
    let variables = handed.gradients.iter().zip(&handed.parts).zip(&handed.may_cut);
    let weighed = variables.map(|(((variable, _), parts), may_cut)| Weighed {
        rows: variable.shape().dims().first().copied().unwrap_or(1),
        may_cut: *may_cut,
        parts: parts
            .iter()
            .map(|part| (part.clone(), loads[part.place].get(variable.name()).map_or(0, cost)))
            .collect(),
    });
    weighed.collect()
}

fn why(
    before: &[u64],
    after: &[u64],
    loads: &[BTreeMap<String, Load>],
    window: Duration,
) -> String {
    let seconds = |cost: u64| cost as f64 / 1e9;
    let (busiest, most) =
        before.iter().enumerate().max_by_key(|(_, cost)| **cost).unwrap_or((0, &0));
    let mean = before.iter().sum::<u64>() as f64 / before.len().max(1) as f64;
    let of = |of: fn(&Load) -> u64| loads[busiest].values().map(of).sum::<u64>();
    let applying: Duration = loads[busiest].values().map(|load| load.applying).sum();
    format!(
        "in {:.1} s ps/{busiest} has received {} and sent {} bytes and was applying for {:.3} s, {:.2} times the mean \
         of all; {:.2} times are expected",
        window.as_secs_f64(),
        of(|load| load.received),
        of(|load| load.sent),
        applying.as_secs_f64(),
        seconds(*most) / (mean / 1e9).max(f64::MIN_POSITIVE),
        after.iter().copied().max().unwrap_or(0) as f64 / mean.max(f64::MIN_POSITIVE),
    )
}

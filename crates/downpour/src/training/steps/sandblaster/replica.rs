//! A worker that computes units: their batches out of [`Units`], their gradients by the model's step.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use downpour_params::sandblaster::{Contribution, Work, Worked, work};
use downpour_params::{Gradient, Named};
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;
use tokio::task::JoinHandle;

use super::Servers;
use super::units::Units;
use crate::gradients::Gradient as GraphGradient;
use crate::output::Output;
use crate::session::{Fetch, PreparedStep};
use crate::training::evaluator::{rows_of, scalar};
use crate::training::exchange::{Assign, gradients_of};
use crate::training::program::Program;
use crate::training::steps::{Parts, no_values};

/// Computes units, on whichever thread.
pub(super) struct Replica {
    program: Arc<Program>,
    units: Arc<Units>,
    step: PreparedStep,
    assign: Assign,
    /// Where the variables stand now.
    point: Mutex<Option<Arc<Vec<Named<Tensor>>>>>,
    examples: AtomicU64,
    begun: Instant,
    /// What others have read of the units before.
    read_before: Duration,
    /// Nanoseconds since the beginning in which units were computed or read.
    working: AtomicU64,
    /// The mean loss of the last unit.
    loss: Mutex<f64>,
    /// It works no longer, for a reason of its own.
    failed: AtomicBool,
}

/// What a replica has done since it began.
pub(super) struct Done {
    pub examples: u64,
    pub reading: Duration,
    pub computing: Duration,
    /// Exchanging with the servers, and waiting for a unit.
    pub waiting: Duration,
}

impl Replica {
    pub fn new(parts: &Parts<'_>, units: Arc<Units>) -> Result<Replica> {
        let program = parts.run.program.clone();
        let handed = program.update.handed.as_ref();
        let handed = handed.ok_or_else(|| Status::internal("gradients that stay in the graph"))?;
        let inputs: Vec<&Output> = program.train.inputs.iter().collect();
        let gradients = handed.fetches();
        let mut fetches: Vec<&dyn Fetch> = vec![&program.train.built.loss];
        fetches.extend(gradients.iter().map(|value| value as &dyn Fetch));
        let step = parts.session.prepare(&inputs, &fetches)?;
        let local = parts.run.local(parts.session, &no_values);
        let assign = Assign::new(&local, handed.gradients.iter().map(|(variable, _)| variable))?;
        Ok(Replica {
            program,
            read_before: units.reading(),
            units,
            step,
            assign,
            point: Mutex::default(),
            examples: AtomicU64::new(0),
            begun: Instant::now(),
            working: AtomicU64::new(0),
            loss: Mutex::new(f64::NAN),
            failed: AtomicBool::new(false),
        })
    }

    /// Works in the background until the coordinator sends it home.
    pub fn start(
        self: &Arc<Self>,
        servers: &Servers,
        beat: Duration,
    ) -> JoinHandle<Result<Worked>> {
        let (replica, client) = (self.clone(), servers.client.clone());
        servers.runtime.spawn(async move {
            let worked = work(&client, beat, |unit| {
                let replica = replica.clone();
                let computed = tokio::task::spawn_blocking(move || {
                    let begun = Instant::now();
                    let computed = replica.compute(&unit);
                    let took = begun.elapsed().as_nanos() as u64;
                    replica.working.fetch_add(took, Ordering::Relaxed);
                    computed
                });
                async move {
                    let lost = |e| Status::internal(format!("a unit has failed: {e}"));
                    computed.await.map_err(lost)?
                }
            })
            .await;
            replica.failed.store(worked.is_err(), Ordering::Relaxed);
            worked
        })
    }

    pub fn done(&self) -> Done {
        let working = Duration::from_nanos(self.working.load(Ordering::Relaxed));
        let reading = self.units.reading().saturating_sub(self.read_before);
        Done {
            examples: self.examples.load(Ordering::Relaxed),
            reading,
            computing: working.saturating_sub(reading),
            waiting: self.begun.elapsed().saturating_sub(working.max(reading)),
        }
    }

    /// The mean loss of the last unit, and NaN before the first.
    pub fn loss(&self) -> f64 {
        *self.loss.lock()
    }

    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Sums over the unit's examples.
    fn compute(&self, unit: &Work) -> Result<Contribution> {
        {
            // Units come one after the other; the lock only shows it.
            let mut point = self.point.lock();
            if !point.as_ref().is_some_and(|known| Arc::ptr_eq(known, &unit.point)) {
                self.assign.run(unit.point.iter().cloned())?;
                *point = Some(unit.point.clone());
            }
        }
        let handed = self.program.update.handed.as_ref();
        let handed = handed.ok_or_else(|| Status::internal("gradients that stay in the graph"))?;
        let (mut loss, mut weight) = (0.0, 0.0);
        let mut sums: Option<Vec<Gradient>> = None;
        self.units.each(unit, |feeds| {
            let rows = rows_of(&feeds);
            let values = self.step.run(feeds)?;
            loss += scalar(&values[0])? * rows as f64;
            weight += rows as f64;
            self.examples.fetch_add(rows as u64, Ordering::Relaxed);
            let mut gradients = gradients_of(handed, &values[1..])?;
            // Nobody else has them then: they are scaled in place.
            drop(values);
            gradients.iter_mut().try_for_each(|gradient| gradient.scale(rows as f64))?;
            match &mut sums {
                None => sums = Some(gradients),
                Some(sums) => {
                    for (sum, gradient) in sums.iter_mut().zip(gradients) {
                        sum.add(gradient)?;
                    }
                }
            }
            Ok(())
        })?;
        if weight > 0.0 {
            *self.loss.lock() = loss / weight;
        }
        let sums = match sums {
            Some(sums) => sums,
            // More units than examples.
            None => {
                let zeros = |(variable, _): &(crate::Variable, GraphGradient)| {
                    let shape = variable.shape().clone();
                    Tensor::zeros(variable.dtype(), shape).map(Gradient::Dense)
                };
                handed.gradients.iter().map(zeros).collect::<Result<_>>()?
            }
        };
        let names = handed.gradients.iter().map(|(variable, _)| variable.name().to_string());
        Ok(Contribution { loss, weight, gradients: names.zip(sums).collect() })
    }
}

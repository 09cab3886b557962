//! How a worker's gradients meet the others', when they do not meet inside of the graph.
//!
//! The worker runs a graph of its own, with a copy of all variables. After each step an `Exchange` gets the
//! gradients and sees to it that the copy has what training goes on with.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use downpour_compress::Compressor;
use downpour_coordinator::Extent;
use downpour_params::{Client, Gradient, Named};
use downpour_tensor::{Result, Status, Tensor};

use super::handed::Handed;
use super::layouts::{Layouts, Relaid};
use super::leases::Piece;
use super::optimizers::Optimizers;
use super::program::Program;
use super::steps::Servers;
use super::trainer::StopFlag;
use crate::gradients::Gradient as GraphGradient;
use crate::output::Output;
use crate::record::Traffic;
use crate::session::{Fetch, PreparedStep, Session};
use crate::variable::Variable;

/// This process's side of an exchange.
pub(crate) struct Local<'a> {
    pub session: &'a Session,
    pub program: &'a Program,
    pub stop: &'a StopFlag,
    pub patience: Duration,
    /// What variables had when the last session was lost, if that is known.
    pub kept: Option<&'a [Named<Tensor>]>,
    /// Gives the variables here their first values, or those of the last checkpoint.
    pub give_values: &'a dyn Fn() -> Result<()>,
    pub optimizers: &'a Optimizers,
    /// Where variables are, if they have moved.
    pub relaid: Option<&'a Relaid>,
    pub layouts: &'a Layouts,
}

/// What a step's gradients are of.
pub(crate) struct OfData {
    /// The worker's place in its data after it.
    pub position: Tensor,
    /// The positions, where data is leased.
    pub piece: Option<Piece>,
}

/// What exchanging has cost a worker since its session began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Toll {
    /// How long it has waited for others.
    pub waited: Duration,
    /// Pushes that were answered.
    pub pushes: u64,
    /// By how many updates the parameters they were computed on were old, added up.
    pub stale: u64,
}

pub(crate) trait Exchange: Send {
    /// The variables here have what training goes on with when this returns; the global step of that.
    fn begin(&mut self, local: &Local<'_>) -> Result<i64>;

    /// A step is about to run, after which the worker's place in its data is this one; a reason not to run it, and to
    /// end training, if there is one.
    fn ready(&mut self, _local: &Local<'_>, _position: &Tensor) -> Result<Option<String>> {
        Ok(None)
    }

    /// Told before the first step: what every step is going to run.
    fn watch(&mut self, _local: &Local<'_>, _fetches: &[&dyn Fetch]) -> Result<()> {
        Ok(())
    }

    /// The variables here have what a step over this batch needs when this returns.
    fn before(&mut self, _local: &Local<'_>, _batch: &[Tensor]) -> Result<()> {
        Ok(())
    }

    /// Whether it is of use to it to know the next batch before a step runs.
    fn looks_ahead(&self) -> bool {
        false
    }

    /// A step is about to run, and this is the batch of the one after it: that of the next `before`.
    fn soon(&mut self, _local: &Local<'_>, _batch: &[Tensor]) -> Result<()> {
        Ok(())
    }

    /// Takes a step's gradients, as the step has fetched them, and what of the data they are of; the global step
    /// then.
    fn step(&mut self, local: &Local<'_>, gradients: &[Tensor], of: OfData) -> Result<i64>;

    /// Leased data whose gradients everybody has answered since this was asked last, and whether they were used.
    fn answered(&mut self) -> Vec<(Extent, bool)> {
        Vec::new()
    }

    /// What exchanging has cost so far.
    fn toll(&self) -> Toll {
        Toll::default()
    }

    /// Leased data is another's now: gradients that were not handed over are forgotten.
    fn forget(&mut self) {}

    /// Hands over what was added up, and waits until it is answered.
    fn flush(&mut self, _local: &Local<'_>) -> Result<()> {
        Ok(())
    }

    /// Gives up what is under way: training was told to stop, and the others did not answer in time.
    fn abandon(&mut self) {}

    /// The variables here, slots and all, become what a checkpoint is to have.
    fn refresh(&mut self, local: &Local<'_>) -> Result<()>;

    /// After a loss: variables here that are worth to go on with.
    fn keep(&mut self, _local: &Local<'_>) -> Option<Vec<Named<Tensor>>> {
        None
    }

    /// The way to the parameter servers, if it goes there, and what they have.
    fn servers(&self) -> Option<Servers> {
        None
    }

    /// The way to the parameter servers, if it goes there.
    fn client(&self) -> Option<Arc<Client>> {
        None
    }

    /// What it has moved over the network so far; none if it does not count.
    fn traffic(&self) -> Option<Traffic> {
        None
    }

    /// True if another worker has ended training with the step under way.
    fn is_ending(&self) -> bool {
        false
    }

    /// Training has ended here.
    ///
    /// # Errors
    /// If it is not known whether the final values, which only workers have, were saved by the chief.
    fn end(&mut self, local: &Local<'_>) -> Result<()>;
}

/// Where gradients leave the graph.
pub(crate) fn handed<'a>(local: &Local<'a>) -> Result<&'a Handed> {
    let relaid = local.relaid.map(|relaid| &*relaid.handed);
    let handed = relaid.or(local.program.update.handed.as_ref());
    handed.ok_or_else(|| Status::internal("a program whose gradients stay in the graph"))
}

/// Bytes as counted on the way, with what compressors have seen of them.
pub(crate) fn traffic(sent: u64, received: u64, compressors: &[Compressor]) -> Traffic {
    let mut all = Traffic { sent, received, ..Traffic::default() };
    for packed in compressors.iter().map(Compressor::traffic) {
        all.gradients += packed.given;
        all.packed += packed.sent;
    }
    all
}

/// A step that gives variables values.
pub(crate) struct Assign {
    step: PreparedStep,
    order: HashMap<String, usize>,
}

impl Assign {
    pub fn new<'v>(
        local: &Local<'_>,
        variables: impl IntoIterator<Item = &'v Variable>,
    ) -> Result<Assign> {
        let by_name: HashMap<&str, _> = local
            .program
            .restore
            .iter()
            .map(|restore| (restore.variable.name(), restore))
            .collect();
        let (mut order, mut inputs, mut targets) = (HashMap::new(), Vec::new(), Vec::new());
        for variable in variables {
            let restore = by_name.get(variable.name()).ok_or_else(|| {
                Status::internal(format!(
                    "the variable '{}' cannot be given a value",
                    variable.name()
                ))
            })?;
            order.insert(variable.name().to_string(), inputs.len());
            inputs.push(&restore.value);
            targets.push(&restore.assign as &dyn Fetch);
        }
        Ok(Assign { step: local.session.prepare(&inputs, &targets)?, order })
    }

    /// Of one variable the last value counts; each must have one.
    pub fn run(&self, values: impl IntoIterator<Item = Named<Tensor>>) -> Result<()> {
        let mut feeds: Vec<Option<Tensor>> = vec![None; self.order.len()];
        for (name, value) in values {
            if let Some(&place) = self.order.get(&name) {
                feeds[place] = Some(value);
            }
        }
        let feeds: Option<Vec<Tensor>> = feeds.into_iter().collect();
        let feeds = feeds.ok_or_else(|| Status::internal("a variable was given no value"))?;
        self.step.run(feeds).map(drop)
    }
}

/// Variables' values here, by name.
pub(crate) fn values_here(session: &Session, variables: &[Variable]) -> Result<Vec<Named<Tensor>>> {
    let outputs: Vec<Output> = variables.iter().map(Variable::value).collect();
    let fetches: Vec<&dyn Fetch> = outputs.iter().map(|output| output as &dyn Fetch).collect();
    let values = session.run(&[], &fetches)?;
    Ok(variables.iter().map(|v| v.name().to_string()).zip(values).collect())
}

/// Gradients out of what a step has fetched ([`Handed::fetches`]).
pub(crate) fn gradients_of(handed: &Handed, fetched: &[Tensor]) -> Result<Vec<Gradient>> {
    let mut fetched = fetched.iter().cloned();
    let mut next = || fetched.next().ok_or_else(|| Status::internal("a step without a gradient"));
    let mut all = Vec::with_capacity(handed.gradients.len());
    for (_, gradient) in &handed.gradients {
        all.push(match gradient {
            GraphGradient::Dense(_) => Gradient::Dense(next()?),
            GraphGradient::Sparse(_) => Gradient::Sparse { indices: next()?, rows: next()? },
        });
    }
    Ok(all)
}

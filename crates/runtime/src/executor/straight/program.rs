//! The compiled loop: its nodes in topological order, run again and again until no value goes round.
//!
//! Every input of every node has a place. A node that runs puts its outputs in its consumers' places;
//! a node that finds a place empty is dead and puts nothing, so deadness needs no values of its own. A
//! NextIteration fills the place of a Merge that has already run in this iteration: what it finds there
//! in the next one. The loop ends with the iteration in which no NextIteration ran.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use downpour_graph::Node;
use downpour_tensor::{Result, Status, Tensor};

use super::super::run::{dereference, panicked};
use crate::context::OpContext;
use crate::kernel::{Kernel, KernelBox};
use crate::value::Value;

/// Where one output goes.
pub(super) struct Edge {
    pub port: u32,
    pub place: u32,
    /// True for the last edge of this port: the value moves instead of being shared.
    pub last: bool,
}

/// A value that comes from outside, one for each input of the program.
pub(super) struct Entry {
    /// Given to every iteration, not only to the first.
    pub constant: bool,
    pub edges: Box<[Edge]>,
}

pub(super) enum Action {
    /// Hands its first input on (Identity, LoopCond).
    Forward,
    /// Hands its first input to the next iteration.
    Next,
    /// Hands its first input out of the loop as this result.
    Exit(u32),
    Switch,
    Merge,
    /// Runs whatever is dead before it.
    Trigger,
    Constant(Value),
    Compute(Arc<KernelBox>),
}

pub(super) struct LoopStep {
    pub node: Arc<Node>,
    pub action: Action,
    /// First input place and number of inputs.
    pub places: (u32, u32),
    /// Steps that must be alive for this one to be.
    pub controls: Box<[u32]>,
    pub edges: Box<[Edge]>,
    pub has_reference_inputs: bool,
}

pub(super) struct LoopProgram {
    pub entries: Box<[Entry]>,
    /// Values that every iteration has.
    pub constants: Box<[(Value, Box<[Edge]>)]>,
    pub steps: Box<[LoopStep]>,
    pub places: usize,
    pub results: usize,
}

/// What changes while a program runs.
struct State {
    places: Vec<Value>,
    /// For each step, whether it was dead in this iteration.
    dead: Vec<bool>,
    results: Vec<Value>,
    continues: bool,
}

impl Kernel for LoopProgram {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let mut entered: Vec<Value> = (0..self.entries.len()).map(|i| cx.take_value(i)).collect();
        let mut state = State {
            places: vec![Value::None; self.places],
            dead: vec![false; self.steps.len()],
            results: vec![Value::None; self.results],
            continues: true,
        };
        let mut first = true;
        while state.continues {
            state.continues = false;
            for (entry, value) in self.entries.iter().zip(&mut entered) {
                if entry.constant {
                    entry.edges.iter().for_each(|edge| state.put(edge, value.clone()));
                } else if first {
                    state.hand_on(&entry.edges, std::mem::take(value));
                }
            }
            first = false;
            for (value, edges) in &self.constants {
                edges.iter().for_each(|edge| state.put(edge, value.clone()));
            }
            for (i, step) in self.steps.iter().enumerate() {
                cx.check_cancelled()?;
                state
                    .run(i, step, cx)
                    .map_err(|status| status.at_operation(step.node.op_name(), &step.node.name))?;
            }
        }
        for (i, value) in state.results.into_iter().enumerate() {
            cx.set_output_value(i, value);
        }
        Ok(())
    }
}

impl State {
    fn run(&mut self, index: usize, step: &LoopStep, cx: &OpContext<'_>) -> Result<()> {
        let inputs = step.places.0 as usize..(step.places.0 + step.places.1) as usize;
        let dead = match step.action {
            Action::Trigger => false,
            Action::Merge => !self.places[inputs.clone()].iter().any(Value::is_present),
            _ => !self.places[inputs.clone()].iter().all(Value::is_present),
        } || (step.controls.iter().any(|&c| self.dead[c as usize])
            && !matches!(step.action, Action::Trigger | Action::Merge));
        self.dead[index] = dead;
        if dead {
            clear(&mut self.places[inputs]);
            return Ok(());
        }
        match &step.action {
            Action::Forward => {
                let value = self.take_plain(step)?;
                self.hand_on(&step.edges, value);
            }
            Action::Next => {
                self.continues = true;
                let value = self.take_plain(step)?;
                self.hand_on(&step.edges, value);
            }
            Action::Exit(result) => {
                let value = self.take_plain(step)?;
                let place = &mut self.results[*result as usize];
                if place.is_present() {
                    let what = "Exit is reached in more than one iteration";
                    return Err(Status::invalid_argument(what));
                }
                *place = value;
            }
            Action::Switch => {
                let taken = self.predicate(inputs.start + 1)?;
                let mut value = self.take_plain(step)?;
                for edge in step.edges.iter().filter(|edge| edge.port == taken) {
                    let given = if edge.last { std::mem::take(&mut value) } else { value.clone() };
                    self.put(edge, given);
                }
            }
            Action::Merge => self.merge(step, inputs),
            Action::Trigger => clear(&mut self.places[inputs]),
            Action::Constant(value) => {
                step.edges.iter().for_each(|edge| self.put(edge, value.clone()));
            }
            Action::Compute(kernel) => self.compute(step, kernel, inputs, cx)?,
        }
        Ok(())
    }

    fn put(&mut self, edge: &Edge, value: Value) {
        self.places[edge.place as usize] = value;
    }

    /// Gives the one output of a step to all its consumers.
    fn hand_on(&mut self, edges: &[Edge], mut value: Value) {
        for edge in edges {
            let given = if edge.last { std::mem::take(&mut value) } else { value.clone() };
            self.put(edge, given);
        }
    }

    /// The first input, read if it is a reference and the node wants a value.
    fn take_plain(&mut self, step: &LoopStep) -> Result<Value> {
        let start = step.places.0 as usize;
        if step.has_reference_inputs {
            dereference(&step.node, &mut self.places[start..start + 1])?;
        }
        Ok(std::mem::take(&mut self.places[start]))
    }

    /// The output of a Switch that is alive.
    fn predicate(&mut self, place: usize) -> Result<u32> {
        match std::mem::take(&mut self.places[place]) {
            Value::Tensor(tensor) if tensor.rank() == 0 => Ok(tensor.to_scalar::<bool>()? as u32),
            Value::Ref(variable) => Ok(variable.read()?.to_scalar::<bool>()? as u32),
            _ => Err(Status::invalid_argument("Switch: the second input must be a scalar")),
        }
    }

    fn merge(&mut self, step: &LoopStep, inputs: std::ops::Range<usize>) {
        let places = &mut self.places[inputs];
        let Some(which) = places.iter().position(Value::is_present) else { return };
        let mut value = std::mem::take(&mut places[which]);
        clear(places);
        for edge in &step.edges {
            let given = match edge.port {
                0 if edge.last => std::mem::take(&mut value),
                0 => value.clone(),
                _ => Value::Tensor(Tensor::scalar(which as i32)),
            };
            self.places[edge.place as usize] = given;
        }
    }

    fn compute(
        &mut self,
        step: &LoopStep,
        kernel: &KernelBox,
        inputs: std::ops::Range<usize>,
        outer: &OpContext<'_>,
    ) -> Result<()> {
        let KernelBox::Sync(kernel) = kernel else {
            return Err(Status::internal("an asynchronous kernel is in a straight loop"));
        };
        let inputs = &mut self.places[inputs];
        if step.has_reference_inputs {
            dereference(&step.node, inputs)?;
        }
        let mut cx = OpContext::new(&step.node, outer.step(), inputs);
        match catch_unwind(AssertUnwindSafe(|| kernel.compute(&mut cx))) {
            Ok(result) => result?,
            Err(panic) => return Err(panicked(&step.node, panic)),
        }
        let mut outputs = cx.into_outputs();
        clear(inputs);
        for edge in &step.edges {
            let output = &mut outputs[edge.port as usize];
            let given = if edge.last { std::mem::take(output) } else { output.clone() };
            self.places[edge.place as usize] = given;
        }
        Ok(())
    }
}

/// Empties places; most are empty already, which is cheaper to see than to overwrite.
fn clear(places: &mut [Value]) {
    for place in places {
        if !matches!(place, Value::None) {
            *place = Value::None;
        }
    }
}

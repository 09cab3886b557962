//! The gradient of a loop of Enter and Exit: a loop that runs backwards as often.
//!
//! It carries a gradient for each variable of the forward loop, and a sum for each value that is the same
//! in all iterations. One backward iteration is the gradient of the forward loop's body, which is
//! differentiated where it stands; what it takes from there then comes from the `history` instead.

use std::collections::HashMap;

use downpour_tensor::{DataType, Result};

use super::frame_parts::FrameLoop;
use super::history::History;
use super::reach::{dependencies, flowing};
use super::units::{Level, LoopFrames};
use super::zeros::zeros_of;
use super::{Differentiate, Work, densify, is_trainable};
use crate::attr::Attrs;
use crate::gradient::Gradient;
use crate::node::{Endpoint, NodeId};

/// The gradients of what enters the loop, by Enter, from the gradients of its variables' last values.
pub(super) fn differentiate(
    work: &mut Work<'_>,
    loops: &LoopFrames,
    parts: &FrameLoop,
    arrived: &[Gradient],
    needed: &HashMap<NodeId, bool>,
) -> Result<Vec<(NodeId, Gradient)>> {
    let (variables, constants) = carried(work, loops, parts, arrived, needed);
    if variables.is_empty() {
        return Ok(Vec::new());
    }
    let scope = format!("{}_grad", parts.name);
    let mut history = History::new(work, loops, parts, scope.clone())?;
    let mut wanted = Differentiate { aggregation: work.aggregation, ..Default::default() };
    let mut carried = Vec::with_capacity(variables.len());
    for &i in &variables {
        let variable = &parts.variables[i];
        let initial = match densify(&mut work.builder(&scope), arrived[i])? {
            Some(grad) => grad,
            None => {
                let last = last_value(work, parts, i)?;
                let dtype = work.dtype(last);
                zeros_of(&mut work.builder(&scope), last, dtype)?
            }
        };
        let made = history.variable(work, initial)?;
        wanted.ys.push(work.graph.node(variable.next).inputs[0]);
        wanted.grad_ys.push(Gradient::Dense(made[1]));
        wanted.xs.push(variable.inside());
        carried.push(made);
    }
    wanted.xs.extend(constants.iter().map(|enter| Endpoint::from(*enter)));

    let first = work.graph.len();
    work.around.push(history.around());
    let found = work.gradients(&wanted, parts.frame)?;
    work.around.pop();
    let mut steps = Vec::with_capacity(found.len());
    for (k, grad) in found.into_iter().enumerate() {
        let mut builder = work.builder(&scope);
        let step = densify(&mut builder, grad)?;
        steps.push(match step {
            None if k < variables.len() => {
                let dtype = builder.graph.edge_type(wanted.xs[k]).dtype;
                Some(zeros_of(&mut builder, wanted.xs[k], dtype)?)
            }
            step => step,
        });
    }
    history.rewire(work, first)?;

    let mut answers = Vec::with_capacity(steps.len());
    for ((&i, [merge, _, last]), step) in variables.iter().zip(carried).zip(&steps) {
        let Some(step) = *step else { continue };
        let step = history.pull(work, step)?;
        history.next(work, merge, step)?;
        answers.push((parts.variables[i].enter, Gradient::Dense(last)));
    }
    for (&enter, step) in constants.iter().zip(&steps[variables.len()..]) {
        let Some(step) = *step else { continue };
        let step = history.pull(work, step)?;
        let (outside, dtype) = (work.graph.node(enter).inputs[0], work.dtype(step));
        let zeros = zeros_of(&mut work.builder(&scope), outside, dtype)?;
        let [merge, sum, last] = history.variable(work, zeros)?;
        let sum = work.builder(&scope).op("AddN", &[sum, step], Attrs::new())?;
        history.next(work, merge, sum)?;
        answers.push((enter, Gradient::Dense(last)));
    }
    Ok(answers)
}

/// The variables by number, and the Enters of constants, that gradients flow through.
fn carried(
    work: &Work<'_>,
    loops: &LoopFrames,
    parts: &FrameLoop,
    arrived: &[Gradient],
    needed: &HashMap<NodeId, bool>,
) -> (Vec<usize>, Vec<NodeId>) {
    let level = Level { loops: Some(loops), frame: parts.frame };
    let constants = parts.constants.iter().map(|enter| Endpoint::from(*enter));
    let begin: Vec<Endpoint> =
        parts.variables.iter().map(|v| v.inside()).chain(constants.clone()).collect();
    let end: Vec<Endpoint> = parts
        .variables
        .iter()
        .map(|v| work.graph.node(v.next).inputs[0])
        .chain(constants)
        .collect();
    let depends = dependencies(work.graph, &begin, &end, level);
    let trains = |end: &Endpoint| is_trainable(work.dtype(*end));
    let arriving: Vec<bool> = begin
        .iter()
        .enumerate()
        .map(|(i, end)| arrived.get(i).is_some_and(|g| *g != Gradient::None) && trains(end))
        .collect();
    let needed: Vec<bool> =
        parts.enters().map(|enter| needed.get(&enter).copied().unwrap_or(false)).collect();
    let flows = flowing(&depends, &arriving, &needed);
    let (mut variables, mut enters) = (Vec::new(), Vec::new());
    for (i, end) in begin.iter().enumerate().filter(|(i, _)| flows[*i]) {
        if i >= parts.variables.len() {
            enters.push(end.node);
        } else if work.dtype(*end) != DataType::Resource {
            variables.push(i);
        }
    }
    (variables, enters)
}

/// What leaves the loop of a variable; a new Exit where nobody has asked yet.
fn last_value(work: &mut Work<'_>, parts: &FrameLoop, i: usize) -> Result<Endpoint> {
    let variable = &parts.variables[i];
    if let Some(exit) = variable.exits.first() {
        return Ok((*exit).into());
    }
    let scope = format!("{}_grad", parts.name);
    let exit = work.builder(&scope).add("Exit", &[variable.switch.into()], Attrs::new())?;
    work.forward.insert(exit);
    work.beside.insert(exit, work.graph.node(variable.enter).inputs[0]);
    Ok(exit.into())
}

//! What a loop of Enter and Exit remembers for its gradient.
//!
//! 1. Each value that the gradient needs is pushed on a stack of its own in every forward iteration, and
//!    popped in every backward iteration: last in, first out is the order in which they are needed.
//! 2. Iterations may overlap, pushes must not: a push waits for its iteration's turn of the forward
//!    counter, and the counter's next turn waits for the push. Pops wait likewise for the backward counter.
//! 3. The backward loop starts with the forward counter's last value, which is there only after every push.
//! 4. In a loop inside a loop, stacks are made where the outermost loop is entered and used by all its
//!    iterations: an inner loop starts its counter in its turn of the outer one, the outer loop's turn ends
//!    when it has remembered the inner counter's last value, and likewise backwards. (A stack of stacks
//!    would do, but TensorFlow's optimizer takes what is pushed on a stack as not popped any more.)

use std::collections::{HashMap, HashSet};

use downpour_tensor::Result;

use super::Work;
use super::alive::{Guards, always, scalar};
use super::frame_parts::FrameLoop;
use super::units::{Level, LoopFrames};
use crate::attr::Attrs;
use crate::frames::Kind;
use crate::node::{Endpoint, NodeId};

/// Operations that look only at the shape of what they are given.
const OF_SHAPE: [&str; 5] = ["Shape", "ShapeN", "Size", "Rank", "BroadcastGradientArgs"];

/// A loop around the one being differentiated.
#[derive(Clone)]
pub(super) struct Around {
    /// Runs where the loop is entered.
    anchor: NodeId,
    /// Attributes of Enters of constants, forward and backward.
    enters: [Attrs; 2],
    /// The forward counter's turn.
    forward_turn: NodeId,
    /// The backward counter on its way to the next iteration.
    backward_next: NodeId,
}

pub(super) struct History<'a> {
    loops: &'a LoopFrames,
    parts: &'a FrameLoop,
    /// Scope of new nodes.
    scope: String,
    /// The backward loop's frame.
    pub backward: String,
    guards: Guards,
    /// Runs where the loop is entered.
    anchor: NodeId,
    /// The forward counter's turn and its way to the next iteration.
    forward_turn: [NodeId; 2],
    backward_turn: [NodeId; 2],
    /// The forward counter's last value.
    pub count: Endpoint,
    /// The backward loop's condition.
    pub cond: NodeId,
    pulled: HashMap<Endpoint, Endpoint>,
}

impl<'a> History<'a> {
    /// Adds the two counters.
    pub fn new(
        work: &mut Work<'_>,
        loops: &'a LoopFrames,
        parts: &'a FrameLoop,
        scope: String,
    ) -> Result<History<'a>> {
        let level = Level { loops: Some(loops), frame: parts.frame };
        let guards = Guards::find(work.graph, &loops.order, level);
        let backward = format!("{}/{}_grad", work.scope, parts.name);
        let none = NodeId(0);
        let mut history = History {
            loops,
            parts,
            scope,
            backward,
            guards,
            anchor: none,
            forward_turn: [none; 2],
            backward_turn: [none; 2],
            count: none.into(),
            cond: none,
            pulled: HashMap::new(),
        };
        history.count_forward(work)?;
        history.count_backward(work)?;
        Ok(history)
    }

    fn count_forward(&mut self, work: &mut Work<'_>) -> Result<()> {
        let first = work.graph.len();
        let entered = work.graph.node(self.parts.variables[0].enter).inputs[0];
        let outer = work.around.last().map(|around| around.forward_turn);
        let mut builder = work.builder(&format!("{}/f_count", self.scope));
        self.anchor = builder.add("Identity", &[entered], Attrs::new())?;
        let zero = scalar(&mut builder, 0)?;
        builder.graph.node_mut(zero.node).controls = vec![self.anchor];
        builder.graph.node_mut(zero.node).controls.extend(outer);
        let enter =
            builder.op("Enter", &[zero], enter_attrs(self.parts, &self.parts.name, false))?;
        let merge = builder.add("Merge", &[enter, enter], Attrs::new())?;
        let switch =
            builder.add("Switch", &[merge.into(), self.parts.cond.into()], Attrs::new())?;
        let one = scalar(&mut builder, 1)?;
        let inside = Endpoint { node: switch, port: 1 };
        // A constant that belongs to the iteration.
        let turn = builder.add("Identity", &[inside], Attrs::new())?;
        builder.graph.node_mut(one.node).controls = vec![turn];
        let add = builder.add("AddV2", &[inside, one], Attrs::new())?;
        let next = builder.add("NextIteration", &[add.into()], Attrs::new())?;
        builder.graph.node_mut(merge).inputs[1] = next.into();
        self.count = builder.op("Exit", &[switch.into()], Attrs::new())?;
        self.forward_turn = [add, next];
        work.beside.insert(self.count.node, entered);
        work.forward.extend((first..work.graph.len()).map(|i| NodeId(i as u32)));
        Ok(())
    }

    fn count_backward(&mut self, work: &mut Work<'_>) -> Result<()> {
        let outer = work.around.last().map(|around| around.backward_next);
        let mut builder = work.builder(&format!("{}/b_count", self.scope));
        let attrs = enter_attrs(self.parts, &self.backward, false);
        let enter = builder.op("Enter", &[self.count], attrs)?;
        let merge = builder.add("Merge", &[enter, enter], Attrs::new())?;
        let turn = builder.add("Identity", &[merge.into()], Attrs::new())?;
        let one = scalar(&mut builder, 1)?;
        builder.graph.node_mut(one.node).controls = vec![turn];
        let more = builder.op("GreaterEqual", &[merge.into(), one], Attrs::new())?;
        self.cond = builder.add("LoopCond", &[more], Attrs::new())?;
        let switch = builder.add("Switch", &[merge.into(), self.cond.into()], Attrs::new())?;
        let inside = Endpoint { node: switch, port: 1 };
        let minus = builder.add("Sub", &[inside, one], Attrs::new())?;
        let next = builder.add("NextIteration", &[minus.into()], Attrs::new())?;
        builder.graph.node_mut(merge).inputs[1] = next.into();
        self.backward_turn = [minus, next];
        if let Some(outer) = outer {
            // Waits for the last pop, and also where the loop is not entered.
            let exit = builder.add("Exit", &[switch.into()], Attrs::new())?;
            let done = builder.add("ControlTrigger", &[], Attrs::new())?;
            builder.graph.node_mut(done).controls = vec![exit];
            builder.graph.node_mut(outer).controls.push(done);
        }
        Ok(())
    }

    /// This loop as loops inside it see it.
    pub fn around(&self) -> Around {
        Around {
            anchor: self.anchor,
            enters: [&self.parts.name, &self.backward]
                .map(|frame| enter_attrs(self.parts, frame, true)),
            forward_turn: self.forward_turn[0],
            backward_next: self.backward_turn[1],
        }
    }

    /// Makes nodes of the backward loop, those from `first` on, take from the history what they took
    /// from the forward loop.
    pub fn rewire(&mut self, work: &mut Work<'_>, first: usize) -> Result<()> {
        let last = work.graph.len();
        self.guards.note_added(work.graph, &work.forward, &work.beside);
        for index in first..last {
            let id = NodeId(index as u32);
            let node = work.graph.node(id);
            let moves = OF_SHAPE.contains(&node.op_name())
                && node.inputs.iter().all(|end| self.is_forward(work, end.node))
                && !node.inputs.iter().all(|end| self.is_free(work, end.node));
            if moves {
                self.guards.note(work.graph, id);
                work.forward.insert(id);
            }
        }
        for index in first..last {
            let id = NodeId(index as u32);
            if work.forward.contains(&id) || work.settled.contains(&id) {
                continue;
            }
            for input in 0..work.graph.node(id).inputs.len() {
                let end = work.graph.node(id).inputs[input];
                let pulled = self.pull(work, end)?;
                work.graph.node_mut(id).inputs[input] = pulled;
            }
            let node = work.graph.node_mut(id);
            if node.inputs.is_empty() && node.controls.is_empty() {
                node.controls.push(self.backward_turn[0]);
            }
        }
        Ok(())
    }

    fn is_forward(&self, work: &Work<'_>, id: NodeId) -> bool {
        id.index() < self.loops.frames.of_node.len() || work.forward.contains(&id)
    }

    /// Constants and what is the same in all iterations need not be remembered.
    fn is_free(&self, work: &Work<'_>, id: NodeId) -> bool {
        self.is_constant_enter(id) || work.graph.node(id).op_name() == "Const"
    }

    fn is_constant_enter(&self, id: NodeId) -> bool {
        let frame = self.parts.frame;
        self.loops.frames.kinds.get(id.index()) == Some(&Kind::Enter { frame, constant: true })
    }

    /// In the backward loop, what a value was in the forward iteration it belongs to.
    pub fn pull(&mut self, work: &mut Work<'_>, end: Endpoint) -> Result<Endpoint> {
        if !self.is_forward(work, end.node) {
            return Ok(end);
        }
        if let Some(pulled) = self.pulled.get(&end) {
            return Ok(*pulled);
        }
        let node = work.graph.node(end.node);
        let pulled = if node.op_name() == "Const" {
            let mut copy = node.clone();
            copy.controls = vec![self.backward_turn[0]];
            copy.name = work.builder(&self.scope).unique_name("Const");
            work.graph.push(copy)?.into()
        } else if self.is_constant_enter(end.node) {
            let outside = node.inputs[0];
            let attrs = enter_attrs(self.parts, &self.backward, true);
            work.builder(&self.scope).op("Enter", &[outside], attrs)?
        } else {
            let guards = self.guards.of(work.graph, end);
            let mut forward: HashSet<NodeId> = std::mem::take(&mut work.forward);
            let scope = format!("{}/f_alive", self.scope);
            let value = always(&mut work.builder(&scope), &mut forward, end, &guards);
            work.forward = forward;
            let mut pulled = self.remember(work, value?)?;
            for guard in guards {
                let pred = self.pull(work, guard.pred)?;
                let switch =
                    work.builder(&self.scope).add("Switch", &[pulled, pred], Attrs::new())?;
                pulled = Endpoint { node: switch, port: guard.side };
            }
            pulled
        };
        self.pulled.insert(end, pulled);
        Ok(pulled)
    }

    /// A stack that the forward loop pushes a value on and the backward loop pops it from.
    fn remember(&mut self, work: &mut Work<'_>, value: Endpoint) -> Result<Endpoint> {
        let dtype = work.dtype(value);
        let around: Vec<Around> =
            work.around.iter().cloned().chain(std::iter::once(self.around())).collect();
        let first = work.graph.len();
        let mut builder = work.builder(&format!("{}/f_acc", self.scope));
        let most = scalar(&mut builder, -1)?;
        builder.graph.node_mut(most.node).controls = vec![around[0].anchor];
        let attrs = Attrs::new().with("elem_type", dtype);
        let stack = builder.op("StackV2", &[most], attrs)?;
        let mut inside = stack;
        for around in &around {
            inside = builder.op("Enter", &[inside], around.enters[0].clone())?;
        }
        let push = builder.add("StackPushV2", &[inside, value], Attrs::new())?;
        builder.graph.node_mut(push).controls = vec![self.forward_turn[0]];
        builder.graph.node_mut(self.forward_turn[1]).controls.push(push);
        work.forward.extend((first..work.graph.len()).map(|i| NodeId(i as u32)));

        let mut inside = stack;
        for around in &around {
            let mut builder = work.builder(&format!("{}/b_acc", self.scope));
            inside = builder.op("Enter", &[inside], around.enters[1].clone())?;
            work.settled.insert(inside.node);
        }
        let mut builder = work.builder(&format!("{}/b_acc", self.scope));
        let pop = builder.add("StackPopV2", &[inside], Attrs::new().with("elem_type", dtype))?;
        builder.graph.node_mut(pop).controls = vec![self.backward_turn[0]];
        builder.graph.node_mut(self.backward_turn[1]).controls.push(pop);
        Ok(pop.into())
    }

    /// A variable of the backward loop that starts with `initial`: its Merge, its value inside, and
    /// its last value.
    pub fn variable(&self, work: &mut Work<'_>, initial: Endpoint) -> Result<[Endpoint; 3]> {
        let mut builder = work.builder(&self.scope);
        let attrs = enter_attrs(self.parts, &self.backward, false);
        let enter = builder.op("Enter", &[initial], attrs)?;
        let merge = builder.add("Merge", &[enter, enter], Attrs::new())?;
        let switch = builder.add("Switch", &[merge.into(), self.cond.into()], Attrs::new())?;
        let inside = builder.op("Identity", &[Endpoint { node: switch, port: 1 }], Attrs::new())?;
        let exit = builder.op("Exit", &[switch.into()], Attrs::new())?;
        Ok([merge.into(), inside, exit])
    }

    /// Closes a variable's circle.
    pub fn next(&self, work: &mut Work<'_>, merge: Endpoint, value: Endpoint) -> Result<()> {
        let next = work.builder(&self.scope).op("NextIteration", &[value], Attrs::new())?;
        work.graph.node_mut(merge.node).inputs[1] = next;
        Ok(())
    }
}

fn enter_attrs(parts: &FrameLoop, frame: &str, constant: bool) -> Attrs {
    Attrs::new()
        .with("frame_name", frame.to_string())
        .with("is_constant", constant)
        .with("parallel_iterations", parts.parallel_iterations)
}

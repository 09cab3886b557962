//! Carries a finished node's outputs to the nodes that wait for them.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use downpour_graph::frames::Kind;
use downpour_tensor::Status;

use super::iteration::{Frame, FrameState, Iteration, IterationState};
use super::plan::PlanNode;
use super::run::{Ready, Run, Tagged};
use crate::value::{Outputs, Value};

impl Run {
    /// Delivers the outputs of `tagged` and collects the nodes that became ready.
    pub(super) fn propagate(&self, tagged: &Tagged, mut outputs: Outputs, ready: &mut Ready) {
        let item = self.node(tagged.node);
        let iteration = &tagged.iteration;
        match item.kind {
            Kind::Enter { frame, constant } => {
                self.enter(item, tagged, frame, constant, outputs, ready);
            }
            Kind::Exit => self.exit(item, tagged, outputs, ready),
            Kind::NextIteration => self.next_iteration(item, tagged, outputs, ready),
            _ => {
                let activated = self.activate(item, tagged.dead, iteration, &mut outputs, ready);
                if let Some(iteration) = iteration {
                    self.adjust(iteration, activated, 1, ready);
                }
                return;
            }
        }
        if let Some(iteration) = iteration {
            self.adjust(iteration, 0, 1, ready);
        }
    }

    /// Delivers along all edges inside one iteration; returns how many nodes became ready.
    fn activate(
        &self,
        item: &PlanNode,
        dead: bool,
        iteration: &Option<Arc<Iteration>>,
        outputs: &mut Outputs,
        ready: &mut Ready,
    ) -> usize {
        let state = self.state(iteration);
        let before = ready.len();
        for edge in &item.edges {
            let consumer = self.node(edge.consumer);
            let output = &mut outputs[edge.port as usize];
            let value_dead = dead || !output.is_present();
            let became_ready = if consumer.kind == Kind::Merge {
                arrive_at_merge(state, consumer, edge.slot, item, output, value_dead, edge.last)
            } else {
                let value = if value_dead {
                    Value::Dead
                } else if edge.last {
                    std::mem::take(output)
                } else {
                    output.clone()
                };
                // SAFETY: this is the edge's one delivery in this iteration, before its arrival.
                unsafe { state.put(edge.slot, value) };
                state.arrive(consumer.counter, value_dead)
            };
            push_ready(ready, consumer, edge.consumer, iteration, became_ready);
        }
        for &index in &item.control_edges {
            let consumer = self.node(index);
            let became_ready = if consumer.kind == Kind::Merge {
                state.merge_control(consumer.counter, consumer.slots.1)
            } else {
                state.arrive(consumer.counter, dead)
            };
            push_ready(ready, consumer, index, iteration, became_ready);
        }
        ready.len() - before
    }

    fn enter(
        &self,
        item: &PlanNode,
        tagged: &Tagged,
        frame_index: u32,
        constant: bool,
        mut outputs: Outputs,
        ready: &mut Ready,
    ) {
        let frame = self.child_frame(&tagged.iteration, frame_index);
        let mut state = frame.state.lock();
        state.pending_entries = state.pending_entries.saturating_sub(1);
        if constant && !tagged.dead {
            let value = outputs[0].clone();
            state.invariants.push((tagged.node, value));
            for iteration in state.iterations.clone() {
                self.activate_in(item, tagged.dead, iteration, outputs.clone(), ready);
            }
        } else if let Some(first) = state.iterations.front().cloned() {
            let iteration = Some(first.clone());
            let activated = self.activate(item, tagged.dead, &iteration, &mut outputs, ready);
            first.outstanding.fetch_add(activated, Ordering::AcqRel);
        }
        // The last entry may be what an otherwise finished first iteration waited for.
        let done = self.clean_up(&frame, &mut state, ready);
        drop(state);
        if done {
            self.delete_frame(&frame, ready);
        }
    }

    fn activate_in(
        &self,
        item: &PlanNode,
        dead: bool,
        iteration: Arc<Iteration>,
        mut outputs: Outputs,
        ready: &mut Ready,
    ) {
        let place = Some(iteration);
        let activated = self.activate(item, dead, &place, &mut outputs, ready);
        if let Some(iteration) = place {
            iteration.outstanding.fetch_add(activated, Ordering::AcqRel);
        }
    }

    fn exit(&self, item: &PlanNode, tagged: &Tagged, mut outputs: Outputs, ready: &mut Ready) {
        let Some(iteration) = &tagged.iteration else { return };
        let frame = &iteration.frame;
        {
            let mut state = frame.state.lock();
            if tagged.dead {
                if iteration.number == state.latest {
                    state.dead_exits.push(tagged.node);
                }
                return;
            }
            if state.live_exits.contains(&tagged.node) {
                drop(state);
                let status = Status::invalid_argument("Exit is reached in more than one iteration");
                self.fail(status.at_node(&item.node.name));
                return;
            }
            state.live_exits.push(tagged.node);
        }
        let activated = self.activate(item, false, &frame.parent, &mut outputs, ready);
        if let Some(parent) = &frame.parent {
            parent.outstanding.fetch_add(activated, Ordering::AcqRel);
        }
    }

    fn next_iteration(
        &self,
        item: &PlanNode,
        tagged: &Tagged,
        outputs: Outputs,
        ready: &mut Ready,
    ) {
        let Some(iteration) = &tagged.iteration else { return };
        // Deadness ends here: an untaken back edge is simply not followed.
        if tagged.dead {
            return;
        }
        let frame = &iteration.frame;
        let mut state = frame.state.lock();
        let next = if iteration.number == state.latest {
            let limit = self.plan().frames[frame.plan as usize].parallel_iterations;
            if state.iterations.len() >= limit {
                let value = outputs.into_iter().next().unwrap_or_default();
                state.next_roots.push((tagged.node, value));
                return;
            }
            self.start_iteration(frame, &mut state, ready)
        } else {
            let oldest = state.iterations.front().map_or(0, |i| i.number);
            match state.iterations.get((iteration.number + 1 - oldest) as usize) {
                Some(next) => next.clone(),
                None => return,
            }
        };
        self.activate_in(item, false, next, outputs, ready);
    }

    /// Starts the next iteration of a frame and gives it the loop's constants.
    fn start_iteration(
        &self,
        frame: &Arc<Frame>,
        state: &mut FrameState,
        ready: &mut Ready,
    ) -> Arc<Iteration> {
        let plan = &self.plan().frames[frame.plan as usize];
        state.latest += 1;
        let fresh = match state.spare.pop() {
            Some(mut used) => {
                used.reset(plan);
                used
            }
            None => IterationState::new(plan),
        };
        let iteration = Iteration::new(state.latest, frame.clone(), fresh);
        state.iterations.push_back(iteration.clone());
        for (node, value) in &state.invariants {
            let outputs = Outputs::from_iter([value.clone()]);
            self.activate_in(self.node(*node), false, iteration.clone(), outputs, ready);
        }
        iteration
    }

    fn child_frame(&self, iteration: &Option<Arc<Iteration>>, index: u32) -> Arc<Frame> {
        let mut children = match iteration {
            Some(iteration) => iteration.children.lock(),
            None => self.root_children().lock(),
        };
        if let Some((_, frame)) = children.iter().find(|(i, _)| *i == index) {
            return frame.clone();
        }
        let frame = Frame::new(index, &self.plan().frames[index as usize], iteration.clone());
        children.push((index, frame.clone()));
        frame
    }

    /// Accounts for `activated` new and `finished` old nodes of an iteration, and cleans up after it
    /// when nothing is left.
    fn adjust(
        &self,
        iteration: &Arc<Iteration>,
        activated: usize,
        finished: usize,
        ready: &mut Ready,
    ) {
        if activated >= finished {
            iteration.outstanding.fetch_add(activated - finished, Ordering::AcqRel);
            return;
        }
        let change = finished - activated;
        if iteration.outstanding.fetch_sub(change, Ordering::AcqRel) != change {
            return;
        }
        self.settle(&iteration.frame, ready);
    }

    fn settle(&self, frame: &Arc<Frame>, ready: &mut Ready) {
        let done = self.clean_up(frame, &mut frame.state.lock(), ready);
        if done {
            self.delete_frame(frame, ready);
        }
    }

    /// Removes finished iterations from the front and starts one that had to wait; true when the
    /// frame has none left.
    fn clean_up(&self, frame: &Arc<Frame>, state: &mut FrameState, ready: &mut Ready) -> bool {
        while let Some(front) = state.iterations.front() {
            let finished = front.outstanding.load(Ordering::Acquire) == 0
                && (front.number > 0 || state.pending_entries == 0)
                && front.children.lock().is_empty();
            if !finished {
                return false;
            }
            if let Some(iteration) = state.iterations.pop_front()
                && let Some(iteration) = Arc::into_inner(iteration)
                && state.spare.len() < 2
            {
                state.spare.push(iteration.state);
            }
            if !state.next_roots.is_empty() {
                let next = self.start_iteration(frame, state, ready);
                for (node, value) in std::mem::take(&mut state.next_roots) {
                    let outputs = Outputs::from_iter([value]);
                    self.activate_in(self.node(node), false, next.clone(), outputs, ready);
                }
            }
        }
        true
    }

    /// A frame has ended: exits that were never reached are dead for those outside.
    fn delete_frame(&self, frame: &Arc<Frame>, ready: &mut Ready) {
        let (dead, live) = {
            let mut state = frame.state.lock();
            (std::mem::take(&mut state.dead_exits), state.live_exits.clone())
        };
        for exit in dead.into_iter().filter(|e| !live.contains(e)) {
            let mut outputs = Outputs::from_iter([Value::Dead]);
            let item = self.node(exit);
            if let Err(status) = self.fetch(item, true, &outputs) {
                self.fail(status.at_node(&item.node.name));
            }
            let activated = self.activate(item, true, &frame.parent, &mut outputs, ready);
            if let Some(parent) = &frame.parent {
                parent.outstanding.fetch_add(activated, Ordering::AcqRel);
            }
        }
        let removed = |children: &mut Vec<(u32, Arc<Frame>)>| {
            children.retain(|(_, child)| !Arc::ptr_eq(child, frame));
        };
        match &frame.parent {
            None => removed(&mut self.root_children().lock()),
            Some(parent) => {
                removed(&mut parent.children.lock());
                if parent.outstanding.load(Ordering::Acquire) == 0 {
                    self.settle(&parent.frame, ready);
                }
            }
        }
    }
}

fn arrive_at_merge(
    state: &IterationState,
    consumer: &PlanNode,
    slot: u32,
    item: &PlanNode,
    output: &mut Value,
    dead: bool,
    last: bool,
) -> Option<bool> {
    if dead {
        let from_enter = matches!(item.kind, Kind::Enter { .. });
        return state.merge_dead(consumer.counter, consumer.slots.1, from_enter).then_some(true);
    }
    if !state.claim_merge(consumer.counter) {
        return None;
    }
    let value = if last { std::mem::take(output) } else { output.clone() };
    // SAFETY: the claim makes this the only write to a Merge's inputs in this iteration, and the
    // Merge does not run before `merge_live`.
    unsafe { state.put(slot, value) };
    state.merge_live(consumer.counter).then_some(false)
}

fn push_ready(
    ready: &mut Ready,
    consumer: &PlanNode,
    node: u32,
    iteration: &Option<Arc<Iteration>>,
    became_ready: Option<bool>,
) {
    if let Some(dead) = became_ready {
        let dead = dead && consumer.kind != Kind::ControlTrigger;
        ready.push(Tagged { node, dead, iteration: iteration.clone() });
    }
}

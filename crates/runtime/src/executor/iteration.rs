//! The state of one iteration of one frame: a counter per node and a place per input.
//!
//! Protocol. An input place belongs to exactly one edge. The producer writes the place and then
//! decrements the consumer's counter (release); the thread whose decrement brings the counter to zero
//! (acquire) is the only one to run the consumer, and reads the places. Each edge carries one value per
//! iteration, so a place is never written twice, and never while its consumer runs. Three kinds of edge
//! could break this in a graph that is not well formed, and are guarded:
//! - a Merge may see several live inputs: only the first to set `CLAIMED` writes its place;
//! - an Exit may be live in several iterations: the frame lets only the first pass (`propagate`);
//! - a step's arguments may be given twice (a partial run): `Run::feed` lets only the first pass.

use std::cell::UnsafeCell;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use parking_lot::Mutex;

use super::plan::FramePlan;
use crate::frame_iteration::FrameIteration;
use crate::value::Value;

/// One dead input in a counter's upper half.
const DEAD: u64 = 1 << 32;
/// A Merge's live input has been chosen.
const CLAIMED: u64 = 1 << 31;
const PENDING: u64 = CLAIMED - 1;

pub(super) struct IterationState {
    /// Lower half: inputs (and control inputs) not yet there; upper half: dead ones among those that came.
    counters: Box<[AtomicU64]>,
    slots: Box<[UnsafeCell<Value>]>,
}

// SAFETY: slots are accessed by one thread at a time as the protocol above says; counters are atomic.
unsafe impl Sync for IterationState {}

impl IterationState {
    pub fn new(plan: &FramePlan) -> IterationState {
        IterationState {
            counters: plan.counters.iter().map(|&c| AtomicU64::new(c)).collect(),
            slots: (0..plan.slots).map(|_| UnsafeCell::new(Value::None)).collect(),
        }
    }

    /// A state without nodes, to leave behind when one is moved away.
    pub fn empty() -> IterationState {
        IterationState { counters: Box::default(), slots: Box::default() }
    }

    /// Makes a used state as good as new.
    pub fn reset(&mut self, plan: &FramePlan) {
        for (counter, &start) in self.counters.iter_mut().zip(&plan.counters) {
            *counter.get_mut() = start;
        }
        for slot in &mut self.slots {
            *slot.get_mut() = Value::None;
        }
    }

    /// Puts a value in place.
    ///
    /// # Safety
    /// The caller is the producer of this slot's edge and has not yet decremented the consumer's
    /// counter for it.
    pub unsafe fn put(&self, slot: u32, value: Value) {
        // SAFETY: by the caller's promise nobody else accesses the slot now.
        unsafe { *self.slots[slot as usize].get() = value };
    }

    /// The input places of a node that is about to run.
    ///
    /// # Safety
    /// The caller runs the node these slots belong to, alone.
    #[allow(clippy::mut_from_ref, reason = "exclusive access is the caller's promise")]
    pub unsafe fn inputs(&self, (first, count): (u32, u32)) -> &mut [Value] {
        let cells = &self.slots[first as usize..first as usize + count as usize];
        // SAFETY: UnsafeCell<Value> has the layout of Value, and by the caller's promise nobody else
        // accesses these slots now.
        unsafe { std::slice::from_raw_parts_mut(cells.as_ptr() as *mut Value, cells.len()) }
    }

    /// Counts an arrival at an ordinary node: `Some(dead)` when it is now ready.
    pub fn arrive(&self, counter: u32, dead: bool) -> Option<bool> {
        // Adding 2^32 - 1 takes one off the lower half and carries one into the upper.
        let change = if dead { DEAD - 1 } else { 1u64.wrapping_neg() };
        let before = self.counters[counter as usize].fetch_add(change, Ordering::AcqRel);
        let after = before.wrapping_add(change);
        (after as u32 == 0).then_some(after >> 32 != 0)
    }

    /// True when this is the first live input of a Merge, whose place the caller may then write.
    pub fn claim_merge(&self, counter: u32) -> bool {
        self.counters[counter as usize].fetch_or(CLAIMED, Ordering::AcqRel) & CLAIMED == 0
    }

    /// The claimed live input is in place. A Merge's counter holds one unit for its data and two
    /// for each control input; ready when only the unit was left.
    pub fn merge_live(&self, counter: u32) -> bool {
        let before = self.counters[counter as usize].fetch_and(!1, Ordering::AcqRel);
        before & PENDING == 1
    }

    /// A dead input of a Merge came: ready (and dead) when all are dead, or when it came from the
    /// Enter of a loop on an untaken branch, whose back edge will never come.
    pub fn merge_dead(&self, counter: u32, inputs: u32, from_enter: bool) -> bool {
        let before = self.counters[counter as usize].fetch_add(DEAD, Ordering::AcqRel);
        let dead = (before >> 32) + 1 == inputs as u64 || from_enter;
        dead && before & PENDING == 1 && before & CLAIMED == 0
    }

    /// A control input of a Merge came: `Some(dead)` when it is now ready.
    pub fn merge_control(&self, counter: u32, inputs: u32) -> Option<bool> {
        let before = self.counters[counter as usize].fetch_sub(2, Ordering::AcqRel);
        let after = before - 2;
        match after & PENDING {
            0 => Some(false),
            1 if after >> 32 == inputs as u64 => Some(true),
            _ => None,
        }
    }
}

/// A running instance of a static frame.
pub(super) struct Frame {
    pub plan: u32,
    /// What other tasks that run a part of this loop know it by.
    pub id: u64,
    /// The iteration it was entered from; `None` is the run's root.
    pub parent: Option<Arc<Iteration>>,
    pub state: Mutex<FrameState>,
}

#[derive(Default)]
pub(super) struct FrameState {
    /// Iterations not yet finished, oldest first; a younger one is never removed before an older.
    pub iterations: VecDeque<Arc<Iteration>>,
    /// Number of the youngest iteration ever started.
    pub latest: u64,
    /// Enter nodes that have not arrived yet.
    pub pending_entries: usize,
    /// Values for an iteration that may not start yet (too many run in parallel).
    pub next_roots: Vec<(u32, Value)>,
    /// Values of constant Enters, which every iteration gets.
    pub invariants: Vec<(u32, Value)>,
    pub dead_exits: Vec<u32>,
    pub live_exits: Vec<u32>,
    pub spare: Vec<IterationState>,
}

pub(super) struct Iteration {
    pub number: u64,
    pub frame: Arc<Frame>,
    pub state: IterationState,
    /// Nodes of this iteration that are ready or running.
    pub outstanding: AtomicUsize,
    /// Frames entered from this iteration, by static frame.
    pub children: Mutex<Vec<(u32, Arc<Frame>)>>,
}

impl Frame {
    pub fn new(plan_index: u32, plan: &FramePlan, parent: Option<Arc<Iteration>>) -> Arc<Frame> {
        let place =
            parent.as_ref().map_or(FrameIteration::default(), |iteration| iteration.place());
        let id = place.enter(plan.name_hash);
        let frame = Arc::new(Frame { plan: plan_index, id, parent, state: Mutex::default() });
        {
            let mut state = frame.state.lock();
            state.pending_entries = plan.entries;
            let first = Iteration::new(0, frame.clone(), IterationState::new(plan));
            state.iterations.push_back(first);
        }
        frame
    }

    /// Breaks the cycles between frames and iterations of an abandoned run.
    pub fn dismantle(&self) {
        let iterations = std::mem::take(&mut self.state.lock().iterations);
        for iteration in iterations {
            let children = std::mem::take(&mut *iteration.children.lock());
            children.iter().for_each(|(_, child)| child.dismantle());
        }
    }
}

impl Iteration {
    pub fn new(number: u64, frame: Arc<Frame>, state: IterationState) -> Arc<Iteration> {
        Arc::new(Iteration {
            number,
            frame,
            state,
            outstanding: AtomicUsize::new(0),
            children: Mutex::default(),
        })
    }

    pub fn place(&self) -> FrameIteration {
        FrameIteration { frame: self.frame.id, iteration: self.number }
    }
}

//! Who gets which task: by priority, where there is room; lower ones give way where both sides allow it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use downpour_tensor::Result;

use super::Coordinator;
use crate::event::Event;
use crate::message::TaskSpec;
use crate::state::Standing;

impl Coordinator {
    /// Assigns what waits. A task that has to give way has a lower priority than the one it gives way to, so it
    /// comes later in the queue: the loop ends.
    pub(super) fn schedule(&mut self) -> Result<()> {
        let waiting = |(id, task): (&u64, &crate::state::Task)| {
            (task.standing == Standing::Queued).then_some((Reverse(task.spec.priority), *id))
        };
        let mut queue: BTreeSet<_> = self.state.tasks.all.iter().filter_map(waiting).collect();
        if queue.is_empty() {
            return Ok(());
        }
        let mut room: BTreeMap<u64, u64> =
            self.state.live().map(|member| (member.id, member.capacity)).collect();
        for task in self.state.tasks.all.values() {
            if let Some(room) = task.member().and_then(|member| room.get_mut(&member)) {
                *room = room.saturating_sub(task.spec.capacity);
            }
        }
        // What did not fit: the next of the same kind needs no search.
        let mut refused: Vec<(u64, Vec<String>)> = Vec::new();
        while let Some((_, id)) = queue.pop_first() {
            let spec = self.state.tasks.all[&id].spec.clone();
            let hopeless = |(need, able): &(u64, Vec<String>)| {
                *need <= spec.capacity && *able == spec.capabilities
            };
            if !spec.preempts && refused.iter().any(hopeless) {
                continue;
            }
            let (member, victims) = match self.roomiest(&spec, &room) {
                Some(member) => (member, Vec::new()),
                None => match self.preemptable(&spec, &room) {
                    Some(found) => found,
                    None => {
                        refused.push((spec.capacity, spec.capabilities));
                        continue;
                    }
                },
            };
            let Some(left) = room.get_mut(&member) else { continue };
            for victim in victims {
                let given = &self.state.tasks.all[&victim].spec;
                *left = left.saturating_add(given.capacity);
                queue.insert((Reverse(given.priority), victim));
                tracing::info!(
                    task = given.name,
                    for_task = spec.name,
                    "gives way to a task of higher priority"
                );
                self.happen(Event::TaskQueued { task: victim })?;
            }
            *left = left.saturating_sub(spec.capacity);
            self.happen(Event::TaskAssigned { task: id, member })?;
        }
        Ok(())
    }

    /// The member with room: of the highest priority, then with most room, then the oldest.
    fn roomiest(&self, spec: &TaskSpec, room: &BTreeMap<u64, u64>) -> Option<u64> {
        let fits = self.state.live().filter(|member| {
            room.get(&member.id).is_some_and(|room| *room >= spec.capacity)
                && member.is_capable(&spec.capabilities)
        });
        fits.max_by_key(|member| (member.priority, room[&member.id], Reverse(member.id)))
            .map(|member| member.id)
    }

    /// Where the least important tasks would have to give way, and which.
    fn preemptable(&self, spec: &TaskSpec, room: &BTreeMap<u64, u64>) -> Option<(u64, Vec<u64>)> {
        if !spec.preempts {
            return None;
        }
        let able = self.state.live().filter(|member| {
            member.capacity >= spec.capacity && member.is_capable(&spec.capabilities)
        });
        let costs = able.filter_map(|member| {
            let lower = |(_, task): &(u64, &crate::state::Task)| {
                task.spec.preemptible && task.spec.priority < spec.priority
            };
            let mut candidates: Vec<_> = self.state.tasks.of(member.id).filter(lower).collect();
            candidates.sort_by_key(|(id, task)| (task.spec.priority, Reverse(*id)));
            let mut free = room.get(&member.id).copied().unwrap_or(0);
            let mut victims = Vec::new();
            let mut highest = i32::MIN;
            for (id, task) in candidates {
                if free >= spec.capacity {
                    break;
                }
                free = free.saturating_add(task.spec.capacity);
                highest = task.spec.priority;
                victims.push(id);
            }
            (free >= spec.capacity).then_some(((highest, victims.len(), member.id), victims))
        });
        costs.min_by_key(|(cost, _)| *cost).map(|((_, _, member), victims)| (member, victims))
    }
}

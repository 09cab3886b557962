//! What must hold, whatever happens.

use std::collections::BTreeSet;

use downpour_params::{Membership, Mode, Store};

use crate::cluster::Cluster;
use crate::trace::{Made, ShardAt, Start, Trace};
use crate::values::TracedValues;

/// A push is taken by a server: its incarnation must not be over there.
pub fn accepted(at: &TracedValues, id: i64) {
    let Ok(number) = usize::try_from(id) else { return };
    let restored = |start: &Start| start.restored.contains(&id);
    // While a snapshot is read back its last positions are set again.
    if at.trace.with(|seen| seen.starts.get(&(at.server, at.start)).is_some_and(restored)) {
        return;
    }
    at.trace.say(format!("server {} start {}: takes push {id}", at.server, at.start));
    let wrong = at.trace.with(|seen| {
        let made = seen.made.get(number)?.clone();
        let start = seen.starts.entry((at.server, at.start)).or_default();
        start.accepted.push(id);
        start.pending.insert(id);
        if seen.fenced.contains(&(at.server, at.start, made.worker, made.incarnation)) {
            return Some(format!("push {id} of an incarnation that was out is taken: {made:?}"));
        }
        let newest = seen.newest.get(&(at.server, at.start, made.worker));
        newest.filter(|&&newest| newest > made.incarnation).map(|newest| {
            format!("push {id} is taken though start {newest} of its worker is there: {made:?}")
        })
    });
    if let Some(wrong) = wrong {
        at.trace.violated(wrong);
    }
}

/// An update is made of these pushes.
pub fn applied(at: &TracedValues, before: &[i64], ids: &[i64], shares: &[f64], places: &[f64]) {
    let line = format!("server {} start {}: update {ids:?}", at.server, at.start);
    at.trace.say(&line);
    for wrong in wrong_in_update(at, before, ids, shares, places) {
        at.trace.violated(format!("{line}: {wrong}"));
    }
    at.trace.with(|seen| {
        let start = seen.starts.entry((at.server, at.start)).or_default();
        start.applied.extend(ids);
        match at.mode {
            Mode::Together { .. } => start.pending.clear(),
            _ => start.pending.retain(|id| !ids.contains(id)),
        }
    });
}

/// What is applied by itself is applied once, and weighs what it would weigh in an average of all.
pub fn applied_apart(at: &TracedValues, before: &[i64], ids: &[i64], shares: &[f64]) {
    at.trace.say(format!("server {} start {}: rows of {ids:?}", at.server, at.start));
    let share = match at.mode {
        Mode::AtOnce => 1.0,
        Mode::Bounded { workers, .. } | Mode::Together { workers, .. } => 1.0 / f64::from(workers),
    };
    if ids.iter().any(|id| before.contains(id)) {
        at.trace.violated(format!("rows of {ids:?} are applied twice"));
    }
    if shares.iter().any(|s| (s - share).abs() > 1e-9) {
        at.trace.violated(format!("shares of rows are {shares:?}, not {share}"));
    }
}

/// A shard is changed by the one server that has it, each push once, and nothing of its history is missing.
pub fn shard_applied(at: &TracedValues, name: &str, before: &[i64], ids: &[i64]) {
    let wrong = at.trace.with(|seen| {
        let known = seen.shards.get(name).cloned();
        let history: Vec<i64> = before.iter().chain(ids).copied().collect();
        let now = ShardAt { server: at.server, start: at.start, history };
        seen.shards.insert(name.to_string(), now);
        let known = known?;
        if (known.server, known.start) != (at.server, at.start) || known.history != before {
            return Some(format!("it was {known:?}, and is {before:?} here"));
        }
        ids.iter().find(|id| before.contains(id)).map(|id| format!("push {id} is applied twice"))
    });
    if let Some(wrong) = wrong {
        let (server, start) = (at.server, at.start);
        at.trace.violated(format!("server {server} start {start} changes {name}: {wrong}"));
    }
}

/// A shard has come to a server: with a snapshot, with the first values, or by a move. Only what comes back with a
/// snapshot may be older than it was.
pub fn shard_set(at: &TracedValues, name: &str, history: &[i64]) {
    let (server, start) = (at.server, at.start);
    let wrong = at.trace.with(|seen| {
        let known = seen.shards.get(name).cloned();
        let here = known.as_ref().is_none_or(|known| known.server == server);
        // A server that does not know yet that something has moved from it.
        if seen.restoring && !here {
            return None;
        }
        let now = ShardAt { server, start, history: history.to_vec() };
        seen.shards.insert(name.to_string(), now);
        let known = known?;
        let first = history.is_empty() && seen.blank.contains(&(server, start));
        let older = known.history.starts_with(history);
        // It had come here before, and its server has died since.
        let again = seen.restoring || here && known.start < start;
        match known.history == history || first || again && older {
            true => None,
            false => Some(format!("it was {known:?}, and comes as {history:?}")),
        }
    });
    if let Some(wrong) = wrong {
        at.trace.violated(format!("server {server} start {start} gets {name}: {wrong}"));
    }
}

/// No push is in the rest without being in what is applied by itself.
pub fn complete(at: &TracedValues, ids: &[i64], rows: &[i64]) {
    if let Some(id) = ids.iter().find(|id| !rows.contains(id)) {
        at.trace.violated(format!("push {id} is applied without its rows"));
    }
}

fn wrong_in_update(
    at: &TracedValues,
    before: &[i64],
    ids: &[i64],
    shares: &[f64],
    places: &[f64],
) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut known: BTreeSet<i64> = before.iter().copied().collect();
    let made = at.trace.with(|seen| seen.made.clone());
    let of = |id: &i64| &made[*id as usize];
    let mut data: BTreeSet<(u32, i64)> =
        before.iter().map(|id| (of(id).worker, of(id).position)).collect();
    for id in ids {
        if !known.insert(*id) {
            wrong.push(format!("push {id} is applied twice"));
        }
        if !data.insert((of(id).worker, of(id).position)) {
            wrong.push(format!("the data of push {id} is applied twice: {:?}", of(id)));
        }
    }
    let members = members(at);
    let share = match at.mode {
        Mode::AtOnce => 1.0,
        Mode::Bounded { workers, .. } => 1.0 / f64::from(workers),
        Mode::Together { .. } => 1.0 / ids.len() as f64,
    };
    if shares.iter().any(|s| (s - share).abs() > 1e-9) {
        wrong.push(format!("shares are {shares:?}, not {share}"));
    }
    for (worker, place) in places.iter().enumerate() {
        let own = ids.iter().filter(|id| of(id).worker as usize == worker).count();
        if (place - own as f64 * share).abs() > 1e-9 {
            wrong.push(format!("the sums of worker {worker} change by {place} for {own} pushes"));
        }
    }
    match at.mode {
        Mode::AtOnce => {}
        Mode::Together { workers, backups } => {
            let now = fingerprint(before);
            for id in ids.iter().filter(|id| of(id).seen[at.server] != now) {
                wrong.push(format!("push {id} is of other parameters than these"));
            }
            let from: BTreeSet<u32> = ids.iter().map(|id| of(id).worker).collect();
            let awaited = |worker: &u32| {
                let member = members.iter().find(|member| member.worker == *worker);
                from.contains(worker) || member.is_none_or(|member| !member.gone)
            };
            let required = (0..workers).filter(awaited).count().min((workers - backups) as usize);
            if from.len() < required || from.len() != ids.len() {
                wrong.push(format!("{required} pushes are required: {members:?}"));
            }
        }
        Mode::Bounded { bound, .. } => {
            let live = members.iter().filter(|member| !member.gone);
            let slowest = live.map(|member| member.clock).min().unwrap_or(0);
            for id in ids {
                let own = members.iter().find(|member| member.worker == of(id).worker);
                // A server that has gone back in time did not say that it may be there.
                let own = own.filter(|_| of(id).starts[at.server] == at.start);
                if own.is_some_and(|own| own.clock > slowest + u64::from(bound)) {
                    wrong.push(format!("more than {bound} ahead: {members:?}"));
                }
            }
        }
    }
    wrong
}

fn members(at: &TracedValues) -> Vec<Membership> {
    let store = at.store.get().and_then(|store| store.upgrade());
    store.map_or(Vec::new(), |store| store.members())
}

/// Tells parameters apart by what is in them.
pub fn fingerprint(ids: &[i64]) -> u64 {
    ids.iter().fold(7, |sum, id| (sum ^ *id as u64).wrapping_mul(0x0100_0000_01b3).rotate_left(17))
}

/// A server has come back with this history and these last pushes of each worker.
pub fn restored(trace: &Trace, server: usize, ids: &[i64], positions: &[(u32, i64)]) {
    let wrong = trace.with(|seen| {
        let lost = |&&(_, id): &&(u32, i64)| {
            let made = usize::try_from(id).ok().and_then(|id| seen.made.get(id));
            let used = made.is_some_and(|made| made.answered[server] == Some(true));
            // What was sent again may have been dropped then.
            let starts = seen.starts.range((server, 0)..(server + 1, 0));
            let once = starts.filter(|(_, start)| start.accepted.contains(&id)).count() == 1;
            used && once && !ids.contains(&id)
        };
        positions.iter().find(lost).copied()
    });
    if let Some((worker, id)) = wrong {
        trace.violated(format!(
            "server {server} is back: worker {worker}'s position says that push {id} is done, and it is not in"
        ));
    }
}

/// After everybody is done: what a server has, and what it says.
pub fn ended(trace: &Trace, store: &Store<TracedValues>) {
    let (server, start) = (store.values().server, store.values().start);
    let (history, members) = (store.values().ids(), store.members());
    let lost = store.statistics().lost;
    for wrong in trace.with(|seen| {
        let mut wrong = Vec::new();
        let starts: Vec<_> = seen.starts.iter().filter(|((s, _), _)| *s == server).collect();
        let answered = |made: &Made| made.answered[server] == Some(true);
        for (id, made) in seen.made.iter().enumerate().filter(|(_, made)| answered(made)) {
            let id = id as i64;
            // It may only have gone with a step that was not complete when the server died.
            let kept = starts.iter().any(|((_, number), at)| {
                at.applied.contains(&id) || *number < start && at.pending.contains(&id)
            });
            if !kept {
                wrong.push(format!("push {id} was answered and never used: {made:?}"));
            }
        }
        let used: u64 = members.iter().map(|member| member.used).sum();
        if used != history.len() as u64 + lost {
            wrong.push(format!(
                "server {server} says {lost} updates were lost; it has {} of {used}: {members:?}",
                history.len()
            ));
        }
        // Who was there to the end has told it everything.
        let began = seen.starts.get(&(server, start)).and_then(|start| start.began);
        for (worker, last) in seen.last_answer.iter().filter(|(w, _)| !seen.crashed.contains(w)) {
            let own = seen.made.iter().filter(|made| made.worker == *worker && answered(made));
            let own = own.count() as u64;
            let member = members.iter().find(|member| member.worker == *worker);
            let known = member.map_or(0, |member| member.used);
            if began < Some(*last) && known < own {
                wrong.push(format!(
                    "server {server} knows {known} pushes of worker {worker}, which was answered {own}"
                ));
            }
        }
        wrong
    }) {
        trace.violated(wrong);
    }
}

/// Without trouble every server has every push, and nothing else has happened.
pub fn calm(cluster: &Cluster) {
    let expected: i64 = cluster.workers.iter().map(|worker| worker.target).sum();
    let made = expected as u64;
    for store in cluster.servers.iter().filter_map(|server| server.store()) {
        let seen = store.statistics();
        let may_drop = matches!(store.values().mode, Mode::Together { backups, .. } if backups > 0);
        let all = store.values().ids().len() as u64 + if may_drop { seen.dropped } else { 0 };
        if all != made || seen.lost + seen.repeated + seen.refused > 0 {
            cluster.trace.violated(format!("{all} of {made} pushes are in: {seen:?}"));
        }
        for (shard, history) in store.values().shards() {
            if !may_drop && history.len() as u64 != made {
                let has = history.len();
                cluster.trace.violated(format!("shard {shard} has {has} of {made} pushes"));
            }
        }
    }
}

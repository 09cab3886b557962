//! What a server takes while variables are about to move (see [`crate::moving`]).

use std::collections::BTreeMap;
use std::time::Duration;

use downpour_tensor::{Result, Status};
use tokio::time::Instant;

use super::{State, Store};
use crate::incarnation::without_token;
use crate::member::{Member, Tag};
use crate::moving::Prepared;
use crate::moving::messages::{Fate, Hold, Last, Reply};
use crate::values::Values;

/// The longest time that a server holds without hearing anything, whatever it was asked for: nobody's push is applied
/// meanwhile. Movers and leaders ask for some seconds, and again as long as they need it.
const LONGEST_HOLD: Duration = Duration::from_secs(30);

/// A move that is under way here.
#[derive(Default)]
pub(super) struct Moving {
    pub hold: Option<Held>,
    /// Of this start: no two holds are the same.
    holds: u64,
    pub prepared: Option<Ready>,
    /// The decision is being written down.
    pub deciding: bool,
}

pub(super) struct Held {
    pub id: u64,
    pub number: u64,
    pub until: Instant,
    /// Of each worker, up to which of its updates another server has it: its start without the token, and the number.
    last: BTreeMap<u32, (u64, u64)>,
}

/// Prepared, and what only this start of the server has to know.
pub(super) struct Ready {
    pub prepared: Prepared,
    /// This server's word decides: without a mover the move has not happened.
    pub decides: bool,
}

impl Ready {
    pub fn restored(prepared: Prepared) -> Ready {
        Ready { prepared, decides: false }
    }
}

impl Moving {
    /// A hold is over when its mover is late; what another server decides is not.
    pub fn let_go(&mut self, now: Instant) {
        if self.deciding || self.hold.as_ref().is_none_or(|hold| now <= hold.until) {
            return;
        }
        tracing::info!("the mover is not heard any more");
        self.hold = None;
        self.prepared.take_if(|ready| ready.decides);
    }

    /// How many holds this start has had.
    pub fn holds(&self) -> u64 {
        self.holds
    }

    /// Counts holds from there on, so that none is taken for an earlier one.
    pub fn go_on_counting(&mut self, holds: u64) {
        self.holds = holds;
    }

    pub fn drop_of(&mut self, id: u64) {
        self.hold.take_if(|hold| hold.id == id);
        self.prepared.take_if(|ready| ready.prepared.id == id);
    }

    fn is_of(&self, id: u64) -> bool {
        self.hold.as_ref().is_some_and(|hold| hold.id == id)
            || self.prepared.as_ref().is_some_and(|ready| ready.prepared.id == id)
    }

    /// What a snapshot must have: not what this server decides itself.
    pub fn kept(&self) -> Option<Prepared> {
        let ready = self.prepared.as_ref().filter(|ready| !ready.decides);
        ready.map(|ready| ready.prepared.clone())
    }
}

impl State {
    /// Requests are of the layout that is here.
    pub(super) fn of_layout(&self, epoch: u64) -> Result<()> {
        let here = self.placed.epoch;
        if epoch == here {
            return Ok(());
        }
        Err(Status::aborted(format!(
            "variables have moved: this server has the layout {here}, and was asked by somebody who has the layout {epoch}"
        )))
    }

    /// Whether a push that has not come before may be taken now.
    pub(super) fn may_take(&mut self, tag: Tag, now: Instant) -> bool {
        self.moving.let_go(now);
        if self.moving.prepared.is_some() {
            return false;
        }
        let Some(hold) = &self.moving.hold else { return true };
        let elsewhere = hold.last.get(&tag.worker);
        let own = (without_token(tag.incarnation), tag.sequence);
        elsewhere.is_some_and(|last| own <= *last) || self.step_is_open()
    }

    fn step_is_open(&self) -> bool {
        self.ledger.members.values().any(|member| member.pending.is_some())
    }

    /// Nothing is being applied, and nothing waits for the rest of its step.
    pub(super) fn is_open(&self) -> bool {
        let open = |member: &Member| {
            member.busy || member.pending.is_some() || member.apart > member.sequence
        };
        self.ledger.members.values().any(open)
    }

    pub(super) fn reply(&self, id: u64) -> Reply {
        let last = |(worker, member): (&u32, &Member)| Last {
            worker: *worker,
            incarnation: without_token(member.incarnation),
            sequence: member.sequence,
        };
        let there = self.ledger.members.iter().filter(|(_, member)| !member.gone);
        let fate = match id != 0 && self.moved_by == id {
            true => Fate::Happened,
            false if self.moving.is_of(id) => Fate::Undecided,
            false => Fate::Void,
        };
        let prepared = self.moving.prepared.as_ref().filter(|ready| !ready.decides);
        Reply {
            defined: self.definition.is_some(),
            epoch: self.placed.epoch,
            layout: self.placed.layout.clone(),
            prepared: prepared.map_or(0, |ready| ready.prepared.id),
            fate: fate as u32,
            last: there.map(last).collect(),
            open: self.is_open(),
            positions: self.positions_sum(),
            hold: self.moving.hold.as_ref().map_or(0, |hold| hold.number),
            loads: Vec::new(),
        }
    }

    fn positions_sum(&self) -> u32 {
        self.positions.applied().extents().fold(0, |sum, extent| {
            let epoch = u64::from(extent.data_epoch);
            let numbers = [extent.dataset, epoch, extent.start, extent.end];
            numbers.iter().fold(sum, |sum, n| crc32c::crc32c_append(sum, &n.to_le_bytes()))
        })
    }
}

impl<V: Values> Store<V> {
    /// Whether pushes may have to wait for a move.
    pub(crate) fn is_held(&self) -> bool {
        let moving = &self.state.lock().moving;
        moving.hold.is_some() || moving.prepared.is_some()
    }

    /// Takes nothing new, or goes on with that, and says what it has.
    pub(crate) fn hold(&self, id: u64, hold: &Hold, now: Instant) -> Result<Reply> {
        let mut state = self.state.lock();
        Self::mode(&state)?;
        if !state.ready || id == 0 {
            return Err(Status::aborted("this server has no values to move"));
        }
        state.moving.let_go(now);
        let until = now + Duration::from_millis(hold.milliseconds).min(LONGEST_HOLD);
        let moving = &mut state.moving;
        let mut news = false;
        let other = moving.prepared.as_ref().is_some_and(|ready| ready.prepared.id != id);
        match &mut moving.hold {
            Some(held) if held.id == id && !other => {
                held.until = held.until.max(until);
                for Last { worker, incarnation, sequence } in &hold.last {
                    let last = held.last.entry(*worker).or_default();
                    news |= *last < (*incarnation, *sequence);
                    *last = (*last).max((*incarnation, *sequence));
                }
            }
            None if hold.begin && !other => {
                moving.holds += 1;
                let number = moving.holds;
                moving.hold = Some(Held { id, number, until, last: BTreeMap::new() });
            }
            None if !other => return Err(Status::aborted("this server has let go of the move")),
            _ => return Err(Status::aborted("another move is under way")),
        }
        let reply = state.reply(id);
        drop(state);
        if news {
            // Who may push now has waited.
            self.changed();
        }
        Ok(reply)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::message::{Join, Put};
    use crate::mode::Mode;
    use crate::plain::PlainValues;
    use crate::store::{Definition, Limits};

    /// A server that has values, and a worker that has joined as its first start.
    pub(in crate::store) fn ready_store(mode: Mode) -> Store<PlainValues> {
        let store = Store::new(PlainValues::new(1.0), Limits::default(), 1);
        let (incarnation, now) = (crate::incarnation::numbered(1, 0), Instant::now());
        store.define(Definition { program: Bytes::new(), mode }).unwrap();
        store.join(&Join { incarnation, ..Join::default() }, now).unwrap();
        let put = Put { ready: true, incarnation, number: 1, ..Put::default() };
        store.put(&put, Vec::new(), now).unwrap();
        store
    }

    #[tokio::test]
    async fn nobody_is_held_for_longer_than_half_a_minute() {
        let store = ready_store(Mode::AtOnce);
        let now = Instant::now();
        let hold = Hold { begin: true, milliseconds: u64::MAX, last: Vec::new() };
        store.hold(7, &hold, now).unwrap();
        let tag = Tag { worker: 0, incarnation: crate::incarnation::numbered(1, 0), sequence: 1 };
        let may_take = |now: Instant| store.state.lock().may_take(tag, now);
        assert!(!may_take(now + LONGEST_HOLD));
        assert!(may_take(now + LONGEST_HOLD + Duration::from_millis(1)));
    }
}

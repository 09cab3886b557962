//! A store's state, out and in.

use downpour_tensor::{Result, Status};
use tokio::time::Instant;

use super::holding::Ready;
use super::{State, Store};
use crate::member::Member;
use crate::positions::Positions;
use crate::snapshot::Snapshot;
use crate::values::Values;

impl<V: Values> Store<V> {
    /// Everything at one moment; values are shared, not copied. `None` before there are values.
    ///
    /// Gradients that wait for the rest of their step are not in it, nor what was set with them: their
    /// workers send them again to a server that has come back.
    pub fn snapshot(&self) -> Result<Option<Snapshot>> {
        let _cut = self.cut.write();
        let sums = self.sums.lock();
        let state = self.state.lock();
        let Some(definition) = state.definition.clone().filter(|_| state.ready) else {
            return Ok(None);
        };
        let mut values = Vec::new();
        for name in self.values.names() {
            match sums.olds.get(&name) {
                Some(Some(old)) => values.push((name, old.clone())),
                Some(None) => {}
                None => {
                    let value = self.values.get(&name)?;
                    values.push((name, value));
                }
            }
        }
        values.extend(self.sandblaster.saved(self.incarnation)?);
        let member = |(worker, member): (&u32, &Member)| member.remembered(*worker);
        Ok(Some(Snapshot {
            definition,
            version: state.version,
            steps: state.statistics.steps,
            lost: state.statistics.lost,
            known: state.statistics.known,
            shares: state.shares,
            start: self.incarnation,
            members: state.ledger.members.iter().map(member).collect(),
            applied: state.positions.applied().extents().collect(),
            values,
            placed: state.placed.clone(),
            moved_by: state.moved_by,
            prepared: state.moving.kept(),
        }))
    }

    /// Goes on where a snapshot was taken; only an empty store can.
    pub fn restore(&self, mut snapshot: Snapshot, now: Instant) -> Result<()> {
        let _cut = self.cut.write();
        if self.is_ready() {
            return Err(Status::failed_precondition("this server has values already"));
        }
        self.define_placed(snapshot.definition.clone(), snapshot.placed.clone())?;
        let values = std::mem::take(&mut snapshot.values);
        for (name, value) in self.sandblaster.restored(values)? {
            self.values.set(&name, value)?;
        }
        let mut state = self.state.lock();
        state.origin = Some((snapshot.start, snapshot.version));
        state.restore(snapshot, now);
        drop(state);
        self.changed();
        Ok(())
    }
}

impl State {
    /// Takes the bookkeeping of a snapshot, whose values are here.
    pub(super) fn restore(&mut self, snapshot: Snapshot, now: Instant) {
        self.ready = true;
        self.moved_by = snapshot.moved_by;
        self.moving.prepared = snapshot.prepared.map(Ready::restored);
        self.version = snapshot.version;
        self.shares = snapshot.shares;
        self.statistics.steps = snapshot.steps;
        self.statistics.lost = snapshot.lost;
        self.statistics.known = snapshot.known;
        self.positions = Positions::restored(snapshot.applied);
        for member in &snapshot.members {
            self.ledger.members.insert(member.tag.worker, Member::restored(member, now));
        }
    }
}

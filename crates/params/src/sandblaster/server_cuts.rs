//! A server's side of Sandblaster's cuts (see [`super::coordinator_cuts`]): to take a snapshot between two batches, to
//! write it, and to go back to it.
//!
//! Requests may come twice, and late. A snapshot is taken only if the server has executed as many batches as the
//! coordinator says, and a server goes back only from where the coordinator knows it to be; whatever comes later finds
//! it elsewhere and changes nothing.

use std::cmp::Ordering;

use downpour_tensor::{Result, Status};

use super::messages::{GoBack, Reply, TakeCut, WriteCut};
use super::vectors::Vectors;
use crate::store::Store;
use crate::values::Values;

/// Takes a snapshot, and keeps it until it is written.
pub(super) fn take<V: Values>(store: &Store<V>, take: TakeCut) -> Result<Reply> {
    let moved = || {
        let why = format!("cut {} was to be taken after {} batches", take.number, take.executed);
        Status::aborted(why)
    };
    let check = || -> Result<()> {
        let vectors = store.sandblaster.vectors.lock();
        vectors.check(take.term)?;
        match vectors.executed.cmp(&take.executed) {
            Ordering::Equal => Ok(()),
            Ordering::Less => Err(Status::data_loss(format!(
                "this server has executed {} batches and is asked for a cut after {}: it has come back from an older \
                 snapshot",
                vectors.executed, take.executed
            ))),
            Ordering::Greater => Err(moved()),
        }
    };
    check()?;
    store.check_cut_number(take.number)?;
    if store.cut_numbers().contains(&take.number) {
        return Err(Status::aborted(format!("there is another cut {}", take.number)));
    }
    let snapshot = store.snapshot()?.ok_or_else(moved)?;
    // Batches are counted upward: it was the same in between.
    check()?;
    store.hold_cut(take.number, snapshot)?;
    Ok(Reply::default())
}

/// Writes what was taken, and removes earlier ones that are of no use any more.
pub(super) fn write<V: Values>(store: &Store<V>, write: WriteCut) -> Result<Reply> {
    store.write_held_cut(write.number)?;
    store.remove_cuts(|number| number < write.number && number != write.keep)?;
    Ok(Reply::default())
}

/// Takes variables and vectors from a cut.
pub(super) fn go_back<V: Values>(store: &Store<V>, back: GoBack) -> Result<Reply> {
    let mut snapshot = store.read_cut(back.number)?;
    let (found, variables) = Vectors::split(std::mem::take(&mut snapshot.values))?;
    let mut found = found.ok_or_else(|| {
        Status::failed_precondition(format!("the cut {} has no vectors", back.number))
    })?;
    let branch = branch(store.incarnation, back);
    let _alone = store.changing_alone();
    let mut vectors = store.sandblaster.vectors.lock();
    vectors.check(back.term)?;
    let start = vectors.branch.unwrap_or(store.incarnation);
    if (start, vectors.executed) == (branch, found.executed) {
        // It was asked before.
        return Ok(reply(store, &vectors));
    }
    if (start, vectors.executed) != (back.from.start, back.from.executed) {
        return Err(Status::aborted("this server is not where it was to go back from"));
    }
    for (name, value) in variables {
        store.values().set(&name, value)?;
    }
    (found.term, found.branch) = (back.term, Some(branch));
    *vectors = found;
    *store.sandblaster.gather.lock() = Default::default();
    store.went_back(&snapshot, back.lost);
    Ok(reply(store, &vectors))
}

/// Where a server is, and the cuts it has.
pub(super) fn reply<V: Values>(store: &Store<V>, vectors: &Vectors) -> Reply {
    Reply {
        executed: vectors.executed,
        lineage: vectors.lineage.clone(),
        start: vectors.branch.unwrap_or(store.incarnation),
        cuts: store.cut_numbers(),
        ..Reply::default()
    }
}

/// A number that no start of a server and no other way back has.
fn branch(incarnation: u64, back: GoBack) -> u64 {
    let parts = [back.term.coordinator, back.term.session, back.number];
    parts.into_iter().fold(incarnation, |mixed, part| {
        let mixed = (mixed ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 32)
    })
}

//! A disk that loses power.
//!
//! The files are real ones, in a folder the test has made: a program writes them through [`SimulatedDisk::disk`] and reads
//! them with the usual functions, which see what was written last, as a system's cache shows it. Beside that the
//! simulation keeps what would be there after a power failure:
//!
//! 1. Bytes of a file are durable once the file was synced; names in a folder once the folder was. A rename within a
//!    folder happens as a whole or not at all. A rename between folders is durable in its new folder once that one is
//!    synced, and then the old name may still be there.
//! 2. At a power failure every change since then is kept or lost for itself, whatever happened to those before it; a
//!    write may also be torn: its beginning is kept, or some of its sectors of 512 bytes. Sectors that a file has grown
//!    by and that were not written are zeros.
//! 3. A sync that fails loses what it was for, and says so once: a second sync succeeds and brings nothing back.
//!
//! After a power failure the folder holds what was left, and the next process may begin.

mod crash;
mod damage;
mod state;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use downpour_disk::Disk;
use parking_lot::Mutex;

use crate::Random;
pub use damage::Damage;
use state::State;

/// What has happened to a disk. Each kind must have occurred before a test may say that it was survived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DiskFault {
    /// A write that was not synced was there nevertheless.
    WriteKept,
    /// A write that was not synced was lost.
    WriteLost,
    /// The beginning of a write was kept.
    WriteCut,
    /// Some sectors of a write were kept.
    WriteTorn,
    /// A name that was made, or changed by a rename, was lost.
    NameLost,
    /// A file that was removed was there again.
    RemovalLost,
    /// Of two changes in a folder the later was kept and the earlier was not.
    NamesReordered,
    /// The process died, and everything the system had was kept.
    Killed,
    /// There was no room for a byte of a write, or for a file.
    Full,
    /// There was room for a part of a write.
    Short,
    /// A sync failed.
    SyncFailed,
}

/// All kinds.
const KINDS: [DiskFault; 11] = [
    DiskFault::WriteKept,
    DiskFault::WriteLost,
    DiskFault::WriteCut,
    DiskFault::WriteTorn,
    DiskFault::NameLost,
    DiskFault::RemovalLost,
    DiskFault::NamesReordered,
    DiskFault::Killed,
    DiskFault::Full,
    DiskFault::Short,
    DiskFault::SyncFailed,
];

/// A program with a mistake in it, which a test of the program must find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskMutant {
    /// It does not sync files.
    NoSync,
    /// It does not sync folders.
    NoFolderSync,
    /// It syncs a file after it was renamed, not before.
    RenameBeforeSync,
}

/// A folder for the files of a simulated disk, in memory where the system has such folders: tests make many files.
pub fn temporary_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
    folder.expect("a temporary folder can be made")
}

/// A disk that loses power; see the module's text.
#[derive(Clone)]
pub struct SimulatedDisk(Arc<Mutex<State>>);

impl SimulatedDisk {
    /// A disk whose files are in `root`, an empty folder.
    pub fn new(root: &Path, random: Random) -> SimulatedDisk {
        SimulatedDisk(Arc::new(Mutex::new(State::new(root, random))))
    }

    /// The same for a program that has a mistake.
    pub fn with_mutant(root: &Path, random: Random, mutant: DiskMutant) -> SimulatedDisk {
        let disk = SimulatedDisk::new(root, random);
        disk.0.lock().mutant = Some(mutant);
        disk
    }

    /// What the program writes through.
    pub fn disk(&self) -> Disk {
        let state = self.0.clone();
        Disk::with_faults(move |step| state.lock().step(step))
    }

    /// Lets the process die before the step that follows after so many.
    pub fn die_after(&self, steps: u64) {
        self.0.lock().die_after(steps);
    }

    /// Leaves room for so many bytes.
    pub fn fill(&self, bytes: usize) {
        self.0.lock().room = Some(bytes);
    }

    /// Makes room again.
    pub fn make_room(&self) {
        self.0.lock().room = None;
    }

    /// Lets the sync fail that follows after so many.
    pub fn fail_sync_after(&self, syncs: u64) {
        self.0.lock().fail_sync = Some(syncs);
    }

    /// Whether the process has died since it was last started.
    pub fn is_dead(&self) -> bool {
        self.0.lock().dead
    }

    /// Ends the process, whether it is dead already or not; the machine goes on, and nothing is lost.
    pub fn restart_process(&self) {
        self.0.lock().restart_process();
    }

    /// Turns the machine off and on: the folder then holds what was durable, and of the rest what the seed says.
    pub fn lose_power(&self) {
        self.0.lock().lose_power();
    }

    /// Damages one of the files that lie there, if there is one that `may` be; returns its path and what was done.
    pub fn damage(&self, may: impl Fn(&Path) -> bool) -> Option<(std::path::PathBuf, Damage)> {
        self.0.lock().damage(&may)
    }

    /// How often each kind of fault has occurred.
    pub fn faults(&self) -> BTreeMap<DiskFault, usize> {
        self.0.lock().faults.clone()
    }

    /// The kinds of faults that have not occurred.
    pub fn missing(faults: &BTreeMap<DiskFault, usize>) -> Vec<DiskFault> {
        KINDS.into_iter().filter(|kind| !faults.contains_key(kind)).collect()
    }
}

#[cfg(test)]
mod tests;

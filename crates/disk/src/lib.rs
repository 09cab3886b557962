//! The operations that change files which must survive a crash.
//!
//! Everything Downpour writes to be read back after a crash (checkpoints, snapshots of parameter servers, the
//! coordinator's log) is written through a [`Disk`]. The default one is the file system. A test hands in one with a
//! function that sees every operation before it happens and may fail it; `downpour-simulation` builds a whole
//! simulated disk on that, which loses power, tears writes and runs full.

#![warn(missing_docs)]

mod atomic_file;
mod disk;
mod file;
mod free_space;

pub use atomic_file::{AtomicFile, TEMPORARY_MARK, io_error};
pub use disk::{Disk, DiskStep};
pub use file::DiskFile;
pub use free_space::free_space;

//! Faults that follow from a seed, for tests of what must survive them.
//!
//! [`SimulatedDisk`] stands behind a [`downpour_disk::Disk`]: it loses power, tears writes, runs full and damages files.
//! [`FaultyStream`] stands between a program and its connection: it cuts, stalls, delays and damages what passes;
//! [`FaultyProxy`] does the same for sockets of the system. All decide by a [`Random`], so that a seed repeats what went wrong.

#![warn(missing_docs)]

mod disk;
mod proxy;
mod random;
mod seeds;
mod stream;

pub use disk::{Damage, DiskFault, DiskMutant, SimulatedDisk, temporary_folder};
pub use proxy::FaultyProxy;
pub use random::Random;
pub use seeds::Seeds;
pub use stream::{FaultyStream, StreamFaults, StreamSwitch};

//! The real code in simulated time: the parameter service, the all-reduces, the schedule of units.
//!
//! Simulated are the network ([`network`]), the servers' processors, and how long computing takes. A run is a function of its
//! seed. Payloads are smaller than what they stand for ([`Scale`]), and so is the network's bandwidth; of each message as many
//! bytes as its header has take no time of their own, since headers do not get smaller with payloads.

mod clock;
mod collective;
mod gate;
pub mod network;
mod parameter_service;
mod processor;
mod random;
mod units;

pub use collective::{all_reduce, all_reduce_overlapped};
pub use parameter_service::{Run, parameter_service};
pub use random::Random;
pub use units::units;

/// Of the buffers that stand for all parameters; the bandwidth is scaled with them.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// Bytes of a buffer.
    pub bytes: usize,
}

impl Scale {
    /// The bandwidth that makes these bytes take as long as `bytes` at `bandwidth`.
    pub fn bandwidth(self, bytes: f64, bandwidth: f64) -> f64 {
        bandwidth * self.bytes as f64 / bytes
    }
}

/// Runs until it is done, in simulated time.
fn simulate<T>(future: impl Future<Output = T>) -> T {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_time().start_paused(true).build();
    // Without sockets nothing can be missing.
    runtime.expect("a runtime without drivers can be made").block_on(future)
}

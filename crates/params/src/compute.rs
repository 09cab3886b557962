//! Where numbers are computed.

use std::pin::Pin;

/// Runs what computes. Network threads must not: they hand it over.
pub trait Compute: Send + Sync + 'static {
    /// Runs it, somewhere, and is ready when it is done.
    fn run(&self, work: Box<dyn FnOnce() + Send>) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}

/// Computes where it is asked: for simulations and tests, where everything has one thread.
pub struct Inline;

impl Compute for Inline {
    fn run(&self, work: Box<dyn FnOnce() + Send>) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        work();
        Box::pin(std::future::ready(()))
    }
}

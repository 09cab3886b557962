//! The two state machines on tokio's clock: what waits, for owners that have a network.

pub mod door;
mod member;
mod service;

pub use member::MemberHandle;
pub use service::Service;

#[cfg(test)]
mod tests;

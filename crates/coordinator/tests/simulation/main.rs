//! A cluster in one thread: a coordinator, members of any speed, a parameter server that keeps a ledger, and a network
//! that delays, loses and repeats; time is simulated and everything comes from a seed.

mod faults;
mod speeds;
mod world;

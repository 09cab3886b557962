//! The tests that run real operations, in one program: each further one would link every kernel again.

mod common;
mod damaged_graphs;
mod generate;
mod library;
mod loops;
mod loops_over_devices;
mod session;

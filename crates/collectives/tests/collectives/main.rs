//! The collectives from outside: every algorithm over pipes, real sockets, and peers that die.

mod algorithms;
mod deaths;
mod group;
mod pipes;
mod processes;
mod relatives;
mod simulation;
mod sockets;

//! The library's tests, in one program: each further one would link every kernel again.

mod control_flow;
mod graph_maps;
mod graphs;
mod layers;
mod losses;
mod models;
mod pipelines;
mod precision;
mod remote_sessions;
mod strategies;
mod variable_scopes;
mod variables;

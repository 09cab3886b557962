//! The library's tests, in one program: each further one would link every kernel again.

mod control_flow;
mod graph_maps;
mod graphs;
mod hash_embeddings;
mod layers;
mod leases;
mod losses;
mod models;
mod pipelines;
mod ports;
mod precision;
mod rebalance;
mod remote_sessions;
mod sandblaster;
mod shards;
mod strategies;
mod variable_scopes;
mod variables;

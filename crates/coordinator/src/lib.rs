//! Who takes part in training and which data each works on: membership by heartbeats and epochs, leases, and a log that outlives the process.
#![warn(missing_docs)]

//! Where elements come from.

pub mod files;
pub mod generator;
pub mod idx;
pub mod tensors;

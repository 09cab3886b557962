//! The loops that every element-wise operation shares: a kernel is a row function and its cost.

#[macro_use]
mod row;
mod elementwise;
mod half_precision;
mod plan;

pub(crate) use elementwise::{Cost, Elementwise, Shapes};
pub(crate) use half_precision::{computed_type, narrow, widen};
pub(crate) use row::{Row, map1, map2, map3, wide_available};

/// Elements a block buffer holds: small enough that three of them stay in the first-level cache.
pub(crate) const BLOCK: usize = 512;

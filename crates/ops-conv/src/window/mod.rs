//! Sliding windows: how a kernel moves over an input, and what attributes say about it.

mod attributes;
mod axis;
mod layout;

pub(crate) use attributes::{ChannelOrder, WindowAttributes, output_dim, paddings};
pub(crate) use axis::{Axis, Padding};
pub(crate) use layout::{to_channels_first, to_channels_last};

//! The integer grid of fake quantization, moved so that zero lies on it.

use downpour_graph::Node;
use downpour_tensor::{Result, Status};

/// The integers of `num_bits` bits, from one if the range is narrow.
#[derive(Clone, Copy)]
pub(super) struct Integers {
    least: f32,
    most: f32,
}

impl Integers {
    pub fn of(node: &Node) -> Result<Integers> {
        let bits = node.int("num_bits")?;
        if !(2..=16).contains(&bits) {
            return Err(Status::invalid_argument("num_bits must be between 2 and 16, inclusive"));
        }
        let least = if node.bool("narrow_range")? { 1.0 } else { 0.0 };
        Ok(Integers { least, most: ((1 << bits) - 1) as f32 })
    }
}

/// A range whose ends and zero lie on the grid.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    pub low: f32,
    pub high: f32,
    pub scale: f32,
    pub inverse: f32,
    /// Zero's place on the grid.
    pub zero: f32,
}

impl Grid {
    /// `None` for a range of nothing, which TensorFlow treats as no quantization at all.
    pub fn of(min: f32, max: f32, integers: Integers) -> Option<Grid> {
        if min == 0.0 && max == 0.0 {
            return None;
        }
        let Integers { least, most } = integers;
        let scale = (max - min) / (most - least);
        let inverse = (most - least) / (max - min);
        let zero_point = (least - min / scale).clamp(least, most).round() as u16 as f32;
        let (low, high) = ((least - zero_point) * scale, (most - zero_point) * scale);
        Some(Grid { low, high, scale, inverse, zero: (-low * inverse + 0.5).floor() })
    }

    pub fn contains(&self, value: f32) -> bool {
        value >= self.low && value <= self.high
    }
}

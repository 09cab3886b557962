//! `Conv`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Conv(input, filter) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float, double, int32)
/// * `filter`: `T` (half, bfloat16, float, double, int32)
/// * `strides`: attribute, list(int)
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`, `"EXPLICIT"`
/// * gives `output`: `T` (half, bfloat16, float, double, int32)
///
/// Has no gradient.
pub fn conv(input: &Output, filter: &Output, strides: &[i64], padding: &str) -> Conv {
    let mut node = NodeBuilder::new("Conv").input(input).input(filter);
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    Conv(node)
}

/// A `Conv` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Conv(NodeBuilder);

impl Conv {
    /// The attribute `explicit_paddings`; an empty list unless set.
    pub fn explicit_paddings(mut self, value: &[i64]) -> Conv {
        self.0.set("explicit_paddings", value.to_vec().into());
        self
    }

    /// The attribute `data_format`; `"CHANNELS_LAST"` unless set.
    pub fn data_format(mut self, value: &str) -> Conv {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `dilations`; an empty list unless set.
    pub fn dilations(mut self, value: &[i64]) -> Conv {
        self.0.set("dilations", value.to_vec().into());
        self
    }

    /// The attribute `batch_dims`; `1` unless set.
    pub fn batch_dims(mut self, value: i64) -> Conv {
        self.0.set("batch_dims", value.into());
        self
    }

    /// The attribute `groups`; `1` unless set.
    pub fn groups(mut self, value: i64) -> Conv {
        self.0.set("groups", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Conv {
        Conv(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

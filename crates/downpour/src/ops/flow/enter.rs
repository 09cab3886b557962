//! `Enter`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Enter(data) -> (output)`.
///
/// * `data`: `T` (any type)
/// * `frame_name`: attribute, string
/// * gives `output`: `T` (any type)
///
/// Has no gradient.
pub fn enter(data: &Output, frame_name: &str) -> Enter {
    let mut node = NodeBuilder::new("Enter").input(data);
    node.set("frame_name", text(frame_name));
    Enter(node)
}

/// A `Enter` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Enter(NodeBuilder);

impl Enter {
    /// The attribute `is_constant`; `false` unless set.
    pub fn is_constant(mut self, value: bool) -> Enter {
        self.0.set("is_constant", value.into());
        self
    }

    /// The attribute `parallel_iterations`; `10` unless set.
    pub fn parallel_iterations(mut self, value: i64) -> Enter {
        self.0.set("parallel_iterations", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Enter {
        Enter(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

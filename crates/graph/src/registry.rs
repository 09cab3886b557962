//! Everything known about each operation, by name.

use std::collections::HashMap;
use std::sync::Arc;

use downpour_tensor::{Result, Status};

use crate::gradient::{GradientFn, GradientRule};
use crate::op_def::OpDef;
use crate::passes::Fusable;
use crate::shape_inference::{ShapeFn, unknown_outputs};
use crate::signature::parse_signature;

/// An operation's definition with its shape function, gradient and tolerance.
#[derive(Clone)]
pub struct OpSpec {
    pub def: OpDef,
    pub shape: ShapeFn,
    pub gradient: GradientRule,
    /// Largest relative difference from TensorFlow that our float32 kernel may show.
    pub tolerance: f64,
}

impl std::fmt::Debug for OpSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "OpSpec({})", self.def.name)
    }
}

impl OpSpec {
    /// An operation from its signature; see `parse_signature` for the text.
    pub fn new(signature: &str) -> Result<OpSpec> {
        Ok(OpSpec {
            def: parse_signature(signature)?,
            shape: unknown_outputs,
            gradient: GradientRule::Missing,
            tolerance: 1e-6,
        })
    }

    pub fn shape(mut self, shape: ShapeFn) -> OpSpec {
        self.shape = shape;
        self
    }

    pub fn gradient(mut self, rule: GradientFn) -> OpSpec {
        self.gradient = GradientRule::Rule(rule);
        self
    }

    pub fn not_differentiable(mut self) -> OpSpec {
        self.gradient = GradientRule::NotDifferentiable;
        self
    }

    pub fn tolerance(mut self, tolerance: f64) -> OpSpec {
        self.tolerance = tolerance;
        self
    }
}

#[derive(Clone, Default)]
pub struct OpRegistry {
    ops: HashMap<String, Arc<OpSpec>>,
    fusable: Option<fn(&str) -> Option<Fusable>>,
}

impl OpRegistry {
    pub fn new() -> OpRegistry {
        OpRegistry::default()
    }

    /// Adds an operation; a second one of the same name is a mistake in our own lists.
    pub fn add(&mut self, spec: OpSpec) -> Result<()> {
        let name = spec.def.name.clone();
        if self.ops.insert(name.clone(), Arc::new(spec)).is_some() {
            return Err(Status::already_exists(format!("operation {name} is registered twice")));
        }
        Ok(())
    }

    pub fn get(&self, name: &str) -> Option<&Arc<OpSpec>> {
        self.ops.get(name)
    }

    /// Says which operations the kernel of `_FusedElementwise` can run as steps.
    pub fn set_fusable(&mut self, fusable: fn(&str) -> Option<Fusable>) {
        self.fusable = Some(fusable);
    }

    /// How an operation may take part in a fused chain, if it may.
    pub fn fusable(&self, op: &str) -> Option<Fusable> {
        self.fusable.and_then(|fusable| fusable(op))
    }

    /// All names, sorted.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.ops.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }
}

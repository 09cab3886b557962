//! Operations with their kernels, handed to the runtime by whoever starts it.

use std::collections::HashMap;
use std::sync::Arc;

use downpour_graph::{Node, OpRegistry, OpSpec};
use downpour_tensor::{Result, Status};

use crate::kernel::{FunctionSource, KernelBox, KernelBuild, KernelFactory};

#[derive(Clone, Default)]
pub struct Registry {
    ops: OpRegistry,
    kernels: HashMap<String, KernelFactory>,
}

impl Registry {
    /// A registry that knows only what the executor itself needs.
    pub fn new() -> Registry {
        let mut registry = Registry::default();
        let arg = "_Arg() -> (output: T) @stateful
            T: type
            index: int >= 0";
        OpSpec::new(arg)
            .and_then(|spec| registry.add_without_kernel(spec))
            .expect("the signature above is valid and the first of its name");
        registry
    }

    /// Adds an operation with its CPU kernel.
    pub fn add(&mut self, spec: OpSpec, kernel: KernelFactory) -> Result<()> {
        self.kernels.insert(spec.def.name.clone(), kernel);
        self.ops.add(spec)
    }

    /// Adds an operation that only the graph compiler understands.
    pub fn add_without_kernel(&mut self, spec: OpSpec) -> Result<()> {
        self.ops.add(spec)
    }

    pub fn ops(&self) -> &OpRegistry {
        &self.ops
    }

    pub fn has_kernel(&self, op: &str) -> bool {
        self.kernels.contains_key(op)
    }

    pub fn make_kernel(
        &self,
        node: &Arc<Node>,
        functions: Option<&dyn FunctionSource>,
    ) -> Result<KernelBox> {
        let factory = self.kernels.get(node.op_name()).ok_or_else(|| {
            Status::unimplemented(format!(
                "operation {} has no CPU kernel in this version of Downpour",
                node.op_name()
            ))
        })?;
        factory(&KernelBuild::new(node, functions)).map_err(|e| e.at_node(&node.name))
    }
}

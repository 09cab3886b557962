//! Operations with their kernels, handed to the runtime by whoever starts it.

use std::collections::HashMap;
use std::sync::Arc;

use downpour_graph::passes::Fusable;
use downpour_graph::{Function, Node, OpRegistry, OpSpec};
use downpour_tensor::{Result, Status};

use crate::async_context::AsyncContext;
use crate::function::FunctionHandle;
use crate::kernel::{AsyncKernel, FunctionSource, KernelBox, KernelBuild, KernelFactory};

#[derive(Clone, Default)]
pub struct Registry {
    ops: OpRegistry,
    kernels: HashMap<String, KernelFactory>,
    wrappers: HashMap<String, KernelWrapper>,
}

/// Puts a kernel around one that was just made for a node.
pub type KernelWrapper = fn(&KernelBuild<'_>, KernelBox) -> KernelBox;

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

    /// Has every kernel that will be made for an operation wrapped: for what a family does in all of its kernels.
    pub fn wrap(&mut self, op: &str, wrapper: KernelWrapper) {
        self.wrappers.insert(op.to_owned(), wrapper);
    }

    /// Adds an operation that only the graph compiler understands.
    pub fn add_without_kernel(&mut self, spec: OpSpec) -> Result<()> {
        self.ops.add(spec)
    }

    /// See `OpRegistry::set_fusable`.
    pub fn set_fusable(&mut self, fusable: fn(&str) -> Option<Fusable>) {
        self.ops.set_fusable(fusable);
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
        if let (None, Some(functions)) = (self.ops.get(node.op_name()), functions) {
            // Not an operation: the node calls a function of the graph's library by its name.
            let function = Function { name: node.op_name().to_string(), attrs: node.attrs.clone() };
            let handle = functions.function(&function).map_err(|e| e.at_node(&node.name))?;
            return Ok(KernelBox::asynchronous(Call(handle)));
        }
        let factory = self.kernels.get(node.op_name()).ok_or_else(|| {
            Status::unimplemented(format!(
                "operation {} has no CPU kernel in this version of Downpour",
                node.op_name()
            ))
            .at_node(&node.name)
        })?;
        let build = KernelBuild::new(node, functions);
        let kernel = factory(&build).map_err(|e| e.at_node(&node.name))?;
        Ok(match self.wrappers.get(node.op_name()) {
            Some(wrapper) => wrapper(&build, kernel),
            None => kernel,
        })
    }
}

/// Calls a function with the node's inputs.
struct Call(Arc<FunctionHandle>);

impl AsyncKernel for Call {
    fn start(&self, cx: AsyncContext) {
        let args = cx.tensors(0..cx.inputs_len());
        let step = cx.step().clone();
        self.0.run(&step, args, move |result| cx.finish(result));
    }
}

#[cfg(test)]
mod tests {
    use downpour_tensor::{Code, DataType};

    use crate::testing::OpTest;

    #[test]
    fn an_operation_without_a_kernel_is_named_with_its_node() {
        let arg = OpTest::new(|_| Ok(()), "_Arg").attr("T", DataType::Float).attr("index", 0i64);
        let error = arg.run_values().map(drop).unwrap_err();
        assert_eq!(error.code(), Code::Unimplemented);
        assert!(error.message().contains("_Arg") && error.message().contains("{{node"), "{error}");
    }
}

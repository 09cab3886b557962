//! Kernels: the code that computes an operation.

use std::ops::Deref;
use std::sync::Arc;

use downpour_graph::{FunctionLibrary, Node};
use downpour_tensor::{Result, Status};

use crate::async_context::AsyncContext;
use crate::context::OpContext;
use crate::executor::GraphLoader;
use crate::function::FunctionHandle;
use crate::io_pool::Blocking;

/// Computes at once, on the thread that calls it. One instance serves a node for the life of its
/// session and may run in several steps at the same time.
pub trait Kernel: Send + Sync {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()>;

    /// False for kernels that always take well under a microsecond (moving a value, a shape):
    /// they run inline. Others are measured and inlined when they prove cheap.
    fn expensive(&self) -> bool {
        true
    }
}

/// Starts work that finishes later (a queue, a receive, a function call) and holds no thread meanwhile.
pub trait AsyncKernel: Send + Sync {
    /// Must lead to `cx.finish` exactly once; dropping the context reports an internal error.
    /// Work that waits for another party must finish with CANCELLED when the step is cancelled.
    fn start(&self, cx: AsyncContext);

    /// False if starting takes next to no time: it is then done by the thread that made it ready.
    fn expensive(&self) -> bool {
        true
    }
}

pub enum KernelBox {
    Sync(Box<dyn Kernel>),
    Async(Box<dyn AsyncKernel>),
}

struct FunctionKernel(fn(&mut OpContext<'_>) -> Result<()>, bool);

impl Kernel for FunctionKernel {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        (self.0)(cx)
    }
    fn expensive(&self) -> bool {
        self.1
    }
}

impl KernelBox {
    pub fn new(kernel: impl Kernel + 'static) -> KernelBox {
        KernelBox::Sync(Box::new(kernel))
    }

    pub fn asynchronous(kernel: impl AsyncKernel + 'static) -> KernelBox {
        KernelBox::Async(Box::new(kernel))
    }

    /// A kernel that reads or writes files: it computes on an I/O thread, so that compute threads never wait for a
    /// disk. Work that may wait for another party (a pipe) must be an `AsyncKernel` of its own and return `Pending`
    /// to `run_on_io_thread`.
    pub fn blocking(kernel: impl Kernel + 'static) -> KernelBox {
        KernelBox::asynchronous(Blocking(Arc::new(kernel)))
    }

    /// Like `blocking`, for a kernel without state.
    pub fn blocking_function(compute: fn(&mut OpContext<'_>) -> Result<()>) -> KernelBox {
        KernelBox::blocking(FunctionKernel(compute, true))
    }

    /// A kernel without state that needs only its context.
    pub fn function(compute: fn(&mut OpContext<'_>) -> Result<()>) -> KernelBox {
        KernelBox::new(FunctionKernel(compute, true))
    }

    /// Like `function`, for kernels that always run inline.
    pub fn cheap(compute: fn(&mut OpContext<'_>) -> Result<()>) -> KernelBox {
        KernelBox::new(FunctionKernel(compute, false))
    }
}

/// Makes a kernel for a node; attributes are checked here, once.
pub type KernelFactory = fn(&KernelBuild<'_>) -> Result<KernelBox>;

/// What a factory sees: the node, and the functions its attributes name.
///
/// Dereferences to the node, and through it to the attributes: `build.int("axis")`.
pub struct KernelBuild<'a> {
    node: &'a Arc<Node>,
    functions: Option<&'a dyn FunctionSource>,
}

/// Makes callable the functions that attributes name.
pub trait FunctionSource {
    fn function(&self, function: &downpour_graph::Function) -> Result<Arc<FunctionHandle>>;

    /// The functions there are, for graphs that are made of nodes and leave.
    fn library(&self) -> Option<Arc<FunctionLibrary>> {
        None
    }

    /// Returns the loader that makes other graphs callable with the same operations.
    fn loader(&self) -> Option<GraphLoader> {
        None
    }

    /// Makes callable the gradient of a function: it takes the function's arguments and the gradients of its results.
    fn gradient(&self, function: &downpour_graph::Function) -> Result<Arc<FunctionHandle>>;
}

impl<'a> KernelBuild<'a> {
    pub fn new(node: &'a Arc<Node>, functions: Option<&'a dyn FunctionSource>) -> KernelBuild<'a> {
        KernelBuild { node, functions }
    }

    pub fn node(&self) -> &'a Arc<Node> {
        self.node
    }

    /// The function that attribute `attr` names, ready to be called.
    pub fn callable(&self, attr: &str) -> Result<Arc<FunctionHandle>> {
        self.resolve(&self.node.function(attr)?)
    }

    /// The functions that the list attribute `attr` names.
    pub fn callables(&self, attr: &str) -> Result<Vec<Arc<FunctionHandle>>> {
        self.node.functions(attr)?.iter().map(|f| self.resolve(f)).collect()
    }

    /// The functions that the node's graph may call.
    pub fn library(&self) -> Option<Arc<FunctionLibrary>> {
        self.functions.and_then(|source| source.library())
    }

    /// Returns the loader that makes graphs callable that come as messages.
    pub fn loader(&self) -> Result<GraphLoader> {
        self.functions.and_then(|source| source.loader()).ok_or_else(|| {
            Status::failed_precondition(
                "graphs cannot be loaded here: there is no function library",
            )
        })
    }

    /// The gradient of the function that attribute `attr` names, ready to be called.
    pub fn callable_gradient(&self, attr: &str) -> Result<Arc<FunctionHandle>> {
        let function = self.node.function(attr)?;
        self.source(&function)?.gradient(&function)
    }

    fn resolve(&self, function: &downpour_graph::Function) -> Result<Arc<FunctionHandle>> {
        self.source(function)?.function(function)
    }

    fn source(&self, function: &downpour_graph::Function) -> Result<&'a dyn FunctionSource> {
        self.functions.ok_or_else(|| {
            Status::failed_precondition(format!(
                "function '{}' cannot be called here: there is no function library",
                function.name
            ))
        })
    }
}

impl Deref for KernelBuild<'_> {
    type Target = Node;
    fn deref(&self) -> &Node {
        self.node
    }
}

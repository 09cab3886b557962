//! A graph under construction: a handle that everything built from it shares.

mod facts;
mod gathered;
mod inner;
mod names;
mod surroundings;
mod variable_scopes;

use std::fmt;
use std::sync::{Arc, OnceLock};

use downpour_graph::{
    Attrs, DeviceName, Endpoint, FunctionLibrary, Graph as Nodes, GraphBuilder, NodeId,
    PartialShape, VersionInfo, export_graph_from, import_graph,
};
use downpour_runtime::Registry;
use downpour_tensor::{DataType, Result, Status, Tensor};
use downpour_wire::proto::GraphDef;
use parking_lot::{Mutex, MutexGuard};

use crate::into_tensor::IntoTensor;
use crate::output::{Operation, Output};
use crate::seed;
use crate::variable::Collections;
use facts::Facts;
use gathered::GatheredNodes;
use inner::Inner;
pub(crate) use names::{Names, check as check_name, legal as legal_name};
use surroundings::{Entry, Surroundings};

pub use surroundings::ScopeGuard;

/// The version of the graph format that we write (TensorFlow 2.21's): readers switch on it how some
/// operations are meant.
const PRODUCER: i32 = 2_474;

/// A graph of operations that grows call by call. Clones are handles on the same graph.
///
/// Scopes, devices and control dependencies that are entered hold for everything that is added to the
/// graph until their guard is dropped, by whichever thread: build a graph from one thread at a time.
#[derive(Clone)]
pub struct Graph(Arc<Shared>);

struct Shared {
    registry: Arc<Registry>,
    /// The functions that loops and conditionals call, those of inner graphs among them.
    library: Arc<Mutex<FunctionLibrary>>,
    /// The graph around this one, for the body of a loop or a branch.
    outer: Option<Graph>,
    state: Mutex<State>,
}

/// What a graph consists of while it grows.
#[derive(Default)]
pub(crate) struct State {
    pub nodes: Nodes,
    pub facts: Facts,
    pub names: Names,
    pub surroundings: Surroundings,
    pub seed: Option<i64>,
    pub collections: Collections,
    pub gathered: GatheredNodes,
    pub inner: Inner,
    /// Nodes that have changed since they were added: loops that keep more for their gradients, and what
    /// was rewritten for mixed precision.
    pub changed: Vec<NodeId>,
}

/// All operations we have; made once.
fn all_operations() -> Arc<Registry> {
    static ALL: OnceLock<Arc<Registry>> = OnceLock::new();
    ALL.get_or_init(|| {
        Arc::new(downpour_ops::registry().expect("our own lists name no operation twice"))
    })
    .clone()
}

impl Default for Graph {
    fn default() -> Graph {
        Graph::new()
    }
}

impl Graph {
    /// An empty graph that may use every operation of Downpour.
    pub fn new() -> Graph {
        Graph::with_registry(all_operations())
    }

    /// An empty graph over other operations (Downpour's and your own).
    pub fn with_registry(registry: Arc<Registry>) -> Graph {
        Graph::with_parts(registry, Arc::default(), None)
    }

    fn with_parts(
        registry: Arc<Registry>,
        library: Arc<Mutex<FunctionLibrary>>,
        outer: Option<Graph>,
    ) -> Graph {
        let mut state = State::default();
        state.nodes.versions = VersionInfo { producer: PRODUCER, min_consumer: 0 };
        Graph(Arc::new(Shared { registry, library, outer, state: Mutex::new(state) }))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock()
    }

    /// The operations this graph may use.
    pub fn registry(&self) -> &Arc<Registry> {
        &self.0.registry
    }

    /// True when both handles are on one graph.
    pub fn is(&self, other: &Graph) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.lock().nodes.len()
    }

    /// True before the first node.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    // ---- surroundings ----------------------------------------------------------------------

    /// Puts names made from now on under `name/`, numbered if there is such a scope already.
    pub fn name_scope(&self, name: &str) -> Result<ScopeGuard> {
        names::check(name)?;
        let path = {
            let mut state = self.lock();
            let path = state.surroundings.scoped(name);
            state.names.unique(&path)
        };
        Ok(ScopeGuard::new(self, Entry::Scope(path)))
    }

    /// Enters a scope by its whole path, whether it is new or not; "" is the top. Variables made in it are
    /// named by this path too, whatever variable scope is around.
    pub fn absolute_scope(&self, path: &str) -> Result<ScopeGuard> {
        if !path.is_empty() {
            names::check(path)?;
            self.lock().names.take(path);
        }
        Ok(ScopeGuard::new(self, Entry::Absolute(path.to_string())))
    }

    /// The path of the current scope, without a slash at the end; "" at the top.
    pub fn current_scope(&self) -> String {
        self.lock().surroundings.scope().to_string()
    }

    /// Puts nodes made from now on on a device, such as `/job:ps/task:0`. An inner device overrides the
    /// parts it names; "" forgets the outer ones.
    pub fn device(&self, device: &str) -> Result<ScopeGuard> {
        let entry = match device {
            "" => Entry::NoDevice,
            device => Entry::Device(DeviceName::parse(device)?),
        };
        Ok(ScopeGuard::new(self, entry))
    }

    /// Nodes made from now on run only after these have run.
    pub fn control_dependencies(&self, operations: &[&Operation]) -> Result<ScopeGuard> {
        let mut ids = Vec::with_capacity(operations.len());
        for operation in operations {
            self.expect_own(operation.graph(), &operation.name())?;
            ids.push(operation.id());
        }
        Ok(ScopeGuard::new(self, Entry::Controls(ids)))
    }

    /// Forgets the control dependencies entered so far, until the guard is dropped.
    pub fn no_control_dependencies(&self) -> ScopeGuard {
        ScopeGuard::new(self, Entry::NoControls)
    }

    /// Nodes made from now on stand on the device where `operation` stands, wherever that will be.
    pub fn colocate_with(&self, operation: &Operation) -> Result<ScopeGuard> {
        self.expect_own(operation.graph(), &operation.name())?;
        Ok(ScopeGuard::new(self, Entry::Colocate(operation.id())))
    }

    pub(crate) fn expect_own(&self, other: &Graph, what: &str) -> Result<()> {
        if self.is(other) {
            return Ok(());
        }
        Err(Status::invalid_argument(format!(
            "'{what}' belongs to another graph; values of two graphs cannot be combined"
        )))
    }

    // ---- seeds -----------------------------------------------------------------------------

    /// The seed from which random operations derive theirs, as `tf.compat.v1.set_random_seed`. An
    /// operation that is given no seed of its own takes the number of nodes before it.
    pub fn set_seed(&self, seed: i64) {
        self.lock().seed = Some(seed);
    }

    /// The attributes `seed` and `seed2` for a random operation with this seed of its own.
    pub fn seeds(&self, operation: Option<i64>) -> (i64, i64) {
        let state = self.lock();
        seed::seeds(state.seed, operation, state.nodes.len())
    }

    // ---- nodes -----------------------------------------------------------------------------

    /// Adds a node; `name` is numbered if it is taken. Refused when types or shapes do not agree.
    pub(crate) fn add(
        &self,
        op: &str,
        name: Option<&str>,
        inputs: &[Endpoint],
        attrs: Attrs,
    ) -> Result<NodeId> {
        let base = name.unwrap_or(op);
        if name.is_some() {
            names::check(base)?;
        }
        let state = &mut *self.lock();
        let wanted = state.surroundings.scoped(base);
        let builder = GraphBuilder::new(&mut state.nodes, self.0.registry.ops());
        let mut node = builder.node(&wanted, op, inputs, attrs)?;
        state.surroundings.apply(&state.nodes, &mut node)?;
        // The name is taken last, so that a refused call leaves no trace.
        state.facts.learn(&node)?;
        node.name = state.names.unique(&wanted);
        state.nodes.push(node)
    }

    /// A node's whole name, numbered if it is taken; taken from now on.
    pub(crate) fn take_name(&self, path: &str) -> String {
        self.lock().names.unique(path)
    }

    /// Adds a node without inputs under a name that was taken for it.
    pub(crate) fn add_exactly(&self, op: &str, name: &str, attrs: Attrs) -> Result<Output> {
        let state = &mut *self.lock();
        let builder = GraphBuilder::new(&mut state.nodes, self.0.registry.ops());
        let mut node = builder.node(name, op, &[], attrs)?;
        state.surroundings.apply(&state.nodes, &mut node)?;
        state.facts.learn(&node)?;
        Ok(Output::new(self, state.nodes.push(node)?.into()))
    }

    /// A value that is fed; dimensions may be left open.
    pub fn placeholder(
        &self,
        name: &str,
        dtype: DataType,
        shape: impl Into<PartialShape>,
    ) -> Result<Output> {
        let attrs = Attrs::new().with("dtype", dtype).with("shape", shape.into());
        let id = self.add("Placeholder", Some(name), &[], attrs)?;
        Ok(Output::new(self, id.into()))
    }

    /// A constant: a number, an array, a vector, text or a tensor.
    pub fn constant(&self, value: impl IntoTensor) -> Result<Output> {
        self.tensor_constant(value.into_tensor()?, None)
    }

    /// A constant under a name of its own.
    pub fn named_constant(&self, name: &str, value: impl IntoTensor) -> Result<Output> {
        self.tensor_constant(value.into_tensor()?, Some(name))
    }

    fn tensor_constant(&self, value: Tensor, name: Option<&str>) -> Result<Output> {
        let attrs = Attrs::new().with("dtype", value.dtype()).with("value", value);
        let id = self.add("Const", name, &[], attrs)?;
        Ok(Output::new(self, id.into()))
    }

    /// An operation that does nothing but run after all of these: "do all of this" as one target.
    pub fn group(&self, name: &str, operations: &[Operation]) -> Result<Operation> {
        let all: Vec<&Operation> = operations.iter().collect();
        let _after = self.control_dependencies(&all)?;
        let id = self.add("NoOp", Some(name), &[], Attrs::new())?;
        Ok(Operation::new(self, id))
    }

    // ---- looking ---------------------------------------------------------------------------

    /// The operation of this name.
    pub fn operation(&self, name: &str) -> Result<Operation> {
        let id = self.lock().nodes.find(name);
        id.map(|id| Operation::new(self, id))
            .ok_or_else(|| Status::not_found(format!("the graph has no operation '{name}'")))
    }

    /// The value of this name: `node`, or `node:1` for a further output.
    pub fn output(&self, name: &str) -> Result<Output> {
        let end = self.lock().nodes.find_endpoint(name)?;
        Ok(Output::new(self, end))
    }

    /// The graph as TensorFlow's message.
    pub fn to_graph_def(&self) -> Result<GraphDef> {
        Ok(self.grown_since(0)?.0)
    }

    fn add_functions(&self, proto: &mut GraphDef) {
        let library = self.0.library.lock().to_proto();
        if !library.function.is_empty() {
            proto.library = Some(library);
        }
    }

    pub(crate) fn library(&self) -> MutexGuard<'_, FunctionLibrary> {
        self.0.library.lock()
    }

    /// The part of the graph added after its first `nodes` nodes, and how many there are now.
    pub(crate) fn grown_since(&self, nodes: usize) -> Result<(GraphDef, usize)> {
        let state = self.lock();
        if let Some(changed) = state.changed.iter().find(|id| id.index() < nodes) {
            return Err(Status::failed_precondition(format!(
                "'{}' has been differentiated or rewritten after a session had begun to run it; \
                 do that first, or open a new session",
                state.nodes.node(*changed).name
            )));
        }
        let mut proto = export_graph_from(&state.nodes, nodes)?;
        self.add_functions(&mut proto);
        Ok((proto, state.nodes.len()))
    }

    /// A graph that somebody else built, with its functions; it may grow on. What is a variable in it is
    /// not known here: find its values and operations by [`Graph::output`] and [`Graph::operation`].
    pub fn from_graph_def(proto: &GraphDef) -> Result<Graph> {
        let graph = Graph::new();
        let mut library = FunctionLibrary::new();
        if let Some(functions) = &proto.library {
            library.extend(functions)?;
        }
        graph.extend_with(|nodes, registry, _| {
            import_graph(nodes, proto, registry.ops(), &library)
        })?;
        *graph.library() = library;
        Ok(graph)
    }

    /// Lets `build` add nodes by the graph's own builder, then gives them the current surroundings.
    pub(crate) fn extend_with<T>(
        &self,
        build: impl FnOnce(&mut Nodes, &Registry, &str) -> Result<T>,
    ) -> Result<T> {
        let state = &mut *self.lock();
        let before = state.nodes.len();
        let scope = state.surroundings.scope().to_string();
        let result = build(&mut state.nodes, &self.0.registry, &scope);
        state.changed.extend(state.facts.changed(&state.nodes));
        for index in before..state.nodes.len() {
            let id = NodeId(index as u32);
            let mut node = state.nodes.node(id).clone();
            state.surroundings.apply(&state.nodes, &mut node)?;
            state.names.take(&node.name);
            // A scope of the new nodes is taken as well.
            if let Some((scope, _)) = node.name.rsplit_once('/') {
                state.names.take(scope);
            }
            *state.nodes.node_mut(id) = node;
        }
        state.facts.catch_up(&state.nodes);
        result
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Graph({} nodes)", self.len())
    }
}

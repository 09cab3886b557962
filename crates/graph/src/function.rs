//! Functions: bodies kept as messages, and made into graphs for given attributes.

mod export;
mod gradient;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use downpour_tensor::{DataType, Result, Status};
use downpour_wire::proto::{FunctionDef, FunctionDefLibrary, GradientDef, NodeDef};

use crate::attr::{AttrValue, Attrs, Function};
use crate::attr_proto::attrs_from_proto;
use crate::builder::GraphBuilder;
use crate::graph::Graph;
use crate::import::{check_input_types, import_node, resolve_ops};
use crate::node::{EdgeType, Endpoint, Node, NodeId};
use crate::op_def_proto::op_def_from_proto;
use crate::registry::{OpRegistry, OpSpec};
use crate::shapes;
use crate::types::{arg_types, complete_attrs};
use crate::{GradientRule, OpDef};

pub use export::graph_to_function;

/// Each argument becomes a node: a forged count must not make many.
const MAX_ARGS: usize = 1 << 16;

/// The functions a graph may call. Cloning is cheap.
#[derive(Clone, Default)]
pub struct FunctionLibrary {
    functions: HashMap<String, Arc<Entry>>,
    /// By function, the one that computes its gradient, where the graph's author gave one.
    gradients: HashMap<String, String>,
}

struct Entry {
    proto: FunctionDef,
    spec: Arc<OpSpec>,
}

/// A function's body for given attributes: a graph, its argument nodes in order, its results, and
/// the nodes that must run although nothing is fetched from them.
#[derive(Clone, Debug, Default)]
pub struct FunctionGraph {
    pub graph: Graph,
    pub args: Vec<NodeId>,
    pub results: Vec<Endpoint>,
    pub targets: Vec<NodeId>,
}

impl FunctionGraph {
    /// A further argument, named `name` or nearly so.
    pub fn add_arg(&mut self, registry: &OpRegistry, name: &str, ty: EdgeType) -> Result<Endpoint> {
        let name = GraphBuilder::new(&mut self.graph, registry).unique_name(name);
        let arg = push_arg(&mut self.graph, registry, name, ty, self.args.len())?;
        self.args.push(arg);
        Ok(arg.into())
    }

    /// Nodes that have an effect or a state.
    pub fn stateful_nodes(&self) -> Vec<NodeId> {
        let nodes = self.graph.nodes();
        let stateful = nodes.filter(|(_, n)| n.op.def.is_stateful && n.op_name() != "_Arg");
        stateful.map(|(id, _)| id).collect()
    }
}

impl FunctionLibrary {
    pub fn new() -> FunctionLibrary {
        FunctionLibrary::default()
    }

    /// Adds functions; one that is already there must be the same.
    pub fn extend(&mut self, proto: &FunctionDefLibrary) -> Result<()> {
        for function in &proto.function {
            let signature = function
                .signature
                .as_ref()
                .ok_or_else(|| Status::invalid_argument("a function has no signature"))?;
            let def = op_def_from_proto(signature)
                .map_err(|e| e.context(format!("function '{}'", signature.name)))?;
            if let Some(known) = self.functions.get(&def.name) {
                if known.proto != *function {
                    return Err(Status::invalid_argument(format!(
                        "Cannot add function '{}' because a different function with the same name \
                         already exists.",
                        def.name
                    )));
                }
                continue;
            }
            let name = def.name.clone();
            let entry = Entry { proto: function.clone(), spec: Arc::new(call_spec(def)) };
            self.functions.insert(name, Arc::new(entry));
        }
        proto.gradient.iter().try_for_each(|own| self.add_gradient(own))
    }

    fn add_gradient(&mut self, own: &GradientDef) -> Result<()> {
        let GradientDef { function_name, gradient_func } = own;
        match self.gradients.insert(function_name.clone(), gradient_func.clone()) {
            Some(known) if known != *gradient_func => Err(Status::invalid_argument(format!(
                "Cannot assign gradient function '{gradient_func}' to '{function_name}' because it \
                 already has gradient function '{known}'"
            ))),
            _ => Ok(()),
        }
    }

    /// Adds a function made of a graph under a name that no other function has: `base`, `base_1`, ...
    pub fn add_graph(&mut self, base: &str, body: &FunctionGraph) -> Result<Function> {
        let name = std::iter::once(base.to_string())
            .chain((1..).map(|i| format!("{base}_{i}")))
            .find(|name| !self.contains(name))
            .ok_or_else(|| Status::internal("numbers do not run out"))?;
        let function = vec![graph_to_function(&name, body)?];
        self.extend(&FunctionDefLibrary { function, ..FunctionDefLibrary::default() })?;
        Ok(Function { name, attrs: Attrs::new() })
    }

    /// All functions and gradients as messages, sorted by name.
    pub fn to_proto(&self) -> FunctionDefLibrary {
        let mut all: Vec<_> = self.functions.iter().collect();
        all.sort_unstable_by_key(|(name, _)| name.as_str());
        let function = all.into_iter().map(|(_, entry)| entry.proto.clone()).collect();
        let mut own: Vec<_> = self.gradients.iter().collect();
        own.sort_unstable();
        let gradient = own.into_iter().map(|(function, gradient)| GradientDef {
            function_name: function.clone(),
            gradient_func: gradient.clone(),
        });
        FunctionDefLibrary { function, gradient: gradient.collect(), ..Default::default() }
    }

    /// The message of a function.
    pub fn get(&self, name: &str) -> Option<&FunctionDef> {
        self.functions.get(name).map(|entry| &entry.proto)
    }

    pub fn contains(&self, name: &str) -> bool {
        self.functions.contains_key(name)
    }

    /// Returns the definition of a function.
    pub fn definition(&self, name: &str) -> Option<&FunctionDef> {
        self.functions.get(name).map(|entry| &entry.proto)
    }

    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// The function seen as an operation of its own name.
    pub fn spec(&self, name: &str) -> Option<Arc<OpSpec>> {
        self.functions.get(name).map(|e| e.spec.clone())
    }

    /// The function's signature and declared attributes (`_noinline`, `api_implements`, ...).
    pub fn attr(&self, function: &str, attr: &str) -> Option<AttrValue> {
        let value = self.functions.get(function)?.proto.attr.get(attr)?;
        crate::attr_proto::attr_from_proto(value).ok()
    }

    /// Returns the name of a stateful operation that a function runs, itself or by the functions it calls. Operations
    /// that are exempt are passed over; a call counts as what the function does that is called.
    pub fn stateful_operation(
        &self,
        function: &str,
        registry: &OpRegistry,
        is_exempt: &dyn Fn(&OpDef) -> bool,
    ) -> Option<String> {
        let mut seen = HashSet::from([function.to_owned()]);
        let mut next = vec![function.to_owned()];
        while let Some(entry) = next.pop().map(|name| self.functions.get(&name)) {
            for node in entry.iter().flat_map(|entry| &entry.proto.node_def) {
                let called = called_functions(node);
                let calls = !called.is_empty() || self.contains(&node.op);
                let spec = registry.get(&node.op).filter(|spec| spec.def.is_stateful);
                if let Some(spec) = spec.filter(|spec| !calls && !is_exempt(&spec.def)) {
                    return Some(spec.def.name.clone());
                }
                let called = called.into_iter().chain([node.op.clone()]);
                next.extend(called.filter(|name| self.contains(name) && seen.insert(name.clone())));
            }
        }
        None
    }

    /// Makes the body of a function for the attributes of a call.
    pub fn instantiate(&self, function: &Function, registry: &OpRegistry) -> Result<FunctionGraph> {
        let entry = self.functions.get(&function.name).ok_or_else(|| {
            Status::not_found(format!("Function {} is not defined.", function.name))
        })?;
        instantiate(&entry.proto, &entry.spec.def, &function.attrs, registry, self)
            .map_err(|e| e.context(format!("in function '{}'", function.name)))
    }
}

/// Returns the functions that a node names in its attributes.
fn called_functions(node: &NodeDef) -> Vec<String> {
    use downpour_wire::proto::attr_value::Value;
    let names = node.attr.values().flat_map(|attr| match &attr.value {
        Some(Value::Func(function)) => vec![function.name.clone()],
        Some(Value::List(list)) => list.func.iter().map(|f| f.name.clone()).collect(),
        _ => Vec::new(),
    });
    names.collect()
}

fn call_spec(mut def: OpDef) -> OpSpec {
    // A call may have any effect its body has.
    def.is_stateful = true;
    OpSpec { def, shape: shapes::unknown, gradient: GradientRule::Missing, tolerance: 1e-6 }
}

fn instantiate(
    proto: &FunctionDef,
    def: &OpDef,
    call_attrs: &Attrs,
    registry: &OpRegistry,
    library: &FunctionLibrary,
) -> Result<FunctionGraph> {
    let mut attrs = call_attrs.clone();
    complete_attrs(def, &mut attrs)?;
    let mut graph = Graph::new();
    let mut names: HashMap<String, Vec<Endpoint>> = HashMap::new();
    let args = add_args(&mut graph, def, &attrs, registry, &mut names)?;

    let nodes: Vec<NodeDef> =
        proto.node_def.iter().map(|n| substitute(n, &attrs)).collect::<Result<_>>()?;
    let specs = resolve_ops(&nodes, registry, library)?;
    let mut ids = Vec::with_capacity(nodes.len());
    let mut edges = 0;
    for (node, spec) in nodes.iter().zip(specs) {
        let node = import_node(node, spec, &mut edges).map_err(|e| e.at_node(&node.name))?;
        let outputs: Vec<(String, std::ops::Range<usize>)> = node
            .op
            .def
            .outputs
            .iter()
            .map(|arg| Ok((arg.name.clone(), node.output_range(&arg.name)?)))
            .collect::<Result<_>>()?;
        let name = node.name.clone();
        let id = graph.push(node)?;
        for (arg, range) in outputs {
            let ends = range.map(|port| Endpoint { node: id, port: port as u32 }).collect();
            names.insert(format!("{name}:{arg}"), ends);
        }
        ids.push(id);
    }
    for (&id, node) in ids.iter().zip(&nodes) {
        connect(&mut graph, id, node, &names).map_err(|e| e.at_node(&node.name))?;
    }
    let mut results = Vec::new();
    for output in &def.outputs {
        let source = proto.ret.get(&output.name).ok_or_else(|| {
            Status::invalid_argument(format!("the result '{}' is not defined", output.name))
        })?;
        let types = arg_types(std::slice::from_ref(output), &attrs)?;
        let ends = lookup(&names, source)?;
        check_result(&graph, &output.name, &types, ends)?;
        results.extend(ends);
    }
    let targets = control_results(proto, &graph)?;
    Ok(FunctionGraph { graph, args, results, targets })
}

/// A caller relies on the signature: what the body returns must be what it promises.
fn check_result(graph: &Graph, name: &str, promised: &[EdgeType], ends: &[Endpoint]) -> Result<()> {
    let given = |end: &Endpoint| graph.edge_type(*end).dtype;
    if ends.iter().map(given).eq(promised.iter().map(|t| t.dtype)) {
        return Ok(());
    }
    let list = |types: &mut dyn Iterator<Item = DataType>| {
        let shown: Vec<&str> = types.take(8).map(DataType::name).collect();
        shown.join(", ")
    };
    Err(Status::invalid_argument(format!(
        "the result '{name}' is promised as {} tensor(s) [{}] but the body returns {} [{}]",
        promised.len(),
        list(&mut promised.iter().map(|t| t.dtype)),
        ends.len(),
        list(&mut ends.iter().map(given)),
    )))
}

/// Nodes that a call must run: those the signature names, and, where a function predates control
/// results, every stateful node.
fn control_results(proto: &FunctionDef, graph: &Graph) -> Result<Vec<NodeId>> {
    let mut targets = Vec::new();
    for name in proto.control_ret.values() {
        targets.push(graph.find(name).ok_or_else(|| {
            Status::invalid_argument(format!("the control result '{name}' is not a node"))
        })?);
    }
    let named: HashSet<NodeId> = targets.iter().copied().collect();
    for (id, node) in graph.nodes() {
        if node.op.def.is_stateful && node.op_name() != "_Arg" && !named.contains(&id) {
            targets.push(id);
        }
    }
    Ok(targets)
}

fn add_args(
    graph: &mut Graph,
    def: &OpDef,
    attrs: &Attrs,
    registry: &OpRegistry,
    names: &mut HashMap<String, Vec<Endpoint>>,
) -> Result<Vec<NodeId>> {
    let count = arg_types(&def.inputs, attrs)?.len();
    if count > MAX_ARGS {
        return Err(Status::invalid_argument(format!(
            "a function has {count} arguments; at most {MAX_ARGS} are supported"
        )));
    }
    let mut args = Vec::new();
    for arg in &def.inputs {
        let types = arg_types(std::slice::from_ref(arg), attrs)?;
        let many = types.len() != 1 || arg.number_attr.is_some();
        let mut ends = Vec::new();
        for (i, ty) in types.iter().enumerate() {
            let name = if many { format!("{}_{i}", arg.name) } else { arg.name.clone() };
            let id = push_arg(graph, registry, name, *ty, args.len())?;
            args.push(id);
            ends.push(Endpoint::from(id));
        }
        names.insert(arg.name.clone(), ends);
    }
    Ok(args)
}

/// Adds a node that stands for argument number `index`.
pub(crate) fn push_arg(
    graph: &mut Graph,
    registry: &OpRegistry,
    name: String,
    ty: EdgeType,
    index: usize,
) -> Result<NodeId> {
    let spec = registry.get("_Arg").cloned().ok_or_else(|| {
        Status::failed_precondition("functions need the operation _Arg, which is not registered")
    })?;
    graph.push(Node {
        name,
        op: spec,
        device: String::new(),
        attrs: Attrs::new().with("T", ty.dtype).with("index", index as i64),
        inputs: Vec::new(),
        controls: Vec::new(),
        input_types: Vec::new(),
        output_types: vec![ty],
    })
}

/// A body node with the call's values in place of attribute placeholders.
fn substitute(node: &NodeDef, attrs: &Attrs) -> Result<NodeDef> {
    use downpour_wire::proto::attr_value::Value;
    let mut node = node.clone();
    for value in node.attr.values_mut() {
        if let Some(Value::Placeholder(name)) = &value.value {
            let given = attrs.get(name).ok_or_else(|| {
                Status::invalid_argument(format!(
                    "node '{}' needs the attribute '{name}' of the call",
                    node.name
                ))
            })?;
            *value = crate::attr_proto::attr_to_proto(given)?;
        } else if let Some(Value::Func(function)) = &mut value.value {
            substitute_nested(&mut function.attr, attrs)?;
        }
    }
    Ok(node)
}

fn substitute_nested(
    nested: &mut std::collections::BTreeMap<String, downpour_wire::proto::AttrValue>,
    attrs: &Attrs,
) -> Result<()> {
    use downpour_wire::proto::attr_value::Value;
    for value in nested.values_mut() {
        if let Some(Value::Placeholder(name)) = &value.value
            && let Some(given) = attrs.get(name)
        {
            *value = crate::attr_proto::attr_to_proto(given)?;
        }
    }
    // Reading them once refuses what cannot be an attribute.
    attrs_from_proto(&*nested).map(drop)
}

fn connect(
    graph: &mut Graph,
    id: NodeId,
    proto: &NodeDef,
    names: &HashMap<String, Vec<Endpoint>>,
) -> Result<()> {
    let mut inputs = Vec::new();
    let mut controls = Vec::new();
    for input in &proto.input {
        if let Some(name) = input.strip_prefix('^') {
            let source = graph
                .find(name)
                .or_else(|| names.get(name).and_then(|e| e.first()).map(|e| e.node));
            controls.push(source.ok_or_else(|| {
                Status::invalid_argument(format!("unknown control input '{input}'"))
            })?);
        } else {
            inputs.extend(lookup(names, input)?);
            // A short name may stand for many tensors: no more of them than the operation takes.
            if inputs.len() > graph.node(id).input_types.len() {
                break;
            }
        }
    }
    let node = graph.node_mut(id);
    node.inputs = inputs;
    node.controls = controls;
    check_input_types(graph, id)
}

/// `arg`, `arg:1`, `node:output` or `node:output:1`.
fn lookup<'a>(names: &'a HashMap<String, Vec<Endpoint>>, text: &str) -> Result<&'a [Endpoint]> {
    if let Some(ends) = names.get(text) {
        return Ok(ends);
    }
    text.rsplit_once(':')
        .and_then(|(name, index)| {
            let index = index.parse::<usize>().ok()?;
            names.get(name)?.get(index..=index)
        })
        .ok_or_else(|| {
            Status::invalid_argument(format!("unknown input '{text}' in a function body"))
        })
}

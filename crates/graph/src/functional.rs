//! Loops and conditionals built from functions: bodies made beside the graph that calls them.
//!
//! A `FunctionBuilder` holds a graph of its own. Values of the graph around it are captured: they become
//! further arguments, and whoever calls the function hands them over. `add_while` and `add_if` make the
//! calls, so that arguments and captures agree:
//!
//! ```
//! use downpour_graph::{Attrs, FunctionBuilder, FunctionLibrary, Graph, GraphBuilder, OpRegistry, OpSpec, add_while};
//! use downpour_tensor::{DataType, Tensor};
//!
//! # fn main() -> downpour_tensor::Result<()> {
//! let mut ops = OpRegistry::new();
//! for op in [
//!     "_Arg() -> (output: T)\n T: type\n index: int",
//!     "Const() -> (output: dtype)\n value: tensor\n dtype: type",
//!     "Less(x: T, y: T) -> (z: bool)\n T: type",
//!     "Mul(x: T, y: T) -> (z: T)\n T: type",
//!     "StatelessWhile(input: T) -> (output: T)\n T: list(type)\n cond: func\n body: func",
//! ] {
//!     ops.add(OpSpec::new(op)?)?;
//! }
//! let (mut graph, mut library) = (Graph::new(), FunctionLibrary::new());
//! let mut outer = GraphBuilder::new(&mut graph, &ops);
//! let (one, two) = (outer.constant(Tensor::scalar(1f32))?, outer.constant(Tensor::scalar(2f32))?);
//!
//! // while x < 100 { x = x * two }
//! let mut cond = FunctionBuilder::new(&ops);
//! let x = cond.arg("x", DataType::Float)?;
//! let most = cond.builder().constant(Tensor::scalar(100f32))?;
//! let less = cond.builder().op("Less", &[x, most], Attrs::new())?;
//! let mut body = FunctionBuilder::new(&ops);
//! let x = body.arg("x", DataType::Float)?;
//! let factor = body.capture(outer.graph, two)?;
//! let product = body.builder().op("Mul", &[x, factor], Attrs::new())?;
//! let (cond, body) = (cond.finish(&[less]), body.finish(&[product]));
//! let results = add_while(&mut outer, &mut library, "double", &[one], cond, body)?;
//! assert_eq!(results.len(), 1);
//! # Ok(())
//! # }
//! ```

use downpour_tensor::{DataType, Result, Status};

use crate::attr::Attrs;
use crate::builder::GraphBuilder;
use crate::function::{FunctionGraph, FunctionLibrary};
use crate::graph::Graph;
use crate::node::{EdgeType, Endpoint};
use crate::registry::OpRegistry;

/// A function under construction.
pub struct FunctionBuilder<'a> {
    registry: &'a OpRegistry,
    function: FunctionGraph,
    args: usize,
    captures: Vec<Endpoint>,
}

/// A function's graph, with what it captured of the graph around it: its last arguments.
#[derive(Clone, Debug)]
pub struct BuiltFunction {
    /// The graph, with all arguments and results.
    pub function: FunctionGraph,
    /// How many arguments it has besides the captures.
    pub args: usize,
    /// Values of the graph around it, in the order of the last arguments.
    pub captures: Vec<Endpoint>,
}

impl<'a> FunctionBuilder<'a> {
    /// A function without arguments and nodes.
    pub fn new(registry: &'a OpRegistry) -> FunctionBuilder<'a> {
        let (function, captures) = (FunctionGraph::default(), Vec::new());
        FunctionBuilder { registry, function, args: 0, captures }
    }

    /// A further argument. Captures come after all arguments.
    pub fn arg(&mut self, name: &str, dtype: DataType) -> Result<Endpoint> {
        if !self.captures.is_empty() {
            return Err(Status::failed_precondition(format!(
                "the argument '{name}' comes after a captured value; add arguments first"
            )));
        }
        self.args += 1;
        self.function.add_arg(self.registry, name, EdgeType { dtype, is_ref: false })
    }

    /// A value of the graph around the function, as it is seen inside. The same value is captured once.
    pub fn capture(&mut self, outer: &Graph, value: Endpoint) -> Result<Endpoint> {
        if let Some(i) = self.captures.iter().position(|captured| *captured == value) {
            return Ok(self.function.args[self.args + i].into());
        }
        self.captures.push(value);
        let ty = EdgeType { dtype: outer.edge_type(value).dtype, is_ref: false };
        self.function.add_arg(self.registry, &outer.node(value.node).name, ty)
    }

    /// Adds nodes to the body.
    pub fn builder(&mut self) -> GraphBuilder<'_> {
        GraphBuilder::new(&mut self.function.graph, self.registry)
    }

    /// The body so far.
    pub fn graph(&self) -> &Graph {
        &self.function.graph
    }

    /// Ends the function with its results. Nodes with an effect run in every call.
    pub fn finish(mut self, results: &[Endpoint]) -> BuiltFunction {
        self.function.results = results.to_vec();
        self.function.targets = self.function.stateful_nodes();
        BuiltFunction { function: self.function, args: self.args, captures: self.captures }
    }
}

impl BuiltFunction {
    /// Gives the function arguments for all of `captures`, in their order.
    fn align(&mut self, registry: &OpRegistry, outer: &Graph, captures: &[Endpoint]) -> Result<()> {
        let args = self.function.args.split_off(self.args);
        for &value in captures {
            let known = self.captures.iter().position(|captured| *captured == value);
            match known {
                Some(i) => self.function.args.push(args[i]),
                None => {
                    let ty = EdgeType { dtype: outer.edge_type(value).dtype, is_ref: false };
                    self.function.add_arg(registry, &outer.node(value.node).name, ty)?;
                }
            }
        }
        self.captures = captures.to_vec();
        Ok(())
    }

    fn arg_types(&self) -> Vec<DataType> {
        let args = self.function.args[..self.args].iter();
        args.map(|arg| self.function.graph.edge_type((*arg).into()).dtype).collect()
    }

    fn result_types(&self) -> Vec<DataType> {
        let results = self.function.results.iter();
        results.map(|end| self.function.graph.edge_type(*end).dtype).collect()
    }
}

/// Adds a loop that calls `body` with its own results as long as `cond` gives true, and gives the last
/// results. Both take the values of `initial`.
pub fn add_while(
    builder: &mut GraphBuilder<'_>,
    library: &mut FunctionLibrary,
    name: &str,
    initial: &[Endpoint],
    mut cond: BuiltFunction,
    mut body: BuiltFunction,
) -> Result<Vec<Endpoint>> {
    let types: Vec<DataType> = initial.iter().map(|e| builder.graph.edge_type(*e).dtype).collect();
    let same = |what: &str, given: Vec<DataType>, expected: &[DataType]| match given == expected {
        true => Ok(()),
        false => Err(Status::invalid_argument(format!(
            "the loop '{name}': {what} are of types {given:?}, but should be {expected:?}"
        ))),
    };
    same("the condition's arguments", cond.arg_types(), &types)?;
    same("the body's arguments", body.arg_types(), &types)?;
    same("the body's results", body.result_types(), &types)?;
    same("the condition's results", cond.result_types(), &[DataType::Bool])?;
    let captures = joined(&body.captures, &cond.captures);
    for function in [&mut cond, &mut body] {
        function.align(builder.registry, builder.graph, &captures)?;
    }
    // What is captured goes round unchanged.
    let handed_on = body.function.args[body.args..].iter().map(|arg| Endpoint::from(*arg));
    body.function.results.extend(handed_on);
    let stateful = !body.function.targets.is_empty() || !cond.function.targets.is_empty();
    let scope = builder.unique_name(name);
    let attrs = Attrs::new()
        .with("cond", library.add_graph(&function_name(&scope, "cond"), &cond.function)?)
        .with("body", library.add_graph(&function_name(&scope, "body"), &body.function)?);
    let inputs: Vec<Endpoint> = initial.iter().chain(&captures).copied().collect();
    let op = if stateful { "While" } else { "StatelessWhile" };
    let node = builder.add_named(&scope, op, &inputs, attrs)?;
    Ok((0..initial.len() as u32).map(|port| Endpoint { node, port }).collect())
}

/// Adds a conditional that calls `then` where `pred` is true and `otherwise` where it is not. Both take
/// no arguments but captures, and give results of the same types.
pub fn add_if(
    builder: &mut GraphBuilder<'_>,
    library: &mut FunctionLibrary,
    name: &str,
    pred: Endpoint,
    mut then: BuiltFunction,
    mut otherwise: BuiltFunction,
) -> Result<Vec<Endpoint>> {
    let types = then.result_types();
    if types != otherwise.result_types() || then.args + otherwise.args > 0 {
        return Err(Status::invalid_argument(format!(
            "the conditional '{name}': both branches take captured values only and give results of the \
             same types, but one gives {types:?} and the other {:?}",
            otherwise.result_types()
        )));
    }
    let captures = joined(&then.captures, &otherwise.captures);
    for function in [&mut then, &mut otherwise] {
        function.align(builder.registry, builder.graph, &captures)?;
    }
    let stateful = !then.function.targets.is_empty() || !otherwise.function.targets.is_empty();
    let scope = builder.unique_name(name);
    let count = types.len() as u32;
    let attrs = Attrs::new()
        .with("Tout", types)
        .with("then_branch", library.add_graph(&function_name(&scope, "true"), &then.function)?)
        .with(
            "else_branch",
            library.add_graph(&function_name(&scope, "false"), &otherwise.function)?,
        );
    let inputs: Vec<Endpoint> = std::iter::once(pred).chain(captures).collect();
    let op = if stateful { "If" } else { "StatelessIf" };
    let node = builder.add_named(&scope, op, &inputs, attrs)?;
    Ok((0..count).map(|port| Endpoint { node, port }).collect())
}

fn joined(a: &[Endpoint], b: &[Endpoint]) -> Vec<Endpoint> {
    let more = b.iter().filter(|end| !a.contains(end));
    a.iter().chain(more).copied().collect()
}

fn function_name(scope: &str, part: &str) -> String {
    format!("{}_{part}", scope.replace('/', "_"))
}

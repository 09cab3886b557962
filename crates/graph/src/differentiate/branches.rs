//! The gradient of If and Case: the same choice again, between the gradients of the branches.
//!
//! What the gradient of a branch needs from inside the branch becomes a further result of the forward
//! node. A result may belong to several branches: each puts a value of its own there, or a stand-in.

use downpour_tensor::{DataType, Result, Status};

use super::alive::stand_in;
use super::body::{Body, Capture, Places};
use super::while_loop::{add_args, extend_shapes};
use super::{Differentiate, Work, densify, is_trainable};
use crate::attr::{AttrValue, Attrs, Function};
use crate::builder::GraphBuilder;
use crate::function::FunctionGraph;
use crate::gradient::Gradient;
use crate::node::{EdgeType, Endpoint, Node, NodeId};

/// The gradients of a conditional's inputs, those that are needed, from the gradients of its outputs.
pub(super) fn differentiate(
    work: &mut Work<'_>,
    id: NodeId,
    grads: &[Gradient],
    needed: &[bool],
) -> Result<Vec<Gradient>> {
    let node = work.graph.node(id).clone();
    let functions = functions(&node)?;
    let scope = format!("{}_grad", node.name);
    let mut arriving = Vec::new();
    let mut inputs = Vec::new();
    for (i, grad) in grads.iter().enumerate().filter(|(i, _)| is_trainable(node.output_dtype(*i))) {
        if let Some(grad) = densify(&mut work.builder(&scope), *grad)? {
            arriving.push((i, work.dtype(grad)));
            inputs.push(grad);
        }
    }
    // The first input says which branch.
    let args: Vec<usize> = (0..node.inputs.len() - 1).filter(|i| needed[i + 1]).collect();
    let mut bodies = Vec::with_capacity(functions.len());
    let mut found = Vec::with_capacity(functions.len());
    for function in &functions {
        let wanted = |body: &FunctionGraph| Differentiate {
            ys: arriving.iter().map(|(i, _)| body.results[*i]).collect(),
            xs: args.iter().map(|i| body.args[*i].into()).collect(),
            ..Differentiate::default()
        };
        let mut body = Body::new(work, function, wanted)?;
        found.push(body.differentiate(work, &arriving, &args)?);
        bodies.push(body);
    }
    let (args, outputs) = complete(work, &mut bodies, &args, &found)?;
    if args.is_empty() {
        return Ok(vec![Gradient::None; node.inputs.len()]);
    }
    let mut cuts = Vec::with_capacity(bodies.len());
    for (body, outputs) in bodies.iter_mut().zip(&outputs) {
        body.move_shapes(|body, end| body.copies(end) || body.arg_of(end).is_some());
        cuts.push(body.cut(work.registry, outputs)?);
    }
    let slots = Slots::share(&bodies, cuts.iter().map(|(_, captures)| captures.as_slice()));
    if !slots.types.is_empty() {
        extend_forward(work, id, &functions, &bodies, &slots)?;
    }
    inputs.extend(slots.args.iter().map(|arg| node.inputs[arg + 1]));
    let first = node.output_types.len() as u32;
    inputs.extend((first..).take(slots.types.len()).map(|port| Endpoint { node: id, port }));

    let mut names = Vec::with_capacity(bodies.len());
    let mut stateful = false;
    for (k, body) in bodies.iter().enumerate() {
        let (live, captures) = &cuts[k];
        let mut part = backward_branch(work, body, live, captures, &slots, k)?;
        let places = std::mem::take(&mut part.1);
        part.0.results = outputs[k].iter().map(|end| places[end]).collect();
        part.0.targets = part.0.stateful_nodes();
        stateful |= !part.0.targets.is_empty();
        names.push(work.library.add_graph(&format!("{}_grad", functions[k].name), &part.0)?);
    }
    let types: Vec<DataType> = outputs[0].iter().map(|end| bodies[0].dtype(*end)).collect();
    let mut attrs = with_functions(Attrs::new().with("Tout", types), &node, names);
    if let Some(value) = node.attrs.get("_lower_using_switch_merge") {
        attrs.set("_lower_using_switch_merge", value.clone());
    }
    let op = match (is_if(&node), stateful) {
        (true, true) => "If",
        (true, false) => "StatelessIf",
        (false, true) => "Case",
        (false, false) => "StatelessCase",
    };
    inputs.insert(0, node.inputs[0]);
    let backward = work.builder(&scope).add(op, &inputs, attrs)?;
    let mut answers = vec![Gradient::None; node.inputs.len()];
    for (k, arg) in args.iter().enumerate() {
        answers[arg + 1] = Gradient::Dense(Endpoint { node: backward, port: k as u32 });
    }
    Ok(answers)
}

fn is_if(node: &Node) -> bool {
    node.op_name().ends_with("If")
}

fn functions(node: &Node) -> Result<Vec<Function>> {
    let functions = match is_if(node) {
        true => vec![node.function("then_branch")?, node.function("else_branch")?],
        false => node.functions("branches")?,
    };
    if functions.is_empty() || node.inputs.is_empty() {
        return Err(Status::invalid_argument(
            "there is nothing to choose between, or to choose by",
        ));
    }
    Ok(functions)
}

fn with_functions(mut attrs: Attrs, node: &Node, mut names: Vec<Function>) -> Attrs {
    if is_if(node) && names.len() == 2 {
        attrs.set("else_branch", names.remove(1));
        attrs.set("then_branch", names.remove(0));
    } else {
        attrs.set("branches", names);
    }
    attrs
}

/// The arguments that some branch has a gradient for, and these gradients by branch, zeros where a
/// branch has none.
fn complete(
    work: &Work<'_>,
    bodies: &mut [Body],
    args: &[usize],
    found: &[Vec<Option<Endpoint>>],
) -> Result<(Vec<usize>, Vec<Vec<Endpoint>>)> {
    let mut with = Vec::new();
    let mut outputs = vec![Vec::new(); bodies.len()];
    for (k, &arg) in args.iter().enumerate() {
        let some = found.iter().zip(bodies.iter()).find_map(|(f, b)| f[k].map(|end| b.dtype(end)));
        let Some(dtype) = some else { continue };
        with.push(arg);
        for (branch, body) in bodies.iter_mut().enumerate() {
            outputs[branch].push(match found[branch][k] {
                Some(end) => end,
                None => body.zeros(work, arg, dtype)?,
            });
        }
    }
    Ok((with, outputs))
}

/// How captured values reach the gradient's branches.
#[derive(Default)]
struct Slots {
    /// Inputs of the forward node that some branch needs.
    args: Vec<usize>,
    /// Types of the further results of the forward node.
    types: Vec<DataType>,
    /// By branch and slot: the value it puts there.
    values: Vec<Vec<Option<Endpoint>>>,
    /// By branch: what is made anew.
    copies: Vec<Vec<Endpoint>>,
}

impl Slots {
    fn share<'a>(bodies: &[Body], captures: impl Iterator<Item = &'a [Capture]>) -> Slots {
        let mut slots = Slots::default();
        for (body, captures) in bodies.iter().zip(captures) {
            let mut values: Vec<Option<Endpoint>> = vec![None; slots.types.len()];
            let mut copies = Vec::new();
            for value in captures.iter().map(|capture| capture.value) {
                if let Some(arg) = body.arg_of(value) {
                    if !slots.args.contains(&arg) {
                        slots.args.push(arg);
                    }
                } else if body.copies(value) {
                    if !copies.contains(&value) {
                        copies.push(value);
                    }
                } else if !values.contains(&Some(value)) {
                    let dtype = body.dtype(value);
                    let free = (0..values.len())
                        .find(|slot| values[*slot].is_none() && slots.types[*slot] == dtype);
                    match free {
                        Some(slot) => values[slot] = Some(value),
                        None => {
                            slots.types.push(dtype);
                            values.push(Some(value));
                        }
                    }
                }
            }
            slots.values.push(values);
            slots.copies.push(copies);
        }
        for values in &mut slots.values {
            values.resize(slots.types.len(), None);
        }
        slots
    }
}

/// Gives the forward node its further results.
fn extend_forward(
    work: &mut Work<'_>,
    id: NodeId,
    functions: &[Function],
    bodies: &[Body],
    slots: &Slots,
) -> Result<()> {
    let mut names = Vec::with_capacity(bodies.len());
    for (k, body) in bodies.iter().enumerate() {
        let (mut part, places) = body.forward_part()?;
        let mut builder =
            GraphBuilder::new(&mut part.graph, work.registry).in_scope("gradients/keep");
        for (value, dtype) in slots.values[k].iter().zip(&slots.types) {
            part.results.push(match value {
                Some(value) => places[value],
                None => stand_in(&mut builder, *dtype, &[])?,
            });
        }
        names.push(work.library.add_graph(&format!("{}_kept", functions[k].name), &part)?);
    }
    let node = work.graph.node_mut(id);
    let plain = |dtype: &DataType| EdgeType { dtype: *dtype, is_ref: false };
    node.output_types.extend(slots.types.iter().map(plain));
    let types: Vec<DataType> = node.output_types.iter().map(|t| t.dtype).collect();
    let attrs = std::mem::take(&mut node.attrs);
    node.attrs = with_functions(attrs.with("Tout", AttrValue::from(types)), node, names);
    extend_shapes(node);
    Ok(())
}

/// A branch of the gradient: gradients of results, inputs of the forward node, slots.
fn backward_branch(
    work: &Work<'_>,
    body: &Body,
    live: &[NodeId],
    captures: &[Capture],
    slots: &Slots,
    branch: usize,
) -> Result<(FunctionGraph, Places)> {
    let plain = |dtype| EdgeType { dtype, is_ref: false };
    let mut part = FunctionGraph::default();
    let given = |arg: &usize| Endpoint::from(body.forward.args[*arg]);
    let mut ends: Vec<Option<Endpoint>> = body.seeds.iter().map(|s| Some((*s).into())).collect();
    ends.extend(slots.args.iter().map(|arg| Some(given(arg))));
    let mut types: Vec<EdgeType> = ends.iter().flatten().map(|e| plain(body.dtype(*e))).collect();
    ends.extend(&slots.values[branch]);
    types.extend(slots.types.iter().map(|dtype| plain(*dtype)));
    let args = add_args(&mut part, work.registry, &types)?;
    let mut places = Places::new();
    for (end, arg) in ends.iter().zip(args) {
        if let Some(end) = end {
            places.insert(*end, arg);
        }
    }
    let copies: Vec<NodeId> = slots.copies[branch].iter().map(|end| end.node).collect();
    body.copy_gradient(&copies, &mut part.graph, &mut places)?;
    let mut builder = GraphBuilder::new(&mut part.graph, work.registry).in_scope("gradients/kept");
    body.guard_captures(captures, &mut builder, &mut places)?;
    body.copy_gradient(live, &mut part.graph, &mut places)?;
    Ok((part, places))
}

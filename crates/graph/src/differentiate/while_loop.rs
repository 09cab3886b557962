//! The gradient of While: a While that runs backwards.
//!
//! The forward loop gets a counter, and a list for every value of its body that the gradient of the body
//! needs, to which each iteration adds its own. The backward loop runs as often, takes the values off
//! the lists again, and carries one gradient for each loop variable. What no iteration changes is handed
//! to the backward loop as it is; its gradients are summed over the iterations.

use downpour_tensor::{DataType, Result, Status};

use super::alive::scalar;
use super::body::{Body, Capture, Places};
use super::reach::{dependencies, flowing};
use super::units::Level;
use super::zeros::zeros_of;
use super::{Differentiate, Work, densify, is_trainable};
use crate::attr::{AttrValue, Attrs};
use crate::builder::GraphBuilder;
use crate::function::FunctionGraph;
use crate::gradient::Gradient;
use crate::node::{EdgeType, Endpoint, Node, NodeId};
use crate::partial_shape::PartialShape;
use crate::registry::OpRegistry;

/// The gradients of a While's inputs, those that are needed, from the gradients of its outputs.
pub(super) fn differentiate(
    work: &mut Work<'_>,
    id: NodeId,
    grads: &[Gradient],
    needed: &[bool],
) -> Result<Vec<Gradient>> {
    let node = work.graph.node(id).clone();
    let function = node.function("body")?;
    let all = |body: &FunctionGraph| Differentiate {
        ys: body.results.clone(),
        xs: body.args.iter().map(|arg| Endpoint::from(*arg)).collect(),
        ..Differentiate::default()
    };
    let mut body = Body::new(work, &function, all)?;
    let carried = carried(&body, grads, needed);
    if carried.is_empty() {
        return Ok(vec![Gradient::None; node.inputs.len()]);
    }
    let fixed: Vec<bool> =
        (0..node.inputs.len()).map(|i| body.arg_of(body.forward.results[i]) == Some(i)).collect();
    let carried = backward_step(work, &mut body, &carried, &fixed)?;
    let steps: Vec<Endpoint> = carried.iter().map(|carried| carried.step).collect();
    body.move_shapes(|body, end| {
        body.copies(end) || body.arg_of(end).is_some_and(|arg| fixed[arg])
    });
    let (live, captures) = body.cut(work.registry, &steps)?;
    let kept = Kept::sort(&body, &captures, &fixed);

    let scope = format!("{}_grad", node.name);
    let count = extend_forward(work, id, &node, &body, &kept)?;
    let mut inputs = vec![scalar(&mut work.builder(&scope), 0)?, count];
    for Carried { variable, step, .. } in &carried {
        let mut builder = work.builder(&scope);
        let value = match node.input_dtype(*variable) {
            DataType::Resource => node.inputs[*variable],
            _ => Endpoint { node: id, port: *variable as u32 },
        };
        inputs.push(match densify(&mut builder, grads[*variable])? {
            Some(grad) => grad,
            None => zeros_of(&mut builder, value, body.dtype(*step))?,
        });
    }
    inputs.extend(kept.fixed.iter().map(|(arg, _)| node.inputs[*arg]));
    let first_list = node.inputs.len() as u32 + 1;
    inputs.extend((first_list..).take(kept.lists.len()).map(|port| Endpoint { node: id, port }));

    let step = backward_body(work, &body, &live, &captures, &kept, &carried)?;
    let base = format!("{}_grad", function.name);
    let stateful = !step.targets.is_empty();
    let body_name = work.library.add_graph(&base, &step)?;
    let types: Vec<EdgeType> =
        step.args.iter().map(|arg| step.graph.edge_type((*arg).into())).collect();
    let test = count_down(work.registry, &types)?;
    let cond_name = work.library.add_graph(&format!("{base}_cond"), &test)?;
    let mut attrs = Attrs::new().with("cond", cond_name).with("body", body_name);
    for kept in ["parallel_iterations", "_lower_using_switch_merge"] {
        if let Some(value) = node.attrs.get(kept) {
            attrs.set(kept, value.clone());
        }
    }
    let op = if stateful { "While" } else { "StatelessWhile" };
    let backward = work.builder(&scope).add(op, &inputs, attrs)?;
    let mut answers = vec![Gradient::None; node.inputs.len()];
    for (k, carried) in carried.iter().enumerate() {
        let port = 2 + k as u32;
        answers[carried.variable] = Gradient::Dense(Endpoint { node: backward, port });
    }
    Ok(answers)
}

/// The loop variables that the backward loop carries a gradient for.
fn carried(body: &Body, grads: &[Gradient], needed: &[bool]) -> Vec<usize> {
    let args: Vec<Endpoint> = body.forward.args.iter().map(|arg| Endpoint::from(*arg)).collect();
    let depends = dependencies(&body.forward.graph, &args, &body.forward.results, Level::flat());
    let arriving: Vec<bool> = grads
        .iter()
        .zip(&args)
        .map(|(grad, arg)| *grad != Gradient::None && is_trainable(body.dtype(*arg)))
        .collect();
    let flows = flowing(&depends, &arriving, needed);
    (0..args.len()).filter(|i| flows[*i]).collect()
}

/// One gradient the backward loop carries.
struct Carried {
    variable: usize,
    /// Stands for it at the begin of an iteration.
    seed: NodeId,
    /// What it is at the end.
    step: Endpoint,
}

/// What one backward iteration makes of the carried gradients.
fn backward_step(
    work: &mut Work<'_>,
    body: &mut Body,
    carried: &[usize],
    fixed: &[bool],
) -> Result<Vec<Carried>> {
    let dtype_of = |body: &Body, i: usize| body.dtype(body.forward.args[i].into());
    let changing: Vec<(usize, DataType)> =
        carried.iter().filter(|i| !fixed[**i]).map(|i| (*i, dtype_of(body, *i))).collect();
    let found = body.differentiate(work, &changing, carried)?;
    let mut seeds = body.seeds.clone().into_iter();
    let mut steps = Vec::with_capacity(carried.len());
    for (&variable, grad) in carried.iter().zip(found) {
        let dtype = dtype_of(body, variable);
        if !fixed[variable] {
            let seed = seeds.next().ok_or_else(|| Status::internal("a seed is missing"))?;
            let step = match grad {
                Some(grad) => grad,
                None => body.zeros(work, variable, dtype)?,
            };
            steps.push(Carried { variable, seed, step });
            continue;
        }
        // Nothing flows to some handles; other values keep what came from outside.
        let Some(dtype) = grad.map(|grad| body.dtype(grad)).or(plain(dtype)) else { continue };
        let seed = body.add_seed(work.registry, dtype)?;
        let step = match grad {
            Some(grad) => {
                let mut builder = body.builder(work.registry, "gradients/sum");
                builder.op("AddN", &[seed.into(), grad], Attrs::new())?
            }
            None => seed.into(),
        };
        steps.push(Carried { variable, seed, step });
    }
    Ok(steps)
}

fn plain(dtype: DataType) -> Option<DataType> {
    Some(dtype).filter(|dtype| *dtype != DataType::Resource)
}

/// How captured values reach the backward loop.
struct Kept {
    /// Loop variables that never change, with their argument.
    fixed: Vec<(usize, Endpoint)>,
    /// Values put on a list in each iteration.
    lists: Vec<Endpoint>,
    /// Made anew.
    copies: Vec<Endpoint>,
}

impl Kept {
    fn sort(body: &Body, captures: &[Capture], fixed: &[bool]) -> Kept {
        let mut kept = Kept { fixed: Vec::new(), lists: Vec::new(), copies: Vec::new() };
        for value in captures.iter().map(|capture| capture.value) {
            let list = match body.arg_of(value).filter(|arg| fixed[*arg]) {
                Some(arg) => {
                    if !kept.fixed.contains(&(arg, value)) {
                        kept.fixed.push((arg, value));
                    }
                    continue;
                }
                None if body.copies(value) => &mut kept.copies,
                None => &mut kept.lists,
            };
            if !list.contains(&value) {
                list.push(value);
            }
        }
        kept
    }
}

/// Gives the forward loop its counter and lists; the answer is the counter's last value.
fn extend_forward(
    work: &mut Work<'_>,
    id: NodeId,
    node: &Node,
    body: &Body,
    kept: &Kept,
) -> Result<Endpoint> {
    let registry = work.registry;
    let (mut part, places) = body.forward_part()?;
    let plain = |dtype| EdgeType { dtype, is_ref: false };
    let mut new_types = vec![plain(DataType::Int32)];
    new_types.extend(kept.lists.iter().map(|_| plain(DataType::Variant)));
    let new_args = add_args(&mut part, registry, &new_types)?;
    let mut builder = GraphBuilder::new(&mut part.graph, registry).in_scope("gradients/keep");
    let one = scalar(&mut builder, 1)?;
    part.results.push(builder.op("AddV2", &[new_args[0], one], Attrs::new())?);
    for (value, list) in kept.lists.iter().zip(&new_args[1..]) {
        part.results.push(builder.op(
            "TensorListPushBack",
            &[*list, places[value]],
            Attrs::new(),
        )?);
    }
    let mut test = work.library.instantiate(&node.function("cond")?, registry)?;
    add_args(&mut test, registry, &new_types)?;
    let body_name = format!("{}_kept", node.function("body")?.name);
    let body_name = work.library.add_graph(&body_name, &part)?;
    let cond_name = format!("{}_kept", node.function("cond")?.name);
    let cond_name = work.library.add_graph(&cond_name, &test)?;

    let first = work.graph.len();
    let mut builder = GraphBuilder::new(work.graph, registry).in_scope(&node.name);
    let mut inputs = vec![scalar(&mut builder, 0)?];
    for value in &kept.lists {
        let (shape, most) = (scalar(&mut builder, -1)?, scalar(&mut builder, -1)?);
        let attrs = Attrs::new().with("element_dtype", body.dtype(*value));
        inputs.push(builder.op("EmptyTensorList", &[shape, most], attrs)?);
    }
    work.forward.extend((first..work.graph.len()).map(|i| NodeId(i as u32)));
    work.anchor(first, id);
    let changed = work.graph.node_mut(id);
    changed.inputs.extend(inputs);
    changed.input_types.extend(&new_types);
    changed.output_types.extend(&new_types);
    let types: Vec<DataType> = changed.input_types.iter().map(|t| t.dtype).collect();
    changed.attrs.set("T", types);
    changed.attrs.set("body", body_name);
    changed.attrs.set("cond", cond_name);
    extend_shapes(changed);
    Ok(Endpoint { node: id, port: node.inputs.len() as u32 })
}

/// Declared shapes are all or none.
pub(super) fn extend_shapes(node: &mut Node) {
    if let Some(AttrValue::List(shapes)) = node.attrs.0.get_mut("output_shapes")
        && !shapes.is_empty()
    {
        shapes.resize(node.output_types.len(), AttrValue::Shape(PartialShape::unknown()));
    }
}

pub(super) fn add_args(
    function: &mut FunctionGraph,
    registry: &OpRegistry,
    types: &[EdgeType],
) -> Result<Vec<Endpoint>> {
    types.iter().map(|ty| function.add_arg(registry, "kept", *ty)).collect()
}

/// The backward loop's body: counter, count, gradients, fixed values, lists.
fn backward_body(
    work: &Work<'_>,
    body: &Body,
    live: &[NodeId],
    captures: &[Capture],
    kept: &Kept,
    carried: &[Carried],
) -> Result<FunctionGraph> {
    let registry = work.registry;
    let mut step = FunctionGraph::default();
    let plain = |dtype| EdgeType { dtype, is_ref: false };
    let mut types = vec![plain(DataType::Int32); 2];
    types.extend(carried.iter().map(|carried| plain(body.dtype(carried.step))));
    types.extend(kept.fixed.iter().map(|(_, end)| plain(body.dtype(*end))));
    types.extend(kept.lists.iter().map(|_| plain(DataType::Variant)));
    let args = add_args(&mut step, registry, &types)?;
    let (head, rest) = args.split_at(2);
    let (seeds, rest) = rest.split_at(carried.len());
    let (fixed, lists) = rest.split_at(kept.fixed.len());
    let mut places = Places::new();
    places.extend(carried.iter().map(|c| Endpoint::from(c.seed)).zip(seeds.iter().copied()));
    places.extend(kept.fixed.iter().map(|(_, end)| *end).zip(fixed.iter().copied()));
    let copies: Vec<NodeId> = kept.copies.iter().map(|end| end.node).collect();
    body.copy_gradient(&copies, &mut step.graph, &mut places)?;
    let mut builder = GraphBuilder::new(&mut step.graph, registry).in_scope("gradients/kept");
    let mut shorter = Vec::with_capacity(lists.len());
    for (value, list) in kept.lists.iter().zip(lists) {
        let shape = scalar(&mut builder, -1)?;
        let attrs = Attrs::new().with("element_dtype", body.dtype(*value));
        let pop = builder.add("TensorListPopBack", &[*list, shape], attrs)?;
        shorter.push(Endpoint::from(pop));
        places.insert(*value, Endpoint { node: pop, port: 1 });
    }
    let one = scalar(&mut builder, 1)?;
    let next = builder.op("AddV2", &[head[0], one], Attrs::new())?;
    body.guard_captures(captures, &mut builder, &mut places)?;
    body.copy_gradient(live, &mut step.graph, &mut places)?;
    step.results = vec![next, head[1]];
    step.results.extend(carried.iter().map(|carried| places[&carried.step]));
    step.results.extend(fixed);
    step.results.extend(shorter);
    step.targets = step.stateful_nodes();
    Ok(step)
}

/// The condition of a loop that counts its first variable up to its second.
fn count_down(registry: &OpRegistry, types: &[EdgeType]) -> Result<FunctionGraph> {
    let mut test = FunctionGraph::default();
    let args = add_args(&mut test, registry, types)?;
    let mut builder = GraphBuilder::new(&mut test.graph, registry);
    test.results = vec![builder.op("Less", &[args[0], args[1]], Attrs::new())?];
    Ok(test)
}

impl Work<'_> {
    /// Makes new nodes without inputs run where a node runs: in its loop and its branch.
    pub(super) fn anchor(&mut self, first: usize, beside: NodeId) {
        let (inputs, controls) = {
            let node = self.graph.node(beside);
            (node.inputs.clone(), node.controls.clone())
        };
        let needs =
            self.loops.is_some() || self.graph.nodes().any(|(_, node)| node.op_name() == "Switch");
        let mut anchors = controls;
        if needs && let Some(input) = inputs.first() {
            let name = self.graph.node(beside).name.clone();
            let mut builder = GraphBuilder::new(self.graph, self.registry).in_scope(&name);
            if let Ok(anchor) = builder.add("Identity", &[*input], Attrs::new()) {
                self.forward.insert(anchor);
                anchors = vec![anchor];
            }
        }
        for index in first..self.graph.len() {
            let node = self.graph.node_mut(NodeId(index as u32));
            if node.inputs.is_empty() && node.controls.is_empty() {
                node.controls.clone_from(&anchors);
            }
        }
    }
}

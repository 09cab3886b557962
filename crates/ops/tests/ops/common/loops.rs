//! Loops as a client builds them.

use downpour_graph::{Attrs, Endpoint, GraphBuilder};
use downpour_tensor::{DataType, Result, Tensor};

use super::placeholder;

pub type Values = Vec<Endpoint>;

/// A loop over `start` as a client builds it; the results are the Exits.
pub fn while_loop(
    b: &mut GraphBuilder<'_>,
    frame: &'static str,
    start: &[Endpoint],
    condition: impl FnOnce(&mut GraphBuilder<'_>, &[Endpoint]) -> Result<Endpoint>,
    body: impl FnOnce(&mut GraphBuilder<'_>, &[Endpoint]) -> Result<Values>,
) -> Result<Values> {
    let attrs = || Attrs::new().with("frame_name", frame).with("parallel_iterations", 10i64);
    let mut merges = Vec::new();
    for &value in start {
        let enter = b.op("Enter", &[value], attrs())?;
        merges.push(b.add("Merge", &[enter, enter], Attrs::new())?);
    }
    let heads: Values = merges.iter().map(|&m| m.into()).collect();
    let goes_on = condition(b, &heads)?;
    let goes_on = b.op("LoopCond", &[goes_on], Attrs::new())?;
    let mut switches = Vec::new();
    for &head in &heads {
        switches.push(b.add("Switch", &[head, goes_on], Attrs::new())?);
    }
    let taken: Values = switches.iter().map(|&node| Endpoint { node, port: 1 }).collect();
    let next = body(b, &taken)?;
    for (&merge, value) in merges.iter().zip(next) {
        let back = b.op("NextIteration", &[value], Attrs::new())?;
        b.graph.node_mut(merge).inputs[1] = back;
    }
    switches.iter().map(|&node| b.op("Exit", &[node.into()], Attrs::new())).collect()
}

/// A value of the surroundings, the same in every iteration.
pub fn constant_in(
    b: &mut GraphBuilder<'_>,
    frame: &'static str,
    value: Endpoint,
) -> Result<Endpoint> {
    let attrs = Attrs::new().with("frame_name", frame).with("is_constant", true);
    b.op("Enter", &[value], attrs)
}

/// total = sum over i < n, over j < i of (j if j is even, else 100); every j of a loop of its own.
pub fn nested(b: &mut GraphBuilder<'_>) -> Result<()> {
    let limit = placeholder(b, "n", DataType::Int32)?;
    let zero = b.constant(Tensor::scalar(0i32))?;
    let one = b.constant(Tensor::scalar(1i32))?;
    let limit = constant_in(b, "outer", limit)?;
    let one = constant_in(b, "outer", one)?;
    let zero_in = constant_in(b, "outer", zero)?;
    let outer = while_loop(
        b,
        "outer",
        &[zero, zero],
        |b, v| b.op("Less", &[v[0], limit], Attrs::new()),
        |b, v| {
            let bound = constant_in(b, "inner", v[0])?;
            let one_in = constant_in(b, "inner", one)?;
            let inner = while_loop(
                b,
                "inner",
                &[zero_in, v[1]],
                |b, w| b.op("Less", &[w[0], bound], Attrs::new()),
                |b, w| {
                    let bit = b.op("BitwiseAnd", &[w[0], one_in], Attrs::new())?;
                    let odd = b.op("Equal", &[bit, one_in], Attrs::new())?;
                    let switch = b.add("Switch", &[w[0], odd], Attrs::new())?;
                    let hundred = b.add("Const", &[], hundred())?;
                    b.graph.node_mut(hundred).controls = vec![odd.node];
                    let chosen = b.add("Switch", &[hundred.into(), odd], Attrs::new())?;
                    let branches = [switch.into(), Endpoint { node: chosen, port: 1 }];
                    let value = b.add("Merge", &branches, Attrs::new())?;
                    let total = b.op("AddV2", &[w[1], value.into()], Attrs::new())?;
                    Ok(vec![b.op("AddV2", &[w[0], one_in], Attrs::new())?, total])
                },
            )?;
            Ok(vec![b.op("AddV2", &[v[0], one], Attrs::new())?, inner[1]])
        },
    )?;
    b.add_named("total", "Identity", &[outer[1]], Attrs::new()).map(drop)
}

fn hundred() -> Attrs {
    Attrs::new().with("value", Tensor::scalar(100i32)).with("dtype", DataType::Int32)
}

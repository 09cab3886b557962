use super::*;
use crate::fixture;
use crate::frames::topological_order;
use crate::passes::sweep;
use crate::registry::{OpRegistry, OpSpec};

fn registry() -> OpRegistry {
    let mut registry = OpRegistry::new();
    for signature in [
        "_Arg() -> (out: T)\n T: type\n index: int = 0",
        "Variable() -> (out: resource) @stateful",
        "Read(variable: resource) -> (out: float) @stateful",
        "Apply(variable: resource, gradient: float) -> () @stateful",
        "Multiply(a: float, b: float) -> (out: float)",
        "Identity(x: T) -> (out: T)\n T: type",
        "CheckNumerics(x: T) -> (out: T)\n T: type",
        "Switch(data: T, pred: bool) -> (no: T, yes: T)\n T: type",
        "NoOp() -> ()",
    ] {
        registry.add(OpSpec::new(signature).unwrap()).unwrap();
    }
    registry
}

#[test]
fn fixtures() {
    fixture::check_all("passes/dependencies/fixtures", &registry(), |subgraph| {
        let devices: Vec<&str> = subgraph.graph.nodes().map(|(_, n)| n.device.as_str()).collect();
        let place = |device: &&str| devices.iter().position(|known| known == device);
        let places: Vec<usize> = devices.iter().filter_map(place).collect();
        let mut subgraph = subgraph.clone();
        let order = topological_order(&subgraph.graph)?;
        simplify_placed_dependencies(&mut subgraph, &order, &places);
        Ok(fixture::text(&sweep(&subgraph)?.graph, &[]))
    });
}

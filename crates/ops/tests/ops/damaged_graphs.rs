//! Graphs as TensorFlow writes them, damaged: compiled for a step or refused, never a panic.

#[path = "../../../wire/tests/damage/mod.rs"]
mod damage;

use std::sync::{Arc, LazyLock};

use crate::common::{empty_session, registry};
use downpour_graph::{Attrs, Function, FunctionLibrary};
use downpour_runtime::Registry;
use downpour_wire::{Message, proto::GraphDef};
use proptest::prelude::*;

static REGISTRY: LazyLock<Arc<Registry>> = LazyLock::new(registry);

const GRAPHS: [&[u8]; 4] = [
    include_bytes!("../../../../fuzz/seeds/graph_def/array_ops"),
    include_bytes!("../../../../fuzz/seeds/graph_def/frame_loop"),
    include_bytes!("../../../../fuzz/seeds/graph_def/function_call"),
    include_bytes!("../../../../fuzz/seeds/graph_def/function_loop"),
];

/// Imports a graph, rewrites it for a step that needs every node, and instantiates its functions.
/// True if nothing of that was refused.
fn compiles(proto: &GraphDef) -> bool {
    let session = empty_session(&REGISTRY);
    if session.extend(proto).is_err() {
        return false;
    }
    let targets = proto.node.iter().map(|node| node.name.clone()).collect();
    let mut fine = session.compiled_graph(Vec::new(), Vec::new(), targets).is_ok();
    let functions = proto.library.clone().unwrap_or_default();
    let mut library = FunctionLibrary::new();
    library.extend(&functions).unwrap();
    for signature in functions.function.iter().filter_map(|f| f.signature.as_ref()) {
        let function = Function { name: signature.name.clone(), attrs: Attrs::new() };
        fine &= library.instantiate(&function, REGISTRY.ops()).is_ok();
    }
    fine
}

#[test]
fn the_graphs_are_fine_before_they_are_damaged() {
    for graph in GRAPHS {
        assert!(compiles(&GraphDef::decode(graph).unwrap()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn damaged_graphs_are_compiled_or_refused(damage in damage::damages()) {
        downpour_tensor::set_memory_limit(16 << 20);
        for graph in GRAPHS {
            if let Ok(proto) = GraphDef::decode(&damage::apply(graph, &damage)[..]) {
                compiles(&proto);
            }
        }
    }
}

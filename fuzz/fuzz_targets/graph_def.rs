//! Any bytes as a GraphDef: imported or refused, never a panic.
#![no_main]

use std::sync::LazyLock;

use downpour_graph::{FunctionLibrary, Graph, import_graph};
use downpour_wire::{Message, proto::GraphDef};
use libfuzzer_sys::fuzz_target;

static REGISTRY: LazyLock<downpour_ops::Registry> =
    LazyLock::new(|| downpour_ops::registry().expect("our own lists are consistent"));

fuzz_target!(|data: &[u8]| {
    let Ok(proto) = GraphDef::decode(data) else { return };
    let mut library = FunctionLibrary::new();
    if let Some(functions) = &proto.library
        && library.extend(functions).is_err()
    {
        return;
    }
    let _ = import_graph(&mut Graph::new(), &proto, REGISTRY.ops(), &library);
});

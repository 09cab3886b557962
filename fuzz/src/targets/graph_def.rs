//! Any bytes as a GraphDef: compiled for a step or refused, never a panic.
//!
//! Compiling folds constants, so that pure kernels meet forged attributes and inputs too.

use std::sync::{Arc, LazyLock};

use downpour_graph::{Attrs, Function, FunctionLibrary};
use downpour_runtime::{ComputePool, Device, Registry, Session, SessionOptions};
use downpour_wire::{Message, proto::GraphDef};

static REGISTRY: LazyLock<Arc<Registry>> =
    LazyLock::new(|| Arc::new(downpour_ops::registry().expect("our own lists are consistent")));

static DEVICE: LazyLock<Arc<Device>> = LazyLock::new(|| {
    downpour_tensor::set_memory_limit(256 << 20);
    let pool = ComputePool::new(1).expect("a thread can be started");
    Device::new("/job:localhost/replica:0/task:0/device:CPU:0", pool)
});

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    let Ok(proto) = GraphDef::decode(data) else { return };
    let session = Session::new(REGISTRY.clone(), DEVICE.clone(), SessionOptions::default());
    if session.extend(&proto).is_err() {
        return;
    }
    let targets = proto.node.iter().map(|node| node.name.clone()).collect();
    let _ = session.compiled_graph(Vec::new(), Vec::new(), targets);
    let Some(functions) = &proto.library else { return };
    let mut library = FunctionLibrary::new();
    if library.extend(functions).is_ok() {
        for signature in functions.function.iter().filter_map(|f| f.signature.as_ref()) {
            let function = Function { name: signature.name.clone(), attrs: Attrs::new() };
            let _ = library.instantiate(&function, REGISTRY.ops());
        }
    }
}

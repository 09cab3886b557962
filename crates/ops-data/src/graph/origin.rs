//! The origin of a dataset: the node that made it, its inputs and the functions it may call.
//!
//! A graph of a dataset can be written from this ([`super::export`]), also after the graph it came from has gone. Every
//! kernel of the family that makes a dataset is wrapped so that it notes its own; this takes references, no copies.

use std::cell::RefCell;
use std::sync::Arc;

use downpour_graph::{ArgType, FunctionLibrary, Node};
use downpour_runtime::{
    AsyncContext, AsyncKernel, Kernel, KernelBox, KernelBuild, OpContext, Registry, Value,
};
use downpour_tensor::{DataType, Result, Tensor};

use crate::dataset;

/// The node that made a dataset, and what it was given.
pub(crate) struct Origin {
    pub node: Arc<Node>,
    pub inputs: Vec<Tensor>,
    pub library: Option<Arc<FunctionLibrary>>,
}

/// Drops what it was made of one after the other: a pipeline may be too long for calls within calls.
impl Drop for Origin {
    fn drop(&mut self) {
        thread_local! {
            static WAITING: RefCell<Option<Vec<Tensor>>> = const { RefCell::new(None) };
        }
        let inputs = &mut self.inputs;
        let begun = WAITING.try_with(|waiting| match &mut *waiting.borrow_mut() {
            Some(waiting) => {
                waiting.append(inputs);
                false
            }
            none => {
                *none = Some(std::mem::take(inputs));
                true
            }
        });
        // A thread that ends drops its own without help.
        let Ok(is_first) = begun else { return };
        if !is_first {
            return;
        }
        // Dropping one may add those it was made of.
        while let Some(next) = WAITING.with_borrow_mut(|waiting| waiting.as_mut()?.pop()) {
            drop(next);
        }
        WAITING.set(None);
    }
}

/// Has the kernels of operations that give a dataset note its origin. `is_known` tells operations of other families,
/// which were there before.
pub(crate) fn note_origins(registry: &mut Registry, is_known: impl Fn(&str) -> bool) {
    let ops = registry.ops();
    let makes_variant = |name: &&str| match ops.get(name).map(|spec| &spec.def.outputs[..]) {
        Some([output]) => matches!(output.ty, ArgType::Fixed(DataType::Variant)),
        _ => false,
    };
    let makes_dataset = |name: &&str| name.contains("Dataset") && makes_variant(name);
    let names: Vec<String> =
        ops.names().into_iter().filter(makes_dataset).map(str::to_owned).collect();
    for name in names.iter().filter(|name| !is_known(name)) {
        registry.wrap(name, wrap);
    }
}

fn wrap(build: &KernelBuild<'_>, kernel: KernelBox) -> KernelBox {
    let maker = Maker { node: build.node().clone(), library: build.library() };
    match kernel {
        KernelBox::Sync(kernel) => KernelBox::new(OriginKernel { maker, kernel }),
        KernelBox::Async(kernel) => KernelBox::asynchronous(AsyncOriginKernel { maker, kernel }),
    }
}

/// The part of an origin that all datasets of a kernel share.
#[derive(Clone)]
struct Maker {
    node: Arc<Node>,
    library: Option<Arc<FunctionLibrary>>,
}

impl Maker {
    /// Notes the origin of a dataset that does not have one yet: others were made elsewhere and only passed on.
    fn note(self, inputs: Vec<Tensor>, made: Option<&Tensor>) {
        if let Some(made) = made.and_then(|made| dataset::from_tensor(made).ok()) {
            let Maker { node, library } = self;
            made.set_origin(Origin { node, inputs, library });
        }
    }
}

struct OriginKernel {
    maker: Maker,
    kernel: Box<dyn Kernel>,
}

impl Kernel for OriginKernel {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let inputs = (0..cx.inputs_len()).map(|i| cx.input(i).clone()).collect();
        self.kernel.compute(cx)?;
        self.maker.clone().note(inputs, cx.output(0));
        Ok(())
    }

    fn expensive(&self) -> bool {
        self.kernel.expensive()
    }
}

struct AsyncOriginKernel {
    maker: Maker,
    kernel: Box<dyn AsyncKernel>,
}

impl AsyncKernel for AsyncOriginKernel {
    fn start(&self, cx: AsyncContext) {
        let (maker, inputs) = (self.maker.clone(), cx.tensors(0..cx.inputs_len()));
        self.kernel.start(cx.inspect(move |outputs| {
            maker.note(inputs, outputs.first().and_then(Value::tensor));
        }));
    }

    fn expensive(&self) -> bool {
        self.kernel.expensive()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::LazyLock;

    use downpour_graph::{FunctionLibrary, Graph, OpSpec, attrs_to_proto, import_graph};
    use downpour_runtime::{CancellationToken, Parallel, Step, StepConfig, Value};
    use downpour_wire::proto::{GraphDef, NodeDef};

    use super::*;

    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
        let mut registry = Registry::new();
        let given = OpSpec::new("Given() -> (x: T)\nT: type").unwrap();
        registry.add_without_kernel(given).unwrap();
        crate::register(&mut registry).unwrap();
        registry
    });

    /// Runs the kernel of a dataset operation.
    pub fn make(op: &str, attrs: downpour_graph::Attrs, inputs: &[Tensor]) -> Tensor {
        let registry = &*REGISTRY;
        let mut nodes: Vec<NodeDef> = Vec::new();
        for (i, input) in inputs.iter().enumerate() {
            let attrs = downpour_graph::Attrs::new().with("T", input.dtype());
            nodes.push(NodeDef {
                name: format!("given{i}"),
                op: "Given".into(),
                attr: attrs_to_proto(&attrs).unwrap(),
                ..NodeDef::default()
            });
        }
        nodes.push(NodeDef {
            name: "made".into(),
            op: op.into(),
            input: (0..inputs.len()).map(|i| format!("given{i}")).collect(),
            attr: attrs_to_proto(&attrs).unwrap(),
            ..NodeDef::default()
        });
        let proto = GraphDef { node: nodes, ..GraphDef::default() };
        let mut graph = Graph::new();
        import_graph(&mut graph, &proto, registry.ops(), &FunctionLibrary::new()).unwrap();
        let node = Arc::new(graph.node(graph.find("made").unwrap()).clone());
        let step = Step::new(StepConfig {
            id: 1,
            resources: Arc::default(),
            parallel: Parallel::serial(),
            cancellation: CancellationToken::new(),
            device: "".into(),
            trace: None,
            rendezvous: None,
        });
        let KernelBox::Sync(kernel) = registry.make_kernel(&node, None).unwrap() else {
            panic!("{op} has no kernel that computes at once");
        };
        let mut values: Vec<Value> = inputs.iter().cloned().map(Value::Tensor).collect();
        let mut cx = OpContext::new(&node, &step, &mut values);
        kernel.compute(&mut cx).unwrap();
        cx.output(0).unwrap().clone()
    }

    /// Returns the attributes of datasets of one number.
    pub fn one_number() -> downpour_graph::Attrs {
        downpour_graph::Attrs::new()
            .with("output_types", vec![DataType::Int64])
            .with("output_shapes", vec![downpour_graph::PartialShape::scalar()])
    }

    /// Returns the dataset of the numbers below `count`.
    pub fn range(count: i64) -> Tensor {
        make("RangeDataset", one_number(), &[0, count, 1].map(Tensor::scalar))
    }

    #[test]
    fn datasets_know_what_made_them() {
        let range = range(5);
        let taken = make("TakeDataset", one_number(), &[range.clone(), Tensor::scalar(3i64)]);
        let origin = dataset::from_tensor(&taken).unwrap().origin().unwrap().clone();
        assert_eq!(origin.node.op_name(), "TakeDataset");
        let input = dataset::from_tensor(&origin.inputs[0]).unwrap().origin().unwrap();
        assert!(Arc::ptr_eq(input, dataset::from_tensor(&range).unwrap().origin().unwrap()));
        assert_eq!(origin.inputs[1].to_scalar::<i64>().unwrap(), 3);
    }
}

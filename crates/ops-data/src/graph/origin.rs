//! What a dataset was made by: a node, its inputs and the functions there were.
//!
//! A graph of a dataset can be written from this ([`super::export`]), also after the graph it came from has gone. Every
//! kernel of the family that makes a dataset is wrapped so that it notes its own; this takes references, no copies.

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

/// Has the kernels of operations whose only output is a variant note the origins of their datasets. `is_known` tells
/// operations of other families, which were there before.
pub(crate) fn note_origins(registry: &mut Registry, is_known: impl Fn(&str) -> bool) {
    let ops = registry.ops();
    let makes_variant = |name: &&str| match ops.get(name).map(|spec| &spec.def.outputs[..]) {
        Some([output]) => matches!(output.ty, ArgType::Fixed(DataType::Variant)),
        _ => false,
    };
    let names: Vec<String> =
        ops.names().into_iter().filter(makes_variant).map(str::to_owned).collect();
    for name in names.iter().filter(|name| !is_known(name)) {
        registry.wrap(name, wrap);
    }
}

fn wrap(build: &KernelBuild<'_>, kernel: KernelBox) -> KernelBox {
    let maker = Maker { node: build.node().clone(), library: build.library() };
    match kernel {
        KernelBox::Sync(kernel) => KernelBox::new(Noting { maker, kernel }),
        KernelBox::Async(kernel) => KernelBox::asynchronous(NotingLater { maker, kernel }),
    }
}

/// What all datasets of a kernel have in common.
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

struct Noting {
    maker: Maker,
    kernel: Box<dyn Kernel>,
}

impl Kernel for Noting {
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

struct NotingLater {
    maker: Maker,
    kernel: Box<dyn AsyncKernel>,
}

impl AsyncKernel for NotingLater {
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

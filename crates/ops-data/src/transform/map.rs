//! MapDataset: a function of the graph applied to every element.

use std::sync::Arc;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{FunctionHandle, Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::Result;

use crate::component::Signature;
use crate::dataset;
use crate::function::{Captured, GraphMap};
use crate::function_stage::{self, KnownLength, same_length, unknown_length};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "MapDataset(input_dataset: variant, other_arguments: Targuments) -> (handle: variant)
                f: func
                Targuments: list(type) >= 0
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                use_inter_op_parallelism: bool = true
                preserve_cardinality: bool = false
                force_synchronous: bool = false
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |build| Ok(KernelBox::new(Map(build.callable("f")?))),
    )
}

/// Returns how the length of a map follows from its input's: a function may end the dataset before, unless the program
/// says that it does not.
pub(super) fn length(cx: &OpContext<'_>) -> Result<KnownLength> {
    Ok(if cx.node().bool("preserve_cardinality")? { same_length } else { unknown_length })
}

struct Map(Arc<FunctionHandle>);

impl Kernel for Map {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let function = Captured::new(cx, &self.0, "other_arguments")?;
        let names = Signature::of(cx.node())?.names();
        let length = length(cx)?;
        let input = dataset::input(cx, 0)?;
        let may_end = !cx.node().bool("preserve_cardinality")?;
        let mapped =
            function_stage::elementwise("map", input, function, length, move |input, function| {
                let map = GraphMap { function, names: names.clone(), may_end };
                Ok(map.apply(|map| input.map(map)))
            });
        dataset::finish(cx, mapped)
    }
}

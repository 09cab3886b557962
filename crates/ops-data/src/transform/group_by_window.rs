//! GroupByWindowDataset: elements with the same key, as many as a function says, made into datasets by another.

use std::sync::Arc;

use downpour_data::Dataset;
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{FunctionHandle, Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use super::flat_map::from_results;
use crate::component::Signature;
use crate::dataset::{self, GraphDataset};
use crate::function::{Captured, OpenFunction};
use crate::function_stage::{self, endless_length};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for (name, own) in [
        ("GroupByWindowDataset", "metadata: string = ''"),
        ("ExperimentalGroupByWindowDataset", ""),
    ] {
        let signature = format!(
            "{name}(input_dataset: variant, key_func_other_arguments: Tkey_func_other_arguments, reduce_func_other_arguments: Treduce_func_other_arguments, window_size_func_other_arguments: Twindow_size_func_other_arguments) -> (handle: variant)
                key_func: func
                reduce_func: func
                window_size_func: func
                Tkey_func_other_arguments: list(type) >= 0
                Treduce_func_other_arguments: list(type) >= 0
                Twindow_size_func_other_arguments: list(type) >= 0
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                {own}"
        );
        registry.add(OpSpec::new(&signature)?.shape(shapes::scalar), |build| {
            Ok(KernelBox::new(GroupByWindow {
                key: build.callable("key_func")?,
                reduce: build.callable("reduce_func")?,
                size: build.callable("window_size_func")?,
            }))
        })?;
    }
    Ok(())
}

struct GroupByWindow {
    key: Arc<FunctionHandle>,
    reduce: Arc<FunctionHandle>,
    size: Arc<FunctionHandle>,
}

impl Kernel for GroupByWindow {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let key = Captured::new(cx, &self.key, "key_func_other_arguments")?;
        let reduce = Captured::new(cx, &self.reduce, "reduce_func_other_arguments")?;
        let size = Captured::new(cx, &self.size, "window_size_func_other_arguments")?;
        let made = Signature::of(cx.node())?;
        let input = dataset::input(cx, 0)?;
        let taken = input.signature.clone();
        let grouped = function_stage::dataset_of_functions(
            "group_by_window",
            input,
            &[&key.clone(), &reduce.clone(), &size.clone()],
            endless_length,
            move |input, context| {
                let (key, size) = (key.open(context), size.open(context));
                let reduce = Reduce {
                    function: reduce.open(context),
                    taken: taken.clone(),
                    made: made.clone(),
                };
                Ok(input.group_by_window(
                    move |element| key.number("key_func", element.tensors().to_vec()),
                    move |key| window_size(&size, key),
                    move |key, group| reduce.call(key, group),
                ))
            },
        );
        dataset::finish(cx, grouped)
    }
}

fn window_size(function: &OpenFunction, key: i64) -> Result<u64> {
    let size = function.number("window_size_func", vec![Tensor::scalar(key)])?;
    u64::try_from(size).ok().filter(|&size| size > 0).ok_or_else(|| {
        Status::invalid_argument(format!("Window size must be greater than zero, but got {size}."))
    })
}

/// Makes a dataset of a key and its group.
struct Reduce {
    function: OpenFunction,
    /// The elements of the group, and those of the dataset that is made.
    taken: Signature,
    made: Signature,
}

impl Reduce {
    fn call(&self, key: i64, group: Dataset) -> Result<Dataset> {
        let group = GraphDataset::with_signature(self.taken.clone(), group, &[])?.into_tensor()?;
        let results = self.function.call(vec![Tensor::scalar(key), group])?;
        from_results("`reduce_func`", results, &self.made)
    }
}

//! GroupByReducerDataset: one element for each key, which functions of the graph make of all elements that have it.

use std::sync::Arc;

use downpour_data::{Element, Names, Reducer};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{FunctionHandle, Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Tensor};

use crate::component::Signature;
use crate::dataset;
use crate::function::{Captured, OpenFunction, end_of_sequence};
use crate::function_stage::{self, unknown_length};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["GroupByReducerDataset", "ExperimentalGroupByReducerDataset"] {
        let signature = format!(
            "{name}(input_dataset: variant, key_func_other_arguments: Tkey_func_other_arguments, init_func_other_arguments: Tinit_func_other_arguments, reduce_func_other_arguments: Treduce_func_other_arguments, finalize_func_other_arguments: Tfinalize_func_other_arguments) -> (handle: variant) @stateful
                key_func: func
                init_func: func
                reduce_func: func
                finalize_func: func
                Tkey_func_other_arguments: list(type) >= 0
                Tinit_func_other_arguments: list(type) >= 0
                Treduce_func_other_arguments: list(type) >= 0
                Tfinalize_func_other_arguments: list(type) >= 0
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1"
        );
        registry.add(OpSpec::new(&signature)?.shape(shapes::scalar), |build| {
            let functions = FUNCTIONS.map(|name| build.callable(name));
            let [key, init, reduce, finalize] = functions;
            Ok(KernelBox::new(GroupByReducer([key?, init?, reduce?, finalize?])))
        })?;
    }
    Ok(())
}

const FUNCTIONS: [&str; 4] = ["key_func", "init_func", "reduce_func", "finalize_func"];

struct GroupByReducer([Arc<FunctionHandle>; 4]);

impl Kernel for GroupByReducer {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let mut functions = Vec::with_capacity(FUNCTIONS.len());
        for (function, name) in self.0.iter().zip(FUNCTIONS) {
            functions.push(Captured::new(cx, function, &format!("{name}_other_arguments"))?);
        }
        let names = Signature::of(cx.node())?.names();
        let input = dataset::input(cx, 0)?;
        let reduced = function_stage::dataset_of_functions(
            "group_by_reducer",
            input,
            &functions.clone().iter().collect::<Vec<_>>(),
            unknown_length,
            move |input, context| {
                let open = |i: usize| functions[i].open(context);
                Ok(input.group_by_reducer(GraphReducer {
                    key: open(0),
                    begin: open(1),
                    add: open(2),
                    finish: open(3),
                    names: names.clone(),
                }))
            },
        );
        dataset::finish(cx, reduced)
    }
}

/// A reducer whose functions are those of a graph.
struct GraphReducer {
    key: OpenFunction,
    begin: OpenFunction,
    add: OpenFunction,
    finish: OpenFunction,
    names: Names,
}

impl Reducer for GraphReducer {
    fn key(&self, element: &Element) -> Result<i64> {
        let key = self.key.number("key_func", element.tensors().to_vec());
        key.map_err(end_of_sequence)
    }

    fn begin(&self, key: i64) -> Result<Vec<Tensor>> {
        self.begin.call(vec![Tensor::scalar(key)]).map_err(end_of_sequence)
    }

    fn add(&self, state: &[Tensor], element: Element) -> Result<Vec<Tensor>> {
        let mut arguments = state.to_vec();
        arguments.extend(element.into_tensors());
        self.add.call(arguments).map_err(end_of_sequence)
    }

    fn finish(&self, state: &[Tensor]) -> Result<Element> {
        let made = self.finish.call(state.to_vec()).map_err(end_of_sequence)?;
        Element::from_parts(self.names.clone(), made)
    }
}

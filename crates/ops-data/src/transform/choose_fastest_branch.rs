//! ChooseFastestBranchDataset: a dataset that one of several functions makes of a dataset.
//!
//! All functions make the same elements and differ in how fast they are. Ours takes the first.

use std::sync::Arc;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{
    AsyncContext, AsyncKernel, FunctionHandle, KernelBox, KernelBuild, Registry,
};
use downpour_tensor::{Result, Status, Tensor};

use crate::component::Signature;
use crate::dataset::{self, GraphDataset};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ChooseFastestBranchDataset(input_dataset: variant, ratio_numerator: int64, ratio_denominator: int64, other_arguments: Targuments) -> (handle: variant)
                Targuments: list(type) >= 0
                num_elements_per_branch: int >= 1
                branches: list(func) >= 1
                other_arguments_lengths: list(int) >= 1
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1",
        )?
        .shape(shapes::scalar),
        |build| Ok(KernelBox::asynchronous(Branches::new(build)?)),
    )
}

struct Branches {
    first: Arc<FunctionHandle>,
    /// How many of the arguments belong to the first function.
    arguments: usize,
    elements: i64,
}

impl Branches {
    fn new(build: &KernelBuild<'_>) -> Result<Branches> {
        let (branches, lengths) =
            (build.callables("branches")?, build.ints("other_arguments_lengths")?);
        if branches.len() != lengths.len() {
            return Err(Status::invalid_argument(format!(
                "branches and other_arguments_lengths must have the same length; there are {} and {}",
                branches.len(),
                lengths.len()
            )));
        }
        let given = build.dtypes("Targuments")?.len();
        let sum = lengths
            .iter()
            .try_fold(0usize, |sum, &length| sum.checked_add(usize::try_from(length).ok()?));
        if sum != Some(given) {
            return Err(Status::invalid_argument(format!(
                "other_arguments_lengths {lengths:?} do not add up to the {given} other_arguments"
            )));
        }
        let first = branches[0].clone();
        let elements = build.int("num_elements_per_branch")?;
        Ok(Branches { first, arguments: lengths[0] as usize, elements })
    }

    fn check(&self, cx: &AsyncContext) -> Result<()> {
        dataset::from_tensor(cx.input(0))?;
        let number = |i: usize, name: &str| match cx.input(i).to_i64_scalar()? {
            number @ 1.. => Ok(number),
            _ => Err(Status::invalid_argument(format!("`{name}` must be greater than zero."))),
        };
        number(1, "ratio_numerator")?;
        if self.elements % number(2, "ratio_denominator")? != 0 {
            return Err(Status::invalid_argument(
                "`num_elements_per_branch` must be divisible by `ratio_denominator`.",
            ));
        }
        Ok(())
    }
}

impl AsyncKernel for Branches {
    fn start(&self, cx: AsyncContext) {
        if let Err(error) = self.check(&cx) {
            return cx.finish(Err(error));
        }
        let mut arguments = vec![cx.input(0).clone()];
        arguments.extend(cx.tensors(3..3 + self.arguments));
        let step = cx.step().clone();
        self.first.run(&step, arguments, move |results| {
            let made = results.and_then(|results| made(&cx, &results));
            cx.finish(made.map(|made| vec![made]));
        });
    }
}

fn made(cx: &AsyncContext, results: &[Tensor]) -> Result<Tensor> {
    let [result] = results else {
        return Err(Status::invalid_argument("a branch must return a single dataset"));
    };
    let branch = dataset::from_tensor(result)?;
    Signature::of(cx.node())?.check_compatible(&branch.signature)?;
    GraphDataset::new(cx.node(), branch.pipeline.clone(), &[branch])?.into_tensor()
}

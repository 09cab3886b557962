//! PaddedBatchDataset: several elements of different shapes as one, filled up to one shape.

use downpour_data::{Batch, OnError, Padding, Remainder};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use super::batch;
use crate::component::Signature;
use crate::dataset;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for (name, last, own) in [
        ("PaddedBatchDataset", "", ""),
        ("PaddedBatchDatasetV2", ", drop_remainder: bool", "parallel_copy: bool = false"),
    ] {
        let signature = format!(
            "{name}(input_dataset: variant, batch_size: int64, padded_shapes: N*int64, padding_values: Toutput_types{last}) -> (handle: variant)
                {own}
                Toutput_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                N: int >= 1
                metadata: string = ''"
        );
        let spec = OpSpec::new(&signature)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::cheap(padded)))?;
    }
    Ok(())
}

fn padded(cx: &mut OpContext<'_>) -> Result<()> {
    let size = batch::size(cx)?;
    let remainder = match cx.node().input_range("drop_remainder") {
        Ok(range) => batch::remainder(cx, range.start)?,
        Err(_) => Remainder::Keep,
    };
    let shapes = cx.node().input_range("padded_shapes")?;
    let values = cx.node().input_range("padding_values")?;
    if shapes.len() != values.len() {
        return Err(Status::invalid_argument(format!(
            "there are {} padded_shapes but {} padding_values",
            shapes.len(),
            values.len()
        )));
    }
    let names = Signature::of(cx.node())?.names();
    let mut padding = Padding::default();
    for (name, (shape, value)) in names.iter().zip(shapes.zip(values)) {
        padding =
            padding.shape(name, &sizes(cx.input(shape))?).value(name, scalar(cx.input(value))?);
    }
    // Padding goes by names, and those of zipped elements are not different.
    let input = dataset::input(cx, 0)?.pipeline.rename(names.iter());
    let how = Batch::new(size).remainder(remainder).padding(padding).on_error(OnError::Restart);
    let batched = input.batch_with(how)?;
    dataset::finish(cx, batched)
}

/// Returns the sizes that elements are filled up to; -1 is the largest of the batch.
fn sizes(shape: &Tensor) -> Result<Vec<Option<usize>>> {
    if shape.rank() != 1 {
        return Err(Status::invalid_argument("All padded shapes must be vectors"));
    }
    let size = |&size: &i64| match size {
        -1 => Ok(None),
        0.. => Ok(usize::try_from(size).ok()),
        _ => Err(Status::invalid_argument(format!("a padded shape has the size {size}"))),
    };
    shape.as_slice::<i64>()?.iter().map(size).collect()
}

fn scalar(value: &Tensor) -> Result<Tensor> {
    match value.rank() {
        0 => Ok(value.clone()),
        _ => Err(Status::invalid_argument("All padding values must be scalars")),
    }
}

//! RaggedTensorToVariant and its gradient: a ragged tensor, or each of its rows, as a variant.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Charge, DataType, Result, Shape, Status, Tensor, Variant};

use super::splits;
use super::variant::RaggedVariant;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "RaggedTensorToVariant(rt_nested_splits: RAGGED_RANK * Tsplits, \
                rt_dense_values: Tvalues) -> (encoded_ragged: variant)
                RAGGED_RANK: int >= 0
                Tvalues: type
                Tsplits: {int32, int64} = int64
                batched_input: bool",
        )?
        .shape(shape)
        .gradient(gradient),
        |build| Ok(KernelBox::new(ToVariant { batched: build.bool("batched_input")? })),
    )?;
    registry.add(
        OpSpec::new(
            "RaggedTensorToVariantGradient(encoded_ragged_grad: variant, row_splits: Tsplits, \
                dense_values_shape: int32) -> (dense_values_grad: Tvalues)
                Tvalues: type
                Tsplits: {int32, int64} = int64",
        )?
        .shape(gradient_shape),
        |build| Ok(KernelBox::new(ToVariantGradient(build.dtype("Tvalues")?))),
    )
}

struct ToVariant {
    batched: bool,
}

impl Kernel for ToVariant {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let depth = cx.inputs_len() - 1;
        let values = cx.input(depth);
        if depth > 0 && values.rank() == 0 {
            return Err(Status::invalid_argument(
                "Requires flat_values to have rank>=1 when nested_row_splits is not empty, but is 0.",
            ));
        }
        let _scratch = Charge::scratch::<i64>((0..depth).map(|i| cx.input(i).len()).sum())?;
        let mut nested = vec![Vec::new(); depth];
        for i in (0..depth).rev() {
            let rows = match cx.input(i + 1) {
                next if i + 1 < depth => next.dims().first().map_or(0, |&n| n.saturating_sub(1)),
                values => values.dims()[0],
            };
            nested[i] = splits::checked(cx.input(i), Some(rows))?;
        }
        let output = if !self.batched {
            let splits = (0..depth).map(|i| cx.input(i).clone()).collect();
            Variant::new(RaggedVariant { splits, values: values.clone() })?.into_tensor()
        } else if depth == 0 {
            let Some((&rows, inner)) = values.dims().split_first() else {
                return Err(Status::invalid_argument("Can't unbatch rank-0 tensor."));
            };
            let row = |i| {
                let values = values.rows(i, i + 1)?.into_shape(inner)?;
                Variant::new(RaggedVariant { splits: Vec::new(), values })
            };
            Tensor::build_variants([rows], row)?
        } else {
            let split_type = cx.input(0).dtype();
            let rows = nested[0].len() - 1;
            let row = |i| unbatched_row(&nested, values, i, split_type);
            Tensor::build_variants([rows], row)?
        };
        cx.set_output(0, output);
        Ok(())
    }
}

/// Row `i` of the outermost axis, as a ragged tensor of one rank less.
fn unbatched_row(
    nested: &[Vec<i64>],
    values: &Tensor,
    i: usize,
    split_type: DataType,
) -> Result<Variant> {
    let (mut start, mut end) = (nested[0][i] as usize, nested[0][i + 1] as usize);
    let mut own = Vec::with_capacity(nested.len() - 1);
    for splits in &nested[1..] {
        let part = &splits[start..=end];
        let shifted: Vec<i64> = part.iter().map(|s| s - part[0]).collect();
        own.push(splits::tensor(split_type, &shifted)?);
        (start, end) = (splits[start] as usize, splits[end] as usize);
    }
    let values = values.rows(start, end)?;
    Variant::new(RaggedVariant { splits: own, values })
}

struct ToVariantGradient(DataType);

impl Kernel for ToVariantGradient {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let shape = Shape::from_i64(&cx.vector_input(2)?.to_i64_vec()?)?;
        let row_splits = cx.input(1);
        let rows = if row_splits.rank() > 0 {
            splits::checked(row_splits, None)?
        } else {
            row_splits.to_i64_vec()?
        };
        let mut parts = Vec::new();
        for (i, variant) in cx.input(0).variants()?.iter().enumerate() {
            // A row nobody used has no gradient: zeros of its size.
            let part = match (variant.get::<RaggedVariant>(), rows.get(i..i + 2)) {
                (Some(ragged), _) if ragged.values.dtype() == self.0 => ragged.values.clone(),
                (Some(ragged), _) => {
                    return Err(Status::invalid_argument(format!(
                        "Expected values Tensor dtype: {}, found: {}",
                        self.0,
                        ragged.values.dtype()
                    )));
                }
                (None, Some(pair)) if shape.rank() > 0 => {
                    let mut own = shape.clone();
                    own.dims_mut()[0] = (pair[1] - pair[0]) as usize;
                    Tensor::zeros(self.0, own)?
                }
                (None, _) => {
                    return Err(Status::invalid_argument(format!(
                        "row_splits tell nothing of encoded element {i}"
                    )));
                }
            };
            parts.push(part);
        }
        let output = match &parts[..] {
            [only] => only.clone(),
            many => {
                let total: usize = many.iter().map(|p| p.len()).sum();
                if total != shape.elements() {
                    return Err(Status::invalid_argument(format!(
                        "the gradients of the rows have {total} values but dense_values_shape is \
                         {shape}"
                    )));
                }
                splits::join(self.0, shape, &many.iter().collect::<Vec<_>>())?
            }
        };
        cx.set_output(0, output);
        Ok(())
    }
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let depth = cx.inputs().len() - 1;
    for i in 0..depth {
        cx.with_rank(i, 1)?;
    }
    let out = if !cx.node().bool("batched_input")? {
        PartialShape::scalar()
    } else if depth == 0 {
        PartialShape::vector(cx.with_rank_at_least(0, 1)?.dim(0))
    } else {
        cx.with_rank_at_least(depth, 1)?;
        PartialShape::vector(cx.input(0).dim(0).and_then(|n| n.checked_sub(1)))
    };
    cx.set_output(0, out);
    Ok(())
}

fn gradient_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = match cx.input(2).rank() {
        Some(1) => cx.shape_from_input(2)?,
        _ => PartialShape::unknown(),
    };
    cx.set_output(0, shape);
    Ok(())
}

/// The values' gradient, stacked as the values were cut up.
fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let rank = cx.node().input_range("rt_nested_splits")?.end;
    let (grad, values) = (cx.grad(0)?, cx.input(rank));
    let splits = match rank {
        0 => cx.scalar(0i64)?,
        _ => cx.input(0),
    };
    let shape = cx.shape(values)?;
    let attrs = Attrs::new().with("Tvalues", cx.dtype(values));
    let inputs = [grad, splits, shape];
    let mut grads = vec![Gradient::None; cx.inputs_len()];
    grads[rank] = Gradient::Dense(cx.op_with("RaggedTensorToVariantGradient", &inputs, attrs)?);
    Ok(grads)
}

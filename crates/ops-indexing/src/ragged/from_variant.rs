//! RaggedTensorFromVariant: stacks ragged tensors that stand in a variant tensor.

use downpour_graph::{
    Attrs, Endpoint, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext,
};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

use super::splits;
use super::variant::RaggedVariant;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "RaggedTensorFromVariant(encoded_ragged: variant) \
                -> (output_nested_splits: output_ragged_rank * Tsplits, output_dense_values: Tvalues)
                input_ragged_rank: int >= -1
                output_ragged_rank: int >= 0
                Tvalues: type
                Tsplits: {int32, int64} = int64",
        )?
        .shape(shape)
        .gradient(gradient),
        |build| {
            Ok(KernelBox::new(FromVariant {
                input_rank: build.int("input_ragged_rank")?,
                output_rank: build.int("output_ragged_rank")?,
                values: build.dtype("Tvalues")?,
                splits: build.dtype("Tsplits")?,
            }))
        },
    )
}

struct FromVariant {
    input_rank: i64,
    output_rank: i64,
    values: DataType,
    splits: DataType,
}

impl Kernel for FromVariant {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let encoded = cx.input(0);
        let rank = encoded.rank() as i64;
        let input_rank = match self.input_rank {
            -1 if self.output_rank == 0 => 0,
            -1 if self.output_rank < rank => {
                return Err(Status::invalid_argument(format!(
                    "Inferred input_ragged_rank (output_ragged_rank - encoded_variant.dims()) must \
                     be >= 0, found output_ragged_rank: {}, encoded_variant.dims(): {rank}, \
                     inferred input_ragged_rank: {}",
                    self.output_rank,
                    self.output_rank - rank
                )));
            }
            -1 => self.output_rank - rank,
            given => given,
        };
        let fits =
            self.output_rank == rank + input_rank || (self.output_rank == 0 && input_rank == 0);
        if !fits {
            return Err(Status::invalid_argument(format!(
                "output_ragged_rank must be equal to input_ragged_rank + encoded_ragged.dims(); \
                 output_ragged_rank: {}, input_ragged_rank: {input_rank}, encoded_variant.dims(): \
                 {rank}.",
                self.output_rank
            )));
        }
        let parts = self.decode(encoded, input_rank as usize)?;
        if let (0, [part]) = (rank, &parts[..]) {
            let (splits, values) = (part.splits.clone(), part.values.clone());
            return set_outputs(cx, splits, values);
        }
        if self.output_rank == 0 {
            let values = stack(self.values, &parts)?;
            return set_outputs(cx, Vec::new(), values);
        }
        let dims = encoded.dims().to_vec();
        let splits = self.stacked_splits(&dims, &parts, input_rank as usize)?;
        let values = concatenated(self.values, &parts)?;
        set_outputs(cx, splits, values)
    }
}

fn set_outputs(cx: &mut OpContext<'_>, splits: Vec<Tensor>, values: Tensor) -> Result<()> {
    let count = splits.len();
    for (i, own) in splits.into_iter().enumerate() {
        cx.set_output(i, own);
    }
    cx.set_output(count, values);
    Ok(())
}

impl FromVariant {
    fn decode(&self, encoded: &Tensor, input_rank: usize) -> Result<Vec<RaggedVariant>> {
        let check = |(i, variant): (usize, &downpour_tensor::Variant)| {
            let Some(ragged) = variant.get::<RaggedVariant>() else {
                return Err(Status::invalid_argument(format!(
                    "Input Variant element at index {i} doesn't hold a RaggedTensorVariant: \
                     {variant:?}"
                )));
            };
            if ragged.splits.len() != input_rank {
                return Err(Status::invalid_argument(format!(
                    "Encoded input RaggedTensorVariant has ragged_rank={}.  Expected \
                     ragged_rank={input_rank}.",
                    ragged.splits.len()
                )));
            }
            if ragged.values.dtype() != self.values {
                return Err(Status::invalid_argument(format!(
                    "Expected values Tensor dtype: {}, found: {}",
                    self.values,
                    ragged.values.dtype()
                )));
            }
            if ragged.values.rank() < 1 && self.output_rank != 0 {
                return Err(Status::invalid_argument(format!(
                    "Ragged values must have rank >= 1; encoded scalar element at index {i} has \
                     values Tensor: {:?}",
                    ragged.values
                )));
            }
            for own in &ragged.splits {
                if own.dtype() != self.splits {
                    return Err(Status::invalid_argument(format!(
                        "Expected row_splits Tensor dtype: {}, found: {}",
                        self.splits,
                        own.dtype()
                    )));
                }
                if own.rank() != 1 || own.is_empty() {
                    return Err(Status::invalid_argument(format!(
                        "Ragged splits must have rank 1; encoded scalar element at index {i} has \
                         splits Tensor {own:?}"
                    )));
                }
            }
            Ok(ragged.clone())
        };
        encoded.variants()?.iter().enumerate().map(check).collect()
    }

    /// Splits for the axes of the variant tensor, for its elements, then those of the elements.
    fn stacked_splits(
        &self,
        dims: &[usize],
        parts: &[RaggedVariant],
        input_rank: usize,
    ) -> Result<Vec<Tensor>> {
        let mut out = Vec::with_capacity(dims.len() + input_rank);
        let mut rows = 1usize;
        for pair in dims.windows(2) {
            rows = rows.saturating_mul(pair[0]);
            out.push(splits::tensor(self.splits, &splits::uniform(rows, pair[1])?)?);
        }
        let length = |part: &RaggedVariant| match part.splits.first() {
            Some(own) => own.len() as i64 - 1,
            None => part.values.dims()[0] as i64,
        };
        let mut own = vec![0];
        for part in parts {
            own.push(own[own.len() - 1] + length(part));
        }
        out.push(splits::tensor(self.splits, &own)?);
        for level in 0..input_rank {
            let mut own = splits::uniform(0, 0)?;
            for part in parts {
                let mut values = part.splits[level].to_i64_vec()?;
                // The first is taken for 0, as TensorFlow does.
                values.iter_mut().take(1).for_each(|first| *first = 0);
                splits::append(&mut own, &values)?;
            }
            out.push(splits::tensor(self.splits, &own)?);
        }
        Ok(out)
    }
}

fn mismatch(first: &[usize], i: usize, other: &[usize]) -> Status {
    Status::invalid_argument(format!(
        "All flat_values must have compatible shapes.  Shape at index 0: {}.  Shape at index {i}: \
         {}.  If you are using tf.map_fn, then you may need to specify an explicit \
         fn_output_signature with appropriate ragged_rank, and/or convert output tensors to \
         RaggedTensors.",
        Shape::new(first),
        Shape::new(other)
    ))
}

/// Equal values under a new first axis.
fn stack(dtype: DataType, parts: &[RaggedVariant]) -> Result<Tensor> {
    let Some(first) = parts.first() else { return Tensor::new(dtype, [0]) };
    let inner = first.values.dims();
    if let Some(i) = parts.iter().position(|p| p.values.dims() != inner) {
        return Err(mismatch(inner, i, parts[i].values.dims()));
    }
    let shape = std::iter::once(parts.len()).chain(inner.iter().copied()).collect();
    splits::join(dtype, shape, &parts.iter().map(|p| &p.values).collect::<Vec<_>>())
}

/// Values one behind the other along their first axis.
fn concatenated(dtype: DataType, parts: &[RaggedVariant]) -> Result<Tensor> {
    let Some(first) = parts.first() else { return Tensor::new(dtype, [0]) };
    let inner = &first.values.dims()[1..];
    for (i, part) in parts.iter().enumerate() {
        if part.values.rank() != first.values.rank() {
            return Err(Status::invalid_argument(format!(
                "Rank of values must match for all components; values shape at index 0: {}, values \
                 shape at index {i}: {}",
                first.values.shape(),
                part.values.shape()
            )));
        }
        if part.values.dims()[1..] != *inner {
            return Err(mismatch(inner, i, &part.values.dims()[1..]));
        }
    }
    let rows = parts.iter().map(|p| p.values.dims()[0]).sum();
    let shape = std::iter::once(rows).chain(inner.iter().copied()).collect();
    splits::join(dtype, shape, &parts.iter().map(|p| &p.values).collect::<Vec<_>>())
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (input, output) =
        (cx.node().int("input_ragged_rank")?, cx.node().int("output_ragged_rank")?);
    if input >= 0
        && let Ok(rank) = usize::try_from(output - input)
    {
        cx.with_rank(0, rank)?;
    }
    for i in 0..cx.outputs_len() - 1 {
        cx.set_output(i, PartialShape::vector(None));
    }
    Ok(())
}

/// The values' gradient, cut up as the values were stacked.
fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let splits = cx.node().output_range("output_nested_splits")?;
    let batched = match cx.static_shape(cx.input(0)).rank() {
        Some(rank @ 0..=1) => rank == 1,
        None => !splits.is_empty(),
        Some(rank) => {
            return Err(cx.node().unsupported(format!(
                "the gradient is defined for scalars and vectors of variants, not for rank {rank}"
            )));
        }
    };
    let grad = cx.grad(splits.end)?;
    let mut inputs: Vec<Endpoint> = splits.map(|port| cx.output(port as u32)).collect();
    inputs.push(grad);
    let attrs =
        Attrs::new().with("batched_input", batched).with("Tsplits", cx.node().dtype("Tsplits")?);
    Ok(vec![Gradient::Dense(cx.op_with("RaggedTensorToVariant", &inputs, attrs)?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn encode(splits: &[&[i64]], values: Tensor, batched: bool) -> Result<Tensor> {
        let test = OpTest::new(super::super::to_variant::register, "RaggedTensorToVariant")
            .attr("RAGGED_RANK", splits.len() as i64)
            .attr("batched_input", batched);
        splits.iter().fold(test, |t, s| t.input(Tensor::vector(s).unwrap())).input(values).run_one()
    }

    fn decode(encoded: Tensor, input: i64, output: i64) -> Result<Vec<Tensor>> {
        OpTest::new(register, "RaggedTensorFromVariant")
            .attr("input_ragged_rank", input)
            .attr("output_ragged_rank", output)
            .attr("Tvalues", DataType::Int32)
            .input(encoded)
            .run()
    }

    /// They take no memory themselves, but their splits would.
    #[test]
    fn too_many_empty_rows_are_refused() {
        let none = Tensor::new(DataType::Variant, [1 << 50, 0]).unwrap();
        let refused = decode(none, 0, 2).unwrap_err();
        assert_eq!(refused.code(), downpour_tensor::Code::ResourceExhausted);
    }

    #[test]
    fn rows_come_back_together() {
        let values = || Tensor::vector(&[1i32, 2, 3, 4]).unwrap();
        let splits: &[&[i64]] = &[&[0, 2, 2, 3], &[0, 1, 3, 4]];
        let rows = encode(splits, values(), true).unwrap();
        assert_eq!(rows.dims(), &[3]);
        let out = decode(rows, 1, 2).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), splits[0]);
        assert_eq!(out[1].as_slice::<i64>().unwrap(), splits[1]);
        assert_eq!(out[2].as_slice::<i32>().unwrap(), &[1, 2, 3, 4]);
        let whole = encode(splits, values(), false).unwrap();
        assert_eq!(decode(whole, -1, 2).unwrap()[0].as_slice::<i64>().unwrap(), splits[0]);
        let dense = encode(&[], Tensor::from_vec([2, 1], vec![5i32, 6]).unwrap(), true).unwrap();
        assert_eq!(decode(dense, -1, 0).unwrap()[0].dims(), &[2, 1]);
    }

    #[test]
    fn bad_splits_and_ranks_are_refused() {
        let values = || Tensor::vector(&[1i32, 2]).unwrap();
        for splits in [&[][..], &[1, 2], &[0, 3], &[0, 2, 1, 2]] {
            assert!(encode(&[splits], values(), true).is_err(), "{splits:?}");
        }
        assert!(encode(&[&[0]], Tensor::scalar(1i32), false).is_err());
        let whole = encode(&[&[0, 2]], values(), false).unwrap();
        assert!(decode(whole.clone(), 0, 1).is_err());
        assert!(decode(whole, 1, 3).is_err());
        assert!(decode(Tensor::new(DataType::Variant, [1]).unwrap(), 0, 1).is_err());
    }
}

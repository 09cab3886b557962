//! ComputeAccidentalHits: where a sampled candidate is one of the true classes.

use std::collections::HashMap;

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ComputeAccidentalHits(true_classes: int64, sampled_candidates: int64) -> (indices: int32, ids: int64, weights: float)
                num_true: int
                seed: int = 0
                seed2: int = 0",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| Ok(KernelBox::new(AccidentalHits { num_true: build.int("num_true")? })),
    )
}

struct AccidentalHits {
    num_true: i64,
}

impl Kernel for AccidentalHits {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (classes, sampled) = (cx.input(0), cx.input(1));
        let columns = match classes.dims() {
            [_, columns] if *columns as i64 == self.num_true => *columns,
            _ => {
                return Err(Status::invalid_argument(
                    "true_candidates must be a batch_size * num_true matrix",
                ));
            }
        };
        if sampled.rank() != 1 {
            return Err(Status::invalid_argument(
                "sampled_candidates must be a vector, which is typically an output from \
                 CandidateSampler",
            ));
        }
        // Of a candidate sampled twice the last place counts.
        let places: HashMap<i64, i64> =
            sampled.as_slice::<i64>()?.iter().copied().zip(0i64..).collect();
        let (mut indices, mut ids) = (Vec::new(), Vec::new());
        for (i, class) in classes.as_slice::<i64>()?.iter().enumerate() {
            if let Some(&place) = places.get(class) {
                indices.push((i / columns) as i32);
                ids.push(place);
            }
        }
        cx.set_output(2, Tensor::vector(&vec![-f32::MAX; ids.len()])?);
        cx.set_output(0, Tensor::vector(&indices)?);
        cx.set_output(1, Tensor::vector(&ids)?);
        Ok(())
    }
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let classes = cx.with_rank(0, 2)?;
    let columns = usize::try_from(cx.node().int("num_true")?).ok();
    cx.merge_dim(classes.dim(1), columns)?;
    cx.with_rank(1, 1)?;
    for i in 0..3 {
        cx.set_output(i, PartialShape::vector(None));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn hits_name_row_and_place() {
        let out = OpTest::new(register, "ComputeAccidentalHits")
            .attr("num_true", 2i64)
            .input(Tensor::from_slice([2, 2], &[1i64, 2, 3, 4]).unwrap())
            .input(Tensor::vector(&[4i64, 9, 1]).unwrap())
            .run()
            .unwrap();
        assert_eq!(out[0].as_slice::<i32>().unwrap(), [0, 1]);
        assert_eq!(out[1].as_slice::<i64>().unwrap(), [2, 0]);
        assert_eq!(out[2].as_slice::<f32>().unwrap(), [-f32::MAX; 2]);
    }
}

//! CountUpTo, ResourceCountUpTo: counts a variable up until it reaches a limit.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{RealNumber, Result, Status, Tensor, dispatch_index};

use super::handles::{typed_variable, variable_shape};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "CountUpTo(ref: Ref(T)) -> (output: T)
            limit: int
            T: {int32, int64}",
        "ResourceCountUpTo(resource: resource) -> (output: T) @stateful
            limit: int
            T: {int32, int64}",
    ] {
        registry.add(OpSpec::new(signature)?.shape(shape).not_differentiable(), |build| {
            Ok(KernelBox::new(CountUpTo { limit: build.int("limit")? }))
        })?;
    }
    Ok(())
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = cx.merge(&variable_shape(cx, 0), &PartialShape::scalar())?;
    cx.set_output(0, shape);
    Ok(())
}

struct CountUpTo {
    limit: i64,
}

impl Kernel for CountUpTo {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let dtype = cx.node().output_dtype(0);
        let variable = typed_variable(cx, 0, dtype)?;
        let before = variable.update(|current| {
            if current.rank() != 0 {
                return Err(Status::invalid_argument(format!(
                    "input is not a scalar: {}",
                    current.shape()
                )));
            }
            dispatch_index!(dtype, cx.node().op_name(), T => self.count::<T>(current))
        })?;
        cx.set_output(0, before);
        Ok(())
    }

    fn expensive(&self) -> bool {
        false
    }
}

impl CountUpTo {
    fn count<T: RealNumber>(&self, current: &mut Tensor) -> Result<Tensor> {
        let before = current.to_scalar::<T>()?;
        // Values beyond the type cannot be reached, so comparing as the wider type is enough.
        if before.to_i64().is_none_or(|before| before >= self.limit) {
            return Err(Status::out_of_range(format!("Reached limit of {}", self.limit)));
        }
        *current = Tensor::scalar(before.add_w(T::one()));
        Ok(Tensor::scalar(before))
    }
}

#[cfg(test)]
mod tests {
    use super::super::handles::testing::stored;
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Code, DataType};

    #[test]
    fn it_gives_the_value_before_and_stops_at_the_limit() {
        let (resources, variable, handle) = stored(Tensor::scalar(1i64));
        let count = || {
            OpTest::new(register, "ResourceCountUpTo")
                .resources(&resources)
                .input(handle.clone())
                .attr("limit", 3i64)
                .attr("T", DataType::Int64)
                .run_one()
        };
        assert_eq!(count().unwrap().to_scalar::<i64>().unwrap(), 1);
        assert_eq!(count().unwrap().to_scalar::<i64>().unwrap(), 2);
        let end = count().unwrap_err();
        assert_eq!(end.code(), Code::OutOfRange);
        assert!(end.message().contains("Reached limit of 3"));
        assert_eq!(variable.read().unwrap().to_scalar::<i64>().unwrap(), 3);
    }

    #[test]
    fn references_count_too_but_vectors_do_not() {
        let (_, variable, _) = stored(Tensor::scalar(0i32));
        let test = |v| OpTest::new(register, "CountUpTo").reference(v).attr("limit", 1i64);
        assert_eq!(test(&variable).run_one().unwrap().to_scalar::<i32>().unwrap(), 0);
        let (_, vector, _) = stored(Tensor::vector(&[0i32]).unwrap());
        assert_eq!(test(&vector).run_values().err().unwrap().code(), Code::InvalidArgument);
    }
}

//! Bitcast: the same bytes seen as another type.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Bitcast(input: T) -> (output: type)
                T: {bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, int16, complex64, complex128, qint8, quint8, qint16, quint16, qint32}
                type: {bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, int16, complex64, complex128, qint8, quint8, qint16, quint16, qint32}",
        )?
        .shape(infer)
        .not_differentiable(),
        factory,
    )
}

struct Bitcast {
    to: DataType,
}

fn factory(build: &KernelBuild<'_>) -> Result<KernelBox> {
    Ok(KernelBox::new(Bitcast { to: build.dtype("type")? }))
}

impl Kernel for Bitcast {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.take(0);
        let (from, to) = (input.dtype(), self.to);
        let output = if from == to {
            input
        } else if from.size() == to.size() {
            input.reinterpreted(to)?
        } else {
            let dims: Vec<Option<usize>> = input.dims().iter().map(|&d| Some(d)).collect();
            let shape: Shape = cast_dims(&dims, from, to)?.into_iter().flatten().collect();
            let bytes = input.to_bytes().ok_or_else(|| refused(from, to, input.shape()))?;
            Tensor::from_bytes(to, shape, bytes)?
        };
        cx.set_output(0, output);
        Ok(())
    }

    fn expensive(&self) -> bool {
        false
    }
}

fn refused(from: DataType, to: DataType, shape: impl std::fmt::Display) -> Status {
    Status::invalid_argument(format!(
        "Cannot bitcast from {} to {} ({from} to {to}): shape {shape}",
        from as i32, to as i32
    ))
}

/// A larger element swallows the last axis, a smaller one adds an axis.
fn cast_dims(dims: &[Option<usize>], from: DataType, to: DataType) -> Result<Vec<Option<usize>>> {
    let (old, new) = (from.size(), to.size());
    let refuse = || refused(from, to, PartialShape::of(dims.iter().copied()));
    if old == new {
        return Ok(dims.to_vec());
    }
    if old > new && new > 0 && old % new == 0 {
        return Ok(dims.iter().copied().chain([Some(old / new)]).collect());
    }
    match dims.split_last() {
        Some((last, rest)) if old > 0 && new % old == 0 && last.is_none_or(|d| d == new / old) => {
            Ok(rest.to_vec())
        }
        _ => Err(refuse()),
    }
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let Some(dims) = cx.input(0).dims() else { return Ok(()) };
    let dims = cast_dims(dims, cx.node().dtype("T")?, cx.node().dtype("type")?)?;
    cx.set_output(0, PartialShape::of(dims));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(x: Tensor, to: DataType) -> Result<Tensor> {
        OpTest::new(register, "Bitcast").attr("type", to).input(x).run_one()
    }

    #[test]
    fn sizes_may_change() {
        let x = Tensor::vector(&[1.0f32]).unwrap();
        assert_eq!(
            run(x.clone(), DataType::Int32).unwrap().as_slice::<i32>().unwrap(),
            &[0x3f80_0000]
        );
        let bytes = run(x, DataType::UInt8).unwrap();
        assert_eq!(bytes.dims(), &[1, 4]);
        assert_eq!(bytes.as_slice::<u8>().unwrap(), &[0, 0, 0x80, 0x3f]);
        let back = run(bytes, DataType::Float).unwrap();
        assert_eq!(back.dims(), &[1]);
        assert_eq!(back.as_slice::<f32>().unwrap(), &[1.0]);
    }

    #[test]
    fn impossible_casts_are_refused() {
        let x = Tensor::zeros(DataType::Int8, [10, 10]).unwrap();
        assert!(
            run(x, DataType::Int32).unwrap_err().message().contains("Cannot bitcast from 6 to 3")
        );
        assert!(run(Tensor::scalar(1u8), DataType::Float).is_err());
    }
}

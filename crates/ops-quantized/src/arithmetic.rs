//! QuantizedAdd and QuantizedMul: sums and products of quint8 tensors, as qint32.
//!
//! As in TensorFlow one operand may be a scalar, both may have one shape, or the smaller one is repeated as often as it
//! takes; any other broadcasting is refused.

use downpour_graph::{OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{DataType, QInt32, QUInt8, Result, Shape, Status, Tensor};

use crate::element::{Quantized, TYPES, are};
use crate::range::Range;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for (name, compute) in [
        ("QuantizedAdd", (|build| kernel(build, add)) as fn(&KernelBuild<'_>) -> Result<KernelBox>),
        ("QuantizedMul", |build| kernel(build, multiply)),
    ] {
        registry.add(
            OpSpec::new(&format!(
                "{name}(x: T1, y: T2, min_x: float, max_x: float, min_y: float, max_y: float) -> (z: Toutput, min_z: float, max_z: float)
                    T1: {TYPES}
                    T2: {TYPES}
                    Toutput: {TYPES} = qint32"
            ))?
            .shape(infer),
            compute,
        )?;
    }
    Ok(())
}

fn kernel(
    build: &KernelBuild<'_>,
    compute: fn(&mut OpContext<'_>) -> Result<()>,
) -> Result<KernelBox> {
    use DataType::{QInt32, QUInt8};
    let types = [build.input_dtype(0), build.input_dtype(1), build.output_dtype(0)];
    if !are(&types, &[QUInt8, QUInt8, QInt32]) {
        return Err(build.unsupported("takes quint8 and quint8 to qint32 only"));
    }
    Ok(KernelBox::function(compute))
}

fn add(cx: &mut OpContext<'_>) -> Result<()> {
    let (x, y) = (Range::of_inputs(cx, 2)?, Range::of_inputs(cx, 4)?);
    let largest = x.min.min(y.min).abs().max(x.max.max(y.max).abs()) * (1 << 14) as f32;
    let total = Range { min: -largest, max: largest };
    let mut widenings = [x, y].map(|range| Widening::new(range, total));
    // A scalar is converted for itself, more exactly than many values.
    if runs(cx.input(0).shape(), cx.input(1).shape()) < 2
        && let Some(i) = (0..2).find(|&i| cx.input(i).len() == 1)
    {
        let value = cx.input(i).to_scalar::<QUInt8>()?;
        let number = [x, y][i].number(value);
        widenings[i] = Widening { zero: total.quantized::<QInt32>(number).to_i64(), step: 0 };
    }
    let [from_x, from_y] = widenings;
    let sums = combined(cx, [x, y], |x, y| from_x.value(x).wrapping_add(from_y.value(y)))?;
    cx.set_output(0, sums);
    total.set_outputs(cx, 1);
    Ok(())
}

/// From a range of bytes to one of 32 bits, by the places of 0 and 1.
#[derive(Clone, Copy)]
struct Widening {
    zero: i64,
    step: i64,
}

impl Widening {
    fn new(from: Range, to: Range) -> Widening {
        let [zero, one] = [0, 1].map(|v| to.unclamped::<QInt32>(from.number(QUInt8(v))));
        Widening { zero, step: i64::from(one.wrapping_sub(zero) as i32) }
    }

    fn value(self, byte: QUInt8) -> i32 {
        QInt32::clamped(self.zero.wrapping_add(byte.to_i64().wrapping_mul(self.step))).0
    }
}

fn multiply(cx: &mut OpContext<'_>) -> Result<()> {
    let (x, y) = (Range::of_inputs(cx, 2)?, Range::of_inputs(cx, 4)?);
    let [zero_x, zero_y] = [x, y].map(|range| range.unclamped::<QUInt8>(0.0) as i32);
    let products = combined(cx, [x, y], |x, y| {
        let (x, y) = (i32::from(x.0).wrapping_sub(zero_x), i32::from(y.0).wrapping_sub(zero_y));
        x.wrapping_mul(y)
    })?;
    cx.set_output(0, products);
    x.product::<QUInt8, QUInt8, QInt32>(y).set_outputs(cx, 1);
    Ok(())
}

fn combined(
    cx: &OpContext<'_>,
    ranges: [Range; 2],
    function: impl Fn(QUInt8, QUInt8) -> i32 + Sync,
) -> Result<Tensor> {
    let (x, y) = (cx.input(0), cx.input(1));
    let shape = shapes::broadcast(&x.shape().into(), &y.shape().into())?.to_shape();
    let shape = shape.ok_or_else(|| Status::internal("both shapes are known"))?;
    let [range_x, range_y] = ranges;
    range_x.check_order("x")?;
    range_y.check_order("y")?;
    let runs = runs(x.shape(), y.shape());
    let count = x.len().max(y.len());
    if runs > 2 || (runs == 2 && shape.elements() != count) {
        return Err(Status::unimplemented(format!(
            "Broadcast between {} and {} is not supported yet.",
            x.shape(),
            y.shape()
        )));
    }
    if runs == 2 && x.len().min(y.len()) == 0 {
        return Err(Status::invalid_argument("Must have some elements to add"));
    }
    let (x, y) = (x.as_slice::<QUInt8>()?, y.as_slice::<QUInt8>()?);
    let mut output = Tensor::zeros(DataType::QInt32, shape)?;
    let out = output
        .as_mut_slice::<QInt32>()
        .ok_or_else(|| Status::internal("a new tensor is shared"))?;
    cx.parallel().for_chunks(out, 1, 1 << 13, |first, run| {
        for (i, out) in run.iter_mut().enumerate() {
            let place = first + i;
            out.0 = function(x[place % x.len()], y[place % y.len()]);
        }
    });
    Ok(output)
}

/// Returns into how many runs of axes the shapes fall, where each run is equal in both or 1 in one of them.
fn runs(x: &Shape, y: &Shape) -> usize {
    if x == y {
        return 1;
    }
    let rank = x.rank().max(y.rank());
    let size =
        |shape: &Shape, i: usize| (i + shape.rank()).checked_sub(rank).map_or(1, |i| shape[i]);
    let mut runs = 0;
    let mut last = None;
    for (a, b) in (0..rank).rev().map(|i| (size(x, i), size(y, i))).filter(|&pair| pair != (1, 1)) {
        let kind = if a == b { 0 } else { 1 + usize::from(b == 1) };
        if last.replace(kind) != Some(kind) {
            runs += 1;
        }
    }
    runs
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    (2..6).try_for_each(|i| cx.with_rank(i, 0).map(drop))?;
    cx.set_output(0, shapes::broadcast(cx.input(0), cx.input(1))?);
    cx.set_output(1, PartialShape::scalar());
    cx.set_output(2, PartialShape::scalar());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bytes, of_words, with_range};
    use downpour_runtime::testing::OpTest;

    fn test(op: &str, x: Tensor, y: Tensor) -> OpTest {
        let test = OpTest::new(register, op).input(x).input(y);
        with_range(with_range(test, 0.0, 255.0), -1.0, 254.0)
    }

    #[test]
    fn products_are_of_the_numbers() {
        let y = test("QuantizedMul", bytes([3], &[1, 2, 3]), bytes([3], &[1, 2, 5])).run().unwrap();
        assert_eq!(of_words(&y[0]), [0, 2, 12]);
        let y = test("QuantizedMul", bytes([2, 2], &[1, 2, 3, 4]), bytes([2], &[2, 3]));
        assert_eq!(of_words(&y.run().unwrap()[0]), [1, 4, 3, 8]);
        let y = test("QuantizedMul", bytes([], &[2]), bytes([2, 1], &[2, 3]));
        assert_eq!(of_words(&y.run().unwrap()[0]), [2, 4]);
    }

    #[test]
    fn sums_are_of_the_numbers() {
        let y = test("QuantizedAdd", bytes([2], &[1, 255]), bytes([2], &[11, 255])).run().unwrap();
        let range = Range::of(&y[1], &y[2]).unwrap();
        let sums = y[0].as_slice::<QInt32>().unwrap().iter();
        let sums: Vec<f32> = sums.map(|&v| range.number(v).round()).collect();
        assert_eq!(sums, [11.0, 509.0]);
    }

    #[test]
    fn other_shapes_are_refused() {
        let refused = |x, y| test("QuantizedAdd", x, y).run().unwrap_err().code();
        let code = refused(bytes([2, 1, 2], &[0; 4]), bytes([1, 2, 1], &[0; 2]));
        assert_eq!(code, downpour_tensor::Code::Unimplemented);
        refused(bytes([2], &[0; 2]), bytes([3], &[0; 3]));
        refused(bytes([2, 0], &[]), bytes([2, 1], &[0; 2]));
        assert!(test("QuantizedAdd", bytes([0], &[]), bytes([0], &[])).run().is_ok());
        assert!(test("QuantizedMul", bytes([0], &[]), bytes([], &[1])).run().is_ok());
        let range = with_range(
            OpTest::new(register, "QuantizedMul").input(bytes([], &[1])).input(bytes([], &[1])),
            1.0,
            1.0,
        );
        assert!(with_range(range, 0.0, 1.0).run().is_err());
    }
}

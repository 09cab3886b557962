//! QuantizedConv2D: a convolution of quint8 images with quint8 filters, as qint32.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{CountedVec, DataType, QInt32, QUInt8, Result, Shape, Status, Tensor};

use crate::element::{TYPES, are};
use crate::range::Range;
use crate::window::{Axis, output_dim, spatial};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(&format!(
            "QuantizedConv2D(input: Tinput, filter: Tfilter, min_input: float, max_input: float, min_filter: float, max_filter: float) -> (output: out_type, min_output: float, max_output: float)
                Tinput: {TYPES}
                Tfilter: {TYPES}
                out_type: {TYPES} = qint32
                strides: list(int)
                padding: {{'SAME', 'VALID'}}
                dilations: list(int) = [1, 1, 1, 1]"
        ))?
        .shape(infer),
        |build| {
            use DataType::{QInt32, QUInt8};
            let types = [build.input_dtype(0), build.input_dtype(1), build.output_dtype(0)];
            if !are(&types, &[QUInt8, QUInt8, QInt32]) {
                return Err(build.unsupported("takes quint8 by quint8 to qint32 only"));
            }
            let strides = build.ints("strides")?;
            let &[1, stride, across, 1] = &strides[..] else {
                return Err(Status::invalid_argument(
                    "strides must be 4 numbers, the first and the last of them 1",
                ));
            };
            if stride != across {
                return Err(Status::invalid_argument(
                    "Current implementation only supports equal length strides in the row and \
                     column dimensions.",
                ));
            }
            if build.ints("dilations")? != [1; 4] {
                return Err(Status::invalid_argument(
                    "Current implementation only supports dilated rate as 1",
                ));
            }
            let [stride, _] = spatial(build, "strides")?;
            Ok(KernelBox::new(Conv { stride, same: build.string("padding")? == "SAME" }))
        },
    )
}

struct Conv {
    stride: usize,
    same: bool,
}

impl Kernel for Conv {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (input, filter) = (cx.input(0), cx.input(1));
        let &[batch, height, width, depth] = input.dims() else {
            return Err(cx.bad_input(0, format!("must be rank 4 but is rank {}", input.rank())));
        };
        let &[rows, columns, filter_depth, count] = filter.dims() else {
            return Err(cx.bad_input(1, format!("must be rank 4 but is rank {}", filter.rank())));
        };
        if input.is_empty() || filter.is_empty() {
            return Err(Status::invalid_argument("Invalid input: Shapes dimension cannot be 0."));
        }
        if depth != filter_depth {
            return Err(Status::invalid_argument(format!(
                "input and filter must have the same depth: {depth} vs {filter_depth}"
            )));
        }
        let (range, filter_range) = (Range::of_inputs(cx, 2)?, Range::of_inputs(cx, 4)?);
        let zero = range.unclamped::<QUInt8>(0.0) as i32;
        let filter_zero = filter_range.unclamped::<QUInt8>(0.0) as i32;
        let axes = [
            Axis::new(height, rows, self.stride, self.same)?,
            Axis::new(width, columns, self.stride, self.same)?,
        ];
        let [first_row, first_column] = axes.map(|axis| self.before(axis));
        // A zero beyond what a byte can be is cut to a byte in the border, as TensorFlow does.
        let border = if zero < 0 { 0 } else { i32::from(zero as u8).wrapping_sub(zero) };
        let images = input.as_slice::<QUInt8>()?;
        let weights = CountedVec::build(filter.len(), |i| {
            Ok(i32::from(filter.as_slice::<QUInt8>()?[i].0).wrapping_sub(filter_zero))
        })?;
        let shape = [batch, axes[0].output, axes[1].output, count].map(|size| size as i64);
        let shape = Shape::from_i64(&shape)?;
        let mut output = Tensor::zeros(DataType::QInt32, shape)?;
        let out = output
            .as_mut_slice::<QInt32>()
            .ok_or_else(|| Status::internal("a new tensor is shared"))?;
        let grain = (1 << 15) / weights.len().max(1) + 1;
        cx.parallel().for_chunks(out, count, grain, |first, run| {
            for (i, out) in run.chunks_exact_mut(count).enumerate() {
                let place = first + i;
                let (image, y, x) = (
                    place / (axes[0].output * axes[1].output),
                    place / axes[1].output % axes[0].output,
                    place % axes[1].output,
                );
                for (tap, weights) in weights.chunks_exact(depth * count).enumerate() {
                    let row = (y * self.stride + tap / columns) as i64 - first_row;
                    let column = (x * self.stride + tap % columns) as i64 - first_column;
                    let inside =
                        (0..height as i64).contains(&row) && (0..width as i64).contains(&column);
                    if !inside && border == 0 {
                        continue;
                    }
                    let at = ((image * height + row.max(0) as usize) * width
                        + column.max(0) as usize)
                        * depth;
                    for (channel, weights) in weights.chunks_exact(count).enumerate() {
                        let value = match inside {
                            true => i32::from(images[at + channel].0).wrapping_sub(zero),
                            false => border,
                        };
                        for (out, &weight) in out.iter_mut().zip(weights) {
                            out.0 = out.0.wrapping_add(value.wrapping_mul(weight));
                        }
                    }
                }
            }
        });
        cx.set_output(0, output);
        range.product::<QUInt8, QUInt8, QInt32>(filter_range).set_outputs(cx, 1);
        Ok(())
    }
}

impl Conv {
    /// Returns where the first window begins before the input. With VALID it may begin behind its start: windows that
    /// leave places over are put in the middle, as TensorFlow does.
    fn before(&self, axis: Axis) -> i64 {
        let reach = ((axis.output - 1) * axis.stride + axis.size) as i64 - axis.input as i64;
        if self.same { reach / 2 } else { (reach + 1) / 2 }
    }
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (input, filter) = (cx.with_rank(0, 4)?, cx.with_rank(1, 4)?);
    (2..6).try_for_each(|i| cx.with_rank(i, 0).map(drop))?;
    cx.merge_dim(input.dim(3), filter.dim(2))?;
    let same = cx.node().string("padding")? == "SAME";
    let [rows, columns] = spatial(cx.node(), "strides")?;
    let dims = [
        input.dim(0),
        output_dim(input.dim(1), filter.dim(0), rows, same)?,
        output_dim(input.dim(2), filter.dim(1), columns, same)?,
        filter.dim(3),
    ];
    cx.set_output(0, PartialShape::of(dims));
    cx.set_output(1, PartialShape::scalar());
    cx.set_output(2, PartialShape::scalar());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bytes, of_words, with_range};
    use downpour_runtime::testing::OpTest;

    fn test(input: Tensor, filter: Tensor, padding: &'static str, stride: i64) -> OpTest {
        let test = OpTest::new(register, "QuantizedConv2D").input(input).input(filter);
        let test = test.attr("padding", padding).attr("strides", vec![1i64, stride, stride, 1]);
        with_range(with_range(test, 0.0, 255.0), 0.0, 255.0)
    }

    #[test]
    fn borders_are_zero() {
        let x = || bytes([1, 2, 2, 1], &[1, 2, 3, 4]);
        let ones = || bytes([2, 2, 1, 1], &[1, 1, 1, 1]);
        let y = test(x(), ones(), "SAME", 1).run().unwrap();
        assert_eq!(of_words(&y[0]), [10, 6, 7, 4]);
        let y = test(x(), ones(), "VALID", 1).run().unwrap();
        assert_eq!(of_words(&y[0]), [10]);
    }

    #[test]
    fn channels_are_summed() {
        let x = bytes([1, 1, 1, 2], &[2, 3]);
        let y = test(x, bytes([1, 1, 2, 2], &[1, 10, 2, 20]), "VALID", 1).run().unwrap();
        assert_eq!(of_words(&y[0]), [8, 80]);
    }

    #[test]
    fn bad_shapes_are_refused() {
        let x = || bytes([1, 1, 1, 1], &[1]);
        assert!(test(x(), bytes([2, 1, 1, 1], &[1, 1]), "VALID", 1).run().is_err());
        assert!(test(x(), bytes([1, 1, 2, 1], &[1, 1]), "VALID", 1).run().is_err());
        assert!(test(x(), bytes([0, 1, 1, 1], &[]), "SAME", 1).run_values().is_err());
        assert!(test(x(), bytes([1, 1, 1, 0], &[]), "SAME", 1).run_values().is_err());
        assert!(test(x(), x(), "SAME", 0).run_values().is_err());
        assert!(test(x(), x(), "SAME", -1).run_values().is_err());
        let many = test(x(), x(), "SAME", 1).attr("strides", vec![1i64, 1]);
        assert!(many.run_values().is_err());
    }
}

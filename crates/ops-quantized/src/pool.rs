//! QuantizedMaxPool and QuantizedAvgPool: the largest or the mean integer under each window.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{QInt8, QUInt8, Result, Shape, Status, Tensor, dispatch_over};

use crate::element::{Quantized, TYPES};
use crate::range::Range;
use crate::window::{Axis, output_dim, spatial};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for (name, factory) in [
        (
            "QuantizedMaxPool",
            (|build| new(build, false)) as fn(&KernelBuild<'_>) -> Result<KernelBox>,
        ),
        ("QuantizedAvgPool", |build| new(build, true)),
    ] {
        registry.add(
            OpSpec::new(&format!(
                "{name}(input: T, min_input: float, max_input: float) -> (output: T, min_output: float, max_output: float)
                    T: {TYPES}
                    ksize: list(int)
                    strides: list(int)
                    padding: {{'SAME', 'VALID'}}"
            ))?
            .shape(infer),
            factory,
        )?;
    }
    Ok(())
}

fn new(build: &KernelBuild<'_>, mean: bool) -> Result<KernelBox> {
    Ok(KernelBox::new(Pool {
        size: spatial(build, "ksize")?,
        strides: spatial(build, "strides")?,
        same: build.string("padding")? == "SAME",
        mean,
    }))
}

struct Pool {
    size: [usize; 2],
    strides: [usize; 2],
    same: bool,
    mean: bool,
}

impl Kernel for Pool {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.input(0);
        let &[batch, height, width, depth] = input.dims() else {
            return Err(Status::invalid_argument("tensor_in must be 4-dimensional"));
        };
        let range = Range::of_inputs(cx, 1)?;
        let axes = [
            Axis::new(height, self.size[0], self.strides[0], self.same)?,
            Axis::new(width, self.size[1], self.strides[1], self.same)?,
        ];
        let before = axes.map(|axis| if self.same { axis.before() } else { 0 });
        let shape = [batch, axes[0].output, axes[1].output, depth].map(|size| size as i64);
        let shape = Shape::from_i64(&shape)?;
        let output = dispatch_over!(input.dtype(), cx.node().op_name(), T => {
            let values = input.as_slice::<T>()?;
            let mut output = Tensor::new(input.dtype(), shape)?;
            let out = output
                .as_mut_slice::<T>()
                .ok_or_else(|| Status::internal("a new tensor is shared"))?;
            let window = self.size[0].saturating_mul(self.size[1]).saturating_mul(depth);
            cx.parallel().for_chunks(out, depth, (1 << 14) / window.max(1) + 1, |first, run| {
                for (i, out) in run.chunks_mut(depth.max(1)).enumerate() {
                    let place = first + i;
                    let image = place / (axes[0].output * axes[1].output);
                    let rows = axes[0].places(place / axes[1].output % axes[0].output, before[0]);
                    let columns = axes[1].places(place % axes[1].output, before[1]);
                    for (channel, out) in out.iter_mut().enumerate() {
                        let value = |row: usize, column: usize| {
                            values[((image * height + row) * width + column) * depth + channel].to_i64()
                        };
                        let under = rows.clone().flat_map(|r| columns.clone().map(move |c| (r, c)));
                        let under = under.map(|(row, column)| value(row, column));
                        *out = T::clamped(match self.mean {
                            true => under.sum::<i64>() / ((rows.len() * columns.len()) as i64).max(1),
                            false => under.max().unwrap_or(T::LOWEST),
                        });
                    }
                }
            });
            Ok(output)
        }, QUInt8: QUInt8, QInt8: QInt8)?;
        cx.set_output(0, output);
        range.set_outputs(cx, 1);
        Ok(())
    }
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let input = cx.with_rank(0, 4)?;
    cx.with_rank(1, 0)?;
    cx.with_rank(2, 0)?;
    let same = cx.node().string("padding")? == "SAME";
    let (size, strides) = (spatial(cx.node(), "ksize")?, spatial(cx.node(), "strides")?);
    let dims = [
        input.dim(0),
        output_dim(input.dim(1), Some(size[0]), strides[0], same)?,
        output_dim(input.dim(2), Some(size[1]), strides[1], same)?,
        input.dim(3),
    ];
    cx.set_output(0, PartialShape::of(dims));
    cx.set_output(1, PartialShape::scalar());
    cx.set_output(2, PartialShape::scalar());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bytes, of_bytes, with_range};
    use downpour_runtime::testing::OpTest;

    fn test(op: &str, input: Tensor, size: i64, padding: &'static str) -> OpTest {
        let test = OpTest::new(register, op).input(input).attr("ksize", vec![1i64, size, size, 1]);
        let test = test.attr("strides", vec![1i64, 2, 2, 1]).attr("padding", padding);
        with_range(test, 0.0, 255.0)
    }

    #[test]
    fn only_what_is_there_counts() {
        let x = || bytes([1, 3, 3, 1], &[1, 2, 3, 4, 5, 6, 7, 8, 10]);
        let y = test("QuantizedMaxPool", x(), 2, "SAME").run().unwrap();
        assert_eq!(of_bytes(&y[0]), [5, 6, 8, 10]);
        let y = test("QuantizedAvgPool", x(), 2, "SAME").run().unwrap();
        assert_eq!(of_bytes(&y[0]), [3, 4, 7, 10]);
        let y = test("QuantizedAvgPool", x(), 3, "VALID").run().unwrap();
        assert_eq!(of_bytes(&y[0]), [5]);
    }

    #[test]
    fn bad_windows_are_refused() {
        let x = || bytes([1, 1, 1, 1], &[1]);
        assert!(test("QuantizedMaxPool", x(), 2, "VALID").run().is_err());
        assert!(test("QuantizedMaxPool", x(), 0, "SAME").run_values().is_err());
        assert!(test("QuantizedMaxPool", bytes([1], &[1]), 1, "SAME").run_values().is_err());
        let y = test("QuantizedMaxPool", bytes([0, 2, 2, 3], &[]), 2, "SAME").run().unwrap();
        assert_eq!(y[0].dims(), &[0, 1, 1, 3]);
        let ksize = test("QuantizedMaxPool", x(), 1, "SAME").attr("ksize", vec![2i64, 1, 1, 1]);
        assert!(ksize.run_values().is_err());
    }
}

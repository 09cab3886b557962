//! QuantizedMatMul: the product of two quint8 matrices, as qint32.

use downpour_graph::{Dim, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, QInt32, QUInt8, Result, Status, Tensor};

use crate::element::{TYPES, are};
use crate::range::Range;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(&format!(
            "QuantizedMatMul(a: T1, b: T2, min_a: float, max_a: float, min_b: float, max_b: float) -> (out: Toutput, min_out: float, max_out: float)
                T1: {TYPES}
                T2: {TYPES}
                Toutput: {TYPES} = qint32
                transpose_a: bool = false
                transpose_b: bool = false
                Tactivation: {TYPES} = quint8"
        ))?
        .shape(infer),
        |build| {
            use DataType::{QInt32, QUInt8};
            let types = [build.input_dtype(0), build.input_dtype(1), build.output_dtype(0)];
            if !are(&types, &[QUInt8, QUInt8, QInt32]) {
                return Err(build.unsupported("multiplies quint8 by quint8 to qint32 only"));
            }
            Ok(KernelBox::new(MatMul {
                transpose: [build.bool("transpose_a")?, build.bool("transpose_b")?],
            }))
        },
    )
}

struct MatMul {
    transpose: [bool; 2],
}

impl Kernel for MatMul {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (a, b) = (cx.input(0), cx.input(1));
        let (range_a, range_b) = (Range::of_inputs(cx, 2)?, Range::of_inputs(cx, 4)?);
        range_a.check_order("a")?;
        range_b.check_order("b")?;
        for (i, matrix) in [a, b].into_iter().enumerate() {
            if matrix.rank() != 2 {
                return Err(Status::invalid_argument(format!("In[{i}] is not a matrix")));
            }
        }
        let [transpose_a, transpose_b] = self.transpose;
        let (rows, inner) = ordered(a.dims(), transpose_a);
        let (inner_b, columns) = ordered(b.dims(), transpose_b);
        if inner != inner_b {
            return Err(Status::invalid_argument(format!(
                "Matrix size-incompatible: In[0]: {}, In[1]: {}",
                a.shape(),
                b.shape()
            )));
        }
        let offset_a = range_a.unclamped::<QUInt8>(0.0) as i32;
        let offset_b = range_b.unclamped::<QUInt8>(0.0) as i32;
        let (a_values, b_values) = (a.as_slice::<QUInt8>()?, b.as_slice::<QUInt8>()?);
        let mut product = Tensor::zeros(DataType::QInt32, [rows, columns])?;
        let out = product
            .as_mut_slice::<QInt32>()
            .ok_or_else(|| Status::internal("a new tensor is shared"))?;
        let grain = (1 << 15) / (inner * columns).max(1) + 1;
        cx.parallel().for_chunks(out, columns, grain, |first, run| {
            for (i, out) in run.chunks_mut(columns.max(1)).enumerate() {
                let row = first + i;
                for k in 0..inner {
                    let a = a_values[if transpose_a { k * rows + row } else { row * inner + k }];
                    let factor = i32::from(a.0).wrapping_sub(offset_a);
                    for (j, out) in out.iter_mut().enumerate() {
                        let b = b_values[if transpose_b { j * inner + k } else { k * columns + j }];
                        let value = i32::from(b.0).wrapping_sub(offset_b);
                        out.0 = out.0.wrapping_add(factor.wrapping_mul(value));
                    }
                }
            }
        });
        cx.set_output(0, product);
        range_a.product::<QUInt8, QUInt8, QInt32>(range_b).set_outputs(cx, 1);
        Ok(())
    }
}

fn ordered<T: Copy>(dims: &[T], transpose: bool) -> (T, T) {
    if transpose { (dims[1], dims[0]) } else { (dims[0], dims[1]) }
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (a, b) = (cx.with_rank(0, 2)?, cx.with_rank(1, 2)?);
    (2..6).try_for_each(|i| cx.with_rank(i, 0).map(drop))?;
    let dims = |shape: &PartialShape, attr: &str| -> Result<(Dim, Dim)> {
        Ok(ordered(&[shape.dim(0), shape.dim(1)], cx.node().bool(attr)?))
    };
    let (rows, inner_a) = dims(&a, "transpose_a")?;
    let (inner_b, columns) = dims(&b, "transpose_b")?;
    cx.merge_dim(inner_a, inner_b)?;
    cx.set_output(0, PartialShape::matrix(rows, columns));
    cx.set_output(1, PartialShape::scalar());
    cx.set_output(2, PartialShape::scalar());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bytes, of_words, with_range};
    use downpour_runtime::testing::OpTest;

    fn test(a: Tensor, b: Tensor) -> OpTest {
        let test = OpTest::new(register, "QuantizedMatMul").input(a).input(b);
        with_range(with_range(test, 0.0, 255.0), -1.0, 254.0)
    }

    #[test]
    fn zeros_are_taken_away_first() {
        let y = test(bytes([1, 2], &[2, 3]), bytes([2, 2], &[1, 2, 3, 4])).run().unwrap();
        assert_eq!(of_words(&y[0]), [6, 11]);
        let turned = test(bytes([2, 1], &[2, 3]), bytes([2, 2], &[1, 3, 2, 4]));
        let turned = turned.attr("transpose_a", true).attr("transpose_b", true).run().unwrap();
        assert_eq!(of_words(&turned[0]), of_words(&y[0]));
    }

    #[test]
    fn other_matrices_are_refused() {
        assert!(test(bytes([1, 2], &[2, 3]), bytes([1, 2], &[1, 2])).run().is_err());
        assert!(test(bytes([2], &[2, 3]), bytes([2, 1], &[1, 2])).run().is_err());
        let empty = test(bytes([0, 2], &[]), bytes([2, 1], &[1, 2])).run().unwrap();
        assert_eq!(empty[0].dims(), &[0, 1]);
        let types = test(bytes([1, 1], &[2]), bytes([1, 1], &[1])).attr("Toutput", DataType::QInt8);
        assert!(types.run_values().is_err());
    }
}

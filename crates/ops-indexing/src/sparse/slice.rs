//! SparseSlice with its gradient, and SparseSplit: boxes of a sparse tensor.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor};

use super::coo::{Coo, pick_values};
use crate::units::{Unit, dispatch_units};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SparseSlice(indices: int64, values: T, shape: int64, start: int64, size: int64) \
                -> (output_indices: int64, output_values: T, output_shape: int64)
                T: type",
        )?
        .shape(slice_shape)
        .gradient(slice_gradient),
        |_| Ok(KernelBox::function(slice)),
    )?;
    registry.add(
        OpSpec::new(
            "SparseSliceGrad(backprop_val_grad: T, input_indices: int64, input_start: int64, \
                output_indices: int64) -> (val_grad: T)
                T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, \
                qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}",
        )?
        .shape(grad_shape),
        |_| Ok(KernelBox::function(slice_grad)),
    )?;
    registry.add(
        OpSpec::new(
            "SparseSplit(split_dim: int64, indices: int64, values: T, shape: int64) \
                -> (output_indices: num_split * int64, output_values: num_split * T, \
                output_shape: num_split * int64)
                num_split: int >= 1
                T: type",
        )?
        .shape(split_shape),
        |build| Ok(KernelBox::new(Split { count: build.int("num_split")? })),
    )
}

fn slice(cx: &mut OpContext<'_>) -> Result<()> {
    let coo = Coo::new(cx.input(0), cx.input(1), cx.input(2))?;
    let rank = coo.rank();
    for (i, name) in [(3, "start"), (4, "size")] {
        let tensor = cx.input(i);
        if tensor.rank() != 1 {
            return Err(Status::invalid_argument(format!(
                "Input {name} should be a vector but received shape {}",
                tensor.shape()
            )));
        }
        if tensor.len() != rank {
            return Err(Status::invalid_argument(format!(
                "Expected {name} to be a vector of length {rank} but got length {}",
                tensor.len()
            )));
        }
    }
    coo.dense_shape()?;
    let (start, size) = (cx.input(3).as_slice::<i64>()?, cx.input(4).as_slice::<i64>()?);
    // The slice keeps what overlaps the input; it is empty when it begins behind the end.
    let overlap = |i: usize| {
        let room = coo.shape[i].saturating_sub(start[i]);
        if room > 0 { size[i].min(room) } else { 0 }
    };
    let shape: Vec<i64> = (0..rank).map(overlap).collect();
    Shape::from_i64(&shape)?;
    let inside = |&i: &usize| {
        coo.row(i)
            .iter()
            .enumerate()
            .all(|(k, &x)| x >= start[k] && x < start[k].saturating_add(size[k]))
    };
    let kept: Vec<usize> = (0..coo.len()).filter(inside).collect();
    let mut rows = Vec::with_capacity(kept.len() * rank);
    for &i in &kept {
        rows.extend(coo.row(i).iter().zip(start).map(|(x, s)| x.wrapping_sub(*s)));
    }
    let values = pick_values(coo.values, &kept)?;
    cx.set_output(0, Tensor::from_slice([kept.len(), rank], &rows)?);
    cx.set_output(1, values);
    cx.set_output(2, Tensor::vector(&shape)?);
    Ok(())
}

fn slice_grad(cx: &mut OpContext<'_>) -> Result<()> {
    let (grad, input, start, output) = (cx.input(0), cx.input(1), cx.input(2), cx.input(3));
    if input.rank() != 2 || output.rank() != 2 {
        return Err(Status::invalid_argument(format!(
            "Input and output indices should be matrices but received shapes: {} and {}",
            input.shape(),
            output.shape()
        )));
    }
    let rank = input.dims()[1];
    if grad.rank() != 1 || start.rank() != 1 {
        return Err(Status::invalid_argument(format!(
            "Input backprop_val_grad and input_start should be vectors but received shapes: {} and \
             {}",
            grad.shape(),
            start.shape()
        )));
    }
    if output.dims()[1] != rank || start.len() != rank {
        return Err(Status::invalid_argument(format!(
            "The input and output should have the same ndims: got: {rank} and {}",
            output.dims()[1]
        )));
    }
    if output.dims()[0] > input.dims()[0] {
        return Err(Status::invalid_argument(format!(
            "# rows of output_indices should be not greater than of input_indices, got {} and {}",
            output.dims()[0],
            input.dims()[0]
        )));
    }
    if grad.len() != output.dims()[0] {
        return Err(Status::invalid_argument(format!(
            "# elements of backprop_val_grad and # rows of output_indices should match (#nnz of \
             sum): got {} and {}",
            grad.len(),
            output.dims()[0]
        )));
    }
    let (rows, start, kept) =
        (input.as_slice::<i64>()?, start.as_slice::<i64>()?, output.as_slice::<i64>()?);
    let mut result = Tensor::zeros(grad.dtype(), Shape::from([input.dims()[0]]))?;
    dispatch_units!(grad.dtype(), T => {
        let source = T::view(grad)?;
        T::rewrite(&mut result, |out| {
            let mut j = 0;
            for (i, slot) in out.iter_mut().enumerate() {
                let same = j < source.len()
                    && (0..rank).all(|k| {
                        rows[i * rank + k] == kept[j * rank + k].wrapping_add(start[k])
                    });
                if same {
                    *slot = source[j].clone();
                    j += 1;
                }
            }
            if j == source.len() {
                return Ok(());
            }
            Err(Status::invalid_argument(format!(
                "Elements of backprop_val_grad aren't all propagated. Num elements:{}, used: {j}",
                source.len()
            )))
        })
    })?;
    cx.set_output(0, result);
    Ok(())
}

struct Split {
    count: i64,
}

impl Kernel for Split {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let axis = cx.input(0);
        if axis.rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "Input axis should be a scalar but received shape {}",
                axis.shape()
            )));
        }
        let coo = Coo::new(cx.input(1), cx.input(2), cx.input(3))?;
        coo.check_bounds()?;
        coo.dense_shape()?;
        let (rank, given) = (coo.rank(), axis.to_scalar::<i64>()?);
        let axis = if given < 0 { given.saturating_add(rank as i64) } else { given };
        if !(0..rank as i64).contains(&axis) {
            return Err(Status::invalid_argument(format!(
                "Input axis should be in range [-{rank}, {rank}), got {given}"
            )));
        }
        let axis = axis as usize;
        let size = coo.shape[axis];
        if !(1..=size).contains(&self.count) {
            return Err(Status::invalid_argument(format!(
                "Input num_split should be between 1 and the splitting dimension size ({size}), got \
                 {}",
                self.count
            )));
        }
        // The first `longer` parts have one more than the others.
        let (part, longer) = (size / self.count, size % self.count);
        let begin = |i: i64| i * part + i.min(longer);
        let count = self.count as usize;
        let mut members = vec![Vec::new(); count];
        for (i, row) in coo.rows().enumerate() {
            let x = row[axis];
            let at = if x < longer * (part + 1) { x / (part + 1) } else { (x - longer) / part };
            members[at as usize].push(i);
        }
        let mut outputs = Vec::with_capacity(count);
        for (i, own) in members.iter().enumerate() {
            let (start, end) = (begin(i as i64), begin(i as i64 + 1));
            let mut rows = Vec::with_capacity(own.len() * rank);
            for &k in own {
                let at = rows.len() + axis;
                rows.extend_from_slice(coo.row(k));
                rows[at] -= start;
            }
            let mut shape = coo.shape.to_vec();
            shape[axis] = end - start;
            let indices = Tensor::from_slice([own.len(), rank], &rows)?;
            outputs.push((indices, pick_values(coo.values, own)?, Tensor::vector(&shape)?));
        }
        for (i, (indices, values, shape)) in outputs.into_iter().enumerate() {
            cx.set_output(i, indices);
            cx.set_output(count + i, values);
            cx.set_output(2 * count + i, shape);
        }
        Ok(())
    }
}

fn slice_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = cx.input(2).clone();
    cx.set_output(0, PartialShape::matrix(None, shape.elements()));
    cx.set_output(1, PartialShape::vector(None));
    cx.set_output(2, shape);
    Ok(())
}

fn grad_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let indices = cx.with_rank(1, 2)?;
    cx.set_output(0, PartialShape::vector(indices.dim(0)));
    Ok(())
}

fn split_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let count = cx.outputs_len() / 3;
    let shape = cx.input(3).clone();
    for i in 0..count {
        cx.set_output(i, PartialShape::matrix(None, shape.elements()));
        cx.set_output(count + i, PartialShape::vector(None));
        cx.set_output(2 * count + i, shape.clone());
    }
    Ok(())
}

fn slice_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(1)?;
    let inputs = [grad, cx.input(0), cx.input(3), cx.output(0)];
    let values = cx.op("SparseSliceGrad", &inputs)?;
    let mut out = vec![Gradient::None; 5];
    out[1] = Gradient::Dense(values);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Code;

    fn input(test: OpTest) -> OpTest {
        test.input(Tensor::from_vec([3, 2], vec![0i64, 0, 1, 3, 2, 4]).unwrap())
            .input(Tensor::vector(&[1f32, 2.0, 3.0]).unwrap())
            .input(Tensor::vector(&[3i64, 5]).unwrap())
    }

    #[test]
    fn a_slice_keeps_what_overlaps() {
        let run = |start: [i64; 2], size: [i64; 2]| {
            input(OpTest::new(register, "SparseSlice"))
                .input(Tensor::vector(&start).unwrap())
                .input(Tensor::vector(&size).unwrap())
                .run()
        };
        let out = run([1, 2], [9, 2]).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[0, 1]);
        assert_eq!(out[1].as_slice::<f32>().unwrap(), &[2.0]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), &[2, 2]);
        assert_eq!(run([7, 0], [1, 1]).unwrap()[2].as_slice::<i64>().unwrap(), &[0, 1]);
        assert!(run([0, 0], [-1, 1]).is_err());
        assert!(run([i64::MIN, 0], [i64::MAX, 1]).is_ok_and(|o| o[1].is_empty()));
    }

    #[test]
    fn the_gradient_goes_back() {
        let y = OpTest::new(register, "SparseSliceGrad")
            .input(Tensor::vector(&[5f32]).unwrap())
            .input(Tensor::from_vec([2, 1], vec![0i64, 3]).unwrap())
            .input(Tensor::vector(&[2i64]).unwrap())
            .input(Tensor::from_vec([1, 1], vec![1i64]).unwrap())
            .run_one()
            .unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[0.0, 5.0]);
        let astray = OpTest::new(register, "SparseSliceGrad")
            .input(Tensor::vector(&[5f32]).unwrap())
            .input(Tensor::from_vec([2, 1], vec![0i64, 3]).unwrap())
            .input(Tensor::vector(&[i64::MIN]).unwrap())
            .input(Tensor::from_vec([1, 1], vec![1i64]).unwrap())
            .run_one();
        assert_eq!(astray.unwrap_err().code(), Code::InvalidArgument);
    }

    #[test]
    fn parts_of_a_split_differ_by_at_most_one() {
        let run = |axis: i64, count: i64| {
            let test = OpTest::new(register, "SparseSplit")
                .attr("num_split", count)
                .input(Tensor::scalar(axis));
            input(test).run()
        };
        let out = run(1, 2).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[0, 0]);
        assert_eq!(out[1].as_slice::<i64>().unwrap(), &[1, 0, 2, 1]);
        assert_eq!(out[4].as_slice::<i64>().unwrap(), &[3, 3]);
        assert_eq!(out[5].as_slice::<i64>().unwrap(), &[3, 2]);
        assert!(run(2, 2).is_err());
        assert!(run(0, 4).is_err());
    }
}

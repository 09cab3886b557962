//! SparseReduceSum and SparseReduceMax, to a dense or a sparse tensor.

use std::collections::BTreeMap;

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Charge, Element, RealNumber, Result, Shape, Status, Tensor, dispatch_real};

use super::coo::{Coo, index_matrix};
use crate::numbers::{Number, dispatch_number};

const NUMBERS: &str = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, \
    quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}";
const REALS: &str = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, \
    uint32, uint64}";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for (name, types, sparse) in [
        ("SparseReduceSum", NUMBERS, false),
        ("SparseReduceSumSparse", NUMBERS, true),
        ("SparseReduceMax", REALS, false),
        ("SparseReduceMaxSparse", REALS, true),
    ] {
        let outputs = if sparse {
            "output_indices: int64, output_values: T, output_shape: int64"
        } else {
            "output: T"
        };
        let signature = format!(
            "{name}(input_indices: int64, input_values: T, input_shape: int64, \
                reduction_axes: int32) -> ({outputs})
                keep_dims: bool = false
                {types}"
        );
        let mut spec = OpSpec::new(&signature)?;
        if !sparse {
            spec = spec.shape(dense_shape);
        }
        if name == "SparseReduceSum" {
            spec = spec.gradient(sum_gradient);
        }
        registry.add(spec, make)?;
    }
    Ok(())
}

/// The room of a list of one index: four of them and the allocator's share, and the same for its key.
const LEAST_LIST: usize = 2 * (4 * size_of::<usize>() + 16);

struct Reduce {
    largest: bool,
    sparse: bool,
    keep_dims: bool,
}

fn make(build: &KernelBuild<'_>) -> Result<KernelBox> {
    Ok(KernelBox::new(Reduce {
        largest: build.op_name().starts_with("SparseReduceMax"),
        sparse: build.op_name().ends_with("Sparse"),
        keep_dims: build.bool("keep_dims")?,
    }))
}

/// Which axes are reduced.
fn reduced_axes(rank: usize, axes: &[i32]) -> Result<Vec<bool>> {
    let mut reduced = vec![false; rank];
    for &axis in axes {
        let at = if axis < 0 { axis as i64 + rank as i64 } else { axis as i64 };
        let slot = usize::try_from(at).ok().and_then(|at| reduced.get_mut(at));
        *slot.ok_or_else(|| {
            Status::invalid_argument(format!(
                "Invalid reduction dimension {axis}, for input with {rank} dimensions."
            ))
        })? = true;
    }
    Ok(reduced)
}

impl Kernel for Reduce {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let axes = cx.input(3);
        if axes.rank() > 1 {
            return Err(Status::invalid_argument(format!(
                "Expected reduction_axes to be a scalar or a vector; got shape: {}",
                axes.shape()
            )));
        }
        let coo = Coo::new(cx.input(0), cx.input(1), cx.input(2))?;
        let shape = coo.dense_shape()?;
        let reduced = reduced_axes(coo.rank(), axes.as_slice::<i32>()?)?;
        coo.check_bounds()?;
        // Each value may be a group of its own: a key, a list of one and their places in the map.
        let group = size_of::<(Vec<i64>, Vec<usize>)>() * 2
            + coo.rank() * size_of::<i64>() * 2
            + LEAST_LIST;
        let _scratch = Charge::new(coo.len().saturating_mul(group))?;
        // The order in which each group's values are combined is that of their coordinates.
        let mut groups: BTreeMap<Vec<i64>, Vec<usize>> = BTreeMap::new();
        for i in coo.sorted() {
            let kept = coo.row(i).iter().zip(&reduced).filter(|(_, r)| !**r);
            groups.entry(kept.map(|(&x, _)| x).collect()).or_default().push(i);
        }
        let mut output_shape = Shape::scalar();
        for (&dim, &gone) in shape.iter().zip(&reduced) {
            match (gone, self.keep_dims) {
                (false, _) => output_shape.push(dim),
                (true, true) => output_shape.push(1),
                (true, false) => {}
            }
        }
        let values = coo.values;
        let combined = if self.largest {
            dispatch_real!(values.dtype(), "SparseReduceMax", T => largest::<T>(values, &groups))
        } else {
            dispatch_number!(values.dtype(), "SparseReduceSum", T => sums::<T>(values, &groups))
        }?;
        let rows = self.rows(&groups, &reduced);
        if self.sparse {
            let rank = output_shape.rank();
            cx.set_output(0, index_matrix(&rows, rank, groups.len())?);
            cx.set_output(1, combined);
            cx.set_output(2, Tensor::vector(&output_shape.to_i64())?);
        } else {
            cx.set_output(0, scatter(&combined, &rows, output_shape)?);
        }
        Ok(())
    }
}

impl Reduce {
    /// The coordinates of the groups in the output, one after the other.
    fn rows(&self, groups: &BTreeMap<Vec<i64>, Vec<usize>>, reduced: &[bool]) -> Vec<i64> {
        let mut rows = Vec::new();
        for kept in groups.keys() {
            let mut kept = kept.iter();
            for &gone in reduced {
                match (gone, self.keep_dims) {
                    (false, _) => rows.extend(kept.next()),
                    (true, true) => rows.push(0),
                    (true, false) => {}
                }
            }
        }
        rows
    }
}

fn sums<T: Element + Number>(
    values: &Tensor,
    groups: &BTreeMap<Vec<i64>, Vec<usize>>,
) -> Result<Tensor> {
    let values = values.as_slice::<T>()?;
    let sum = |members: &Vec<usize>| members.iter().fold(T::default(), |s, &i| s.plus(values[i]));
    Tensor::vector(&groups.values().map(sum).collect::<Vec<T>>())
}

fn largest<T: RealNumber>(
    values: &Tensor,
    groups: &BTreeMap<Vec<i64>, Vec<usize>>,
) -> Result<Tensor> {
    let values = values.as_slice::<T>()?;
    let most = |members: &Vec<usize>| {
        let all = members.iter().map(|&i| values[i]);
        all.reduce(|a, b| if b > a { b } else { a }).unwrap_or_default()
    };
    Tensor::vector(&groups.values().map(most).collect::<Vec<T>>())
}

/// The groups' values at their places among zeros.
fn scatter(values: &Tensor, rows: &[i64], shape: Shape) -> Result<Tensor> {
    use crate::units::{Unit, dispatch_units};
    let (rank, strides) = (shape.rank(), shape.strides());
    let mut output = Tensor::zeros(values.dtype(), shape)?;
    dispatch_units!(values.dtype(), T => {
        let source = T::view(values)?;
        T::rewrite(&mut output, |out| {
            for (i, value) in source.iter().enumerate() {
                let row = &rows[i * rank..(i + 1) * rank];
                let at: usize = row.iter().zip(&strides).map(|(&x, s)| x as usize * s).sum();
                out[at] = value.clone();
            }
            Ok(())
        })
    })?;
    Ok(output)
}

fn dense_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (Some(dims), Some(axes)) = (cx.constant_ints(2), cx.constant_ints(3)) else {
        return Ok(());
    };
    let axes: Vec<i32> = axes.iter().map(|&a| a as i32).collect();
    let reduced = reduced_axes(dims.len(), &axes)?;
    let keep = cx.node().bool("keep_dims")?;
    let full = PartialShape::from_i64(&dims)?;
    let dims = full.dims().unwrap_or(&[]).iter().zip(&reduced);
    let out = dims.filter_map(|(&dim, &gone)| match (gone, keep) {
        (false, _) => Some(dim),
        (true, true) => Some(Some(1)),
        (true, false) => None,
    });
    let out = PartialShape::of(out);
    cx.set_output(0, out);
    Ok(())
}

/// Every value gets the gradient of the element it was summed into.
fn sum_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (grad, indices, shape, axes) = (cx.grad(0)?, cx.input(0), cx.input(2), cx.input(3));
    let rank = cx.op("Size", &[shape])?;
    let axes = cx.op("AddV2", &[axes, rank])?;
    let axes = cx.op("FloorMod", &[axes, rank])?;
    // Length 1 along the axes summed over: the position there is 0.
    let flat = cx.constant(Tensor::vector(&[-1i32])?)?;
    let axes = cx.op("Reshape", &[axes, flat])?;
    let column = cx.constant(Tensor::vector(&[-1i32, 1])?)?;
    let places = cx.op("Reshape", &[axes, column])?;
    let count = cx.op_with("Shape", &[axes], Attrs::new())?;
    let one = cx.scalar(1i64)?;
    let ones = cx.op("Fill", &[count, one])?;
    let kept = cx.op("TensorScatterUpdate", &[shape, places, ones])?;
    let grad = cx.op("Reshape", &[grad, kept])?;
    let scale = cx.op("FloorDiv", &[shape, kept])?;
    let elements = cx.op("FloorDiv", &[indices, scale])?;
    let values = cx.op("GatherNd", &[grad, elements])?;
    Ok(vec![Gradient::None, Gradient::Dense(values), Gradient::None, Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn test(op: &str, axes: &[i32]) -> OpTest {
        OpTest::new(register, op)
            .input(Tensor::from_vec([3, 2], vec![0i64, 0, 0, 2, 1, 1]).unwrap())
            .input(Tensor::vector(&[1i32, 2, -3]).unwrap())
            .input(Tensor::vector(&[2i64, 3]).unwrap())
            .input(Tensor::vector(axes).unwrap())
    }

    #[test]
    fn dense_results() {
        let y = test("SparseReduceSum", &[1]).run_one().unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[3, -3]);
        let y = test("SparseReduceSum", &[0]).attr("keep_dims", true).run_one().unwrap();
        assert_eq!((y.dims(), y.as_slice::<i32>().unwrap()), (&[1, 3][..], &[1, -3, 2][..]));
        let y = test("SparseReduceMax", &[0, -1]).run_one().unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[2]);
        let y = test("SparseReduceSum", &[]).run_one().unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[1, 0, 2, 0, -3, 0]);
    }

    #[test]
    fn sparse_results_and_bad_axes() {
        let out = test("SparseReduceMaxSparse", &[1]).attr("keep_dims", true).run().unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[0, 0, 1, 0]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), &[2, -3]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), &[2, 1]);
        assert!(test("SparseReduceSum", &[2]).run_values().is_err());
        assert!(test("SparseReduceSum", &[i32::MIN]).run_values().is_err());
    }
}

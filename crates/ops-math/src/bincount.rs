//! Bincount, DenseBincount, SparseBincount, RaggedBincount: how often each number occurs.

use downpour_graph::{OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Charge, Result, Shape, Status, Tensor, dispatch_over};

use crate::number::{Arithmetic, Number};

const TYPES: &str = "
    Tidx: {int32, int64}
    T: {int32, int64, float, double}
    binary_output: bool = false";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Bincount(arr: int32, size: int32, weights: T) -> (bins: T)
                T: {int32, int64, float, double}",
        )?
        .shape(vector_shape)
        .not_differentiable(),
        |_| Ok(KernelBox::new(Bincount { binary: false, compute: flat })),
    )?;
    let dense = format!("DenseBincount(input: Tidx, size: Tidx, weights: T) -> (output: T){TYPES}");
    registry.add(OpSpec::new(&dense)?.shape(dense_shape).not_differentiable(), |b| {
        kernel(b, count_dense)
    })?;
    let sparse = format!(
        "SparseBincount(indices: int64, values: Tidx, dense_shape: int64, size: Tidx, weights: T) -> (output: T){TYPES}"
    );
    registry.add(OpSpec::new(&sparse)?.shape(sparse_shape).not_differentiable(), |b| {
        kernel(b, count_sparse)
    })?;
    let ragged = format!(
        "RaggedBincount(splits: int64, values: Tidx, size: Tidx, weights: T) -> (output: T){TYPES}"
    );
    registry.add(OpSpec::new(&ragged)?.shape(shapes::unknown).not_differentiable(), |b| {
        kernel(b, count_ragged)
    })
}

/// What is counted: values, the row each belongs to, and the shape of the rows.
struct Counted<'a> {
    values: Vec<i64>,
    /// `None` when everything belongs to one row.
    rows: Option<Vec<usize>>,
    /// Number of rows; `None` for a vector of bins.
    row_count: Option<i64>,
    bins: i64,
    weights: &'a Tensor,
    /// Negative values are an error (or left out).
    refuse_negative: bool,
}

type Gather = for<'a> fn(&'a OpContext<'_>) -> Result<Counted<'a>>;

struct Bincount {
    binary: bool,
    compute: Gather,
}

fn kernel(build: &KernelBuild<'_>, compute: Gather) -> Result<KernelBox> {
    Ok(KernelBox::new(Bincount { binary: build.bool("binary_output")?, compute }))
}

impl Kernel for Bincount {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        // Each value as a number, and its row.
        let values = (0..cx.inputs_len()).map(|i| cx.input(i).len()).max().unwrap_or(0);
        let _scratch = Charge::scratch::<(i64, usize)>(values)?;
        let counted = (self.compute)(cx)?;
        let output = dispatch_over!(counted.weights.dtype(), cx.node().op_name(), T => {
            count::<T>(&counted, self.binary)
        }, Int32: i32, Int64: i64, Float: f32, Double: f64)?;
        cx.set_output(0, output);
        Ok(())
    }
}

fn count<T: Number<Wide = T> + Arithmetic>(counted: &Counted<'_>, binary: bool) -> Result<Tensor> {
    let shape = match counted.row_count {
        None => Shape::from_i64(&[counted.bins])?,
        Some(rows) => Shape::from_i64(&[rows, counted.bins])?,
    };
    let weights = counted.weights.as_slice::<T>()?;
    if !weights.is_empty() && weights.len() != counted.values.len() && !binary {
        return Err(Status::invalid_argument("Input indices and weights must have the same size."));
    }
    let mut output = Tensor::zeros(T::DTYPE, shape)?;
    let out = output.as_mut_slice::<T>().expect("a new tensor of this type");
    for (i, &value) in counted.values.iter().enumerate() {
        if value < 0 && counted.refuse_negative {
            return Err(Status::invalid_argument(format!(
                "Input must be non-negative! Negative input value found: {value}"
            )));
        }
        if value < 0 || value >= counted.bins {
            continue;
        }
        let row = counted.rows.as_ref().map_or(0, |rows| rows[i]);
        let place = &mut out[row * counted.bins as usize + value as usize];
        *place = match (binary, weights.is_empty()) {
            (true, _) => T::ONE,
            (false, true) => place.add(T::ONE),
            (false, false) => place.add(weights[i]),
        };
    }
    Ok(output)
}

/// The number of bins: a scalar that is not negative.
fn bins(size: &Tensor) -> Result<i64> {
    if size.rank() != 0 {
        return Err(Status::invalid_argument(format!(
            "Shape must be rank 0 but is rank {}",
            size.rank()
        )));
    }
    let size = size.to_i64_scalar()?;
    if size < 0 {
        return Err(Status::invalid_argument(format!("size ({size}) must be non-negative")));
    }
    Ok(size)
}

fn flat<'a>(cx: &'a OpContext<'_>) -> Result<Counted<'a>> {
    Ok(Counted {
        values: cx.input(0).to_i64_vec()?,
        rows: None,
        row_count: None,
        bins: bins(cx.input(1))?,
        weights: cx.input(2),
        refuse_negative: true,
    })
}

fn count_dense<'a>(cx: &'a OpContext<'_>) -> Result<Counted<'a>> {
    let (input, weights) = (cx.input(0), cx.input(2));
    if input.rank() > 2 {
        return Err(Status::invalid_argument(format!(
            "Shape must be at most rank 2 but is rank {}",
            input.rank()
        )));
    }
    let mut counted = flat(cx)?;
    if weights.shape() != input.shape() && !weights.is_empty() {
        return Err(Status::invalid_argument(format!(
            "`weights` must be the same shape as `arr` or a length-0 `Tensor`, in which case it \
             acts as all weights equal to 1. Received {}",
            weights.shape()
        )));
    }
    if let &[rows, columns] = input.dims() {
        counted.row_count = Some(rows as i64);
        counted.rows = Some((0..input.len()).map(|i| i / columns).collect());
    }
    Ok(counted)
}

fn count_sparse<'a>(cx: &'a OpContext<'_>) -> Result<Counted<'a>> {
    let (indices, values, dense_shape) = (cx.input(0), cx.input(1), cx.input(2));
    let bins = bins(cx.input(3))?;
    let &[entries, rank] = indices.dims() else {
        return Err(cx.bad_input(0, format!("must be a matrix, got shape {}", indices.shape())));
    };
    if values.rank() != 1 || values.len() != entries {
        return Err(cx.bad_input(
            1,
            format!(
                "of shape {} must be a vector with one value for each of the {entries} indices",
                values.shape()
            ),
        ));
    }
    if dense_shape.rank() != 1 || dense_shape.len() != rank {
        return Err(cx.bad_input(
            2,
            format!(
                "of shape {} must be a vector with one size for each of the {rank} index columns",
                dense_shape.shape()
            ),
        ));
    }
    let places = indices.as_slice::<i64>()?;
    let sizes = dense_shape.as_slice::<i64>()?;
    for (i, place) in places.chunks_exact(rank.max(1)).enumerate() {
        if let Some(axis) = (0..rank).find(|&a| place[a] < 0 || place[a] >= sizes[a]) {
            return Err(Status::invalid_argument(format!(
                "indices[{i},{axis}] = {} is out of bounds: need 0 <= index < {}",
                place[axis], sizes[axis]
            )));
        }
    }
    let single = rank == 1;
    let rows = (rank > 1).then(|| places.chunks_exact(rank).map(|p| p[0] as usize).collect());
    let row_count = match (single, sizes.first()) {
        (true, _) => None,
        (false, Some(&rows)) => Some(rows),
        (false, None) => return Err(cx.bad_input(2, "must have at least one size")),
    };
    Ok(Counted {
        values: values.to_i64_vec()?,
        rows,
        row_count,
        bins,
        weights: cx.input(4),
        refuse_negative: single,
    })
}

fn count_ragged<'a>(cx: &'a OpContext<'_>) -> Result<Counted<'a>> {
    let (splits, values) = (cx.input(0).as_slice::<i64>()?, cx.input(1));
    let bins = bins(cx.input(2))?;
    let (Some(&first), Some(&last)) = (splits.first(), splits.last()) else {
        return Err(Status::invalid_argument("Splits must be non-empty"));
    };
    if first != 0 {
        return Err(Status::invalid_argument(format!(
            "Splits must start with 0, not with {first}"
        )));
    }
    if last != values.len() as i64 {
        return Err(Status::invalid_argument(format!(
            "Splits must end with the number of values, got {last} instead of {}",
            values.len()
        )));
    }
    if splits.windows(2).any(|w| w[0] > w[1]) {
        return Err(Status::invalid_argument("Splits must not decrease"));
    }
    let rows = splits
        .windows(2)
        .enumerate()
        .flat_map(|(row, w)| std::iter::repeat_n(row, (w[1] - w[0]) as usize))
        .collect();
    Ok(Counted {
        values: values.to_i64_vec()?,
        rows: Some(rows),
        row_count: Some(splits.len() as i64 - 1),
        bins,
        weights: cx.input(3),
        refuse_negative: true,
    })
}

/// The constant number of bins in input `i`, if it is known.
fn constant_bins(cx: &ShapeContext<'_>, i: usize) -> Result<Option<usize>> {
    cx.with_rank(i, 0)?;
    match cx.constant(i) {
        None => Ok(None),
        Some(size) => Ok(Some(bins(size)? as usize)),
    }
}

fn vector_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let bins = constant_bins(cx, 1)?;
    cx.set_output(0, PartialShape::vector(bins));
    Ok(())
}

fn dense_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let bins = constant_bins(cx, 1)?;
    match cx.input(0).dims() {
        None => {}
        Some(&[rows, _]) => cx.set_output(0, PartialShape::matrix(rows, bins)),
        Some(dims) if dims.len() < 2 => cx.set_output(0, PartialShape::vector(bins)),
        Some(dims) => {
            return Err(Status::invalid_argument(format!(
                "Shape must be at most rank 2 but is rank {} for {}",
                dims.len(),
                cx.describe()
            )));
        }
    }
    Ok(())
}

fn sparse_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let bins = constant_bins(cx, 3)?;
    match cx.constant_ints(2).as_deref() {
        None => {}
        Some(&[_]) => cx.set_output(0, PartialShape::vector(bins)),
        Some(&[rows, _]) => {
            cx.set_output(0, PartialShape::matrix(usize::try_from(rows).ok(), bins));
        }
        Some(_) => return Err(Status::invalid_argument("Input must be less than rank 2")),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn none() -> Tensor {
        Tensor::from_vec([0], Vec::<f32>::new()).unwrap()
    }

    #[test]
    fn counts_and_weights() {
        let run = |op: &str, values: &[i32], weights: Tensor| {
            OpTest::new(register, op)
                .input(Tensor::vector(values).unwrap())
                .input(Tensor::scalar(3i32))
                .input(weights)
                .run_one()
        };
        let out = run("Bincount", &[0, 2, 2, 7], none()).unwrap();
        assert_eq!(out.as_slice::<f32>().unwrap(), &[1., 0., 2.]);
        let weights = Tensor::vector(&[0.5f64, 2., 3., 9.]).unwrap();
        let out = run("DenseBincount", &[0, 2, 2, 7], weights.clone()).unwrap();
        assert_eq!(out.as_slice::<f64>().unwrap(), &[0.5, 0., 5.]);
        assert!(
            run("Bincount", &[-1], none())
                .unwrap_err()
                .to_string()
                .contains("must be non-negative")
        );
        assert!(run("Bincount", &[1, 2], weights).is_err());
    }

    #[test]
    fn rows_of_matrices() {
        let matrix = Tensor::from_vec([2, 2], vec![0i64, 1, 1, 1]).unwrap();
        let test = OpTest::new(register, "DenseBincount").input(matrix).input(Tensor::scalar(2i64));
        let out = test.input(none()).attr("binary_output", true).run_one().unwrap();
        assert_eq!(out.as_slice::<f32>().unwrap(), &[1., 1., 0., 1.]);
        let ragged = |splits: &[i64]| {
            OpTest::new(register, "RaggedBincount")
                .input(Tensor::vector(splits).unwrap())
                .input(Tensor::vector(&[1i32, 0, 1]).unwrap())
                .input(Tensor::scalar(2i32))
                .input(none())
                .run_one()
        };
        assert_eq!(ragged(&[0, 0, 3]).unwrap().as_slice::<f32>().unwrap(), &[0., 0., 1., 2.]);
        assert!(ragged(&[]).unwrap_err().to_string().contains("Splits must be non-empty"));
        assert!(ragged(&[0, 5, 3]).is_err());
        assert!(ragged(&[0, 2]).is_err());
    }

    #[test]
    fn sparse_entries() {
        let sparse = |place: i64, shape: &[i64]| {
            OpTest::new(register, "SparseBincount")
                .input(Tensor::from_vec([1, 2], vec![place, 0]).unwrap())
                .input(Tensor::vector(&[1i32]).unwrap())
                .input(Tensor::vector(shape).unwrap())
                .input(Tensor::scalar(2i32))
                .input(none())
                .run_one()
        };
        assert_eq!(sparse(1, &[2, 1]).unwrap().as_slice::<f32>().unwrap(), &[0., 0., 0., 1.]);
        assert!(sparse(2, &[2, 1]).unwrap_err().to_string().contains("out of bounds"));
        assert!(sparse(0, &[2]).is_err());
        assert!(sparse(0, &[i64::MAX, i64::MAX]).is_err());
    }
}

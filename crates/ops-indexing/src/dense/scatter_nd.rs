//! ScatterNd, ScatterNdNonAliasingAdd and TensorScatter*: updates at index tuples of a tensor.

use downpour_graph::{
    Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext, shapes,
};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{
    ByteString, DataType, Element, RealNumber, Result, Shape, Status, Tensor, dispatch_real,
};

use super::index_tuples::{BadIndices, IndexTuples};
use crate::numbers::{Number, dispatch_number};
use crate::units::{Unit, dispatch_units};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ScatterNd(indices: Tindices, updates: T, shape: Tindices) -> (output: T)
                T: type
                Tindices: {int16, int32, int64}
                bad_indices_policy: string = ''",
        )?
        .shape(scatter_nd_shape)
        .gradient(scatter_nd_gradient),
        |build| Ok(KernelBox::new(ScatterNd(BadIndices::from_attrs(build)?))),
    )?;
    registry.add(
        OpSpec::new(
            "ScatterNdNonAliasingAdd(input: T, indices: Tindices, updates: T) -> (output: T)
                T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, \
                qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool}
                Tindices: {int32, int64}
                bad_indices_policy: string = ''",
        )?
        .shape(tensor_scatter_shape)
        .gradient(add_gradient),
        |build| tensor_scatter(build, Update::Add),
    )?;
    registry.add(
        OpSpec::new(
            "TensorScatterUpdate(tensor: T, indices: Tindices, updates: T) -> (output: T)
                T: type
                Tindices: {int16, int32, int64, uint16}
                bad_indices_policy: string = ''",
        )?
        .shape(tensor_scatter_shape)
        .gradient(update_gradient),
        |build| tensor_scatter(build, Update::Assign),
    )?;
    let arithmetic = |name: &str| {
        OpSpec::new(&format!(
            "{name}(tensor: T, indices: Tindices, updates: T) -> (output: T)
                T: type
                Tindices: {{int32, int64}}
                bad_indices_policy: string = ''"
        ))
        .map(|spec| spec.shape(tensor_scatter_shape))
    };
    registry.add(arithmetic("TensorScatterAdd")?.gradient(add_gradient), |build| {
        tensor_scatter(build, Update::Add)
    })?;
    registry.add(arithmetic("TensorScatterSub")?.gradient(sub_gradient), |build| {
        tensor_scatter(build, Update::Sub)
    })?;
    registry.add(arithmetic("TensorScatterMin")?.gradient(extreme_gradient), |build| {
        tensor_scatter(build, Update::Min)
    })?;
    registry.add(arithmetic("TensorScatterMax")?.gradient(extreme_gradient), |build| {
        tensor_scatter(build, Update::Max)
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Update {
    Assign,
    Add,
    Sub,
    Min,
    Max,
}

struct ScatterNd(BadIndices);

impl Kernel for ScatterNd {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (indices, updates) = (cx.input(0), cx.input(1));
        check_ranks(indices, updates)?;
        let shape_input = cx.input(2);
        let dims = shape_input.to_i64_vec()?;
        let shape = Shape::from_i64(&dims)?;
        check_emptiness(!dims.is_empty(), indices, updates)?;
        check_shapes(indices, updates, &shape)?;
        if shape_input.rank() != 1 {
            return Err(Status::invalid_argument("Shape must be a vector"));
        }
        let mut output = Tensor::zeros(updates.dtype(), shape)?;
        scatter(&mut output, indices, updates, Update::Add, self.0)?;
        cx.set_output(0, output);
        Ok(())
    }
}

struct TensorScatter {
    update: Update,
    bad: BadIndices,
}

fn tensor_scatter(build: &KernelBuild<'_>, update: Update) -> Result<KernelBox> {
    Ok(KernelBox::new(TensorScatter { update, bad: BadIndices::from_attrs(build)? }))
}

impl Kernel for TensorScatter {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let mut output = cx.take(0);
        let (indices, updates) = (cx.input(1), cx.input(2));
        check_ranks(indices, updates)?;
        check_emptiness(!output.is_empty(), indices, updates)?;
        check_shapes(indices, updates, output.shape())?;
        scatter(&mut output, indices, updates, self.update, self.bad)?;
        cx.set_output(0, output);
        Ok(())
    }
}

fn check_ranks(indices: &Tensor, updates: &Tensor) -> Result<()> {
    for (name, tensor) in [("Indices", indices), ("Updates", updates)] {
        if tensor.rank() < 1 {
            return Err(Status::invalid_argument(format!(
                "{name} shape must have rank at least one. Found:{}",
                tensor.shape()
            )));
        }
    }
    Ok(())
}

/// Either there is nothing to write, or there is something to write and somewhere to write it.
fn check_emptiness(has_room: bool, indices: &Tensor, updates: &Tensor) -> Result<()> {
    let nothing = indices.is_empty() && updates.is_empty();
    if nothing || (has_room && !indices.is_empty() && !updates.is_empty()) {
        return Ok(());
    }
    Err(Status::invalid_argument("Indices and updates specified for empty output shape"))
}

/// updates.shape must be indices.shape[:-1] + shape[depth:].
fn check_shapes(indices: &Tensor, updates: &Tensor, shape: &Shape) -> Result<()> {
    let outer = indices.rank() - 1;
    let depth = indices.dims()[outer];
    let (u, i) = (updates.dims(), indices.dims());
    if u.len() < outer || u[..outer] != i[..outer] {
        return Err(Status::invalid_argument(format!(
            "Outer dimensions of indices and update must match: Dimensions [0,{outer}) of \
             indices[shape={}] must match dimensions [0,{outer}) of updates[shape={}]",
            indices.shape(),
            updates.shape()
        )));
    }
    if depth > shape.rank() || u[outer..] != shape[depth..] {
        return Err(Status::invalid_argument(format!(
            "Inner dimensions of output shape must match inner dimensions of updates shape: \
             Dimensions [{depth},{}) of input[shape={shape}] must match dimensions [{outer},{}) of \
             updates[shape={}]",
            shape.rank(),
            u.len(),
            updates.shape()
        )));
    }
    Ok(())
}

fn scatter(
    output: &mut Tensor,
    indices: &Tensor,
    updates: &Tensor,
    update: Update,
    bad: BadIndices,
) -> Result<()> {
    if updates.is_empty() {
        return Ok(());
    }
    if output.is_empty() {
        return Err(Status::invalid_argument(format!(
            "Indices and updates specified for empty output.  indices shape: {}",
            indices.shape()
        )));
    }
    let depth = indices.dims()[indices.rank() - 1];
    if !(1..=7).contains(&depth) {
        return Err(Status::invalid_argument(format!(
            "Only indices.shape[-1] values between 1 and 7 are currently supported.  Requested \
             rank: {depth}"
        )));
    }
    let shape = output.shape().clone();
    let tuples = IndexTuples::new(indices, &shape)?;
    if bad == BadIndices::Error
        && let Some(i) = tuples.first_outside()
    {
        return Err(Status::invalid_argument(format!(
            "indices{} does not index into shape {shape}",
            tuples.describe(i)
        )));
    }
    match (update, output.dtype()) {
        (Update::Assign, dtype) => dispatch_units!(dtype, T => {
            T::rewrite(output, |out| {
                for_slices(&tuples, |from, to, n| {
                    out[to..to + n].clone_from_slice(&T::view(updates)?[from..from + n]);
                    Ok(())
                })
            })
        }),
        (Update::Add, DataType::String) => ByteString::rewrite(output, |out| {
            let values = updates.strings()?;
            for_slices(&tuples, |from, to, n| {
                for (o, v) in out[to..to + n].iter_mut().zip(&values[from..from + n]) {
                    *o = match o.is_empty() {
                        true => v.clone(),
                        false => ByteString::joined([&o[..], &v[..]].into_iter(), b"")?,
                    };
                }
                Ok(())
            })
        }),
        (Update::Add, DataType::Bool) => combine(output, updates, &tuples, |a: bool, b| a | b),
        (Update::Sub, DataType::Bool) => combine(output, updates, &tuples, |a: bool, b| a != b),
        (Update::Add, dtype) => dispatch_number!(dtype, "ScatterNd", T => {
            combine(output, updates, &tuples, |a: T, b| a.plus(b))
        }),
        (Update::Sub, dtype) => dispatch_number!(dtype, "TensorScatterSub", T => {
            combine(output, updates, &tuples, |a: T, b| a.minus(b))
        }),
        (Update::Min, dtype) => dispatch_real!(dtype, "TensorScatterMin", T => {
            combine(output, updates, &tuples, lesser::<T>)
        }),
        (Update::Max, dtype) => dispatch_real!(dtype, "TensorScatterMax", T => {
            combine(output, updates, &tuples, greater::<T>)
        }),
    }
}

fn lesser<T: RealNumber>(a: T, b: T) -> T {
    if b < a { b } else { a }
}

fn greater<T: RealNumber>(a: T, b: T) -> T {
    if b > a { b } else { a }
}

/// Calls `f(from, to, elements)` for every tuple that points inside.
fn for_slices(
    tuples: &IndexTuples<'_>,
    mut f: impl FnMut(usize, usize, usize) -> Result<()>,
) -> Result<()> {
    let inner = tuples.inner();
    for i in 0..tuples.len() {
        if let Some(to) = tuples.offset(i) {
            f(i * inner, to, inner)?;
        }
    }
    Ok(())
}

fn combine<T: Element>(
    output: &mut Tensor,
    updates: &Tensor,
    tuples: &IndexTuples<'_>,
    f: impl Fn(T, T) -> T,
) -> Result<()> {
    if !output.is_unique() {
        *output = output.deep_copy()?;
    }
    let out = output.as_mut_slice::<T>().expect("nobody else holds the copy");
    let values = updates.as_slice::<T>()?;
    for_slices(tuples, |from, to, n| {
        for (o, v) in out[to..to + n].iter_mut().zip(&values[from..from + n]) {
            *o = f(*o, *v);
        }
        Ok(())
    })
}

/// Checks what is known of indices and updates against the output's shape.
fn check_partial(
    cx: &ShapeContext<'_>,
    indices: &PartialShape,
    updates: &PartialShape,
    output: &PartialShape,
) -> Result<()> {
    let has_some = |s: &PartialShape| s.elements().is_some_and(|n| n > 0);
    if output.elements() == Some(0) && (has_some(indices) || has_some(updates)) {
        return Err(Status::invalid_argument(format!(
            "Indices and updates specified for empty output for {}",
            cx.describe()
        )));
    }
    let (Some(i), Some(u)) = (indices.dims(), updates.dims()) else { return Ok(()) };
    if u.is_empty() || i.is_empty() {
        return Ok(());
    }
    let outer = i.len() - 1;
    let Some(depth) = i[outer] else { return Ok(()) };
    if outer > u.len() || !indices.subshape(0, outer).is_compatible(&updates.subshape(0, outer)) {
        return Err(Status::invalid_argument(format!(
            "Dimensions [0,{outer}) of indices[shape={indices}] must match dimensions [0,{outer}) \
             of updates[shape={updates}] for {}",
            cx.describe()
        )));
    }
    let Some(rank) = output.rank() else { return Ok(()) };
    if depth > rank
        || !output.subshape(depth, rank).is_compatible(&updates.subshape(outer, u.len()))
    {
        return Err(Status::invalid_argument(format!(
            "Dimensions [{depth},{rank}) of input[shape={output}] must match dimensions \
             [{outer},{}) of updates[shape={updates}] for {}",
            u.len(),
            cx.describe()
        )));
    }
    Ok(())
}

fn scatter_nd_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank_at_least(0, 1)?;
    cx.with_rank_at_least(1, 1)?;
    let output = cx.shape_from_input(2)?;
    check_partial(cx, cx.input(0), cx.input(1), &output)?;
    cx.set_output(0, output);
    Ok(())
}

fn tensor_scatter_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank_at_least(1, 1)?;
    cx.with_rank_at_least(2, 1)?;
    check_partial(cx, cx.input(1), cx.input(2), cx.input(0))?;
    shapes::unchanged(cx)
}

fn scatter_nd_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let indices = cx.input(0);
    let updates = cx.op("GatherNd", &[grad, indices])?;
    Ok(vec![Gradient::None, Gradient::Dense(updates), Gradient::None])
}

fn add_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let indices = cx.input(1);
    let updates = cx.op("GatherNd", &[grad, indices])?;
    Ok(vec![Gradient::Dense(grad), Gradient::None, Gradient::Dense(updates)])
}

/// The gradient is shared evenly among all that are equal to the result.
fn extreme_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (grad, output) = (cx.grad(0)?, cx.output(0));
    let (tensor, indices, updates) = (cx.input(0), cx.input(1), cx.input(2));
    let attrs = Attrs::new().with("DstT", cx.dtype(grad));
    let kept = cx.op("Equal", &[tensor, output])?;
    let kept = cx.op_with("Cast", &[kept], attrs.clone())?;
    let there = cx.op("GatherNd", &[output, indices])?;
    let taken = cx.op("Equal", &[updates, there])?;
    let taken = cx.op_with("Cast", &[taken], attrs)?;
    let shape = cx.op_with("Shape", &[tensor], Attrs::new().with("out_type", cx.dtype(indices)))?;
    let scattered = cx.op("ScatterNd", &[indices, taken, shape])?;
    let sharers = cx.op("AddV2", &[kept, scattered])?;
    let share = cx.op("RealDiv", &[grad, sharers])?;
    let to_tensor = cx.op("Mul", &[share, kept])?;
    let gathered = cx.op("GatherNd", &[share, indices])?;
    let to_updates = cx.op("Mul", &[gathered, taken])?;
    Ok(vec![Gradient::Dense(to_tensor), Gradient::None, Gradient::Dense(to_updates)])
}

fn sub_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let indices = cx.input(1);
    let updates = cx.op("GatherNd", &[grad, indices])?;
    let updates = cx.op("Neg", &[updates])?;
    Ok(vec![Gradient::Dense(grad), Gradient::None, Gradient::Dense(updates)])
}

fn update_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let (indices, updates) = (cx.input(1), cx.input(2));
    let du = cx.op("GatherNd", &[grad, indices])?;
    let zeros = cx.op("ZerosLike", &[updates])?;
    let dx = cx.op_with("TensorScatterUpdate", &[grad, indices, zeros], Attrs::new())?;
    Ok(vec![Gradient::Dense(dx), Gradient::None, Gradient::Dense(du)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn scatter_test(dims: &[usize], indices: &[i32], updates: Tensor, shape: &[i32]) -> OpTest {
        OpTest::new(register, "ScatterNd")
            .input(Tensor::from_slice(dims, indices).unwrap())
            .input(updates)
            .input(Tensor::vector(shape).unwrap())
    }

    #[test]
    fn duplicates_add_up() {
        let u = Tensor::vector(&[1f32, 2.0, 4.0]).unwrap();
        let y = scatter_test(&[3, 1], &[1, 3, 1], u, &[4]).run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[0.0, 5.0, 0.0, 2.0]);
        let u = Tensor::from_vec([1, 2], vec![1i32, 2]).unwrap();
        let y = scatter_test(&[1, 1], &[1], u, &[2, 2]).run_one().unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[0, 0, 1, 2]);
    }

    #[test]
    fn bad_indices_and_shapes_are_refused() {
        let u = || Tensor::vector(&[1f32]).unwrap();
        let e = scatter_test(&[1, 1], &[4], u(), &[4]).run_one().unwrap_err();
        assert!(e.message().contains("indices[0] = [4] does not index into shape [4]"), "{e}");
        assert!(scatter_test(&[1, 1], &[-1], u(), &[4]).run_one().is_err());
        let e = scatter_test(&[1, 1], &[0], u(), &[0]).run_one().unwrap_err();
        assert!(e.message().contains("specified for empty output.  indices shape: [1,1]"), "{e}");
        assert!(scatter_test(&[2, 1], &[0, 1], u(), &[4]).run_one().is_err());
        assert!(scatter_test(&[1, 2], &[0, 1], u(), &[4]).run_one().is_err());
        assert!(scatter_test(&[1, 1], &[0], u(), &[-4]).run_one().is_err());
        assert!(scatter_test(&[1, 1], &[0], u(), &[i32::MAX; 3]).run_one().is_err());
        let ignored = scatter_test(&[1, 1], &[4], u(), &[2]).attr("bad_indices_policy", "IGNORE");
        assert_eq!(ignored.run_one().unwrap().as_slice::<f32>().unwrap(), &[0.0, 0.0]);
    }

    #[test]
    fn tensors_are_updated_in_five_ways() {
        let run = |op: &str| {
            OpTest::new(register, op)
                .input(Tensor::vector(&[5i32, 5, 5]).unwrap())
                .input(Tensor::from_vec([2, 1], vec![0i32, 2]).unwrap())
                .input(Tensor::vector(&[3i32, 9]).unwrap())
                .run_one()
                .unwrap()
                .as_slice::<i32>()
                .unwrap()
                .to_vec()
        };
        assert_eq!(run("TensorScatterUpdate"), [3, 5, 9]);
        assert_eq!(run("TensorScatterAdd"), [8, 5, 14]);
        assert_eq!(run("TensorScatterSub"), [2, 5, -4]);
        assert_eq!(run("TensorScatterMin"), [3, 5, 5]);
        assert_eq!(run("TensorScatterMax"), [5, 5, 9]);
        assert_eq!(run("ScatterNdNonAliasingAdd"), [8, 5, 14]);
    }
}

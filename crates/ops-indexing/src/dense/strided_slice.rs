//! StridedSlice, its gradient, and assignment to a strided slice of a tensor or a variable.

use downpour_graph::{
    Attrs, Endpoint, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext, shapes,
};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor};

use super::region::{Region, broadcast_to};
use super::strided_spec::{Bounds, Masks, PerAxis, StridedSpec};
use crate::units::{Unit, dispatch_units};

const MASKS: &str = "begin_mask: int = 0
    end_mask: int = 0
    ellipsis_mask: int = 0
    new_axis_mask: int = 0
    shrink_axis_mask: int = 0";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let slice = "StridedSlice(input: T, begin: Index, end: Index, strides: Index) -> (output: T)
        T: type
        Index: {int16, int32, int64}";
    let grad = "StridedSliceGrad(shape: Index, begin: Index, end: Index, strides: Index, dy: T) \
        -> (output: T)
        T: type
        Index: {int32, int64}";
    let update = "TensorStridedSliceUpdate(input: T, begin: Index, end: Index, strides: Index, \
        value: T) -> (output: T)
        T: type
        Index: {int32, int64}";
    let assign = "StridedSliceAssign(ref: Ref(T), begin: Index, end: Index, strides: Index, \
        value: T) -> (output_ref: Ref(T))
        T: type
        Index: {int32, int64}";
    let resource = "ResourceStridedSliceAssign(ref: resource, begin: Index, end: Index, \
        strides: Index, value: T) -> () @stateful
        T: type
        Index: {int32, int64}";
    let spec = |signature: &str| OpSpec::new(&format!("{signature}\n    {MASKS}"));
    registry.add(spec(slice)?.shape(slice_shape).gradient(slice_gradient), |build| {
        Ok(KernelBox::new(StridedSlice(Masks::from_attrs(build)?)))
    })?;
    registry.add(
        spec(grad)?.shape(shapes::from_first_input_value).gradient(grad_gradient),
        |build| Ok(KernelBox::new(StridedSliceGrad(Masks::from_attrs(build)?))),
    )?;
    registry.add(spec(update)?.shape(update_shape).gradient(update_gradient), assign_kernel)?;
    registry.add(spec(assign)?.shape(shapes::unchanged), assign_kernel)?;
    registry.add(spec(resource)?, assign_kernel)
}

fn bounds(cx: &OpContext<'_>) -> Result<Bounds> {
    Bounds::from_tensors(cx.input(1), cx.input(2), cx.input(3))
}

struct StridedSlice(Masks);

impl Kernel for StridedSlice {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let bounds = bounds(cx)?;
        let input = cx.input(0);
        let spec = StridedSpec::of_shape(input.dims(), &bounds, self.0)?;
        let shape = spec.known_output_shape()?;
        let output = if spec.is_everything(input.dims()) {
            input.reshaped(shape)?
        } else {
            take(input, &spec, shape, cx)?
        };
        cx.set_output(0, output);
        Ok(())
    }
}

fn take(input: &Tensor, spec: &StridedSpec, shape: Shape, cx: &OpContext<'_>) -> Result<Tensor> {
    let counts = spec.counts()?;
    if spec.is_row_range(input.dims()) {
        let start = if counts[0] == 0 { 0 } else { spec.begin[0] as usize };
        return input.rows(start, start + counts[0])?.into_shape(shape);
    }
    let region = Region::new(input.dims(), &spec.begin, &counts, &spec.steps);
    dispatch_units!(input.dtype(), T => {
        T::build(input.dtype(), shape, |out| {
            region.read(T::view(input)?, out, cx.parallel());
            Ok(())
        })
    })
}

struct StridedSliceGrad(Masks);

impl Kernel for StridedSliceGrad {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let shape = cx.vector_input(0)?;
        let shape = Shape::from_i64(&shape.to_i64_vec()?)?;
        let spec = StridedSpec::of_shape(&shape, &bounds(cx)?, self.0)?;
        let dy = cx.input(4);
        let expected = spec.known_output_shape()?;
        if *dy.shape() != expected {
            return Err(Status::invalid_argument(format!(
                "shape of dy was {} instead of {expected}",
                dy.shape()
            )));
        }
        let region = Region::new(&shape, &spec.begin, &spec.counts()?, &spec.steps);
        let mut output = Tensor::zeros(dy.dtype(), shape)?;
        dispatch_units!(dy.dtype(), T => {
            T::rewrite(&mut output, |out| {
                region.write(out, T::view(dy)?);
                Ok(())
            })
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

/// What is assigned to: a tensor (copied if shared), a variable by reference, or one by handle.
#[derive(Clone, Copy)]
enum Target {
    Tensor,
    Reference,
    Handle,
}

struct StridedSliceAssign {
    masks: Masks,
    target: Target,
}

fn assign_kernel(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let target = match build.op_name() {
        "TensorStridedSliceUpdate" => Target::Tensor,
        "StridedSliceAssign" => Target::Reference,
        _ => Target::Handle,
    };
    Ok(KernelBox::new(StridedSliceAssign { masks: Masks::from_attrs(build)?, target }))
}

impl Kernel for StridedSliceAssign {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let bounds = bounds(cx)?;
        if let Target::Tensor = self.target {
            let mut output = cx.take(0);
            assign(&mut output, &bounds, self.masks, cx.input(4))?;
            cx.set_output(0, output);
            return Ok(());
        }
        let variable = cx.variable(0)?;
        let value = cx.input(4);
        variable.update(|tensor| {
            if tensor.dtype() != value.dtype() {
                return Err(Status::invalid_argument(format!(
                    "l-value dtype {} does not match r-value dtype {}",
                    tensor.dtype(),
                    value.dtype()
                )));
            }
            assign(tensor, &bounds, self.masks, value)
        })?;
        if let Target::Reference = self.target {
            cx.set_output_ref(0, variable);
        }
        Ok(())
    }
}

/// Overwrites the slice by `value`, broadcast to the slice's shape.
fn assign(tensor: &mut Tensor, bounds: &Bounds, masks: Masks, value: &Tensor) -> Result<()> {
    let spec = StridedSpec::of_shape(tensor.dims(), bounds, masks)?;
    let (region, filled) = plan_assignment(tensor.dims(), &spec, value.dims())?;
    dispatch_units!(tensor.dtype(), T => {
        let packed = T::view(value)?;
        match filled {
            None => T::rewrite(tensor, |out| {
                region.write(out, packed);
                Ok(())
            }),
            Some((from, to)) => {
                let packed = broadcast_to(packed, &from, &to)?;
                T::rewrite(tensor, |out| {
                    region.write(out, &packed);
                    Ok(())
                })
            }
        }
    })
}

/// The region to write and, where the value must be broadcast, from which shape to which.
#[allow(clippy::type_complexity, reason = "a pair of shapes, used once")]
fn plan_assignment(
    dims: &[usize],
    spec: &StridedSpec,
    value: &[usize],
) -> Result<(Region, Option<(Shape, Shape)>)> {
    let target = spec.known_output_shape()?;
    let region = Region::new(dims, &spec.begin, &spec.counts()?, &spec.steps);
    if value == target.dims() {
        return Ok((region, None));
    }
    // Leading ones beyond the slice's rank carry no meaning, as in NumPy.
    let extra = value.len().saturating_sub(target.rank());
    let fits = value[..extra].iter().all(|&d| d == 1) && {
        let own = &value[extra..];
        let skip = target.rank() - own.len();
        own.iter().zip(&target[skip..]).all(|(v, t)| v == t || *v == 1)
    };
    if !fits {
        return Err(Status::invalid_argument(format!(
            "cannot assign a value of shape {} to a slice of shape {target}: stride values must \
             be broadcastable to it",
            Shape::new(value)
        )));
    }
    Ok((region, Some((Shape::new(&value[extra..]), target))))
}

fn slice_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (begin, end, strides) = (cx.with_rank(1, 1)?, cx.with_rank(2, 1)?, cx.with_rank(3, 1)?);
    let merged = cx.merge(&begin, &end)?;
    cx.merge(&merged, &strides)?;
    let (Some(dims), Some(strides)) = (cx.input(0).dims(), cx.constant_ints(3)) else {
        return Ok(());
    };
    if strides.len() >= 32 {
        return Err(Status::invalid_argument(format!(
            "a slice of {} entries exceeds what the masks can describe for {}",
            strides.len(),
            cx.describe()
        )));
    }
    let matching =
        |i: usize| cx.constant_ints(i).filter(|v| v.len() == strides.len()).map(PerAxis::from_vec);
    let (begin, end) = (matching(1), matching(2));
    let bounds = Bounds { begin, end, strides: PerAxis::from_vec(strides) };
    let masks = Masks::from_attrs(cx.node())?;
    let shape =
        StridedSpec::resolve(dims, &bounds, masks).map_err(|e| located(e, cx))?.output_shape();
    cx.set_output(0, shape);
    Ok(())
}

/// The message first, as TensorFlow puts it, then which node.
fn located(status: Status, cx: &ShapeContext<'_>) -> Status {
    Status::new(status.code(), format!("{} for {}", status.message(), cx.describe()))
}

fn update_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape: PartialShape = cx.input(0).clone();
    cx.set_output(0, shape);
    Ok(())
}

/// The mask attributes of this node, for a node of its gradient.
fn masks_of(cx: &GradientContext<'_, '_>) -> Result<Attrs> {
    let node = cx.node();
    let mut attrs = Attrs::new();
    for name in ["begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"] {
        attrs.set(name, node.int(name)?);
    }
    Ok(attrs)
}

fn bounds_of(cx: &GradientContext<'_, '_>) -> [Endpoint; 3] {
    [cx.input(1), cx.input(2), cx.input(3)]
}

fn slice_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let [begin, end, strides] = bounds_of(cx);
    let input = cx.input(0);
    let dtype = cx.dtype(begin);
    let attrs = masks_of(cx)?;
    let shape = cx.op_with("Shape", &[input], Attrs::new().with("out_type", dtype))?;
    let dx = cx.op_with("StridedSliceGrad", &[shape, begin, end, strides, grad], attrs)?;
    Ok(vec![Gradient::Dense(dx), Gradient::None, Gradient::None, Gradient::None])
}

fn grad_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let [begin, end, strides] = bounds_of(cx);
    let attrs = masks_of(cx)?;
    let dy = cx.op_with("StridedSlice", &[grad, begin, end, strides], attrs)?;
    Ok(vec![Gradient::None, Gradient::None, Gradient::None, Gradient::None, Gradient::Dense(dy)])
}

fn update_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    // The overwritten part gets nothing from the input; the value gets what stands in the slice,
    // summed over the axes along which it was broadcast.
    let grad = cx.grad(0)?;
    let [begin, end, strides] = bounds_of(cx);
    let value = cx.input(4);
    let attrs = masks_of(cx)?;
    let slice = cx.op_with("StridedSlice", &[grad, begin, end, strides], attrs.clone())?;
    let zeros = cx.op("ZerosLike", &[value])?;
    let dx = cx.op_with("TensorStridedSliceUpdate", &[grad, begin, end, strides, zeros], attrs)?;
    let dv = cx.unbroadcast(slice, value, slice)?;
    Ok(vec![
        Gradient::Dense(dx),
        Gradient::None,
        Gradient::None,
        Gradient::None,
        Gradient::Dense(dv),
    ])
}

#[cfg(test)]
mod tests;

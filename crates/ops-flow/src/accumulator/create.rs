//! Accumulators as resources, and the operations that make them.

use std::sync::{Arc, OnceLock};

use downpour_graph::{OpSpec, PartialShape};
use downpour_runtime::{
    Kernel, KernelBox, KernelBuild, OpContext, Registry, Resource, ResourceManager,
};
use downpour_tensor::{DataType, Result, Status, Tensor};

use super::NUMBERS;
use super::sum::{Gradient, Sum, check_dtype};
use crate::handle::{Place, set_handle};
use crate::queue::handle_shape;
use crate::waiting::{Monitor, Order};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for head in [
        "ConditionalAccumulator() -> (handle: Ref(string))",
        "ResourceConditionalAccumulator() -> (handle: resource)",
        "SparseConditionalAccumulator() -> (handle: Ref(string))",
    ] {
        let signature = format!(
            "{head} @stateful
                {NUMBERS}
                shape: shape
                container: string = ''
                shared_name: string = ''
                reduction_type: {{'MEAN', 'SUM'}} = 'MEAN'"
        );
        let spec = OpSpec::new(&signature)?.shape(handle_shape).not_differentiable();
        registry.add(spec, make)?;
    }
    Ok(())
}

pub(crate) struct Accumulator {
    pub name: String,
    pub dtype: DataType,
    pub is_sparse: bool,
    pub monitor: Arc<Monitor<State, usize, Vec<Tensor>>>,
}

pub(crate) struct State {
    shape: PartialShape,
    mean: bool,
    count: i32,
    /// Gradients computed at an earlier step than this are stale.
    step: i64,
    sum: Option<Sum>,
}

impl Resource for Accumulator {
    fn describe(&self) -> String {
        format!("accumulator '{}' with {} gradients", self.name, self.count())
    }
}

impl Accumulator {
    pub(crate) fn count(&self) -> i32 {
        self.monitor.look(|state| state.count)
    }

    pub(crate) fn set_step(&self, step: i64) {
        self.monitor.change(|state| state.step = step);
    }

    pub(crate) fn declared_shape(&self) -> PartialShape {
        self.monitor.look(|state| state.shape.clone())
    }

    /// Adds a gradient; a stale one is dropped silently.
    pub(crate) fn apply(&self, local_step: i64, gradient: Gradient) -> Result<()> {
        self.monitor.change(|state| {
            if local_step < state.step {
                return Ok(());
            }
            gradient.check(state.sum.as_ref(), &state.shape)?;
            // If the sum cannot be had (no memory), those before are lost with it.
            let count = std::mem::take(&mut state.count);
            state.sum = Some(match state.sum.take() {
                Some(sum) => sum.plus(gradient)?,
                None => Sum::start(gradient),
            });
            state.count = count + 1;
            Ok(())
        })
    }
}

/// Gives the sum away once enough gradients have come, and starts the next step.
fn serve(state: &mut State, required: &mut usize) -> Option<Result<Vec<Tensor>>> {
    if (state.count as usize) < *required {
        return None;
    }
    let sum = state.sum.take()?;
    let count = std::mem::take(&mut state.count);
    state.step = state.step.wrapping_add(1);
    Some(sum.take(state.mean, count, &state.shape))
}

struct Create {
    place: Place,
    dtype: DataType,
    shape: PartialShape,
    mean: bool,
    is_sparse: bool,
    private: bool,
    manager: OnceLock<Arc<ResourceManager>>,
}

fn make(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let dtype = build.dtype("dtype")?;
    check_dtype(dtype)?;
    Ok(KernelBox::new(Create {
        place: Place::new(build.node(), false)?,
        dtype,
        shape: build.shape("shape")?,
        mean: build.string("reduction_type")? == "MEAN",
        is_sparse: build.op_name().starts_with("Sparse"),
        private: build.string("shared_name")?.is_empty(),
        manager: OnceLock::new(),
    }))
}

impl Kernel for Create {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let manager = cx.resources();
        let place = &self.place;
        let found = manager.lookup_or_create(&place.container, &place.name, || {
            let state =
                State { shape: self.shape.clone(), mean: self.mean, count: 0, step: 0, sum: None };
            Ok(Accumulator {
                name: place.name.clone(),
                dtype: self.dtype,
                is_sparse: self.is_sparse,
                monitor: Monitor::new(
                    state,
                    serve,
                    Order::Strict,
                    "TakeGrad operation was cancelled",
                ),
            })
        })?;
        if (found.dtype, found.is_sparse) != (self.dtype, self.is_sparse) {
            return Err(Status::invalid_argument(format!(
                "Shared accumulator '{}' has another type or kind than requested",
                place.name
            )));
        }
        if self.private {
            self.manager.get_or_init(|| manager.clone());
        }
        set_handle::<Accumulator>(cx, place)?;
        Ok(())
    }
}

impl Drop for Create {
    fn drop(&mut self) {
        if let Some(manager) = self.manager.get() {
            // A session that was reset has dropped it already.
            let _ = manager.delete::<Accumulator>(&self.place.container, &self.place.name);
        }
    }
}

//! A variable: a value with a version, a lock of its own, and copy-on-write snapshots.
//!
//! Protocol. Readers take the lock only to clone the tensor, which shares its buffer. A writer holds
//! the lock while it changes the value; if a snapshot still shares the buffer, the writer first makes
//! a copy of its own. So a reader never sees a half-written value, and a checkpoint never stops
//! training. Writers of several variables lock them in address order (`Variable::update_all`).

use std::sync::Arc;

use downpour_graph::PartialShape;
use downpour_tensor::{DataType, Result, Status, Tensor};
use parking_lot::{Mutex, MutexGuard};

use crate::resource::Resource;

pub struct Variable {
    name: String,
    dtype: DataType,
    shape: PartialShape,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    value: Option<Tensor>,
    version: u64,
}

impl Resource for Variable {
    fn describe(&self) -> String {
        format!("variable '{}' of {} {}", self.name, self.dtype, self.shape)
    }
}

impl Variable {
    /// A variable without a value yet. `name` is what error messages call it.
    pub fn new(name: impl Into<String>, dtype: DataType, shape: PartialShape) -> Variable {
        Variable { name: name.into(), dtype, shape, state: Mutex::default() }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn dtype(&self) -> DataType {
        self.dtype
    }

    /// The declared shape, which a value need not follow when assignments do not validate it.
    pub fn shape(&self) -> &PartialShape {
        &self.shape
    }

    pub fn is_initialized(&self) -> bool {
        self.state.lock().value.is_some()
    }

    /// Counts assignments and updates.
    pub fn version(&self) -> u64 {
        self.state.lock().version
    }

    /// The value now, if there is one; later writes do not change it.
    pub fn snapshot(&self) -> Option<Tensor> {
        self.state.lock().value.clone()
    }

    /// The value now, or FAILED_PRECONDITION as TensorFlow words it.
    pub fn read(&self) -> Result<Tensor> {
        self.snapshot().ok_or_else(|| self.uninitialized())
    }

    /// Looks at the value under the lock. Writers wait meanwhile instead of copying a value that a
    /// snapshot holds: for readers of a few rows of a large table.
    pub fn inspect<R>(&self, look: impl FnOnce(&Tensor) -> Result<R>) -> Result<R> {
        let state = self.state.lock();
        look(state.value.as_ref().ok_or_else(|| self.uninitialized())?)
    }

    fn uninitialized(&self) -> Status {
        Status::failed_precondition(format!("Attempting to use uninitialized value {}", self.name))
    }

    /// Replaces the value.
    pub fn assign(&self, value: Tensor) {
        let mut state = self.state.lock();
        state.value = Some(value);
        state.version += 1;
    }

    /// Takes the value away (a destroyed temporary variable).
    pub fn take(&self) -> Option<Tensor> {
        self.state.lock().value.take()
    }

    /// Changes the value under the lock. The tensor handed to `change` has no other owner, so
    /// `as_mut_slice` succeeds.
    pub fn update<R>(&self, change: impl FnOnce(&mut Tensor) -> Result<R>) -> Result<R> {
        let mut state = self.state.lock();
        let result = change(self.writable(&mut state)?);
        state.version += 1;
        result
    }

    /// Looks at and perhaps replaces the value under the lock; `None` is "not initialized".
    pub fn modify<R>(&self, change: impl FnOnce(&mut Option<Tensor>) -> Result<R>) -> Result<R> {
        let mut state = self.state.lock();
        let result = change(&mut state.value);
        state.version += 1;
        result
    }

    /// Changes several variables (a weight and its optimizer slots) together. The tensors stand in
    /// the order of `variables`; a variable given twice is refused.
    pub fn update_all<const N: usize, R>(
        variables: [&Arc<Variable>; N],
        change: impl FnOnce([&mut Tensor; N]) -> Result<R>,
    ) -> Result<R> {
        let mut order: [usize; N] = std::array::from_fn(|i| i);
        order.sort_by_key(|&i| Arc::as_ptr(variables[i]));
        if order.windows(2).any(|w| Arc::ptr_eq(variables[w[0]], variables[w[1]])) {
            return Err(Status::invalid_argument(
                "the same variable stands in two places of one update",
            ));
        }
        let mut guards: [Option<MutexGuard<'_, State>>; N] = std::array::from_fn(|_| None);
        for i in order {
            guards[i] = Some(variables[i].state.lock());
        }
        let mut tensors = Vec::with_capacity(N);
        for (variable, guard) in variables.iter().zip(guards.iter_mut()) {
            let state = guard.as_mut().expect("every place was locked above");
            state.version += 1;
            tensors.push(variable.writable(state)?);
        }
        let tensors: [&mut Tensor; N] =
            tensors.try_into().map_err(|_| Status::internal("one tensor per variable"))?;
        change(tensors)
    }

    fn writable<'s>(&self, state: &'s mut State) -> Result<&'s mut Tensor> {
        let value = state.value.as_mut().ok_or_else(|| self.uninitialized())?;
        if !value.is_unique() {
            *value = value.deep_copy()?;
        }
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(values: &[f32]) -> Arc<Variable> {
        let v = Variable::new("v", DataType::Float, PartialShape::unknown());
        v.assign(Tensor::vector(values).unwrap());
        Arc::new(v)
    }

    #[test]
    fn snapshots_do_not_change() {
        let v = variable(&[1.0]);
        let before = v.read().unwrap();
        v.update(|t| {
            t.as_mut_slice::<f32>().unwrap()[0] = 2.0;
            Ok(())
        })
        .unwrap();
        assert_eq!(before.as_slice::<f32>().unwrap(), &[1.0]);
        assert_eq!(v.read().unwrap().as_slice::<f32>().unwrap(), &[2.0]);
        assert_eq!(v.version(), 2);
    }

    #[test]
    fn reading_nothing_is_a_failed_precondition() {
        let v = Variable::new("w", DataType::Float, PartialShape::unknown());
        let e = v.read().unwrap_err();
        assert_eq!(e.code(), downpour_tensor::Code::FailedPrecondition);
        assert!(e.message().contains("uninitialized value w"));
    }

    #[test]
    fn several_variables_change_together_in_any_order() {
        let (a, b) = (variable(&[1.0]), variable(&[10.0]));
        for pair in [[&a, &b], [&b, &a]] {
            Variable::update_all(pair, |[x, y]| {
                x.as_mut_slice::<f32>().unwrap()[0] += y.as_slice::<f32>()?[0];
                Ok(())
            })
            .unwrap();
        }
        assert_eq!(b.read().unwrap().as_slice::<f32>().unwrap(), &[21.0]);
        assert!(Variable::update_all([&a, &a], |_| Ok(())).is_err());
    }
}

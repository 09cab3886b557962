//! Which variables are a server's part of every vector.

use std::collections::BTreeMap;

use downpour_tensor::{DataType, Result, Status, Tensor};

use super::arithmetic::unsupported;
use crate::gradient::{Gradient, Named};
use crate::values::Values;

/// Variables in order; every vector has one tensor like each of them.
#[derive(Debug)]
pub(crate) struct Layout {
    pub names: Vec<String>,
    /// Zeros of each variable's type and shape.
    pub zeros: Vec<Tensor>,
    places: BTreeMap<String, usize>,
}

impl Layout {
    /// Of these variables, as they are now.
    pub fn new<V: Values>(values: &V, names: Vec<String>) -> Result<Layout> {
        Layout::build(names, |name| values.get(name))
    }

    /// Of these variables, whose values are in a snapshot.
    pub fn of(values: &[Named<Tensor>], names: Vec<String>) -> Result<Layout> {
        let values: BTreeMap<&str, &Tensor> = values.iter().map(|(n, v)| (&n[..], v)).collect();
        Layout::build(names, |name| match values.get(name) {
            Some(value) => Ok((*value).clone()),
            None => Err(Status::not_found(format!("the snapshot has no variable '{name}'"))),
        })
    }

    fn build(names: Vec<String>, value: impl Fn(&str) -> Result<Tensor>) -> Result<Layout> {
        let mut zeros = Vec::with_capacity(names.len());
        let mut places = BTreeMap::new();
        for (place, name) in names.iter().enumerate() {
            let value = value(name)?;
            if !matches!(value.dtype(), DataType::Float | DataType::Double) {
                return Err(unsupported(value.dtype()).context(format!("the variable '{name}'")));
            }
            zeros.push(Tensor::zeros(value.dtype(), value.shape().clone())?);
            if places.insert(name.clone(), place).is_some() {
                return Err(Status::invalid_argument(format!("'{name}' is named twice")));
            }
        }
        Ok(Layout { names, zeros, places })
    }

    /// Whether a tensor can be a vector's at a place.
    pub fn fits(&self, place: usize, tensor: &Tensor) -> Result<()> {
        let Some(zero) = self.zeros.get(place) else {
            return Err(Status::internal("a vector has too many tensors"));
        };
        if zero.dtype() == tensor.dtype() && zero.shape() == tensor.shape() {
            return Ok(());
        }
        Err(Status::invalid_argument(format!(
            "'{}' is {} of shape {} in every vector; {} of shape {} does not fit",
            self.names[place],
            zero.dtype(),
            zero.shape(),
            tensor.dtype(),
            tensor.shape()
        )))
    }

    /// Where a gradient goes, if it fits there.
    pub fn place_of(&self, name: &str, gradient: &Gradient) -> Result<usize> {
        let Some(&place) = self.places.get(name) else {
            return Err(Status::invalid_argument(format!(
                "'{name}' is no part of the vectors on this server; do all replicas run the same model?"
            )));
        };
        match gradient {
            Gradient::Dense(value) => self.fits(place, value)?,
            Gradient::Sparse { indices, rows } => {
                rows_fit(&self.zeros[place], indices, rows, name)?;
            }
        }
        Ok(place)
    }
}

fn rows_fit(whole: &Tensor, indices: &Tensor, rows: &Tensor, name: &str) -> Result<()> {
    let numbers = indices.to_i64_vec()?;
    let height = whole.dims().first().copied().unwrap_or(0);
    let inside = |row: &i64| usize::try_from(*row).is_ok_and(|row| row < height);
    let fits = rows.dtype() == whole.dtype()
        && whole.rank() > 0
        && rows.dims().first() == Some(&numbers.len())
        && rows.dims().get(1..) == whole.dims().get(1..)
        && numbers.iter().all(inside);
    fits.then_some(()).ok_or_else(|| {
        Status::invalid_argument(format!(
            "rows of shape {} for {} numbers do not fit into '{name}' of shape {}",
            rows.shape(),
            numbers.len(),
            whole.shape()
        ))
    })
}

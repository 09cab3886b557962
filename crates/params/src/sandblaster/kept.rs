//! A server's vectors as additional values of its snapshot.

use std::sync::Arc;

use downpour_tensor::{Code, Result, Status, Tensor};
use prost::Message;

use super::Sandblaster;
use super::encoding::{number, vector};
use super::layout::Layout;
use super::messages::{MarkMessage, Saved};
use super::vectors::Vectors;
use crate::gradient::Named;

/// No variable of a graph begins with it.
const PREFIX: &str = "//sandblaster/";

/// The value that holds everything but the vectors.
const STATE: &str = "state";

/// Earlier starts that are remembered.
const LINEAGE: usize = 256;

impl Sandblaster {
    /// The vectors, and what is known of them, as values. `start` is this server's.
    pub(crate) fn saved(&self, start: u64) -> Result<Vec<Named<Tensor>>> {
        let vectors = self.vectors.lock();
        let Some(layout) = &vectors.layout else { return Ok(Vec::new()) };
        let state = Saved {
            term: vectors.term,
            executed: vectors.executed,
            numbers: vectors.numbers.clone(),
            names: layout.names.clone(),
            lineage: vectors.lineage.clone(),
            start: vectors.branch.unwrap_or(start),
        };
        let state = Tensor::vector(&state.encode_to_vec())?;
        let mut values = vec![(format!("{PREFIX}{STATE}"), state)];
        for (vector, tensors) in &vectors.vectors {
            let number = number(*vector);
            for (place, tensor) in tensors.iter().enumerate() {
                values.push((format!("{PREFIX}{number}/{place}"), tensor.clone()));
            }
        }
        Ok(values)
    }

    /// Takes what is its own out of a snapshot's values; the rest are variables.
    pub(crate) fn restored(&self, values: Vec<Named<Tensor>>) -> Result<Vec<Named<Tensor>>> {
        let (own, variables) = Vectors::split(values)?;
        if let Some(own) = own {
            *self.vectors.lock() = own;
        }
        Ok(variables)
    }
}

impl Vectors {
    /// A snapshot's vectors, if it has some, and its variables.
    pub(crate) fn split(
        values: Vec<Named<Tensor>>,
    ) -> Result<(Option<Vectors>, Vec<Named<Tensor>>)> {
        let (mut own, mut variables) = (Vec::new(), Vec::new());
        for (name, value) in values {
            match name.strip_prefix(PREFIX) {
                Some(name) => own.push((name.to_string(), value)),
                None => variables.push((name, value)),
            }
        }
        let Some(state) = own.iter().find(|(name, _)| name == STATE) else {
            return Ok((None, variables));
        };
        let state =
            Saved::decode(state.1.as_slice::<u8>()?).map_err(|e| damaged(&e.to_string()))?;
        let layout = Arc::new(Layout::of(&variables, state.names)?);
        let mut vectors = Vectors {
            term: state.term,
            executed: state.executed,
            numbers: state.numbers,
            lineage: state.lineage,
            ..Vectors::default()
        };
        for (name, tensor) in own.into_iter().filter(|(name, _)| name != STATE) {
            let parts = name.split_once('/').and_then(|(number, place)| {
                Some((number.parse().ok()?, place.parse::<usize>().ok()?))
            });
            let (number, place): (u32, usize) = parts.ok_or_else(|| damaged(&name))?;
            layout.fits(place, &tensor)?;
            let tensors = vectors.vectors.entry(vector(number)?);
            tensors.or_insert_with(|| layout.zeros.clone())[place] = tensor;
        }
        vectors.layout = Some(layout);
        vectors.lineage.push(MarkMessage { start: state.start, executed: state.executed });
        let extra = vectors.lineage.len().saturating_sub(LINEAGE);
        vectors.lineage.drain(..extra);
        Ok((Some(vectors), variables))
    }
}

fn damaged(what: &str) -> Status {
    Status::new(Code::DataLoss, format!("the vectors of a snapshot are damaged ({what})"))
}

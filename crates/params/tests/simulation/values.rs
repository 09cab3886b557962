//! A server's variables, which know of which pushes they are made.
//!
//! `ids` is the history: the number of every push that was applied, in order. `rows` is the same of what is applied by
//! itself, before the rest of its push. `w` has a place for each worker,
//! and `position/3` the place of worker 3 in its data and the push that said so. As variables they are in
//! snapshots and come back with them.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock, Weak};

use bytes::Bytes;
use downpour_params::{Gradient, Mode, Named, Store, Update, Values};
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;

use crate::check;
use crate::trace::Trace;

pub const IDS: &str = "ids";
pub const ROWS: &str = "rows";
pub const SUMS: &str = "w";
/// Which start of the server it is; not kept.
pub const START: &str = "start";

pub fn position_of(worker: u32) -> String {
    format!("position/{worker}")
}

pub struct TracedValues {
    pub server: usize,
    pub start: u64,
    pub mode: Mode,
    pub trace: Arc<Trace>,
    pub store: OnceLock<Weak<Store<TracedValues>>>,
    values: Mutex<BTreeMap<String, Tensor>>,
}

impl TracedValues {
    pub fn new(server: usize, start: u64, mode: Mode, trace: Arc<Trace>) -> TracedValues {
        let (store, values) = (OnceLock::new(), Mutex::default());
        TracedValues { server, start, mode, trace, store, values }
    }

    pub fn ids(&self) -> Vec<i64> {
        ids_of(self.values.lock().get(IDS))
    }

    fn rows(&self) -> Vec<i64> {
        ids_of(self.values.lock().get(ROWS))
    }
}

pub fn ids_of(tensor: Option<&Tensor>) -> Vec<i64> {
    tensor.and_then(|ids| ids.to_i64_vec().ok()).unwrap_or_default()
}

/// What a server has before anything was pushed.
pub fn first_values(workers: u32) -> Result<Vec<Named<Tensor>>> {
    let mut values = vec![
        (IDS.to_string(), Tensor::vector::<i64>(&[])?),
        (ROWS.to_string(), Tensor::vector::<i64>(&[])?),
        (SUMS.to_string(), Tensor::vector(&vec![0f64; workers as usize])?),
    ];
    for worker in 0..workers {
        values.push((position_of(worker), Tensor::vector(&[0i64, -1])?));
    }
    Ok(values)
}

/// A push that can be told from all others: one row under its number, and one in its worker's place.
pub fn update(id: i64, worker: u32, workers: u32, position: i64) -> Result<Update> {
    let mut places = vec![0f64; workers as usize];
    places[worker as usize] = 1.0;
    let row = Gradient::Sparse {
        indices: Tensor::vector(&[id])?,
        rows: Tensor::from_slice([1, 1], &[1f64])?,
    };
    Ok(Update {
        gradients: vec![
            (IDS.to_string(), row.clone()),
            (ROWS.to_string(), row),
            (SUMS.to_string(), Gradient::Dense(Tensor::vector(&places)?)),
        ],
        set: vec![(position_of(worker), Tensor::vector(&[position + 1, id])?)],
    })
}

impl Values for TracedValues {
    fn define(&self, _program: &Bytes) -> Result<()> {
        Ok(())
    }

    fn apply(&self, gradients: Vec<Named<Gradient>>, _steps: u64) -> Result<()> {
        let (mut ids, mut shares, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for (name, gradient) in &gradients {
            match (name.as_str(), gradient) {
                (IDS, Gradient::Sparse { indices, rows }) => {
                    ids = indices.to_i64_vec()?;
                    shares = rows.as_slice::<f64>()?.to_vec();
                }
                (SUMS, Gradient::Dense(value)) => places = value.as_slice::<f64>()?.to_vec(),
                _ => return Err(Status::invalid_argument(format!("a gradient of '{name}'"))),
            }
        }
        let before = self.ids();
        check::applied(self, &before, &ids, &shares, &places);
        check::complete(self, &ids, &self.rows());
        let mut values = self.values.lock();
        let old = values.get(SUMS).ok_or_else(|| Status::not_found("no sums"))?;
        let sums = old.as_slice::<f64>()?.iter().zip(&places).map(|(old, more)| old + more);
        let sums = Tensor::vector(&sums.collect::<Vec<f64>>())?;
        values.insert(SUMS.to_string(), sums);
        let all: Vec<i64> = before.iter().chain(&ids).copied().collect();
        values.insert(IDS.to_string(), Tensor::vector(&all)?);
        Ok(())
    }

    fn is_apart(&self, name: &str) -> bool {
        name == ROWS
    }

    fn apply_apart(&self, gradients: Vec<Named<Gradient>>) -> Result<()> {
        let [(_, Gradient::Sparse { indices, rows })] = &gradients[..] else {
            return Err(Status::invalid_argument("rows of one variable are applied by themselves"));
        };
        let (before, ids) = (self.rows(), indices.to_i64_vec()?);
        check::applied_apart(self, &before, &ids, rows.as_slice::<f64>()?);
        let all: Vec<i64> = before.into_iter().chain(ids).collect();
        self.values.lock().insert(ROWS.to_string(), Tensor::vector(&all)?);
        Ok(())
    }

    fn get(&self, name: &str) -> Result<Tensor> {
        if name == START {
            return Tensor::vector(&[self.start as i64]);
        }
        let value = self.values.lock().get(name).cloned();
        value.ok_or_else(|| Status::not_found(format!("there is no variable '{name}'")))
    }

    fn set(&self, name: &str, value: Tensor) -> Result<()> {
        if name.starts_with("position/")
            && let Some(&id) = ids_of(Some(&value)).get(1)
        {
            check::accepted(self, id);
        }
        self.values.lock().insert(name.to_string(), value);
        Ok(())
    }

    fn names(&self) -> Vec<String> {
        self.values.lock().keys().cloned().collect()
    }
}

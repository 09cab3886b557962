//! A server's variables, which know of which pushes they are made.
//!
//! `ids` is the history: the number of every push that was applied, in order. `rows` is the same of what is applied by
//! itself, before the rest of its push. `w` has a place for each worker,
//! and `position/3` the place of worker 3 in its data and the push that said so. As variables they are in
//! snapshots and come back with them.
//!
//! `shard/2` is a history as `ids`, of a variable that is on one server and moves to others.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock, Weak};

use bytes::Bytes;
use downpour_params::{Gradient, Mode, Named, Store, Update, Values};
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;

use crate::check;
use crate::layout::{Layout, shard_number};
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

    /// By number.
    pub fn shards(&self) -> BTreeMap<usize, Vec<i64>> {
        let values = self.values.lock();
        let shard =
            |(name, value): (&String, &Tensor)| Some((shard_number(name)?, ids_of(Some(value))));
        values.iter().filter_map(shard).collect()
    }

    /// Every shard that is here gets the same pushes as everything else here.
    fn apply_to_shards(&self, ids: &[i64], shards: BTreeMap<String, Vec<i64>>) -> Result<()> {
        let here: Vec<usize> = self.shards().into_keys().collect();
        let pushed: Vec<usize> = shards.keys().filter_map(|name| shard_number(name)).collect();
        if here != pushed || shards.values().any(|own| own != ids) {
            self.trace.violated(format!(
                "server {} has the shards {here:?}, and is pushed {ids:?} of {shards:?}",
                self.server
            ));
        }
        for (name, more) in shards {
            let before = ids_of(self.values.lock().get(&name));
            check::shard_applied(self, &name, &before, &more);
            let all: Vec<i64> = before.into_iter().chain(more).collect();
            self.values.lock().insert(name, Tensor::vector(&all)?);
        }
        Ok(())
    }
}

pub fn ids_of(tensor: Option<&Tensor>) -> Vec<i64> {
    tensor.and_then(|ids| ids.to_i64_vec().ok()).unwrap_or_default()
}

/// What a server has before anything was pushed.
pub fn first_values(workers: u32, layout: &Layout, server: usize) -> Result<Vec<Named<Tensor>>> {
    let mut values = vec![
        (IDS.to_string(), Tensor::vector::<i64>(&[])?),
        (ROWS.to_string(), Tensor::vector::<i64>(&[])?),
        (SUMS.to_string(), Tensor::vector(&vec![0f64; workers as usize])?),
    ];
    for worker in 0..workers {
        values.push((position_of(worker), Tensor::vector(&[0i64, -1])?));
    }
    for shard in layout.names_on(server) {
        values.push((shard, Tensor::vector::<i64>(&[])?));
    }
    Ok(values)
}

/// A push that can be told from all others: one row under its number, and one in its worker's place.
pub fn update(
    id: i64,
    (worker, workers): (u32, u32),
    position: i64,
    (layout, server): (&Layout, usize),
) -> Result<Update> {
    let mut places = vec![0f64; workers as usize];
    places[worker as usize] = 1.0;
    let row = Gradient::Sparse {
        indices: Tensor::vector(&[id])?,
        rows: Tensor::from_slice([1, 1], &[1f64])?,
    };
    let mut gradients = vec![
        (IDS.to_string(), row.clone()),
        (ROWS.to_string(), row.clone()),
        (SUMS.to_string(), Gradient::Dense(Tensor::vector(&places)?)),
    ];
    gradients.extend(layout.names_on(server).map(|shard| (shard, row.clone())));
    Ok(Update { gradients, set: vec![(position_of(worker), Tensor::vector(&[position + 1, id])?)] })
}

impl Values for TracedValues {
    fn define(&self, _program: &Bytes) -> Result<()> {
        Ok(())
    }

    fn apply(&self, gradients: Vec<Named<Gradient>>, _steps: u64) -> Result<()> {
        let (mut ids, mut shares, mut places) = (Vec::new(), Vec::new(), Vec::new());
        let mut shards = BTreeMap::new();
        for (name, gradient) in &gradients {
            match (name.as_str(), gradient) {
                (IDS, Gradient::Sparse { indices, rows }) => {
                    ids = indices.to_i64_vec()?;
                    shares = rows.as_slice::<f64>()?.to_vec();
                }
                (shard, Gradient::Sparse { indices, .. }) if shard_number(shard).is_some() => {
                    shards.insert(shard.to_string(), indices.to_i64_vec()?);
                }
                (SUMS, Gradient::Dense(value)) => places = value.as_slice::<f64>()?.to_vec(),
                _ => return Err(Status::invalid_argument(format!("a gradient of '{name}'"))),
            }
        }
        let before = self.ids();
        check::applied(self, &before, &ids, &shares, &places);
        check::complete(self, &ids, &self.rows());
        self.apply_to_shards(&ids, shards)?;
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
        if shard_number(name).is_some() {
            check::shard_set(self, name, &ids_of(Some(&value)));
        }
        self.values.lock().insert(name.to_string(), value);
        Ok(())
    }

    fn remove(&self, name: &str) -> Result<()> {
        let removed = self.values.lock().remove(name);
        removed.map(drop).ok_or_else(|| Status::not_found(format!("there is no variable '{name}'")))
    }

    fn names(&self) -> Vec<String> {
        self.values.lock().keys().cloned().collect()
    }
}

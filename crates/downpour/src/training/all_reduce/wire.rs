//! The connections between all workers, and what they tell each other over them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use downpour_cluster::ClusterKey;
use downpour_collectives::{
    Canceller, Door, GroupId, Mesh, MeshConfig, ReduceOp, SocketMesh, all_gather, all_reduce_many,
    broadcast, now,
};
use downpour_compress::{Compression, Compressor, Encoded, decode};
use downpour_params::Gradient;
use downpour_tensor::{ByteString, Bytes, DataType, Result, Status, Tensor};

use crate::record::Traffic;
use crate::training::exchange::traffic;
use crate::training::strategy::Placement;

/// Room for a worker's place in its data.
const ROOM: usize = 504;
/// A worker that says nothing within a step for so long is given up.
const PATIENCE: Duration = Duration::from_secs(120);

pub(super) struct Wire {
    mesh: SocketMesh,
    rank: usize,
    compressor: Option<Compressor>,
}

/// The group of all workers. Whoever knows it can join, so it is made of the cluster's key if there is one.
fn group() -> Result<GroupId> {
    let key = ClusterKey::from_environment()?;
    let key = key.map(|key| key.to_hex()).unwrap_or_default();
    Ok(GroupId::from_name(&format!("training{key}")))
}

/// What every worker tells the others before a step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Intent {
    GoOn,
    /// This step is its last.
    Last,
    /// It has no gradients any more.
    Gone,
}

impl Wire {
    /// Connects all workers, waiting for those that are not there yet.
    pub fn connect(
        door: &Door,
        addresses: Vec<String>,
        placement: &Placement,
        compression: Compression,
        (patience, give_up): (Duration, Arc<AtomicBool>),
    ) -> Result<Wire> {
        let rank = placement.index();
        let config = MeshConfig {
            deadline: Instant::now() + patience,
            give_up: Some(give_up),
            patience: PATIENCE,
            ..MeshConfig::new(group()?, rank, addresses)
        };
        let compressor = match compression {
            Compression::None => None,
            compression => Some(Compressor::new(compression, rank as u64)?),
        };
        Ok(Wire { mesh: SocketMesh::connect(door, &config)?, rank, compressor })
    }

    /// What it has moved over the network so far.
    pub fn traffic(&self) -> Traffic {
        let (sent, received) = self.mesh.moved();
        traffic(sent, received, self.compressor.as_slice())
    }

    /// Ends whatever is under way, from another thread.
    pub fn canceller(&self) -> Canceller {
        self.mesh.canceller()
    }

    /// Every worker's intent and place in its data.
    pub fn tell(&mut self, intent: Intent, position: &[u8]) -> Result<Vec<(Intent, Bytes)>> {
        let size = self.mesh.size();
        let short = position.len() <= ROOM;
        let mut own = vec![0u8; 8 + ROOM];
        own[0] = intent as u8;
        own[4..8].copy_from_slice(&(position.len() as u32).to_le_bytes());
        if short {
            own[8..8 + position.len()].copy_from_slice(position);
        }
        let mut all = vec![0u8; own.len() * size];
        now(all_gather(&mut self.mesh, &own, &mut all))?;
        let mut told = Vec::with_capacity(size);
        let mut long = false;
        for note in all.chunks_exact(8 + ROOM) {
            let intent = match note[0] {
                0 => Intent::GoOn,
                1 => Intent::Last,
                _ => Intent::Gone,
            };
            let length = u32::from_le_bytes([note[4], note[5], note[6], note[7]]) as usize;
            long |= length > ROOM;
            told.push((intent, Bytes::copy_from_slice(&note[8..8 + length.min(ROOM)])));
        }
        if long {
            // All see the same lengths, so all come here.
            for (note, whole) in told.iter_mut().zip(self.gather(position)?) {
                note.1 = whole;
            }
        }
        Ok(told)
    }

    /// Everybody's bytes, however many.
    pub fn gather(&mut self, own: &[u8]) -> Result<Vec<Bytes>> {
        let size = self.mesh.size();
        let mut lengths = vec![0u8; 8 * size];
        now(all_gather(&mut self.mesh, &(own.len() as u64).to_le_bytes(), &mut lengths))?;
        let (lengths, _) = lengths.as_chunks::<8>();
        let lengths: Vec<usize> = lengths.iter().map(|l| u64::from_le_bytes(*l) as usize).collect();
        let longest = lengths.iter().copied().max().unwrap_or(0);
        let whole = longest.checked_mul(size).ok_or_else(|| {
            Status::resource_exhausted("what the workers exchange would exceed any memory")
        })?;
        // Tensors, so that they count against the memory limit.
        let mut padded = Tensor::zeros(DataType::UInt8, [longest])?;
        let mut all = Tensor::new(DataType::UInt8, [whole])?;
        if let Some(bytes) = padded.bytes_mut() {
            bytes[..own.len()].copy_from_slice(own);
        }
        if let (Some(own), Some(all)) = (padded.bytes(), all.bytes_mut()) {
            now(all_gather(&mut self.mesh, own, all))?;
        }
        let all = all.to_bytes().unwrap_or_default();
        let part = |(rank, length): (usize, &usize)| {
            all.slice(rank * longest..rank * longest + (*length).min(longest))
        };
        Ok(lengths.iter().enumerate().map(part).collect())
    }

    /// Everybody gets the value that worker `root` has of a variable.
    pub fn share(&mut self, name: &str, value: &mut Tensor, root: usize) -> Result<()> {
        if value.dtype() == DataType::String {
            let own = value.strings()?.first().cloned().unwrap_or_default();
            let all = self.gather(if self.rank == root { &own } else { &[] })?;
            let shared = all.get(root).cloned().unwrap_or_default();
            *value = Tensor::string(ByteString::from_bytes(shared)?);
            return Ok(());
        }
        let mut copy = value.deep_copy()?;
        let bytes = copy.bytes_mut().ok_or_else(|| {
            Status::unimplemented(format!("the variable '{name}' cannot be given to other workers"))
        })?;
        now(broadcast(&mut self.mesh, bytes, root))?;
        *value = copy;
        Ok(())
    }

    /// The averages of everybody's gradients of these variables.
    pub fn average(&mut self, names: &[String], tensors: Vec<Tensor>) -> Result<Vec<Tensor>> {
        if self.compressor.is_some() {
            return self.average_packed(names, &tensors);
        }
        let mut tensors = tensors;
        // They are a bucket already.
        now(all_reduce_many(&mut self.mesh, &mut tensors, ReduceOp::Mean, usize::MAX))?;
        Ok(tensors)
    }

    /// Everybody's rows, with what makes their sum the average of all.
    pub fn average_rows(&mut self, indices: &Tensor, rows: &Tensor) -> Result<Vec<Tensor>> {
        let (dtypes, width) = ((indices.dtype(), rows.dtype()), rows.dims()[1..].to_vec());
        let plain = |tensor: &Tensor| {
            let bytes = tensor.to_bytes();
            bytes.ok_or_else(|| Status::internal("a gradient that is not made of numbers"))
        };
        let own = [plain(indices)?, plain(rows)?];
        let indices = self.gather(&own[0])?;
        let values = self.gather(&own[1])?;
        let joined = |dtype: DataType, parts: &[Bytes], width: &[usize]| {
            let bytes = Bytes::from(parts.concat());
            let row = width.iter().product::<usize>() * dtype.size();
            let mut dims = vec![bytes.len() / row.max(1)];
            dims.extend(width);
            Tensor::from_bytes(dtype, dims, bytes)
        };
        let mut gradient = Gradient::Sparse {
            indices: joined(dtypes.0, &indices, &[])?,
            rows: joined(dtypes.1, &values, &width)?,
        };
        gradient.scale(1.0 / self.mesh.size() as f64)?;
        match gradient {
            Gradient::Sparse { indices, rows } => Ok(vec![indices, rows]),
            Gradient::Dense(_) => Err(Status::internal("rows that have become whole")),
        }
    }

    /// Gradients that travel in fewer bytes: everybody gets everybody's.
    fn average_packed(&mut self, names: &[String], values: &[Tensor]) -> Result<Vec<Tensor>> {
        let size = self.mesh.size();
        let mut averages = Vec::with_capacity(values.len());
        for (name, value) in names.iter().zip(values) {
            let Some(compressor) = &mut self.compressor else { break };
            let own = compressor.encode(name, value)?.to_bytes();
            let mut sum: Option<Gradient> = None;
            for packed in self.gather(&own)? {
                let packed = Encoded::parse(packed)?;
                packed.expect(value.dtype(), value.shape())?;
                let one = Gradient::Dense(decode(&packed)?);
                match &mut sum {
                    Some(sum) => sum.add(one)?,
                    None => sum = Some(one),
                }
            }
            let Some(mut sum) = sum else { return Err(Status::internal("a group of nobody")) };
            sum.scale(1.0 / size as f64)?;
            if let Gradient::Dense(average) = sum {
                averages.push(average);
            }
        }
        Ok(averages)
    }
}

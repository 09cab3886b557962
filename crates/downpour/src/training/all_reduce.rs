//! Training without servers: every worker has all variables, and applies the average of everybody's gradients.
//!
//! Protocol, the same on every worker. Before the first step: who has the highest step gives its variables to all
//! (at first that is the chief, later whoever has survived). Each step: first every worker tells all others its
//! place in the data and whether it is going to end, which ends training for all after or instead of this step;
//! then gradients are averaged, and applied by everybody in the same way. So variables stay equal to the bit.
//! When a worker dies the others lose their connections, keep their values, and begin again when it is back.

use std::time::{Duration, Instant};

use downpour_collectives::{
    Door, GroupId, Mesh, MeshConfig, ReduceOp, SocketMesh, all_gather, all_reduce_many, broadcast,
    now,
};
use downpour_compress::{Compression, Compressor, Encoded, decode};
use downpour_params::{Gradient, Named};
use downpour_tensor::{Bytes, DataType, Result, Status, Tensor};

use super::exchange::{Assign, Exchange, Local, gradients_of, handed, values_here};
use super::strategy::Placement;
use crate::output::Output;
use crate::session::{Fetch, PreparedStep};
use crate::variable::Variable;

/// Small gradients travel together, up to so many bytes.
const BUCKET: usize = 4 << 20;
/// Room for a worker's place in its data.
const ROOM: usize = 504;
/// A worker that says nothing within a step for so long is given up.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct AllReduce {
    mesh: SocketMesh,
    rank: usize,
    compressor: Option<Compressor>,
    /// Made when training begins.
    plan: Option<Plan>,
    /// Everybody's place in the data, after the last step that was applied.
    positions: Vec<Tensor>,
    step: i64,
}

struct Plan {
    /// Applies gradients; fed in the order of the place's inputs.
    apply: PreparedStep,
    take_positions: Assign,
}

/// What every worker tells the others before a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Intent {
    GoOn,
    /// This step is its last.
    Last,
    /// It has no gradients any more.
    Gone,
}

impl AllReduce {
    /// Connects all workers, waiting for those that are not there yet.
    pub fn connect(
        door: &Door,
        addresses: Vec<String>,
        placement: &Placement,
        compression: Compression,
        patience: Duration,
    ) -> Result<AllReduce> {
        let rank = placement.index();
        let config = MeshConfig {
            deadline: Instant::now() + patience,
            patience: PATIENCE,
            ..MeshConfig::new(GroupId::from_name("training"), rank, addresses)
        };
        let compressor = match compression {
            Compression::None => None,
            compression => Some(Compressor::new(compression, rank as u64)?),
        };
        let mesh = SocketMesh::connect(door, &config)?;
        Ok(AllReduce { mesh, rank, compressor, plan: None, positions: Vec::new(), step: 0 })
    }

    /// Every worker's intent and place in its data.
    fn tell(&mut self, intent: Intent, position: &[u8]) -> Result<Vec<(Intent, Bytes)>> {
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
    fn gather(&mut self, own: &[u8]) -> Result<Vec<Bytes>> {
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

    /// Everybody gets the variables of the worker that is furthest.
    fn share_variables(&mut self, local: &Local<'_>, own_step: i64) -> Result<()> {
        let steps = self.gather(&own_step.to_le_bytes())?;
        let step = |bytes: &Bytes| bytes.as_ref().try_into().map_or(-1, i64::from_le_bytes);
        let steps: Vec<i64> = steps.iter().map(step).collect();
        let furthest = steps.iter().copied().max().unwrap_or(-1);
        let root = steps.iter().position(|step| *step == furthest).unwrap_or(0);
        let variables = local.program.graph.variables();
        let mut values = values_here(local.session, &variables)?;
        for (name, value) in &mut values {
            self.share(name, value, root)?;
        }
        Assign::new(local, &variables)?.run(values)
    }

    fn share(&mut self, name: &str, value: &mut Tensor, root: usize) -> Result<()> {
        if value.dtype() == DataType::String {
            let own = value.strings()?.first().cloned().unwrap_or_default();
            let all = self.gather(if self.rank == root { &own } else { &[] })?;
            *value = Tensor::string(all.get(root).cloned().unwrap_or_default());
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

    /// The average of everybody's gradients.
    fn average(&mut self, names: &[String], gradients: Vec<Gradient>) -> Result<Vec<Gradient>> {
        let size = self.mesh.size();
        let (mut dense, mut rows) = (Vec::new(), Vec::new());
        for (index, gradient) in gradients.into_iter().enumerate() {
            match gradient {
                Gradient::Dense(value) => dense.push((index, value)),
                Gradient::Sparse { indices, rows: values } => rows.push((index, indices, values)),
            }
        }
        let mut averages: Vec<(usize, Gradient)> = Vec::new();
        let (places, mut values): (Vec<usize>, Vec<Tensor>) = dense.into_iter().unzip();
        if self.compressor.is_some() {
            values = self.average_packed(names, &places, &values)?;
        } else {
            now(all_reduce_many(&mut self.mesh, &mut values, ReduceOp::Mean, BUCKET))?;
        }
        averages.extend(places.into_iter().zip(values.into_iter().map(Gradient::Dense)));
        for (index, indices, values) in rows {
            let (dtypes, width) = ((indices.dtype(), values.dtype()), values.dims()[1..].to_vec());
            let own: Vec<Bytes> = [indices, values].iter().filter_map(Tensor::to_bytes).collect();
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
            gradient.scale(1.0 / size as f64)?;
            averages.push((index, gradient));
        }
        averages.sort_by_key(|(index, _)| *index);
        Ok(averages.into_iter().map(|(_, gradient)| gradient).collect())
    }

    /// Gradients that travel in fewer bytes: everybody gets everybody's.
    fn average_packed(
        &mut self,
        names: &[String],
        places: &[usize],
        values: &[Tensor],
    ) -> Result<Vec<Tensor>> {
        let size = self.mesh.size();
        let mut averages = Vec::with_capacity(values.len());
        for (place, value) in places.iter().zip(values) {
            let Some(compressor) = &mut self.compressor else { break };
            let own = compressor.encode(&names[*place], value)?.to_bytes();
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

    fn plan(&self) -> Result<&Plan> {
        self.plan.as_ref().ok_or_else(|| Status::internal("training has not begun"))
    }
}

impl Exchange for AllReduce {
    fn begin(&mut self, local: &Local<'_>) -> Result<i64> {
        let own_step = match local.kept {
            Some(kept) => {
                let variables = local.program.graph.variables();
                Assign::new(local, &variables)?.run(kept.to_vec())?;
                step_here(local)?
            }
            None if self.rank == 0 => {
                (local.give_values)()?;
                step_here(local)?
            }
            None => {
                local.session.run(&[], &[&local.program.initialize])?;
                -1
            }
        };
        self.share_variables(local, own_step)?;
        let handed = handed(local)?;
        let place = handed.places.first();
        let place = place.ok_or_else(|| Status::internal("gradients that go nowhere"))?;
        let mut inputs: Vec<&Output> = Vec::new();
        for input in &place.inputs {
            inputs.extend(&input.indices);
            inputs.push(&input.values);
        }
        let apply = local.session.prepare(&inputs, &[&place.apply as &dyn Fetch])?;
        let take_positions = Assign::new(local, &local.program.positions)?;
        let positions = values_here(local.session, &local.program.positions)?;
        self.positions = positions.into_iter().map(|(_, position)| position).collect();
        self.plan = Some(Plan { apply, take_positions });
        self.step = step_here(local)?;
        Ok(self.step)
    }

    fn step(&mut self, local: &Local<'_>, gradients: &[Tensor], position: Tensor) -> Result<i64> {
        let intent = if local.stop.is_set() { Intent::Last } else { Intent::GoOn };
        let own = position.strings()?.first().cloned().unwrap_or_default();
        let told = self.tell(intent, &own)?;
        if told.iter().any(|(intent, _)| *intent != Intent::GoOn) {
            local.stop.stop();
        }
        if let Some(gone) = told.iter().position(|(intent, _)| *intent == Intent::Gone) {
            tracing::info!("worker {gone} has no more data: training ends");
            return Ok(self.step);
        }
        let handed = handed(local)?;
        let names: Vec<String> =
            handed.gradients.iter().map(|(v, _)| v.name().to_string()).collect();
        let averages = self.average(&names, gradients_of(handed, gradients)?)?;
        let mut feeds = Vec::with_capacity(averages.len());
        // One place has them all, in their order.
        for average in averages {
            match average {
                Gradient::Dense(value) => feeds.push(value),
                Gradient::Sparse { indices, rows } => feeds.extend([indices, rows]),
            }
        }
        self.plan()?.apply.run(feeds)?;
        self.positions = told.into_iter().map(|(_, bytes)| Tensor::string(bytes)).collect();
        self.step += 1;
        Ok(self.step)
    }

    fn refresh(&mut self, local: &Local<'_>) -> Result<()> {
        let names = local.program.positions.iter().map(|v: &Variable| v.name().to_string());
        self.plan()?.take_positions.run(names.zip(self.positions.iter().cloned()))
    }

    fn keep(&mut self, local: &Local<'_>) -> Option<Vec<Named<Tensor>>> {
        // Before the first step there is nothing to keep.
        self.plan.as_ref()?;
        self.refresh(local).ok()?;
        values_here(local.session, &local.program.graph.variables()).ok()
    }

    fn end(&mut self, _local: &Local<'_>) {
        // Who still goes on learns it with its next step; if all end, nobody listens.
        if let Err(e) = self.tell(Intent::Gone, &[]) {
            tracing::debug!("telling the other workers that training has ended here: {e}");
        }
    }
}

fn step_here(local: &Local<'_>) -> Result<i64> {
    local.session.fetch(&[], &local.program.global_step.value())?.to_scalar::<i64>()
}

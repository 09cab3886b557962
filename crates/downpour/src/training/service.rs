//! Training through the parameter service: Downpour SGD, synchronous with backups, bounded staleness.
//!
//! The chief tells the servers what is trained and gives their variables values; the others wait for that.
//! Every worker pushes under tags of its own start, so that whatever is repeated is applied once; its place in
//! the data goes with each push, and a worker that is started again goes on from there.
//!
//! Downpour SGD overlaps: one task at a time pushes and pulls while the next step is computed; `settle` waits
//! for it and takes what it brought.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use downpour_cluster::{
    ClusterSpec, Dialer, GradientInput, Metrics, Tcp, UpdateProgram, parameter_server,
};
use downpour_compress::{Compression, Compressor};
use downpour_params::{
    Client, Definition, Gradient, Mode, Named, Packed, Patience, Pulled, Update,
};
use downpour_tensor::{Result, Status, Tensor};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use super::exchange::{Assign, Exchange, Local, gradients_of, handed, values_here};
use super::steps::Servers;
use super::strategy::{Downpour, ParameterServer, Placement, Service, Way};
use super::subgraph::subgraph;
use crate::variable::Variable;

/// How often a worker gives a sign of life; servers wait several times as long for one.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// How often a worker looks whether the servers are ready for it.
const PAUSE: Duration = Duration::from_millis(50);

pub(crate) struct ServiceExchange {
    client: Arc<Client>,
    runtime: Handle,
    mode: Mode,
    downpour: Option<Downpour>,
    compressor: Option<Compressor>,
    worker: usize,
    beating: Option<JoinHandle<()>>,
    /// Made when training begins.
    plan: Option<Plan>,
    under_way: Option<JoinHandle<Result<Brought>>>,
    sums: Vec<Gradient>,
    /// Steps whose gradients are in the sums.
    added: u64,
    /// The place in the data after them.
    position: Option<Tensor>,
    /// Steps since the last parameters.
    since_fetch: u64,
    /// What the servers have counted.
    step: i64,
}

/// What goes where.
struct Plan {
    /// Of each server, the variables it changes.
    variables: Vec<Vec<Variable>>,
    /// What no update changes; the first server keeps it for those who come later.
    others: Vec<Variable>,
    /// Of each server, what workers compute with.
    parameters: Vec<Vec<String>>,
    take_parameters: Assign,
    take_all: Assign,
    /// The variable of this worker's place in its data.
    position: String,
}

/// What a push and a pull brought.
#[derive(Default)]
struct Brought {
    steps: Option<u64>,
    pulled: Option<Vec<Pulled>>,
}

impl ServiceExchange {
    pub fn new(
        runtime: Handle,
        cluster: &ClusterSpec,
        placement: &Placement,
        strategy: &ParameterServer,
        patience: Duration,
    ) -> Result<ServiceExchange> {
        let Way::Service(service) = &strategy.way else {
            return Err(Status::internal("a strategy whose gradients stay in the graph"));
        };
        let dialer = Dialer::new(Arc::new(Tcp), Metrics::new());
        let servers = cluster.tasks().filter(|task| task.job == "ps");
        let shard = |task: downpour_cluster::TaskAddress| {
            parameter_server(&dialer, &format!("ps/{}", task.task), &task.address)
        };
        let shards = servers.map(shard).collect();
        let worker = placement.index();
        let patience = Patience { total: patience, ..Patience::default() };
        let client = Arc::new(Client::new(worker as u32, incarnation(), shards, patience));
        let beating = runtime.spawn(beat(client.clone()));
        let compressor = match strategy.compression {
            Compression::None => None,
            compression => Some(Compressor::new(compression, worker as u64)?),
        };
        Ok(ServiceExchange {
            client,
            runtime,
            mode: service.mode(placement.workers() as u32)?,
            downpour: match service {
                Service::Downpour(downpour) => Some(*downpour),
                _ => None,
            },
            compressor,
            worker,
            beating: Some(beating),
            plan: None,
            under_way: None,
            sums: Vec::new(),
            added: 0,
            position: None,
            since_fetch: 0,
            step: 0,
        })
    }

    fn plan(&self) -> Result<&Plan> {
        self.plan.as_ref().ok_or_else(|| Status::internal("training has not begun"))
    }

    fn make_plan(&self, local: &Local<'_>) -> Result<Plan> {
        let program = local.program;
        let handed = handed(local)?;
        let mut variables: Vec<Vec<Variable>> =
            handed.places.iter().map(|place| place.variables.clone()).collect();
        variables[0].extend(program.positions.iter().cloned());
        let elsewhere = |v: &Variable| !variables.iter().flatten().any(|known| known == v);
        let others = program.graph.variables().into_iter().filter(elsewhere).collect::<Vec<_>>();
        let name = |input: &super::handed::Input| input.variable.name().to_string();
        let parameters = handed.places.iter().map(|place| place.inputs.iter().map(name).collect());
        let own = program.positions.get(self.worker);
        let own =
            own.ok_or_else(|| Status::internal("a worker without a place for its position"))?;
        let trained = handed.gradients.iter().map(|(variable, _)| variable);
        Ok(Plan {
            parameters: parameters.collect(),
            take_parameters: Assign::new(local, trained)?,
            take_all: Assign::new(local, unique(variables.iter().flatten()))?,
            position: own.name().to_string(),
            variables,
            others,
        })
    }

    fn definitions(&self, local: &Local<'_>, plan: &Plan) -> Result<Vec<Definition>> {
        let whole = local.program.graph.to_graph_def()?;
        let handed = handed(local)?;
        let definition = |(number, place): (usize, &super::handed::Place)| {
            let input = |input: &super::handed::Input| GradientInput {
                variable: input.variable.name().to_string(),
                values: input.values.name(),
                indices: input.indices.as_ref().map(|rows| rows.name()).unwrap_or_default(),
            };
            let mut variables = plan.variables[number].clone();
            if number == 0 {
                variables.extend(plan.others.iter().cloned());
            }
            let program = UpdateProgram {
                graph: subgraph(&whole, &place.apply.name())?,
                inputs: place.inputs.iter().map(input).collect(),
                apply: place.apply.name(),
                global_step: local.program.global_step.name().to_string(),
                variables: variables.iter().map(|v| v.name().to_string()).collect(),
            };
            Ok(Definition { program: program.to_bytes(), mode: self.mode })
        };
        handed.places.iter().enumerate().map(definition).collect()
    }

    /// Waits until every server has values and the worker may begin. The chief gives them.
    fn ready(&mut self, local: &Local<'_>, plan: &Plan) -> Result<()> {
        let deadline = Instant::now() + local.patience;
        let warm = self.downpour.map_or(0, |downpour| downpour.warm_start);
        let mut given = false;
        loop {
            let joined = self.runtime.block_on(self.client.join())?;
            let ready = joined.iter().all(|server| server.ready);
            let warmed = self.worker == 0 || joined[0].steps >= warm;
            if ready && warmed {
                return Ok(());
            }
            if self.worker == 0 && !given {
                (local.give_values)()?;
                for (number, _) in joined.iter().enumerate().filter(|(_, server)| !server.ready) {
                    self.give(local, plan, number)?;
                }
                given = true;
                continue;
            }
            if local.stop.is_set() {
                return Err(Status::cancelled("stopped while waiting for the chief"));
            }
            if Instant::now() > deadline {
                let what = match ready {
                    true => "train alone for its warm start",
                    false => "give the parameter servers their values",
                };
                return Err(Status::deadline_exceeded(format!(
                    "waited {} s for the chief to {what}; is it running? Its log says why it is not done.",
                    local.patience.as_secs()
                )));
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// A server gets the values that are here.
    fn give(&self, local: &Local<'_>, plan: &Plan, server: usize) -> Result<()> {
        let mut variables = plan.variables[server].clone();
        if server == 0 {
            variables.extend(plan.others.iter().cloned());
        }
        let values = values_here(local.session, &variables)?;
        let step = local.session.fetch(&[], &local.program.global_step.value())?;
        let step = step.to_scalar::<i64>()?.max(0) as u64;
        self.runtime.block_on(self.client.put(server, &values, true, step))
    }

    /// Everything the servers have that updates change.
    fn take_all(&self, plan: &Plan) -> Result<()> {
        let mut values = Vec::new();
        // What all servers have (the global step) is taken from the first.
        for (server, variables) in plan.variables.iter().enumerate().rev() {
            let names: Vec<String> = variables.iter().map(|v| v.name().to_string()).collect();
            values.extend(self.runtime.block_on(self.client.read(server, &names))?.values);
        }
        plan.take_all.run(values)
    }

    fn others(&self, local: &Local<'_>, plan: &Plan) -> Result<()> {
        let names: Vec<String> = plan.others.iter().map(|v| v.name().to_string()).collect();
        if names.is_empty() {
            return Ok(());
        }
        let read = self.runtime.block_on(self.client.read(0, &names))?;
        Assign::new(local, &plan.others)?.run(read.values)
    }

    /// The sums so far, for each server, and nothing is left of them.
    fn updates(&mut self, local: &Local<'_>, position: Tensor) -> Result<Vec<Packed>> {
        let sums = std::mem::take(&mut self.sums);
        let plan = self.plan()?;
        let mut updates: Vec<Update> = Vec::new();
        for place in &handed(local)?.places {
            let named = |input: &super::handed::Input| -> Named<Gradient> {
                (input.variable.name().to_string(), sums[input.index].clone())
            };
            let gradients = place.inputs.iter().map(named).collect();
            updates.push(Update { gradients, set: Vec::new() });
        }
        updates[0].set.push((plan.position.clone(), position));
        updates.iter().map(|update| update.pack(self.compressor.as_mut())).collect()
    }

    /// Hands over what was added up since the last push, though it is not time for it.
    fn flush(&mut self, local: &Local<'_>) -> Result<()> {
        self.settle()?;
        let Some(position) = self.position.take().filter(|_| self.added > 0) else { return Ok(()) };
        let updates = (self.updates(local, position)?, std::mem::take(&mut self.added));
        self.start(Some(updates), false)?;
        self.settle()
    }

    /// Waits for what is under way, and takes what it brought.
    fn settle(&mut self) -> Result<()> {
        let Some(under_way) = self.under_way.take() else { return Ok(()) };
        let brought = self.runtime.block_on(under_way);
        let lost = |e| Status::internal(format!("an exchange has failed: {e}"));
        let Brought { steps, pulled } = brought.map_err(lost)??;
        if let Some(steps) = steps {
            self.step = steps as i64;
        }
        if let Some(pulled) = pulled {
            self.step = self.step.max(pulled[0].steps as i64);
            let values = pulled.into_iter().flat_map(|server| server.values);
            self.plan()?.take_parameters.run(values)?;
        }
        Ok(())
    }

    /// Pushes and pulls in the background, whatever of it is due.
    fn start(&mut self, updates: Option<(Vec<Packed>, u64)>, pull: bool) -> Result<()> {
        let client = self.client.clone();
        let names = pull.then(|| self.plan().map(|plan| plan.parameters.clone())).transpose()?;
        self.under_way = Some(self.runtime.spawn(async move {
            let mut brought = Brought::default();
            if let Some((updates, steps)) = updates {
                let pushed = client.push_packed(updates, steps).await?;
                brought.steps = pushed.first().map(|first| first.steps);
            }
            if let Some(names) = names {
                brought.pulled = Some(client.pull(&names).await?);
            }
            Ok(brought)
        }));
        Ok(())
    }
}

impl Exchange for ServiceExchange {
    fn begin(&mut self, local: &Local<'_>) -> Result<i64> {
        let plan = self.make_plan(local)?;
        let definitions = self.definitions(local, &plan)?;
        self.runtime.block_on(self.client.define(&definitions))?;
        self.ready(local, &plan)?;
        // Everything must have a value before a part of it is taken.
        local.session.run(&[], &[&local.program.initialize])?;
        self.take_all(&plan)?;
        self.others(local, &plan)?;
        self.plan = Some(plan);
        // Its version is what the first gradients are of.
        self.start(None, true)?;
        self.settle()?;
        local.session.fetch(&[], &local.program.global_step.value())?.to_scalar::<i64>()
    }

    fn step(&mut self, local: &Local<'_>, gradients: &[Tensor], position: Tensor) -> Result<i64> {
        let gradients = gradients_of(handed(local)?, gradients)?;
        match self.sums.is_empty() {
            true => self.sums = gradients,
            false => {
                for (sum, gradient) in self.sums.iter_mut().zip(gradients) {
                    sum.add(gradient)?;
                }
            }
        }
        self.added += 1;
        self.position = Some(position.clone());
        self.since_fetch += 1;
        let Downpour { fetch_every, push_every, overlap, .. } =
            self.downpour.unwrap_or(Downpour { overlap: false, ..Downpour::default() });
        let push = self.added >= u64::from(push_every.max(1));
        let fetch = self.since_fetch >= u64::from(fetch_every.max(1));
        if push || fetch {
            self.settle()?;
            let updates = match push {
                true => Some((self.updates(local, position)?, std::mem::take(&mut self.added))),
                false => None,
            };
            if fetch {
                self.since_fetch = 0;
            }
            self.start(updates, fetch)?;
            if !overlap {
                self.settle()?;
            }
        }
        Ok(self.step + self.added as i64)
    }

    fn refresh(&mut self, local: &Local<'_>) -> Result<()> {
        self.flush(local)?;
        let plan = self.plan()?;
        self.take_all(plan)?;
        if self.worker == 0 && !plan.others.is_empty() {
            let others = values_here(local.session, &plan.others)?;
            self.runtime.block_on(self.client.put(0, &others, false, 0))?;
        }
        Ok(())
    }

    fn servers(&self) -> Option<Servers> {
        let parameters = self.plan.as_ref()?.parameters.clone();
        let (client, runtime) = (self.client.clone(), self.runtime.clone());
        Some(Servers { client, runtime, parameters })
    }

    fn end(&mut self, local: &Local<'_>) {
        let left = self.flush(local).and_then(|()| self.runtime.block_on(self.client.leave()));
        if let Err(e) = left {
            tracing::warn!("leaving the parameter servers: {e}");
        }
    }
}

impl Drop for ServiceExchange {
    fn drop(&mut self) {
        if let Some(beating) = self.beating.take() {
            beating.abort();
        }
        if let Some(under_way) = self.under_way.take() {
            under_way.abort();
        }
    }
}

fn unique<'v>(variables: impl Iterator<Item = &'v Variable>) -> Vec<&'v Variable> {
    let mut all: Vec<&Variable> = Vec::new();
    for variable in variables {
        if !all.contains(&variable) {
            all.push(variable);
        }
    }
    all
}

/// Gives signs of life until it is ended.
async fn beat(client: Arc<Client>) {
    loop {
        tokio::time::sleep(HEARTBEAT).await;
        // If this start's time is over, the next push or pull says so.
        if let Err(e) = client.beat().await {
            tracing::debug!("a sign of life to the parameter servers: {e}");
        }
    }
}

/// Later starts have larger numbers.
pub(crate) fn incarnation() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(1, |time| time.as_micros() as u64)
}

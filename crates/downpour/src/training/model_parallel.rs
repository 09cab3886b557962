//! Model parallelism: the parts of one model on several tasks, and batches that go through them in parts.

use std::sync::Arc;

use downpour_cluster::ClusterSpec;
use downpour_tensor::{Result, Status};

use super::strategy::{Place, Placement, Strategy, own_place};
use crate::pipeline::{Cut, Parts, PipelineSchedule};

/// One model over several tasks: each holds the variables of its part and computes with them.
///
/// Every process of the cluster runs the same program, as with
/// [`ParameterServer`](super::ParameterServer): tasks of the job `ps` serve, the others train. A worker
/// drives a model whose first part is on the worker itself; further parts are on its share of the `ps`
/// tasks: with one worker and three servers there are four tasks, counted from 0.
///
/// The model is the same [`Model`](super::Model) as ever. Variables go where the scope in their name was
/// put ([`ModelParallel::by_scope`]), or the model is cut into stages that take equally long
/// ([`ModelParallel::balanced`]); computations follow the variables.
///
/// With [`micro_batches`](ModelParallel::micro_batches) it is a pipeline: the parts of a batch go through
/// the stages one behind the other, gradients are summed, and variables change once per batch, as they
/// would without. That holds for a loss that is a mean over the rows of a batch. What looks at a whole
/// batch sees a part instead: batch normalisation normalises by the part's mean and variance, and its
/// moving averages follow those of the last part. Dropout draws other numbers.
///
/// Several workers are several such models over the same variables, each with its own share of the data
/// and of the servers; each changes the variables when it is ready.
///
/// ```
/// use downpour::pipeline::PipelineSchedule;
/// use downpour::training::{ModelParallel, Strategy};
/// let by_hand = ModelParallel::by_scope([("embedding", 0), ("tower", 1)]);
/// let pipeline = ModelParallel::balanced()
///     .micro_batches(8)
///     .schedule(PipelineSchedule::OneForwardOneBackward);
/// let strategy = Strategy::from(pipeline);
/// ```
#[derive(Clone, Debug)]
pub struct ModelParallel {
    scopes: Option<Vec<(String, usize)>>,
    stages: Option<usize>,
    measured: Option<Arc<Vec<(String, f64)>>>,
    micro_batches: usize,
    schedule: PipelineSchedule,
    place: Option<Place>,
}

impl From<ModelParallel> for Strategy {
    fn from(strategy: ModelParallel) -> Strategy {
        Strategy::ModelParallel(strategy)
    }
}

impl ModelParallel {
    fn new(scopes: Option<Vec<(String, usize)>>) -> ModelParallel {
        ModelParallel {
            scopes,
            stages: None,
            measured: None,
            micro_batches: 1,
            schedule: PipelineSchedule::default(),
            place: None,
        }
    }

    /// Scopes, each with the number of its task. What is in none of them follows what it takes.
    pub fn by_scope<S: Into<String>>(
        scopes: impl IntoIterator<Item = (S, usize)>,
    ) -> ModelParallel {
        let scopes = scopes.into_iter().map(|(scope, task)| (scope.into(), task));
        ModelParallel::new(Some(scopes.collect()))
    }

    /// A part for every task, so that all take equally long by what shapes tell.
    pub fn balanced() -> ModelParallel {
        ModelParallel::new(None)
    }

    /// Balances by what nodes of the same model took in an earlier run, here or in one process:
    /// `.measured(pipeline::node_times("runs/mnist-mlp/timeline.json")?)`.
    pub fn measured(mut self, node_times: Vec<(String, f64)>) -> ModelParallel {
        self.measured = Some(Arc::new(node_times));
        self
    }

    /// Cuts into so many parts, not into one for each task; the last tasks have none.
    pub fn stages(mut self, stages: usize) -> ModelParallel {
        self.stages = Some(stages);
        self
    }

    /// Sends a batch through the stages in so many parts.
    pub fn micro_batches(mut self, count: usize) -> ModelParallel {
        self.micro_batches = count;
        self
    }

    /// In which order a stage works on the parts of a batch.
    pub fn schedule(mut self, schedule: PipelineSchedule) -> ModelParallel {
        self.schedule = schedule;
        self
    }

    /// This process is a task of a cluster, whatever TF_CONFIG says.
    pub fn task(mut self, cluster: ClusterSpec, job: &str, task: u32) -> ModelParallel {
        self.place = Some((cluster, job.to_string(), task));
        self
    }

    /// The cluster and this process's place in it.
    pub(crate) fn own_place(&self) -> Result<Place> {
        own_place(&self.place, "ModelParallel", "--ps 1 --workers 1")
    }

    fn parts(&self, stages: usize) -> Result<Parts> {
        if self.micro_batches == 0 {
            return Err(Status::invalid_argument("a batch has at least one micro-batch, not 0"));
        }
        let cut = match &self.scopes {
            Some(scopes) => Cut::Scopes(scopes.clone()),
            None => Cut::Balanced { stages, measured: self.measured.clone() },
        };
        Ok(Parts {
            cut,
            stages,
            micro_batches: self.micro_batches,
            schedule: Some(self.schedule),
            compute: Vec::new(),
            variables: Vec::new(),
        })
    }

    /// One process that builds everything and runs nothing: to find mistakes.
    pub(crate) fn check_placement(&self) -> Result<Placement> {
        let named = self.scopes.iter().flatten().map(|(_, task)| task + 1).max();
        let stages = self.stages.or(named).unwrap_or(1);
        Ok(Placement::local().in_parts(Vec::new(), self.parts(stages)?))
    }

    /// A training task of a cluster.
    pub(crate) fn placement(
        &self,
        cluster: &ClusterSpec,
        job: &str,
        task: u32,
    ) -> Result<Placement> {
        let workers = Placement::of_workers(cluster, job, task)?;
        let servers: Vec<u32> = cluster.tasks().filter(|t| t.job == "ps").map(|t| t.task).collect();
        let groups = workers.workers();
        if !servers.len().is_multiple_of(groups) {
            return Err(Status::invalid_argument(format!(
                "model parallelism gives every worker as many servers as the others, but there are {} servers \
                 for {groups} workers",
                servers.len()
            )));
        }
        let share = servers.len() / groups;
        let tasks = share + 1;
        let stages = self.stages.unwrap_or(tasks);
        if stages == 0 || stages > tasks {
            return Err(Status::invalid_argument(format!(
                "the model is to be cut into {stages} stages, and there are {tasks} tasks for it: a worker and \
                 {share} servers. Start one server less than there are stages for every worker."
            )));
        }
        let server = |i: usize| format!("/job:ps/task:{}", servers[i]);
        let mut parts = self.parts(stages)?;
        let of_group = |group: usize| -> Vec<String> {
            let own = (0..share).map(|i| server(group * share + i));
            workers.trainer(group).into_iter().chain(own).take(stages).collect()
        };
        parts.compute = of_group(workers.index());
        parts.variables = of_group(0);
        let mut home = Vec::new();
        // A worker that is done goes away: what others still need is on servers. Those of the first worker
        // have the other stages, so the first stage is with the second worker's.
        if groups > 1 {
            if share == 0 {
                return Err(Status::invalid_argument(
                    "several workers share variables, which need a job 'ps' in the cluster",
                ));
            }
            parts.variables[0] = server(share);
            home.push(servers[share]);
        }
        Ok(workers.in_parts(home, parts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cluster(servers: usize, workers: usize) -> ClusterSpec {
        let list = |from: usize, count: usize| {
            let all: Vec<String> = (0..count).map(|i| format!("\"h:{}\"", from + i)).collect();
            all.join(",")
        };
        let text =
            format!(r#"{{"ps": [{}], "worker": [{}]}}"#, list(100, servers), list(1, workers));
        ClusterSpec::from_json(&text).unwrap()
    }

    #[test]
    fn a_worker_has_the_first_stage_and_its_servers_the_others() {
        let place = ModelParallel::balanced().placement(&cluster(2, 1), "worker", 0).unwrap();
        let parts = place.parts().unwrap();
        let tasks = ["/job:worker/task:0", "/job:ps/task:0", "/job:ps/task:1"];
        assert_eq!(
            (&parts.compute[..], &parts.variables[..]),
            (&tasks.map(String::from)[..], &tasks.map(String::from)[..])
        );
        assert_eq!(parts.stages, 3);
    }

    #[test]
    fn workers_share_the_variables_of_a_stage() {
        let cluster = cluster(4, 2);
        let place = ModelParallel::balanced().placement(&cluster, "worker", 1).unwrap();
        let parts = place.parts().unwrap();
        assert_eq!(parts.compute, ["/job:worker/task:1", "/job:ps/task:2", "/job:ps/task:3"]);
        assert_eq!(parts.variables, ["/job:ps/task:2", "/job:ps/task:0", "/job:ps/task:1"]);
        let filters = place.device_filters();
        assert!(!filters.contains(&"/job:worker/task:0".to_string()), "{filters:?}");
        assert_eq!((place.workers(), place.index()), (2, 1));
    }

    #[test]
    fn stages_without_tasks_are_refused() {
        let three = ModelParallel::balanced().stages(3);
        let refused = three.placement(&cluster(1, 1), "worker", 0).unwrap_err();
        assert!(refused.message().contains("3 stages, and there are 2 tasks"), "{refused}");
        let uneven = ModelParallel::balanced().placement(&cluster(3, 2), "worker", 0).unwrap_err();
        assert!(uneven.message().contains("3 servers for 2 workers"), "{uneven}");
        let none = ModelParallel::balanced().micro_batches(0).check_placement().unwrap_err();
        assert!(none.message().contains("at least one micro-batch"), "{none}");
    }
}

//! Where a process stands among those that train, and where variables go.

use downpour_cluster::ClusterSpec;
use downpour_tensor::{Result, Status};
use parking_lot::Mutex;

use crate::graph::Graph;
use crate::pipeline::Parts;
use crate::training::source::Share;

/// A process's place in training.
#[derive(Clone, Debug)]
pub(crate) struct Placement {
    /// The training tasks, the chief first: (job, number).
    trainers: Vec<(String, u32)>,
    index: usize,
    servers: Vec<u32>,
    /// How the model is spread over tasks, where it is.
    parts: Option<Parts>,
    /// The graph runs in this process, whatever the cluster is.
    own_graph: bool,
}

impl Placement {
    /// One process for everything.
    pub fn local() -> Placement {
        Placement {
            trainers: Vec::new(),
            index: 0,
            servers: Vec::new(),
            parts: None,
            own_graph: true,
        }
    }

    /// A training task of a cluster with parameter servers.
    pub fn in_cluster(cluster: &ClusterSpec, job: &str, task: u32) -> Result<Placement> {
        let placement = Placement::of_workers(cluster, job, task)?;
        let servers: Vec<u32> = tasks_of(cluster, "ps").collect();
        if servers.is_empty() {
            return Err(Status::invalid_argument(
                "the strategy ParameterServer needs a job 'ps' in the cluster; without parameter servers use \
                 Strategy::Local",
            ));
        }
        Ok(Placement { servers, own_graph: false, ..placement })
    }

    /// A training task of a cluster without.
    pub fn of_workers(cluster: &ClusterSpec, job: &str, task: u32) -> Result<Placement> {
        let mut trainers = Vec::new();
        for job in ["chief", "master", "worker"] {
            trainers.extend(tasks_of(cluster, job).map(|task| (job.to_string(), task)));
        }
        let own = trainers.iter().position(|(j, t)| j == job && *t == task);
        let index = own.ok_or_else(|| {
            Status::invalid_argument(format!(
                "/job:{job}/task:{task} does not train: training tasks are of the jobs chief, master and worker"
            ))
        })?;
        Ok(Placement { trainers, index, servers: Vec::new(), parts: None, own_graph: true })
    }

    /// The same with a model in parts; `servers` have the variables that are of no part.
    pub fn in_parts(self, servers: Vec<u32>, parts: Parts) -> Placement {
        Placement { servers, parts: Some(parts), own_graph: false, ..self }
    }

    /// How the model is spread over tasks, where it is.
    pub fn parts(&self) -> Option<&Parts> {
        self.parts.as_ref()
    }

    /// The device of a training task.
    pub fn trainer(&self, index: usize) -> Option<String> {
        let (job, task) = self.trainers.get(index)?;
        Some(format!("/job:{job}/task:{task}"))
    }

    /// Where the training tasks are, in their order.
    pub fn addresses(&self, cluster: &ClusterSpec) -> Result<Vec<String>> {
        let address = |(job, task): &(String, u32)| cluster.task(job, *task).map(|t| t.address);
        self.trainers.iter().map(address).collect()
    }

    /// How many processes train.
    pub fn workers(&self) -> usize {
        self.trainers.len().max(1)
    }

    /// This one's number among them.
    pub fn index(&self) -> usize {
        self.index
    }

    pub fn is_chief(&self) -> bool {
        self.index == 0
    }

    pub fn share(&self) -> Share {
        Share { index: self.index, count: self.workers() }
    }

    /// `worker/0`, or `local`.
    pub fn task_name(&self) -> String {
        match self.trainers.get(self.index) {
            Some((job, task)) => format!("{job}/{task}"),
            None => "local".to_string(),
        }
    }

    /// The device for everything that is not a variable.
    pub fn compute(&self) -> Option<String> {
        if self.own_graph {
            return None;
        }
        let (job, task) = self.trainers.get(self.index)?;
        Some(format!("/job:{job}/task:{task}"))
    }

    /// The tasks a session of this process needs: others may be away.
    pub fn device_filters(&self) -> Vec<String> {
        if let Some(parts) = &self.parts {
            let mut tasks = [parts.compute.clone(), parts.variables.clone()].concat();
            tasks.sort();
            tasks.dedup();
            return tasks;
        }
        match self.compute() {
            Some(own) => vec!["/job:ps".to_string(), own],
            None => Vec::new(),
        }
    }

    /// The server for things that exist once, as queues.
    pub fn first_server(&self) -> Option<String> {
        self.servers.first().map(|task| format!("/job:ps/task:{task}"))
    }

    /// How many servers there are.
    pub fn servers(&self) -> usize {
        self.servers.len()
    }

    /// A place of the same task whose graph is its own: variables and all.
    pub fn alone(&self) -> Placement {
        Placement { servers: Vec::new(), own_graph: true, ..self.clone() }
    }

    /// Puts each new variable on the server that has the fewest bytes.
    pub fn apply(&self, graph: &Graph) {
        if self.servers.is_empty() {
            return;
        }
        let servers = self.servers.clone();
        let balance = Mutex::new(Balance::new(servers.len()));
        graph.place_variables(move |_, bytes| {
            let least = balance.lock().put(bytes);
            format!("/job:ps/task:{}", servers[least])
        });
    }
}

/// The numbers of a job's tasks.
fn tasks_of<'a>(cluster: &'a ClusterSpec, job: &'a str) -> impl Iterator<Item = u32> + 'a {
    cluster.tasks().filter(move |task| task.job == job).map(|task| task.task)
}

/// Hands out places so that all get about as many bytes.
pub(crate) struct Balance(Vec<u64>);

impl Balance {
    /// At least one place.
    pub fn new(places: usize) -> Balance {
        Balance(vec![0; places.max(1)])
    }

    /// Places that have something already.
    pub fn of(loads: Vec<u64>) -> Balance {
        Balance(loads)
    }

    /// The place for so many bytes.
    pub fn put(&mut self, bytes: u64) -> usize {
        let least = self.0.iter().enumerate().min_by_key(|(_, load)| **load);
        // There is one.
        let place = least.map_or(0, |(place, _)| place);
        self.0[place] += bytes;
        place
    }

    /// Divides so many bytes so that places which have less than others get them first.
    pub fn fill(&mut self, bytes: u64) -> Vec<u64> {
        let mut order: Vec<usize> = (0..self.0.len()).collect();
        order.sort_by_key(|place| self.0[*place]);
        // The emptiest places are raised to one level, which the bytes suffice for.
        let (mut raised, mut level) = (1, 0);
        let mut sum = 0u64;
        for (count, place) in order.iter().enumerate() {
            let load = self.0[*place];
            if count > 0 && sum + bytes < load.saturating_mul(count as u64) {
                break;
            }
            sum += load;
            raised = count + 1;
            level = (sum + bytes) / raised as u64;
        }
        let mut shares = vec![0; self.0.len()];
        let mut left = bytes;
        for place in &order[..raised] {
            let share = level.saturating_sub(self.0[*place]).min(left);
            shares[*place] = share;
            left -= share;
        }
        // Of the division.
        shares[order[0]] += left;
        self.0.iter_mut().zip(&shares).for_each(|(load, share)| *load += share);
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::initializers;
    use downpour_tensor::DataType;

    fn cluster() -> ClusterSpec {
        ClusterSpec::from_json(r#"{"ps": ["a:1", "b:1"], "worker": ["c:1", "d:1"]}"#).unwrap()
    }

    #[test]
    fn variables_go_where_the_fewest_bytes_are() {
        let place = Placement::in_cluster(&cluster(), "worker", 1).unwrap();
        assert_eq!((place.workers(), place.is_chief()), (2, false));
        assert_eq!(place.device_filters(), ["/job:ps", "/job:worker/task:1"]);
        let graph = Graph::new();
        place.apply(&graph);
        let mut devices = Vec::new();
        for (i, size) in [100usize, 10, 10, 90].into_iter().enumerate() {
            let name = format!("v{i}");
            let v = graph.variable(&name, [size], DataType::Float, initializers::zeros()).unwrap();
            devices.push(v.device());
        }
        let (first, second) = ("/job:ps/task:0", "/job:ps/task:1");
        assert_eq!(devices, [first, second, second, second]);
    }

    #[test]
    fn bytes_fill_up_the_emptiest() {
        let mut balance = Balance(vec![10, 0, 4]);
        assert_eq!(balance.fill(4), [0, 4, 0]);
        assert_eq!(balance.fill(13), [0, 7, 6]);
        assert_eq!(balance.fill(4).iter().sum::<u64>(), 4);
        assert_eq!(Balance::new(0).fill(3), [3]);
    }

    #[test]
    fn who_does_not_train_is_told() {
        let refused = Placement::in_cluster(&cluster(), "ps", 0).unwrap_err();
        assert!(refused.message().contains("does not train"), "{refused}");
        let alone = ClusterSpec::from_json(r#"{"worker": ["c:1"]}"#).unwrap();
        let refused = Placement::in_cluster(&alone, "worker", 0).unwrap_err();
        assert!(refused.message().contains("needs a job 'ps'"), "{refused}");
    }
}

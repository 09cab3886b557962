//! Which processes make a cluster.

use std::ffi::OsString;
use std::path::Path;

use downpour_tensor::{Result, Status};
use serde_json::{Map, Value, json};

use super::environment::{Variable, cluster_key, common, tf_config};
use super::{RunArgs, ports};

/// Parameter servers and workers of one run.
const MOST: u64 = 1000;

/// What a process is for, which decides what its end means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A Downpour server: runs until it is stopped.
    Server,
    /// The command as a parameter server: ended with the servers if it has not ended by itself.
    Background,
    /// The command of a chief, a worker or an evaluator: the run is over when all of them have ended.
    Client,
}

/// One process of the run.
#[derive(Clone, Debug)]
pub struct Unit {
    /// `worker/0`, or `worker/0 server`.
    pub name: String,
    pub role: Role,
    pub program: OsString,
    pub arguments: Vec<OsString>,
    pub environment: Vec<Variable>,
    /// Where a server will listen.
    pub address: Option<String>,
    /// Not started with the others: when it is asked for.
    pub spare: bool,
}

/// All processes; servers come before their clients.
pub struct Plan {
    pub units: Vec<Unit>,
}

impl Plan {
    pub fn new(args: &RunArgs) -> Result<Plan> {
        let all = u64::from(args.ps) + u64::from(args.workers) + u64::from(args.spare);
        if all > MOST {
            return Err(Status::invalid_argument(format!(
                "{all} processes are too many for one machine: at most {MOST} are started"
            )));
        }
        let clients = args.workers + u32::from(args.chief);
        if clients == 0 {
            return Err(Status::invalid_argument(
                "there is no task to run COMMAND for; give --workers or --chief",
            ));
        }
        let own = std::env::current_exe()
            .map_err(|e| Status::internal(format!("where is this program? {e}")))?;
        let others = u32::from(args.coordinator) + u32::from(args.evaluator);
        let count = args.ps + clients + args.spare + others;
        let ports = ports::free(count as usize)?;
        Ok(Plan { units: units(args, &own, &ports) })
    }
}

/// The cluster in the order of its tasks, on the given ports.
fn units(args: &RunArgs, own: &Path, ports: &[u16]) -> Vec<Unit> {
    let mut ports = ports.iter();
    let mut addresses = |count: u32| -> Vec<String> {
        ports.by_ref().take(count as usize).map(|port| format!("127.0.0.1:{port}")).collect()
    };
    let jobs = [
        ("coordinator", u32::from(args.coordinator)),
        ("ps", args.ps),
        ("chief", u32::from(args.chief)),
        ("worker", args.workers + args.spare),
    ];
    let jobs: Vec<(&str, Vec<String>)> =
        jobs.into_iter().filter(|(_, n)| *n > 0).map(|(job, n)| (job, addresses(n))).collect();
    let evaluator = addresses(u32::from(args.evaluator));
    let cluster: Map<String, Value> =
        jobs.iter().map(|(job, tasks)| (job.to_string(), json!(tasks))).collect();
    let cluster = Value::Object(cluster);

    let launch = Launch { args, own, cluster: &cluster };
    let (mut servers, mut clients) = (Vec::new(), Vec::new());
    for (job, tasks) in &jobs {
        for (task, address) in tasks.iter().enumerate() {
            let task = task as u32;
            let name = format!("{job}/{task}");
            match matches!(*job, "ps" | "coordinator") {
                true if args.all => servers.push(launch.command(job, task, None, Role::Background)),
                true => servers.push(launch.server(name, &cluster, job, task, address)),
                false if args.all || args.bare => {
                    let unit = launch.command(job, task, None, Role::Client);
                    let spare = *job == "worker" && task >= args.workers;
                    clients.push(Unit { spare, ..unit });
                }
                false => {
                    let name = format!("{name} server");
                    servers.push(launch.server(name, &cluster, job, task, address));
                    clients.push(launch.command(job, task, Some(address), Role::Client));
                }
            }
        }
    }
    for address in &evaluator {
        let target = (!args.all && !args.bare).then_some(address);
        if target.is_some() {
            let alone = json!({"localhost": [address]});
            let name = "evaluator/0 server".to_string();
            servers.push(launch.server(name, &alone, "localhost", 0, address));
        }
        clients.push(launch.command("evaluator", 0, target, Role::Client));
    }
    servers.extend(clients);
    servers
}

struct Launch<'a> {
    args: &'a RunArgs,
    own: &'a Path,
    cluster: &'a Value,
}

impl Launch<'_> {
    fn server(&self, name: String, cluster: &Value, job: &str, task: u32, at: &str) -> Unit {
        let (cluster, task) = (cluster.to_string(), task.to_string());
        let threads = self.args.threads.to_string();
        let words = [
            ["--cluster", &cluster],
            ["--job", job],
            ["--task", &task],
            ["--threads", &threads],
            ["--log", &self.args.log],
        ];
        let words = std::iter::once("serve").chain(words.into_iter().flatten());
        Unit {
            name,
            role: Role::Server,
            program: self.own.into(),
            arguments: words.map(OsString::from).collect(),
            environment: cluster_key(|name| std::env::var_os(name)).into_iter().collect(),
            address: Some(at.to_string()),
            spare: false,
        }
    }

    fn command(&self, job: &str, task: u32, target: Option<&String>, role: Role) -> Unit {
        let mut words = self.args.command.iter().map(OsString::from);
        let mut environment = common(|name| std::env::var_os(name));
        environment.extend(cluster_key(|name| std::env::var_os(name)));
        environment.push(tf_config(self.cluster, job, task));
        environment
            .extend(target.map(|address| ("DOWNPOUR_TARGET", format!("grpc://{address}").into())));
        Unit {
            name: format!("{job}/{task}"),
            role,
            // clap has seen to it that there is a first word.
            program: words.next().unwrap_or_default(),
            arguments: words.collect(),
            environment,
            address: None,
            spare: false,
        }
    }
}

#[cfg(test)]
mod tests;

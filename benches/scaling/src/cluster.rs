//! What a cluster and the model it trains are like.

use crate::compute_time::ComputeTime;

/// Everything a formula may depend on. Times are in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Cluster {
    /// `n`.
    pub workers: usize,
    /// Parameter servers, `s`; each has an equal share of the parameters.
    pub servers: usize,
    /// Of all parameters, and so of a gradient, `B`.
    pub bytes: f64,
    /// Bytes a second a host can send, and as many it can receive at the same time.
    pub bandwidth: f64,
    /// From host to host, one way.
    pub latency: f64,
    /// What sending a message takes of its sender, and receiving it of its receiver, whatever its size.
    pub message: f64,
    /// What a server's processor needs for a byte of a gradient: to add it up, or to apply it.
    pub apply: f64,
    /// What a worker needs for a step.
    pub compute: ComputeTime,
    /// Of all-reduces over machines with several ranks.
    pub machines: Machines,
}

/// Ranks that share a machine.
#[derive(Clone, Copy, Debug)]
pub struct Machines {
    /// On each, with one network card among them.
    pub ranks: usize,
    /// Bytes a second between two of them.
    pub bandwidth: f64,
    /// From one to another.
    pub latency: f64,
}

impl Cluster {
    /// Seconds in which a host sends or receives all parameters.
    pub fn transfer(&self) -> f64 {
        self.bytes / self.bandwidth
    }

    /// Bytes of one server.
    pub fn share(&self) -> f64 {
        self.bytes / self.servers.max(1) as f64
    }

    /// The time of a server's card that one worker's push, or pull, takes.
    pub fn card(&self) -> f64 {
        self.message + self.share() / self.bandwidth
    }

    /// The time of a server's processor that one worker's push takes.
    pub fn processor(&self) -> f64 {
        self.message + self.share() * self.apply
    }

    /// From a worker's first byte of a push (or a server's of a pull) to the last, if nobody is in the way: the
    /// worker's own card has all servers' shares on it.
    pub fn alone(&self) -> f64 {
        (self.servers as f64 * self.message + self.transfer()).max(self.card()) + self.message
    }
}

/// What a step's time is made of most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The mean time of computing.
    Compute,
    /// Waiting for those that are slower than the mean.
    Stragglers,
    /// Bytes through the servers' cards, or a worker's own.
    Network,
    /// The servers' processors.
    Servers,
    /// Rounds and messages.
    Latency,
}

impl Limit {
    /// For tables.
    pub fn name(self) -> &'static str {
        match self {
            Limit::Compute => "compute",
            Limit::Stragglers => "stragglers",
            Limit::Network => "network",
            Limit::Servers => "servers",
            Limit::Latency => "latency",
        }
    }
}

/// The time of a step in its parts, in seconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Step {
    /// The mean time of computing.
    pub compute: f64,
    /// Beyond it, until the last that is waited for is done.
    pub stragglers: f64,
    /// Waiting for bytes.
    pub network: f64,
    /// Waiting for the servers' processors, beyond the network.
    pub servers: f64,
    /// Waiting for rounds and messages.
    pub latency: f64,
}

impl Step {
    /// All of it.
    pub fn time(&self) -> f64 {
        self.compute + self.stragglers + self.network + self.servers + self.latency
    }

    /// Its largest part.
    pub fn limit(&self) -> Limit {
        let parts = [
            (self.compute, Limit::Compute),
            (self.stragglers, Limit::Stragglers),
            (self.network, Limit::Network),
            (self.servers, Limit::Servers),
            (self.latency, Limit::Latency),
        ];
        parts.into_iter().fold((f64::MIN, Limit::Compute), |a, b| if b.0 > a.0 { b } else { a }).1
    }
}

//! Options of a dataset as a whole: the part of `tensorflow.data.Options` that changes results.

/// The fields of `tensorflow.data.Options` that say what is done with a dataset elsewhere.
#[derive(Clone, PartialEq, prost::Message)]
pub struct DatasetOptions {
    /// How the dataset is divided between workers.
    #[prost(message, optional, tag = "2")]
    pub distribute_options: Option<DistributeOptions>,
    /// The policy for state outside of the dataset when it is written as a graph: 0 warns, 1 ignores, 2 fails.
    #[prost(int32, optional, tag = "6")]
    pub external_state_policy: Option<i32>,
}

/// How a dataset is divided between workers.
#[derive(Clone, PartialEq, prost::Message)]
pub struct DistributeOptions {
    /// 0 is by files or else by elements, 1 by files, 2 by elements, 3 where the program says so, -1 not at all.
    #[prost(int32, tag = "1")]
    pub auto_shard_policy: i32,
}

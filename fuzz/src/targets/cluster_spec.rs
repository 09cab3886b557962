//! Any text as a cluster, as TF_CONFIG, and any bytes as a ClusterDef: a cluster that survives a round trip, or an error.

use downpour_cluster::{ClusterSpec, TfConfig};
use downpour_wire::{Message, proto::ClusterDef};

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    if let Ok(proto) = ClusterDef::decode(data)
        && let Ok(cluster) = ClusterSpec::from_proto(&proto)
    {
        check(&cluster);
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(cluster) = ClusterSpec::from_json(text) {
        check(&cluster);
    }
    if let Ok(config) = TfConfig::from_json(text) {
        check(&config.cluster);
    }
}

fn check(cluster: &ClusterSpec) {
    assert_eq!(cluster.tasks().count(), cluster.len());
    for task in cluster.tasks() {
        let found = cluster.task(&task.job, task.task).expect("it was just named");
        assert_eq!(found.address, task.address);
    }
    let back = ClusterSpec::from_proto(&cluster.to_proto()).expect("what we wrote we can read");
    assert_eq!(&back, cluster);
}

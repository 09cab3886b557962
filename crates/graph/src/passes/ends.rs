//! What a step is asked for by name, found in the graph.

use downpour_tensor::{Result, Status};

use crate::graph::Graph;
use crate::node::{Endpoint, NodeId};

/// The places where a step begins and ends.
#[derive(Clone, Debug, Default)]
pub struct Ends {
    pub feeds: Vec<Endpoint>,
    pub fetches: Vec<Endpoint>,
    pub targets: Vec<NodeId>,
}

impl Ends {
    /// Errors name what is not in the graph.
    pub fn find(
        graph: &Graph,
        feeds: &[String],
        fetches: &[String],
        targets: &[String],
    ) -> Result<Ends> {
        let tensor = |name: &String| graph.find_endpoint(name);
        let node = |name: &String| {
            // A target is a node; clients may still write a tensor's name.
            let node = name.split(':').next().unwrap_or(name);
            graph.find(node).ok_or_else(|| {
                Status::not_found(format!("target node '{name}' is not in the graph"))
            })
        };
        Ok(Ends {
            feeds: feeds.iter().map(tensor).collect::<Result<_>>()?,
            fetches: fetches.iter().map(tensor).collect::<Result<_>>()?,
            targets: targets.iter().map(node).collect::<Result<_>>()?,
        })
    }
}

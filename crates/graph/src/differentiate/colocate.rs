//! Gradients beside what they are gradients of.

use super::Work;
use crate::attr::AttrValue;
use crate::node::NodeId;

impl Work<'_> {
    /// Binds the nodes made from `first` on to the place of the node they were made for.
    pub(super) fn colocate(&mut self, id: NodeId, first: usize) {
        if !self.colocate {
            return;
        }
        let node = self.graph.node(id);
        let device = node.device.clone();
        let class = match node.attrs.get("_class") {
            Some(AttrValue::List(class)) if !class.is_empty() => AttrValue::List(class.clone()),
            _ => AttrValue::from(vec![format!("loc:@{}", node.name)]),
        };
        for index in first..self.graph.len() {
            let node = self.graph.node_mut(NodeId(index as u32));
            if node.attrs.get("_class").is_none() {
                node.attrs.set("_class", class.clone());
                node.device.clone_from(&device);
            }
        }
    }
}

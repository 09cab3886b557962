//! Values that cross between devices and tasks.

mod receive;
mod send;

use downpour_graph::{Node, rendezvous_key};
use downpour_runtime::{Registry, Rendezvous, Step};
use downpour_tensor::{Result, Status};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    send::register(registry)?;
    receive::register(registry)
}

/// The key both sides know the edge by.
fn key(node: &Node) -> Result<String> {
    let incarnation = node.int("send_device_incarnation")? as u64;
    let (source, target) = (node.string("send_device")?, node.string("recv_device")?);
    Ok(rendezvous_key(&source, incarnation, &target, &node.string("tensor_name")?))
}

fn meeting_place<'a>(step: &'a Step, node: &Node) -> Result<&'a dyn Rendezvous> {
    step.rendezvous().ok_or_else(|| {
        Status::failed_precondition(format!(
            "{} '{}' runs in a step that exchanges no values with other devices",
            node.op_name(),
            node.name
        ))
    })
}

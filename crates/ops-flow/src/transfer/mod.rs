//! Values that cross between devices and tasks.

mod receive;
mod send;

use std::borrow::Cow;

use downpour_graph::{Node, rendezvous_key};
use downpour_runtime::{FrameIteration, Registry, Rendezvous, Step};
use downpour_tensor::{Result, Status};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    send::register(registry)?;
    receive::register(registry)
}

/// The key both sides know the edge by outside of loops.
fn key(node: &Node) -> Result<String> {
    let incarnation = node.int("send_device_incarnation")? as u64;
    let (source, target) = (node.string("send_device")?, node.string("recv_device")?);
    Ok(rendezvous_key(&source, incarnation, &target, &node.string("tensor_name")?))
}

/// The key in an iteration of a loop: every iteration sends its own value.
fn key_at(key: &str, place: FrameIteration) -> Cow<'_, str> {
    if place.is_root() {
        return Cow::Borrowed(key);
    }
    let edge = key.rsplit_once(';').map_or(key, |(edge, _)| edge);
    Cow::Owned(format!("{edge};{}:{}", place.frame, place.iteration))
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

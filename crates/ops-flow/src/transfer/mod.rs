//! Values that cross between devices and tasks.

mod receive;
mod send;

use std::borrow::Cow;

use downpour_graph::{Node, PEER, SLOT, rendezvous_key};
use downpour_runtime::{FrameIteration, Registry, Rendezvous, Slot, Step};
use downpour_tensor::{Result, Status};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    send::register(registry)?;
    receive::register(registry)
}

/// What both sides know the edge by.
enum Edge {
    /// TensorFlow's key, outside of loops.
    Key(String),
    /// Between our own tasks: its number, and the incarnation of the task that receives it.
    Slot { slot: Slot, peer: u64 },
}

fn edge(node: &Node) -> Result<Edge> {
    if node.attrs.get(SLOT).is_some() {
        let number = u32::try_from(node.int(SLOT)?)
            .map_err(|_| Status::invalid_argument(format!("'{SLOT}' of '{}'", node.name)))?;
        return Ok(Edge::Slot { slot: Slot::new(number), peer: node.int(PEER)? as u64 });
    }
    let incarnation = node.int("send_device_incarnation")? as u64;
    let (source, target) = (node.string("send_device")?, node.string("recv_device")?);
    let name = node.string("tensor_name")?;
    Ok(Edge::Key(rendezvous_key(&source, incarnation, &target, &name)))
}

/// The key in an iteration of a loop: every iteration sends its own value.
fn key_at(key: &str, place: FrameIteration) -> Cow<'_, str> {
    if place.is_root() {
        return Cow::Borrowed(key);
    }
    let edge = key.rsplit_once(';').map_or(key, |(edge, _)| edge);
    Cow::Owned(format!("{edge};{}:{}", place.frame, place.iteration))
}

fn slot_at(slot: Slot, place: FrameIteration) -> Slot {
    Slot { frame: place.frame, iteration: place.iteration, ..slot }
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

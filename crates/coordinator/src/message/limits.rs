//! How large what comes from outside may be, and its check before anything else looks at it.

use downpour_tensor::{Result, Status};

use super::request::{Measurements, Request, RequestKind};

/// Longest encoded request.
pub const MAX_REQUEST_BYTES: usize = 1 << 20;
/// Longest name of a member, dataset, task or capability.
pub const MAX_NAME_BYTES: usize = 256;
/// Most capabilities of a member, or needed by a task.
pub const MAX_CAPABILITIES: usize = 64;
/// Longest payload of a task.
pub const MAX_PAYLOAD_BYTES: usize = 16 << 10;
/// Most positions in one heartbeat.
pub const MAX_POSITIONS: usize = 256;
/// Most leases one member holds of one dataset.
pub const MAX_LEASES: u32 = 64;
/// Most members known at a time, those that are gone included.
pub const MAX_MEMBERS: usize = 16 << 10;
/// Most datasets.
pub const MAX_DATASETS: usize = 1 << 10;
/// Most tasks that have not ended, and as many that have are remembered.
pub const MAX_TASKS: usize = 4 << 10;
/// An epoch is never cut finer than into this many units.
pub const MAX_UNITS_PER_EPOCH: u64 = 64 << 10;

/// The parts of a request within their limits; says INVALID_ARGUMENT otherwise.
pub(crate) fn check(request: &Request) -> Result<&RequestKind> {
    let kind = request.kind.as_ref().ok_or_else(|| {
        Status::invalid_argument("a request of no known kind: is the sender newer?")
    })?;
    match kind {
        RequestKind::Join(join) => {
            name("the member's name", &join.name)?;
            capabilities(&join.capabilities)?;
        }
        RequestKind::Heartbeat(heartbeat) => {
            at_most("positions", heartbeat.positions.len(), MAX_POSITIONS)?;
            if let Some(measured) = &heartbeat.measurements {
                measurements(measured)?;
            }
        }
        RequestKind::CreateDataset(create) => {
            let spec = create
                .spec
                .as_ref()
                .ok_or_else(|| Status::invalid_argument("a dataset without its description"))?;
            name("the dataset's name", &spec.name)?;
            spec.check()?;
        }
        RequestKind::SubmitTask(submit) => {
            let spec = submit
                .spec
                .as_ref()
                .ok_or_else(|| Status::invalid_argument("a task without its description"))?;
            name("the task's name", &spec.name)?;
            capabilities(&spec.capabilities)?;
            at_most("bytes of payload", spec.payload.len(), MAX_PAYLOAD_BYTES)?;
        }
        RequestKind::EndTask(end) => {
            at_most("bytes of message", end.message.len(), MAX_PAYLOAD_BYTES)?;
        }
        RequestKind::Lease(_)
        | RequestKind::Complete(_)
        | RequestKind::GiveBack(_)
        | RequestKind::Leave(_)
        | RequestKind::ChangesSince(_)
        | RequestKind::CancelTask(_)
        | RequestKind::MoveTask(_)
        | RequestKind::DropMember(_)
        | RequestKind::Survey(_) => {}
    }
    Ok(kind)
}

fn at_most(what: &str, have: usize, limit: usize) -> Result<()> {
    if have > limit {
        return Err(Status::invalid_argument(format!("{have} {what}: at most {limit} are taken")));
    }
    Ok(())
}

fn name(what: &str, name: &str) -> Result<()> {
    at_most(&format!("bytes in {what}"), name.len(), MAX_NAME_BYTES)?;
    if name.is_empty() || name.chars().any(char::is_control) {
        return Err(Status::invalid_argument(format!(
            "{what} is {name:?}: give it at least one character and none that controls a terminal"
        )));
    }
    Ok(())
}

fn capabilities(list: &[String]) -> Result<()> {
    at_most("capabilities", list.len(), MAX_CAPABILITIES)?;
    list.iter().try_for_each(|capability| name("a capability", capability))
}

fn measurements(measured: &Measurements) -> Result<()> {
    let fine = |value: f64| value.is_finite() && value >= 0.0;
    let all = [measured.examples_per_second, measured.waiting_share, measured.staleness];
    if !all.into_iter().all(fine) || measured.waiting_share > 1.0 {
        return Err(Status::invalid_argument(format!(
            "measurements {all:?} (examples/s, waiting share, staleness): none may be negative or \
             infinite, and the share is at most 1"
        )));
    }
    Ok(())
}

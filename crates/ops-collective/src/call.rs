//! What a node is told about its group, by attributes or by inputs, and how it then waits for the others.

use std::time::Duration;

use downpour_collectives::ReduceOp;
use downpour_graph::{Attrs, Node};
use downpour_runtime::{AsyncContext, AsyncKernel};
use downpour_tensor::{Result, Status, Tensor};

use crate::meeting::{Key, Meetings};
use crate::member::Member;
use crate::work::{Merge, Work};

/// With whom, for which occasion, and for how long a node waits.
pub(crate) struct Call {
    pub group: i64,
    /// Of a communicator's group the part in which the node is.
    pub part: usize,
    pub instance: i64,
    pub members: usize,
    pub rank: Option<usize>,
    pub timeout: Option<Duration>,
}

/// Where a node is told of its group.
#[derive(Clone, Copy)]
pub(crate) enum Told {
    /// In its attributes, when it was built.
    Attributes { group: i64, instance: i64, members: i64 },
    /// In three inputs (size, group, instance) from this one on.
    Inputs(usize),
}

impl Told {
    /// From the attributes of the first version of an operation.
    pub fn by_attributes(node: &Node) -> Result<Told> {
        let told = Told::Attributes {
            group: node.int("group_key")?,
            instance: node.int("instance_key")?,
            members: node.int("group_size")?,
        };
        told.read(&|_| Err(Status::internal("attributes need no inputs")), None)?;
        Ok(told)
    }

    pub fn call(self, cx: &AsyncContext, timeout: Option<Duration>) -> Result<Call> {
        let scalar = |i: usize| {
            let names = ["group_size", "group_key", "instance_key"];
            let first = if let Told::Inputs(first) = self { first } else { 0 };
            one(cx.input(i), names.get(i - first).copied().unwrap_or("input"))
        };
        self.read(&scalar, timeout)
    }

    fn read(
        self,
        scalar: &dyn Fn(usize) -> Result<i64>,
        timeout: Option<Duration>,
    ) -> Result<Call> {
        let (members, group, instance) = match self {
            Told::Attributes { group, instance, members } => (members, group, instance),
            Told::Inputs(first) => (scalar(first)?, scalar(first + 1)?, scalar(first + 2)?),
        };
        let members = group_size(members)?;
        Ok(Call { group, part: 0, instance, members, rank: None, timeout })
    }
}

pub(crate) fn group_size(size: i64) -> Result<usize> {
    let positive = usize::try_from(size).ok().filter(|size| *size > 0);
    positive.ok_or_else(|| {
        Status::invalid_argument(format!("group_size must be positive integer but got {size}"))
    })
}

/// The one number of an input.
pub(crate) fn one(tensor: &Tensor, name: &str) -> Result<i64> {
    if tensor.rank() != 0 {
        let shape = tensor.shape();
        let text =
            format!("Unexpected dimensions on input {name}, got {shape}: it must be a scalar");
        return Err(Status::invalid_argument(text));
    }
    tensor.to_i64_scalar()
}

/// `timeout_seconds`; none if nobody waits in vain.
pub(crate) fn timeout(attrs: &Attrs) -> Result<Option<Duration>> {
    let seconds = attrs.float("timeout_seconds")?;
    if seconds <= 0.0 {
        return Ok(None);
    }
    let time = Duration::try_from_secs_f32(seconds);
    time.map(Some).map_err(|e| Status::invalid_argument(format!("timeout_seconds: {e}")))
}

/// `merge_op` and `final_op`.
pub(crate) fn merge(attrs: &Attrs) -> Result<Merge> {
    let divide = match attrs.string("final_op")?.as_ref() {
        "Id" => false,
        "Div" => true,
        other => return Err(Status::invalid_argument(format!("final_op cannot be '{other}'"))),
    };
    Ok(Merge { op: merge_op(&attrs.string("merge_op")?)?, divide })
}

pub(crate) fn merge_op(name: &str) -> Result<ReduceOp> {
    Ok(match name {
        "Add" => ReduceOp::Sum,
        "Mul" => ReduceOp::Product,
        "Min" => ReduceOp::Min,
        "Max" => ReduceOp::Max,
        other => {
            return Err(Status::invalid_argument(format!("members cannot be merged by '{other}'")));
        }
    })
}

/// An operation whose work is its first input.
pub(crate) struct Collective<F> {
    pub told: Told,
    pub timeout: Option<Duration>,
    pub work: F,
}

impl<F> AsyncKernel for Collective<F>
where
    F: Fn(&AsyncContext) -> Result<Work> + Send + Sync,
{
    fn start(&self, cx: AsyncContext) {
        let call = self.told.call(&cx, self.timeout).and_then(|call| Ok((call, (self.work)(&cx)?)));
        match call {
            Ok((call, work)) => meet(cx, call, work),
            Err(status) => cx.finish(Err(status)),
        }
    }
}

/// Waits for the others without a thread, and ends with what all have done together.
pub(crate) fn meet(cx: AsyncContext, call: Call, work: Work) {
    let meetings = cx.step().local().lookup_or_create("", "meetings", || Ok(Meetings::default()));
    let meetings = match meetings {
        Ok(meetings) => meetings,
        Err(status) => return cx.finish(Err(status)),
    };
    let member = Member::of(cx.node(), call.rank);
    let key = Key {
        group: call.group,
        part: call.part,
        instance: call.instance,
        place: cx.frame_iteration(),
    };
    meetings.join(key, call.members, call.timeout, member, work, cx);
}

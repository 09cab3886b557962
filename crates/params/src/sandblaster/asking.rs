//! Requests to a server, for coordinators and replicas.

use std::time::Duration;

use downpour_tensor::{Code, Result, Status};
use tokio::time::Instant;

use super::messages::{Ask, Reply, Request};
use crate::caller::Caller;
use crate::frame::Item;
use crate::message::{self, Answer};

/// How long between two questions to a server that says "not yet" at once.
const NOT_YET: Duration = Duration::from_millis(10);

/// One answer; it may say "again".
pub(crate) async fn ask(caller: &Caller, ask: Ask, items: &[Item]) -> Result<Told> {
    let request = message::Ask::Sandblaster(Request { ask: Some(ask) });
    let (mut answer, items) = caller.call(request, items).await?;
    let reply = answer.sandblaster.take();
    Ok(Told { reply: reply.unwrap_or_default(), answer, items })
}

/// What a server says.
pub(crate) struct Told {
    pub answer: Answer,
    pub reply: Reply,
    pub items: Vec<Item>,
}

/// Asks until the server has values.
pub(crate) async fn ask_ready(caller: &Caller, what: Ask, items: &[Item]) -> Result<Told> {
    let until = Instant::now() + caller.patience().total;
    loop {
        let told = ask(caller, what.clone(), items).await?;
        if !told.answer.again {
            return Ok(told);
        }
        if Instant::now() > until {
            return Err(Status::new(
                Code::DeadlineExceeded,
                format!(
                    "waited {:.0} s until the parameter server {} had values",
                    caller.patience().total.as_secs_f64(),
                    caller.name()
                ),
            ));
        }
        tokio::time::sleep(NOT_YET).await;
    }
}

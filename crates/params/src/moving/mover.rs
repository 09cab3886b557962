//! Whoever moves variables: asks for loads, and carries out a move.

use std::collections::BTreeMap;
use std::time::Duration;

use downpour_tensor::{Result, Status, Tensor};
use futures_util::future::{join_all, try_join_all};
use tokio::time::Instant;

use super::messages::{Decide, Fate, Hold, Last, Loads, Look, Prepare, Reply, Request, Step};
use super::{Assembly, Load, Move, Moved, Piece};
use crate::caller::Caller;
use crate::frame::Item;
use crate::message::{Answer, Ask, Part, Pull};
use crate::rows::concatenated;

/// How long a server holds without hearing anything.
const HOLD: Duration = Duration::from_secs(10);
/// Between two looks at who has pushed what.
const LOOK: Duration = Duration::from_millis(5);

/// Moves variables between servers, over connections of its own.
pub struct Mover {
    servers: Vec<Caller>,
    /// With servers that do not come to the same updates.
    patience: Duration,
}

/// One server at the cut.
struct AtCut {
    start: u64,
    hold: u64,
}

/// One answer of a server to a step of a move.
pub(crate) async fn ask(
    server: &Caller,
    id: u64,
    step: Step,
    items: &[Item],
) -> Result<(Answer, Reply)> {
    let request = Request { id, step: Some(step) };
    let (mut answer, _) = server.call(Ask::Moving(request), items).await?;
    let reply = answer.moving.take().unwrap_or_default();
    Ok((answer, reply))
}

impl Mover {
    pub(crate) fn new(servers: Vec<Caller>, patience: Duration) -> Mover {
        Mover { servers, patience }
    }

    /// What variables have cost each server since it began to count, and the layout it has.
    pub async fn loads(&self) -> Result<Vec<(u64, BTreeMap<String, Load>)>> {
        let all = self.servers.iter().map(|server| async move {
            let (_, reply) = ask(server, 0, Step::Loads(Loads {}), &[]).await?;
            let load = |of: super::messages::LoadOf| {
                let applying = Duration::from_nanos(of.nanoseconds);
                (of.name, Load { received: of.received, sent: of.sent, applying })
            };
            Ok((reply.epoch, reply.loads.into_iter().map(load).collect()))
        });
        try_join_all(all).await
    }

    /// Carries out a move from a layout to the next; `id` must be of this move alone. An error says why nothing has
    /// moved, unless it is UNKNOWN: then the first server could not be asked whether it has.
    pub async fn carry_out(&self, id: u64, from: u64, plan: &Move) -> Result<Moved> {
        let begun = Instant::now();
        let prepared = async {
            let cut = self.cut(id, from).await?;
            self.prepare(id, from, plan, &cut).await
        };
        let bytes = match prepared.await {
            Ok(bytes) => bytes,
            Err(status) => {
                self.tell(id, false, 0).await;
                return Err(status);
            }
        };
        let decide = Step::Decide(Decide { happens: true });
        if let Err(status) = ask(&self.servers[0], id, decide, &[]).await {
            self.settle(id, status).await?;
        }
        self.tell(id, true, 1).await;
        Ok(Moved { epoch: from + 1, bytes, held: begun.elapsed() })
    }

    /// The first server has not said that the move has happened. It may have all the same: the answer was lost, and what
    /// was asked again was refused because the decision was being written down. Nobody else may be told before it is
    /// known, or servers would have different layouts.
    async fn settle(&self, id: u64, status: Status) -> Result<()> {
        let until = Instant::now() + self.patience;
        let unknown = |why: &str| {
            Status::unknown(format!("whether variables have moved is not known: {why}"))
        };
        loop {
            let reply = look(&self.servers[0], id).await.map_err(|e| unknown(e.message()))?;
            if reply.fate == Fate::Happened as u32 {
                return Ok(());
            }
            if reply.fate == Fate::Void as u32 {
                self.tell(id, false, 1).await;
                return Err(status);
            }
            if Instant::now() > until {
                return Err(unknown(status.message()));
            }
            // Void from now on, unless the decision is being written down.
            let undo = Step::Decide(Decide { happens: false });
            if let Err(e) = ask(&self.servers[0], id, undo, &[]).await {
                tracing::debug!("the move is not undone yet: {e}");
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// All servers have the same updates, and take no others, when this returns.
    async fn cut(&self, id: u64, from: u64) -> Result<Vec<AtCut>> {
        let until = Instant::now() + self.patience;
        let mut last: Vec<Last> = Vec::new();
        let mut begin = true;
        loop {
            let hold = Hold { begin, milliseconds: HOLD.as_millis() as u64, last: last.clone() };
            let all =
                self.servers.iter().map(|server| ask(server, id, Step::Hold(hold.clone()), &[]));
            let replies = try_join_all(all).await?;
            if let Some((_, other)) = replies.iter().find(|(_, reply)| reply.epoch != from) {
                return Err(Status::aborted(format!("a server has the layout {}", other.epoch)));
            }
            let agreed = !begin
                && replies.iter().all(|(_, reply)| {
                    !reply.open && reply.last == last && reply.positions == replies[0].1.positions
                });
            if agreed {
                let cut = |(answer, reply): &(Answer, Reply)| AtCut {
                    start: answer.server,
                    hold: reply.hold,
                };
                return Ok(replies.iter().map(cut).collect());
            }
            if Instant::now() > until {
                return Err(Status::aborted(format!(
                    "servers have not come to the same updates in {:.0} s",
                    self.patience.as_secs_f64()
                )));
            }
            last = newest(replies.iter().flat_map(|(_, reply)| &reply.last));
            begin = false;
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Every server is ready for the next layout when this returns; bytes that went from server to server.
    async fn prepare(&self, id: u64, from: u64, plan: &Move, cut: &[AtCut]) -> Result<u64> {
        let servers = self.servers.iter().zip(cut).zip(&plan.programs).enumerate();
        let all = servers.map(|(number, ((server, at), program))| async move {
            let mut items = Vec::new();
            for assembly in &plan.values[number] {
                let value = self.assemble(from, assembly).await?;
                items.push(Item::new(&assembly.name, Part::Whole, value));
            }
            let bytes: u64 =
                items.iter().map(|item| item.tensor.bytes().map_or(0, |b| b.len() as u64)).sum();
            let prepare = Prepare {
                epoch: from + 1,
                layout: plan.layout.clone(),
                program: program.clone(),
                decides: number == 0,
                hold: at.hold,
                start: at.start,
                leaving: plan.leaving[number].clone(),
            };
            ask(server, id, Step::Prepare(prepare), &items).await?;
            Ok(bytes)
        });
        // As long as this takes, servers hold.
        let bytes = tokio::select! {
            biased;
            bytes = try_join_all(all) => bytes?,
            status = self.go_on_holding(id) => return Err(status),
        };
        Ok(bytes.into_iter().sum())
    }

    async fn go_on_holding(&self, id: u64) -> Status {
        loop {
            tokio::time::sleep(HOLD / 4).await;
            let hold =
                Hold { begin: false, milliseconds: HOLD.as_millis() as u64, last: Vec::new() };
            let all =
                self.servers.iter().map(|server| ask(server, id, Step::Hold(hold.clone()), &[]));
            if let Err(status) = try_join_all(all).await {
                return status;
            }
        }
    }

    async fn assemble(&self, from: u64, assembly: &Assembly) -> Result<Tensor> {
        let all = assembly.pieces.iter().map(|piece| self.read(from, &assembly.name, piece));
        let pieces = try_join_all(all).await?;
        match &pieces[..] {
            [only] => Ok(only.clone()),
            pieces => concatenated(pieces),
        }
    }

    async fn read(&self, epoch: u64, name: &str, piece: &Piece) -> Result<Tensor> {
        let server = self.servers.get(piece.server);
        let server =
            server.ok_or_else(|| Status::internal("a piece of a server that is not there"))?;
        let (names, items) = match &piece.rows {
            None => (vec![name.to_string()], Vec::new()),
            Some(rows) => {
                let numbers: Vec<i64> = (rows.start as i64..rows.end as i64).collect();
                (Vec::new(), vec![Item::new(name, Part::Indices, Tensor::vector(&numbers)?)])
            }
        };
        let pull = Pull { names, now: true, exactly: true, epoch, ..Pull::default() };
        let (_, items) = server.call(Ask::Pull(pull), &items).await?;
        let mut values = items.into_iter().map(|item| (item.name, item.tensor));
        match values.next() {
            Some((found, value)) if found == name => Ok(value),
            _ => Err(Status::aborted(format!("the server {} has no '{name}'", server.name()))),
        }
    }

    /// Tells servers what has become of the move. Those that do not hear it are told by workers.
    async fn tell(&self, id: u64, happens: bool, from: usize) {
        let all = self.servers.iter().skip(from).map(|server| async move {
            if let Err(e) = ask(server, id, Step::Decide(Decide { happens }), &[]).await {
                tracing::debug!(
                    "the parameter server {} was not told of a move: {e}",
                    server.name()
                );
            }
        });
        join_all(all).await;
    }
}

/// Of each worker the newest of its updates that some server has.
fn newest<'l>(all: impl Iterator<Item = &'l Last>) -> Vec<Last> {
    let mut newest: BTreeMap<u32, Last> = BTreeMap::new();
    for last in all {
        let known = newest.entry(last.worker).or_insert(*last);
        if (last.incarnation, last.sequence) > (known.incarnation, known.sequence) {
            *known = *last;
        }
    }
    newest.into_values().collect()
}

/// What a server says of its layout.
pub(crate) async fn look(server: &Caller, id: u64) -> Result<Reply> {
    Ok(ask(server, id, Step::Look(Look {}), &[]).await?.1)
}

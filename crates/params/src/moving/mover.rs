//! Whoever moves variables: asks for loads, and carries out a move.

use std::collections::BTreeMap;
use std::time::Duration;

use downpour_tensor::{Result, Status, Tensor};
use futures_util::future::{join_all, try_join_all};
use tokio::time::Instant;

use super::common_cut::{AtCut, Cut};
use super::messages::{Decide, Fate, Loads, Look, Prepare, Reply, Request, Step};
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

/// One answer of a server to a step of a move.
pub(crate) async fn ask(
    server: &Caller,
    id: u64,
    step: Step,
    items: &[Item],
) -> Result<(Answer, Reply)> {
    let request = Ask::Moving(Request { id, step: Some(step) });
    let (mut answer, _) = server.patiently(request, items, "gone back to a cut").await?;
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
            let at_cut = self.cut(id, from).reach(&self.servers).await?;
            let number = self.next_cut().await?;
            self.prepare(id, from, plan, &at_cut, number).await
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

    fn cut(&self, id: u64, from: u64) -> Cut {
        let (layout, same_positions, patience) = (Some(from), true, self.patience);
        Cut { id, layout, same_positions, patience, hold: HOLD }
    }

    /// Every server is ready for the next layout when this returns; bytes that went from server to server.
    async fn prepare(
        &self,
        id: u64,
        from: u64,
        plan: &Move,
        at_cut: &[AtCut],
        number_of_cut: u64,
    ) -> Result<u64> {
        let servers = self.servers.iter().zip(at_cut).zip(&plan.programs).enumerate();
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
                cut: number_of_cut,
            };
            ask(server, id, Step::Prepare(prepare), &items).await?;
            Ok(bytes)
        });
        // As long as this takes, servers hold.
        let bytes = tokio::select! {
            biased;
            bytes = try_join_all(all) => bytes?,
            status = self.go_on_holding(id, from) => return Err(status),
        };
        Ok(bytes.into_iter().sum())
    }

    async fn go_on_holding(&self, id: u64, from: u64) -> Status {
        loop {
            tokio::time::sleep(HOLD / 4).await;
            if let Err(status) = self.cut(id, from).hold(&self.servers, false, Vec::new()).await {
                return status;
            }
        }
    }

    /// The number under which servers write down what they have in a move: a cut like any other.
    async fn next_cut(&self) -> Result<u64> {
        let all = self.servers.iter().map(crate::recovery::look);
        let newest = try_join_all(all).await?.iter().map(|reply| reply.newest).max();
        newest.unwrap_or(0).checked_add(1).ok_or_else(|| {
            Status::resource_exhausted(
                "cuts cannot be numbered any more: a server has the last number",
            )
        })
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

/// What a server says of its layout.
pub(crate) async fn look(server: &Caller, id: u64) -> Result<Reply> {
    Ok(ask(server, id, Step::Look(Look {}), &[]).await?.1)
}

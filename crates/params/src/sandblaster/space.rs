//! The parameters' space as a coordinator sees it: commands to all servers at once, evaluations by way of the board.

mod cuts;

use std::sync::Arc;

use downpour_lbfgs::{Command, Vector, VectorSpace, merge};
use downpour_tensor::{Code, Result, Status};
use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::asking::{ask, ask_ready};
use super::encoding::{encoded, number};
use super::messages::{
    Ask, Await, End, Evaluation, Execute, Finish, MarkMessage, Open, Post, Reply, Term, Total,
};
use crate::client::Client;

/// An evaluation begins anew at most so often: each time a server was restarted during it.
const ATTEMPTS: u32 = 100;

/// What is evaluated, and where its parameters are.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The variables to be trained, of each server; float or double.
    pub names: Vec<Vec<String>>,
    /// Parts an evaluation is cut into; some 10 to 30 per replica are good.
    pub units: u64,
    /// Times the sum of the parameters' squares is added to the mean loss.
    pub l2: f64,
}

/// How far a server was: which start of it, and what it had executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// The server's start; after it has gone back, a number of its own.
    pub start: u64,
    /// Batches it had executed, those before its restarts included.
    pub executed: u64,
}

/// Vectors on the servers of a [`Client`].
///
/// Any call may be dropped or fail: the next opens a new term first, so that whatever of it is still on its way
/// changes nothing. `DATA_LOSS` says that a server has come back without what it had executed: see
/// [`ServiceSpace::reopen`]. `ABORTED` says that another coordinator has taken over.
pub struct ServiceSpace {
    client: Arc<Client>,
    plan: Plan,
    term: Term,
    evaluation: u64,
    /// Where each server is.
    marks: Vec<Mark>,
    lineages: Vec<Vec<MarkMessage>>,
    /// The cuts each server had when the term was opened.
    cuts: Vec<Vec<u64>>,
    /// A call has not ended: servers may be further than we know.
    unsure: bool,
}

impl ServiceSpace {
    /// Takes over; a later start of a coordinator must have a larger number.
    pub async fn open(client: Arc<Client>, plan: Plan, coordinator: u64) -> Result<ServiceSpace> {
        if plan.names.len() != client.servers() || client.servers() == 0 {
            return Err(Status::invalid_argument(format!(
                "the variables of {} servers are named; there are {}",
                plan.names.len(),
                client.servers()
            )));
        }
        if plan.units == 0 || !(plan.l2.is_finite() && plan.l2 >= 0.0) {
            return Err(Status::invalid_argument(format!(
                "an evaluation in {} units with a penalty of {} cannot be: at least one unit, and a number from 0 up",
                plan.units, plan.l2
            )));
        }
        let servers = client.servers();
        let mut space = ServiceSpace {
            client,
            plan,
            term: Term { coordinator, session: 0 },
            evaluation: 0,
            marks: vec![Mark::default(); servers],
            lineages: vec![Vec::new(); servers],
            cuts: vec![Vec::new(); servers],
            unsure: true,
        };
        space.reopen().await?;
        Ok(space)
    }

    /// Opens a new term: whatever was sent before and has not arrived is refused from now on.
    pub async fn reopen(&mut self) -> Result<()> {
        self.unsure = true;
        self.term.session += 1;
        let term = self.term;
        let all = self.client.callers().zip(&self.plan.names).map(|(caller, names)| async move {
            let open = Ask::Open(Open { term, names: names.clone() });
            ask_ready(caller, open, &[]).await
        });
        let all: Vec<_> = join_all(all).await.into_iter().collect::<Result<_>>()?;
        for (server, told) in all.into_iter().enumerate() {
            self.is_at(server, told.reply);
        }
        self.unsure = false;
        Ok(())
    }

    /// A server has said where it is.
    fn is_at(&mut self, server: usize, reply: Reply) {
        self.marks[server] = Mark { start: reply.start, executed: reply.executed };
        self.lineages[server] = reply.lineage;
        self.cuts[server] = reply.cuts;
    }

    /// Where each server is, to be compared later.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// The servers that do not have what they had at these marks.
    pub fn behind(&self, marks: &[Mark]) -> Vec<usize> {
        let has = |server: usize, mark: &Mark| {
            let now = self.marks[server];
            let same = now.start == mark.start && now.executed >= mark.executed;
            let came_back = self.lineages[server]
                .iter()
                .any(|old| old.start == mark.start && old.executed >= mark.executed);
            same || came_back
        };
        let marks = marks.iter().enumerate().take(self.marks.len());
        marks.filter(|(server, mark)| !has(*server, mark)).map(|(server, _)| server).collect()
    }

    /// Runs commands on some of the servers only; the answers are those of [`downpour_lbfgs::Shard::execute`].
    pub async fn execute_on(
        &mut self,
        servers: &[usize],
        commands: &[Command],
    ) -> Result<Vec<Vec<f64>>> {
        let answers = self.send(servers, None, commands).await?;
        Ok(answers.into_iter().flatten().collect())
    }

    /// One batch for each of these servers; `None` from those where units are missing.
    async fn send(
        &mut self,
        servers: &[usize],
        finish: Option<Finish>,
        commands: &[Command],
    ) -> Result<Vec<Option<Vec<f64>>>> {
        self.be_sure().await?;
        self.unsure = true;
        let commands: Vec<_> = commands.iter().map(encoded).collect();
        let (term, marks) = (self.term, &self.marks);
        let (finish, commands) = (&finish, &commands);
        let callers = self.client.callers().enumerate();
        let all = callers.filter(|(server, _)| servers.contains(server)).map(
            |(server, caller)| async move {
                let batch = Execute {
                    term,
                    sequence: marks[server].executed + 1,
                    finish: finish.clone(),
                    commands: commands.clone(),
                };
                (server, ask_ready(caller, Ask::Execute(batch), &[]).await)
            },
        );
        let mut answers = Vec::with_capacity(servers.len());
        let mut failed = None;
        for (server, told) in join_all(all).await {
            match told {
                Ok(told) => {
                    self.marks[server] =
                        Mark { start: told.reply.start, executed: told.reply.executed };
                    answers.push((!told.reply.missing).then_some(told.reply.numbers));
                }
                Err(status) => failed = Some(status),
            }
        }
        match failed {
            Some(status) => Err(status),
            None => {
                self.unsure = false;
                Ok(answers)
            }
        }
    }

    async fn be_sure(&mut self) -> Result<()> {
        if !self.unsure {
            return Ok(());
        }
        let before = self.marks.clone();
        self.reopen().await?;
        if self.behind(&before).is_empty() {
            return Ok(());
        }
        Err(Status::new(Code::DataLoss, "a parameter server has come back from an older snapshot"))
    }

    fn all(&self) -> Vec<usize> {
        (0..self.marks.len()).collect()
    }

    /// Tells replicas that nothing more will come.
    pub async fn end(&mut self) -> Result<()> {
        let coordinator = self.term.coordinator;
        self.board()?;
        let Some(board) = self.client.callers().next() else { return Ok(()) };
        ask(board, Ask::End(End { coordinator }), &[]).await.map(drop)
    }

    fn board(&self) -> Result<&crate::caller::Caller> {
        let first = self.client.callers().next();
        first.ok_or_else(|| Status::internal("there is no parameter server"))
    }

    /// Has every unit computed; `None` if the board has forgotten it.
    async fn computed(&self, evaluation: Evaluation, point: Vector) -> Result<Option<Total>> {
        let board = self.board()?;
        let post = Post { evaluation, point: number(point), units: self.plan.units };
        ask(board, Ask::Post(post), &[]).await?;
        let patience = board.patience().total;
        let (mut until, mut done) = (Instant::now() + patience, 0);
        loop {
            let told = match ask(board, Ask::Await(Await { evaluation }), &[]).await {
                Err(status) if status.code() == Code::NotFound => return Ok(None),
                told => told?,
            };
            if told.reply.total.is_some() {
                return Ok(told.reply.total);
            }
            if told.reply.done > done {
                (until, done) = (Instant::now() + patience, told.reply.done);
            }
            if Instant::now() > until {
                return Err(Status::deadline_exceeded(format!(
                    "for {:.0} s no unit of an evaluation was finished ({done} of {} are); are replicas running?",
                    patience.as_secs_f64(),
                    self.plan.units
                )));
            }
        }
    }
}

impl VectorSpace for ServiceSpace {
    async fn execute(&mut self, commands: &[Command]) -> Result<Vec<f64>> {
        let all = self.all();
        merge(commands, &self.execute_on(&all, commands).await?)
    }

    async fn evaluate(&mut self, point: Vector, gradient: Vector) -> Result<f64> {
        self.be_sure().await?;
        for _ in 0..ATTEMPTS {
            self.evaluation += 1;
            let coordinator = self.term.coordinator;
            let evaluation = Evaluation { coordinator, number: self.evaluation };
            let Some(total) = self.computed(evaluation, point).await? else { continue };
            let Total { loss, weight } = total;
            if !(weight.is_finite() && weight > 0.0) {
                return Err(Status::invalid_argument(format!(
                    "the examples of an evaluation have a weight of {weight} in all; is there any data?"
                )));
            }
            let finish = Finish {
                evaluation,
                units: self.plan.units,
                weight,
                l2: self.plan.l2,
                point: number(point),
                gradient: number(gradient),
            };
            let all = self.all();
            let answers = self.send(&all, Some(finish), &[]).await?;
            let squares: Option<Vec<f64>> =
                answers.into_iter().map(|numbers| numbers.map(|n| n.iter().sum())).collect();
            // A server that was restarted lacks units: once more.
            let Some(squares) = squares else { continue };
            return Ok(loss / weight + self.plan.l2 * squares.iter().sum::<f64>());
        }
        Err(Status::unavailable(format!(
            "an evaluation was begun {ATTEMPTS} times, and each time a parameter server was restarted during it"
        )))
    }
}

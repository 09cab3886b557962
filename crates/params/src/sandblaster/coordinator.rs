//! The coordinator: L-BFGS over the servers, through restarts of them and of itself.
//!
//! After each iteration the point is published: copied into the variables, on the servers. So variables always
//! hold a point that was accepted, never one that was tried, and checkpoints and other readers need to know nothing
//! of vectors.
//!
//! What must be known to go on is a [`Saved`]: L-BFGS's state, how far each server was when it was true, and the cuts
//! that all servers have on their disks. A server that came back from a snapshot taken after that has everything the
//! state names, and nothing is lost. If one came back from an older one, all servers go back to the newest cut that
//! every one of them has (see [`super::coordinator_cuts`]). Without such a cut the one that came back goes on from the
//! point that was published last before its snapshot; since pairs of steps and changes fit together only over all servers,
//! the history begins anew.

use std::sync::Arc;
use std::time::Duration;

use downpour_lbfgs::{Command, Iteration, Lbfgs, Settings, Side, State, Summary, Vector};
use downpour_tensor::{Code, Result, Status};
use serde::{Deserialize, Serialize};

use super::coordinator_cuts::{Cut, Cuts, Tell, WentBack};
use super::space::{Mark, Plan, ServiceSpace};
use crate::client::Client;

/// Servers may go back in time so often during one iteration.
const REPAIRS: u32 = 20;

/// What a coordinator needs to go on after its death; a few hundred bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saved {
    /// L-BFGS's.
    pub state: State,
    /// How far each server was.
    pub marks: Vec<Mark>,
    /// The cuts that all servers can go back to, oldest first.
    #[serde(default)]
    pub cuts: Vec<Cut>,
}

/// L-BFGS over the servers of a [`Client`].
pub struct Coordinator {
    space: ServiceSpace,
    settings: Settings,
    lbfgs: Lbfgs,
    /// How far servers were when the state was true.
    marks: Vec<Mark>,
    /// A server may have lost what it had.
    suspect: bool,
    repairs: u64,
    cuts: Cuts,
    tell: Option<Tell>,
    /// Recoveries that nobody has heard of yet.
    untold: Vec<WentBack>,
}

impl Coordinator {
    /// Takes over, from the variables' values or from what was saved. `number` names this start: a later one must
    /// have a larger number, and ends the earlier.
    pub async fn begin(
        client: Arc<Client>,
        plan: Plan,
        settings: Settings,
        number: u64,
        saved: Option<Saved>,
    ) -> Result<Coordinator> {
        let mut space = ServiceSpace::open(client, plan, number).await?;
        let (state, marks, cuts) = match saved {
            Some(Saved { state, marks, cuts }) if marks.len() == space.marks().len() => {
                (state, marks, cuts)
            }
            Some(Saved { marks, .. }) => {
                return Err(Status::failed_precondition(format!(
                    "what was saved is of {} parameter servers; there are {}",
                    marks.len(),
                    space.marks().len()
                )));
            }
            None => {
                let all: Vec<usize> = (0..space.marks().len()).collect();
                let copy = Command::Copy { from: Vector::Parameters, to: Vector::Point(Side::A) };
                space.execute_on(&all, &[copy]).await?;
                (State::default(), space.marks().to_vec(), Vec::new())
            }
        };
        let lbfgs = Lbfgs::resume(settings, state)?;
        let mut coordinator = Coordinator {
            space,
            settings,
            lbfgs,
            marks,
            suspect: true,
            repairs: 0,
            cuts: Cuts::new(cuts),
            tell: None,
            untold: Vec::new(),
        };
        coordinator.repair().await?;
        Ok(coordinator)
    }

    /// Has servers write cuts, this far apart at least; `tell` hears when all have gone back to one.
    pub fn keep_cuts(&mut self, every: Duration, mut tell: Tell) {
        self.cuts.make_every(every);
        self.untold.drain(..).for_each(&mut tell);
        self.tell = Some(tell);
    }

    /// What to save, true between iterations.
    pub fn saved(&self) -> Saved {
        let (marks, cuts) = (self.marks.clone(), self.cuts.whole.clone());
        Saved { state: self.lbfgs.state(), marks, cuts }
    }

    /// How often servers came back without what they had.
    pub fn repairs(&self) -> u64 {
        self.repairs
    }

    /// The vectors.
    pub fn space(&mut self) -> &mut ServiceSpace {
        &mut self.space
    }

    /// The vector that holds the current point.
    pub fn point(&self) -> Vector {
        self.lbfgs.point()
    }

    /// One iteration, and its point is published. It may be called again after any error but `ABORTED`.
    pub async fn iterate(&mut self) -> Result<Iteration> {
        for _ in 0..REPAIRS {
            match self.try_iterate().await {
                Err(status) if status.code() == Code::DataLoss => {
                    tracing::warn!("{status}");
                    self.suspect = true;
                }
                other => return other,
            }
        }
        Err(Status::unavailable(format!(
            "parameter servers came back from old snapshots {REPAIRS} times during one iteration"
        )))
    }

    async fn try_iterate(&mut self) -> Result<Iteration> {
        if self.suspect {
            self.space.reopen().await?;
            self.repair().await?;
        }
        // Before it, so that there is one to go back to from the first iteration, too.
        self.cuts.make(&mut self.space, self.lbfgs.state()).await?;
        let iteration = self.lbfgs.iterate(&mut self.space).await?;
        self.marks = self.space.marks().to_vec();
        let all: Vec<usize> = (0..self.marks.len()).collect();
        let publish = Command::Copy { from: self.lbfgs.point(), to: Vector::Parameters };
        self.space.execute_on(&all, &[publish]).await?;
        self.cuts.settle().await;
        Ok(iteration)
    }

    /// If servers have lost something, all go back to what every one of them has.
    async fn repair(&mut self) -> Result<()> {
        let behind = self.space.behind(&self.marks);
        let mut state = self.lbfgs.state();
        if !behind.is_empty() {
            self.repairs += 1;
            let (servers, reached) = (self.space.names(&behind), state.iterations);
            let cut = self.cuts.go_back(&mut self.space, reached).await?;
            let iteration = cut.as_ref().map(|cut| cut.state.iterations);
            match cut {
                Some(cut) => state = cut.state,
                None => {
                    state.slots.clear();
                    let copy = Command::Copy { from: Vector::Parameters, to: self.lbfgs.point() };
                    // More than before, if some have gone back and others could not.
                    let behind = self.space.behind(&self.marks);
                    self.space.execute_on(&behind, &[copy]).await?;
                }
            }
            self.marks = self.space.marks().to_vec();
            let lost = reached.saturating_sub(state.iterations);
            let went_back = WentBack { servers, iteration, lost };
            tracing::warn!("{went_back}");
            match &mut self.tell {
                Some(tell) => tell(went_back),
                None => self.untold.push(went_back),
            }
        }
        self.lbfgs = Lbfgs::resume(self.settings, state)?;
        self.suspect = false;
        Ok(())
    }

    /// Iterates until something says stop. `observe` sees every iteration with what is to be saved, before the
    /// next begins; its error ends the run.
    pub async fn run(
        &mut self,
        mut observe: impl FnMut(&Iteration, &Saved) -> Result<()> + Send,
    ) -> Result<Summary> {
        loop {
            let iteration = self.iterate().await?;
            observe(&iteration, &self.saved())?;
            if let Some(stop) = iteration.stop {
                let state = self.lbfgs.state();
                return Ok(Summary {
                    stop,
                    loss: iteration.loss,
                    gradient_norm: iteration.gradient_norm,
                    iterations: state.iterations,
                    evaluations: state.evaluations,
                });
            }
        }
    }

    /// Sends the replicas home.
    pub async fn end(&mut self) -> Result<()> {
        self.space.end().await
    }
}

//! Partial runs: a step that runs on its tasks while its feeds and fetches come in several calls.
//!
//! Protocol. The setup starts all parts; each waits for the values it is fed. A call hands over its feeds
//! and waits for its fetches, which are expected since the setup. The step ends when everything was fed
//! and fetched, when a part fails, or when the run is dropped.

use std::sync::Arc;

use downpour_runtime::RunRequest;
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;
use tokio::sync::watch;

use super::step::{End, Fetched, PreparedStep};
use super::{ClusterSession, Signature};

pub struct ClusterPartialRun {
    session: Arc<ClusterSession>,
    step: Arc<PreparedStep>,
    signature: Signature,
    id: i64,
    state: Mutex<State>,
    /// How the step ended, when it has.
    ended: watch::Receiver<Option<Result<()>>>,
    /// The task that waits for all parts; it ends the step when it is dropped.
    driver: tokio::task::JoinHandle<()>,
}

struct State {
    fed: Vec<bool>,
    fetched: Fetched,
}

impl ClusterSession {
    /// Starts a step whose feeds and fetches are named now and come later.
    pub async fn partial_run_setup(
        self: &Arc<Self>,
        signature: Signature,
    ) -> Result<ClusterPartialRun> {
        let step = self.prepare(signature.clone()).await?;
        if let Some(task) = self.tasks_of(&step).find(|task| !task.is_linked()) {
            return Err(Status::unimplemented(format!(
                "{} is a TensorFlow task; partial runs over several tasks are supported between Downpour \
                 tasks. Run the whole step at once.",
                task.address
            )));
        }
        let id = self.step_id();
        let fetched = Fetched::expect(&self.worker, id, self, &step)?;
        let (send, ended) = watch::channel(None);
        let (session, running) = (self.clone(), step.clone());
        let driver = tokio::spawn(async move {
            let mut end = End::new(&session, &running, id);
            let mut closed = session.closed.subscribe();
            let result = tokio::select! {
                result = session.run_to_end(&running, id, &[], false, &end) => result.map(drop),
                _ = closed.wait_for(|closed| *closed) => Err(Status::cancelled(
                    "Step was cancelled by an explicit call to `Session::Close()`.",
                )),
            };
            end.failed = result.is_err();
            send.send_replace(Some(result));
            // Values for later calls wait here: the step goes when everybody has what they came for.
            send.closed().await;
        });
        let state = Mutex::new(State { fed: vec![false; signature.feeds.len()], fetched });
        Ok(ClusterPartialRun { session: self.clone(), step, signature, id, state, ended, driver })
    }
}

impl ClusterPartialRun {
    /// Feeds some values and answers with some fetches, once they exist.
    pub async fn run(&self, request: RunRequest) -> Result<Vec<Tensor>> {
        let (feeds, fetches) = self.begin(&request)?;
        for (index, tensor) in feeds {
            let port = &self.step.feeds[index];
            self.session.task_of(&self.step, port).feed(self.id, port.slot, tensor).await?;
        }
        let (mut ended, mut failing) = (self.ended.clone(), self.ended.clone());
        let whole = !request.targets.is_empty() || self.is_complete();
        let values = async {
            let values = fetches.all(&self.step, Vec::new()).await;
            if whole {
                // An error is reported below.
                let _ = ended.wait_for(Option::is_some).await;
            }
            values
        };
        let failed = failing.wait_for(|ended| matches!(ended, Some(Err(_))));
        tokio::select! {
            values = values => match (&*self.ended.borrow(), values) {
                (Some(Err(status)), _) => Err(status.clone()),
                (_, values) => values,
            },
            failed = failed => match failed.as_deref() {
                Ok(Some(Err(status))) => Err(status.clone()),
                _ => Err(Status::cancelled("the partial run has ended")),
            },
        }
    }

    /// Checks a call against the setup and marks what it uses.
    fn begin(&self, request: &RunRequest) -> Result<(Vec<(usize, Tensor)>, Fetched)> {
        let unknown = |kind: &str, name: &str| {
            Status::invalid_argument(format!(
                "The {kind} {name} was not specified in partial_run_setup."
            ))
        };
        let find = |kind: &str, all: &[String], name: &String| {
            all.iter().position(|known| known == name).ok_or_else(|| unknown(kind, name))
        };
        let Signature { feeds, fetches, targets } = &self.signature;
        let fed = request
            .feeds
            .iter()
            .map(|(name, tensor)| Ok((find("feed", feeds, name)?, tensor.clone())))
            .collect::<Result<Vec<_>>>()?;
        let wanted = request
            .fetches
            .iter()
            .map(|name| find("fetch", fetches, name))
            .collect::<Result<Vec<_>>>()?;
        for name in &request.targets {
            find("target", targets, name)?;
        }
        let mut state = self.state.lock();
        if let Some((index, _)) = fed.iter().find(|(index, _)| state.fed[*index]) {
            let what = format!("The feed {} has already been fed.", feeds[*index]);
            return Err(Status::invalid_argument(what));
        }
        let taken = state.fetched.take(&wanted).map_err(|index| {
            Status::invalid_argument(format!(
                "The fetch {} has already been fetched.",
                fetches[index]
            ))
        })?;
        fed.iter().for_each(|(index, _)| state.fed[*index] = true);
        Ok((fed, taken))
    }

    /// True when everything was fed and fetched: the step ends by itself.
    pub fn is_complete(&self) -> bool {
        let state = self.state.lock();
        state.fed.iter().all(|fed| *fed) && state.fetched.is_empty()
    }
}

impl Drop for ClusterPartialRun {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

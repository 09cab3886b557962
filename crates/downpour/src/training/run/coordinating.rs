//! The coordinator's part: to answer, and to write down how the data stands.

use std::time::{Duration, Instant};

use downpour_cluster::Hosted;
use downpour_coordinator::message::{Answer, Request, RequestKind, Survey, SurveyRequest};
use downpour_coordinator::{Config, Decision, DecisionKind, Service};
use downpour_tensor::{Result, Status};

use super::PAUSE;
use super::serving::begin;
use super::task::end;
use crate::record::{Decided, Event, Leased, now};
use crate::training::journal::Journal;
use crate::training::own_server::OwnServer;
use crate::training::trainer::{Outcome, StopFlag, Trainer};

/// How often it looks whether there is something to write down.
const SURVEY: Duration = Duration::from_millis(500);

/// The coordinator's log is in the run's folder. A run that is resumed goes on with what was not handed out, as it goes
/// on from its checkpoints.
pub(super) fn coordinator(trainer: &Trainer, config: Config) -> Result<Hosted> {
    let run = trainer.folder.as_ref().ok_or_else(|| {
        Status::failed_precondition(
            "a coordinator needs a folder for its log, without which it would forget what was trained on when it is \
             started again: Trainer::folder",
        )
    })?;
    Ok(Hosted { log: run.join("coordinator").join("log"), config })
}

/// Answers until the process is told to end.
pub(super) fn coordinate(
    trainer: &Trainer,
    server: OwnServer,
    task: u32,
    address: String,
) -> Result<Outcome> {
    let service = server.coordinator();
    let service = service.ok_or_else(|| Status::internal("a coordinator that hosts none"))?;
    let mut journal = begin(trainer, &format!("coordinator/{task}"), address, 0)?;
    let stop = trainer.stop.clone();
    let served = server.serve_until(follow(&mut journal, service, stop));
    let served = served
        .map(|()| Outcome { reason: "coordinated to the end".to_string(), ..Outcome::default() });
    end(&mut journal, served)
}

/// Writes down how the data stands whenever somebody has come or gone, and at the end; and what the coordinator decides.
async fn follow(journal: &mut Journal, service: Service, stop: StopFlag) {
    let (mut known, mut looked) = (None, Instant::now());
    loop {
        let over = stop.is_set();
        if over || looked.elapsed() >= SURVEY {
            looked = Instant::now();
            let mut events = Vec::new();
            let asked = service.clone();
            let survey = Request::new(1, RequestKind::Survey(SurveyRequest {}));
            let looking = move || (asked.call(survey).result(), asked.take_decisions());
            if let Ok((Ok(Answer::Survey(survey)), decisions)) =
                tokio::task::spawn_blocking(looking).await
            {
                let decided = |decision| decided_of(decision, &survey).map(Event::Decided);
                events.extend(decisions.iter().filter_map(decided));
                if over || known != Some(survey.generation) {
                    known = Some(survey.generation);
                    events.push(Event::Leased(leased_of(&survey)));
                }
            }
            for event in events {
                // What cannot be written down is no reason to hand out nothing.
                if let Err(e) = journal.write(&event) {
                    tracing::warn!("{e}");
                }
            }
        }
        if over {
            return;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

fn leased_of(survey: &Survey) -> Leased {
    let dataset = survey.datasets.iter().max_by_key(|dataset| dataset.dataset);
    let dataset = dataset.cloned().unwrap_or_default();
    Leased {
        time: now(),
        members: survey.members.iter().map(|member| member.name.clone()).collect(),
        generation: survey.generation,
        epochs_complete: dataset.epochs_complete,
        done: dataset.done,
        examples: dataset.examples,
    }
}

/// A proposal that is for who starts processes.
fn decided_of(decision: &Decision, survey: &Survey) -> Option<Decided> {
    let why = decision.why.clone();
    let named = |member: u64| survey.members.iter().find(|known| known.member == member);
    match decision.kind {
        DecisionKind::Add => Some(Decided { time: now(), add: true, worker: String::new(), why }),
        DecisionKind::Drop { member } | DecisionKind::Replace { member } => {
            let worker = named(member)?.name.clone();
            let add = matches!(decision.kind, DecisionKind::Replace { .. });
            Some(Decided { time: now(), add, worker, why })
        }
        _ => None,
    }
}

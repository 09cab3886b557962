//! One step after the other, with what happens between them.

mod ending;
mod feed;
mod sandblaster;

use std::sync::Arc;
use std::time::Instant;

use downpour_tensor::{Code, Result, Status, Tensor};

use super::checkpoints::Saver;
use super::evaluator::{Evaluation, Evaluator, columns, rows_of, scalar};
use super::exchange::{Exchange, OfData};
use super::handed::Handed;
use super::hook::{Next, StepReport};
use super::journal::Journal;
use super::leases::Leases;
use super::measures::Measures;
use super::run::Run;
use super::stopping::Stopping;
use super::summaries::{Summaries, in_event_files};
use super::synchronous::Chief;
use super::timeline;
use super::trainer::Outcome;
use crate::output::Output;
use crate::record::{Evaluated, Event, Progress, Saved, Seconds, now};
use crate::session::{Fetch, Session};
use feed::{Fed, Feed};
pub(crate) use sandblaster::Servers;

/// Counters of this process, over all its sessions.
pub(crate) struct Steps {
    steps: u64,
    examples: u64,
    seconds: Seconds,
    /// Sum and number of the losses since the last line of progress.
    recent: (f64, u64),
    last_loss: f64,
    /// The model's metrics since the last line of progress.
    measures: Measures,
    reported: Instant,
    evaluation: Option<Evaluation>,
    /// The global step of that evaluation.
    evaluated: Option<i64>,
    /// The global step of the last evaluation, or where the session began.
    evaluated_at: i64,
    /// The global step, as far as it is known.
    at: i64,
    /// The timeline of a step was recorded.
    profiled: bool,
    /// What was counted before the session: its lines of progress begin anew.
    before: (u64, u64, Seconds),
    /// Of Sandblaster: the data that was read.
    units: Option<Arc<sandblaster::Units>>,
}

/// What a session's steps are run with.
pub(crate) struct Parts<'a> {
    pub run: &'a mut Run,
    pub session: &'a Session,
    pub journal: &'a mut Journal,
    pub saver: Option<Saver>,
    pub evaluator: Option<Evaluator>,
    pub chief: Option<&'a Chief>,
    pub exchange: Option<&'a mut Box<dyn Exchange>>,
}

impl Steps {
    pub fn new() -> Steps {
        Steps {
            steps: 0,
            examples: 0,
            seconds: Seconds::default(),
            recent: (0.0, 0),
            last_loss: f64::NAN,
            measures: Measures::new(Vec::new()),
            reported: Instant::now(),
            evaluation: None,
            evaluated: None,
            evaluated_at: 0,
            at: 0,
            profiled: false,
            before: Default::default(),
            units: None,
        }
    }

    /// Steps this process has run.
    pub fn count(&self) -> u64 {
        self.steps
    }

    pub fn run(&mut self, mut parts: Parts<'_>, step: i64) -> Result<Outcome> {
        self.begin(&parts, step);
        match self.train(&mut parts, step) {
            Ok((step, reason)) => self.end(&mut parts, step, reason),
            Err(status) => self.end_interrupted(&mut parts, status),
        }
    }

    fn begin(&mut self, parts: &Parts<'_>, step: i64) {
        (self.evaluated_at, self.at) = (step, step);
        self.before = (self.steps, self.examples, self.seconds);
        // In a graph over several tasks, computing and exchanging are one.
        if parts.exchange.is_some() || parts.run.is_alone() {
            self.seconds.exchange.get_or_insert(0.0);
        }
    }

    /// Steps until somebody says stop; the global step then, and why.
    fn train(&mut self, parts: &mut Parts<'_>, mut step: i64) -> Result<(i64, String)> {
        let program = parts.run.program.clone();
        let names = &program.train.names;
        let mut feed = Feed::open(parts)?;
        let update = &program.update;
        let mut inputs: Vec<&Output> = program.train.inputs.iter().collect();
        inputs.push(&update.position);
        inputs.extend(update.together.as_ref().map(|together| &together.known_step));
        let together = update.together.is_some();
        let hooked: Vec<Vec<Output>> =
            parts.run.trainer.hooks.iter().map(|hook| hook.fetches()).collect();
        self.measures = Measures::new(program.train.built.metrics.clone());
        let measured = self.measures.values();
        let wanted: Vec<Output> = measured.iter().chain(hooked.iter().flatten()).cloned().collect();
        let mut fetches: Vec<&dyn Fetch> =
            vec![&program.train.built.loss, &update.step, &update.train];
        fetches.extend(wanted.iter().map(|value| value as &dyn Fetch));
        let gradients = update.handed.as_ref().map(Handed::fetches).unwrap_or_default();
        fetches.extend(gradients.iter().map(|value| value as &dyn Fetch));
        let prepared = parts.session.prepare(&inputs, &fetches)?;
        if let Some(exchange) = &mut parts.exchange {
            exchange.watch(&parts.run.local(parts.session, &no_values), &fetches)?;
        }
        if self.steps == 0 {
            self.seconds.start = parts.run.begun.elapsed().as_secs_f64();
        }
        if let Some(target) = parts.run.trainer.target_step.filter(|target| step >= *target) {
            return Ok((step, format!("step {target} was reached before")));
        }
        loop {
            let waiting = Instant::now();
            let Fed { batch, position, piece } = match feed.next(parts)? {
                Ok(fed) => fed,
                Err(reason) => return Ok((step, reason)),
            };
            let mut feeds = columns(&batch, names)?;
            let rows = rows_of(&feeds);
            if self.steps == 0
                && let Some(summaries) = &parts.run.summaries
            {
                summaries.pictures(step, names, &feeds);
            }
            feeds.push(position.clone());
            if together {
                feeds.push(Tensor::scalar(step));
            }
            let mut running = Instant::now();
            self.seconds.data += (running - waiting).as_secs_f64();
            if let Some(exchange) = &mut parts.exchange {
                let local = parts.run.local(parts.session, &no_values);
                if let Some(reason) = exchange.ready(&local, &position)? {
                    return Ok((step, reason));
                }
            }
            // Other workers count the global step up too: it may pass over the one that was asked for.
            let due = parts.run.trainer.profile_at.is_some_and(|at| step + 1 >= at);
            let profile = due && parts.run.placement.is_chief() && !self.profiled;
            self.profiled |= profile;
            if let Some(exchange) = &mut parts.exchange {
                let local = parts.run.local(parts.session, &no_values);
                exchange.before(&local, &feeds[..names.len()])?;
                // After the last step nobody needs a batch, and there may be none to wait for.
                let last = parts.run.trainer.target_step.is_some_and(|target| step + 1 >= target);
                if exchange.looks_ahead() && !last {
                    let reading = Instant::now();
                    let next = feed.ahead();
                    // Waiting for data, though in the middle of a step.
                    let read = reading.elapsed();
                    self.seconds.data += read.as_secs_f64();
                    running += read;
                    if let Some(next) = next {
                        exchange.soon(&local, &columns(&next.batch, names)?)?;
                    }
                }
            }
            let ran = match profile {
                true => timeline::record(parts.run, parts.session, &inputs, &fetches, feeds),
                false => prepared.run(feeds),
            };
            let values = match ran {
                // The chief has ended synchronous training: no token will come any more.
                Err(e) if together && parts.chief.is_none() && e.code() == Code::OutOfRange => {
                    return Ok((step, "the chief has ended training".to_string()));
                }
                // What ended the updates is the reason, not that none came.
                Err(e) => return Err(parts.chief.and_then(Chief::failed).unwrap_or(e)),
                Ok(values) => values,
            };
            let (values, gradients) = values.split_at(values.len() - gradients.len());
            let computed = Instant::now();
            self.seconds.step += (computed - running).as_secs_f64();
            step = match &mut parts.exchange {
                None => values[1].to_scalar::<i64>()?,
                Some(exchange) => {
                    let local = parts.run.local(parts.session, &no_values);
                    let step = exchange.step(&local, gradients, OfData { position, piece })?;
                    *self.seconds.exchange.get_or_insert(0.0) += computed.elapsed().as_secs_f64();
                    step
                }
            };
            self.at = step;
            feed::report(parts, piece);
            let loss = scalar(&values[0])?;
            self.add(loss, rows);
            let (measured, fetched) = values[2..].split_at(measured.len());
            self.measures.add(rows, measured)?;
            let report = StepReport { step, loss, examples: rows, fetched: &[] };
            if let Some(reason) = self.after_step(parts, &report, fetched, &hooked)? {
                return Ok((step, reason));
            }
        }
    }

    fn add(&mut self, loss: f64, rows: usize) {
        self.steps += 1;
        self.examples += rows as u64;
        self.recent = (self.recent.0 + loss, self.recent.1 + 1);
        self.last_loss = loss;
    }

    /// Hooks, evaluation, checkpoint, progress; a reason to stop if there is one.
    fn after_step(
        &mut self,
        parts: &mut Parts<'_>,
        report: &StepReport<'_>,
        fetched: &[Tensor],
        hooked: &[Vec<Output>],
    ) -> Result<Option<String>> {
        let mut reason = None;
        let mut rest = fetched;
        for (hook, wanted) in parts.run.trainer.hooks.iter_mut().zip(hooked) {
            let (own, later) = rest.split_at(wanted.len());
            rest = later;
            let report = StepReport { fetched: own, ..*report };
            if let Next::Stop(why) = hook.stepped(&report)? {
                reason.get_or_insert(why);
            }
        }
        if let Some(failed) = parts.chief.and_then(Chief::failed) {
            return Err(failed);
        }
        // A disk that is full or broken is an error at once: what is trained on cannot be saved.
        parts.saver.iter().try_for_each(Saver::check)?;
        parts.run.summaries.iter().try_for_each(Summaries::check)?;
        if parts.run.trainer.stop.is_set() {
            reason.get_or_insert_with(|| "stopped by a signal".to_string());
        }
        if parts.exchange.as_ref().is_some_and(|exchange| exchange.is_ending()) {
            reason.get_or_insert_with(|| "another worker has ended training".to_string());
        }
        let due = parts.run.trainer.evaluate_every;
        if reason.is_none()
            && parts.evaluator.is_some()
            && due.is_some_and(|every| report.step - self.evaluated_at >= every)
        {
            reason = match self.evaluate(parts, report.step, Stopping::is_set) {
                // The step itself is complete: its values can be saved.
                Err(e) if e.code() == Code::Cancelled && parts.run.stopping.is_set() => {
                    Some("stopped by a signal".to_string())
                }
                other => other?,
            };
        }
        if parts.saver.as_ref().is_some_and(|saver| saver.is_due(report.step)) {
            self.save(parts)?;
        }
        self.report(parts, report.step, false)?;
        Ok(reason)
    }

    /// Measures the model; a reason to stop if a hook has one.
    fn evaluate(
        &mut self,
        parts: &mut Parts<'_>,
        step: i64,
        is_over: fn(&Stopping) -> bool,
    ) -> Result<Option<String>> {
        if parts.evaluator.is_none() {
            return Ok(None);
        }
        refresh(parts)?;
        let Some(evaluator) = &parts.evaluator else { return Ok(None) };
        let begun = Instant::now();
        let stopping = &parts.run.stopping;
        let evaluation = evaluator.run(|| is_over(stopping))?;
        self.seconds.evaluation += begun.elapsed().as_secs_f64();
        (self.evaluated_at, self.evaluated) = (step, Some(step));
        let event = Evaluated {
            time: now(),
            step,
            examples: evaluation.examples,
            metrics: evaluation.metrics.clone(),
        };
        parts.journal.write(&Event::Evaluated(event))?;
        if let Some(summaries) = &parts.run.summaries {
            summaries.evaluated(step, &evaluation);
        }
        let mut reason = None;
        for hook in &mut parts.run.trainer.hooks {
            if let Next::Stop(why) = hook.evaluated(step, &evaluation.metrics)? {
                reason.get_or_insert(why);
            }
        }
        self.evaluation = Some(evaluation);
        Ok(reason)
    }

    fn save(&mut self, parts: &mut Parts<'_>) -> Result<()> {
        let begun = Instant::now();
        refresh(parts)?;
        let Some(saver) = &mut parts.saver else { return Ok(()) };
        let metrics = self.evaluation.as_ref().map(|evaluation| &evaluation.metrics);
        saver.save(metrics)?;
        self.seconds.checkpoint += begun.elapsed().as_secs_f64();
        if let Some(summaries) =
            parts.run.summaries.as_ref().filter(|_| parts.run.trainer.histograms)
        {
            let variables = parts.run.program.graph.trainable_variables();
            let values: Vec<Output> = variables.iter().map(|v| v.value()).collect();
            let fetches: Vec<&dyn Fetch> = values.iter().map(|v| v as &dyn Fetch).collect();
            for (variable, value) in variables.iter().zip(parts.session.run(&[], &fetches)?) {
                summaries.histogram(variable.name(), saver.last_step(), &value);
            }
        }
        Ok(())
    }

    /// Writes a line of progress if it is time, or if it must be.
    fn report(&mut self, parts: &mut Parts<'_>, step: i64, must: bool) -> Result<()> {
        if let Some((path, step, seconds)) = parts.saver.as_mut().and_then(Saver::news) {
            let event = Saved { time: now(), step, bytes: size_of(&path), path, seconds };
            parts.journal.write(&Event::Saved(event))?;
        }
        if let (Some(leases), Some(exchange)) = (&mut parts.run.leases, &parts.exchange) {
            leases.measure(exchange.toll());
        }
        let passed = self.reported.elapsed();
        let due = self.recent.1 > 0 && passed >= parts.run.trainer.report_every;
        if !(due || must && self.steps > 0) {
            return Ok(());
        }
        let loss = match self.recent {
            (_, 0) => self.last_loss,
            (sum, count) => sum / count as f64,
        };
        let metrics = match self.recent.1 {
            0 => Default::default(),
            _ => self.measures.take(),
        };
        self.recent = (0.0, 0);
        self.reported = Instant::now();
        let traffic = match &parts.exchange {
            Some(exchange) => exchange.traffic(),
            None => Some(parts.run.traffic()),
        };
        let (steps, examples, seconds) = self.before;
        let progress = Progress {
            time: now(),
            step,
            steps: self.steps.saturating_sub(steps),
            examples: self.examples.saturating_sub(examples),
            loss,
            metrics,
            seconds: self.seconds.since(&seconds),
            traffic,
            leases: parts.run.leases.as_ref().map(Leases::counts),
        };
        if let Some(summaries) = &parts.run.summaries {
            let rate = self.examples as f64 / self.seconds_training();
            let counted = traffic.iter().flat_map(in_event_files);
            let waited = progress.seconds.exchange.map(|waited| ("seconds/exchange", waited));
            let mut numbers: Vec<(&str, f64)> = counted.chain(waited).collect();
            numbers.extend([("loss", loss), ("examples_per_second", rate)]);
            numbers.extend(progress.metrics.iter().map(|(name, value)| (name.as_str(), *value)));
            summaries.progress(step, &numbers);
        }
        parts.journal.write(&Event::Progress(progress))?;
        Ok(())
    }

    fn seconds_training(&self) -> f64 {
        let exchange = self.seconds.exchange.unwrap_or(0.0);
        (self.seconds.data + self.seconds.step + exchange).max(f64::MIN_POSITIVE)
    }
}

/// The variables here become everybody's, if others are to see them.
fn refresh(parts: &mut Parts<'_>) -> Result<()> {
    let Some(exchange) = &mut parts.exchange else { return Ok(()) };
    exchange.refresh(&parts.run.local(parts.session, &no_values))
}

/// While training, variables have values.
fn no_values() -> Result<()> {
    Err(Status::internal("first values are asked for while training"))
}

/// Bytes of a checkpoint's files.
fn size_of(prefix: &str) -> u64 {
    let length = |path: std::path::PathBuf| std::fs::metadata(path).map_or(0, |file| file.len());
    length(downpour_formats::index_file(prefix)) + length(downpour_formats::data_file(prefix, 0, 1))
}

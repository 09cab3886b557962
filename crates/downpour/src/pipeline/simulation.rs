//! Plays a schedule with given times: how long it takes and how much of that is waiting.

use downpour_tensor::{Result, Status};

use super::schedule::Action;

/// What a schedule has cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// From the first action's beginning to the last one's end.
    pub time: f64,
    /// The part of the stages' time in which they waited.
    pub bubble: f64,
    /// When each action of each stage began, in the order of the schedule.
    pub begun: Vec<Vec<f64>>,
}

/// Plays a schedule whose stages take `forward[stage]` and `backward[stage]` for one micro-batch; sending
/// takes no time. A schedule in which stages wait for each other is refused.
///
/// With stages that are equally fast the bubble is (S - 1) / (M + S - 1), whichever schedule:
///
/// ```
/// use downpour::pipeline::{PipelineSchedule, play, schedule};
/// # fn main() -> downpour::Result<()> {
/// let order = schedule(PipelineSchedule::GPipe, 4, 8);
/// let played = play(&order, &[1.0; 4], &[2.0; 4])?;
/// assert_eq!(played.time, (8.0 + 3.0) * 3.0);
/// assert!((played.bubble - 3.0 / 11.0).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
pub fn play(order: &[Vec<Action>], forward: &[f64], backward: &[f64]) -> Result<Played> {
    let stages = order.len();
    if forward.len() != stages || backward.len() != stages {
        return Err(Status::invalid_argument(format!(
            "there are {stages} stages, but the times of {} and {}",
            forward.len(),
            backward.len()
        )));
    }
    let parts = order.iter().flatten().map(|action| action.micro_batch() + 1).max().unwrap_or(0);
    let mut ends = Ends { forward: vec![vec![None; parts]; stages], backward: Vec::new() };
    ends.backward = ends.forward.clone();
    let mut begun: Vec<Vec<f64>> = vec![Vec::new(); stages];
    let mut free = vec![0.0f64; stages];
    let mut busy = 0.0;
    loop {
        let mut moved = false;
        for stage in 0..stages {
            while let Some(action) = order[stage].get(begun[stage].len()) {
                let Some(ready) = ends.ready(stage, *action, stages) else { break };
                let time = match action {
                    Action::Forward(_) => forward[stage],
                    Action::Backward(_) => backward[stage],
                };
                let start = ready.max(free[stage]);
                free[stage] = start + time;
                busy += time;
                begun[stage].push(start);
                ends.set(stage, *action, free[stage]);
                moved = true;
            }
        }
        if !moved {
            break;
        }
    }
    if let Some(stage) = (0..stages).find(|&stage| begun[stage].len() < order[stage].len()) {
        return Err(Status::invalid_argument(format!(
            "the schedule never ends: stage {stage} waits for ever to do {:?}",
            order[stage][begun[stage].len()]
        )));
    }
    let time = free.iter().copied().fold(0.0, f64::max);
    let all = time * stages as f64;
    let bubble = if all > 0.0 { 1.0 - busy / all } else { 0.0 };
    Ok(Played { time, bubble, begun })
}

/// When each micro-batch has left each stage, each way.
struct Ends {
    forward: Vec<Vec<Option<f64>>>,
    backward: Vec<Vec<Option<f64>>>,
}

impl Ends {
    /// When everything that an action needs is there, if it ever will be.
    fn ready(&self, stage: usize, action: Action, stages: usize) -> Option<f64> {
        match action {
            Action::Forward(_) if stage == 0 => Some(0.0),
            Action::Forward(micro) => self.forward[stage - 1][micro],
            Action::Backward(micro) if stage + 1 == stages => self.forward[stage][micro],
            Action::Backward(micro) => {
                let own = self.forward[stage][micro]?;
                Some(own.max(self.backward[stage + 1][micro]?))
            }
        }
    }

    fn set(&mut self, stage: usize, action: Action, end: f64) {
        match action {
            Action::Forward(micro) => self.forward[stage][micro] = Some(end),
            Action::Backward(micro) => self.backward[stage][micro] = Some(end),
        }
    }
}

impl Action {
    /// The number of the micro-batch.
    pub fn micro_batch(self) -> usize {
        match self {
            Action::Forward(micro) | Action::Backward(micro) => micro,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::schedule::{PipelineSchedule, schedule};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_bubble_is_known_and_nothing_waits_for_ever(
            stages in 1usize..9,
            micro_batches in 1usize..20,
            gpipe in any::<bool>(),
            backward in 0.5f64..4.0,
        ) {
            let kind = match gpipe {
                true => PipelineSchedule::GPipe,
                false => PipelineSchedule::OneForwardOneBackward,
            };
            let order = schedule(kind, stages, micro_batches);
            let played = play(&order, &vec![1.0; stages], &vec![backward; stages]).unwrap();
            let (s, m) = (stages as f64, micro_batches as f64);
            prop_assert!((played.bubble - (s - 1.0) / (m + s - 1.0)).abs() < 1e-9);
            prop_assert!((played.time - (m + s - 1.0) * (1.0 + backward)).abs() < 1e-6);
        }

        #[test]
        fn actions_begin_after_what_they_need(
            stages in 2usize..6,
            micro_batches in 1usize..10,
            gpipe in any::<bool>(),
            times in proptest::collection::vec(0.1f64..3.0, 12),
        ) {
            let kind = match gpipe {
                true => PipelineSchedule::GPipe,
                false => PipelineSchedule::OneForwardOneBackward,
            };
            let order = schedule(kind, stages, micro_batches);
            let (forward, backward) = (&times[..stages], &times[6..6 + stages]);
            let played = play(&order, forward, backward).unwrap();
            let begun = |stage: usize, action: Action| {
                let at = order[stage].iter().position(|a| *a == action).unwrap();
                played.begun[stage][at]
            };
            for micro in 0..micro_batches {
                for stage in 1..stages {
                    let before = begun(stage - 1, Action::Forward(micro)) + forward[stage - 1];
                    prop_assert!(begun(stage, Action::Forward(micro)) >= before - 1e-9);
                    let after = begun(stage, Action::Backward(micro)) + backward[stage];
                    prop_assert!(begun(stage - 1, Action::Backward(micro)) >= after - 1e-9);
                }
            }
        }
    }

    #[test]
    fn a_schedule_that_cannot_end_is_refused() {
        let order = vec![vec![Action::Backward(0), Action::Forward(0)]];
        let refused = play(&order, &[1.0], &[1.0]).unwrap_err();
        assert!(
            refused.message().contains("stage 0 waits for ever to do Backward(0)"),
            "{refused}"
        );
    }
}

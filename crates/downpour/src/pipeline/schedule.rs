//! In which order a stage works on the parts of a batch.

use serde::{Deserialize, Serialize};

/// An order of work for the stages of a pipeline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PipelineSchedule {
    /// All parts forward, then all backward: every stage holds the activations of all parts.
    #[default]
    #[serde(rename = "gpipe")]
    GPipe,
    /// One forward, one backward: as soon as a stage can it takes a part backward, so that it never holds
    /// the activations of more parts than there are stages from it to the last. As fast as GPipe.
    #[serde(rename = "1f1b")]
    OneForwardOneBackward,
}

/// Something a stage does, with the number of the micro-batch it does it for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Computes its part of the model.
    Forward(usize),
    /// Computes the gradients of that.
    Backward(usize),
}

/// What each stage does, in its order.
///
/// ```
/// use downpour::pipeline::{Action::{Backward, Forward}, PipelineSchedule, schedule};
/// let order = schedule(PipelineSchedule::OneForwardOneBackward, 2, 3);
/// assert_eq!(order[0], [Forward(0), Forward(1), Backward(0), Forward(2), Backward(1), Backward(2)]);
/// assert_eq!(order[1], [Forward(0), Backward(0), Forward(1), Backward(1), Forward(2), Backward(2)]);
/// ```
pub fn schedule(kind: PipelineSchedule, stages: usize, micro_batches: usize) -> Vec<Vec<Action>> {
    (0..stages)
        .map(|stage| {
            // So many parts go forward before the first comes back.
            let ahead = match kind {
                PipelineSchedule::GPipe => micro_batches,
                PipelineSchedule::OneForwardOneBackward => (stages - stage).min(micro_batches),
            };
            let mut actions: Vec<Action> = (0..ahead).map(Action::Forward).collect();
            for micro in 0..micro_batches {
                actions.push(Action::Backward(micro));
                let next = micro + ahead;
                if next < micro_batches {
                    actions.push(Action::Forward(next));
                }
            }
            actions
        })
        .collect()
}

/// Of how many micro-batches a stage that works so holds activations at once, at most.
pub fn peak_activations(actions: &[Action]) -> usize {
    let (mut now, mut peak) = (0usize, 0);
    for action in actions {
        match action {
            Action::Forward(_) => now += 1,
            Action::Backward(_) => now = now.saturating_sub(1),
        }
        peak = peak.max(now);
    }
    peak
}

#[cfg(test)]
mod tests {
    use super::*;
    use PipelineSchedule::{GPipe, OneForwardOneBackward};
    use proptest::prelude::*;

    #[test]
    fn gpipe_holds_all_parts_and_1f1b_no_more_than_stages() {
        for (stages, micro_batches) in [(1, 1), (2, 8), (4, 4), (4, 16), (8, 3)] {
            for actions in schedule(GPipe, stages, micro_batches) {
                assert_eq!(peak_activations(&actions), micro_batches);
            }
            let order = schedule(OneForwardOneBackward, stages, micro_batches);
            for (stage, actions) in order.iter().enumerate() {
                assert_eq!(peak_activations(actions), (stages - stage).min(micro_batches));
            }
        }
    }

    proptest! {
        #[test]
        fn every_part_goes_forward_once_and_then_backward_once(
            stages in 1usize..9,
            micro_batches in 1usize..20,
            gpipe in any::<bool>(),
        ) {
            let kind = if gpipe { GPipe } else { OneForwardOneBackward };
            let order = schedule(kind, stages, micro_batches);
            prop_assert_eq!(order.len(), stages);
            for actions in &order {
                prop_assert_eq!(actions.len(), 2 * micro_batches);
                for micro in 0..micro_batches {
                    let forward = actions.iter().position(|a| *a == Action::Forward(micro));
                    let backward = actions.iter().position(|a| *a == Action::Backward(micro));
                    prop_assert!(forward.is_some() && forward < backward);
                }
            }
        }
    }
}

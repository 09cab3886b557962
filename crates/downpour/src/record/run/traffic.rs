//! What a run has moved over the network, and what its servers did with it.

use super::super::{Books, Traffic};
use super::{Run, Task};

impl Task {
    /// What went over the network in all lives; none if nobody counted.
    pub fn traffic(&self) -> Option<Traffic> {
        let told = self.lives.iter().filter_map(|life| life.traffic);
        told.reduce(Traffic::plus)
    }

    /// What a parameter server has counted in all its lives.
    pub fn books(&self) -> Option<Books> {
        let told = self.lives.iter().filter_map(|life| life.books.clone());
        told.reduce(|before, next| Books {
            updates: before.updates.saturating_add(next.updates),
            // These come back with a snapshot.
            steps: before.steps.max(next.steps),
            lost: before.lost.max(next.lost),
            known: before.known.max(next.known),
            repeated: before.repeated.saturating_add(next.repeated),
            dropped: before.dropped.saturating_add(next.dropped),
            refused: before.refused.saturating_add(next.refused),
            examples: before.examples.saturating_add(next.examples),
            data_epochs: next.data_epochs,
            staleness: {
                let mut staleness = super::Staleness::default();
                staleness.add(&before.staleness);
                staleness.add(&next.staleness);
                staleness.counts().to_vec()
            },
        })
    }
}

impl Run {
    /// What all tasks sent and received; none if nobody counted.
    ///
    /// What one sends another receives, so `sent` alone is every byte once.
    pub fn traffic(&self) -> Option<Traffic> {
        self.tasks.iter().filter_map(Task::traffic).reduce(Traffic::plus)
    }

    /// What was counted at the server where it was most: a push goes to all of them, in parts.
    pub fn books(&self) -> Option<Books> {
        let told = self.tasks.iter().filter_map(Task::books);
        told.reduce(|one, other| Books {
            updates: one.updates.max(other.updates),
            steps: one.steps.max(other.steps),
            repeated: one.repeated.max(other.repeated),
            dropped: one.dropped.max(other.dropped),
            lost: one.lost.max(other.lost),
            refused: one.refused.max(other.refused),
            known: one.known.max(other.known),
            examples: one.examples.max(other.examples),
            data_epochs: one.data_epochs.max(other.data_epochs),
            // Of all servers together: see `Run::staleness`.
            staleness: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    #[test]
    fn bytes_add_up_over_tasks_and_lives() {
        let mut run = Run::default();
        assert_eq!((run.traffic(), run.books()), (None, None));
        run.take("worker-0", started("worker/0", 0.0, 0, 0));
        run.take("worker-0", moved(1.0, 100, 10));
        run.take("worker-0", moved(2.0, 300, 30));
        run.take("worker-0", started("worker/0", 3.0, 0, 1));
        run.take("worker-0", moved(4.0, 50, 5));
        run.take("ps-0", served(4.0, 35, 350, &[3, 1]));
        let all = run.traffic().expect("counted");
        assert_eq!((all.sent, all.received), (350 + 35, 35 + 350));
    }

    #[test]
    fn a_restarted_server_counts_on_and_servers_count_the_same_pushes() {
        let mut run = Run::default();
        run.take("ps-0", started("ps/0", 0.0, 0, 0));
        run.take("ps-0", served(1.0, 1, 1, &[3, 1]));
        run.take("ps-0", started("ps/0", 2.0, 0, 1));
        run.take("ps-0", served(3.0, 1, 1, &[2]));
        run.take("ps-1", served(3.0, 1, 1, &[5, 0, 1]));
        let books = run.books().expect("counted");
        assert_eq!((books.updates, books.lost), (6, 1));
        let staleness = run.staleness().expect("counted");
        assert_eq!(staleness.counts(), [10, 1, 1]);
    }

    #[test]
    fn compression_is_of_the_gradients_that_were_compressed() {
        let plain = Traffic { sent: 10, received: 10, ..Traffic::default() };
        assert_eq!(plain.compression(), None);
        let packed = Traffic { gradients: 400, packed: 100, ..plain };
        assert_eq!(packed.plus(packed).compression(), Some(4.0));
        assert_eq!(packed.since(plain), Traffic { sent: 0, received: 0, ..packed });
    }
}

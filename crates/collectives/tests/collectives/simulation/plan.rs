//! What one seed is: how many ranks do what, and what goes wrong.

use std::collections::BTreeSet;
use std::time::Duration;

use downpour_collectives::Algorithm;
use downpour_simulation::Random;

/// A rank that neither takes nor gives a byte for so long is given up.
pub const PATIENCE: Duration = Duration::from_secs(3);
/// How long an operation of a group waits for all ranks.
pub const START_LIMIT: Duration = Duration::from_secs(8);

/// How ranks come to their sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// One operation after the other, over the mesh.
    Mesh,
    /// Under keys, each rank in an order of its own.
    Group,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The connections between two are cut.
    Cut,
    /// What two say to each other is lost.
    Silence,
    /// A rank stands still, but not for longer than others are patient.
    Pause,
    /// It stands still until others have given it up.
    LongPause,
    Kill,
}

pub const FAULTS: [Fault; 5] =
    [Fault::Cut, Fault::Silence, Fault::Pause, Fault::LongPause, Fault::Kill];

#[derive(Clone, Copy, Debug)]
pub struct Trouble {
    pub fault: Fault,
    pub rank: usize,
    /// For what happens between two.
    pub other: usize,
    pub after: Duration,
    pub lasts: Duration,
}

#[derive(Clone, Debug)]
pub struct Operation {
    pub algorithm: Algorithm,
    pub values: usize,
}

#[derive(Clone, Debug)]
pub struct Plan {
    pub way: Way,
    pub size: usize,
    pub machines: Vec<usize>,
    pub operations: Vec<Operation>,
    /// How long after the beginning a rank comes.
    pub starts: Vec<Duration>,
    pub delay: u64,
    pub window: usize,
    pub troubles: Vec<Trouble>,
}

impl Plan {
    pub fn of(random: &mut Random) -> Plan {
        let size = random.between(2, 6) as usize;
        let way = if random.chance(500) { Way::Mesh } else { Way::Group };
        let algorithm = |random: &mut Random| {
            Algorithm::ALL[random.below(Algorithm::ALL.len() as u64) as usize]
        };
        let operations = (0..random.between(1, 8)).map(|_| {
            let values = match random.chance(150) {
                true => random.between(4000, 12_000),
                false => random.between(0, 800),
            };
            Operation { algorithm: algorithm(random), values: values as usize }
        });
        let operations = operations.collect();
        let machines = (0..size).map(|_| random.below(3) as usize).collect();
        let starts = (0..size).map(|_| random.millis(0, 800)).collect();
        let troubles = match random.chance(150) {
            true => 0,
            false => random.between(1, 3),
        };
        let troubles = (0..troubles).map(|_| Trouble::of(random, size)).collect();
        Plan {
            way,
            size,
            machines,
            operations,
            starts,
            delay: [0, 5, 60][random.below(3) as usize],
            // A small message fits in any case: the protocol counts on that.
            window: (4 * (downpour_collectives::EAGER + 64)) << random.below(3),
            troubles,
        }
    }

    /// Who may be the reason that others cannot go on.
    pub fn suspects(&self) -> BTreeSet<usize> {
        let hard = self.troubles.iter().filter(|trouble| trouble.fault != Fault::Pause);
        hard.flat_map(|trouble| match trouble.fault {
            Fault::Cut | Fault::Silence => vec![trouble.rank, trouble.other],
            _ => vec![trouble.rank],
        })
        .collect()
    }
}

impl Trouble {
    fn of(random: &mut Random, size: usize) -> Trouble {
        let fault = FAULTS[random.below(FAULTS.len() as u64) as usize];
        let rank = random.below(size as u64) as usize;
        let other = (rank + 1 + random.below(size as u64 - 1) as usize) % size;
        let lasts = match fault {
            Fault::LongPause => random.millis(4000, 20_000),
            // All of them together are shorter than anybody's patience.
            _ => random.millis(1, 500),
        };
        // Most often while something is under way.
        Trouble { fault, rank, other, after: random.millis(0, 1800), lasts }
    }
}

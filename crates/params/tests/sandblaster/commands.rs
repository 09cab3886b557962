//! Commands on servers do what plain arithmetic does.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use downpour_lbfgs::{Command, Shard, Side, Vector, VectorSpace, merge};
use downpour_params::sandblaster::ServiceSpace;
use proptest::prelude::*;

use crate::cluster::Cluster;
use crate::problem::{INPUTS, Kind, Problem, noise};

const VECTORS: [Vector; 6] = [
    Vector::Parameters,
    Vector::Point(Side::A),
    Vector::Gradient(Side::B),
    Vector::Direction,
    Vector::Step(3),
    Vector::Change(0),
];

fn vectors() -> impl Strategy<Value = Vector> {
    (0..VECTORS.len()).prop_map(|place| VECTORS[place])
}

fn commands() -> impl Strategy<Value = Command> {
    let by = -1.5..1.5f64;
    prop_oneof![
        (vectors(), vectors()).prop_map(|(from, to)| Command::Copy { from, to }),
        (vectors(), by.clone()).prop_map(|(vector, by)| Command::Scale { vector, by }),
        (by.clone(), vectors(), vectors()).prop_map(|(by, from, to)| Command::Axpy {
            by,
            from,
            to
        }),
        (vectors(), vectors()).prop_map(|(from, to)| Command::Multiply { from, to }),
        (vectors(), prop::collection::vec((by, vectors()), 0..4))
            .prop_map(|(to, terms)| Command::Combine { to, terms }),
        (vectors(), vectors()).prop_map(|(a, b)| Command::Dot { a, b }),
        vectors().prop_map(|vector| Command::Norm { vector }),
    ]
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-10 * a.abs().max(b.abs()).max(1e-3)
}

async fn check(batches: Vec<Vec<Command>>, seed: u64) {
    let mut cluster = Cluster::new(Problem::new(Kind::Ridge), 1);
    // Answers get lost: batches come again.
    cluster.frail = 150;
    cluster.chance.store(seed, Ordering::Relaxed);
    let weights = noise(INPUTS, seed);
    let client = cluster.start(&weights).await;
    let mut space =
        ServiceSpace::open(Arc::new(cluster.client(1)), cluster.plan(), 1).await.unwrap();
    let mut plain = Shard::new(INPUTS);
    plain.write(Vector::Parameters, &weights).unwrap();
    for batch in &batches {
        let found = space.execute(batch).await.unwrap();
        let expected = merge(batch, &[plain.execute(batch)]).unwrap();
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(&expected).all(|(a, b)| close(*a, *b)), "{found:?} {expected:?}");
    }
    for vector in VECTORS {
        let copy = Command::Copy { from: vector, to: Vector::Parameters };
        space.execute(std::slice::from_ref(&copy)).await.unwrap();
        plain.execute(&[copy]);
        let found = cluster.published(&client).await;
        assert_eq!(found, plain.read(Vector::Parameters).unwrap_or(&[0.0; INPUTS]), "{vector}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn commands_are_plain_arithmetic(
        batches in prop::collection::vec(prop::collection::vec(commands(), 0..6), 1..6),
        seed: u64,
    ) {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().start_paused(true).build().unwrap();
        runtime.block_on(check(batches, seed));
    }
}

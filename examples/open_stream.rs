//! Ids that nobody knows in advance: a stream in which few ids are frequent, and which ones changes all the time.
//!
//!     cargo run --release --example open_stream -- [STEPS] [ROWS]
//!
//! Every id has an answer, yes or no, that can only be remembered. A table that gives rows to ids that come often
//! and takes them from those that stay away is compared with as many buckets that ids are hashed into. Then
//! lookups are timed in a table of ROWS rows.

use std::time::Instant;

use downpour::layers::{Dense, Embedding, HashEmbedding};
use downpour::{DataType, Graph, NodeBuilder, Optimizer, Output, Result, Session, Tensor, losses};

const BATCH: u64 = 256;
/// Ids that are alive at any time.
const ALIVE: f64 = 10_000.0;
/// Rows of the table, and buckets.
const ROOM: usize = 2_000;
/// Steps after which another id has taken an id's place.
const LIFE: u64 = 400;

fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The n-th most frequent id comes about 1/n times as often as the first.
fn stream(step: u64) -> (Vec<i64>, Vec<f32>) {
    let example = |i: u64| {
        let drawn = (mix(step * BATCH + i + 1) >> 11) as f64 / (1u64 << 53) as f64;
        let rank = ALIVE.powf(drawn) as u64;
        let id = mix(rank * 1_000_003 + (step + mix(rank) % LIFE) / LIFE);
        (id as i64, (mix(id + 1) % 2) as f32)
    };
    (0..BATCH).map(example).unzip()
}

// ANCHOR: table
/// Vectors of ids that need two sightings for a row, and lose it to others after 500 steps without one.
fn in_a_table(ids: &Output) -> Result<Output> {
    HashEmbedding::new(ROOM, 8).name("ids").admit_after(2).max_age(500).build(ids, true)
}
// ANCHOR_END: table

/// The same memory, shared by whichever ids meet in a bucket.
fn in_buckets(ids: &Output) -> Result<Output> {
    let buckets = ids.graph().constant(ROOM as i64)?;
    let bucket = NodeBuilder::new("FloorMod").input(ids).input(&buckets).output()?;
    Embedding::new(ROOM, 8).build(&bucket)
}

/// The part of answers that were right before they were learned, in the last quarter of the stream.
fn right_answers(steps: u64, vectors: fn(&Output) -> Result<Output>) -> Result<f32> {
    let graph = Graph::new();
    graph.set_seed(1);
    let ids = graph.placeholder("ids", DataType::Int64, [None])?;
    let answers = graph.placeholder("answers", DataType::Float, [None])?;
    let logits = Dense::new(1).build(&vectors(&ids)?)?.squeeze(&[1])?;
    let loss = losses::sigmoid_cross_entropy(&answers, &logits)?.mean()?;
    let yes = logits.greater(&logits.scalar_like(0.0)?)?;
    let right = yes.equal(&answers.greater(&answers.scalar_like(0.5)?)?)?;
    let right = right.cast(DataType::Float)?.mean_all()?;
    let train = Optimizer::adagrad(0.5).minimize(&loss, None)?;

    let session = Session::local(&graph)?;
    session.run(&[], &[&graph.initialize_variables()?])?;
    let (mut sum, mut count) = (0.0, 0.0);
    for step in 0..steps {
        let (given, expected) = stream(step);
        let feeds = [(&ids, Tensor::vector(&given)?), (&answers, Tensor::vector(&expected)?)];
        let found = session.run(&feeds, &[&right, &train])?;
        if step >= steps * 3 / 4 {
            sum += found[0].to_scalar::<f32>()?;
            count += 1.0;
        }
    }
    Ok(sum / count)
}

/// Ids looked up in a second: all known, all new in a full table, and only looked at.
fn speed(rows: usize) -> Result<[f64; 3]> {
    const MANY: usize = 8192;
    let graph = Graph::new();
    let ids = graph.placeholder("ids", DataType::Int64, [None])?;
    let table = HashEmbedding::new(rows, 1).name("t").hold(1);
    let admitted = table.build(&ids, true)?;
    let found = {
        let _reuse = graph.reuse_variables();
        table.build(&ids, false)?
    };
    let session = Session::local(&graph)?;
    session.run(&[], &[&graph.initialize_variables()?])?;
    let batch = |first: usize| {
        let ids: Vec<i64> = (first..first + MANY).map(|i| mix(i as u64 + 1) as i64).collect();
        Tensor::vector(&ids)
    };
    let rounds = rows / MANY;
    let timed = |first: usize, output: &Output| -> Result<f64> {
        let batches = (0..rounds).map(|round| batch(first + round * MANY));
        let batches = batches.collect::<Result<Vec<Tensor>>>()?;
        let begun = Instant::now();
        for batch in batches {
            session.run(&[(&ids, batch)], &[output])?;
        }
        Ok((rounds * MANY) as f64 / begun.elapsed().as_secs_f64())
    };
    timed(0, &admitted)?;
    Ok([timed(0, &admitted)?, timed(rows, &admitted)?, timed(rows, &found)?])
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse().ok());
    let steps = arguments.next().flatten().unwrap_or(2000);
    let rows = arguments.next().flatten().unwrap_or(100_000);
    let table = right_answers(steps, in_a_table)?;
    let buckets = right_answers(steps, in_buckets)?;
    println!(
        "right answers: {table:.3} with a table of {ROOM} rows, {buckets:.3} with as many buckets"
    );
    let [known, new, found] = speed((rows as usize).max(8192))?;
    println!(
        "{rows} rows: {:.2} million known ids/s, {:.2} million new ids/s in a full table, {:.2} million ids/s only looked up",
        known / 1e6,
        new / 1e6,
        found / 1e6
    );
    Ok(())
}

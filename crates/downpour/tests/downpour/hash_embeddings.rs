//! Embeddings of ids that nobody knows in advance: what is learned, kept, forgotten and shared.

use std::sync::Arc;

use downpour::data::{Dataset, Remainder};
use downpour::layers::{Dense, Embedding, HashEmbedding};
use downpour::training::{
    Built, ClusterSpec, Downpour, Hook, Inputs, ModelParallel, MultiWorkerMirrored,
    ParameterServer, Share, Source, Strategy, Trainer,
};
use downpour::{
    DataType, Graph, Optimizer, Output, Result, Session, Tensor, initializers, losses, while_loop,
};
use parking_lot::Mutex;

use crate::ports::addresses;

fn vector<T: downpour_tensor::Element>(values: &[T]) -> Tensor {
    Tensor::vector(values).unwrap()
}

/// A variable's values.
fn values(session: &Session, name: &str) -> Result<Vec<f32>> {
    let all = session.graph().variables();
    let variable = all.iter().find(|v| v.name() == name).unwrap_or_else(|| panic!("no {name}"));
    Ok(session.fetch(&[], &variable.value())?.as_slice::<f32>()?.to_vec())
}

/// A table in training, whose loss is the sum of all numbers looked up.
fn table(
    layer: &HashEmbedding,
    optimizer: Optimizer,
) -> Result<(Session, Output, downpour::Operation)> {
    let graph = Graph::new();
    let ids = graph.placeholder("ids", DataType::Int64, [None])?;
    let loss = layer.build(&ids, true)?.sum_all()?;
    let train = optimizer.minimize(&loss, None)?;
    let session = Session::local(&graph)?;
    session.run(&[], &[&graph.initialize_variables()?])?;
    Ok((session, ids, train))
}

#[test]
fn a_row_and_its_slots_begin_anew_with_each_id() -> Result<()> {
    let layer = HashEmbedding::new(1, 2).name("t").hold(1).initializer(initializers::constant(5.0));
    let (session, ids, train) = table(&layer, Optimizer::adagrad(1.0))?;
    for _ in 0..10 {
        session.run(&[(&ids, vector(&[7i64]))], &[&train])?;
    }
    let sums = values(&session, "t/embeddings/Adagrad")?;
    assert!((sums[2] - 10.1).abs() < 1e-4, "{sums:?}");
    assert_eq!(sums[..2], [0.1, 0.1], "nobody shared row 0");
    session.run(&[(&ids, vector(&[-8i64]))], &[&train])?;
    assert_eq!(values(&session, "t/embeddings/Adagrad")?[2..], [1.1, 1.1]);
    let expected = 5.0 - 1.0 / 1.1f32.sqrt();
    let rows = values(&session, "t/embeddings")?;
    assert!((rows[2] - expected).abs() < 1e-5, "{rows:?}, not {expected}");

    // Adam has two slots and moves all rows; both begin with zeros.
    let (session, ids, train) = table(&layer, Optimizer::adam(0.1))?;
    for id in [7i64, 7, 7, -8] {
        session.run(&[(&ids, vector(&[id]))], &[&train])?;
    }
    assert!((values(&session, "t/embeddings/Adam")?[2] - 0.1).abs() < 1e-6);
    assert!((values(&session, "t/embeddings/Adam_1")?[2] - 0.001).abs() < 1e-6);
    Ok(())
}

#[test]
fn rare_ids_share_a_row_that_is_trained() -> Result<()> {
    let layer = HashEmbedding::new(4, 1).name("t").admit_after(3);
    let (session, ids, train) = table(&layer, Optimizer::gradient_descent(1.0))?;
    session.run(&[(&ids, vector(&[1i64, 2, 3]))], &[&train])?;
    assert_eq!(values(&session, "t/embeddings")?, [-3.0, 0.0, 0.0, 0.0, 0.0]);
    Ok(())
}

#[test]
fn texts_are_ids_and_several_are_summed() -> Result<()> {
    let graph = Graph::new();
    let words = graph.placeholder("words", DataType::String, [None, Some(2)])?;
    let numbers = graph.placeholder("numbers", DataType::Int32, [None, Some(2)])?;
    let one = HashEmbedding::new(10, 2).initializer(initializers::constant(1.0));
    let sums = one.build_sum(&words, true)?;
    let means = one.build_mean(&numbers, true)?;
    assert_eq!(one.build(&numbers, true)?.shape().to_string(), "[?,2,2]");
    let session = Session::local(&graph)?;
    session.run(&[], &[&graph.initialize_variables()?])?;
    let texts = ["a", "b", "", "a"].map(Into::into).to_vec();
    let texts = Tensor::from_strings([2, 2], texts)?;
    let found = session.fetch(&[(&words, texts)], &sums)?;
    assert_eq!(found.as_slice::<f32>()?, &[2.0, 2.0, 1.0, 1.0]);
    let given = Tensor::from_vec([2, 2], vec![3i32, -1, -1, -1])?;
    let found = session.fetch(&[(&numbers, given)], &means)?;
    assert_eq!(found.as_slice::<f32>()?, &[1.0, 1.0, 0.0, 0.0]);
    Ok(())
}

#[test]
fn what_cannot_be_right_is_refused_by_name() -> Result<()> {
    let graph = Graph::new();
    let ids = graph.placeholder("ids", DataType::Int64, [None])?;
    let said = |layer: HashEmbedding, ids: &Output| {
        layer.build(ids, true).unwrap_err().message().to_string()
    };
    assert!(said(HashEmbedding::new(0, 2), &ids).contains("at least one id"));
    assert!(said(HashEmbedding::new(2, 0), &ids).contains("at least one number"));
    assert!(said(HashEmbedding::new(usize::MAX, 2), &ids).contains("at most 4294967295"));
    assert!(said(HashEmbedding::new(2, 2).admit_after(0), &ids).contains("at least 1"));
    assert!(said(HashEmbedding::new(2, 2).dtype(DataType::Int32), &ids).contains("real numbers"));
    let real = graph.placeholder("real", DataType::Float, [None])?;
    assert!(said(HashEmbedding::new(2, 2), &real).contains("int32, int64 or string"));
    let glorot = HashEmbedding::new(2, 2).initializer(initializers::glorot_uniform());
    assert!(said(glorot, &ids).contains("random_uniform"));

    let graph = Graph::new();
    let ids = graph.placeholder("ids", DataType::Int64, [None])?;
    let vectors = HashEmbedding::new(8, 2).name("t").build(&ids, true)?;
    let rows = graph.variables()[0].clone();
    let optimizer = Optimizer::adagrad(0.1);
    let whole = (vectors.sum_all()? + rows.value().sum_all()?)?;
    let text = optimizer.minimize(&whole, None).unwrap_err().message().to_string();
    assert!(text.contains("'t/embeddings'") && text.contains("by rows only"), "{text}");
    let other = rows.gather(&ids)?.sum_all()?;
    let text = optimizer.minimize(&other, None).unwrap_err().message().to_string();
    assert!(text.contains("not by those of the Placeholder 'ids'"), "{text}");
    let start = graph.constant(0i64)?;
    let looped = while_loop(
        |_, state| state[0].less(&state[0].scalar_like(3.0)?),
        |_, state| {
            let vectors = HashEmbedding::new(8, 2).build(&state[0].reshape(&[1])?, true)?;
            Ok(vec![(vectors.sum_all()?.cast(DataType::Int64)? + &state[0])?])
        },
        &[&start],
    );
    let text = looped.unwrap_err().message().to_string();
    assert!(text.contains("body of a loop"), "{text}");
    Ok(())
}

/// Numbers that look random.
fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Ids of a stream without an end: few are frequent, and which ones changes all the time. Each id has an answer of
/// its own.
fn stream(step: u64, batch: u64) -> (Vec<i64>, Vec<f32>) {
    let example = |i: u64| {
        let drawn = mix(step * batch + i + 1) >> 11;
        let rank = 1500f64.powf(drawn as f64 / (1u64 << 53) as f64) as u64;
        let life = (step + mix(rank) % 150) / 150;
        let id = mix(rank * 1_000_003 + life);
        (id as i64, (mix(id + 1) % 2) as f32)
    };
    (0..batch).map(example).unzip()
}

/// How often the answer was right before it was learned, in the last third of the stream.
fn right_answers(vectors: impl Fn(&Output) -> Result<Output>) -> Result<f32> {
    let graph = Graph::new();
    graph.set_seed(1);
    let ids = graph.placeholder("ids", DataType::Int64, [None])?;
    let answers = graph.placeholder("answers", DataType::Float, [None])?;
    let logits = Dense::new(1).build(&vectors(&ids)?)?.squeeze(&[1])?;
    let loss = losses::sigmoid_cross_entropy(&answers, &logits)?.mean()?;
    let zero = logits.scalar_like(0.0)?;
    let half = answers.scalar_like(0.5)?;
    let right = logits.greater(&zero)?.equal(&answers.greater(&half)?)?.cast(DataType::Float)?;
    let right = right.mean_all()?;
    let train = Optimizer::adagrad(0.5).minimize(&loss, None)?;
    let session = Session::local(&graph)?;
    session.run(&[], &[&graph.initialize_variables()?])?;
    let (steps, mut sum) = (450, 0.0);
    for step in 0..steps {
        let (given, expected) = stream(step, 64);
        let feeds = [(&ids, vector(&given)), (&answers, vector(&expected))];
        let found = session.run(&feeds, &[&right, &train])?;
        if step >= steps * 2 / 3 {
            sum += found[0].to_scalar::<f32>()?;
        }
    }
    Ok(sum / (steps / 3) as f32)
}

#[test]
fn an_open_stream_is_learned_better_than_in_buckets() -> Result<()> {
    const ROWS: usize = 400;
    let table =
        right_answers(|ids| HashEmbedding::new(ROWS - 1, 4).admit_after(2).build(ids, true))?;
    let hashed = right_answers(|ids| {
        let buckets = ids.graph().constant(ROWS as i64)?;
        let bucket = downpour::NodeBuilder::new("FloorMod").input(ids).input(&buckets).output()?;
        Embedding::new(ROWS, 4).build(&bucket)
    })?;
    assert!(table > hashed && table > 0.7, "{table} in a table, {hashed} in buckets");
    Ok(())
}

/// The same stream as a dataset, for training in the usual way.
fn source(examples: u64) -> Source {
    Source::new(move |share: Share| {
        let (ids, answers) = stream(0, examples);
        let count = ids.len();
        let data = Dataset::from_tensors([
            ("id", Tensor::from_vec([count], ids)?),
            ("answer", Tensor::from_vec([count], answers)?),
        ])?;
        data.repeat().shard(share.count as u64, share.index as u64)?.batch(16, Remainder::Drop)
    })
}

fn model(inputs: &Inputs) -> Result<Built> {
    let table = HashEmbedding::new(60, 4).name("people").admit_after(2).max_age(40);
    let vectors = table.build(inputs.get("id")?, inputs.is_training())?;
    let logits = Dense::new(1).build(&vectors)?.squeeze(&[1])?;
    Ok(Built::new(losses::sigmoid_cross_entropy(inputs.get("answer")?, &logits)?.mean()?))
}

type Values = Vec<(String, String)>;

/// All variables when training ends, as text.
#[derive(Clone, Default)]
struct Ended(Arc<Mutex<Values>>);

impl Hook for Ended {
    fn ended(&mut self, session: &Session, _step: i64) -> Result<()> {
        for variable in session.graph().variables() {
            let value = session.fetch(&[], &variable.value())?;
            let text = match value.dtype() {
                DataType::Float => format!("{:?}", value.as_slice::<f32>()?),
                DataType::Int32 => format!("{:?}", value.as_slice::<i32>()?),
                DataType::Int64 => format!("{:?}", value.as_slice::<i64>()?),
                _ => continue,
            };
            self.0.lock().push((variable.name().to_string(), text));
        }
        Ok(())
    }
}

fn trainer(folder: &std::path::Path, steps: i64) -> Trainer {
    let trainer = Trainer::new(model, source(2000)).optimizer(Optimizer::adagrad(0.3)).seed(5);
    trainer.threads(1).steps(steps).folder(folder)
}

#[test]
fn a_resumed_run_is_one_that_was_never_stopped() -> Result<()> {
    let whole = Ended::default();
    let folder = tempfile::tempdir().unwrap();
    trainer(folder.path(), 90).hook(whole.clone()).train()?;
    let resumed = Ended::default();
    let folder = tempfile::tempdir().unwrap();
    for steps in [37, 61] {
        trainer(folder.path(), steps).train()?;
    }
    trainer(folder.path(), 90).hook(resumed.clone()).train()?;
    let (whole, resumed) = (whole.0.lock().clone(), resumed.0.lock().clone());
    let names: Vec<&str> = whole.iter().map(|(name, _)| name.as_str()).collect();
    for expected in [
        "people/ids",
        "people/candidates",
        "people/totals",
        "people/embeddings/Adagrad",
        "people/embeddings/Adagrad/owners",
    ] {
        assert!(names.contains(&expected), "{names:?}");
    }
    assert_eq!(whole, resumed);
    Ok(())
}

/// A table's variables.
#[derive(Clone, Default)]
struct Table {
    state: Vec<i64>,
    totals: Vec<i64>,
    device: String,
}

/// The table at the end, as the chief sees it.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Table>>);

impl Hook for Seen {
    fn ended(&mut self, session: &Session, _step: i64) -> Result<()> {
        let all = session.graph().variables();
        let named = |name: &str| all.iter().find(|v| v.name() == name).expect("it was made");
        let numbers = |name: &str| -> Result<Vec<i64>> {
            Ok(session.fetch(&[], &named(name).value())?.as_slice::<i64>()?.to_vec())
        };
        let device = named("people/ids").handle().op().device();
        let (state, totals) = (numbers("people/ids")?, numbers("people/totals")?);
        *self.0.lock() = Table { state, totals, device };
        Ok(())
    }
}

/// Two servers and three workers of one process.
fn on_servers(strategy: &ParameterServer, steps: i64, seen: &Seen) -> Result<Vec<f64>> {
    let places = addresses(5);
    let cluster = format!(r#"{{"ps": {:?}, "worker": {:?}}}"#, &places[..2], &places[2..]);
    let cluster = ClusterSpec::from_json(&cluster)?;
    let folder = tempfile::tempdir().unwrap();
    let task = |job: &str, number: u32| {
        let strategy = strategy.clone().task(cluster.clone(), job, number);
        trainer(folder.path(), steps).strategy(Strategy::from(strategy))
    };
    std::thread::scope(|threads| {
        let mut stops = Vec::new();
        for number in 0..2 {
            let server = task("ps", number);
            stops.push(server.stop_flag());
            threads.spawn(move || server.train());
        }
        let workers: Vec<_> = (0..3)
            .map(|number| {
                let worker = match number {
                    0 => task("worker", number).hook(seen.clone()),
                    _ => task("worker", number),
                };
                threads.spawn(move || worker.train())
            })
            .collect();
        let workers: Vec<_> = workers.into_iter().map(|worker| worker.join().unwrap()).collect();
        stops.iter().for_each(|stop| stop.stop());
        workers.into_iter().map(|worker| worker.map(|outcome| outcome.loss)).collect()
    })
}

#[test]
fn workers_share_a_table_on_a_server() -> Result<()> {
    let seen = Seen::default();
    let losses = on_servers(&ParameterServer::asynchronous(), 240, &seen)?;
    assert!(losses.iter().all(|loss| loss.is_finite()), "{losses:?}");
    let Table { state, totals, device } = seen.0.lock().clone();
    assert!(device.contains("/job:ps"), "{device}");
    let used: Vec<i64> =
        state.chunks(3).skip(1).filter(|row| row[1] > 0).map(|row| row[0]).collect();
    let different: std::collections::HashSet<&i64> = used.iter().collect();
    assert_eq!(different.len(), used.len(), "an id has one row");
    let [lookups, size, admitted, evicted, hits, unknown, _] = totals[..] else {
        panic!("{totals:?}")
    };
    // Workers finish the step they are in when the last one is reached.
    assert!(lookups >= 240 && size == used.len() as i64, "{totals:?}");
    assert_eq!(admitted - evicted, size, "{totals:?}");
    assert_eq!(hits + unknown, lookups * 16, "{totals:?}");
    assert!(hits > unknown, "{totals:?}");
    Ok(())
}

#[test]
fn strategies_with_copies_of_the_variables_refuse_tables() -> Result<()> {
    let refused = |text: String| {
        assert!(text.contains("'people/embeddings'") && text.contains("asynchronous"), "{text}");
    };
    for strategy in [
        ParameterServer::synchronous(),
        ParameterServer::bounded(2),
        ParameterServer::downpour(Downpour::default()),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let checked = trainer(folder.path(), 5).strategy(strategy.clone()).check();
        refused(checked.unwrap_err().message().to_string());
        let failed = on_servers(&strategy, 5, &Seen::default()).unwrap_err();
        refused(failed.message().to_string());
    }
    let cluster = ClusterSpec::from_json(&format!(r#"{{"worker": {:?}}}"#, addresses(2)))?;
    let folder = tempfile::tempdir().unwrap();
    let strategy = MultiWorkerMirrored::new().task(cluster, "worker", 0);
    let failed = trainer(folder.path(), 5).strategy(Strategy::from(strategy)).train();
    refused(failed.unwrap_err().message().to_string());
    Ok(())
}

/// All ids have rows at once, so that nothing depends on the order of parts of a batch.
fn roomy(inputs: &Inputs) -> Result<Built> {
    let table = HashEmbedding::new(3000, 4).name("people");
    let vectors = table.build(inputs.get("id")?, inputs.is_training())?;
    let hidden = Dense::new(6).relu().build(&vectors)?;
    let logits = Dense::new(1).build(&hidden)?.squeeze(&[1])?;
    Ok(Built::new(losses::sigmoid_cross_entropy(inputs.get("answer")?, &logits)?.mean()?))
}

#[test]
fn a_pipeline_with_a_table_trains_as_one_process() -> Result<()> {
    let trainer = || {
        let trainer = Trainer::new(roomy, source(2000)).optimizer(Optimizer::adagrad(0.3));
        trainer.seed(5).threads(1).steps(25)
    };
    let alone = trainer().train()?;
    let places = addresses(2);
    let cluster = format!(r#"{{"ps": [{:?}], "worker": [{:?}]}}"#, places[0], places[1]);
    let cluster = ClusterSpec::from_json(&cluster)?;
    let strategy = ModelParallel::balanced().micro_batches(4);
    let task = |job: &str| {
        let strategy = strategy.clone().task(cluster.clone(), job, 0);
        trainer().strategy(Strategy::ModelParallel(strategy))
    };
    let in_parts = std::thread::scope(|threads| {
        let server = task("ps");
        let stop = server.stop_flag();
        threads.spawn(move || server.train());
        let done = task("worker").train();
        stop.stop();
        done
    })?;
    assert!((alone.loss - in_parts.loss).abs() < 1e-4, "{} and {}", alone.loss, in_parts.loss);
    Ok(())
}

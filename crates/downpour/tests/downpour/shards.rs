//! Large variables: in parts on several servers, and taken by rows.

use std::path::Path;

use downpour::data::{Dataset, Remainder};
use downpour::record::Run;
use downpour::training::{
    Built, ClusterSpec, Downpour, Inputs, ParameterServer, Share, Source, Strategy, Trainer,
};
use downpour::{DataType, Optimizer, Result, Tensor, initializers};

use crate::ports::addresses;
use crate::strategies::{
    Ended, Values, adagrad, adam, assert_alike, first_values, model as small_model, model_loss,
    number, source as small_source,
};

const EXAMPLES: usize = 96;
const ROWS: usize = 6000;
const HIDDEN: usize = 2000;
const STEPS: i64 = 12;

/// A table and a matrix that are both cut, and small variables beside them.
fn model(inputs: &Inputs) -> Result<Built> {
    let graph = inputs.graph();
    let variable = |name: &str, rows: usize, columns: usize| {
        let start = (0..rows * columns).map(|i| 0.5 * number(i + i / 29, name.len())).collect();
        let start = initializers::value(Tensor::from_vec([rows, columns], start)?)?;
        graph.variable(name, [rows, columns], DataType::Float, start)
    };
    let table = variable("table", ROWS, 4)?;
    let (narrow, wide) = (variable("narrow", 4, HIDDEN)?, variable("wide", HIDDEN, 16)?);
    let last = variable("last", 16, 1)?;
    // Two lookups of one table, with row numbers that are computed.
    let near = table.gather(inputs.get("id")?)?;
    let far = table.gather(&(inputs.get("id")? + 1.0)?)?;
    let hidden = ((near + far)? + inputs.get("x")?)?.matmul(&narrow.value())?.tanh()?;
    let hidden = hidden.matmul(&wide.value())?.tanh()?;
    let guess = hidden.matmul(&last.value())?;
    Ok(Built::new((guess - inputs.get("y")?)?.square()?.mean_all()?))
}

fn source() -> Source {
    batches_of(Dataset::repeat)
}

/// What is made of the data, in batches.
fn batches_of(all: fn(&Dataset) -> Dataset) -> Source {
    Source::new(move |share: Share| {
        let x = (0..EXAMPLES * 4).map(|i| number(i, 1)).collect();
        let y = (0..EXAMPLES).map(|i| number(i, 2)).collect();
        let id = (0..EXAMPLES).map(|i| (i * i * 61 % (ROWS - 1)) as i32).collect();
        let data = Dataset::from_tensors([
            ("x", Tensor::from_vec([EXAMPLES, 4], x)?),
            ("y", Tensor::from_vec([EXAMPLES, 1], y)?),
            ("id", Tensor::from_vec([EXAMPLES], id)?),
        ])?;
        let own = all(&data).shard(share.count as u64, share.index as u64)?;
        own.batch(24 / share.count, Remainder::Drop)
    })
}

/// The rows of the table that the data needs.
fn used_rows() -> std::collections::BTreeSet<usize> {
    (0..EXAMPLES).map(|i| i * i * 61 % (ROWS - 1)).flat_map(|id| [id, id + 1]).collect()
}

pub type Described<'a> = &'a (dyn Fn() -> Trainer + Sync);

fn large(optimizer: fn() -> Optimizer) -> impl Fn() -> Trainer + Sync {
    move || Trainer::new(model, source()).optimizer(optimizer()).threads(1).steps(STEPS)
}

fn alone(described: Described<'_>, folder: &Path) -> Result<Values> {
    let ended = Ended::default();
    described().folder(folder).hook(ended.clone()).train()?;
    let values = ended.0.lock().clone();
    Ok(values)
}

/// Two servers and two workers of one process; the chief's variables at the end.
pub fn on_servers(
    strategy: &ParameterServer,
    described: Described<'_>,
    folder: &Path,
) -> Result<Values> {
    with_workers(2, strategy, described, folder)
}

fn with_workers(
    workers: usize,
    strategy: &ParameterServer,
    described: Described<'_>,
    folder: &Path,
) -> Result<Values> {
    let places = addresses(2 + workers);
    let cluster = format!(r#"{{"ps": {:?}, "worker": {:?}}}"#, &places[..2], &places[2..]);
    let cluster = ClusterSpec::from_json(&cluster)?;
    let task = |job: &str, number: u32| {
        let strategy = strategy.clone().task(cluster.clone(), job, number);
        described().folder(folder).strategy(Strategy::from(strategy))
    };
    let ended = Ended::default();
    std::thread::scope(|threads| {
        let mut stops = Vec::new();
        for number in 0..2 {
            let server = task("ps", number);
            stops.push(server.stop_flag());
            threads.spawn(move || server.train());
        }
        let followers: Vec<_> = (1..workers as u32)
            .map(|number| {
                let follower = task("worker", number);
                threads.spawn(move || follower.train())
            })
            .collect();
        let chief = task("worker", 0).hook(ended.clone()).train();
        let followers: Vec<_> = followers.into_iter().map(|f| f.join().unwrap()).collect();
        stops.iter().for_each(|stop| stop.stop());
        followers.into_iter().fold(chief, |ended, follower| ended.and(follower)).map(drop)
    })?;
    let values = ended.0.lock().clone();
    Ok(values)
}

fn in_parts(strategy: ParameterServer) -> ParameterServer {
    strategy.split_above(40_000)
}

#[test]
fn variables_in_parts_on_two_servers_are_those_of_one_process() -> Result<()> {
    for optimizer in [adam, adagrad] {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let expected = alone(&large(optimizer), one.path())?;
        let strategy = in_parts(ParameterServer::synchronous());
        let found = on_servers(&strategy, &large(optimizer), two.path())?;
        assert_alike(&found, &expected, 1e-4);
        let run = Run::read(two.path()).unwrap();
        let bytes: Vec<u64> = run.servers().places.iter().map(|place| place.bytes).collect();
        let [first, second] = bytes[..] else { panic!("{bytes:?}") };
        assert!(first.abs_diff(second) * 50 < first + second, "{bytes:?}");
        let parts = run.variables().iter().filter(|v| v.name.starts_with("table ["));
        assert_eq!(parts.count(), 2);
    }
    Ok(())
}

#[test]
fn a_checkpoint_of_parts_has_whole_variables() -> Result<()> {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let expected = alone(&large(adam), one.path())?;
    let strategy = in_parts(ParameterServer::synchronous()).compression("top-k:1".parse()?);
    on_servers(&strategy, &|| large(adam)().steps(STEPS / 2), two.path())?;
    // It is gone on from by other servers, on which nothing is cut: what the old ones left is not for them.
    std::fs::remove_dir_all(two.path().join("servers")).unwrap();
    let found = on_servers(&ParameterServer::synchronous(), &large(adam), two.path())?;
    assert_alike(&found, &expected, 1e-4);
    Ok(())
}

#[test]
fn tables_that_are_taken_by_rows_are_trained_in_every_way() -> Result<()> {
    let seldom = Downpour { fetch_every: 3, push_every: 2, ..Downpour::default() };
    let folder = tempfile::tempdir().unwrap();
    let start = tempfile::tempdir().unwrap();
    let first = alone(&|| large(adagrad)().steps(1), start.path())?;
    for strategy in [
        ParameterServer::downpour(Downpour::default()),
        ParameterServer::downpour(seldom),
        ParameterServer::bounded(2),
        ParameterServer::hybrid(),
    ] {
        let folder = tempfile::tempdir_in(folder.path()).unwrap();
        let values = on_servers(&in_parts(strategy.clone()), &large(adagrad), folder.path())?;
        let get = |values: &Values, name: &str| {
            let found = values.iter().find(|(known, _)| known == name);
            found.unwrap().1.clone()
        };
        // Rows of examples have moved (all, had everybody seen all of its data), the others have not.
        let (before, after) = (get(&first, "table"), get(&values, "table"));
        let used = used_rows();
        let moved = |row: usize| before[row * 4..row * 4 + 4] != after[row * 4..row * 4 + 4];
        let count = used.iter().filter(|row| moved(**row)).count();
        assert!(count > used.len() / 2, "{count} of {} rows: {strategy:?}", used.len());
        assert!((0..ROWS).filter(|row| !used.contains(row)).all(|row| !moved(row)), "{strategy:?}");
    }
    Ok(())
}

#[test]
fn batches_that_are_looked_at_ahead_count_once_each_until_the_data_ends() -> Result<()> {
    let start = tempfile::tempdir().unwrap();
    let untrained = || Trainer::new(model, source()).optimizer(Optimizer::gradient_descent(0.0));
    let first = alone(&|| untrained().threads(1).steps(1), start.path())?;
    let folder = tempfile::tempdir().unwrap();
    let once = || Trainer::new(model, batches_of(Dataset::clone)).optimizer(adagrad()).threads(1);
    let strategy = in_parts(ParameterServer::downpour(Downpour::default()));
    let values = with_workers(1, &strategy, &once, folder.path())?;
    // Steps are told as the servers count them, which is after the next one has begun.
    assert_eq!(Run::read(folder.path()).unwrap().examples(), EXAMPLES as u64);
    let table = |values: &Values| {
        let found = values.iter().find(|(name, _)| name == "table");
        found.unwrap().1.clone()
    };
    let (before, after, used) = (table(&first), table(&values), used_rows());
    for row in 0..ROWS {
        let moved = before[row * 4..row * 4 + 4] != after[row * 4..row * 4 + 4];
        assert_eq!(moved, used.contains(&row), "row {row}");
    }
    Ok(())
}

#[test]
fn a_number_beyond_the_table_is_named() -> Result<()> {
    let beyond = |share: Share| {
        let id = Tensor::vector(&[3i32, 7, ROWS as i32, 1])?;
        let data = Dataset::from_tensors([
            ("x", Tensor::zeros(DataType::Float, [4, 4])?),
            ("y", Tensor::zeros(DataType::Float, [4, 1])?),
            ("id", id),
        ])?;
        let own = data.repeat().shard(share.count as u64, share.index as u64)?;
        own.batch(2, Remainder::Drop)
    };
    let described =
        || Trainer::new(model, Source::new(beyond)).optimizer(adagrad()).threads(1).steps(3);
    let folder = tempfile::tempdir().unwrap();
    let strategy = in_parts(ParameterServer::downpour(Downpour::default()));
    let refused = on_servers(&strategy, &described, folder.path()).unwrap_err();
    assert!(refused.message().contains("a row of 'table'"), "{refused}");
    Ok(())
}

/// As the small model, with its table in a scope.
fn scoped_model(inputs: &Inputs) -> Result<Built> {
    let graph = inputs.graph();
    let rows = {
        let _scope = graph.variable_scope("lookup")?;
        let start = initializers::constant(0.1);
        let table = graph.variable("table", [6, 4], DataType::Float, start)?;
        table.gather(inputs.get("id")?)?
    };
    let w = graph.variable("w", [4, 3], DataType::Float, initializers::constant(0.2))?;
    let v = graph.variable("v", [3, 1], DataType::Float, initializers::constant(0.3))?;
    let guess = (rows + inputs.get("x")?)?.matmul(&w.value())?.tanh()?.matmul(&v.value())?;
    Ok(Built::new((guess - inputs.get("y")?)?.square()?.mean_all()?))
}

/// The table's rows do not move, so the rest must be what one process makes of it.
fn with_a_still_table(optimizer: fn() -> Optimizer) -> impl Fn() -> Trainer + Sync {
    move || {
        Trainer::new(scoped_model, small_source(24))
            .optimizer(optimizer())
            .optimizer_for("lookup", Optimizer::gradient_descent(0.0))
            .threads(1)
            .steps(30)
    }
}

#[test]
fn hybrid_averages_everything_but_tables_exactly() -> Result<()> {
    for optimizer in [adam, adagrad] {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let described = with_a_still_table(optimizer);
        let expected = alone(&described, one.path())?;
        let found = on_servers(&ParameterServer::hybrid(), &described, two.path())?;
        assert_alike(&found, &expected, 1e-5);
    }
    Ok(())
}

#[test]
fn hybrid_learns_with_tables() -> Result<()> {
    let start = model_loss(&first_values());
    for optimizer in [adam, adagrad] {
        let folder = tempfile::tempdir().unwrap();
        let described = move || {
            let trainer = Trainer::new(small_model, small_source(24)).optimizer(optimizer());
            trainer.threads(1).steps(30)
        };
        let alone = model_loss(&alone(&described, folder.path())?);
        let folder = tempfile::tempdir().unwrap();
        let values = on_servers(&ParameterServer::hybrid(), &described, folder.path())?;
        let loss = model_loss(&values);
        assert!(loss < start - 0.5 * (start - alone), "{loss} from {start}; {alone} alone");
    }
    Ok(())
}

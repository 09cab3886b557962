//! Variables that move to other servers while training goes on.

use std::time::Duration;

use downpour::data::{Dataset, Remainder};
use downpour::record::{Moved, Run};
use downpour::training::{Built, Downpour, Inputs, ParameterServer, Share, Source, Trainer};
use downpour::{DataType, Result, Tensor, initializers};

use crate::shards::on_servers;
use crate::strategies::{Values, adagrad, adam, assert_alike, number};

const EXAMPLES: usize = 96;
const HOT: usize = 150;

fn moves(folder: &std::path::Path) -> Vec<Moved> {
    let run = Run::read(folder).unwrap();
    run.tasks().iter().flat_map(|task| task.moves.clone()).collect()
}

fn source() -> Source {
    Source::new(|share: Share| {
        let x = (0..EXAMPLES * 4).map(|i| number(i, 1)).collect();
        let y = (0..EXAMPLES).map(|i| number(i, 2)).collect();
        let id = (0..EXAMPLES).map(|i| (i * i * 61 % HOT) as i32).collect();
        let data = Dataset::from_tensors([
            ("x", Tensor::from_vec([EXAMPLES, 4], x)?),
            ("y", Tensor::from_vec([EXAMPLES, 1], y)?),
            ("id", Tensor::from_vec([EXAMPLES], id)?),
        ])?;
        let own = data.repeat().shard(share.count as u64, share.index as u64)?;
        own.batch(24 / share.count, Remainder::Drop)
    })
}

/// By bytes, in their order, the second and the fourth come to one server and are three quarters of everything.
fn matrices(inputs: &Inputs) -> Result<Built> {
    let graph = inputs.graph();
    let variable = |name: &str, rows: usize, columns: usize| {
        let start = (0..rows * columns).map(|i| 0.1 * number(i + i / 29, name.len())).collect();
        let start = initializers::value(Tensor::from_vec([rows, columns], start)?)?;
        graph.variable(name, [rows, columns], DataType::Float, start)
    };
    let plain = |name: &str, rows: usize, columns: usize| {
        let _scope = graph.variable_scope("plain")?;
        variable(name, rows, columns)
    };
    let layers = [
        plain("first", 4, 200)?,
        variable("second", 200, 200)?,
        plain("third", 200, 200)?,
        variable("fourth", 200, 400)?,
    ];
    let mut hidden = inputs.get("x")?.clone();
    for layer in &layers {
        hidden = hidden.matmul(&layer.value())?.tanh()?;
    }
    let guess = hidden.matmul(&plain("last", 400, 1)?.value())?;
    Ok(Built::new((guess - inputs.get("y")?)?.square()?.mean_all()?))
}

#[test]
fn training_with_a_move_in_the_middle_gives_the_same_numbers() -> Result<()> {
    let (still, moved) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let described = || Trainer::new(matrices, source()).optimizer(adam()).threads(1).steps(120);
    let strategy = ParameterServer::synchronous();
    let expected = on_servers(&strategy, &described, still.path())?;
    assert_eq!(moves(still.path()), []);
    let strategy = strategy.rebalance(Duration::from_millis(20));
    let found = on_servers(&strategy, &described, moved.path())?;
    assert_alike(&found, &expected, 1e-4);
    let moves = moves(moved.path());
    assert!(!moves.is_empty(), "nothing has moved");
    let mut ways = moves.iter().flat_map(|made| &made.moved);
    assert!(ways.any(|way| way.ends_with("from ps/1 to ps/0")), "{moves:?}");
    assert!(moves[0].why.contains("times the mean"), "{moves:?}");
    // The report tells where everything is now.
    let run = Run::read(moved.path()).unwrap();
    let second = run.variables().iter().find(|v| v.name == "second").unwrap();
    assert!(moves.len() > 1 || second.task == "ps/0", "{:?}", run.variables());
    let lost: u64 =
        run.tasks().iter().filter_map(|task| task.books()).map(|books| books.lost).sum();
    assert_eq!(lost, 0);
    Ok(())
}

/// Only the first rows of a table are used, and the table is most of the work.
fn hot_rows(inputs: &Inputs) -> Result<Built> {
    let graph = inputs.graph();
    let start = (0..4000 * 64).map(|i| 0.1 * number(i + i / 29, 3)).collect();
    let start = initializers::value(Tensor::from_vec([4000, 64], start)?)?;
    let table = graph.variable("table", [4000, 64], DataType::Float, start)?;
    let last = graph.variable("last", [64, 1], DataType::Float, initializers::constant(0.1))?;
    let guess = table.gather(inputs.get("id")?)?.tanh()?.matmul(&last.value())?;
    Ok(Built::new((guess - inputs.get("y")?)?.square()?.mean_all()?))
}

#[test]
fn hot_rows_are_divided_anew_and_every_row_is_what_it_was() -> Result<()> {
    for strategy in [
        ParameterServer::downpour(Downpour::default()),
        ParameterServer::bounded(2),
        ParameterServer::hybrid(),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let described =
            || Trainer::new(hot_rows, source()).optimizer(adagrad()).threads(1).steps(200);
        let strategy = strategy.split_above(40_000).rebalance(Duration::from_millis(20));
        let values = on_servers(&strategy, &described, folder.path())?;
        let moves = moves(folder.path());
        assert!(!moves.is_empty(), "nothing has moved: {strategy:?}");
        // A measurement is of 20 ms, so other things may move, too, and sooner.
        let mut ways = moves.iter().flat_map(|made| &made.moved);
        assert!(ways.any(|way| way.starts_with("table [")), "{moves:?}");
        let table = get(&values, "table");
        let first = |i: usize| 0.1 * number(i + i / 29, 3);
        assert_eq!(table.len(), 4000 * 64);
        assert!((HOT * 64..4000 * 64).all(|i| table[i] == first(i)), "{strategy:?}");
        assert!((0..HOT * 64).any(|i| table[i] != first(i)), "{strategy:?}");
        // Its slots have gone with it.
        let sums = get(&values, "table/Adagrad");
        assert!((HOT * 64..4000 * 64).all(|i| sums[i] == sums[HOT * 64]), "{strategy:?}");
        assert!((0..HOT * 64).any(|i| sums[i] > sums[HOT * 64]), "{strategy:?}");
    }
    Ok(())
}

fn get(values: &Values, name: &str) -> Vec<f32> {
    let found = values.iter().find(|(known, _)| known == name);
    found.unwrap_or_else(|| panic!("{name} is not among the values")).1.clone()
}

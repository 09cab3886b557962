//! A table as operations see it, and as a plain model says it should be.

mod model;

use std::sync::Arc;

use downpour_graph::{AttrValue, PartialShape};
use downpour_runtime::testing::OpTest;
use downpour_runtime::{ResourceManager, Variable};
use downpour_tensor::{DataType, Element, Result, Tensor};

use super::books::{ADMITTED, CLOCK, EVICTED, HITS, SIZE, TOTALS, UNKNOWN, WIDTH};
use super::register;

const DIM: usize = 2;

/// The variables of a table, where they are stored.
#[derive(Clone)]
struct Table {
    resources: Arc<ResourceManager>,
    attrs: Vec<(&'static str, i64)>,
}

impl Table {
    fn new(capacity: usize, attrs: &[(&'static str, i64)]) -> Table {
        let table = Table { resources: Arc::new(ResourceManager::new()), attrs: attrs.to_vec() };
        table.store("state", Tensor::zeros(DataType::Int64, [capacity, WIDTH]).unwrap());
        table.store("candidates", Tensor::zeros(DataType::Int32, [4 * 256]).unwrap());
        table.store("totals", Tensor::zeros(DataType::Int64, [TOTALS]).unwrap());
        table.store("table", Tensor::zeros(DataType::Float, [capacity, DIM]).unwrap());
        table.store("marks", Tensor::zeros(DataType::Int64, [capacity]).unwrap());
        table.store("slot", Tensor::zeros(DataType::Float, [capacity, DIM]).unwrap());
        table
    }

    fn store(&self, name: &str, value: Tensor) -> Arc<Variable> {
        let make = || Ok(Variable::new(name, value.dtype(), PartialShape::unknown()));
        let variable = self.resources.lookup_or_create("", name, make).unwrap();
        variable.assign(value);
        variable
    }

    fn value(&self, name: &str) -> Tensor {
        self.resources.lookup::<Variable>("", name).unwrap().read().unwrap()
    }

    fn numbers<T: Element>(&self, name: &str) -> Vec<T> {
        self.value(name).as_slice::<T>().unwrap().to_vec()
    }

    fn total(&self, total: usize) -> i64 {
        self.numbers::<i64>("totals")[total]
    }

    fn op(&self, op: &str, variables: &[&str]) -> OpTest {
        let handle =
            |name: &&str| Tensor::handle(ResourceManager::make_handle::<Variable>("", "", name));
        let test = OpTest::new(register, op).resources(&self.resources);
        variables.iter().map(handle).fold(test, OpTest::input)
    }

    fn try_admit(&self, ids: Tensor) -> Result<Tensor> {
        let op = self.op("_IdTableAdmit", &["state", "candidates", "totals", "table"]);
        let op = self.attrs.iter().fold(op, |op, (name, value)| op.attr(name, *value));
        let op = op.attr("dtype", DataType::Float).attr("initial", "uniform");
        op.attr("first", 1f32).attr("second", 2f32).input(ids).run_one()
    }

    fn admit(&self, ids: &[i64]) -> Vec<i64> {
        let rows = self.try_admit(Tensor::vector(ids).unwrap()).unwrap();
        rows.as_slice::<i64>().unwrap().to_vec()
    }

    fn find(&self, ids: &[i64]) -> Vec<i64> {
        let found = self.op("_IdTableFind", &["state"]).input(Tensor::vector(ids).unwrap());
        found.run_one().unwrap().as_slice::<i64>().unwrap().to_vec()
    }

    /// Before an update of these rows, which the ids got.
    fn try_claim(&self, ids: &[i64], rows: &[i64], indices: &[i64]) -> Result<Vec<i64>> {
        let op = self.op("_IdTableClaim", &["state", "totals", "marks", "slot"]);
        let [ids, rows, indices] = [ids, rows, indices].map(|v| Tensor::vector(v).unwrap());
        let op = op.attr("M", 1i64).attr("N", 1i64).attr("L", 1i64).attr("hold", 4i64);
        let op = op.attr("initial", AttrValue::List(vec![AttrValue::Float(0.5)]));
        let claimed = op.input(ids).input(rows).input(indices).run_one()?;
        Ok(claimed.as_slice::<i64>()?.to_vec())
    }

    fn claim(&self, ids: &[i64], rows: &[i64]) -> Vec<i64> {
        self.try_claim(ids, rows, rows).unwrap()
    }
}

#[test]
fn ids_get_rows_when_they_were_seen_often_enough() {
    let table = Table::new(8, &[("admit_after", 3)]);
    assert_eq!(table.admit(&[70, -5]), [0, 0]);
    assert_eq!(table.admit(&[70, 70]), [1, 1], "the third time counts for the whole lookup");
    assert_eq!(table.admit(&[-5, 70, i64::MIN]), [0, 1, 0]);
    assert_eq!(table.admit(&[-5]), [2]);
    assert_eq!(table.find(&[70, -5, i64::MIN, 0]), [1, 2, 0, 0]);
    let totals = [CLOCK, SIZE, ADMITTED, EVICTED, HITS, UNKNOWN].map(|i| table.total(i));
    assert_eq!(totals, [4, 2, 2, 0, 4, 4]);
}

#[test]
fn numbers_below_zero_stand_for_nothing_if_that_is_said() {
    let table = Table::new(8, &[]);
    let op = table.op("_IdTableAdmit", &["state", "candidates", "totals", "table"]);
    let op = op.attr("dtype", DataType::Float).attr("negative", false);
    let rows = op.input(Tensor::vector(&[-1i64, 5, -1]).unwrap()).run_one().unwrap();
    assert_eq!(rows.as_slice::<i64>().unwrap(), &[0, 1, 0]);
    assert_eq!([SIZE, HITS, UNKNOWN].map(|i| table.total(i)), [1, 1, 0]);
}

#[test]
fn a_full_table_gives_away_what_was_not_seen_for_longest() {
    let table = Table::new(4, &[]);
    assert_eq!(table.admit(&[10, 20, 30]), [1, 2, 3]);
    table.admit(&[10, 30]);
    assert_eq!(table.admit(&[40]), [2]);
    assert_eq!(table.find(&[10, 20, 30, 40]), [1, 0, 3, 2]);
    // What one lookup sees stays; what it has no room for shares row 0.
    assert_eq!(table.admit(&[50, 60, 70, 80, 10]), [3, 2, 0, 0, 1]);
    assert_eq!(table.total(EVICTED), 3);
}

#[test]
fn rows_in_use_are_held() {
    let table = Table::new(2, &[("hold", 3)]);
    assert_eq!(table.admit(&[1]), [1]);
    assert_eq!(table.admit(&[2]), [0]);
    assert_eq!(table.admit(&[2]), [0]);
    assert_eq!(table.admit(&[2]), [1]);
}

#[test]
fn rows_nobody_saw_for_long_are_free() {
    let table = Table::new(100, &[("max_age", 3)]);
    table.admit(&[1, 2]);
    for _ in 0..3 {
        table.admit(&[2]);
    }
    assert_eq!(table.find(&[1, 2]), [1, 2]);
    table.admit(&[2]);
    assert_eq!(table.find(&[1, 2]), [0, 2]);
    assert_eq!([SIZE, EVICTED].map(|i| table.total(i)), [1, 1]);
    assert_eq!(table.admit(&[9]), [1], "the least free row is given first");
}

#[test]
fn a_row_starts_with_its_ids_own_values() {
    let table = Table::new(2, &[]);
    table.admit(&[5]);
    let first = table.numbers::<f32>("table");
    assert_eq!(first[..DIM], [0.0; DIM], "the shared row is left alone");
    assert!(first[DIM..].iter().all(|v| (1.0..2.0).contains(v)));
    table.store("table", Tensor::from_vec([2, DIM], vec![9f32; 2 * DIM]).unwrap());
    table.admit(&[5]);
    assert_eq!(table.numbers::<f32>("table"), [9f32; 2 * DIM], "a known id keeps what it learned");
    table.admit(&[6]);
    let other = table.numbers::<f32>("table");
    assert_ne!(other[DIM..], first[DIM..]);
    assert_eq!(other[..DIM], [9.0; DIM]);
    table.admit(&[5]);
    assert_eq!(table.numbers::<f32>("table")[DIM..], first[DIM..]);
}

#[test]
fn slots_follow_the_owners_of_rows_once() {
    let table = Table::new(3, &[]);
    let full = || Tensor::from_vec([3, DIM], vec![7f32; 3 * DIM]).unwrap();
    assert_eq!(table.admit(&[1, 2]), [1, 2]);
    table.store("slot", full());
    assert_eq!(table.claim(&[1], &[1]), [1]);
    assert_eq!(table.numbers::<f32>("slot"), [7.0, 7.0, 0.5, 0.5, 7.0, 7.0]);
    table.store("slot", full());
    table.claim(&[1, 77], &[1, 0]);
    assert_eq!(table.numbers::<f32>("slot"), [7f32; 3 * DIM]);
    table.admit(&[1]);
    assert_eq!(table.admit(&[3]), [2]);
    table.claim(&[3], &[2]);
    assert_eq!(table.numbers::<f32>("slot"), [7.0, 7.0, 7.0, 7.0, 0.5, 0.5]);
}

#[test]
fn a_gradient_never_reaches_another_ids_row() {
    let table = Table::new(3, &[]);
    assert_eq!(table.admit(&[1, 2]), [1, 2]);
    // Another worker's lookups, before the update.
    table.admit(&[2]);
    assert_eq!(table.admit(&[3]), [1]);
    let claimed = table.try_claim(&[1, 2, 1], &[1, 2, 1], &[2, 1, 1, 0]).unwrap();
    assert_eq!(claimed, [2, 0, 0, 0]);
}

#[test]
fn claimed_rows_are_held_like_those_just_seen() {
    let table = Table::new(2, &[("hold", 4)]);
    table.admit(&[1]);
    (0..3).for_each(|_| assert_eq!(table.admit(&[2]), [0]));
    assert_eq!(table.claim(&[1], &[1]), [1]);
    assert_eq!(table.admit(&[2]), [0], "it would have been given away now");
    (0..2).for_each(|_| assert_eq!(table.admit(&[2]), [0]));
    assert_eq!(table.admit(&[2]), [1]);
}

#[test]
fn looking_changes_nothing() {
    let table = Table::new(8, &[("admit_after", 2)]);
    table.admit(&[1, 1, 2]);
    let names = ["state", "candidates", "totals"];
    let before = names.map(|name| format!("{:?}", table.value(name)));
    assert_eq!(table.find(&[1, 2, 2, 2, 3]), [1, 0, 0, 0, 0]);
    assert_eq!(names.map(|name| format!("{:?}", table.value(name))), before);
}

#[test]
fn a_restored_table_goes_on_as_it_would_have() {
    let attrs = [("admit_after", 2), ("max_age", 6), ("hold", 2)];
    let table = Table::new(12, &attrs);
    let batch = |i: i64| [0, 1, 2, 3].map(|j| (i * i + j * 5) % 23 - 7);
    (0..40).for_each(|i| drop(table.admit(&batch(i))));
    // Into a new process, and into one that has another table in memory.
    for restored in [Table::new(12, &attrs), {
        let other = Table::new(12, &attrs);
        (0..30).for_each(|i| drop(other.admit(&[i, i, i + 1])));
        other
    }] {
        let copy = table.clone();
        for name in ["state", "candidates", "totals", "table"] {
            restored.store(name, copy.value(name).deep_copy().unwrap());
        }
        let continued = Table { resources: Arc::new(ResourceManager::new()), ..copy.clone() };
        for name in ["state", "candidates", "totals", "table"] {
            continued.store(name, copy.value(name).deep_copy().unwrap());
        }
        for i in 40..80 {
            let expected = continued.admit(&batch(i));
            assert_eq!(restored.admit(&batch(i)), expected, "lookup {i}");
        }
        assert_eq!(restored.numbers::<i64>("state"), continued.numbers::<i64>("state"));
        assert_eq!(restored.numbers::<f32>("table"), continued.numbers::<f32>("table"));
    }
    // The one that was never stopped says the same.
    let stopped = Table::new(12, &attrs);
    (0..40).for_each(|i| drop(stopped.admit(&batch(i))));
    for i in 40..80 {
        let state = stopped.value("state").deep_copy().unwrap();
        stopped.store("state", state);
        assert_eq!(stopped.admit(&batch(i)), table.admit(&batch(i)), "lookup {i}");
    }
}

#[test]
fn a_state_from_outside_cannot_do_harm() {
    let table = Table::new(6, &[("max_age", 2)]);
    table.admit(&[1, 2]);
    // The same id twice, times from the future and before all time.
    let state =
        [[4, 9, 9], [4, 5, -1], [4, 8, i64::MAX], [5, -3, 0], [6, i64::MAX, 0], [7, i64::MIN, 0]];
    table.store("state", Tensor::from_vec([6, WIDTH], state.concat()).unwrap());
    assert_eq!(table.find(&[4, 5, 6, 7]), [2, 0, 4, 0]);
    for i in 0..20 {
        let rows = table.admit(&[i, 4, 6]);
        assert!(rows.iter().all(|row| (0..6).contains(row)));
    }
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let ids = || Tensor::vector(&[1i64, 2]).unwrap();
    let refused = |name: &str, value: Tensor, says: &str| {
        let table = Table::new(4, &[("admit_after", 2)]);
        table.admit(&[1, 1]);
        table.store(name, value);
        let e = table.try_admit(ids()).unwrap_err();
        assert!(e.message().contains(says), "{}", e.message());
    };
    let zeros = |dims: &[usize]| Tensor::zeros(DataType::Int64, dims).unwrap();
    refused("state", zeros(&[4]), "[capacity, 3]");
    refused("state", zeros(&[4, 2]), "[capacity, 3]");
    refused("state", zeros(&[0, 3]), "between 2 and");
    refused("state", zeros(&[1, 3]), "between 2 and");
    refused("state", zeros(&[9, 3]), "has 4");
    refused("totals", zeros(&[3]), "totals");
    refused("candidates", Tensor::zeros(DataType::Int32, [10]).unwrap(), "power of two");
    refused("table", Tensor::zeros(DataType::Float, [3, DIM]).unwrap(), "has 3");
    refused("table", Tensor::scalar(0f32), "has 0");
    let table = Table::new(4, &[]);
    assert_eq!(table.try_admit(zeros(&[0, 5])).unwrap().dims(), [0, 5]);
    assert_eq!(table.try_admit(zeros(&[])).unwrap().as_slice::<i64>().unwrap(), &[1]);
    assert!(table.try_claim(&[1], &[1, 2], &[1]).is_err());
    for row in [-1, 4, i64::MAX] {
        assert!(table.try_claim(&[1], &[1], &[row]).is_err());
        assert!(table.try_claim(&[1], &[row], &[1]).is_err());
    }
    table.store("marks", zeros(&[1]));
    table.admit(&[8]);
    assert!(table.try_claim(&[8], &[2], &[2]).is_err());
}

#[test]
fn several_threads_agree() {
    let table = Table::new(64, &[("hold", 4), ("admit_after", 2)]);
    std::thread::scope(|threads| {
        for worker in 0..4i64 {
            let table = &table;
            threads.spawn(move || {
                for i in 0..200i64 {
                    let ids = [i % 40, (i * 7 + worker) % 90, worker * 1000 + i];
                    let rows = table.admit(&ids);
                    let claimed = table.claim(&ids, &rows);
                    assert!(claimed.iter().zip(&rows).all(|(c, r)| c == r || *c == 0));
                    table.find(&ids);
                }
            });
        }
    });
    // Every id has one row and every row one id.
    let state = table.numbers::<i64>("state");
    let used: Vec<i64> =
        state.chunks(WIDTH).skip(1).filter(|row| row[1] > 0).map(|row| row[0]).collect();
    assert_eq!(used.iter().collect::<std::collections::HashSet<_>>().len(), used.len());
    assert_eq!(used.len() as i64, table.total(SIZE));
    assert_eq!(table.total(ADMITTED) - table.total(EVICTED), table.total(SIZE));
    assert_eq!(table.total(CLOCK), 800);
    assert_eq!(table.total(HITS) + table.total(UNKNOWN), 2400);
    for (row, id) in table.find(&used).iter().zip(&used) {
        assert_eq!(state[*row as usize * WIDTH], *id);
    }
}

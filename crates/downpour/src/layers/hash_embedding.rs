//! Embeddings for ids that nobody knows in advance: users, items, words of an open stream.

use downpour_tensor::fingerprint::fingerprint64;
use downpour_tensor::{DataType, Result, Status};

use super::support::expect_rank;
use crate::initializers::{self, Initializer};
use crate::node_builder::NodeBuilder;
use crate::output::Output;
use crate::variable::{IdTable, Variable, VariableBuilder};

/// Columns of `ids`: the id, when it was last seen, how often its row was given away.
const STATE: usize = 3;
const TOTALS: usize = 7;

/// A vector for each id that was seen often enough, of ids that nobody knows in advance.
///
/// Any int64, or text, is an id. An id that was seen often enough gets a row of a table of fixed size; in a full
/// table it takes the row of the id that was not seen for longest. The rows are an ordinary variable, so
/// optimizers, gradients by row, checkpoints and parameter servers are as with [`Embedding`](crate::layers::Embedding);
/// whose the rows are is kept in variables beside it (`ids`, `candidates`, `totals`), in checkpoints too.
///
/// Ids without a row share row 0. It is trained like the others and so learns what a rare id is like, as the last
/// category of a vocabulary does. It starts with zeros.
///
/// ```
/// use downpour::{DataType, Graph, Optimizer, Session, Tensor, layers::HashEmbedding};
/// # fn main() -> downpour::Result<()> {
/// let graph = Graph::new();
/// let ids = graph.placeholder("ids", DataType::Int64, [None])?;
/// // Room for 1000 ids; an id needs two sightings, and is forgotten after 5000 steps without one.
/// let users = HashEmbedding::new(1000, 4).name("users").admit_after(2).max_age(5000);
/// let (vectors, statistics) = users.build_with_statistics(&ids, true)?;
/// let loss = (vectors - 1.0)?.square()?.mean_all()?;
/// let train = Optimizer::adagrad(0.5).minimize(&loss, None)?;
///
/// let session = Session::local(&graph)?;
/// session.run(&[], &[&graph.initialize_variables()?])?;
/// for step in 0..40 {
///     let batch = Tensor::vector(&[-77i64, 1 << 60, step])?;
///     session.run(&[(&ids, batch)], &[&train])?;
/// }
/// assert_eq!(session.fetch(&[], &statistics.size)?.to_scalar::<i64>()?, 2);
///
/// // For evaluation the same variables are looked at and nothing is counted.
/// let _reuse = graph.reuse_variables();
/// let known = users.build(&ids, false)?;
/// let found = session.fetch(&[(&ids, Tensor::vector(&[-77i64])?)], &known)?;
/// assert!(found.as_slice::<f32>()?.iter().all(|x| (x - 1.0).abs() < 0.1));
/// # Ok(())
/// # }
/// ```
///
/// The table is for training in one process, in pipelines, and for the strategy `asynchronous`, where it stands on a
/// parameter server and all workers share it. Besides its vector and the optimizer's slots an id takes 24 bytes of
/// variables, 8 more where there are slots, 16 to 32 more with `admit_after`, and about 30 in the index.
#[derive(Clone, Debug)]
#[must_use = "nothing is added before `build`"]
pub struct HashEmbedding {
    capacity: usize,
    size: usize,
    name: Option<String>,
    dtype: DataType,
    initializer: Initializer,
    admit_after: u32,
    max_age: u64,
    hold: u32,
}

/// What a table has seen, as int64 scalars: fetch them when they are wanted.
#[derive(Clone, Debug)]
pub struct HashStatistics {
    /// Ids that have a row now.
    pub size: Output,
    /// How often an id was given a row.
    pub admitted: Output,
    /// How often an id lost its row.
    pub evicted: Output,
    /// Looked-up ids that had a row.
    pub hits: Output,
    /// Looked-up ids that shared row 0.
    pub unknown: Output,
    /// Lookups for training.
    pub lookups: Output,
}

/// The variables of a table.
struct Table {
    rows: Variable,
    state: Variable,
    candidates: Variable,
    totals: Variable,
}

impl HashEmbedding {
    /// Room for so many ids, each with a vector of this size.
    pub fn new(capacity: usize, size: usize) -> HashEmbedding {
        HashEmbedding {
            capacity,
            size,
            name: None,
            dtype: DataType::Float,
            initializer: initializers::random_uniform(-0.05, 0.05),
            admit_after: 1,
            max_age: 0,
            hold: 16,
        }
    }

    /// The name of its variable scope, instead of the numbered default.
    pub fn name(mut self, name: &str) -> HashEmbedding {
        self.name = Some(name.to_string());
        self
    }

    /// First values of a row: a constant, `random_uniform`, `random_normal` or `truncated_normal`; uniform between
    /// -0.05 and 0.05 unless set. An id starts with the same values whenever and wherever it is admitted.
    pub fn initializer(mut self, initializer: Initializer) -> HashEmbedding {
        self.initializer = initializer;
        self
    }

    /// The type of the vectors; float32 unless set.
    pub fn dtype(mut self, dtype: DataType) -> HashEmbedding {
        self.dtype = dtype;
        self
    }

    /// Gives an id a row when it is seen for the n-th time; at once unless set. Ids without a row are counted
    /// in a sketch of fixed size, which may take one for more frequent than it is, never for less. It
    /// remembers counts for a while after an id has lost its row.
    pub fn admit_after(mut self, times: u32) -> HashEmbedding {
        self.admit_after = times;
        self
    }

    /// Frees the row of an id that was in none of so many lookups; never, unless set. A training step looks up
    /// once for each worker and micro-batch.
    pub fn max_age(mut self, lookups: u64) -> HashEmbedding {
        self.max_age = lookups;
        self
    }

    /// Never gives away a row that one of the last so many lookups has seen; 16 unless set. More than there
    /// are workers, and more than a step has lookups in this table: a row must not change hands between a lookup
    /// and the update that follows.
    pub fn hold(mut self, lookups: u32) -> HashEmbedding {
        self.hold = lookups;
        self
    }

    /// Adds it on ids of any shape: each becomes its vector, along a new last axis. Only while `training` are
    /// ids counted and admitted; otherwise nothing changes. A step may look up in one table several times; which of
    /// its lookups comes first is then open, and with it which ids get the last rows.
    pub fn build(&self, ids: &Output, training: bool) -> Result<Output> {
        Ok(self.build_with_statistics(ids, training)?.0)
    }

    /// The same, with what the table has seen so far.
    pub fn build_with_statistics(
        &self,
        ids: &Output,
        training: bool,
    ) -> Result<(Output, HashStatistics)> {
        let _scope = ids.graph().layer_scope(self.name.as_deref(), "hash_embedding")?;
        let ids = numbers(ids)?;
        let table = self.table(&ids)?;
        let vectors = table.rows.gather(&self.lookup(&table, &ids, training, true)?)?;
        Ok((vectors, HashStatistics::of(&table.totals)?))
    }

    /// Adds it on ids [batch, some]: the sum of each example's vectors. Ids below zero, and empty texts, do not
    /// count.
    pub fn build_sum(&self, ids: &Output, training: bool) -> Result<Output> {
        Ok(self.bag(ids, training)?.0)
    }

    /// Adds it on ids [batch, some]: the mean of each example's vectors, zeros where there are none. Ids
    /// below zero, and empty texts, do not count.
    pub fn build_mean(&self, ids: &Output, training: bool) -> Result<Output> {
        let (sum, counts) = self.bag(ids, training)?;
        sum / counts.maximum(&counts.scalar_like(1.0)?)?
    }

    /// The sums, and of how many vectors.
    fn bag(&self, ids: &Output, training: bool) -> Result<(Output, Output)> {
        expect_rank("a HashEmbedding of several ids", ids, 2, "ids [batch, some]")?;
        let _scope = ids.graph().layer_scope(self.name.as_deref(), "hash_embedding")?;
        let counted = match ids.dtype() {
            DataType::String => ids.not_equal(&ids.graph().constant("")?)?,
            _ => ids.greater_equal(&ids.scalar_like(0.0)?)?,
        };
        let ids = numbers(ids)?;
        let ids = counted.select(&ids, &ids.graph().constant(-1i64)?)?;
        let table = self.table(&ids)?;
        let vectors = table.rows.gather(&self.lookup(&table, &ids, training, false)?)?;
        let counted = counted.cast(self.dtype)?.expand_dims(-1)?;
        let sum = (vectors * &counted)?.reduce_sum(&[1], false)?;
        Ok((sum, counted.reduce_sum(&[1], false)?))
    }

    fn check(&self, ids: &Output) -> Result<()> {
        if self.capacity == 0 || self.size == 0 || u32::try_from(self.capacity).is_err() {
            return Err(Status::invalid_argument(format!(
                "a HashEmbedding for {} ids with vectors of size {}: it has room for at least one id and at most \
                 4294967295, and vectors of at least one number",
                self.capacity, self.size
            )));
        }
        if self.admit_after == 0 || self.hold == 0 {
            return Err(Status::invalid_argument(
                "a HashEmbedding's admit_after and hold are at least 1",
            ));
        }
        if !self.dtype.is_floating() {
            return Err(Status::invalid_argument(format!(
                "a HashEmbedding's vectors are of real numbers, not {}",
                self.dtype
            )));
        }
        if ids.graph().is_body() {
            return Err(Status::unimplemented(
                "a HashEmbedding cannot stand in the body of a loop or a branch: look the ids up outside of it",
            ));
        }
        Ok(())
    }

    /// The variables; those that are there while variables are reused.
    fn table(&self, ids: &Output) -> Result<Table> {
        self.check(ids)?;
        let graph = ids.graph();
        let rows = self.capacity + 1;
        let zeros = initializers::zeros;
        let embeddings = graph.variable("embeddings", [rows, self.size], self.dtype, zeros())?;
        let beside = |builder: VariableBuilder| match graph.reuses_variables() {
            true => builder.trainable(false).build(),
            false => builder.trainable(false).beside(&embeddings).build(),
        };
        // Lines as long as the table, so that ids that come once do not crowd out those that will stay.
        let line = if self.admit_after == 1 { 1 } else { rows.next_power_of_two().max(64) };
        let int64 = DataType::Int64;
        let state = beside(graph.variable_builder("ids", [rows, STATE], int64, zeros()))?;
        let cells = [line.saturating_mul(4)];
        let cells = graph.variable_builder("candidates", cells, DataType::Int32, zeros());
        let candidates = beside(cells)?;
        let totals = beside(graph.variable_builder("totals", [TOTALS], int64, zeros()))?;
        let hold = i64::from(self.hold);
        let known = IdTable { state: state.clone(), totals: totals.clone(), hold };
        graph.add_id_table(&embeddings, &known);
        Ok(Table { rows: embeddings, state, candidates, totals })
    }

    /// The rows of ids.
    fn lookup(
        &self,
        table: &Table,
        ids: &Output,
        training: bool,
        negative: bool,
    ) -> Result<Output> {
        let graph = ids.graph();
        let _beside = graph.colocate_with(&table.rows.handle().op())?;
        if !training {
            let find = NodeBuilder::new("_IdTableFind").input(&table.state.handle()).input(ids);
            return find.name("rows").output();
        }
        let (initial, first, second) = self.initializer.by_rows()?;
        // By the table's name, so that it does not depend on what else the graph has.
        let (seed, seed2) = graph.seeds(Some(self.initializer.own_seed().unwrap_or(0)));
        let seed = fingerprint64(format!("{seed} {seed2} {}", table.rows.name()).as_bytes());
        NodeBuilder::new("_IdTableAdmit")
            .input(&table.state.handle())
            .input(&table.candidates.handle())
            .input(&table.totals.handle())
            .input(&table.rows.handle())
            .input(ids)
            .attr("dtype", self.dtype)
            .attr("admit_after", i64::from(self.admit_after))
            .attr("max_age", i64::try_from(self.max_age).unwrap_or(i64::MAX))
            .attr("hold", i64::from(self.hold))
            .attr("negative", negative)
            .attr("initial", initial)
            .attr("first", first as f32)
            .attr("second", second as f32)
            .attr("seed", seed as i64)
            .name("rows")
            .output()
    }
}

/// Ids as int64: numbers as they are, texts by their fingerprints.
fn numbers(ids: &Output) -> Result<Output> {
    match ids.dtype() {
        DataType::Int64 => Ok(ids.clone()),
        DataType::Int32 => ids.cast(DataType::Int64),
        DataType::String => crate::ops::string_to_hash_bucket_fast(ids, i64::MAX).build(),
        other => Err(Status::invalid_argument(format!(
            "HashEmbedding takes ids of type int32, int64 or string, but {} is {other}; cast it first",
            ids.name()
        ))),
    }
}

impl HashStatistics {
    fn of(totals: &Variable) -> Result<HashStatistics> {
        let _scope = totals.graph().name_scope("statistics")?;
        let all = totals.value();
        let total = |place: i32| all.slice(&[place], &[1])?.reshape(&[]);
        Ok(HashStatistics {
            lookups: total(0)?,
            size: total(1)?,
            admitted: total(2)?,
            evicted: total(3)?,
            hits: total(4)?,
            unknown: total(5)?,
        })
    }
}

//! Rows of large tables: before each step those the batch needs are asked for, and written into the table here.
//!
//! What is taken of a table at once is a round: it begins whenever the worker takes parameters. Within a round a row
//! is taken once; from then on this worker's own gradients change it here, if they change anything here. In the first
//! round everything is there, as training begins with all of it.

use downpour_params::{Named, Pulled};
use downpour_tensor::{Result, Status, Tensor};

use super::lookups::{Lookup, Lookups};
use super::parts::concatenated;
use crate::session::{Fetch, PreparedStep};
use crate::training::exchange::{Local, handed};
use crate::training::layout::Part;
use crate::variable::Variable;

pub(super) struct Rows {
    tables: Vec<Table>,
    /// Computes which rows a batch needs.
    numbers: PreparedStep,
    /// The columns of a batch it takes.
    columns: Vec<usize>,
    servers: usize,
    round: u32,
}

struct Table {
    variable: Variable,
    parts: Vec<Part>,
    /// How many of the values that tell row numbers are for it.
    gathers: usize,
    write: PreparedStep,
    /// The round in which each row was taken last.
    taken: Vec<u32>,
}

/// Rows that are needed and not there.
#[derive(Default)]
pub(super) struct Missing {
    /// Of each table, in their order.
    rows: Vec<Vec<i64>>,
    /// The same as each server has them.
    pub of_servers: Vec<Vec<Named<Tensor>>>,
}

impl Rows {
    /// `None` if there is no such table.
    pub fn new(local: &Local<'_>, found: Lookups) -> Result<Option<Rows>> {
        if found.tables.is_empty() {
            return Ok(None);
        }
        let handed = handed(local)?;
        let inputs: Vec<_> =
            found.columns.iter().map(|column| &local.program.train.inputs[*column]).collect();
        let numbers = found.tables.iter().flat_map(|table| &table.numbers);
        let numbers: Vec<&dyn Fetch> = numbers.map(|value| value as &dyn Fetch).collect();
        let numbers = local.session.prepare(&inputs, &numbers)?;
        let table = |lookup: &Lookup| {
            let variable = handed.gradients[lookup.gradient].0.clone();
            let scatter = handed.scatters[lookup.gradient].as_ref();
            let scatter = scatter.ok_or_else(|| Status::internal("a table without rows"))?;
            let fed = [&scatter.numbers, &scatter.rows];
            Ok(Table {
                parts: handed.parts[lookup.gradient].clone(),
                gathers: lookup.numbers.len(),
                write: local.session.prepare(&fed, &[&scatter.write as &dyn Fetch])?,
                taken: vec![1; variable.shape().dims()[0]],
                variable,
            })
        };
        let tables = found.tables.iter().map(table).collect::<Result<_>>()?;
        let (columns, servers) = (found.columns, handed.places.len());
        Ok(Some(Rows { tables, numbers, columns, servers, round: 1 }))
    }

    pub fn variables(&self) -> Vec<&Variable> {
        self.tables.iter().map(|table| &table.variable).collect()
    }

    /// What was taken is old from now on.
    pub fn next_round(&mut self) {
        self.round = self.round.wrapping_add(1);
    }

    /// What a batch needs that is not there; `None` if all is.
    pub fn missing(&self, batch: &[Tensor]) -> Result<Option<Missing>> {
        self.missing_in(self.round, batch)
    }

    /// The same for a batch of the next round.
    pub fn missing_next(&self, batch: &[Tensor]) -> Result<Option<Missing>> {
        self.missing_in(self.round.wrapping_add(1), batch)
    }

    fn missing_in(&self, round: u32, batch: &[Tensor]) -> Result<Option<Missing>> {
        let odd = || Status::internal("a batch without its columns");
        let feeds = self.columns.iter().map(|column| batch.get(*column).cloned());
        let numbers = self.numbers.run(feeds.collect::<Option<_>>().ok_or_else(odd)?)?;
        let mut numbers = numbers.iter();
        let mut rows = Vec::with_capacity(self.tables.len());
        let mut of_servers = vec![Vec::new(); self.servers];
        for table in &self.tables {
            let mut needed = Vec::new();
            for numbers in numbers.by_ref().take(table.gathers) {
                table.need(numbers, round, &mut needed)?;
            }
            needed.sort_unstable();
            needed.dedup();
            table.ask(&needed, &mut of_servers)?;
            rows.push(needed);
        }
        let none = rows.iter().all(Vec::is_empty);
        Ok((!none).then_some(Missing { rows, of_servers }))
    }

    /// Writes what was missing.
    pub fn take(&mut self, missing: Missing, pulled: Vec<Pulled>) -> Result<()> {
        for (table, numbers) in self.tables.iter_mut().zip(missing.rows) {
            if numbers.is_empty() {
                continue;
            }
            // Numbers are in order, and so are the ranges of the servers.
            let all = pulled.iter().flat_map(|server| &server.values);
            let own = all.filter(|(name, _)| name == table.variable.name());
            let parts: Vec<Tensor> = own.map(|(_, rows)| rows.clone()).collect();
            let rows = match &parts[..] {
                [only] => only.clone(),
                parts => concatenated(parts)?,
            };
            for row in &numbers {
                table.taken[*row as usize] = self.round;
            }
            table.write.run(vec![Tensor::vector(&numbers)?, rows])?;
        }
        Ok(())
    }
}

impl Table {
    /// Adds those of these rows that were not taken in this round.
    fn need(&self, numbers: &Tensor, round: u32, needed: &mut Vec<i64>) -> Result<()> {
        for row in numbers.to_i64_vec()? {
            let taken = usize::try_from(row).ok().and_then(|row| self.taken.get(row));
            let taken = taken.ok_or_else(|| {
                Status::invalid_argument(format!(
                    "a batch has the number {row} for a row of '{}', which has the rows 0 to {}: is the data of \
                     another vocabulary?",
                    self.variable.name(),
                    self.taken.len() - 1
                ))
            })?;
            if *taken != round {
                needed.push(row);
            }
        }
        Ok(())
    }

    /// Divides rows, which are in order, over the servers.
    fn ask(&self, rows: &[i64], of_servers: &mut [Vec<Named<Tensor>>]) -> Result<()> {
        for part in &self.parts {
            let range = part.rows.clone().unwrap_or(0..self.taken.len());
            let (start, end) = (range.start as i64, range.end as i64);
            let from = rows.partition_point(|row| *row < start);
            let to = rows.partition_point(|row| *row < end);
            let own: Vec<i64> = rows[from..to].iter().map(|row| row - start).collect();
            if !own.is_empty() {
                let name = self.variable.name().to_string();
                of_servers[part.place].push((name, Tensor::vector(&own)?));
            }
        }
        Ok(())
    }
}

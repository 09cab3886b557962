//! A server's part of every vector, and the commands that change them.
//!
//! Protocol. A coordinator opens a term; commands of earlier terms are refused from then on, so that one that was
//! given up, or a message that was held up, can change nothing any more. Batches are numbered by the server: the
//! next is executed, the last is answered again, a later one shows that this server has lost what it had executed
//! (it came back from an older snapshot). A batch is executed as a whole: what it writes is put beside what is
//! there, and takes its place at the end.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use downpour_lbfgs::{Command, Vector};
use downpour_tensor::{Code, Result, Status, Tensor};

use super::arithmetic;
use super::encoding::{decoded, vector};
use super::gather::Gather;
use super::layout::Layout;
use super::messages::{Execute, Finish, MarkMessage, Open, Reply, Term};
use crate::values::Values;

#[derive(Default)]
pub(crate) struct Vectors {
    pub layout: Option<Arc<Layout>>,
    /// All but the parameters; one that is not here is zero.
    pub vectors: BTreeMap<Vector, Vec<Tensor>>,
    pub term: Term,
    pub executed: u64,
    /// What the last batch was answered.
    pub numbers: Vec<f64>,
    pub lineage: Vec<MarkMessage>,
    /// Names what was executed since this server has gone back, if it has: what its start had executed is something
    /// else.
    pub branch: Option<u64>,
}

/// A batch being executed: what it has written so far, before everything else.
struct Batch<'b, V> {
    values: &'b V,
    layout: &'b Layout,
    old: &'b BTreeMap<Vector, Vec<Tensor>>,
    written: BTreeMap<Vector, Vec<Tensor>>,
}

/// What became of a batch.
pub(crate) struct Executed {
    pub reply: Reply,
    /// Whether it has changed the parameters.
    pub published: bool,
}

impl Vectors {
    /// A coordinator takes over.
    pub fn open<V: Values>(&mut self, values: &V, open: Open) -> Result<()> {
        if open.term < self.term {
            return Err(over());
        }
        let same = self.layout.as_ref().is_some_and(|layout| layout.names == open.names);
        if !same {
            self.layout = Some(Arc::new(Layout::new(values, open.names)?));
            self.vectors.clear();
        }
        self.term = open.term;
        Ok(())
    }

    /// Returns an error unless a coordinator of this term commands.
    pub fn check(&self, term: Term) -> Result<()> {
        match term.cmp(&self.term) {
            Ordering::Less => Err(over()),
            Ordering::Equal => Ok(()),
            Ordering::Greater => Err(Status::new(
                Code::DataLoss,
                "this server does not know the coordinator's term: it has come back from a snapshot",
            )),
        }
    }

    pub fn layout(&self) -> Result<&Arc<Layout>> {
        self.layout.as_ref().ok_or_else(|| {
            Status::failed_precondition("no coordinator has said which variables are to be trained")
        })
    }

    /// Executes a batch, or answers it again.
    pub fn execute<V: Values>(
        &mut self,
        values: &V,
        gather: &mut Gather,
        batch: &Execute,
    ) -> Result<Executed> {
        if batch.term < self.term {
            return Err(over());
        }
        let expected = self.executed.saturating_add(1);
        if batch.term > self.term || batch.sequence > expected {
            return Err(Status::new(
                Code::DataLoss,
                format!(
                    "this server has executed {} batches and is asked for the one numbered {}: it has come back from \
                     an older snapshot",
                    self.executed, batch.sequence
                ),
            ));
        }
        if batch.sequence == self.executed {
            return Ok(Executed { reply: self.reply(), published: false });
        }
        if batch.sequence < self.executed {
            return Err(Status::invalid_argument("a batch from before the last one"));
        }
        let layout = self.layout()?.clone();
        let commands: Vec<Command> = batch.commands.iter().map(decoded).collect::<Result<_>>()?;
        let mut run =
            Batch { values, layout: &layout, old: &self.vectors, written: BTreeMap::new() };
        let mut numbers = Vec::new();
        if let Some(finish) = &batch.finish {
            let whole = gather.whole(&layout, finish.evaluation, finish.units);
            let Some(sums) = whole else {
                let reply = Reply { missing: true, executed: self.executed, ..Reply::default() };
                return Ok(Executed { reply, published: false });
            };
            numbers.push(run.finish(finish, sums)?);
        }
        for command in &commands {
            numbers.extend(run.run(command)?);
        }
        let written = run.written;
        if batch.finish.is_some() {
            gather.close();
        }
        let mut published = false;
        for (vector, tensors) in written {
            if vector == Vector::Parameters {
                for (name, tensor) in layout.names.iter().zip(tensors) {
                    values.set(name, tensor)?;
                }
                published = true;
            } else {
                self.vectors.insert(vector, tensors);
            }
        }
        self.executed = expected;
        self.numbers = numbers;
        Ok(Executed { reply: self.reply(), published })
    }

    fn reply(&self) -> Reply {
        Reply { numbers: self.numbers.clone(), executed: self.executed, ..Reply::default() }
    }

    /// A vector's tensors under their variables' names.
    pub fn fetch<V: Values>(&self, values: &V, number: u32) -> Result<Vec<(String, Tensor)>> {
        let layout = self.layout()?;
        let batch = Batch { values, layout, old: &self.vectors, written: BTreeMap::new() };
        let tensors = batch.read(vector(number)?)?.unwrap_or_else(|| layout.zeros.clone());
        Ok(layout.names.iter().cloned().zip(tensors).collect())
    }
}

impl<V: Values> Batch<'_, V> {
    /// A vector's tensors, shared; `None` for zeros.
    fn read(&self, vector: Vector) -> Result<Option<Vec<Tensor>>> {
        if let Some(tensors) = self.written.get(&vector).or_else(|| self.old.get(&vector)) {
            return Ok(Some(tensors.clone()));
        }
        if vector != Vector::Parameters {
            return Ok(None);
        }
        let mut tensors = Vec::with_capacity(self.layout.names.len());
        for (place, name) in self.layout.names.iter().enumerate() {
            let value = self.values.get(name)?;
            self.layout.fits(place, &value)?;
            tensors.push(value);
        }
        Ok(Some(tensors))
    }

    fn read_whole(&self, vector: Vector) -> Result<Vec<Tensor>> {
        Ok(self.read(vector)?.unwrap_or_else(|| self.layout.zeros.clone()))
    }

    fn run(&mut self, command: &Command) -> Result<Option<f64>> {
        match command {
            Command::Copy { from, to } => {
                // Shared until one of them is written: writing makes new tensors.
                let tensors = self.read_whole(*from)?;
                self.written.insert(*to, tensors);
            }
            Command::Scale { vector, by } => self.combine(*vector, &[(*by, *vector)])?,
            Command::Axpy { by, from, to } => self.combine(*to, &[(1.0, *to), (*by, *from)])?,
            Command::Combine { to, terms } => self.combine(*to, terms)?,
            Command::Multiply { from, to } => {
                let (from, old) = (self.read_whole(*from)?, self.read_whole(*to)?);
                let products = old.iter().zip(&from).map(|(a, b)| arithmetic::multiply(a, b));
                let products = products.collect::<Result<_>>()?;
                self.written.insert(*to, products);
            }
            Command::Dot { a, b } => return self.dot(*a, *b).map(Some),
            Command::Norm { vector } => return self.dot(*vector, *vector).map(Some),
        }
        Ok(None)
    }

    fn combine(&mut self, to: Vector, terms: &[(f64, Vector)]) -> Result<()> {
        let mut read = Vec::with_capacity(terms.len());
        for (factor, vector) in terms {
            if let Some(tensors) = self.read(*vector)? {
                read.push((*factor, tensors));
            }
        }
        let combined = self.layout.zeros.iter().enumerate().map(|(place, zero)| {
            let terms: Vec<(f64, &Tensor)> = read.iter().map(|(f, t)| (*f, &t[place])).collect();
            arithmetic::combine(zero, &terms)
        });
        let combined = combined.collect::<Result<_>>()?;
        self.written.insert(to, combined);
        Ok(())
    }

    fn dot(&self, a: Vector, b: Vector) -> Result<f64> {
        let (Some(a), Some(b)) = (self.read(a)?, self.read(b)?) else { return Ok(0.0) };
        let mut sum = 0.0;
        for (a, b) in a.iter().zip(&b) {
            sum += arithmetic::dot(a, b)?;
        }
        Ok(sum)
    }

    /// Writes the gradient; answers the sum of squares of the point, if there is a penalty on it.
    fn finish(&mut self, finish: &Finish, sums: &[Vec<f64>]) -> Result<f64> {
        let by = finish.weight.recip();
        if !by.is_finite() {
            return Err(Status::invalid_argument(format!(
                "a mean over examples of weight {} has no meaning",
                finish.weight
            )));
        }
        let (at, gradient) = (vector(finish.point)?, vector(finish.gradient)?);
        let point = self.read_whole(at)?;
        let parts = sums.iter().zip(&point).zip(&self.layout.zeros);
        let means = parts.map(|((sums, point), zero)| {
            arithmetic::mean(zero, sums, by, (2.0 * finish.l2, point))
        });
        let means = means.collect::<Result<_>>()?;
        let squares = if finish.l2 == 0.0 { 0.0 } else { self.dot(at, at)? };
        self.written.insert(gradient, means);
        Ok(squares)
    }
}

fn over() -> Status {
    Status::aborted(
        "this coordinator's time is over: another one, or a later start of it, has taken over",
    )
}

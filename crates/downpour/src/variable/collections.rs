//! The variables of a graph, where they are placed, and operations on all of them.

use std::sync::Arc;

use downpour_tensor::{ByteString, DataType, Result, Status, Tensor};

use super::id_table::IdTableRecord;
use super::{Record, Variable};
use crate::graph::{Graph, Names, ScopeGuard};
use crate::initializers;
use crate::node_builder::NodeBuilder;
use crate::output::{Operation, Output};

type Place = Arc<dyn Fn(&str, u64) -> String + Send + Sync>;

/// What a graph knows of its variables.
#[derive(Default)]
pub(crate) struct Collections {
    pub variables: Vec<Arc<Record>>,
    /// The variables' names.
    pub names: Names,
    pub global_step: Option<Arc<Record>>,
    /// The tables of rows for ids that nobody knows in advance.
    pub id_tables: Vec<IdTableRecord>,
    place: Option<Place>,
}

impl Collections {
    pub fn find(&self, name: &str) -> Option<Arc<Record>> {
        self.variables.iter().find(|record| record.name == name).cloned()
    }
}

impl Graph {
    /// Lets `place` choose the device of every variable made from now on, by its name and size in bytes. It
    /// returns a device such as `/job:ps/task:1`, or "" for the device that holds anyway.
    ///
    /// ```
    /// use downpour::{DataType, Graph, initializers::zeros};
    /// # fn main() -> downpour::Result<()> {
    /// let graph = Graph::new();
    /// graph.place_variables(|_name, bytes| format!("/job:ps/task:{}", u8::from(bytes > 100)));
    /// let w = graph.variable("w", [100], DataType::Float, zeros())?;
    /// assert_eq!(w.device(), "/job:ps/task:1");
    /// # Ok(())
    /// # }
    /// ```
    pub fn place_variables(&self, place: impl Fn(&str, u64) -> String + Send + Sync + 'static) {
        self.lock().collections.place = Some(Arc::new(place));
    }

    /// The device for a new variable, as something entered; local ones stay where they are used.
    pub(crate) fn variable_device(
        &self,
        name: &str,
        bytes: u64,
        local: bool,
    ) -> Result<Option<ScopeGuard>> {
        // The closure may be slow or look at the graph: it is called without the lock.
        let place = self.lock().collections.place.clone().filter(|_| !local);
        match place.map(|place| place(name, bytes)) {
            Some(device) if !device.is_empty() => Ok(Some(self.device(&device)?)),
            _ => Ok(None),
        }
    }

    fn variables_where(&self, wanted: impl Fn(&Record) -> bool) -> Vec<Variable> {
        let all = self.lock().collections.variables.clone();
        all.into_iter().filter(|record| wanted(record)).map(|r| Variable::new(self, r)).collect()
    }

    /// All variables but the local ones, in the order they were made: what checkpoints hold.
    pub fn variables(&self) -> Vec<Variable> {
        self.variables_where(|record| !record.local)
    }

    /// The variables of one task.
    pub fn local_variables(&self) -> Vec<Variable> {
        self.variables_where(|record| record.local)
    }

    /// The variables that optimizers change unless told otherwise.
    pub fn trainable_variables(&self) -> Vec<Variable> {
        self.variables_where(|record| record.trainable)
    }

    /// The operation that gives all variables made so far, but the local ones, their first values.
    pub fn initialize_variables(&self) -> Result<Operation> {
        self.initialize("init", &self.variables())
    }

    /// The operation that gives all local variables made so far their first values.
    pub fn initialize_local_variables(&self) -> Result<Operation> {
        self.initialize("init_local", &self.local_variables())
    }

    /// The operation that gives these variables their first values.
    pub fn initialize(&self, name: &str, variables: &[Variable]) -> Result<Operation> {
        let all: Vec<Operation> = variables.iter().map(Variable::initializer).collect();
        self.group(name, &all)
    }

    /// The names of those of these variables that have no value yet, as a string vector.
    pub fn report_uninitialized(&self, variables: &[Variable]) -> Result<Output> {
        let _scope = self.name_scope("report_uninitialized_variables")?;
        let name = |i: usize| ByteString::copy_from(variables[i].name());
        let names = Tensor::build_strings([variables.len()], name)?;
        if names.is_empty() {
            return self.constant(names);
        }
        let known: Vec<Output> = variables.iter().map(Variable::is_initialized).collect();
        let missing = Output::stack(&known, 0)?.logical_not()?;
        let places = NodeBuilder::new("Where").input(&missing).output()?.squeeze(&[1])?;
        self.constant(names)?.gather(&places, 0)
    }

    /// The counter of training steps, made when it is first asked for: the int64 variable `global_step`.
    pub fn global_step(&self) -> Result<Variable> {
        if let Some(record) = self.lock().collections.global_step.clone() {
            return Ok(Variable::new(self, record));
        }
        let _top = self.absolute_scope("")?;
        // The counter is one, also where a model is built again.
        let step = self.variable_builder("global_step", [], DataType::Int64, initializers::zeros());
        let step = step.trainable(false).build_new()?;
        if step.name() != "global_step" {
            return Err(Status::already_exists(
                "the name 'global_step' is taken, but not by the counter of steps; rename the other",
            ));
        }
        self.lock().collections.global_step = Some(step.record.clone());
        Ok(step)
    }
}

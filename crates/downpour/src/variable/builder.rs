//! Adds a variable with everything that belongs to it.

use std::sync::Arc;

use downpour_graph::{Attrs, PartialShape};
use downpour_tensor::{DataType, Result, Shape, Status, checked_elements};

use super::{Record, Variable};
use crate::graph::Graph;
use crate::initializers::Initializer;
use crate::node_builder::NodeBuilder;

/// A variable about to be added.
#[must_use = "nothing is added before `build`"]
pub struct VariableBuilder {
    graph: Graph,
    name: String,
    shape: Shape,
    dtype: DataType,
    initializer: Initializer,
    trainable: bool,
    local: bool,
    beside: Option<Variable>,
}

impl Graph {
    /// A variable that training changes. Its name stands in the current variable scope (name scopes do not
    /// count) and is its name in checkpoints. In a variable scope a name is given once; outside of them it is
    /// numbered if it is taken. While variables are reused ([`Graph::reuse_variables`]) this gives the
    /// variable that is there.
    ///
    /// ```
    /// use downpour::{DataType, Graph, Session, initializers};
    /// # fn main() -> downpour::Result<()> {
    /// let graph = Graph::new();
    /// let w = graph.variable("w", [2, 3], DataType::Float, initializers::ones())?;
    /// let double = (w.value() * 2.0)?;
    /// let session = Session::local(&graph)?;
    /// session.run(&[], &[&graph.initialize_variables()?])?;
    /// assert_eq!(session.fetch(&[], &double)?.as_slice::<f32>()?, &[2.0; 6]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn variable(
        &self,
        name: &str,
        shape: impl Into<Shape>,
        dtype: DataType,
        initializer: Initializer,
    ) -> Result<Variable> {
        self.variable_builder(name, shape, dtype, initializer).build()
    }

    /// A variable with further choices.
    pub fn variable_builder(
        &self,
        name: &str,
        shape: impl Into<Shape>,
        dtype: DataType,
        initializer: Initializer,
    ) -> VariableBuilder {
        VariableBuilder {
            graph: self.clone(),
            name: name.to_string(),
            shape: shape.into(),
            dtype,
            initializer,
            trainable: true,
            local: false,
            beside: None,
        }
    }
}

impl VariableBuilder {
    /// Whether optimizers change it; they do unless this says otherwise.
    pub fn trainable(mut self, trainable: bool) -> VariableBuilder {
        self.trainable = trainable;
        self
    }

    /// A variable of one task (a metric's counter, a reader's position): not trained, not in checkpoints.
    pub fn local(mut self) -> VariableBuilder {
        self.local = true;
        self.trainable = false;
        self
    }

    /// Stands where another variable stands, as an optimizer's slots do; always a new one.
    pub fn beside(mut self, other: &Variable) -> VariableBuilder {
        self.beside = Some(other.clone());
        self
    }

    /// The name it will have; or the variable that has it, while variables are reused.
    fn find(&self) -> Result<std::result::Result<String, Variable>> {
        crate::graph::check_name(&self.name)?;
        let state = &mut *self.graph.lock();
        let path = state.variable_path(&self.name);
        let in_scope = state.surroundings.variable_scope().1;
        let reuses = state.surroundings.reuses() && self.beside.is_none();
        if !reuses {
            if in_scope && state.collections.find(&path).is_some() {
                return Err(Status::already_exists(format!(
                    "there is a variable '{path}' already; to use it again hold Graph::reuse_variables, for \
                     another one choose another name or another variable scope"
                )));
            }
            return Ok(Ok(state.collections.names.unique(&path)));
        }
        let path = match in_scope {
            true => path,
            false => state.surroundings.asked().variables.unique(&path),
        };
        let Some(record) = state.collections.find(&path) else {
            return Err(Status::not_found(format!(
                "variables are being reused, but there is no '{path}': the model must be built before, by the \
                 same calls in the same scopes"
            )));
        };
        if record.dtype != self.dtype || record.shape != self.shape {
            return Err(Status::invalid_argument(format!(
                "the variable '{path}' is {} of shape {}, and is asked for again as {} of shape {}",
                record.dtype, record.shape, self.dtype, self.shape
            )));
        }
        Ok(Err(Variable::new(&self.graph, record)))
    }

    /// Adds it: handle, first value, assignment, read.
    pub fn build(self) -> Result<Variable> {
        let name = match self.find()? {
            Ok(name) => name,
            Err(found) => return Ok(found),
        };
        self.add(name)
    }

    /// Adds it whether variables are reused or not, under its whole name.
    pub(super) fn build_new(self) -> Result<Variable> {
        let name = self.graph.lock().collections.names.unique(&self.name);
        self.add(name)
    }

    fn add(self, name: String) -> Result<Variable> {
        let graph = self.graph.clone();
        let bytes = checked_elements(&self.shape)?
            .checked_mul(self.dtype.size().max(1))
            .ok_or_else(|| {
                Status::resource_exhausted(format!(
                    "the variable '{}' of shape {} would exceed any memory",
                    self.name, self.shape
                ))
            })?;
        // A node or scope may have the name that the variable gets.
        let node = graph.take_name(&name);
        let _free = graph.no_control_dependencies();
        let handle = {
            let _placed = match &self.beside {
                Some(other) => Some(graph.colocate_with(&other.handle().op())?),
                None => graph.variable_device(&name, bytes as u64, self.local)?,
            };
            let attrs = Attrs::new()
                .with("dtype", self.dtype)
                .with("shape", PartialShape::from(&self.shape))
                .with("shared_name", name.clone());
            graph.add_exactly("VarHandleOp", &node, attrs)?
        };
        let _beside = graph.colocate_with(&handle.op())?;
        let initial_value = {
            let _scope = graph.absolute_scope(&format!("{node}/Initializer"))?;
            let value = self.initializer.build(&graph, &self.shape, self.dtype)?;
            let (dtype, shape) = (value.dtype(), value.shape());
            if dtype != self.dtype || !shape.allows(&self.shape) {
                return Err(Status::invalid_argument(format!(
                    "the initializer of '{name}' gives a {dtype} tensor of shape {shape}, the variable is {} of \
                     shape {}",
                    self.dtype, self.shape
                )));
            }
            value
        };
        let _scope = graph.absolute_scope(&node)?;
        let is_initialized = NodeBuilder::new("VarIsInitializedOp").input(&handle);
        let is_initialized = is_initialized.name("IsInitialized/VarIsInitializedOp").output()?;
        let assign = NodeBuilder::new("AssignVariableOp").input(&handle).input(&initial_value);
        let assign = assign.name("Assign").operation()?;
        let read = NodeBuilder::new("ReadVariableOp").input(&handle).attr("dtype", self.dtype);
        let read = read.name("Read/ReadVariableOp").output()?;
        let record = Arc::new(Record {
            name,
            dtype: self.dtype,
            shape: self.shape,
            trainable: self.trainable,
            local: self.local,
            handle: handle.endpoint(),
            initial_value: initial_value.endpoint(),
            initializer: assign.id(),
            is_initialized: is_initialized.endpoint(),
            value: read.endpoint(),
        });
        graph.lock().collections.variables.push(record.clone());
        Ok(Variable::new(&graph, record))
    }
}

//! Variable scopes, and building the same model twice over the same variables.

use downpour_tensor::Result;

use super::names;
use super::surroundings::{Asked, Entry};
use super::{Graph, ScopeGuard};

impl Graph {
    /// Enters a scope for variables and nodes. Variables are named by the path of variable scopes alone, so
    /// their names do not depend on how often a scope was entered; nodes are numbered as in `name_scope`.
    ///
    /// ```
    /// use downpour::{DataType, Graph, initializers::zeros};
    /// # fn main() -> downpour::Result<()> {
    /// let graph = Graph::new();
    /// let build = || {
    ///     let _layer = graph.variable_scope("layer")?;
    ///     graph.variable("w", [2], DataType::Float, zeros())
    /// };
    /// let first = build()?;
    /// assert_eq!(first.name(), "layer/w");
    /// assert!(build().is_err(), "a second variable of this name");
    ///
    /// let _reuse = graph.reuse_variables();
    /// assert_eq!(build()?, first);
    /// # Ok(())
    /// # }
    /// ```
    pub fn variable_scope(&self, name: &str) -> Result<ScopeGuard> {
        names::check(name)?;
        let state = &mut *self.lock();
        let variables = state.variable_path(name);
        state.surroundings.asked().layers.take(&variables);
        let entry = state.variable_scope(name, variables);
        Ok(ScopeGuard::locked(self, state, entry))
    }

    /// Enters a variable scope for a layer: of this name if there is one, else of the default name, which is
    /// numbered (`dense`, `dense_1`, ...) by how often it was asked for within the variable scope around.
    pub fn layer_scope(&self, name: Option<&str>, default: &str) -> Result<ScopeGuard> {
        if let Some(name) = name {
            return self.variable_scope(name);
        }
        names::check(default)?;
        let state = &mut *self.lock();
        let path = state.variable_path(default);
        let variables = state.surroundings.asked().layers.unique(&path);
        let name = variables.rsplit('/').next().unwrap_or(default).to_string();
        let entry = state.variable_scope(&name, variables);
        Ok(ScopeGuard::locked(self, state, entry))
    }

    /// The path under which variables are named now, without a slash at the end; "" at the top.
    pub fn current_variable_scope(&self) -> String {
        self.lock().surroundings.variable_scope().0.to_string()
    }

    /// Until the guard is dropped, asking for a variable gives the one that has this name already; its type
    /// and shape must be the same. Default names of layers are numbered anew, so that the same code finds
    /// the same variables: this is how a model is built for evaluation beside the one that is trained.
    ///
    /// ```
    /// use downpour::{DataType, Graph, layers::Dense};
    /// # fn main() -> downpour::Result<()> {
    /// let graph = Graph::new();
    /// let x = graph.placeholder("x", DataType::Float, [None, Some(4)])?;
    /// let model = || Dense::new(2).build(&Dense::new(8).relu().build(&x)?);
    /// model()?;
    /// let names: Vec<String> = graph.variables().iter().map(|v| v.name().to_string()).collect();
    /// assert_eq!(names, ["dense/kernel", "dense/bias", "dense_1/kernel", "dense_1/bias"]);
    ///
    /// let _reuse = graph.reuse_variables();
    /// model()?;
    /// assert_eq!(graph.variables().len(), 4);
    /// # Ok(())
    /// # }
    /// ```
    pub fn reuse_variables(&self) -> ScopeGuard {
        ScopeGuard::new(self, Entry::Reuse(Asked::default()))
    }

    /// True while variables are looked up instead of made.
    pub fn reuses_variables(&self) -> bool {
        self.lock().surroundings.reuses()
    }
}

impl super::State {
    /// `name` inside the current variable scope.
    pub(crate) fn variable_path(&self, name: &str) -> String {
        match self.surroundings.variable_scope().0 {
            "" => name.to_string(),
            scope => format!("{scope}/{name}"),
        }
    }

    fn variable_scope(&mut self, name: &str, variables: String) -> Entry {
        let scoped = self.surroundings.scoped(name);
        Entry::VariableScope { variables, nodes: self.names.unique(&scoped) }
    }
}

//! A linear model and a deep network, trained together, on the columns of a table.

use std::collections::BTreeMap;

use downpour_tensor::{DataType, Result, Status};
use serde::{Deserialize, Serialize};

use super::classifier::expect_positive;
use super::columns::{Categorical, Crossed, Numeric, hash, text, vector};
use crate::graph::legal_name;
use crate::initializers;
use crate::layers::{BatchNorm, Dense, Dropout, Embedding, HashEmbedding};
use crate::losses;
use crate::metrics;
use crate::output::Output;
use crate::training::{Built, Inputs, Model};

/// Wide and deep (Cheng et al., 2016): a linear model remembers single categories and their combinations, a
/// deep network generalises from embeddings and numbers; the sum of both decides between two classes.
///
/// The variables of the linear part stand in the scope `wide`, those of the deep part in `deep`, so that
/// each can have its optimizer: FTRL for the wide part and Adagrad for the deep one, as the paper has it.
///
/// ```
/// use downpour::models::{Categorical, Crossed, Numeric, WideAndDeep};
/// let age = Numeric { mean: Some(38.6), deviation: Some(13.7), boundaries: vec![25.0, 45.0, 65.0], ..Numeric::default() };
/// let model = WideAndDeep {
///     label: "income".into(),
///     positive: Some(">50K".into()),
///     numeric: [("age".to_string(), age)].into(),
///     categorical: [("education".to_string(), Categorical::default())].into(),
///     crossed: vec![Crossed { columns: vec!["age".into(), "education".into()], buckets: 1000 }],
///     ..WideAndDeep::default()
/// };
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WideAndDeep {
    /// The column with the class.
    pub label: String,
    /// The label that counts as 1; without it labels are 0 or 1.
    pub positive: Option<String>,
    /// Columns with numbers, for the deep part; and for the wide one if they have boundaries.
    pub numeric: BTreeMap<String, Numeric>,
    /// Columns with categories, for both parts.
    pub categorical: BTreeMap<String, Categorical>,
    /// Combinations of columns, for the wide part.
    pub crossed: Vec<Crossed>,
    /// The sizes of the deep part's hidden layers; none makes the model a linear one.
    pub hidden: Vec<usize>,
    /// The part of the hidden values that is dropped while training.
    pub dropout: f64,
}

impl Default for WideAndDeep {
    fn default() -> WideAndDeep {
        WideAndDeep {
            label: "label".to_string(),
            positive: None,
            numeric: BTreeMap::new(),
            categorical: BTreeMap::new(),
            crossed: Vec::new(),
            hidden: vec![100, 50],
            dropout: 0.0,
        }
    }
}

/// The sum of each example's weights, [batch]. All categories share one table, one after the other: one lookup and
/// one update a step.
fn shared_weights(all: Vec<(Output, usize)>) -> Result<Output> {
    let (mut ids, mut rows) = (Vec::new(), 0usize);
    for (own, count) in all {
        ids.push((own + rows as i64)?);
        rows = rows.checked_add(count).ok_or_else(|| {
            Status::invalid_argument("wide_and_deep: more buckets than there are numbers")
        })?;
    }
    let ids = Output::stack(&ids, 1)?;
    let zeros = initializers::zeros();
    let weights = ids.graph().variable("weights", [rows], DataType::Float, zeros)?;
    weights.gather(&ids)?.reduce_sum(&[1], false)
}

impl WideAndDeep {
    /// 1 for the positive class, 0 for the other; [batch], float32.
    fn labels(&self, inputs: &Inputs) -> Result<Output> {
        let labels = vector(inputs.get(&self.label)?)?;
        match (&self.positive, labels.dtype()) {
            (Some(positive), DataType::String) => {
                let positive = inputs.graph().constant(positive.as_str())?;
                labels.equal(&positive)?.cast(DataType::Float)
            }
            (None, dtype) if dtype != DataType::String => labels.cast(DataType::Float),
            (Some(_), dtype) => Err(Status::invalid_argument(format!(
                "`positive` is for labels that are text, but the column '{}' is {dtype}",
                self.label
            ))),
            (None, _) => Err(Status::invalid_argument(format!(
                "the labels in the column '{}' are text: say in `positive` which of them counts as 1",
                self.label
            ))),
        }
    }

    /// A column as texts, to be combined with others.
    fn crossable(&self, inputs: &Inputs, name: &str) -> Result<Output> {
        let x = inputs.get(name)?;
        match self.numeric.get(name) {
            None => text(x),
            Some(numeric) if !numeric.boundaries.is_empty() => text(&numeric.range(x)?),
            Some(_) => Err(Status::invalid_argument(format!(
                "the numeric column '{name}' is to be crossed and needs boundaries for that"
            ))),
        }
    }

    /// The linear part, [batch].
    fn wide(&self, inputs: &Inputs) -> Result<Option<Output>> {
        let mut all: Vec<(Output, usize)> = Vec::new();
        for (name, numeric) in &self.numeric {
            if !numeric.boundaries.is_empty() {
                let range = numeric.range(inputs.get(name)?).map_err(|e| e.context(name))?;
                all.push((range.cast(DataType::Int64)?, numeric.boundaries.len() + 1));
            }
        }
        for (name, column) in self.categorical.iter().filter(|(_, c)| !c.is_open()) {
            let ids = column.ids(inputs.get(name)?).map_err(|e| e.context(name))?;
            all.push((ids, column.count()));
        }
        for crossed in &self.crossed {
            let texts = crossed.columns.iter().map(|name| self.crossable(inputs, name));
            let texts = texts.collect::<Result<Vec<Output>>>()?;
            let joined =
                crate::ops::string_join(inputs.graph(), &texts).separator("_X_").build()?;
            all.push((hash(&joined, crossed.buckets)?, crossed.buckets));
        }
        let graph = inputs.graph();
        let zeros = initializers::zeros;
        let mut sums = Vec::new();
        if !all.is_empty() {
            sums.push(shared_weights(all)?);
        }
        if sums.is_empty() && !self.categorical.values().any(Categorical::is_open) {
            return Ok(None);
        }
        let bias = graph.variable("bias", [1], DataType::Float, zeros())?;
        for (name, column) in self.categorical.iter().filter(|(_, c)| c.is_open()) {
            let table = HashEmbedding::new(column.capacity, 1).name(&legal_name(name));
            let table = table.initializer(zeros());
            let weights = column.open_vectors(inputs.get(name)?, table, inputs.is_training());
            sums.push(weights.map_err(|e| e.context(name))?.squeeze(&[1])?);
        }
        let sum = sums.into_iter().try_fold(None, |sum: Option<Output>, next| {
            sum.map_or(Ok(next.clone()), |sum| sum + &next).map(Some)
        })?;
        sum.map(|sum| sum + bias.value()).transpose()
    }

    /// The deep part, [batch].
    fn deep(&self, inputs: &Inputs) -> Result<Option<Output>> {
        let (mut parts, mut given, mut open) = (Vec::new(), Vec::new(), Vec::new());
        for (name, numeric) in &self.numeric {
            let number = numeric.number(inputs.get(name)?).map_err(|e| e.context(name))?;
            match numeric.normalised(&number).map_err(|e| e.context(name))? {
                Some(known) => given.push(known),
                None => open.push(number),
            }
        }
        if !given.is_empty() {
            parts.push(Output::stack(&given, 1)?);
        }
        if !open.is_empty() {
            let norm = BatchNorm::new().name("numbers").momentum(0.9);
            parts.push(norm.build(&Output::stack(&open, 1)?, inputs.is_training())?);
        }
        for (name, column) in self.categorical.iter().filter(|(_, c)| c.embedding > 0) {
            let deviation = 1.0 / (column.embedding as f64).sqrt();
            if column.is_open() {
                let table = HashEmbedding::new(column.capacity, column.embedding);
                let table = table.initializer(initializers::truncated_normal(0.0, deviation));
                let (table, training) = (table.name(&legal_name(name)), inputs.is_training());
                let vectors = column.open_vectors(inputs.get(name)?, table, training);
                parts.push(vectors.map_err(|e| e.context(name))?);
                continue;
            }
            let ids = column.ids(inputs.get(name)?).map_err(|e| e.context(name))?;
            let table = Embedding::new(column.count(), column.embedding).name(&legal_name(name));
            let table = table.initializer(initializers::truncated_normal(0.0, deviation));
            parts.push(table.build(&ids)?);
        }
        if parts.is_empty() || self.hidden.is_empty() {
            return Ok(None);
        }
        let mut x = Output::concat(&parts, 1)?;
        for &units in &self.hidden {
            x = Dense::new(units).relu().build(&x)?;
            x = Dropout::new(self.dropout).build(&x, inputs.is_training())?;
        }
        let logits = Dense::new(1).name("logits").build(&x)?;
        Ok(Some(logits.squeeze(&[1])?))
    }
}

impl Model for WideAndDeep {
    fn build(&self, inputs: &Inputs) -> Result<Built> {
        expect_positive("wide_and_deep", "hidden", &self.hidden)?;
        let labels = self.labels(inputs)?;
        let graph = inputs.graph();
        let wide = {
            let _scope = graph.variable_scope("wide")?;
            self.wide(inputs)?
        };
        let deep = {
            let _scope = graph.variable_scope("deep")?;
            self.deep(inputs)?
        };
        let logits = match (wide, deep) {
            (Some(wide), Some(deep)) => (wide + deep)?,
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => {
                return Err(Status::invalid_argument(
                    "wide_and_deep: there are no columns to learn from; name some in `numeric`, `categorical` \
                     or `crossed`",
                ));
            }
        };
        let probabilities = logits.sigmoid()?;
        let chosen = probabilities.greater(&probabilities.scalar_like(0.5)?)?;
        let loss = losses::sigmoid_cross_entropy(&labels, &logits)?.mean()?;
        let hits = chosen.equal(&labels.greater(&labels.scalar_like(0.5)?)?)?;
        Ok(Built::new(losses::regularized(&loss)?)
            .metric("auc", metrics::auc(&labels, &probabilities))
            .metric("accuracy", metrics::mean(&hits.cast(DataType::Float)?))
            .output("logits", &logits)
            .output("probabilities", &probabilities)
            .output("classes", &chosen.cast(DataType::Int64)?))
    }
}

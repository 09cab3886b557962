//! Operations of a graph, applied to the elements of a dataset.

use downpour_data::{Dataset, Element, Field, MapFunction, Names, Schema};
use downpour_graph::PartialShape;
use downpour_tensor::{Result, Status};

use crate::graph::{Graph, legal_name};
use crate::output::Output;
use crate::session::{Fetch, PreparedStep, Session};
use crate::training::{Inputs, Mode, first_element};

/// What [`Dataset::map`](downpour_data::Dataset::map) and its parallel form can apply, made of operations: the
/// same preprocessing that a model exports, or anything the operations do better than a closure.
///
/// A resumed iteration computes elements again and must get the same: of random operations use the
/// stateless ones.
///
/// ```
/// use downpour::data::Dataset;
/// use downpour::{DataType, GraphMap, Inputs, Tensor};
/// # fn main() -> downpour::Result<()> {
/// let pixels = Tensor::from_vec([2, 3], vec![0u8, 51, 255, 102, 0, 204])?;
/// let data = Dataset::from_tensors([("pixels", pixels)])?;
/// let scale = GraphMap::new(&data, |inputs: &Inputs| {
///     let scaled = (inputs.get("pixels")?.cast(DataType::Float)? / 255.0)?;
///     Ok(vec![("scaled".to_string(), scaled)])
/// })?;
/// let first = data.map(scale).iterate()?.next()?.expect("there are two");
/// assert_eq!(first.get("scaled")?.as_slice::<f32>()?, [0.0, 0.2, 1.0]);
/// # Ok(())
/// # }
/// ```
pub struct GraphMap {
    step: PreparedStep,
    inputs: Vec<String>,
    results: Names,
    schema: Schema,
}

impl GraphMap {
    /// For the elements of `data`: `build` gets their columns and names what is made of them.
    pub fn new(
        data: &Dataset,
        build: impl FnOnce(&Inputs) -> Result<Vec<(String, Output)>>,
    ) -> Result<GraphMap> {
        let graph = Graph::new();
        let columns = schema_of(data)?.fields.into_iter().map(|field| {
            let sizes: Vec<i64> =
                field.shape.iter().map(|size| size.map_or(-1, |size| size as i64)).collect();
            let shape = PartialShape::from_i64(&sizes)?;
            let value = graph.placeholder(&legal_name(&field.name), field.dtype, shape)?;
            Ok((field.name, value))
        });
        let columns = columns.collect::<Result<Vec<_>>>()?;
        let inputs = Inputs::new(&graph, Mode::Evaluate, columns);
        let results = build(&inputs)?;
        if results.is_empty() {
            return Err(Status::invalid_argument(
                "a map must make at least one value of an element, but was given none",
            ));
        }
        let field = |(name, value): &(String, Output)| {
            let shape = value.shape();
            let dims = shape.dims()?;
            Some(Field { name: name.clone(), dtype: value.dtype(), shape: dims.to_vec() })
        };
        // Without a rank there is nothing to say of shapes; who needs to know reads an element.
        let fields = results.iter().map(field).collect::<Option<Vec<_>>>().unwrap_or_default();
        let session = Session::local(&graph)?;
        let places: Vec<&Output> = inputs.outputs().collect();
        let fetches: Vec<&dyn Fetch> = results.iter().map(|(_, v)| v as &dyn Fetch).collect();
        Ok(GraphMap {
            step: session.prepare(&places, &fetches)?,
            inputs: inputs.names().map(str::to_string).collect(),
            results: Names::new(results.iter().map(|(name, _)| name)),
            schema: Schema { fields },
        })
    }
}

impl MapFunction for GraphMap {
    fn call(&self, element: Element) -> Result<Element> {
        let feeds = self.inputs.iter().map(|name| element.get(name).cloned());
        let made = self.step.run(feeds.collect::<Result<_>>()?)?;
        Element::from_parts(self.results.clone(), made)
    }

    fn name(&self) -> String {
        "map by a graph".to_string()
    }

    fn schema(&self, _: Option<Schema>) -> Option<Schema> {
        (!self.schema.fields.is_empty()).then(|| self.schema.clone())
    }
}

/// Names, types and shapes of elements, from the description or from the first of them.
fn schema_of(data: &Dataset) -> Result<Schema> {
    if let Some(schema) = data.schema() {
        return Ok(schema);
    }
    let first = first_element(data, "mapped")?;
    let columns = first.names().iter().zip(first.tensors());
    let field = |(name, tensor): (&str, &downpour_tensor::Tensor)| Field {
        name: name.to_string(),
        dtype: tensor.dtype(),
        // Other elements may have other sizes.
        shape: vec![None; tensor.rank()],
    };
    Ok(Schema { fields: columns.map(field).collect() })
}

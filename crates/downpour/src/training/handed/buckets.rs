//! Gradients that workers average between them travel in buckets: small ones together, in the order in which the
//! backward pass makes them, which is the order in which differentiation has made their nodes. All workers build the
//! same graph, so all have the same buckets.

use downpour_collectives::plan_buckets;
use downpour_tensor::{Result, Status};

use super::numbers;
use crate::gradients::Gradient;
use crate::node_builder::NodeBuilder;
use crate::training::all_reduce::Load;
use crate::variable::Variable;

/// Small gradients travel together, up to so many bytes; and there are some buckets even of a small model, but none
/// so small that it would take longer to begin than to carry.
const LARGEST: usize = 4 << 20;
const SMALLEST: usize = 256 << 10;
const BUCKETS: usize = 4;

/// Which gradients travel together, by their places among all.
#[derive(Default)]
pub(super) struct Buckets(Vec<Vec<usize>>);

impl Buckets {
    /// Rows have a bucket of their own each.
    pub fn plan(gradients: &[(Variable, Gradient)]) -> Buckets {
        let made = |gradient: &Gradient| numbers(gradient).map(|value| value.endpoint().node).max();
        let mut order: Vec<usize> = (0..gradients.len()).collect();
        order.sort_by_key(|&index| (made(&gradients[index].1), index));
        let (mut dense, mut rows) = (Vec::new(), Vec::new());
        for (place, &index) in order.iter().enumerate() {
            let (variable, gradient) = &gradients[index];
            let size = (variable.dtype(), variable.shape().elements() * variable.dtype().size());
            match gradient {
                Gradient::Dense(_) => dense.push((place, size)),
                Gradient::Sparse(_) => rows.push((place, vec![index])),
            }
        }
        let sizes: Vec<_> = dense.iter().map(|(_, size)| *size).collect();
        let all: usize = sizes.iter().map(|(_, bytes)| bytes).sum();
        let target = (all / BUCKETS).clamp(SMALLEST, LARGEST);
        let mut buckets = rows;
        for bucket in plan_buckets(&sizes, target) {
            let places: Vec<usize> = bucket.members.iter().map(|&member| dense[member].0).collect();
            // It can leave when the last of it is made.
            let last = places.iter().copied().max().unwrap_or(0);
            buckets.push((last, places.into_iter().map(|place| order[place]).collect()));
        }
        buckets.sort();
        Buckets(buckets.into_iter().map(|(_, bucket)| bucket).collect())
    }

    /// Lets every bucket's gradients be what the exchange makes of them.
    pub fn exchange(&self, gradients: &mut [(Variable, Gradient)]) -> Result<()> {
        for (number, bucket) in self.0.iter().enumerate() {
            let mut inputs = Vec::new();
            for &index in bucket {
                inputs.extend(numbers(&gradients[index].1).cloned());
            }
            let types = inputs.iter().map(|value| value.dtype().into()).collect();
            let node = NodeBuilder::new("_ExchangeGradients").list(&inputs);
            let node = node.attr("T", crate::AttrValue::List(types)).attr("bucket", number as i64);
            let mut outputs = node.outputs()?.into_iter();
            let mut next = || {
                let output = outputs.next();
                output.ok_or_else(|| Status::internal("an exchange that loses gradients"))
            };
            for &index in bucket {
                match &mut gradients[index].1 {
                    Gradient::Dense(values) => *values = next()?,
                    Gradient::Sparse(slices) => {
                        (slices.indices, slices.values) = (next()?, next()?);
                    }
                }
            }
        }
        Ok(())
    }

    /// What is in them.
    pub fn loads(&self, gradients: &[(Variable, Gradient)]) -> Vec<Load> {
        let load = |bucket: &Vec<usize>| match &bucket[..] {
            [index] if matches!(gradients[*index].1, Gradient::Sparse(_)) => Load::Rows,
            bucket => {
                let name = |index: &usize| gradients[*index].0.name().to_string();
                Load::Dense(bucket.iter().map(name).collect())
            }
        };
        self.0.iter().map(load).collect()
    }
}

#[cfg(test)]
mod tests {
    use downpour_tensor::DataType;

    use super::*;
    use crate::graph::Graph;
    use crate::output::Output;
    use crate::{gradients, initializers};

    #[test]
    fn what_is_made_first_travels_first_and_small_things_together() -> Result<()> {
        let graph = Graph::new();
        let variable = |name: &str, shape: [usize; 2]| {
            graph.variable(name, shape, DataType::Float, initializers::zeros())
        };
        let table = variable("table", [100, 300])?;
        let large = variable("large", [300, 300])?;
        let small = variable("small", [300, 20])?;
        let last = variable("last", [20, 1])?;
        let ids = graph.placeholder("ids", DataType::Int32, [None])?;
        let mut x = table.gather(&ids)?;
        for layer in [&large, &small, &last] {
            x = x.matmul(&layer.value())?;
        }
        let all = [table, large, small, last];
        let handles: Vec<Output> = all.iter().map(Variable::handle).collect();
        let found = gradients(&[&x.mean_all()?], &handles.iter().collect::<Vec<_>>())?;
        let found: Vec<_> = all.into_iter().zip(found.into_iter().flatten()).collect();
        let names: Vec<Vec<&str>> = Buckets::plan(&found)
            .0
            .iter()
            .map(|bucket| bucket.iter().map(|&index| found[index].0.name()).collect())
            .collect();
        assert_eq!(names, [vec!["last", "small"], vec!["large"], vec!["table"]]);
        Ok(())
    }
}

//! What stages hold and in which order they work, seen in the graph.

use std::sync::Arc;

use downpour_graph::NodeId;
use downpour_tensor::{DataType, Result, Shape};

use super::*;
use crate::layers::Dense;
use crate::models::Mlp;
use crate::optimizer::Optimizer;
use crate::training::{Inputs, Mode};

fn parts(cut: Cut, stages: usize, micro_batches: usize) -> Parts {
    let tasks: Vec<String> = (0..stages).map(|task| format!("/job:ps/task:{task}")).collect();
    Parts {
        cut,
        stages,
        micro_batches,
        schedule: Some(PipelineSchedule::OneForwardOneBackward),
        compute: tasks.clone(),
        variables: tasks,
    }
}

fn balanced(stages: usize) -> Cut {
    Cut::Balanced { stages, measured: None }
}

struct Made {
    graph: Graph,
    pipeline: Pipeline,
    gradients: Vec<Option<Gradient>>,
}

fn make(model: &dyn Model, parts: &Parts) -> Result<Made> {
    let graph = Graph::new();
    let image = graph.placeholder("image", DataType::Float, [None, Some(28), Some(28)])?;
    let label = graph.placeholder("label", DataType::Int64, [None])?;
    let names = ["image".to_string(), "label".to_string()];
    let columns = [image, label];
    let values = names.iter().cloned().zip(columns.iter().cloned()).collect();
    let first = graph.len();
    let mut built = model.build(&Inputs::new(&graph, Mode::Train, values))?;
    let whole = BuiltNodes { nodes: first..graph.len(), scope: String::new() };
    let mut pipeline =
        Pipeline::build(&graph, parts, model, whole, (&names, &columns), &mut built)?;
    let handles: Vec<Output> = graph.trainable_variables().iter().map(|v| v.handle()).collect();
    let gradients =
        pipeline.gradients(&handles.iter().collect::<Vec<_>>(), &|loss| Ok(loss.clone()))?;
    Ok(Made { graph, pipeline, gradients })
}

fn places(graph: &Graph) -> Vec<(String, String)> {
    let all = graph.variables();
    all.iter().map(|v| (v.name().to_string(), v.device().replace("/job:ps/task:", ""))).collect()
}

#[test]
fn layers_stay_whole_and_stages_take_equally_long() -> Result<()> {
    // 784 x 64 is as much work as all that follows.
    let model = Mlp { hidden: vec![64, 256, 128], ..Mlp::default() };
    let made = make(&model, &parts(balanced(2), 2, 1))?;
    let expected = [("dense", "0"), ("dense_1", "1"), ("dense_2", "1"), ("logits", "1")];
    for (name, place) in places(&made.graph) {
        let (_, stage) = expected.iter().find(|(s, _)| name.starts_with(&format!("{s}/"))).unwrap();
        assert_eq!(place, *stage, "{name}");
    }
    let four = make(&model, &parts(balanced(4), 4, 1))?;
    let places: Vec<String> = places(&four.graph).into_iter().map(|(_, place)| place).collect();
    assert_eq!(places, ["0", "0", "1", "1", "2", "2", "3", "3"]);
    Ok(())
}

#[test]
fn what_was_measured_counts_more_than_estimates() -> Result<()> {
    let model = Mlp { hidden: vec![64, 256, 128], ..Mlp::default() };
    let measured = vec![
        ("train/dense/MatMul".to_string(), 0.1),
        ("train/dense_1/MatMul".to_string(), 0.1),
        ("update/gradients/train/dense_1/MatMul_grad/MatMul".to_string(), 0.1),
        ("train/logits/MatMul".to_string(), 0.5),
    ];
    let cut = Cut::Balanced { stages: 2, measured: Some(Arc::new(measured)) };
    let made = make(&model, &parts(cut, 2, 1))?;
    let places: Vec<String> = places(&made.graph).into_iter().map(|(_, place)| place).collect();
    assert_eq!(places, ["0", "0", "0", "0", "0", "0", "1", "1"]);
    let other = vec![("train/elsewhere/MatMul".to_string(), 1.0)];
    let cut = Cut::Balanced { stages: 2, measured: Some(Arc::new(other)) };
    let refused = make(&model, &parts(cut, 2, 1)).err().expect("nothing fits");
    assert!(refused.message().contains("of no node of the model"), "{refused}");
    Ok(())
}

#[test]
fn gradients_and_what_optimizers_keep_are_where_their_variables_are() -> Result<()> {
    let made = make(&Mlp::default(), &parts(balanced(3), 3, 2))?;
    let variables = made.graph.trainable_variables();
    let found: Vec<_> = made.gradients.into_iter().zip(variables.clone()).collect();
    for (gradient, variable) in &found {
        let gradient = gradient.as_ref().unwrap().values();
        assert_eq!(gradient.op().device(), variable.device(), "{}", variable.name());
    }
    let adam = Optimizer::adam(0.1);
    adam.apply_gradients(&found, None)?;
    for variable in &variables {
        for slot in adam.slots(variable) {
            assert_eq!(slot.device(), variable.device(), "{}", slot.name());
        }
    }
    Ok(())
}

/// Everything that must have run before some nodes.
fn before(graph: &Graph, mut open: Vec<NodeId>) -> Vec<bool> {
    let state = graph.lock();
    let mut seen = vec![false; state.nodes.len()];
    while let Some(id) = open.pop() {
        let node = state.nodes.node(id);
        for source in node.inputs.iter().map(|end| end.node).chain(node.controls.iter().copied()) {
            if !std::mem::replace(&mut seen[source.index()], true) {
                open.push(source);
            }
        }
    }
    seen
}

#[test]
fn stages_work_in_the_order_of_their_schedule() -> Result<()> {
    let (stages, micro_batches) = (3, 5);
    let made = make(&Mlp::default(), &parts(balanced(stages), stages, micro_batches))?;
    // The products of matrices are the work; nobody asks for that of the first layer's input.
    let values = made.gradients.iter().flatten().map(|gradient| gradient.values());
    let needed = before(&made.graph, values.map(|value| value.endpoint().node).collect());
    let mut products: Work = Work::new();
    let state = made.graph.lock();
    for (id, node) in state.nodes.nodes().filter(|(_, node)| node.op_name() == "MatMul") {
        let stage: usize = node.device.strip_prefix("/job:ps/task:").unwrap().parse().unwrap();
        let (action, name): (fn(usize) -> Action, &str) = match node.name.split_once('/') {
            Some((scope, _)) if scope.starts_with("backward_") => (Action::Backward, scope),
            Some((scope, _)) => (Action::Forward, scope),
            None => panic!("{}", node.name),
        };
        let Some(part) = name.rsplit_once('_').and_then(|(_, part)| part.parse().ok()) else {
            continue;
        };
        if needed[id.index()] {
            products.entry((stage, action(part))).or_default().push(id);
        }
    }
    drop(state);
    for (stage, actions) in
        schedule(made.pipeline.parts.schedule.unwrap(), stages, micro_batches).iter().enumerate()
    {
        for pair in actions.windows(2) {
            for next in &products[&(stage, pair[1])] {
                let before = before(&made.graph, vec![*next]);
                for earlier in &products[&(stage, pair[0])] {
                    assert!(before[earlier.index()], "stage {stage}: {pair:?}");
                }
            }
        }
    }
    Ok(())
}

#[test]
fn what_hangs_on_no_variable_goes_where_it_is_taken() -> Result<()> {
    let model = |inputs: &Inputs| {
        let x = inputs.get("image")?.reshape(&[-1, 784])?;
        let labels = inputs.get("label")?.cast(DataType::Float)?;
        let y = Dense::new(1).name("b").build(&Dense::new(4).name("a").build(&x)?)?;
        Ok(Built::new((y.squeeze(&[1])? - labels)?.square()?.mean_all()?))
    };
    let cut = Cut::Scopes(vec![("b".to_string(), 1)]);
    let made = make(&model, &parts(cut, 2, 1))?;
    assert_eq!(made.graph.operation("Cast")?.device(), "/job:ps/task:1");
    assert_eq!(made.graph.operation("Reshape")?.device(), "/job:ps/task:0");
    let kernel = made.graph.variables()[0].clone();
    assert_eq!((kernel.name(), kernel.device().as_str()), ("a/kernel", "/job:ps/task:0"));
    assert_eq!(*kernel.shape(), Shape::from([784, 4]));
    Ok(())
}

//! Ready-made models: what they are made of, how they are described, and that they learn.

use downpour::{
    DataType, Gradient, Graph, Inputs, Metric, Mode, Model, Operation, Output, Result, Session,
    Tensor, gradients, models,
};

/// Placeholders for images and labels.
fn columns(graph: &Graph, image: DataType) -> Result<Vec<(String, Output)>> {
    let image = graph.placeholder("image", image, [None, Some(28), Some(28)])?;
    let label = graph.placeholder("label", DataType::UInt8, [None])?;
    Ok(vec![("image".to_string(), image), ("label".to_string(), label)])
}

/// One step of plain gradient descent, with the model's own updates.
fn descend(graph: &Graph, loss: &Output, rate: f64) -> Result<Operation> {
    let variables = graph.trainable_variables();
    let handles: Vec<Output> = variables.iter().map(|v| v.handle()).collect();
    let mut all = graph.updates();
    for (gradient, variable) in
        gradients(&[loss], &handles.iter().collect::<Vec<_>>())?.iter().zip(&variables)
    {
        let gradient = gradient.as_ref().map(Gradient::to_dense).transpose()?;
        let gradient = gradient.unwrap_or_else(|| panic!("no gradient of {variable:?}"));
        all.push(variable.assign_sub(&(gradient * rate)?)?);
    }
    graph.group("train", &all)
}

/// Pictures of bars whose place says their class.
fn bars(count: usize) -> Result<(Tensor, Tensor)> {
    let mut pixels = vec![0u8; count * 28 * 28];
    let labels: Vec<u8> = (0..count).map(|i| (i * 7 % 10) as u8).collect();
    for (picture, label) in pixels.chunks_mut(28 * 28).zip(&labels) {
        for row in 0..28 {
            let start = row * 28 + 2 * usize::from(*label) + 4;
            picture[start..start + 2].fill(255);
        }
    }
    Ok((Tensor::from_vec([count, 28, 28], pixels)?, Tensor::from_vec([count], labels)?))
}

fn learns(model: &dyn Model, rate: f64, steps: usize) -> Result<()> {
    let graph = Graph::new();
    graph.set_seed(1);
    let train = {
        let _scope = graph.name_scope("train")?;
        Inputs::new(&graph, Mode::Train, columns(&graph, DataType::UInt8)?)
    };
    let built = model.build(&train)?;
    let step = descend(&graph, built.loss(), rate)?;
    let variables = graph.variables().len();
    let evaluate = Inputs::new(&graph, Mode::Evaluate, columns(&graph, DataType::UInt8)?);
    let evaluated = {
        let _reuse = graph.reuse_variables();
        model.build(&evaluate)?
    };
    assert_eq!(graph.variables().len(), variables, "evaluation has the same variables");
    for name in ["logits", "probabilities"] {
        assert_eq!(evaluated.get_output(name)?.shape().to_string(), "[?,10]");
    }
    assert_eq!(evaluated.get_output("classes")?.shape().to_string(), "[?]");
    let Some((_, Metric::Mean(hits))) = evaluated.metrics().first() else { panic!("accuracy") };

    let session = Session::local(&graph)?;
    session.run(&[], &[&graph.initialize_variables()?])?;
    let (images, labels) = bars(20)?;
    let feed = |inputs: &Inputs| {
        let places: Vec<Output> = inputs.outputs().cloned().collect();
        vec![(places[0].clone(), images.clone()), (places[1].clone(), labels.clone())]
    };
    let trained = feed(&train);
    let trained: Vec<(&Output, Tensor)> = trained.iter().map(|(o, t)| (o, t.clone())).collect();
    let tested = feed(&evaluate);
    let tested: Vec<(&Output, Tensor)> = tested.iter().map(|(o, t)| (o, t.clone())).collect();
    for _ in 0..steps {
        session.run(&trained, &[&step])?;
    }
    let right = session.fetch(&tested, hits)?;
    assert_eq!(right.as_slice::<f32>()?, vec![1.0; 20], "every example is learned");
    Ok(())
}

#[test]
fn a_perceptron_learns() -> Result<()> {
    learns(&models::Mlp { hidden: vec![16], dropout: 0.1, l2: 1e-5, ..Default::default() }, 0.5, 60)
}

#[test]
fn a_convolutional_network_learns() -> Result<()> {
    let model =
        models::Cnn { filters: vec![4], dense: vec![16], dropout: 0.0, ..Default::default() };
    learns(&model, 0.2, 60)
}

#[test]
fn what_does_not_fit_is_refused_where_it_is_built() -> Result<()> {
    let graph = Graph::new();
    let build = |model: &dyn Model, image| {
        let inputs = Inputs::new(&graph, Mode::Train, columns(&graph, image)?);
        model.build(&inputs).map(drop)
    };
    let refused = |model: &dyn Model, image| build(model, image).unwrap_err().message().to_string();
    let text = refused(&models::Mlp::default(), DataType::String);
    assert!(text.contains("is string"), "{text}");
    let text =
        refused(&models::Mlp { label: "target".into(), ..Default::default() }, DataType::Float);
    assert!(text.contains("'target', but the data has image, label"), "{text}");
    let text = refused(&models::Mlp { hidden: vec![0], ..Default::default() }, DataType::Float);
    assert!(text.contains("hidden has a size of 0"), "{text}");
    let text = refused(&models::Cnn { dropout: 1.0, ..Default::default() }, DataType::Float);
    assert!(text.contains("a rate of 1"), "{text}");
    Ok(())
}

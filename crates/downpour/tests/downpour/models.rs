//! Ready-made models: what they are made of, how they are described, and that they learn.

use downpour::{
    DataType, Gradient, Graph, Inputs, Metric, Mode, Model, Operation, Output, Result, Session,
    Tensor, gradients, models, tensor,
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

/// Pictures of stripes whose direction and width say their class.
fn stripes(count: usize) -> Result<(Tensor, Tensor)> {
    let mut pixels = vec![0u8; count * 28 * 28];
    let labels: Vec<u8> = (0..count).map(|i| (i * 7 % 10) as u8).collect();
    for (picture, &label) in pixels.chunks_mut(28 * 28).zip(&labels) {
        let period = 2 + usize::from(label % 5);
        for (place, pixel) in picture.iter_mut().enumerate() {
            let along = if label < 5 { place % 28 } else { place / 28 };
            *pixel = if along.is_multiple_of(period) { 255 } else { 0 };
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
    let (images, labels) = stripes(20)?;
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
    learns(
        &models::Mlp { hidden: vec![16], dropout: 0.1, l2: 1e-5, ..Default::default() },
        0.1,
        150,
    )
}

#[test]
fn a_convolutional_network_learns() -> Result<()> {
    let model =
        models::Cnn { filters: vec![4], dense: vec![16], dropout: 0.0, ..Default::default() };
    learns(&model, 0.2, 60)
}

#[test]
fn a_residual_network_learns() -> Result<()> {
    let model = models::ResNet {
        filters: vec![8, 8],
        blocks: vec![1, 1],
        momentum: 0.5,
        ..Default::default()
    };
    learns(&model, 0.3, 120)
}

#[test]
fn a_recurrent_network_learns() -> Result<()> {
    learns(&models::Lstm { cells: 16, layers: 2, ..Default::default() }, 1.0, 150)
}

/// A table in which being young or having a doctorate, but not both, is the positive class.
pub(super) fn table(count: usize) -> Result<Vec<Tensor>> {
    let age = |i: usize| if i.is_multiple_of(2) { 20 + i % 5 } else { 50 + i % 7 };
    let doctor = |i: usize| i.is_multiple_of(3);
    let ages: Vec<i64> = (0..count).map(|i| age(i) as i64).collect();
    let titles: Vec<String> =
        (0..count).map(|i| if doctor(i) { "Doctorate" } else { "HS-grad" }.to_string()).collect();
    let incomes: Vec<String> = (0..count)
        .map(|i| if (age(i) < 30) != doctor(i) { ">50K" } else { "<=50K" }.to_string())
        .collect();
    let gains = vec![0.0f32; count];
    Ok(vec![tensor(ages)?, tensor(titles)?, tensor(gains)?, tensor(incomes)?])
}

pub(super) fn census(graph: &Graph) -> Result<Vec<(String, Output)>> {
    let column = |(name, dtype): (&str, DataType)| {
        Ok((name.to_string(), graph.placeholder(name, dtype, [None])?))
    };
    let text = DataType::String;
    let columns = [("age", DataType::Int64), ("the title", text), ("gain", DataType::Float)];
    let columns = columns.into_iter().chain([("income", text)]);
    columns
        .map(|(name, dtype)| {
            column((&name.replace(' ', "_"), dtype)).map(|c| (name.to_string(), c.1))
        })
        .collect()
}

pub(super) fn wide_and_deep() -> models::WideAndDeep {
    let age = models::Numeric { boundaries: vec![30.0], ..Default::default() };
    let gain = models::Numeric { log: true, deviation: Some(2.0), ..Default::default() };
    let known = vec!["Doctorate".to_string(), "HS-grad".to_string()];
    let title = models::Categorical { vocabulary: known, embedding: 2, ..Default::default() };
    models::WideAndDeep {
        label: "income".into(),
        positive: Some(">50K".into()),
        numeric: [("age".into(), age), ("gain".into(), gain)].into(),
        categorical: [("the title".into(), title)].into(),
        crossed: vec![models::Crossed {
            columns: vec!["age".into(), "the title".into()],
            buckets: 50,
        }],
        hidden: vec![8],
        ..Default::default()
    }
}

#[test]
fn wide_and_deep_learns_what_only_columns_together_say() -> Result<()> {
    let graph = Graph::new();
    graph.set_seed(3);
    let inputs = Inputs::new(&graph, Mode::Train, census(&graph)?);
    let built = wide_and_deep().build(&inputs)?;
    let names: Vec<String> = graph.variables().iter().map(|v| v.name().to_string()).collect();
    assert_eq!(names[..2], ["wide/weights", "wide/bias"]);
    assert!(names[2..].iter().all(|name| name.starts_with("deep/")), "{names:?}");
    assert!(names.contains(&"deep/the_title/embeddings".to_string()), "{names:?}");
    assert_eq!(graph.variables()[0].shape().dims(), &[2 + 3 + 50]);
    let step = descend(&graph, built.loss(), 0.5)?;
    let evaluated = {
        let _reuse = graph.reuse_variables();
        let inputs = Inputs::new(&graph, Mode::Evaluate, inputs.columns().to_vec());
        wide_and_deep().build(&inputs)?
    };
    let session = Session::local(&graph)?;
    session.run(&[], &[&graph.initialize_variables()?])?;
    let places: Vec<Output> = inputs.outputs().cloned().collect();
    let feeds: Vec<(&Output, Tensor)> = places.iter().zip(table(60)?).collect();
    for _ in 0..60 {
        session.run(&feeds, &[&step])?;
    }
    let Some((_, Metric::Mean(hits))) = evaluated.metrics().get(1) else { panic!("accuracy") };
    assert_eq!(session.fetch(&feeds, hits)?.as_slice::<f32>()?, vec![1.0; 60]);
    Ok(())
}

#[test]
fn a_column_of_ids_nobody_knows_in_advance() -> Result<()> {
    let graph = Graph::new();
    let inputs = Inputs::new(&graph, Mode::Train, census(&graph)?);
    let open =
        models::Categorical { capacity: 20, admit_after: 2, embedding: 3, ..Default::default() };
    let model = models::WideAndDeep {
        numeric: Default::default(),
        categorical: [("the title".to_string(), open)].into(),
        crossed: Vec::new(),
        ..wide_and_deep()
    };
    let built = model.build(&inputs)?;
    let names: Vec<String> = graph.variables().iter().map(|v| v.name().to_string()).collect();
    for expected in ["wide/bias", "wide/the_title/ids", "deep/the_title/embeddings"] {
        assert!(names.iter().any(|name| name == expected), "{names:?}");
    }
    let step = descend(&graph, built.loss(), 0.5)?;
    let session = Session::local(&graph)?;
    session.run(&[], &[&graph.initialize_variables()?])?;
    let places: Vec<Output> = inputs.outputs().cloned().collect();
    let feeds: Vec<(&Output, Tensor)> = places.iter().zip(table(60)?).collect();
    let before = session.fetch(&feeds, built.loss())?.to_scalar::<f32>()?;
    for _ in 0..40 {
        session.run(&feeds, &[&step])?;
    }
    assert!(session.fetch(&feeds, built.loss())?.to_scalar::<f32>()? < before);

    let refused = |column: models::Categorical| {
        let _own = graph.variable_scope(&format!("attempt_{}", graph.len()));
        let categorical = [("the title".to_string(), column)].into();
        let model = models::WideAndDeep { categorical, ..model.clone() };
        model.build(&inputs).map(drop).unwrap_err().message().to_string()
    };
    let text = refused(models::Categorical { admit_after: 3, ..Default::default() });
    assert!(text.contains("the title") && text.contains("`capacity`"), "{text}");
    let vocabulary = vec!["a".to_string()];
    let text = refused(models::Categorical { capacity: 3, vocabulary, ..Default::default() });
    assert!(text.contains("not both"), "{text}");
    Ok(())
}

#[test]
fn one_kind_of_columns_is_enough() -> Result<()> {
    let graph = Graph::new();
    let inputs = Inputs::new(&graph, Mode::Train, census(&graph)?);
    let gain = models::Numeric { mean: Some(1.0), ..Default::default() };
    let numeric = [("gain".to_string(), gain)].into();
    let (categorical, crossed) = (Default::default(), Vec::new());
    models::WideAndDeep { numeric, categorical, crossed, ..wide_and_deep() }.build(&inputs)?;
    assert_eq!(graph.variables()[0].name(), "deep/dense/kernel");
    Ok(())
}

#[test]
fn columns_that_do_not_fit_are_named() -> Result<()> {
    let graph = Graph::new();
    let inputs = Inputs::new(&graph, Mode::Train, census(&graph)?);
    let refused = |change: fn(&mut models::WideAndDeep)| {
        let mut model = wide_and_deep();
        change(&mut model);
        let _own = graph.variable_scope(&format!("attempt_{}", graph.len()));
        model.build(&inputs).map(drop).unwrap_err().message().to_string()
    };
    let text = refused(|model| model.positive = None);
    assert!(text.contains("'income' are text: say in `positive`"), "{text}");
    let text = refused(|model| {
        model.categorical.insert("gain".into(), models::Categorical::default());
    });
    assert!(text.contains("gain") && text.contains("is float"), "{text}");
    let text = refused(|model| {
        model.crossed.clear();
        model.numeric.insert("the title".into(), models::Numeric::default());
    });
    assert!(text.contains("the title") && text.contains("not a number"), "{text}");
    let text = refused(|model| model.crossed[0].columns.push("gain".into()));
    assert!(text.contains("'gain' is to be crossed and needs boundaries"), "{text}");
    let text = refused(|model| {
        *model = models::WideAndDeep { label: "gain".into(), ..Default::default() }
    });
    assert!(text.contains("no columns to learn from"), "{text}");
    Ok(())
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

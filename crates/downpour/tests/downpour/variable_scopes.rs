//! Variable scopes and reuse: the same code over the same variables.

use downpour::{DataType, Graph, Result, Variable, initializers as init, layers::Dense};

fn names(graph: &Graph) -> Vec<String> {
    graph.variables().iter().map(|v| v.name().to_string()).collect()
}

#[test]
fn names_of_variables_do_not_depend_on_name_scopes() -> Result<()> {
    let graph = Graph::new();
    graph.placeholder("a", DataType::Float, ())?;
    let w = {
        let _name = graph.name_scope("train")?;
        let _outer = graph.variable_scope("a")?;
        let _name = graph.name_scope("inner")?;
        let _inner = graph.variable_scope("b")?;
        assert_eq!(graph.current_variable_scope(), "a/b");
        assert_eq!(graph.current_scope(), "train/a/inner/b");
        graph.variable("w", [1], DataType::Float, init::zeros())?
    };
    assert_eq!(w.name(), "a/b/w");
    assert_eq!(w.handle().op().name(), "a/b/w");
    let top = {
        let _scope = graph.variable_scope("c")?;
        let _top = graph.absolute_scope("")?;
        graph.variable("w", [1], DataType::Float, init::zeros())?
    };
    assert_eq!(top.name(), "w");
    // Outside of variable scopes names are numbered, whatever nodes are called.
    let numbered = graph.variable("w", [1], DataType::Float, init::zeros())?;
    assert_eq!(numbered.name(), "w_1");
    let like_a_node = graph.variable("a", [1], DataType::Float, init::zeros())?;
    assert_eq!(like_a_node.name(), "a");
    assert_eq!(like_a_node.handle().op().name(), "a_1");
    Ok(())
}

#[test]
fn reuse_finds_variables_and_refuses_what_differs() -> Result<()> {
    let graph = Graph::new();
    let ask = |name: &str, shape: [usize; 1], dtype| -> Result<Variable> {
        let _scope = graph.variable_scope("layer")?;
        graph.variable(name, shape, dtype, init::zeros())
    };
    let w = ask("w", [2], DataType::Float)?;
    let taken = ask("w", [2], DataType::Float).unwrap_err();
    assert!(taken.message().contains("'layer/w' already"), "{taken}");
    let step = {
        let _reuse = graph.reuse_variables();
        assert_eq!(ask("w", [2], DataType::Float)?, w);
        let missing = ask("v", [2], DataType::Float).unwrap_err();
        assert!(missing.message().contains("no 'layer/v'"), "{missing}");
        let differs = ask("w", [3], DataType::Float).unwrap_err();
        assert!(differs.message().contains("[2], and is asked for again as float of shape [3]"));
        assert!(ask("w", [2], DataType::Double).is_err());
        // The counter and what stands beside a variable are made even so.
        let slot = graph.variable_builder("slot", [2], DataType::Float, init::zeros());
        assert_eq!(slot.beside(&w).build()?.name(), "slot");
        graph.global_step()?
    };
    assert_eq!(graph.global_step()?, step);
    assert_eq!(ask("v", [2], DataType::Float)?.name(), "layer/v");
    Ok(())
}

#[test]
fn layers_without_names_find_their_variables_again() -> Result<()> {
    let graph = Graph::new();
    let x = graph.placeholder("x", DataType::Float, [None, Some(3)])?;
    let model = || -> Result<()> {
        let y = Dense::new(3).build(&x)?;
        let _tower = graph.variable_scope("tower")?;
        let y = Dense::new(3).no_bias().build(&y)?;
        let y = Dense::new(3).no_bias().build(&y)?;
        Dense::new(2).no_bias().name("last").build(&y)?;
        // Twice the same name outside of a layer.
        let _top = graph.absolute_scope("")?;
        graph.variable("scale", [1], DataType::Float, init::zeros())?;
        graph.variable("scale", [1], DataType::Float, init::zeros())?;
        Ok(())
    };
    model()?;
    let expected = [
        "dense/kernel",
        "dense/bias",
        "tower/dense/kernel",
        "tower/dense_1/kernel",
        "tower/last/kernel",
        "scale",
        "scale_1",
    ];
    assert_eq!(names(&graph), expected);
    for _ in 0..2 {
        let _reuse = graph.reuse_variables();
        model()?;
        assert_eq!(names(&graph), expected);
    }
    // Numbering goes on where it was.
    Dense::new(1).no_bias().build(&x)?;
    assert_eq!(names(&graph).last().map(String::as_str), Some("dense_1/kernel"));
    Ok(())
}

#[test]
fn a_tower_is_shared_within_a_model_that_is_built_twice() -> Result<()> {
    let graph = Graph::new();
    let x = graph.placeholder("x", DataType::Float, [None, Some(3)])?;
    let tower = || -> Result<()> {
        let _tower = graph.variable_scope("tower")?;
        Dense::new(3).build(&Dense::new(3).build(&x)?).map(drop)
    };
    let model = || -> Result<()> {
        tower()?;
        let _same = graph.reuse_variables();
        tower()
    };
    model()?;
    assert_eq!(names(&graph).len(), 4);
    let _evaluation = graph.reuse_variables();
    model()?;
    assert_eq!(names(&graph).len(), 4);
    Ok(())
}

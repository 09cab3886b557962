//! Datasets mapped by operations.

use downpour::data::{Dataset, Element, Parallel, Remainder};
use downpour::{Code, DataType, GraphMap, Inputs, Result, Tensor};

fn squared(inputs: &Inputs) -> Result<Vec<(String, downpour::Output)>> {
    let x = inputs.get("index")?.cast(DataType::Float)?;
    Ok(vec![("x".to_string(), x.clone()), ("squared".to_string(), x.square()?)])
}

fn numbers() -> Dataset {
    Dataset::range(100).map(|e: Element| Ok(Element::named([("index", e[0].clone())])))
}

#[test]
fn elements_go_through_the_graph_in_their_order_and_resume() -> Result<()> {
    let data = numbers().map_parallel(Parallel::new(3), GraphMap::new(&numbers(), squared)?);
    let mut iterator = data.iterate()?;
    for i in 0..40 {
        let element = iterator.next()?.unwrap();
        assert_eq!(element.get("squared")?.to_scalar::<f32>()?, (i * i) as f32);
    }
    let position = iterator.position();
    let next = data.iterate_from(&position)?.next()?.unwrap();
    assert_eq!(next.get("x")?.to_scalar::<f32>()?, 40.0);
    assert_eq!(data.batch(10, Remainder::Drop)?.iterate()?.next()?.unwrap()[1].dims(), [10]);
    Ok(())
}

#[test]
fn what_the_results_are_is_known_before_they_are() -> Result<()> {
    let pixels = Tensor::from_vec([2, 3], vec![1u8; 6])?;
    let data = Dataset::from_tensors([("pixels", pixels)])?;
    let sum = |inputs: &Inputs| {
        Ok(vec![("sum".to_string(), inputs.get("pixels")?.cast(DataType::Float)?.sum_all()?)])
    };
    let schema = data.map(GraphMap::new(&data, sum)?).schema().unwrap();
    let field = &schema.fields[0];
    assert_eq!((field.name.as_str(), field.dtype, field.shape.len()), ("sum", DataType::Float, 0));
    Ok(())
}

#[test]
fn mistakes_are_found_when_the_map_is_made() {
    let missing = GraphMap::new(&numbers(), |inputs: &Inputs| {
        Ok(vec![("y".to_string(), inputs.get("y")?.clone())])
    });
    assert!(missing.err().is_some_and(|e| e.message().contains("'y'")));
    let nothing = GraphMap::new(&numbers(), |_: &Inputs| Ok(Vec::new()));
    assert!(nothing.err().is_some_and(|e| e.code() == Code::InvalidArgument));
    let empty = GraphMap::new(&numbers().take(0), squared);
    assert!(empty.err().is_some_and(|e| e.message().contains("the mapped data is empty")));
}

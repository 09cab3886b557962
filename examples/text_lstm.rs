//! A recurrent network that learns a text letter by letter, and then writes.
//!
//!     cargo run --release --example text_lstm -- [STEPS]

use downpour::layers::{Dense, Embedding, LstmCell, Recurrent};
use downpour::{
    DataType, Graph, Optimizer, Output, Result, Session, Tensor, clip_by_global_norm, losses,
};

const TEXT: &str = "the rain falls on the sea, the sea goes up to the sky, the sky makes clouds of it, \
                    the clouds go over the land, and the rain falls on the land. ";
/// Letters that the network sees before it guesses the next.
const WINDOW: usize = 8;
const LETTERS: &[u8] = b" ,.abcdefghijklmnopqrstuvwxyz";

/// Letters [batch, window] to a number for every letter that may follow.
fn next_letter(letters: &Output) -> Result<Output> {
    let vectors = Embedding::new(LETTERS.len(), 16).build(letters)?;
    // The cell is applied to one letter after the other; what it remembers of them is its last output.
    let sequence = Recurrent::new(LstmCell::new(64)).build(&vectors)?;
    Dense::new(LETTERS.len()).name("logits").build(sequence.last())
}

fn main() -> Result<()> {
    let steps = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(400);
    let number = |letter: u8| LETTERS.iter().position(|known| *known == letter).unwrap_or(0) as i32;
    let text: Vec<i32> = TEXT.bytes().map(number).collect();

    let graph = Graph::new();
    graph.set_seed(1);
    let letters = graph.placeholder("letters", DataType::Int32, [None, Some(WINDOW)])?;
    let next = graph.placeholder("next", DataType::Int32, [None])?;
    let logits = next_letter(&letters)?;
    let loss = losses::sparse_softmax_cross_entropy(&next, &logits)?.mean()?;
    let likely = logits.argmax(-1)?;

    // `minimize` in two steps, so that gradients can be clipped between them.
    let optimizer = Optimizer::adam(0.01);
    let found = optimizer.compute_gradients(&loss, &graph.trainable_variables())?;
    let (gradients, variables): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    let (clipped, _norm) = clip_by_global_norm(&gradients, 5.0)?;
    let clipped: Vec<_> = clipped.into_iter().zip(variables).collect();
    let train = optimizer.apply_gradients(&clipped, None)?;

    let session = Session::local(&graph)?;
    session.run(&[], &[&graph.initialize_variables()?])?;
    let step = session.prepare(&[&letters, &next], &[&loss, &train])?;
    let windows: Vec<i32> = text.windows(WINDOW + 1).flat_map(|w| w[..WINDOW].to_vec()).collect();
    let windows = Tensor::from_vec([text.len() - WINDOW, WINDOW], windows)?;
    let following = Tensor::vector(&text[WINDOW..])?;
    let mut last = 0.0;
    for number in 1..=steps {
        last = step.run(vec![windows.clone(), following.clone()])?[0].to_scalar::<f32>()?;
        if number % 100 == 0 {
            println!("step {number}: loss {last:.3}");
        }
    }

    // Written by giving the network its own letters.
    let mut written = text[..WINDOW].to_vec();
    for _ in 0..60 {
        let seen = Tensor::from_slice([1, WINDOW], &written[written.len() - WINDOW..])?;
        let letter = session.fetch(&[(&letters, seen)], &likely)?.to_i64_vec()?;
        written.push(letter[0] as i32);
    }
    let written: String = written.iter().map(|n| LETTERS[*n as usize] as char).collect();
    println!("loss {last:.3}, and it writes: {written}");
    Ok(())
}

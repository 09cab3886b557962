//! Training through each codec reaches the loss of training without one.

use downpour_compress::{Compression, Compressor, decode};
use downpour_tensor::Tensor;

const EXAMPLES: usize = 512;
const INPUTS: usize = 32;
const CLASSES: usize = 8;
const STEPS: usize = 300;

struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
}

/// Inputs and the class that a hidden matrix, with some noise, gives them.
fn problem() -> (Vec<f32>, Vec<usize>) {
    let mut noise = Noise(3);
    let hidden: Vec<f32> = (0..INPUTS * CLASSES).map(|_| noise.next()).collect();
    let inputs: Vec<f32> = (0..EXAMPLES * INPUTS).map(|_| noise.next()).collect();
    let mut labels = Vec::with_capacity(EXAMPLES);
    for input in inputs.chunks(INPUTS) {
        let mut scores = [0f32; CLASSES];
        for (x, row) in input.iter().zip(hidden.chunks(CLASSES)) {
            scores.iter_mut().zip(row).for_each(|(s, w)| *s += x * w);
        }
        scores.iter_mut().for_each(|s| *s += 0.5 * noise.next());
        labels.push((0..CLASSES).max_by(|&a, &b| scores[a].total_cmp(&scores[b])).unwrap());
    }
    (inputs, labels)
}

/// Mean cross-entropy of softmax regression over some examples, and its gradient.
fn loss(weights: &[f32], inputs: &[f32], labels: &[usize]) -> (f32, Vec<f32>) {
    let mut total = 0.0;
    let mut gradient = vec![0f32; weights.len()];
    let share = 1.0 / labels.len() as f32;
    for (input, &label) in inputs.chunks(INPUTS).zip(labels) {
        let mut scores = [0f32; CLASSES];
        for (x, row) in input.iter().zip(weights.chunks(CLASSES)) {
            scores.iter_mut().zip(row).for_each(|(s, w)| *s += x * w);
        }
        let largest = scores.iter().copied().fold(f32::MIN, f32::max);
        let sum: f32 = scores.iter().map(|s| (s - largest).exp()).sum();
        total += (sum.ln() + largest - scores[label]) * share;
        for (x, row) in input.iter().zip(gradient.chunks_mut(CLASSES)) {
            for (class, g) in row.iter_mut().enumerate() {
                let probability = (scores[class] - largest).exp() / sum;
                *g += x * (probability - (class == label) as u8 as f32) * share;
            }
        }
    }
    (total, gradient)
}

/// Two workers with half of each batch each, whose gradients are averaged after decoding.
fn final_loss(setting: Compression) -> f32 {
    let (inputs, labels) = problem();
    let mut workers = [Compressor::new(setting, 1).unwrap(), Compressor::new(setting, 1).unwrap()];
    let mut weights = vec![0f32; INPUTS * CLASSES];
    const HALF: usize = 32;
    for step in 0..STEPS {
        let mut update = vec![0f32; weights.len()];
        for (w, worker) in workers.iter_mut().enumerate() {
            let from = (step * 2 + w) * HALF % EXAMPLES;
            let batch = &inputs[from * INPUTS..(from + HALF) * INPUTS];
            let (_, gradient) = loss(&weights, batch, &labels[from..from + HALF]);
            let gradient = Tensor::from_vec([INPUTS, CLASSES], gradient).unwrap();
            let received = decode(&worker.encode("w", &gradient).unwrap()).unwrap();
            let received = received.as_slice::<f32>().unwrap();
            update.iter_mut().zip(received).for_each(|(u, g)| *u += g / 2.0);
        }
        weights.iter_mut().zip(update).for_each(|(w, u)| *w -= 0.5 * u);
    }
    loss(&weights, &inputs, &labels).0
}

#[test]
fn every_codec_reaches_the_loss_of_none() {
    let reference = final_loss(Compression::None);
    assert!(reference < 0.7, "the problem is learned: {reference}");
    // Casts are as good as nothing; what has feedback is within one percent after the same number of steps.
    for (text, margin) in [
        ("bfloat16", 0.001),
        ("float16", 0.001),
        ("int8", 0.001),
        ("one-bit", 0.05),
        ("top-k:0.1", 0.05),
        ("top-k:1", 0.0),
        ("power-sgd:2", 0.05),
    ] {
        let reached = final_loss(text.parse().unwrap());
        let difference = (reached - reference) / reference;
        println!("{text}: {reached:.4}, {:+.2} % of {reference:.4}", difference * 100.0);
        assert!(difference.abs() <= margin, "{text}: {reached} against {reference}");
    }
}

#[test]
fn without_feedback_one_bit_would_not() {
    // The margins above mean something: the same signs and means without what was left out end elsewhere.
    let (inputs, labels) = problem();
    let mut weights = vec![0f32; INPUTS * CLASSES];
    for step in 0..STEPS {
        let from = step * 64 % EXAMPLES;
        let batch = &inputs[from * INPUTS..(from + 64) * INPUTS];
        let (_, gradient) = loss(&weights, batch, &labels[from..from + 64]);
        let gradient = Tensor::from_vec([INPUTS, CLASSES], gradient).unwrap();
        let mut forgetful = Compressor::new(Compression::OneBit, 1).unwrap();
        let received = decode(&forgetful.encode("w", &gradient).unwrap()).unwrap();
        let received = received.as_slice::<f32>().unwrap();
        weights.iter_mut().zip(received).for_each(|(w, g)| *w -= 0.5 * g);
    }
    let forgetful = loss(&weights, &inputs, &labels).0;
    let reference = final_loss(Compression::None);
    assert!(forgetful > 1.05 * reference, "{forgetful} against {reference}");
}

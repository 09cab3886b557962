//! The limit holds whatever is counted between what can be refused. A process of its own: the limit is the process's.

use downpour_tensor::{Charge, Tensor, set_memory_limit};

const LIMIT: usize = 1 << 20;

#[test]
fn scalars_that_fill_every_batch_do_not_keep_the_rest_from_being_refused() {
    set_memory_limit(LIMIT);
    for bytes in [8, 72, 100, 1000] {
        let mut held = Vec::new();
        // A scalar is never refused, but counts.
        while let Ok(charge) = Charge::new(bytes) {
            held.push((charge, [0; 4].map(|_| Tensor::scalar(1i32))));
            assert!(held.len() * bytes < 4 * LIMIT, "{} times {bytes} bytes are held", held.len());
        }
    }
}

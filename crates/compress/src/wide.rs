//! A loop compiled twice: for any processor, and for those with AVX2.
//!
//! Neither form contracts a product and a sum into one rounding, and sums are kept in a fixed number of lanes, so both
//! give the same bits: workers on unlike machines agree.

/// Defines a function whose body is compiled a second time with AVX2; which one runs is decided at each call.
macro_rules! wide {
    ($(#[$meta:meta])* $vis:vis fn $name:ident $(<$t:ident: $bound:path>)? (
        $($arg:ident: $ty:ty),* $(,)?
    ) $(-> $out:ty)? $body:block) => {
        $(#[$meta])*
        $vis fn $name $(<$t: $bound>)? ($($arg: $ty),*) $(-> $out)? {
            #[inline(always)]
            fn plain $(<$t: $bound>)? ($($arg: $ty),*) $(-> $out)? $body

            #[cfg(target_arch = "x86_64")]
            if $crate::wide::allowed() && std::is_x86_feature_detected!("avx2") {
                #[target_feature(enable = "avx2")]
                fn with_avx2 $(<$t: $bound>)? ($($arg: $ty),*) $(-> $out)? {
                    plain($($arg),*)
                }
                // SAFETY: the processor has AVX2, as was asked just above.
                return unsafe { with_avx2($($arg),*) };
            }
            plain($($arg),*)
        }
    };
}

/// False while a test wants to see the form for any processor.
#[cfg(not(test))]
#[inline(always)]
pub(crate) fn allowed() -> bool {
    true
}

#[cfg(test)]
pub(crate) use tests::allowed;

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use downpour_tensor::Tensor;
    use proptest::prelude::*;

    use crate::{Compression, Compressor, decode};

    thread_local! {
        static ALLOWED: Cell<bool> = const { Cell::new(true) };
    }

    pub(crate) fn allowed() -> bool {
        ALLOWED.get()
    }

    /// Three messages of one variable and what they decode to.
    fn messages(setting: Compression, gradients: &[Tensor]) -> Vec<Vec<u8>> {
        let mut compressor = Compressor::new(setting, 1).unwrap();
        let mut bytes = Vec::new();
        for gradient in gradients {
            let encoded = compressor.encode("w", gradient).unwrap();
            bytes.push(decode(&encoded).unwrap().bytes().unwrap().to_vec());
            bytes.push(encoded.to_bytes().to_vec());
        }
        bytes
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn both_forms_give_the_same_bits(rows in 1usize..90, columns in 1usize..90, seed: u64, double: bool) {
            let mut state = seed;
            let mut next = || {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 40) as f32 / (1 << 23) as f32 - 1.0
            };
            let gradients: Vec<Tensor> = (0..3)
                .map(|_| {
                    let values: Vec<f32> = (0..rows * columns).map(|_| next() * next()).collect();
                    if double {
                        let values: Vec<f64> = values.iter().map(|&v| v as f64 / 3.0).collect();
                        return Tensor::from_vec([rows, columns], values).unwrap();
                    }
                    Tensor::from_vec([rows, columns], values).unwrap()
                })
                .collect();
            for text in ["bfloat16", "float16", "int8", "one-bit", "top-k:0.1", "power-sgd:3"] {
                let setting: Compression = text.parse().unwrap();
                let wide = messages(setting, &gradients);
                ALLOWED.set(false);
                let plain = messages(setting, &gradients);
                ALLOWED.set(true);
                prop_assert!(wide == plain, "{}", text);
            }
        }
    }
}

//! Properties every codec has: shapes come back, nothing is lost over time, and no bytes bring a decoder down.

use bytes::Bytes;
use downpour_compress::{
    Codec, Compression, Compressor, Encoded, Lossless, decode, decode_within, encode_ids,
    encode_lossless,
};
use downpour_tensor::{Code, DataType, Tensor};
use proptest::prelude::*;

fn settings() -> impl Strategy<Value = Compression> {
    prop_oneof![
        Just(Compression::None),
        Just(Compression::Lossless(Lossless::Lz4)),
        (1i32..4).prop_map(|level| Compression::Lossless(Lossless::Zstd { level })),
        Just(Compression::BFloat16),
        Just(Compression::Float16),
        Just(Compression::Int8),
        Just(Compression::OneBit),
        (0.001f64..=1.0).prop_map(|fraction| Compression::TopK { fraction }),
        (1usize..5).prop_map(|rank| Compression::PowerSgd { rank }),
    ]
}

fn shapes() -> impl Strategy<Value = Vec<usize>> {
    prop_oneof![
        prop::collection::vec(0usize..14, 0..4),
        (1usize..3000).prop_map(|n| vec![n]),
        (1usize..60, 1usize..60).prop_map(|(rows, columns)| vec![rows, columns]),
    ]
}

/// Several gradients of one variable, of very different sizes.
fn gradients(shape: &[usize], steps: usize, seed: u64) -> Vec<Vec<f64>> {
    let count = shape.iter().product::<usize>();
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..steps).map(|_| (0..count).map(|_| next() * (next() * 10.0).exp2()).collect()).collect()
}

fn over_the_wire(encoded: &Encoded) -> Tensor {
    decode(&Encoded::parse(encoded.to_bytes()).unwrap()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn shapes_come_back_and_nothing_is_lost(
        setting in settings(), shape in shapes(), steps in 1usize..6, seed: u64, double: bool,
    ) {
        let mut compressor = Compressor::new(setting, seed).unwrap();
        let count = shape.iter().product::<usize>();
        let (mut given, mut received) = (vec![0.0; count], vec![0.0; count]);
        let mut largest = 0f64;
        for gradient in gradients(&shape, steps, seed) {
            let tensor = if double {
                Tensor::from_slice(shape.clone(), &gradient).unwrap()
            } else {
                let single: Vec<f32> = gradient.iter().map(|&v| v as f32).collect();
                Tensor::from_slice(shape.clone(), &single).unwrap()
            };
            let back = over_the_wire(&compressor.encode("w", &tensor).unwrap());
            prop_assert_eq!(back.shape(), tensor.shape());
            prop_assert_eq!(back.dtype(), tensor.dtype());
            for (sum, tensor) in [(&mut given, &tensor), (&mut received, &back)] {
                sum.iter_mut().zip(to_f64(tensor)).for_each(|(sum, v)| *sum += v);
            }
            largest = given.iter().chain(&received).fold(largest, |a, v| a.max(v.abs()));
        }
        if setting.has_feedback() {
            if let Some(kept) = compressor.residual("w") {
                let kept = to_f64(kept);
                largest = kept.iter().fold(largest, |a, v| a.max(v.abs()));
                received.iter_mut().zip(kept).for_each(|(sum, v)| *sum += v);
            }
            let rounding = if double { 1e-13 } else { 1e-5 };
            for (given, received) in given.iter().zip(&received) {
                prop_assert!((given - received).abs() <= largest * rounding, "{given} {received}");
            }
        }
    }

    #[test]
    fn all_of_the_values_are_the_input(
        setting in prop::sample::select(vec!["top-k:1", "lz4", "zstd"]), shape in shapes(), seed: u64, double: bool,
    ) {
        let mut compressor = Compressor::new(setting.parse().unwrap(), 0).unwrap();
        for mut gradient in gradients(&shape, 3, seed) {
            if let Some(first) = gradient.first_mut() {
                *first = -0.0;
            }
            let tensor = if double {
                Tensor::from_slice(shape.clone(), &gradient).unwrap()
            } else {
                let single: Vec<f32> = gradient.iter().map(|&v| v as f32).collect();
                Tensor::from_slice(shape.clone(), &single).unwrap()
            };
            let back = over_the_wire(&compressor.encode("w", &tensor).unwrap());
            prop_assert_eq!(back.bytes(), tensor.bytes());
            prop_assert!(compressor.residual("w").is_none());
        }
    }

    #[test]
    fn any_bytes_come_back(bytes: Vec<u8>, level in -3i32..30, zstd: bool) {
        let how = if zstd { Lossless::Zstd { level } } else { Lossless::Lz4 };
        let tensor = Tensor::vector(&bytes).unwrap();
        let back = over_the_wire(&encode_lossless(&tensor, how).unwrap());
        prop_assert_eq!(back.as_slice::<u8>().unwrap(), &bytes[..]);
    }

    #[test]
    fn forged_messages_are_refused_or_decoded(
        setting in settings(), shape in shapes(), seed: u64, kind in 0usize..3,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut: Option<prop::sample::Index>, codec in prop::sample::select(Codec::ALL),
    ) {
        let gradient = gradients(&shape, 1, seed).remove(0);
        let encoded = match kind {
            0 => {
                let single: Vec<f32> = gradient.iter().map(|&v| v as f32).collect();
                let tensor = Tensor::from_slice(shape, &single).unwrap();
                Compressor::new(setting, seed).unwrap().encode("w", &tensor).unwrap()
            }
            1 => {
                let ids: Vec<i64> = gradient.iter().map(|&v| v as i64).collect();
                let tensor = Tensor::from_slice(shape, &ids).unwrap();
                encode_ids(&tensor, Lossless::Lz4).unwrap()
            }
            _ => {
                let tensor = Tensor::from_slice(shape, &gradient).unwrap();
                encode_lossless(&tensor, Lossless::Zstd { level: 1 }).unwrap()
            }
        };
        let mut bytes = encoded.to_bytes().to_vec();
        for (place, value) in damage {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        if seed % 4 == 0 {
            bytes[1] = codec as u8;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        match Encoded::parse(Bytes::from(bytes)).and_then(|e| decode_within(&e, 1 << 20)) {
            Ok(tensor) => prop_assert!(tensor.byte_len() <= 1 << 20),
            Err(error) => prop_assert_eq!(error.code(), Code::InvalidArgument),
        }
    }

    #[test]
    fn any_payload_is_refused_or_decoded(
        payload in prop::collection::vec(any::<u8>(), 0..200), codec in prop::sample::select(Codec::ALL),
        dtype in prop::sample::select(DataType::ALL), dims in prop::collection::vec(0u64..40, 0..3),
    ) {
        let mut bytes = vec![1, codec as u8, dtype as u8, dims.len() as u8, 0, 0, 0, 0];
        bytes.extend_from_slice(&(payload.len() as u64).to_le_bytes());
        dims.iter().for_each(|d| bytes.extend_from_slice(&d.to_le_bytes()));
        bytes.extend_from_slice(&payload);
        if let Err(error) = Encoded::parse(bytes.into()).and_then(|e| decode(&e)) {
            prop_assert_eq!(error.code(), Code::InvalidArgument);
        }
    }
}

fn to_f64(tensor: &Tensor) -> Vec<f64> {
    match tensor.dtype() {
        DataType::Float => tensor.as_slice::<f32>().unwrap().iter().map(|&v| v as f64).collect(),
        _ => tensor.as_slice::<f64>().unwrap().to_vec(),
    }
}

#[test]
fn a_few_bytes_do_not_make_a_huge_tensor() {
    let ones = Tensor::from_slice([64, 64], &[1f32; 4096]).unwrap();
    let setting = Compression::TopK { fraction: 1e-6 };
    let small = Compressor::new(setting, 0).unwrap().encode("w", &ones).unwrap();
    let mut bytes = small.to_bytes().to_vec();
    bytes[16..24].copy_from_slice(&(1u64 << 40).to_le_bytes());
    let forged = Encoded::parse(bytes.into()).unwrap();
    assert_eq!(decode(&forged).unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(decode_within(&small, 4096 * 4).unwrap().len(), 4096);
    assert!(decode_within(&small, 4096 * 4 - 1).is_err());
}

#[test]
fn a_payload_that_is_too_short_takes_no_memory() {
    // Anything that is made of this shape would be refused with another error.
    downpour_tensor::set_memory_limit(1 << 30);
    for codec in Codec::ALL.iter().filter(|codec| **codec != Codec::Raw) {
        for payload in [&[][..], &[1; 7], &[0, 2, 1, 1, 1, 1, 1]] {
            let dtype = if *codec == Codec::Ids { DataType::Int64 } else { DataType::Float };
            let mut bytes = vec![1, *codec as u8, dtype as u8, 1, 0, 0, 0, 0];
            bytes.extend_from_slice(&(payload.len() as u64).to_le_bytes());
            bytes.extend_from_slice(&(450u64 << 20 >> 3).to_le_bytes());
            bytes.extend_from_slice(payload);
            let refused = decode(&Encoded::parse(bytes.into()).unwrap()).unwrap_err();
            assert!(refused.message().contains("bytes or more"), "{refused}");
        }
    }
}

#[test]
fn what_is_no_float_or_small_passes() {
    let mut compressor = Compressor::new(Compression::OneBit, 0).unwrap();
    let ids = Tensor::from_slice([1000], &[7i64; 1000]).unwrap();
    let bias = Tensor::from_slice([10], &[0.5f32; 10]).unwrap();
    for tensor in [&ids, &bias] {
        let encoded = compressor.encode("x", tensor).unwrap();
        assert_eq!(encoded.codec(), Codec::Raw);
        assert_eq!(over_the_wire(&encoded).bytes(), tensor.bytes());
    }
    let shared = compressor.encode("y", &ids).unwrap();
    assert_eq!(shared.payload().as_ptr(), ids.bytes().unwrap().as_ptr(), "nothing is copied");
    let strings = Tensor::string("abc");
    assert_eq!(compressor.encode("s", &strings).unwrap_err().code(), Code::InvalidArgument);
    let given = (2 * ids.byte_len() + bias.byte_len()) as u64;
    assert_eq!(compressor.traffic().given, given);
    assert_eq!(compressor.traffic().sent, given + 3 * 24);
}

#[test]
fn a_bad_gradient_is_sent_as_it_is() {
    for text in ["int8", "one-bit", "top-k:0.1", "power-sgd:2"] {
        let mut compressor = Compressor::new(text.parse().unwrap(), 0).unwrap();
        let good = Tensor::from_slice([20, 20], &gradients(&[20, 20], 1, 3)[0]).unwrap();
        compressor.encode("w", &good).unwrap();
        let kept = compressor.residual("w").unwrap().clone();
        let mut values = good.as_slice::<f64>().unwrap().to_vec();
        values[3] = f64::NAN;
        values[4] = f64::INFINITY;
        let bad = Tensor::from_slice([20, 20], &values).unwrap();
        let encoded = compressor.encode("w", &bad).unwrap();
        assert_eq!(encoded.codec(), Codec::Raw, "{text}");
        assert_eq!(encoded.payload(), bad.bytes().unwrap());
        assert_eq!(compressor.residual("w").unwrap().bytes(), kept.bytes());
        assert_ne!(compressor.encode("w", &good).unwrap().codec(), Codec::Raw);
        compressor.forget("w");
        assert!(compressor.residual("w").is_none());
    }
}

#[test]
fn rows_keep_no_error() {
    let rows = Tensor::from_slice([30, 20], &gradients(&[600], 1, 3)[0]).unwrap();
    let none = Codec::Raw;
    for (text, codec) in [
        ("none", none),
        ("bfloat16", Codec::BFloat16),
        ("float16", Codec::Float16),
        ("int8", Codec::Int8),
        ("one-bit", none),
        ("top-k:0.1", none),
        ("power-sgd:2", none),
    ] {
        let mut compressor = Compressor::new(text.parse().unwrap(), 0).unwrap();
        let first = compressor.encode_rows(&rows).unwrap();
        assert_eq!(first.codec(), codec, "{text}");
        assert_eq!(compressor.encode_rows(&rows).unwrap(), first);
        assert_eq!(over_the_wire(&first).shape(), rows.shape());
    }
}

#[test]
fn one_name_is_one_variable() {
    for text in ["int8", "power-sgd:1"] {
        let mut compressor = Compressor::new(text.parse().unwrap(), 0).unwrap();
        compressor.encode("w", &Tensor::zeros(DataType::Float, [20, 20]).unwrap()).unwrap();
        let other = Tensor::zeros(DataType::Float, [20, 21]).unwrap();
        assert_eq!(compressor.encode("w", &other).unwrap_err().code(), Code::InvalidArgument);
        compressor.forget("w");
        compressor.encode("w", &other).unwrap();
    }
}

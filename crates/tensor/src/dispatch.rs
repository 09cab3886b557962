//! Macros that turn a runtime dtype into a type parameter.
//!
//! ```
//! use downpour_tensor::{dispatch_real, DataType, RealNumber, Tensor};
//! fn largest<T: RealNumber>(t: &Tensor) -> f64 {
//!     t.as_slice::<T>().unwrap().iter().map(|v| v.to_f64_lossy()).fold(f64::MIN, f64::max)
//! }
//! let t = Tensor::vector(&[3i32, 9]).unwrap();
//! assert_eq!(dispatch_real!(t.dtype(), "Max", T => Ok(largest::<T>(&t))).unwrap(), 9.0);
//! assert!(dispatch_real!(DataType::String, "Max", T => Ok(largest::<T>(&t))).is_err());
//! ```

/// The status for a dtype a kernel has no code for.
#[doc(hidden)]
pub fn unsupported(operation: &str, dtype: crate::DataType) -> crate::Status {
    crate::Status::unimplemented(format!(
        "{operation} has no CPU kernel for {dtype}; cast its inputs to a supported type"
    ))
}

#[doc(hidden)]
#[macro_export]
macro_rules! dispatch_over {
    ($dtype:expr, $op:expr, $t:ident => $body:expr, $($variant:ident : $ty:ty),+ $(,)?) => {
        match $dtype {
            $($crate::DataType::$variant => { type $t = $ty; $body })+
            other => Err($crate::unsupported_dtype($op, other)),
        }
    };
}

/// float, double, half, bfloat16.
#[macro_export]
macro_rules! dispatch_float {
    ($dtype:expr, $op:expr, $t:ident => $body:expr) => {
        $crate::dispatch_over!($dtype, $op, $t => $body,
            Float: f32, Double: f64, Half: $crate::f16, BFloat16: $crate::bf16)
    };
}

/// The eight integer types.
#[macro_export]
macro_rules! dispatch_integer {
    ($dtype:expr, $op:expr, $t:ident => $body:expr) => {
        $crate::dispatch_over!($dtype, $op, $t => $body,
            Int8: i8, Int16: i16, Int32: i32, Int64: i64,
            UInt8: u8, UInt16: u16, UInt32: u32, UInt64: u64)
    };
}

/// int32 and int64: what TensorFlow allows for indices, axes and shapes.
#[macro_export]
macro_rules! dispatch_index {
    ($dtype:expr, $op:expr, $t:ident => $body:expr) => {
        $crate::dispatch_over!($dtype, $op, $t => $body, Int32: i32, Int64: i64)
    };
}

/// Floats and integers (`RealNumber`).
#[macro_export]
macro_rules! dispatch_real {
    ($dtype:expr, $op:expr, $t:ident => $body:expr) => {
        $crate::dispatch_over!($dtype, $op, $t => $body,
            Float: f32, Double: f64, Half: $crate::f16, BFloat16: $crate::bf16,
            Int8: i8, Int16: i16, Int32: i32, Int64: i64,
            UInt8: u8, UInt16: u16, UInt32: u32, UInt64: u64)
    };
}

/// Every plain type that has a Rust element type (`Element`): numbers, bool, complex, quantized.
#[macro_export]
macro_rules! dispatch_plain {
    ($dtype:expr, $op:expr, $t:ident => $body:expr) => {
        $crate::dispatch_over!($dtype, $op, $t => $body,
            Float: f32, Double: f64, Half: $crate::f16, BFloat16: $crate::bf16,
            Int8: i8, Int16: i16, Int32: i32, Int64: i64,
            UInt8: u8, UInt16: u16, UInt32: u32, UInt64: u64, Bool: bool,
            Complex64: $crate::Complex64, Complex128: $crate::Complex128,
            QInt8: $crate::QInt8, QUInt8: $crate::QUInt8, QInt16: $crate::QInt16,
            QUInt16: $crate::QUInt16, QInt32: $crate::QInt32)
    };
}

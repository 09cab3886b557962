//! TensorFlow's element types, with their numbers on the wire.

use std::fmt;

macro_rules! data_types {
    ($($variant:ident = $number:literal, $name:literal, $size:literal;)*) => {
        /// An element type. Discriminants are TensorFlow's `DataType` numbers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(i32)]
        pub enum DataType { $($variant = $number),* }

        impl DataType {
            /// Every type, in the order of its number.
            pub const ALL: &'static [DataType] = &[$(DataType::$variant),*];

            /// The type with this number; `None` for reference types and unknown numbers.
            pub fn from_i32(number: i32) -> Option<DataType> {
                match number { $($number => Some(DataType::$variant),)* _ => None }
            }

            /// TensorFlow's lower-case name, as in `tf.float32.name` of operation definitions ("float", "half").
            pub fn name(self) -> &'static str {
                match self { $(DataType::$variant => $name),* }
            }

            /// Bytes of one element in memory; 0 for strings, resources and variants.
            pub fn size(self) -> usize {
                match self { $(DataType::$variant => $size),* }
            }
        }
    };
}

data_types! {
    Float = 1, "float", 4;
    Double = 2, "double", 8;
    Int32 = 3, "int32", 4;
    UInt8 = 4, "uint8", 1;
    Int16 = 5, "int16", 2;
    Int8 = 6, "int8", 1;
    String = 7, "string", 0;
    Complex64 = 8, "complex64", 8;
    Int64 = 9, "int64", 8;
    Bool = 10, "bool", 1;
    QInt8 = 11, "qint8", 1;
    QUInt8 = 12, "quint8", 1;
    QInt32 = 13, "qint32", 4;
    BFloat16 = 14, "bfloat16", 2;
    QInt16 = 15, "qint16", 2;
    QUInt16 = 16, "quint16", 2;
    UInt16 = 17, "uint16", 2;
    Complex128 = 18, "complex128", 16;
    Half = 19, "half", 2;
    Resource = 20, "resource", 0;
    Variant = 21, "variant", 0;
    UInt32 = 22, "uint32", 4;
    UInt64 = 23, "uint64", 8;
    Float8E5M2 = 24, "float8_e5m2", 1;
    Float8E4M3FN = 25, "float8_e4m3fn", 1;
    Float8E4M3FNUZ = 26, "float8_e4m3fnuz", 1;
    Float8E4M3B11FNUZ = 27, "float8_e4m3b11fnuz", 1;
    Float8E5M2FNUZ = 28, "float8_e5m2fnuz", 1;
    Int4 = 29, "int4", 1;
    UInt4 = 30, "uint4", 1;
    Int2 = 31, "int2", 1;
    UInt2 = 32, "uint2", 1;
    Float4E2M1FN = 33, "float4_e2m1fn", 1;
}

/// TensorFlow adds this to a type's number for "reference to a variable of that type".
const REF_OFFSET: i32 = 100;

impl DataType {
    /// Splits a wire number into the base type and whether it is a reference type.
    pub fn from_wire(number: i32) -> Option<(DataType, bool)> {
        match DataType::from_i32(number) {
            Some(dtype) => Some((dtype, false)),
            None => number.checked_sub(REF_OFFSET).and_then(DataType::from_i32).map(|d| (d, true)),
        }
    }

    /// The type with this name as `name` gives it.
    pub fn from_name(name: &str) -> Option<DataType> {
        DataType::ALL.iter().copied().find(|d| d.name() == name)
    }

    pub fn is_floating(self) -> bool {
        matches!(self, DataType::Float | DataType::Double | DataType::Half | DataType::BFloat16)
    }

    pub fn is_complex(self) -> bool {
        matches!(self, DataType::Complex64 | DataType::Complex128)
    }

    pub fn is_integer(self) -> bool {
        use DataType::*;
        matches!(self, Int8 | Int16 | Int32 | Int64 | UInt8 | UInt16 | UInt32 | UInt64)
    }

    pub fn is_quantized(self) -> bool {
        use DataType::*;
        matches!(self, QInt8 | QUInt8 | QInt16 | QUInt16 | QInt32)
    }

    /// True for types whose elements are plain bytes in one buffer.
    pub fn is_plain(self) -> bool {
        self.size() > 0
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_round_trip() {
        for &d in DataType::ALL {
            assert_eq!(DataType::from_i32(d as i32), Some(d));
            assert_eq!(DataType::from_name(d.name()), Some(d));
            assert_eq!(DataType::from_wire(d as i32 + 100), Some((d, true)));
        }
        assert_eq!(DataType::from_i32(0), None);
        assert_eq!(DataType::from_wire(i32::MIN), None);
    }
}

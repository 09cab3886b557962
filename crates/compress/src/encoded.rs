//! A compressed tensor: a small header that says what it is, and its bytes.
//!
//! On the wire, all numbers little-endian: version (1 byte, 1), codec (1), dtype (1, TensorFlow's number), rank (1), four zero
//! bytes, length of the payload (8), the dimensions (8 each), then the payload. The header is a multiple of 8 bytes, so a
//! payload that arrived in an aligned buffer is aligned.

use bytes::{BufMut, Bytes, BytesMut};
use downpour_tensor::{DataType, Result, Shape, Status, checked_elements};

const VERSION: u8 = 1;
const FIXED: usize = 16;

macro_rules! codecs {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $text:literal;)*) => {
        /// What the payload of an [`Encoded`] is. The numbers are those on the wire.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Codec { $($(#[$doc])* $name = $number),* }

        impl Codec {
            /// Every codec.
            pub const ALL: &'static [Codec] = &[$(Codec::$name),*];

            /// Its name, as settings have it where there is a setting.
            pub fn name(self) -> &'static str {
                match self { $(Codec::$name => $text),* }
            }
        }
    };
}

codecs! {
    /// The tensor's own bytes.
    Raw = 0, "none";
    /// [`Compression::BFloat16`](crate::Compression::BFloat16).
    BFloat16 = 1, "bfloat16";
    /// [`Compression::Float16`](crate::Compression::Float16).
    Float16 = 2, "float16";
    /// [`Compression::Int8`](crate::Compression::Int8).
    Int8 = 3, "int8";
    /// [`Compression::OneBit`](crate::Compression::OneBit).
    OneBit = 4, "one-bit";
    /// [`Compression::TopK`](crate::Compression::TopK).
    TopK = 5, "top-k";
    /// [`Compression::PowerSgd`](crate::Compression::PowerSgd).
    PowerSgd = 6, "power-sgd";
    /// Integers by [`encode_ids`](crate::encode_ids).
    Ids = 7, "ids";
    /// Any bytes by [`encode_lossless`](crate::encode_lossless).
    Lossless = 8, "lossless";
    /// [`Compression::Lossless`](crate::Compression::Lossless).
    Planes = 9, "planes";
}

/// A compressed tensor that describes itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Encoded {
    codec: Codec,
    dtype: DataType,
    shape: Shape,
    payload: Bytes,
}

impl Encoded {
    pub(crate) fn new(codec: Codec, dtype: DataType, shape: Shape, payload: Bytes) -> Encoded {
        Encoded { codec, dtype, shape, payload }
    }

    /// How the payload is to be read.
    pub fn codec(&self) -> Codec {
        self.codec
    }

    /// The dtype of the tensor that decoding gives.
    pub fn dtype(&self) -> DataType {
        self.dtype
    }

    /// The shape of the tensor that decoding gives.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The compressed contents. Raw tensors share their memory.
    pub fn payload(&self) -> &Bytes {
        &self.payload
    }

    /// The bytes that go before the payload, for senders that write pieces.
    pub fn header(&self) -> Bytes {
        let mut out = BytesMut::with_capacity(FIXED + 8 * self.shape.rank());
        self.put_header(&mut out);
        out.freeze()
    }

    /// Header and payload in one piece; this copies the payload.
    pub fn to_bytes(&self) -> Bytes {
        let mut out = BytesMut::with_capacity(self.wire_len());
        self.put_header(&mut out);
        out.put_slice(&self.payload);
        out.freeze()
    }

    /// Bytes of header and payload together.
    pub fn wire_len(&self) -> usize {
        FIXED + 8 * self.shape.rank() + self.payload.len()
    }

    /// Refuses what is not the dtype and shape the receiver expects: the cheapest defence against forged sizes.
    pub fn expect(&self, dtype: DataType, shape: &Shape) -> Result<()> {
        if self.dtype == dtype && self.shape == *shape {
            return Ok(());
        }
        Err(Status::invalid_argument(format!(
            "a compressed tensor is {} of shape {}, but {dtype} of shape {shape} was expected",
            self.dtype, self.shape
        )))
    }

    /// The inverse of [`Encoded::to_bytes`] for bytes from anywhere. The payload is not copied; its contents are checked when it is decoded.
    pub fn parse(message: Bytes) -> Result<Encoded> {
        let (codec, dtype, shape, start) = parse_header(&message)?;
        let payload = message.slice(start..);
        Ok(Encoded { codec, dtype, shape, payload })
    }

    fn put_header(&self, out: &mut BytesMut) {
        out.put_slice(&[VERSION, self.codec as u8, self.dtype as u8, self.shape.rank() as u8]);
        out.put_u32_le(0);
        out.put_u64_le(self.payload.len() as u64);
        for &size in self.shape.dims() {
            out.put_u64_le(size as u64);
        }
    }
}

fn parse_header(message: &[u8]) -> Result<(Codec, DataType, Shape, usize)> {
    let broken = |why: String| {
        Status::invalid_argument(format!("the header of a compressed tensor is broken: {why}"))
    };
    let short = || broken(format!("{} bytes are too few for it", message.len()));
    let (fixed, rest) = message.split_first_chunk::<FIXED>().ok_or_else(short)?;
    let [version, codec, dtype, rank, ..] = *fixed;
    if version != VERSION {
        return Err(broken(format!(
            "its version is {version}, this program reads {VERSION}; run the same release on both sides"
        )));
    }
    if fixed[4..8] != [0; 4] {
        return Err(broken("reserved bytes are not zero".to_owned()));
    }
    let codec = Codec::ALL.iter().copied().find(|c| *c as u8 == codec);
    let codec = codec.ok_or_else(|| broken(format!("codec {} is unknown", fixed[1])))?;
    let dtype = DataType::from_i32(dtype as i32).filter(|d| d.is_plain());
    let dtype = dtype.ok_or_else(|| broken(format!("dtype {} has no plain elements", fixed[2])))?;
    let (sizes, _) = rest.split_at_checked(8 * rank as usize).ok_or_else(short)?;
    let mut dims = Vec::with_capacity(rank as usize);
    for size in sizes.as_chunks::<8>().0 {
        dims.push(i64::from_le_bytes(*size));
    }
    let shape = Shape::from_i64(&dims)?;
    checked_elements(&shape)?
        .checked_mul(dtype.size())
        .ok_or_else(|| broken(format!("its shape {shape} has more bytes than can be counted")))?;
    let start = FIXED + sizes.len();
    let length = u64::from_le_bytes(*fixed.last_chunk::<8>().unwrap_or(&[0; 8]));
    if length != (message.len() - start) as u64 {
        return Err(broken(format!(
            "it announces {length} bytes of payload, {} follow",
            message.len() - start
        )));
    }
    Ok((codec, dtype, shape, start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Encoded {
        Encoded::new(Codec::Int8, DataType::Float, Shape::new(&[3, 0]), Bytes::from_static(b"abc"))
    }

    #[test]
    fn bytes_and_pieces_are_the_same_message() {
        let whole = example().to_bytes();
        assert_eq!(whole, [&example().header()[..], &example().payload()[..]].concat());
        assert_eq!(whole.len(), example().wire_len());
        assert_eq!(Encoded::parse(whole).unwrap(), example());
    }

    #[test]
    fn broken_headers_are_refused() {
        let good = example().to_bytes().to_vec();
        for cut in 0..good.len() {
            assert!(Encoded::parse(Bytes::copy_from_slice(&good[..cut])).is_err());
        }
        let huge = u64::MAX.to_le_bytes()[0];
        for (position, value) in
            [(0, 9), (1, 99), (2, 0), (2, 7), (3, 255), (4, 1), (8, 4), (23, huge)]
        {
            let mut bad = good.clone();
            bad[position] = value;
            let error = Encoded::parse(bad.into()).unwrap_err();
            assert_eq!(error.code(), downpour_tensor::Code::InvalidArgument, "{position}");
        }
    }

    #[test]
    fn a_receiver_can_insist() {
        assert!(example().expect(DataType::Float, &Shape::new(&[3, 0])).is_ok());
        assert!(example().expect(DataType::Double, &Shape::new(&[3, 0])).is_err());
        assert!(example().expect(DataType::Float, &Shape::new(&[3])).is_err());
    }
}

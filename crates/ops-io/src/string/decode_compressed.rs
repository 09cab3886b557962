//! DecodeCompressed: strings unpacked from zlib, gzip or zstandard.

use std::io::{ErrorKind, Read};

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{ByteString, Result, Status, StringWriter, Tensor};
use flate2::bufread::{GzDecoder, ZlibDecoder};
use zstd::zstd_safe::get_frame_content_size;

/// Bytes unpacked between two looks at the cancellation.
const CHUNK: usize = 1 << 20;
/// TensorFlow asks zlib for so many bytes and takes what comes.
const MOST: usize = i32::MAX as usize;
/// The first bytes of a gzip file's member.
const MAGIC: &[u8] = &[0x1f, 0x8b];

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "DecodeCompressed(bytes: string) -> (output: string)
                compression_type: string = ''",
        )?
        .shape(shapes::unchanged)
        .not_differentiable(),
        |build| Ok(KernelBox::new(Compression::new(build)?)),
    )
}

enum Compression {
    None,
    Zlib,
    Gzip,
    Zstandard,
}

impl Compression {
    fn new(build: &KernelBuild<'_>) -> Result<Compression> {
        Ok(match &build.bytes("compression_type")?[..] {
            b"" => Compression::None,
            b"ZLIB" => Compression::Zlib,
            b"GZIP" => Compression::Gzip,
            b"ZSTD" => Compression::Zstandard,
            _ => {
                return Err(Status::invalid_argument(
                    "Only ZLIB, ZSTD, GZIP or NONE are supported compressions",
                ));
            }
        })
    }

    fn decode(&self, cx: &OpContext<'_>, packed: &ByteString) -> Result<ByteString> {
        match self {
            Compression::None => Ok(packed.clone()),
            Compression::Zlib => {
                let mut text = StringWriter::new();
                inflate(cx, &mut ZlibDecoder::new(&packed[..]), &mut text)?;
                Ok(text.finish())
            }
            Compression::Gzip => gunzip(cx, packed),
            Compression::Zstandard => zstandard(packed),
        }
    }
}

/// Unpacks the members of a gzip file, one behind the other.
fn gunzip(cx: &OpContext<'_>, packed: &[u8]) -> Result<ByteString> {
    let mut text = StringWriter::new();
    let mut rest = packed;
    while !rest.is_empty() {
        if rest.len() >= MAGIC.len() && !rest.starts_with(MAGIC) {
            return Err(damaged("incorrect header check"));
        }
        let mut decoder = GzDecoder::new(rest);
        let is_whole = inflate(cx, &mut decoder, &mut text)?;
        rest = if is_whole { decoder.into_inner() } else { &[] };
    }
    Ok(text.finish())
}

/// Unpacks a stream and returns whether it was whole. One that ends too early gives what there is, as TensorFlow has it.
fn inflate(cx: &OpContext<'_>, decoder: &mut dyn Read, text: &mut StringWriter) -> Result<bool> {
    let mut is_whole = true;
    let mut read = |place: &mut [u8]| match decoder.read(place) {
        Ok(count) => Ok(count),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
            is_whole = false;
            Ok(0)
        }
        Err(error) => Err(damaged(&error.to_string())),
    };
    while text.len() < MOST && text.read_more(CHUNK.min(MOST - text.len()), &mut read)? > 0 {
        cx.check_cancelled()?;
    }
    Ok(is_whole)
}

fn damaged(what: &str) -> Status {
    Status::data_loss(format!("inflate() failed with error -3: {what}"))
}

/// Unpacks frames that say how long their contents are.
fn zstandard(packed: &[u8]) -> Result<ByteString> {
    let length = get_frame_content_size(packed).ok().flatten();
    let length = length.and_then(|length| usize::try_from(length).ok());
    let length =
        length.ok_or_else(|| Status::invalid_argument("Failed to determine decompressed size"))?;
    let failed = |error: std::io::Error| {
        Status::invalid_argument(format!("Failed to decompress zstd input: {error}"))
    };
    let mut text = StringWriter::new();
    text.fill_with(length, |place| {
        zstd::bulk::decompress_to_buffer(packed, place).map_err(failed)
    })?;
    Ok(text.finish())
}

impl Kernel for Compression {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.input(0);
        let packed = input.strings()?;
        let out = Tensor::build_strings(input.shape(), |i| self.decode(cx, &packed[i]))?;
        cx.set_output(0, out);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Code;
    use flate2::write::{GzEncoder, ZlibEncoder};

    fn run(kind: &'static str, packed: Vec<u8>) -> Result<Vec<u8>> {
        let out = OpTest::new(register, "DecodeCompressed")
            .attr("compression_type", kind)
            .input(Tensor::from_string(packed).unwrap())
            .run_one()?;
        Ok(out.strings()?[0].to_vec())
    }

    fn text() -> Vec<u8> {
        b"rain and wind ".repeat(300)
    }

    fn zlib() -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Default::default());
        encoder.write_all(&text()).unwrap();
        encoder.finish().unwrap()
    }

    fn gzip() -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Default::default());
        encoder.write_all(&text()).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn texts_are_unpacked() {
        assert_eq!(run("", text()).unwrap(), text());
        assert_eq!(run("ZLIB", zlib()).unwrap(), text());
        assert_eq!(run("GZIP", gzip()).unwrap(), text());
        assert_eq!(run("GZIP", [gzip(), gzip()].concat()).unwrap().len(), 2 * text().len());
        let packed = zstd::bulk::compress(&text(), 3).unwrap();
        assert_eq!(run("ZSTD", packed).unwrap(), text());
    }

    #[test]
    fn what_ends_early_gives_its_beginning() {
        for (kind, packed) in [("ZLIB", zlib()), ("GZIP", gzip())] {
            assert_eq!(run(kind, vec![]).unwrap(), b"");
            let beginning = run(kind, packed[..packed.len() - 9].to_vec()).unwrap();
            assert!(text().starts_with(&beginning));
            assert_eq!(run(kind, packed[..packed.len() - 1].to_vec()).unwrap(), text());
        }
        assert_eq!(run("ZLIB", [zlib(), b"more".to_vec()].concat()).unwrap(), text());
    }

    #[test]
    fn damage_is_lost_data() {
        let code = |kind, packed: Vec<u8>| run(kind, packed).unwrap_err().code();
        for (kind, mut packed) in [("ZLIB", zlib()), ("GZIP", gzip())] {
            assert_eq!(code(kind, b"garbage bytes".to_vec()), Code::DataLoss);
            let broken = [&packed[..10], &[0xff, 0xff], &packed[12..]].concat();
            assert_eq!(code(kind, broken), Code::DataLoss);
            *packed.last_mut().unwrap() ^= 1;
            assert_eq!(code(kind, packed), Code::DataLoss);
        }
        assert_eq!(code("GZIP", [gzip(), b"more".to_vec()].concat()), Code::DataLoss);
        assert_eq!(code("ZSTD", b"garbage".to_vec()), Code::InvalidArgument);
        assert_eq!(code("LZ4", vec![]), Code::InvalidArgument);
    }
}

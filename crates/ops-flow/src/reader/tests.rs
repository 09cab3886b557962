//! Readers together with their queue.

use std::io::Write;
use std::path::{Path, PathBuf};

use downpour_formats::tfrecord::{Compression, RecordWriter};
use downpour_graph::{Attrs, PartialShape};
use downpour_runtime::{Registry, Value};
use downpour_tensor::{ByteString, Code, DataType, Result, Tensor};

use crate::bench::{Bench, Pending};

fn register(registry: &mut Registry) -> Result<()> {
    crate::queue::register(registry)?;
    super::register(registry)
}

struct Tested {
    bench: Bench,
    reader: Value,
    queue: Value,
    suffix: &'static str,
}

impl Tested {
    fn new(kind: &str, attrs: Attrs) -> Tested {
        Tested::of_version(kind, attrs, "V2")
    }

    fn of_version(kind: &str, attrs: Attrs, suffix: &'static str) -> Tested {
        let bench = Bench::new(register);
        let make = |op: &str, attrs| {
            bench.values(&format!("{op}{suffix}"), attrs, vec![]).unwrap().remove(0)
        };
        let reader = make(kind, attrs);
        let queue = Attrs::new()
            .with("component_types", vec![DataType::String])
            .with("shapes", vec![PartialShape::scalar()]);
        let queue = make("FIFOQueue", queue);
        Tested { bench, reader, queue, suffix }
    }

    fn start(&self, op: &str, inputs: Vec<Value>) -> Pending {
        self.bench.start(&format!("{op}{}", self.suffix), Attrs::new(), inputs)
    }

    fn enqueue(&self, work: impl AsRef<[u8]>) {
        let work = Tensor::from_string(work.as_ref()).unwrap();
        let inputs = vec![self.queue.clone(), Value::Tensor(work)];
        self.start("QueueEnqueue", inputs).tensors().unwrap();
    }

    fn close(&self) {
        self.start("QueueClose", vec![self.queue.clone()]).tensors().unwrap();
    }

    fn read(&self) -> Pending {
        self.start("ReaderRead", vec![self.reader.clone(), self.queue.clone()])
    }

    fn read_up_to(&self, count: i64) -> Pending {
        let count = Value::Tensor(Tensor::scalar(count));
        self.start("ReaderReadUpTo", vec![self.reader.clone(), self.queue.clone(), count])
    }

    fn ask(&self, op: &str) -> Result<Vec<Tensor>> {
        self.start(op, vec![self.reader.clone()]).tensors()
    }

    fn progress(&self) -> (i64, i64) {
        let number = |op| self.ask(op).unwrap()[0].to_scalar::<i64>().unwrap();
        (number("ReaderNumRecordsProduced"), number("ReaderNumWorkUnitsCompleted"))
    }

    fn restore(&self, state: Tensor) -> Result<Vec<Tensor>> {
        let inputs = vec![self.reader.clone(), Value::Tensor(state)];
        self.start("ReaderRestoreState", inputs).tensors()
    }
}

/// Keys without their folder, and values, of a read.
fn pairs(pending: Pending) -> Result<Vec<(String, String)>> {
    let out = pending.tensors()?;
    let text = |bytes: &ByteString| String::from_utf8_lossy(bytes).into_owned();
    let name = |key: &ByteString| text(key).rsplit('/').next().unwrap_or_default().to_owned();
    let values = out[1].strings()?.iter().map(text);
    Ok(out[0].strings()?.iter().map(name).zip(values).collect())
}

fn pair(key: &str, value: &str) -> (String, String) {
    (key.to_owned(), value.to_owned())
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, contents: &[u8]) -> String {
        let path = self.0.path().join(name);
        std::fs::write(&path, contents).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

#[test]
fn work_is_read_in_both_handle_forms() {
    for suffix in ["", "V2"] {
        let t = Tested::of_version("IdentityReader", Attrs::new(), suffix);
        let waiting = t.read();
        assert!(waiting.is_waiting());
        t.enqueue("a");
        assert_eq!(pairs(waiting).unwrap(), [pair("a", "a")]);
        assert_eq!(t.progress(), (1, 1));
        t.enqueue("b");
        t.enqueue("c");
        assert_eq!(pairs(t.read_up_to(5)).unwrap(), [pair("b", "b")], "no unit waits for another");
        let state = t.ask("ReaderSerializeState").unwrap().remove(0);
        assert_eq!(pairs(t.read()).unwrap(), [pair("c", "c")]);
        t.restore(state).unwrap();
        assert_eq!(t.progress(), (2, 2));
        t.ask("ReaderReset").unwrap();
        assert_eq!(t.progress(), (0, 0));
        t.close();
        let error = pairs(t.read()).unwrap_err();
        assert_eq!(error.code(), Code::OutOfRange);
        assert!(error.message().contains("is closed and has insufficient elements"), "{error}");
        assert_eq!(pairs(t.read_up_to(0)).unwrap(), [], "nothing is asked of the queue");
        assert!(pairs(t.read_up_to(-1)).is_err());
    }
}

#[test]
fn states_that_cannot_be_are_refused() {
    let t = Tested::new("WholeFileReader", Attrs::new());
    let refused = |state: &[u8]| {
        t.restore(Tensor::from_string(state).unwrap()).unwrap_err().message().to_owned()
    };
    assert!(refused(b"\xff").contains("Could not parse state for WholeFileReader 'test'"));
    assert!(refused(b"\x08\x02\x10\x01").contains("Inconsistent work started vs. finished"));
    let negative = [[0x08].as_slice(), &[0xff; 9], &[0x01]].concat();
    assert!(refused(&negative).contains("Unexpected negative value"));
    assert!(t.restore(Tensor::vector(&[1f32]).unwrap()).is_err());
    let lines = Tested::new("TextLineReader", Attrs::new());
    let saved = lines.ask("ReaderSerializeState").unwrap_err();
    assert_eq!(saved.code(), Code::Unimplemented);
    assert!(lines.restore(Tensor::string("")).is_err());
}

#[test]
fn lines_are_numbered_and_their_ends_removed() {
    let folder = Folder::new();
    let attrs = Attrs::new().with("skip_header_lines", 1i64);
    let t = Tested::new("TextLineReader", attrs);
    t.enqueue(folder.file("one", b"header\n1\r\n\n3"));
    t.enqueue(folder.file("short", b"header"));
    t.enqueue(folder.file("two", b"header\nlast\n\r"));
    let first = [pair("one:2", "1"), pair("one:3", ""), pair("one:4", "3")];
    assert_eq!(pairs(t.read_up_to(2)).unwrap(), first[..2]);
    assert_eq!(pairs(t.read_up_to(9)).unwrap(), first[2..]);
    assert_eq!(pairs(t.read()).unwrap(), [pair("two:2", "last")]);
    assert_eq!(t.progress(), (4, 2));
    assert!(
        t.bench
            .values("TextLineReaderV2", Attrs::new().with("skip_header_lines", -1i64), vec![])
            .is_err()
    );
}

#[test]
fn a_missing_file_is_named_and_the_next_is_read() {
    let folder = Folder::new();
    let t = Tested::new("WholeFileReader", Attrs::new());
    let lines = Tested::new("TextLineReader", Attrs::new());
    for t in [&t, &lines] {
        t.enqueue(folder.0.path().join("none").to_str().unwrap());
        let missing = pairs(t.read()).unwrap_err();
        assert_eq!(missing.code(), Code::NotFound, "{missing}");
        assert!(missing.message().contains("none"));
    }
    lines.enqueue(folder.file("some", b"text"));
    assert_eq!(pairs(lines.read()).unwrap(), [pair("some:1", "text")]);
}

fn fixed(numbers: [i64; 4], encoding: &str) -> Tested {
    let names = ["header_bytes", "record_bytes", "footer_bytes", "hop_bytes"];
    let attrs = Attrs::new().with("encoding", encoding.to_owned());
    let attrs = names.iter().zip(numbers).fold(attrs, |attrs, (name, n)| attrs.with(name, n));
    Tested::new("FixedLengthRecordReader", attrs)
}

#[test]
fn records_of_a_fixed_length_may_overlap_or_lie_apart() {
    let folder = Folder::new();
    let file = folder.file("f", b"HHabcdefghFF");
    for (hop, expected) in [
        (0, ["abc", "def"].as_slice()),
        (1, &["abc", "bcd", "cde", "def", "efg", "fgh"]),
        (5, &["abc", "fgh"]),
        (9, &["abc"]),
    ] {
        let t = fixed([2, 3, 2, hop], "");
        t.enqueue(&file);
        let read = pairs(t.read_up_to(100)).unwrap();
        let values: Vec<&str> = read.iter().map(|(_, value)| &value[..]).collect();
        assert_eq!(values, expected, "hop {hop}");
        assert_eq!(read[read.len() - 1].0, format!("f:{}", expected.len() - 1));
    }
    let t = fixed([13, 1, 0, 0], "");
    t.enqueue(&file);
    assert_eq!(pairs(t.read()).unwrap_err().code(), Code::OutOfRange);
    let large = Attrs::new().with("record_bytes", i64::MAX).with("footer_bytes", 1i64);
    assert!(t.bench.values("FixedLengthRecordReaderV2", large, vec![]).is_err());
}

#[test]
fn records_of_compressed_files() {
    let folder = Folder::new();
    for (name, compression) in [("GZIP", Compression::Gzip), ("ZLIB", Compression::Zlib)] {
        let path = folder.0.path().join(name);
        write_records(&path, compression, &[b"one", b"two"]);
        let attrs = Attrs::new().with("compression_type", name.to_owned());
        let t = Tested::new("TFRecordReader", attrs);
        t.enqueue(path.to_str().unwrap());
        let read = pairs(t.read_up_to(9)).unwrap();
        assert_eq!(read, [pair(&format!("{name}:0"), "one"), pair(&format!("{name}:19"), "two")]);
        let fixed = fixed([12, 3, 0, 0], name);
        fixed.enqueue(path.to_str().unwrap());
        assert_eq!(pairs(fixed.read()).unwrap()[0].1, "one");
    }
}

fn write_records(path: &PathBuf, compression: Compression, records: &[&[u8]]) {
    let file = std::fs::File::create(path).unwrap();
    let mut writer = RecordWriter::new(file, compression);
    records.iter().for_each(|record| writer.write(record).unwrap());
    writer.finish().unwrap().flush().unwrap();
}

#[test]
fn a_damaged_record_is_an_error_each_time() {
    let folder = Folder::new();
    let path = folder.0.path().join("r");
    write_records(&path, Compression::None, &[b"one", b"two"]);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[19 + 12] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let t = Tested::new("TFRecordReader", Attrs::new());
    t.enqueue(path.to_str().unwrap());
    assert_eq!(pairs(t.read()).unwrap(), [pair("r:0", "one")]);
    for _ in 0..2 {
        assert_eq!(pairs(t.read()).unwrap_err().code(), Code::DataLoss);
    }
    t.ask("ReaderReset").unwrap();
    t.enqueue(path.to_str().unwrap());
    assert_eq!(pairs(t.read()).unwrap(), [pair("r:0", "one")]);
}

#[test]
fn a_cancelled_step_gives_the_reader_back() {
    let mut t = Tested::new("IdentityReader", Attrs::new());
    let (first, second) = (t.read(), t.read());
    let asked = t.start("ReaderNumRecordsProduced", vec![t.reader.clone()]);
    assert!(first.is_waiting() && second.is_waiting() && asked.is_waiting());
    t.bench.step.cancellation().cancel();
    for pending in [first, second] {
        assert_eq!(pending.tensors().unwrap_err().code(), Code::Cancelled);
    }
    // It may have had its turn when the reads ended.
    drop(asked.tensors());
    t.bench.next_step();
    t.enqueue("a");
    assert_eq!(pairs(t.read()).unwrap(), [pair("a", "a")]);
}

#[test]
fn only_queues_of_one_string_give_work() {
    let t = Tested::new("IdentityReader", Attrs::new());
    let attrs =
        Attrs::new().with("component_types", vec![DataType::Int32]).with("shared_name", "n");
    let queue = t.bench.values("FIFOQueueV2", attrs, vec![]).unwrap().remove(0);
    let put = vec![queue.clone(), Value::Tensor(Tensor::scalar(1i32))];
    t.start("QueueEnqueue", put).tensors().unwrap();
    let refused = t.start("ReaderRead", vec![t.reader.clone(), queue]).tensors().unwrap_err();
    assert!(refused.message().contains("single string component"), "{refused}");
    t.enqueue(Path::new("x").to_str().unwrap());
    assert_eq!(pairs(t.read()).unwrap(), [pair("x", "x")]);
}

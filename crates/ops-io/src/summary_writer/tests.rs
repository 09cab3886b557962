//! Writers together with what is written through them.

use std::path::Path;
use std::sync::Arc;

use downpour_formats::events::EventReader;
use downpour_runtime::ResourceManager;
use downpour_runtime::testing::OpTest;
use downpour_tensor::{ByteString, Code, Result, Tensor};
use downpour_wire::Message;
use downpour_wire::proto::event::What;
use downpour_wire::proto::{Event, Summary, summary};

use super::register;

struct Tested {
    folder: tempfile::TempDir,
    resources: Arc<ResourceManager>,
}

impl Tested {
    fn new(max_queue: i32) -> Tested {
        let folder = tempfile::tempdir().unwrap();
        let tested = Tested { folder, resources: Arc::default() };
        tested.create(max_queue).unwrap();
        tested
    }

    fn create(&self, max_queue: i32) -> Result<Vec<Tensor>> {
        let logs = self.folder.path().join("logs");
        self.op("CreateSummaryFileWriter")
            .input(Tensor::from_string(logs.to_str().unwrap()).unwrap())
            .input(Tensor::scalar(max_queue))
            .input(Tensor::scalar(1_000_000i32))
            .input(Tensor::string("v2"))
            .run()
    }

    /// An operation whose first input is the writer.
    fn op(&self, op: &str) -> OpTest {
        let handle = OpTest::new(register, "SummaryWriter").attr("shared_name", "w");
        let handle = handle.resources(&self.resources).run_one().unwrap();
        OpTest::new(register, op).resources(&self.resources).input(handle)
    }

    fn scalar(&self, step: i64, value: f32) {
        let op = self.op("WriteScalarSummary").input(Tensor::scalar(step));
        op.input(Tensor::string("loss")).input(Tensor::scalar(value)).run().unwrap();
    }

    fn file(&self) -> std::path::PathBuf {
        let mut files = std::fs::read_dir(self.folder.path().join("logs")).unwrap();
        let file = files.next().unwrap().unwrap().path();
        assert!(files.next().is_none());
        file
    }

    fn events(&self) -> Vec<Event> {
        events(&self.file())
    }
}

fn events(path: &Path) -> Vec<Event> {
    let mut reader = EventReader::open(path).unwrap();
    std::iter::from_fn(|| reader.next_event().unwrap()).collect()
}

fn value(event: &Event) -> &summary::Value {
    match &event.what {
        Some(What::Summary(summary)) => &summary.value[0],
        other => panic!("{other:?}"),
    }
}

#[test]
fn events_wait_until_the_queue_is_full_or_flushed() {
    let t = Tested::new(1);
    let name = t.file().file_name().unwrap().to_str().unwrap().to_owned();
    let own = format!(".{}.", std::process::id());
    assert!(name.starts_with("events.out.tfevents.") && name.ends_with(".v2"), "{name}");
    assert!(name.contains(&own), "{name}");
    t.scalar(1, 0.5);
    assert_eq!(t.events().len(), 1, "only the version");
    t.scalar(2, 0.25);
    assert_eq!(t.events().len(), 3);
    t.scalar(3, 0.125);
    t.op("FlushSummaryWriter").run().unwrap();
    let events = t.events();
    assert_eq!(events[3].step, 3);
    assert_eq!(value(&events[3]).value, Some(summary::value::Value::SimpleValue(0.125)));
    t.create(9).unwrap();
    assert_eq!(t.events().len(), 4, "the same writer, not another file");
}

#[test]
fn closing_writes_the_rest_and_ends_the_writer() {
    let t = Tested::new(100);
    t.scalar(1, 0.5);
    t.op("CloseSummaryWriter").run().unwrap();
    assert_eq!(t.events().len(), 2);
    for op in ["FlushSummaryWriter", "CloseSummaryWriter"] {
        assert_eq!(t.op(op).run().unwrap_err().code(), Code::NotFound);
    }
}

#[test]
fn values_of_every_kind() {
    let t = Tested::new(0);
    let at = |op: &str| t.op(op).input(Tensor::scalar(7i64));
    let tensor = Tensor::vector(&[1i32, 2]).unwrap();
    at("WriteSummary")
        .input(tensor)
        .input(Tensor::string("t"))
        .input(Tensor::string(""))
        .run()
        .unwrap();
    let truths = Tensor::vector(&[true, false]).unwrap();
    at("WriteHistogramSummary").input(Tensor::string("h")).input(truths).run().unwrap();
    let image = Tensor::from_slice([1, 1, 1, 1], &[0.5f32]).unwrap();
    at("WriteImageSummary")
        .input(Tensor::string("i"))
        .input(image)
        .input(Tensor::vector(&[255u8]).unwrap())
        .run()
        .unwrap();
    let sound = Tensor::from_slice([1, 2], &[0.5f32, 0.25]).unwrap();
    at("WriteAudioSummary")
        .input(Tensor::string("a"))
        .input(sound)
        .input(Tensor::scalar(8000f32))
        .run()
        .unwrap();
    let tags: Vec<String> = t.events()[1..].iter().map(|e| value(e).tag.clone()).collect();
    assert_eq!(tags, ["t", "h", "i/image/0", "a/audio/0"]);
}

#[test]
fn messages_are_written_as_they_are_and_checked() {
    let t = Tested::new(0);
    let one = |tag: &str| {
        let value = vec![summary::Value { tag: tag.into(), ..Default::default() }];
        ByteString::from_vec(Summary { value }.encode_to_vec()).unwrap()
    };
    let both = Tensor::from_strings([2], vec![one("a"), one("b")]).unwrap();
    let step = Tensor::scalar(3i64);
    t.op("WriteRawProtoSummary").input(step.clone()).input(both).run().unwrap();
    let event = Event { step: 9, ..Default::default() }.encode_to_vec();
    t.op("ImportEvent").input(Tensor::from_string(event).unwrap()).run().unwrap();
    t.op("WriteGraphSummary").input(step.clone()).input(Tensor::string("")).run().unwrap();
    let events = t.events();
    assert_eq!((events[1].step, events[2].step, events[3].step), (3, 9, 3));
    assert!(matches!(&events[1].what, Some(What::Summary(s)) if s.value.len() == 2));
    let bad = || Tensor::string("\u{7f}bad");
    let raw = t.op("WriteRawProtoSummary").input(step.clone()).input(bad()).run().unwrap_err();
    assert!(raw.message().contains("Bad tf.compat.v1.Summary binary proto tensor string"));
    assert_eq!(t.op("ImportEvent").input(bad()).run().unwrap_err().code(), Code::DataLoss);
    assert!(t.op("WriteGraphSummary").input(step).input(bad()).run().is_err());
    let steps = Tensor::vector(&[1i64, 2]).unwrap();
    assert!(t.op("WriteRawProtoSummary").input(steps).input(Tensor::string("")).run().is_err());
}

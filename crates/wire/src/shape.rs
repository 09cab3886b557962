//! What a message takes in memory when it is decoded, known from its encoding before that is done.
//!
//! Two bytes on the wire may be an empty message in a list, which takes hundreds. [`Scan`] walks an encoding as it comes,
//! piece by piece, along the shapes of its messages (`build/shapes.rs` makes the tables) and adds up what decoding will
//! allocate. It looks at tags and lengths and passes over contents, so that large tensors cost it nothing.

include!(concat!(env!("OUT_DIR"), "/shapes.rs"));

/// Messages that may stand in one another; prost allows as many.
const MAX_DEPTH: usize = 101;
/// What an element of a list takes after the first: vectors grow by doubling.
const GROWTH: usize = 2;
/// The least that an allocation takes.
const ALLOCATION: usize = 32;

/// A kind of message.
pub struct Shape {
    /// By number.
    fields: &'static [Field],
}

struct Field {
    number: u32,
    /// The shape of its messages, if it has such.
    shape: Option<usize>,
    /// What one element takes outside of the message it stands in.
    place: usize,
    /// Places that come with the first element.
    first: usize,
    /// Bytes in memory for one on the wire, where elements are packed.
    packed: usize,
    /// The contents are copied; others are shared with the encoding.
    is_copied: bool,
}

/// The shape of the message that a method takes, by its path ("/tensorflow.MasterService/RunStep").
pub fn request_shape(path: &str) -> Option<&'static Shape> {
    REQUESTS.iter().find(|(method, _)| *method == path).map(|(_, number)| &SHAPES[*number])
}

/// An encoding that no decoder of ours takes.
#[derive(Debug, PartialEq, Eq)]
pub struct Malformed;

/// The walk over one message.
pub struct Scan {
    /// The messages around the next byte, and where each ends.
    open: Vec<Open>,
    at: usize,
    next: Next,
    /// A number of which some bytes have come.
    number: u64,
    shift: u32,
}

struct Open {
    shape: &'static Shape,
    end: usize,
    /// The fields that were seen, by their place among the first 64.
    seen: u64,
}

/// What the next byte belongs to.
#[derive(Clone, Copy)]
enum Next {
    Tag,
    Varint,
    Length(Option<&'static Field>),
    Contents(usize),
}

impl Scan {
    /// Of a message of `length` bytes.
    pub fn new(shape: &'static Shape, length: usize) -> Scan {
        let open = vec![Open { shape, end: length, seen: 0 }];
        Scan { open, at: 0, next: Next::Tag, number: 0, shift: 0 }
    }

    /// Takes the next piece of the encoding; returns the bytes of memory it will take.
    pub fn take(&mut self, mut piece: &[u8]) -> Result<usize, Malformed> {
        let mut cost = 0usize;
        while !piece.is_empty() {
            if let Next::Contents(left) = self.next {
                let passed = left.min(piece.len());
                piece = &piece[passed..];
                self.at += passed;
                self.next = if left == passed { Next::Tag } else { Next::Contents(left - passed) };
                continue;
            }
            while matches!(self.next, Next::Tag) && self.shift == 0 && self.is_at_end() {
                self.open.pop();
            }
            let byte = piece[0];
            piece = &piece[1..];
            self.at += 1;
            if let Some(number) = self.digit(byte)? {
                cost = cost.saturating_add(self.step(number)?);
            }
        }
        Ok(cost)
    }

    fn is_at_end(&self) -> bool {
        self.open.len() > 1 && self.open.last().is_some_and(|open| open.end == self.at)
    }

    /// Adds a byte to the number that is being read; returns it when it is complete.
    fn digit(&mut self, byte: u8) -> Result<Option<u64>, Malformed> {
        if self.shift > 63 {
            return Err(Malformed);
        }
        self.number |= u64::from(byte & 0x7f) << self.shift;
        self.shift += 7;
        if byte & 0x80 != 0 {
            return Ok(None);
        }
        self.shift = 0;
        Ok(Some(std::mem::take(&mut self.number)))
    }

    /// A number is complete: a tag, a value or a length.
    fn step(&mut self, number: u64) -> Result<usize, Malformed> {
        match self.next {
            Next::Varint | Next::Contents(_) => self.next = Next::Tag,
            Next::Length(field) => return self.begin(field, number),
            Next::Tag => {
                let (field, cost) = self.field(u32::try_from(number >> 3).map_err(|_| Malformed)?);
                self.next = match number & 7 {
                    0 => Next::Varint,
                    1 => Next::Contents(8),
                    5 => Next::Contents(4),
                    2 => Next::Length(field),
                    // Groups are not used by any message of TensorFlow.
                    _ => return Err(Malformed),
                };
                return Ok(cost);
            }
        }
        Ok(0)
    }

    /// The field of a number in the innermost message, and what one more element of it takes.
    fn field(&mut self, number: u32) -> (Option<&'static Field>, usize) {
        let Some(open) = self.open.last_mut() else { return (None, 0) };
        let fields = open.shape.fields;
        let Ok(index) = fields.binary_search_by_key(&number, |field| field.number) else {
            return (None, 0);
        };
        let field = &fields[index];
        let bit = 1u64.checked_shl(index as u32).unwrap_or(0);
        let places = if open.seen & bit == 0 { field.first } else { GROWTH.min(field.first) };
        open.seen |= bit;
        (Some(field), field.place * places)
    }

    /// The contents of a field of `length` bytes begin.
    fn begin(&mut self, field: Option<&'static Field>, length: u64) -> Result<usize, Malformed> {
        let length = usize::try_from(length).map_err(|_| Malformed)?;
        let end = self.at.checked_add(length).ok_or(Malformed)?;
        if self.open.last().is_none_or(|open| end > open.end) {
            return Err(Malformed);
        }
        self.next = if length == 0 { Next::Tag } else { Next::Contents(length) };
        let Some(field) = field else { return Ok(0) };
        if let Some(shape) = field.shape
            && length > 0
        {
            if self.open.len() >= MAX_DEPTH {
                return Err(Malformed);
            }
            self.open.push(Open { shape: &SHAPES[shape], end, seen: 0 });
            self.next = Next::Tag;
        }
        let copied = if field.is_copied && length > 0 { length.max(ALLOCATION) } else { 0 };
        Ok(copied + length.saturating_mul(field.packed * GROWTH))
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use prost::Message;

    use super::*;
    use crate::proto;

    const RUN_STEP: &str = "/tensorflow.MasterService/RunStep";
    const CREATE_SESSION: &str = "/tensorflow.MasterService/CreateSession";

    fn cost(path: &str, message: &[u8]) -> Result<usize, Malformed> {
        let scan = || Scan::new(request_shape(path).unwrap(), message.len());
        let whole = scan().take(message)?;
        let mut one_by_one = scan();
        let bytes = message.chunks(1).map(|byte| one_by_one.take(byte).unwrap()).sum::<usize>();
        assert_eq!(bytes, whole, "pieces make no difference");
        Ok(whole)
    }

    /// A shape says at least what the struct takes, and not much more.
    #[test]
    fn shapes_know_the_size_of_messages() {
        let shape = request_shape(RUN_STEP).unwrap();
        let field =
            |shape: &Shape, number| shape.fields.iter().find(|f| f.number == number).unwrap().place;
        let named = size_of::<proto::NamedTensorProto>();
        assert!((named..named + 64).contains(&field(shape, 2)), "{} of {named}", field(shape, 2));
        let graph = &SHAPES[request_shape(CREATE_SESSION).unwrap().fields[0].shape.unwrap()];
        let node = size_of::<proto::NodeDef>();
        assert!((node..node + 64).contains(&field(graph, 1)), "{} of {node}", field(graph, 1));
        let attributes = &SHAPES[graph.fields[0].shape.unwrap()];
        let entry = size_of::<(String, proto::AttrValue)>();
        assert!(
            (entry..entry + 32).contains(&field(attributes, 5)),
            "{} of {entry}",
            field(attributes, 5)
        );
    }

    #[test]
    fn empty_parts_cost_what_they_take() {
        let named = size_of::<proto::NamedTensorProto>();
        assert!(cost(RUN_STEP, &[0x12, 0].repeat(1000)).unwrap() >= 1000 * named);
        // In a graph, and attributes in its nodes.
        let graph =
            proto::GraphDef { node: vec![proto::NodeDef::default(); 1000], ..Default::default() };
        let create = proto::CreateSessionRequest { graph_def: Some(graph), ..Default::default() };
        let nodes = 1000 * size_of::<proto::NodeDef>();
        assert!(cost(CREATE_SESSION, &create.encode_to_vec()).unwrap() >= nodes);
        let node = [&[0x0a, 2, 0x2a, 0][..]].concat().repeat(10);
        let graph = [&[0x0a, node.len() as u8][..], &node].concat();
        let leaves = 10 * 11 * size_of::<(String, proto::AttrValue)>();
        assert!(cost(CREATE_SESSION, &graph).unwrap() >= leaves);
    }

    #[test]
    fn large_tensors_cost_nothing_beyond_their_bytes() {
        let tensor = proto::TensorProto {
            tensor_content: Bytes::from([0x12, 0].repeat(1 << 20)),
            int64_val: vec![1; 1000],
            ..Default::default()
        };
        let feed = proto::NamedTensorProto { name: "x".into(), tensor: Some(tensor) };
        let step = proto::RunStepRequest { feed: vec![feed], ..Default::default() };
        let cost = cost(RUN_STEP, &step.encode_to_vec()).unwrap();
        assert!((8_000..20_000).contains(&cost), "{cost}");
    }

    #[test]
    fn what_cannot_be_decoded_is_malformed() {
        for bad in [&[0x0b][..], &[0x12, 5, 1], &[0x12, 3, 0x12, 5, 0], &[0xff; 11]] {
            let scan = Scan::new(request_shape(RUN_STEP).unwrap(), bad.len()).take(bad);
            assert_eq!(scan, Err(Malformed), "{bad:?}");
        }
        assert!(request_shape("/tensorflow.MasterService/Nothing").is_none());
    }
}

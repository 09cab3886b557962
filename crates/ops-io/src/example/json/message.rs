//! Writes a message while its JSON is read.

use std::collections::HashSet;
use std::fmt;

use downpour_tensor::{ByteString, Result, Status, StringWriter};
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use crate::string::base64;

/// The fields of a type of message.
pub(super) struct Message {
    fields: &'static [Field],
    /// Whether only one of the fields may be there.
    is_choice: bool,
}

struct Field {
    /// In JSON's spelling and in that of the definition.
    names: [&'static str; 2],
    number: u8,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Message(&'static Message),
    /// A map from strings to messages.
    Map(&'static Message),
    Bytes,
    Float,
    Int64,
}

const fn field(names: [&'static str; 2], number: u8, kind: Kind) -> Field {
    Field { names, number, kind }
}

const fn list(kind: Kind) -> [Field; 1] {
    [field(["value", "value"], 1, kind)]
}

static BYTES: Message = Message { fields: &list(Kind::Bytes), is_choice: false };
static FLOATS: Message = Message { fields: &list(Kind::Float), is_choice: false };
static INTEGERS: Message = Message { fields: &list(Kind::Int64), is_choice: false };
static FEATURE: Message = Message {
    fields: &[
        field(["bytesList", "bytes_list"], 1, Kind::Message(&BYTES)),
        field(["floatList", "float_list"], 2, Kind::Message(&FLOATS)),
        field(["int64List", "int64_list"], 3, Kind::Message(&INTEGERS)),
    ],
    is_choice: true,
};
static FEATURES: Message =
    Message { fields: &[field(["feature", "feature"], 1, Kind::Map(&FEATURE))], is_choice: false };
/// A tf.Example.
pub(super) static EXAMPLE: Message = Message {
    fields: &[field(["features", "features"], 1, Kind::Message(&FEATURES))],
    is_choice: false,
};

/// Why a text became no message.
pub(super) struct Failure {
    pub what: String,
    /// The refusal, where memory was short.
    pub memory: Option<Status>,
}

/// Returns the serialised message that the JSON describes.
pub(super) fn encode(text: &[u8], message: &'static Message) -> Result<ByteString, Failure> {
    let mut out = Output::default();
    let mut reader = serde_json::Deserializer::from_slice(text);
    let read = reader.deserialize_map(Body { message, out: &mut out });
    match read.and_then(|()| reader.end()) {
        Ok(()) => Ok(out.bytes.finish()),
        Err(error) => Err(Failure { what: error.to_string(), memory: out.refused }),
    }
}

#[derive(Default)]
struct Output {
    bytes: StringWriter,
    refused: Option<Status>,
}

impl Output {
    fn push<E: serde::de::Error>(&mut self, bytes: &[u8]) -> Result<(), E> {
        self.bytes.push(bytes).map_err(|refused| {
            let error = E::custom(refused.message());
            self.refused = Some(refused);
            error
        })
    }

    fn varint<E: serde::de::Error>(&mut self, mut value: u64) -> Result<(), E> {
        while value >= 0x80 {
            self.push(&[value as u8 | 0x80])?;
            value >>= 7;
        }
        self.push(&[value as u8])
    }

    /// Writes a field that is a string or a message.
    fn string<E: serde::de::Error>(&mut self, number: u8, bytes: &[u8]) -> Result<(), E> {
        self.push(&[number << 3 | 2])?;
        self.varint(bytes.len() as u64)?;
        self.push(bytes)
    }

    /// Writes a field that is a message, which `write` writes.
    fn nested<E: serde::de::Error>(
        &mut self,
        number: u8,
        write: impl FnOnce(&mut Output) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut inner = Output::default();
        let written = write(&mut inner);
        self.refused = self.refused.take().or(inner.refused);
        written?;
        self.string(number, &inner.bytes)
    }
}

/// The fields of a message between its braces.
struct Body<'a> {
    message: &'static Message,
    out: &'a mut Output,
}

impl<'de> Visitor<'de> for Body<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut is_set = false;
        while let Some(name) = map.next_key::<String>()? {
            let field = self.message.fields.iter().find(|f| f.names.contains(&&name[..]));
            let field =
                field.ok_or_else(|| A::Error::custom(format!("no such field: '{name}'")))?;
            if self.message.is_choice && is_set {
                return Err(A::Error::custom(format!(
                    "'{name}' has already been set (either directly or as part of a oneof)"
                )));
            }
            is_set = true;
            map.next_value_seed(Value {
                kind: field.kind,
                number: field.number,
                in_list: false,
                out: self.out,
            })?;
        }
        Ok(())
    }
}

/// The value of a field, or an element of a list.
struct Value<'a> {
    kind: Kind,
    number: u8,
    in_list: bool,
    out: &'a mut Output,
}

impl Value<'_> {
    fn integer<E: serde::de::Error>(self, value: i64) -> Result<(), E> {
        match self.kind {
            Kind::Int64 => {
                self.out.push(&[self.number << 3])?;
                self.out.varint(value as u64)
            }
            Kind::Float => self.float(value as f64),
            _ => Err(E::custom("unexpected number")),
        }
    }

    fn float<E: serde::de::Error>(self, value: f64) -> Result<(), E> {
        match self.kind {
            Kind::Float => {
                let single = value as f32;
                if single.is_infinite() && value.is_finite() {
                    return Err(E::custom("float out of range"));
                }
                self.out.push(&[self.number << 3 | 5])?;
                self.out.push(&single.to_le_bytes())
            }
            Kind::Int64
                if value.fract() == 0.0 && value >= i64::MIN as f64 && value < i64::MAX as f64 =>
            {
                self.integer(value as i64)
            }
            Kind::Int64 => Err(E::custom("expected integer, but JSON number is none")),
            _ => Err(E::custom("unexpected number")),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            Kind::Message(_) | Kind::Map(_) => "an object",
            Kind::Bytes => "a string of base64",
            Kind::Float => "a number or a string",
            Kind::Int64 => "an integer or a string",
        })
    }

    /// Nothing for a field; in a list the value that is left out.
    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        match self.kind {
            _ if !self.in_list => Ok(()),
            Kind::Bytes => self.out.string(self.number, b""),
            _ => self.integer(0),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        match self.kind {
            Kind::Message(message) => {
                self.out.nested(self.number, |out| Body { message, out }.visit_map(map))
            }
            Kind::Map(message) => {
                let mut keys = HashSet::new();
                while let Some(key) = map.next_key::<String>()? {
                    self.out.nested(self.number, |out| {
                        out.string(1, key.as_bytes())?;
                        let kind = Kind::Message(message);
                        map.next_value_seed(Value { kind, number: 2, in_list: false, out })
                    })?;
                    if let Some(key) = keys.replace(key) {
                        return Err(A::Error::custom(format!("repeated map key: '{key}'")));
                    }
                }
                Ok(())
            }
            _ => Err(A::Error::custom("unexpected object")),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        if self.in_list || matches!(self.kind, Kind::Message(_) | Kind::Map(_)) {
            return Err(A::Error::custom("unexpected list"));
        }
        let Value { kind, number, out, .. } = self;
        while list
            .next_element_seed(Value { kind, number, in_list: true, out: &mut *out })?
            .is_some()
        {}
        Ok(())
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<(), E> {
        self.integer(value)
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<(), E> {
        match (self.kind, i64::try_from(value)) {
            (Kind::Float, _) => self.float(value as f64),
            (_, Ok(value)) => self.integer(value),
            (_, Err(_)) => Err(E::custom("JSON number out of range for int")),
        }
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<(), E> {
        self.float(value)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<(), E> {
        let is_number = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
        match (self.kind, text) {
            (Kind::Bytes, _) => {
                // Both alphabets are taken.
                let web: Vec<u8> = text
                    .bytes()
                    .map(|b| match b {
                        b'+' => b'-',
                        b'/' => b'_',
                        b => b,
                    })
                    .collect();
                let bytes = base64::decode(&web).map_err(|_| E::custom("corrupt base64"))?;
                self.out.string(self.number, &bytes)
            }
            (Kind::Float, "NaN") => self.float(f64::NAN),
            (Kind::Float, "Infinity") => self.float(f64::INFINITY),
            (Kind::Float, "-Infinity") => self.float(f64::NEG_INFINITY),
            (Kind::Float | Kind::Int64, _) if is_number && !text.starts_with('+') => {
                if let (Kind::Int64, Ok(value)) = (self.kind, text.parse()) {
                    return self.integer(value);
                }
                self.float(
                    text.parse()
                        .map_err(|_| E::custom("non-number characters in quoted number"))?,
                )
            }
            _ => Err(E::custom("non-number characters in quoted number")),
        }
    }
}

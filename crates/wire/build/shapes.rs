//! Writes what each message takes in memory when it is decoded, as tables for `src/shape.rs`.

use std::collections::HashMap;
use std::fmt::Write;

use protox::prost_reflect::{DescriptorPool, FieldDescriptor, Kind, MessageDescriptor};

/// What a pointer, a vector (or string, or map) and `Bytes` take in a message.
const POINTER: usize = 8;
const VECTOR: usize = 24;
const BYTES: usize = 32;
/// Places that come with the first element of a vector and with the first node of an ordered map.
const FIRST_OF_LIST: usize = 4;
const FIRST_OF_MAP: usize = 12;

/// Rust source: the shapes of all messages, and the number of that which each method of a service takes.
pub fn source(pool: &DescriptorPool, boxed: &[&str]) -> String {
    let messages: Vec<MessageDescriptor> = pool.all_messages().collect();
    let names = messages.iter().map(|message| message.full_name().to_string());
    let sizes = Sizes { numbers: names.zip(0..).collect(), boxed };
    let mut text = format!("pub static SHAPES: [Shape; {}] = [\n", messages.len());
    for message in &messages {
        text.push_str("Shape { fields: &[");
        let mut fields: Vec<FieldDescriptor> = message.fields().collect();
        fields.sort_by_key(FieldDescriptor::number);
        for field in fields {
            // Writing to a string cannot fail.
            let _ = write!(text, "{}, ", sizes.source(message, &field));
        }
        text.push_str("] },\n");
    }
    text.push_str("];\npub static REQUESTS: &[(&str, usize)] = &[\n");
    for service in pool.services() {
        for method in service.methods() {
            let (service, method, input) = (service.full_name(), method.name(), method.input());
            let number = sizes.numbers[input.full_name()];
            let _ = writeln!(text, "(\"/{service}/{method}\", {number}),");
        }
    }
    text.push_str("];\n");
    text
}

struct Sizes<'a> {
    numbers: HashMap<String, usize>,
    boxed: &'a [&'a str],
}

impl Sizes<'_> {
    /// A field as source.
    fn source(&self, parent: &MessageDescriptor, field: &FieldDescriptor) -> String {
        let kind = field.kind();
        let shape = kind.as_message().map(|message| self.numbers[message.full_name()]);
        let (place, first) = if field.is_map() {
            (self.entry(field), FIRST_OF_MAP)
        } else if field.is_list() {
            (self.single(&kind), FIRST_OF_LIST)
        } else if self.is_boxed(parent, field) {
            (self.single(&kind), 1)
        } else {
            (0, 0)
        };
        let packed = match kind {
            _ if !field.is_list() => 0,
            Kind::Int64 | Kind::Uint64 | Kind::Sint64 => 8,
            Kind::Int32 | Kind::Uint32 | Kind::Sint32 | Kind::Enum(_) => 4,
            Kind::String | Kind::Bytes | Kind::Message(_) => 0,
            // As many bytes in memory as on the wire.
            _ => 1,
        };
        let is_copied = matches!(kind, Kind::String);
        let number = field.number();
        format!(
            "Field {{ number: {number}, shape: {shape:?}, place: {place}, first: {first}, packed: {packed}, \
             is_copied: {is_copied} }}"
        )
    }

    /// The size of the struct of a message, or a little more.
    fn message(&self, message: &MessageDescriptor) -> usize {
        let fields = message.fields().filter(|field| field.containing_oneof().is_none());
        let plain: usize = fields.map(|field| self.in_place(message, &field)).sum();
        // An optional field stands in a one-of of its own.
        let one_of = |fields: &mut dyn Iterator<Item = FieldDescriptor>| {
            fields.map(|field| self.in_place(message, &field)).max().unwrap_or(0) + POINTER
        };
        let choices: usize = message.oneofs().map(|choice| one_of(&mut choice.fields())).sum();
        (plain + choices).next_multiple_of(8)
    }

    /// What a field takes within its message.
    fn in_place(&self, parent: &MessageDescriptor, field: &FieldDescriptor) -> usize {
        if field.is_list() || field.is_map() {
            VECTOR
        } else if self.is_boxed(parent, field) {
            POINTER
        } else {
            match field.kind() {
                Kind::Message(message) => self.message(&message) + POINTER,
                kind => self.single(&kind),
            }
        }
    }

    fn single(&self, kind: &Kind) -> usize {
        match kind {
            Kind::Message(message) => self.message(message),
            Kind::String => VECTOR,
            Kind::Bytes => BYTES,
            Kind::Bool => 1,
            Kind::Float | Kind::Fixed32 | Kind::Sfixed32 | Kind::Enum(_) => 4,
            Kind::Int32 | Kind::Uint32 | Kind::Sint32 => 4,
            _ => 8,
        }
    }

    /// What the key and the value of a map take.
    fn entry(&self, field: &FieldDescriptor) -> usize {
        let kind = field.kind();
        let fields = kind.as_message().map(MessageDescriptor::fields).into_iter().flatten();
        fields.map(|field| self.single(&field.kind())).sum()
    }

    /// A message that could contain itself lies elsewhere, and so do those that we choose.
    fn is_boxed(&self, parent: &MessageDescriptor, field: &FieldDescriptor) -> bool {
        let kind = field.kind();
        let Some(message) = kind.as_message() else { return false };
        let choice = field.containing_oneof().map(|choice| choice.name().to_string());
        let path = [Some(parent.full_name().to_string()), choice, Some(field.name().to_string())];
        let path = path.into_iter().flatten().collect::<Vec<_>>().join(".");
        self.boxed.iter().any(|name| name.strip_prefix('.') == Some(path.as_str()))
            || contains(message, parent, &mut Vec::new())
    }
}

/// Whether `inner` can be found within `outer` without a list or a map between them.
fn contains(outer: &MessageDescriptor, inner: &MessageDescriptor, seen: &mut Vec<String>) -> bool {
    if outer == inner {
        return true;
    }
    if seen.iter().any(|name| name == outer.full_name()) {
        return false;
    }
    seen.push(outer.full_name().to_string());
    outer.fields().filter(|field| !field.is_list() && !field.is_map()).any(|field| {
        let kind = field.kind();
        kind.as_message().is_some_and(|message| contains(message, inner, seen))
    })
}

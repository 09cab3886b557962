"""Compares the messages and services of crates/wire with those of a real TensorFlow.

    python tests/oracle/check_protos.py [DESCRIPTORS]

DESCRIPTORS is an encoded FileDescriptorSet; without it, cargo builds and runs the example that
prints ours. Every message and enumeration of ours must exist in TensorFlow with exactly the same
fields and values; every service must have exactly TensorFlow's methods. Prints each difference
and exits with 1 if there is any. Needs a Python with tensorflow (or tensorflow-cpu) installed.
"""

import importlib
import mmap
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import tensorflow_environment
import tensorflow
from google.protobuf import descriptor_pb2

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
TENSORFLOW = pathlib.Path(tensorflow.__file__).parent
Field = descriptor_pb2.FieldDescriptorProto
NUMERIC = set(Field.Type.values()) - {
    Field.TYPE_STRING,
    Field.TYPE_BYTES,
    Field.TYPE_MESSAGE,
    Field.TYPE_GROUP,
}


def our_files():
    if len(sys.argv) > 1:
        encoded = pathlib.Path(sys.argv[1]).read_bytes()
    else:
        encoded = subprocess.run(
            ["cargo", "run", "--quiet", "-p", "downpour-wire", "--example", "descriptors"],
            cwd=REPOSITORY,
            check=True,
            stdout=subprocess.PIPE,
        ).stdout
    files = descriptor_pb2.FileDescriptorSet.FromString(encoded).file
    return [file for file in files if file.package.split(".")[0] == "tensorflow"]


def python_files():
    """The descriptors in TensorFlow's Python modules."""
    for path in sorted(TENSORFLOW.rglob("*_pb2.py")):
        name = ".".join(path.relative_to(TENSORFLOW.parent).with_suffix("").parts)
        try:
            module = importlib.import_module(name)
        except Exception:
            # Some modules import others that the wheel leaves out. If one we need is among
            # them, its messages are reported as missing.
            continue
        yield descriptor_pb2.FileDescriptorProto.FromString(module.DESCRIPTOR.serialized_pb)


def library_files(library):
    """The descriptors compiled into TensorFlow's library: master.proto and worker.proto have no
    Python module, but C++ keeps the encoded descriptor of every message it is linked with."""
    for match in re.finditer(rb"\x0a(.)((?:tensorflow|xla|tsl)/[\w/]+\.proto)\x12", library):
        if len(match[2]) == match[1][0]:
            end = descriptor_end(library, match.start())
            if end is not None:
                encoded = library[match.start() : end]
                yield descriptor_pb2.FileDescriptorProto.FromString(encoded)


def descriptor_end(data, position):
    """Where the FileDescriptorProto at `position` ends. Its length is not stored beside it, but
    fields are written in order and `syntax` (12) is the last one a proto3 file has."""

    def varint(position):
        value = shift = 0
        while True:
            byte = data[position]
            position += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value, position

    previous = 0
    while True:
        key, position = varint(position)
        number, wire_type = key >> 3, key & 7
        if number < previous or number > 12 or wire_type not in (0, 2):
            return None
        value, position = varint(position)
        if wire_type == 2:
            position += value
        if position > len(data):
            return None
        if number == 12:
            return position
        previous = number


def definitions(files):
    """Full name to a comparable description: members by number."""
    found = {}

    def enumeration(prefix, enum):
        members = {value.number: value.name for value in enum.value}
        found.setdefault(f"{prefix}.{enum.name}", members)

    def message(prefix, descriptor):
        name = f"{prefix}.{descriptor.name}"
        members = {field.number: describe(descriptor, field) for field in descriptor.field}
        found.setdefault(name, members)
        for nested in descriptor.nested_type:
            message(name, nested)
        for nested in descriptor.enum_type:
            enumeration(name, nested)

    for file in files:
        for descriptor in file.message_type:
            message(file.package, descriptor)
        for enum in file.enum_type:
            enumeration(file.package, enum)
    return found


def describe(message, field):
    """All of a field that shows on the wire or in the generated interface."""
    repeated = field.label == Field.LABEL_REPEATED
    words = ["repeated"] if repeated else []
    # proto3 packs unless told not to.
    if repeated and field.type in NUMERIC:
        packed = field.options.packed or not field.options.HasField("packed")
        words.append("packed" if packed else "unpacked")
    words.append(field.type_name or Field.Type.Name(field.type)[5:].lower())
    words.append(field.name)
    if message.options.map_entry:
        words.append("(of a map)")
    if field.proto3_optional:
        words.append("(optional)")
    elif field.HasField("oneof_index"):
        words.append(f"(one of {message.oneof_decl[field.oneof_index].name})")
    return " ".join(words)


def compare_definitions(ours, theirs):
    for name, members in sorted(ours.items()):
        if name not in theirs:
            yield f"{name}: TensorFlow has none"
            continue
        for number in sorted(members.keys() | theirs[name].keys()):
            our, their = members.get(number), theirs[name].get(number)
            if our != their:
                yield f"{name} {number}: ours is {our!r}, TensorFlow's {their!r}"


def compare_services(files, library):
    """TensorFlow's library knows its services only as paths; what a method takes and returns
    follows from its name."""
    for file in files:
        for service in file.service:
            name = f"{file.package}.{service.name}"
            paths = re.finditer(rb"/%s/(\w+)\0" % re.escape(name).encode(), library)
            theirs = {path[1].decode() for path in paths}
            ours = {method.name for method in service.method}
            for method in sorted(ours ^ theirs):
                yield f"{name}/{method}: only {'ours' if method in ours else 'TensorFlow'} has it"
            for method in service.method:
                expected = (f".{file.package}.{method.name}{end}" for end in ("Request", "Response"))
                streaming = method.client_streaming or method.server_streaming
                if streaming or (method.input_type, method.output_type) != tuple(expected):
                    yield f"{name}/{method.name}: not from its Request to its Response"


def main():
    files = our_files()
    ours = definitions(files)
    with open(TENSORFLOW / "libtensorflow_cc.so.2", "rb") as file:
        library = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    theirs = definitions([*python_files(), *library_files(library)])
    differences = [*compare_definitions(ours, theirs), *compare_services(files, library)]
    for difference in differences:
        print(difference)
    methods = sum(len(service.method) for file in files for service in file.service)
    print(
        f"{len(ours)} messages and enumerations and {methods} methods compared with "
        f"TensorFlow {tensorflow.__version__}: {len(differences)} differences",
        file=sys.stderr,
    )
    if not ours or not methods:
        sys.exit("nothing to compare")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()

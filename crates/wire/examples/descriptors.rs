//! Prints the compiled `.proto` files (an encoded `FileDescriptorSet`) for
//! `tests/oracle/check_protos.py`.

use std::io::{self, Write};

fn main() -> io::Result<()> {
    io::stdout().write_all(downpour_wire::proto::FILE_DESCRIPTOR_SET)
}

//! Receives a link's messages. Payloads are read into the tensors they become.

use std::collections::HashMap;
use std::io;

use downpour_params::{Contents, room_for};
use downpour_runtime::{Crossing, Slot};
use downpour_tensor::Result;
use prost::Message;
use tokio::io::{AsyncRead, AsyncReadExt};

use super::message::{Done, Header, MAX_HEADER, Run, ValueHead};

/// Values whose chunks come in turn. Each holds its memory already; more than this is a mistake.
const MAX_TRANSFERS: usize = 1 << 16;

/// A value for a step here, or why it is missing.
pub struct Arrived {
    pub step: i64,
    pub slot: Slot,
    pub value: Result<Crossing>,
}

/// What a message said.
#[derive(Default)]
pub struct News {
    pub ended: Vec<i64>,
    pub values: Vec<Arrived>,
    pub runs: Vec<Run>,
    pub done: Vec<Done>,
}

pub struct Reader<R> {
    stream: R,
    transfers: HashMap<u64, Assembly>,
    header: Vec<u8>,
}

/// A value whose payload has not come to its end.
struct Assembly {
    step: i64,
    slot: Slot,
    contents: Result<Contents>,
    filled: usize,
    length: usize,
}

impl<R: AsyncRead + Unpin> Reader<R> {
    pub fn new(stream: R) -> Reader<R> {
        Reader { stream, transfers: HashMap::new(), header: Vec::new() }
    }

    /// The next message; an error ends the connection.
    pub async fn next(&mut self) -> io::Result<News> {
        let header: Header = self.read_header().await?;
        let mut values = Vec::with_capacity(header.values.len());
        for head in &header.values {
            if head.dead {
                values.push(Arrived { step: head.step, slot: slot(head), value: Ok(None) });
                continue;
            }
            let mut assembly = begin(head)?;
            if head.transfer == 0 {
                let length = assembly.length;
                self.fill(&mut assembly, length).await?;
                values.push(assembly.finish());
            } else if self.transfers.len() >= MAX_TRANSFERS
                || self.transfers.insert(head.transfer, assembly).is_some()
            {
                return Err(broken("a transfer that cannot be begun"));
            }
        }
        if let Some(chunk) = &header.chunk {
            let unknown = || broken("a piece of a value that was not announced");
            let mut assembly = self.transfers.remove(&chunk.transfer).ok_or_else(unknown)?;
            let length = usize::try_from(chunk.length).map_err(|_| unknown())?;
            if length > assembly.length - assembly.filled {
                return Err(broken("more bytes than a value has"));
            }
            self.fill(&mut assembly, length).await?;
            match assembly.filled == assembly.length {
                true => values.push(assembly.finish()),
                false => drop(self.transfers.insert(chunk.transfer, assembly)),
            }
        }
        Ok(News { ended: header.ended, values, runs: header.runs, done: header.done })
    }

    pub async fn read_header<M: Message + Default>(&mut self) -> io::Result<M> {
        let length = self.stream.read_u32_le().await? as usize;
        if length > MAX_HEADER {
            return Err(broken("a header that is too long"));
        }
        self.header.resize(length, 0);
        self.stream.read_exact(&mut self.header).await?;
        M::decode(&self.header[..]).map_err(|_| broken("a header that cannot be read"))
    }

    /// Reads the next `length` bytes of a value's payload.
    async fn fill(&mut self, assembly: &mut Assembly, length: usize) -> io::Result<()> {
        let range = assembly.filled..assembly.filled + length;
        assembly.filled = range.end;
        let target = match &mut assembly.contents {
            // Only this owns the tensor so far.
            Ok(Contents::Plain(tensor) | Contents::Encoded(tensor)) => {
                tensor.bytes_mut().map(|bytes| &mut bytes[range])
            }
            Err(_) => None,
        };
        match target {
            Some(bytes) => self.stream.read_exact(bytes).await.map(drop),
            None => self.skip(length).await,
        }
    }

    async fn skip(&mut self, mut length: usize) -> io::Result<()> {
        let mut sink = vec![0; length.min(64 << 10)];
        while length > 0 {
            let piece = length.min(sink.len());
            self.stream.read_exact(&mut sink[..piece]).await?;
            length -= piece;
        }
        Ok(())
    }
}

impl Assembly {
    fn finish(self) -> Arrived {
        let value = self.contents.and_then(Contents::finish);
        Arrived { step: self.step, slot: self.slot, value: value.map(Some) }
    }
}

fn slot(head: &ValueHead) -> Slot {
    Slot { number: head.slot, frame: head.frame, iteration: head.iteration }
}

/// Room for a value. That there is none, or that it cannot be one, is that value's misfortune alone.
fn begin(head: &ValueHead) -> io::Result<Assembly> {
    let length = usize::try_from(head.length).map_err(|_| broken("a length"))?;
    let contents = room_for(head.dtype, &head.dims, length, head.encoded);
    Ok(Assembly { step: head.step, slot: slot(head), contents, filled: 0, length })
}

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("it sent {what}"))
}

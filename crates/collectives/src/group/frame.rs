//! The messages of an agreement: a length (4 bytes), a kind (1 byte) and two texts, the first with its length.

use downpour_tensor::{Code, Result, Status};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::Key;

/// Bytes of a frame: a key and a signature or a message, which are cut to fit.
const LIMIT: usize = 16 << 10;
const TEXT: usize = 8 << 10;

/// From a rank to rank 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Up {
    /// An operation was started.
    Announce(Key, String),
    /// The group cannot go on.
    Failed(Status),
    /// This rank goes, having done what it had to.
    Leave,
}

/// From rank 0 to a rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Down {
    /// This operation is next.
    Run(Key),
    /// This operation fails.
    Refuse(Key, Status),
    /// Nothing new can be done.
    End(Status),
}

/// Cut at the end of a character.
fn cut(text: &str) -> &str {
    let fits = text.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|&end| end <= TEXT);
    &text[..fits.last().unwrap_or(0)]
}

fn frame(kind: u8, first: &str, second: &str) -> Vec<u8> {
    let (first, second) = (cut(first), cut(second));
    let length = 1 + 4 + first.len() + second.len();
    let mut bytes = Vec::with_capacity(4 + length);
    bytes.extend((length as u32).to_le_bytes());
    bytes.push(kind);
    bytes.extend((first.len() as u32).to_le_bytes());
    bytes.extend(first.as_bytes());
    bytes.extend(second.as_bytes());
    bytes
}

/// A status as a text: its code and its message.
fn status_text(status: &Status) -> String {
    format!("{} {}", status.code() as i32, status.message())
}

fn text_status(text: &str) -> Status {
    let (code, message) = text.split_once(' ').unwrap_or(("", text));
    Status::new(code.parse().map_or(Code::Unknown, Code::from_i32), message)
}

impl Up {
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Up::Announce(key, signature) => frame(0, &key.0, signature),
            Up::Failed(status) => frame(1, "", &status_text(status)),
            Up::Leave => frame(2, "", ""),
        }
    }

    fn parse(kind: u8, first: String, second: String) -> Option<Up> {
        Some(match kind {
            0 => Up::Announce(Key(first), second),
            1 => Up::Failed(text_status(&second)),
            2 => Up::Leave,
            _ => return None,
        })
    }
}

impl Down {
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Down::Run(key) => frame(0, &key.0, ""),
            Down::Refuse(key, status) => frame(1, &key.0, &status_text(status)),
            Down::End(status) => frame(2, "", &status_text(status)),
        }
    }

    fn parse(kind: u8, first: String, second: String) -> Option<Down> {
        Some(match kind {
            0 => Down::Run(Key(first)),
            1 => Down::Refuse(Key(first), text_status(&second)),
            2 => Down::End(text_status(&second)),
            _ => return None,
        })
    }
}

/// The next message of a stream.
async fn read<T>(
    stream: &mut (impl AsyncRead + Unpin),
    parse: impl Fn(u8, String, String) -> Option<T>,
) -> Result<T> {
    let broken = |e: std::io::Error| Status::unavailable(e.to_string());
    let length = stream.read_u32_le().await.map_err(broken)? as usize;
    let nonsense = || Status::internal("it said something that is no part of an agreement");
    if !(5..=LIMIT + 16).contains(&length) {
        return Err(nonsense());
    }
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes).await.map_err(broken)?;
    let (head, rest) = bytes.split_at(5);
    let first = u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize;
    let (first, second) = rest.split_at_checked(first).ok_or_else(nonsense)?;
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).map_err(|_| nonsense());
    parse(head[0], text(first)?, text(second)?).ok_or_else(nonsense)
}

pub(super) async fn read_up(stream: &mut (impl AsyncRead + Unpin)) -> Result<Up> {
    read(stream, Up::parse).await
}

pub(super) async fn read_down(stream: &mut (impl AsyncRead + Unpin)) -> Result<Down> {
    read(stream, Down::parse).await
}

pub(super) async fn write(
    stream: &mut (impl AsyncWrite + Unpin),
    bytes: &[u8],
) -> std::io::Result<()> {
    stream.write_all(bytes).await?;
    stream.flush().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn now<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
    }

    proptest! {
        #[test]
        fn messages_come_back(key in ".{0,50}", text in ".{0,100}") {
            let status = Status::aborted(text.clone());
            for up in [Up::Announce(Key(key.clone()), text.clone()), Up::Failed(status.clone()), Up::Leave] {
                prop_assert_eq!(now(read_up(&mut &up.to_bytes()[..])).unwrap(), up);
            }
            let key = Key(key);
            for down in [Down::Run(key.clone()), Down::Refuse(key, status.clone()), Down::End(status)] {
                prop_assert_eq!(now(read_down(&mut &down.to_bytes()[..])).unwrap(), down);
            }
        }

        #[test]
        fn nonsense_is_an_error_not_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
            let _ = now(read_up(&mut &bytes[..]));
            let _ = now(read_down(&mut &bytes[..]));
        }
    }

    #[test]
    fn long_texts_are_cut() {
        let down = Down::End(Status::aborted("é".repeat(10_000)));
        let Down::End(status) = now(read_down(&mut &down.to_bytes()[..])).unwrap() else {
            panic!("another message");
        };
        assert!(status.message().len() > 8000);
    }
}

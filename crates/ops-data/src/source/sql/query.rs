//! A query that runs on a thread of its own, which ends with the iteration.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use downpour_data::{Block, Cancel, Context, Cursor, Element, Names, Stage, State};
use downpour_tensor::{Code, Result, Status, Tensor};
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::value::component;
use crate::component::Signature;

/// Rows that are made at once, as long as they have no more bytes than this together.
const ROWS: usize = 256;
const BLOCK_BYTES: usize = 512 << 10;
/// Steps of SQLite's machine between two looks at whether anybody waits.
const STEPS: i32 = 10_000;

/// A query of a database.
pub(super) struct Query {
    pub database: String,
    pub text: String,
    pub signature: Signature,
}

impl Stage for Query {
    fn describe(&self) -> String {
        "sql".to_owned()
    }

    fn identify(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(format!("sql {:?} {:?}", self.database, self.text).as_bytes());
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let [given] = state.map_or(Ok([0]), State::expect)?;
        let (send, receive) = sync_channel(1);
        let is_dropped = Arc::new(AtomicBool::new(false));
        let asked = QueryJob {
            database: self.database.clone(),
            text: self.text.clone(),
            signature: self.signature.clone(),
            stop: Stop { cancel: context.cancel().clone(), is_dropped: is_dropped.clone() },
        };
        let thread = std::thread::Builder::new().name("sqlite".to_owned());
        let thread = thread.spawn(move || asked.answer(&send)).map_err(|e| {
            Status::resource_exhausted(format!("the system has no thread for a query: {e}"))
        })?;
        let mut cursor = QueryCursor {
            rows: Some(receive),
            thread: Some(thread),
            is_dropped,
            rest: None,
            given: 0,
            cancel: context.cancel().clone(),
        };
        while cursor.given < given {
            let left = usize::try_from(given - cursor.given).unwrap_or(usize::MAX);
            match cursor.next(left) {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(error) if error.code() == Code::Cancelled => return Err(error),
                Err(_) => {}
            }
        }
        Ok(Box::new(cursor))
    }
}

/// Whether the query is still wanted.
#[derive(Clone)]
struct Stop {
    cancel: Cancel,
    is_dropped: Arc<AtomicBool>,
}

impl Stop {
    fn is_asked(&self) -> bool {
        self.cancel.is_cancelled() || self.is_dropped.load(Ordering::SeqCst)
    }
}

/// A query as its thread sees it.
struct QueryJob {
    database: String,
    text: String,
    signature: Signature,
    stop: Stop,
}

impl QueryJob {
    /// Sends blocks of rows, and at last an error if there is one.
    fn answer(&self, send: &SyncSender<Result<Block>>) {
        if let Err(error) = self.run(send) {
            // Nobody listens any more when the cursor is gone.
            let _ = send.send(Err(error));
        }
    }

    fn run(&self, send: &SyncSender<Result<Block>>) -> Result<()> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_URI;
        let connection = Connection::open_with_flags(&self.database, flags)
            .map_err(|e| failed(&format!("Sqlite::Open({}) failed", self.database), &e))?;
        let stop = self.stop.clone();
        connection
            .progress_handler(STEPS, Some(move || stop.is_asked()))
            .map_err(|e| failed("a query cannot be watched", &e))?;
        let mut statement =
            connection.prepare(&self.text).map_err(|e| failed("Prepare() failed", &e))?;
        let (columns, types) = (statement.column_count(), &self.signature.types);
        if columns != types.len() {
            return Err(Status::invalid_argument(format!(
                "The number of columns in query ({columns}) must match the number of elements in output_types ({}).",
                types.len()
            )));
        }
        let names = self.signature.names();
        let mut rows = statement.query([]).map_err(|e| failed("Step() failed", &e))?;
        let mut block = Rows { names, elements: Vec::new(), bytes: 0 };
        loop {
            let row = match rows.next() {
                Ok(Some(row)) => row,
                Ok(None) => break,
                Err(error) => {
                    block.send(send)?;
                    return Err(failed("Step() failed", &error));
                }
            };
            let components = types.iter().enumerate().map(|(i, &dtype)| {
                component(row.get_ref(i).map_err(|e| failed("a column cannot be read", &e))?, dtype)
            });
            block.push(components.collect::<Result<_>>()?)?;
            if block.is_full() && !block.send(send)? {
                return Ok(());
            }
        }
        block.send(send).map(drop)
    }
}

/// Rows on their way.
struct Rows {
    names: Names,
    elements: Vec<Element>,
    bytes: usize,
}

impl Rows {
    fn push(&mut self, row: Vec<Tensor>) -> Result<()> {
        self.bytes += row.iter().map(Tensor::byte_len).sum::<usize>();
        self.elements.push(Element::from_parts(self.names.clone(), row)?);
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.elements.len() >= ROWS || self.bytes >= BLOCK_BYTES
    }

    /// Sends the rows, if there are any; false when nobody listens.
    fn send(&mut self, send: &SyncSender<Result<Block>>) -> Result<bool> {
        self.bytes = 0;
        let elements = std::mem::take(&mut self.elements);
        if elements.is_empty() {
            return Ok(true);
        }
        Ok(send.send(Block::from_elements(elements)).is_ok())
    }
}

/// Returns the status of an error of SQLite, with TensorFlow's code for it.
fn failed(what: &str, error: &rusqlite::Error) -> Status {
    let code = match error.sqlite_error_code() {
        Some(ErrorCode::OperationAborted) => Code::Aborted,
        Some(ErrorCode::ReadOnly | ErrorCode::TypeMismatch) => Code::FailedPrecondition,
        Some(ErrorCode::ApiMisuse | ErrorCode::InternalMalfunction) => Code::Internal,
        Some(
            ErrorCode::CannotOpen
            | ErrorCode::ConstraintViolation
            | ErrorCode::NotFound
            | ErrorCode::NotADatabase,
        ) => Code::InvalidArgument,
        Some(ErrorCode::DatabaseCorrupt) => Code::DataLoss,
        Some(ErrorCode::AuthorizationForStatementDenied | ErrorCode::PermissionDenied) => {
            Code::PermissionDenied
        }
        Some(ErrorCode::DiskFull | ErrorCode::TooBig | ErrorCode::NoLargeFileSupport) => {
            Code::ResourceExhausted
        }
        Some(
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::FileLockingProtocolFailed
            | ErrorCode::OutOfMemory,
        ) => Code::Unavailable,
        Some(ErrorCode::OperationInterrupted) => Code::Cancelled,
        _ => Code::Unknown,
    };
    Status::new(code, format!("{what}: {error}"))
}

struct QueryCursor {
    rows: Option<Receiver<Result<Block>>>,
    thread: Option<JoinHandle<()>>,
    is_dropped: Arc<AtomicBool>,
    /// Rows that came with others.
    rest: Option<Block>,
    given: u64,
    cancel: Cancel,
}

impl Cursor for QueryCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        self.cancel.check()?;
        let block = match self.rest.take() {
            Some(block) => block,
            // The thread looks at the cancellation, and ends.
            None => match self.rows.as_ref().and_then(|rows| rows.recv().ok()) {
                Some(Ok(block)) => block,
                Some(Err(error)) => {
                    self.cancel.check()?;
                    self.given += 1;
                    return Err(error);
                }
                None => {
                    self.cancel.check()?;
                    return Ok(None);
                }
            },
        };
        let rows = limit.min(block.rows());
        if rows < block.rows() {
            self.rest = Some(block.slice(rows, block.rows())?);
        }
        self.given += rows as u64;
        block.slice(0, rows).map(Some)
    }

    fn state(&self) -> State {
        State::of([self.given])
    }

    fn ready(&self) -> usize {
        self.rest.as_ref().map_or(0, Block::rows)
    }
}

impl Drop for QueryCursor {
    fn drop(&mut self) {
        self.is_dropped.store(true, Ordering::SeqCst);
        // Sending fails from now on.
        self.rows = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use downpour_data::Dataset;
    use downpour_graph::PartialShape;
    use downpour_tensor::DataType;

    use super::*;

    fn dataset(text: &str, types: &[DataType]) -> (tempfile::NamedTempFile, Dataset) {
        let file = tempfile::NamedTempFile::new().unwrap();
        let connection = Connection::open(file.path()).unwrap();
        connection
            .execute_batch(
                "CREATE TABLE t (name TEXT, number INTEGER, real REAL);
                 INSERT INTO t VALUES ('a', 1, 1.5), (NULL, NULL, NULL), ('b', 9223372036854775807, -2);",
            )
            .unwrap();
        let signature = Signature {
            types: types.into(),
            shapes: vec![PartialShape::scalar(); types.len()].into(),
        };
        let database = file.path().to_str().unwrap().to_owned();
        let query = Query { database, text: text.to_owned(), signature };
        (file, Dataset::new(query))
    }

    const COUNT: &str = "WITH RECURSIVE c(x) AS (VALUES(0) UNION ALL SELECT x + 1 FROM c WHERE x < 999) SELECT x FROM c";
    const ENDLESS: &str =
        "WITH RECURSIVE c(x) AS (VALUES(0) UNION ALL SELECT x + 1 FROM c) SELECT x FROM c";

    #[test]
    fn rows_have_the_types_that_were_asked_for() {
        let types = [DataType::String, DataType::Int64, DataType::Double];
        let (_file, data) = dataset("SELECT * FROM t ORDER BY rowid", &types);
        let rows: Vec<_> = data.iterate().unwrap().map(|row| row.unwrap()).collect();
        let names: Vec<_> = rows.iter().map(|row| row[0].strings().unwrap()[0].clone()).collect();
        assert_eq!(names, ["a", "", "b"]);
        let numbers: Vec<i64> = rows.iter().map(|row| row[1].to_scalar().unwrap()).collect();
        assert_eq!(numbers, [1, 0, i64::MAX]);
        let reals: Vec<f64> = rows.iter().map(|row| row[2].to_scalar().unwrap()).collect();
        assert_eq!(reals, [1.5, 0.0, -2.0]);
    }

    #[test]
    fn queries_go_on_where_they_stood() {
        let (_file, data) = dataset(COUNT, &[DataType::Int32]);
        for stop in [0, 1, 255, 256, 257, 1000] {
            let mut iterator = data.iterate().unwrap();
            iterator.by_ref().take(stop).for_each(drop);
            let rest = data.iterate_from(&iterator.position()).unwrap();
            let rest: Vec<i32> = rest.map(|row| row.unwrap()[0].to_scalar().unwrap()).collect();
            assert_eq!(rest, (stop as i32..1000).collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_cannot_be_asked_is_refused() {
        for (text, code) in [
            ("SELECT name FROM none", Code::Unknown),
            ("SELEKT", Code::Unknown),
            ("SELECT name, number FROM t", Code::InvalidArgument),
            ("INSERT INTO t VALUES ('c', 1, 1)", Code::InvalidArgument),
            ("INSERT INTO t VALUES ('c', 1, 1) RETURNING name", Code::FailedPrecondition),
        ] {
            let (_file, data) = dataset(text, &[DataType::String]);
            let error = data.iterate().unwrap().next().unwrap_err();
            assert_eq!(error.code(), code, "{error}");
        }
    }

    #[test]
    fn an_endless_query_ends_when_nobody_waits() {
        let (_file, data) = dataset(ENDLESS, &[DataType::Int64]);
        assert_eq!(data.iterate().unwrap().take(5000).count(), 5000);
        let silent = format!("{ENDLESS} WHERE x < 0");
        let (_file, data) = dataset(&silent, &[DataType::Int64]);
        let mut iterator = data.iterate().unwrap();
        let cancel = iterator.canceller();
        let waiting = std::thread::spawn(move || iterator.next().unwrap_err());
        cancel.cancel();
        assert_eq!(waiting.join().unwrap().code(), Code::Cancelled);
    }
}

//! Print and PrintV2: text for a person watching the server.

use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::atomic::{AtomicI64, Ordering};

use downpour_graph::{Gradient, GradientContext, OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Status};
use parking_lot::Mutex;

use crate::bounded_text::BoundedText;
use crate::summarize::summarize_into;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Print(input: T, data: U) -> (output: T) @stateful
                T: type
                U: list(type) >= 0
                message: string = ''
                first_n: int = -1
                summarize: int = 3",
        )?
        .shape(shapes::unchanged)
        .gradient(print_gradient),
        |build| {
            Ok(KernelBox::new(Print {
                message: build.string("message")?,
                first: build.int("first_n")?,
                summarize: build.int("summarize")?,
                printed: AtomicI64::new(0),
            }))
        },
    )?;
    registry.add(
        OpSpec::new(
            "PrintV2(input: string) -> () @stateful
                output_stream: string = 'stderr'
                end: string = '\\n'",
        )?
        .not_differentiable(),
        print_v2,
    )
}

struct Print {
    message: String,
    first: i64,
    summarize: i64,
    printed: AtomicI64,
}

impl Kernel for Print {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        if self.first < 0 || self.printed.fetch_add(1, Ordering::Relaxed) < self.first {
            let mut line = BoundedText::new();
            line.push(&self.message);
            for i in 1..cx.inputs_len() {
                line.push("[");
                summarize_into(cx.input(i), self.summarize, &mut line);
                line.push("]");
            }
            eprintln!("{}", line.finish());
        }
        let value = cx.take_value(0);
        cx.set_output_value(0, value);
        Ok(())
    }
}

fn print_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let mut gradients = vec![Gradient::Dense(cx.grad(0)?)];
    gradients.resize(cx.inputs_len(), Gradient::None);
    Ok(gradients)
}

enum Stream {
    Stdout,
    Stderr,
    Log(&'static str),
    File(String),
}

struct PrintV2 {
    stream: Stream,
    end: String,
}

fn print_v2(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let name = build.string("output_stream")?;
    let stream = match name.as_str() {
        "stdout" => Stream::Stdout,
        "stderr" => Stream::Stderr,
        "log(info)" => Stream::Log("I "),
        "log(warning)" => Stream::Log("W "),
        "log(error)" => Stream::Log("E "),
        other => match other.strip_prefix("file://") {
            Some(path) => Stream::File(path.to_string()),
            None => {
                return Err(Status::invalid_argument(format!(
                    "Unknown output stream: {other}, Valid streams are: stdout stderr log(info) \
                     log(warning) log(error), or file://<filename>"
                )));
            }
        },
    };
    let in_file = matches!(stream, Stream::File(_));
    let kernel = PrintV2 { stream, end: build.string("end")? };
    Ok(if in_file { KernelBox::blocking(kernel) } else { KernelBox::new(kernel) })
}

impl Kernel for PrintV2 {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.input(0);
        if input.rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "Input is expected to be scalar, but got {}",
                input.shape()
            )));
        }
        let mut text = input.strings()?[0].to_vec();
        text.extend_from_slice(self.end.as_bytes());
        // A print that cannot be shown (a closed terminal) must not fail the step.
        match &self.stream {
            Stream::Stdout => {
                let mut out = std::io::stdout().lock();
                let _ = out.write_all(&text).and_then(|()| out.flush());
            }
            Stream::Stderr => {
                let _ = std::io::stderr().lock().write_all(&text);
            }
            Stream::Log(level) => {
                text.splice(0..0, level.bytes());
                let _ = std::io::stderr().lock().write_all(&text);
            }
            Stream::File(path) => append(path, &text)?,
        }
        Ok(())
    }
}

fn append(path: &str, text: &[u8]) -> Result<()> {
    // Lines of prints that run at the same time must not mix.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock();
    // A pipe that nobody reads from is an error instead of a wait.
    std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32)
        .open(path)
        .and_then(|mut file| file.write_all(text))
        .map_err(|e| Status::unknown(format!("PrintV2 cannot append to {path}: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    #[test]
    fn print_hands_its_input_on() {
        let out = OpTest::new(register, "Print")
            .attr("message", "seen: ")
            .input(Tensor::scalar(3i32))
            .input(Tensor::vector(&[1i32, 2]).unwrap())
            .run_one()
            .unwrap();
        assert_eq!(out.to_scalar::<i32>().unwrap(), 3);
    }

    #[test]
    fn streams_are_checked_and_files_appended() {
        let unknown = OpTest::new(register, "PrintV2").attr("output_stream", "nowhere");
        assert!(unknown.input(Tensor::string("x")).run().is_err());
        let path = std::env::temp_dir().join(format!("downpour-print-{}", std::process::id()));
        for _ in 0..2 {
            OpTest::new(register, "PrintV2")
                .attr("output_stream", format!("file://{}", path.display()))
                .input(Tensor::string("line"))
                .run()
                .unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "line\nline\n");
        std::fs::remove_file(path).unwrap();
    }
}

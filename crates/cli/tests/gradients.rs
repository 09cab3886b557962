//! `downpour gradients` as a user runs it.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use downpour_graph::{Attrs, Endpoint, Graph, GraphBuilder, export_graph};
use downpour_tensor::DataType;
use downpour_wire::Message;
use downpour_wire::proto::GraphDef;

/// A folder of its own with `x * x` and something unconnected in `graph.pb`.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("downpour-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        let registry = downpour_ops::registry().unwrap();
        let mut graph = Graph::new();
        let mut b = GraphBuilder::new(&mut graph, registry.ops());
        for name in ["x", "other"] {
            let attrs = Attrs::new().with("dtype", DataType::Float);
            b.add_named(name, "Placeholder", &[], attrs).unwrap();
        }
        let x = Endpoint::from(b.graph.find("x").unwrap());
        b.add_named("y", "Mul", &[x, x], Attrs::new()).unwrap();
        let bytes = export_graph(&graph).unwrap().encode_to_vec();
        std::fs::write(path.join("graph.pb"), bytes).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn downpour(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_downpour"))
        .arg("gradients")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn names_are_printed_and_the_graph_written() {
    let folder = Folder::new("names");
    let (graph, out) = (folder.file("graph.pb"), folder.file("out.pb"));
    let result =
        downpour(&[&graph, "--of", "y", "--by", "x", "--by", "other:0", "--out", &out], "");
    assert!(result.status.success(), "{}", text(&result.stderr));
    let lines: Vec<String> = text(&result.stdout).lines().map(str::to_string).collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].starts_with("x gradients/"), "{}", lines[0]);
    assert_eq!(lines[1], "other:0 none");
    let written = GraphDef::decode(&std::fs::read(&out).unwrap()[..]).unwrap();
    let name = lines[0]["x ".len()..].trim_end_matches(":0");
    assert!(written.node.iter().any(|node| node.name == name));
    assert_eq!(written.node[2].name, "y");
}

#[test]
fn a_batch_goes_on_after_a_bad_request() {
    let folder = Folder::new("batch");
    let (graph, out) = (folder.file("graph.pb"), folder.file("out.pb"));
    let good = format!(r#"{{"graph":"{graph}","of":["y"],"by":["x"],"out":"{out}"}}"#);
    let bad = good.replace("\"y\"", "\"nobody\"");
    let result = downpour(&["--batch"], &format!("{bad}\nnonsense\n{good}\n"));
    assert!(result.status.success());
    let stdout = text(&result.stdout);
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].contains("no node 'nobody'"), "{}", lines[0]);
    assert!(lines[1].contains("not a request"), "{}", lines[1]);
    assert!(lines[2].starts_with(r#"{"gradients":[{"tensor":"gradients/"#), "{}", lines[2]);
}

#[test]
fn bad_files_and_names_are_told() {
    let folder = Folder::new("bad");
    let (graph, out) = (folder.file("graph.pb"), folder.file("out.pb"));
    std::fs::write(folder.file("text.pb"), "node {}").unwrap();
    for (file, of, told) in [
        (&folder.file("absent.pb"), "y", "cannot read"),
        (&folder.file("text.pb"), "y", "is not an encoded GraphDef"),
        (&graph, "nobody", "no node 'nobody'"),
        (&graph, "y:3", "has 1 outputs"),
    ] {
        let result = downpour(&[file, "--of", of, "--by", "x", "--out", &out], "");
        assert!(!result.status.success());
        assert!(text(&result.stderr).contains(told), "{}", text(&result.stderr));
    }
}

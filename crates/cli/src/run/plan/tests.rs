use super::*;

fn planned(words: &[&str]) -> Vec<Unit> {
    #[derive(clap::Parser)]
    struct Whole {
        #[command(flatten)]
        run: RunArgs,
    }
    let words = ["run"].iter().chain(words).chain(&["--", "python", "train.py"]).copied();
    let args = <Whole as clap::Parser>::parse_from(words).run;
    units(&args, Path::new("/bin/downpour"), &[1, 2, 3, 4, 5, 6])
}

fn names(units: &[Unit]) -> Vec<(&str, Role)> {
    units.iter().map(|unit| (unit.name.as_str(), unit.role)).collect()
}

fn variable(unit: &Unit, name: &str) -> Option<String> {
    let found = unit.environment.iter().find(|(n, _)| *n == name);
    found.map(|(_, value)| value.to_string_lossy().into_owned())
}

#[test]
fn every_worker_is_a_client_of_its_own_server() {
    let units = planned(&["--ps", "1", "--workers", "2"]);
    use Role::{Client, Server};
    assert_eq!(
        names(&units),
        [
            ("ps/0", Server),
            ("worker/0 server", Server),
            ("worker/1 server", Server),
            ("worker/0", Client),
            ("worker/1", Client),
        ]
    );
    assert_eq!(variable(&units[4], "DOWNPOUR_TARGET").unwrap(), "grpc://127.0.0.1:3");
    assert_eq!(units[2].address.as_deref(), Some("127.0.0.1:3"));
    let config: Value = serde_json::from_str(&variable(&units[4], "TF_CONFIG").unwrap()).unwrap();
    let expected = json!({
        "cluster": {"ps": ["127.0.0.1:1"], "worker": ["127.0.0.1:2", "127.0.0.1:3"]},
        "task": {"type": "worker", "index": 1},
    });
    assert_eq!(config, expected);
    assert_eq!((units[4].program.to_str(), units[4].arguments.len()), (Some("python"), 1));
    assert_eq!(units[0].program, "/bin/downpour");
}

#[test]
fn the_command_replaces_servers_when_asked() {
    use Role::{Background, Client, Server};
    let bare = planned(&["--bare", "--chief"]);
    assert_eq!(names(&bare), [("ps/0", Server), ("chief/0", Client), ("worker/0", Client)]);
    assert_eq!(variable(&bare[1], "DOWNPOUR_TARGET"), None);
    let all = planned(&["--all", "--ps", "2"]);
    assert_eq!(names(&all), [("ps/0", Background), ("ps/1", Background), ("worker/0", Client)]);
}

#[test]
fn an_evaluator_is_outside_the_cluster() {
    let units = planned(&["--ps", "0", "--evaluator"]);
    use Role::{Client, Server};
    assert_eq!(
        names(&units),
        [
            ("worker/0 server", Server),
            ("evaluator/0 server", Server),
            ("worker/0", Client),
            ("evaluator/0", Client),
        ]
    );
    let config: Value = serde_json::from_str(&variable(&units[3], "TF_CONFIG").unwrap()).unwrap();
    assert_eq!(config["cluster"], json!({"worker": ["127.0.0.1:1"]}));
    assert_eq!(config["task"]["type"], "evaluator");
    assert_eq!(variable(&units[3], "DOWNPOUR_TARGET").unwrap(), "grpc://127.0.0.1:2");
}

"""`downpour compare`: a job trained in several ways, and the page that shows them side by side."""
import json
import pathlib
import subprocess
import tempfile

from train import write_job
from waiting import LIMIT

WAYS = ["local", "downpour+int8", "synchronous", "all_reduce", "asynchronous"]


def compare(binary, folder, *arguments, code=0):
  done = subprocess.run([binary, "compare", *arguments], capture_output=True, text=True, timeout=LIMIT, cwd=folder)
  assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
  return done


def test_ways_to_train_are_compared(binary):
  with tempfile.TemporaryDirectory() as folder:
    job = write_job(folder, hidden=16)
    done = compare(binary, folder, "--train", job, "--strategies", ",".join(WAYS), "--steps", "40", "--ps", "2", "--workers", "2", "--json")
    result = json.loads(done.stdout)
    runs = {run["name"]: run for run in result["runs"]}
    assert list(runs) == WAYS and result["reference"] == "local", result
    for name, run in runs.items():
      assert run["ended"], run
      # Everybody sees as many examples, whatever a step is. When the last step is done each of two workers may have a batch
      # under way and another one read ahead.
      assert abs(run["examples"] - 40 * 32) <= 4 * 32, (name, run["examples"])
      assert run["metrics"]["accuracy"] > 0.2, run
    assert runs["local"]["bytes"] == 0, runs["local"]
    plain, packed = runs["synchronous"], runs["downpour+int8"]
    # A worker sends its gradients and takes the parameters: 784 * 16 floats and more, both ways, 40 times.
    assert plain["bytes"] > 2 * 40 * 784 * 16 * 4, plain
    assert 3 < packed["compression"] < 4.1, packed
    assert plain["compression"] is None and plain["staleness"]["largest"] == 0, plain
    assert sum(packed["staleness"]["counts"]) == 2 * packed["updates"]["made"], packed
    assert runs["asynchronous"]["staleness"] is None and runs["asynchronous"]["bytes"] > 0, runs["asynchronous"]
    # What one has sent another has received.
    tasks = plain["bytes_by_task"].values()
    sent, received = sum(task["sent"] for task in tasks), sum(task["received"] for task in tasks)
    assert 0.9 < sent / received < 1.1, plain["bytes_by_task"]
    everything = pathlib.Path(folder) / "runs" / "compare-digits"
    page = (everything / "compare.html").read_text()
    for name in WAYS:
      assert name in page, name
    report = (everything / "synchronous" / "report.html").read_text()
    assert "went over the network" in report and "Staleness" in report, report
    two = compare(binary, folder, str(everything / "synchronous"), str(everything / "local"), "--output", "two.html")
    lines = two.stdout.splitlines()
    assert len(lines) == 3 and lines[1].startswith("synchronous"), two.stdout
    assert "2 runs compared" in (pathlib.Path(folder) / "two.html").read_text()


def test_what_cannot_be_compared_is_said(binary):
  with tempfile.TemporaryDirectory() as folder:
    done = compare(binary, folder, "nowhere", code=1)
    assert "not the folder of a run" in done.stderr, done.stderr
    done = compare(binary, folder, "--train", "--strategies", "local,telepathy", code=1)
    assert "no strategy 'telepathy'" in done.stderr, done.stderr
    done = compare(binary, folder, "--train", "--strategies", "local+int8", code=1)
    assert "compression" in done.stderr, done.stderr
    assert not (pathlib.Path(folder) / "runs").exists()

"""The commands of the book in docs/: each is run, shortened where it trains; what cannot be run here has flags that exist.

A block begins with ```console; lines after `$ ` are commands, the others what they print, where … stands for anything.
"""
import os
import pathlib
import re
import shlex
import subprocess
import tempfile

from waiting import LIMIT

ROOT = pathlib.Path(__file__).resolve().parents[2]
BOOK = ROOT / "docs" / "src"
# Long enough to leave a checkpoint, short enough for a debug build.
STEPS = 20


def commands(text):
  """Commands with the lines that follow them."""
  found = []
  for block in re.findall(r"(?ms)^```console\n(.*?)^```$", text):
    for line in block.splitlines():
      if line.startswith("$ "):
        found.append((line[2:], []))
      else:
        found[-1][1].append(line)
  return found


def matches(expected, output):
  """Whether the expected lines are in the output, one after the other."""
  if not any(line.strip("… ") for line in expected):
    return True
  pattern = r"\n".join(".*" if line == "…" else re.escape(line).replace("…", ".*") for line in expected)
  return re.search(pattern, output, re.S)


def flags_exist(binary, words):
  """For what waits for a cluster or never ends."""
  help_text = subprocess.run([binary, words[1], "--help"], capture_output=True, text=True, check=True).stdout
  own = words[1:words.index("--")] if "--" in words else words[1:]
  for word in own:
    if word.startswith("--"):
      assert re.search(r"(?m)^\s+(-\w, )?%s\b" % re.escape(word), help_text), (word, help_text)


def shortened(words, folder):
  """A training command of few steps; steps in paths become those that are there."""
  if words[1] == "train" and not {"--list", "--show"} & set(words):
    run = sorted((folder / "runs").glob("*/export/*"), key=os.path.getmtime) if "--resume" in words else []
    steps = STEPS + (int(run[-1].name) if run else 0)
    if "--steps" in words:
      words[words.index("--steps") + 1] = str(steps)
    else:
      words += ["--steps", str(steps)]
    words += ["--batch", "16"]
  exports = sorted((folder / "runs").glob("mnist-mlp/export/*"))
  return [re.sub(r"export/\d+$", "export/" + exports[0].name if exports else "", word) for word in words]


def check(binary, command, expected, folder):
  words = shlex.split(command)
  if words[0] == "cargo":
    if words[1:4] == ["run", "--release", "--example"]:
      words = [str(pathlib.Path(binary).parent / "examples" / words[4]), *words[words.index("--") + 1:]] if "--" in words else [
          str(pathlib.Path(binary).parent / "examples" / words[4])]
      # examples.py runs those that take long.
      if pathlib.Path(words[0]).name not in ("linear_regression", "cluster"):
        assert pathlib.Path(words[0]).exists(), words
        return
    else:
      assert words[1] in ("build", "install"), command
      return
  elif words[0] == "downpour":
    # comparison.py trains in several ways.
    if words[1] in ("serve", "status", "run") or words[1] == "compare" and "--train" in words:
      return flags_exist(binary, words)
    words = [binary, *shortened(words, folder)[1:]]
  else:
    raise AssertionError("who checks this command? " + command)
  done = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT, cwd=folder)
  assert done.returncode == 0, (words, done.stdout, done.stderr)
  assert matches(expected, done.stdout), (command, expected, done.stdout)


def write_flowers(folder):
  (folder / "flowers").mkdir()
  for part in range(3):
    rows = ["%s,%d,%d" % (["rose", "tulip"][i % 2], part * 40 + i, i % 7) for i in range(40)]
    (folder / "flowers" / ("part-%d.csv" % part)).write_text("\n".join(["kind,length,width"] + rows) + "\n")


def test_the_commands_of_the_book(server):
  binary = str(pathlib.Path(server).absolute())
  chapters = re.findall(r"\]\((.*?)\)", (BOOK / "SUMMARY.md").read_text())
  with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "data").symlink_to(ROOT / "data")
    write_flowers(folder)
    count = 0
    for chapter in chapters:
      text = (BOOK / chapter).read_text()
      for job in re.findall(r'(?ms)^```toml\n(name = .*?)^```$', text):
        (folder / (re.search(r'name = "(.*?)"', job).group(1) + ".toml")).write_text(job)
      for command, expected in commands(text):
        check(binary, command, expected, folder)
        count += 1
  assert count > 15, count

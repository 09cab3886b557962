"""The end of a run: final values are saved by whoever is left, or the exit code and the last line say what is missing."""
import pathlib
import shutil
import signal
import subprocess
import tempfile

from faults import Training, few_digits
from hold import Hold
from strategies import job
from train import told, train, trained
from waiting import LIMIT


def small_job(folder, strategy, **values):
  """A job on few examples, so that a run takes seconds."""
  path = pathlib.Path(job(folder, strategy, **values))
  few_digits(folder)
  path.write_text(path.read_text().replace('source = "mnist"', 'source = "mnist"\nfolder = "%s"' % folder))
  return str(path)


def saved_steps(run):
  """The steps of checkpoints in a run's folder, by their names."""
  return sorted(int(path.stem.rsplit("-", 1)[1]) for path in (pathlib.Path(run) / "checkpoints").glob("*.index"))


def finish(training):
  """Its exit code and what it wrote to stderr, with the logs of its processes' launcher."""
  out, err = training.process.communicate(timeout=LIMIT)
  return training.process.returncode, out, err


def check_complete(training, steps):
  """Final values are saved, measured and exported."""
  code, out, err = finish(training)
  assert code == 0, (code, out, err)
  assert saved_steps(training.run)[-1] >= steps, (saved_steps(training.run), err)
  measured = [event["step"] for event in training.told("worker/0", "evaluated")]
  assert measured and measured[-1] >= steps, (measured, err)
  end = training.told("worker/0", "finished")[-1]
  assert (training.run / "export" / str(end["step"]) / "saved_model.pb").exists(), end


def stop_the_chief_until_the_others_have_ended(training):
  training.until(lambda: training.step("worker/0") > 0, "the chief trains")
  training.stop("worker/0")
  training.until(lambda: training.told("worker/1", "finished"), "worker/1 trains to the end without the chief")


def check_stopped_chief(binary, strategy, extra=""):
  steps = 300
  with Training(binary, strategy, extra, steps=steps) as training:
    stop_the_chief_until_the_others_have_ended(training)
    check_complete(training, steps)
    assert "replacing it" in training.log("downpour"), training.log("downpour")


def test_a_stopped_chief_is_replaced_at_the_end_of_asynchronous_training(binary):
  check_stopped_chief(binary, "asynchronous")


def test_a_stopped_chief_is_replaced_at_the_end_of_downpour_sgd(binary):
  check_stopped_chief(binary, "downpour", "silence = 1\n")


def test_a_stopped_chief_is_replaced_at_the_end_of_synchronous_training(binary):
  check_stopped_chief(binary, "synchronous", "silence = 1\n")


def test_a_chief_that_is_killed_after_the_last_step_saves_when_it_is_back(binary):
  steps = 300
  with Training(binary, "downpour", "silence = 30\n", steps=steps, checkpoint_every=100) as training:
    stop_the_chief_until_the_others_have_ended(training)
    training.kill("worker/0")
    check_complete(training, steps)


def test_a_chief_of_all_reduce_that_is_killed_at_the_end_gets_the_final_values_back(binary):
  """Only workers have them: who has ended waits until the chief has saved."""
  steps = 60
  with Hold("-%d.index" % steps) as hold:
    with Training(binary, "all_reduce", environment=hold.environment, steps=steps, checkpoint_every=1000) as training:
      training.until(hold.holds, "the chief saves the final values")
      training.until(lambda: training.step("worker/1") >= steps, "worker/1 is at the last step")
      training.kill("worker/0")
      hold.end()
      check_complete(training, steps)


def test_nobody_waits_for_a_chief_that_has_ended(binary):
  """A server that dies after the end has lost its variables, and only the chief restores them."""
  steps = 300
  for alive in (False, True):
    with Training(binary, "asynchronous", steps=steps) as training:
      training.until(lambda: training.step("worker/1") > 0, "worker/1 trains")
      training.stop("worker/1")
      training.until(lambda: training.told("worker/0", "finished"), "the chief trains to the end alone")
      if alive:
        training.kill("ps/1")
        training.until(lambda: training.starts("ps/1") == 2, "ps/1 is started again")
        training.go_on("worker/1")
      else:
        training.kill("worker/1", "ps/1")
      check_complete(training, steps)


def damage(run):
  """Flips a byte in the middle of every checkpoint's data."""
  found = sorted((pathlib.Path(run) / "checkpoints").glob("*.data-*"))
  for data in found:
    content = bytearray(data.read_bytes())
    content[len(content) // 2] ^= 1
    data.write_bytes(content)
  return [data.name.split(".data-")[0] for data in found]


def check_all_damaged(binary, strategy, task):
  with tempfile.TemporaryDirectory() as folder:
    run = pathlib.Path(trained(binary, folder, small_job(folder, strategy))["run"])
    names = damage(run)
    assert len(names) > 1, names
    starts = len(told(run, task, "started"))
    refused = train(binary, folder, "--resume", "--steps", "70", code=1).stderr
    for name in names:
      assert name in refused, (name, refused)
    assert "--discard-damaged" in refused, refused
    assert len(told(run, task, "started")) == starts, "it was trained on nevertheless"
    assert "starting it again" not in refused, refused
    anew = trained(binary, folder, "--resume", "--discard-damaged", "--steps", "70")
    assert anew["step"] >= 70 and told(run, task, "started")[-1]["step"] == 0, anew
    aside = run / "checkpoints-damaged-1"
    assert sorted(path.stem for path in aside.glob("*.index")) == sorted(names), list(aside.iterdir())


def test_a_run_whose_checkpoints_are_all_damaged_is_not_begun_anew_without_a_word(binary):
  check_all_damaged(binary, "local", "local")
  check_all_damaged(binary, "downpour", "worker/0")


def test_going_back_to_an_older_checkpoint_is_said_everywhere(binary):
  with tempfile.TemporaryDirectory() as folder:
    run = pathlib.Path(trained(binary, folder, small_job(folder, "downpour"))["run"])
    newest = saved_steps(run)[-1]
    data = run / "checkpoints" / ("ckpt-%d.data-00000-of-00001" % newest)
    data.write_bytes(data.read_bytes()[:-1])
    said = train(binary, folder, "--resume", "--steps", str(newest + 40)).stderr
    warned = told(run, "worker/0", "warned")
    assert "warning: worker/0" in said and "ckpt-%d is damaged" % newest in said, said
    assert len(warned) == 1 and "ckpt-%d" % newest in warned[0]["text"], warned
    assert "ckpt-%d is damaged" % newest in (run / "report.html").read_text()


def on_small_disk(size, folder, command):
  """Runs a command where the disk of `folder` has so much room, or returns none where no disk can be mounted."""
  mounted = 'mount -t tmpfs -o size=%s none "$1" && shift && "$@"' % size
  for namespace in ("-m", "-Urm"):
    if subprocess.run(["unshare", namespace, "sh", "-c", mounted, "sh", folder, "true"], capture_output=True).returncode == 0:
      keep = 'code=$?; cp -r "%s"/. "%s"; exit $code' % (folder, folder + ".kept")
      pathlib.Path(folder + ".kept").mkdir()
      script = mounted.replace("&& \"$@\"", "&& { \"$@\"; %s; }" % keep)
      return subprocess.run(
          ["unshare", namespace, "sh", "-c", script, "sh", folder, *command], capture_output=True, text=True, timeout=LIMIT)
  print("SKIPPED: a test of a full disk, as no file system can be mounted here")
  return None


def check_full_disk(binary, strategy, size, **values):
  folder = tempfile.mkdtemp()
  runs = folder + "/runs"
  pathlib.Path(runs).mkdir()
  try:
    done = on_small_disk(size, runs, [binary, "train", "--runs", runs, small_job(folder, strategy, **values)])
    if done is None:
      return None
    assert done.returncode != 0, done
    log = pathlib.Path(runs + ".kept") / "digits" / "logs" / "downpour.log"
    assert not log.exists() or "starting it again" not in log.read_text(), log.read_text()
    return done.stderr.splitlines()
  finally:
    shutil.rmtree(folder)


def test_a_full_disk_ends_training_at_once(binary):
  for strategy in ("asynchronous", "downpour"):
    lines = check_full_disk(binary, strategy, "1500k", steps=100000, checkpoint_every=10)
    if lines is None:
      return
    text = "\n".join(lines)
    # What meets the full disk first: a checkpoint, or a server's snapshot.
    assert "No space left" in text and "Make room" in text, text
    assert strategy != "asynchronous" or "was not saved" in text, text
    assert "not complete: the newest whole checkpoint is" in lines[-1], text


def test_a_disk_without_room_for_a_checkpoint_is_refused_before_training(binary):
  lines = check_full_disk(binary, "downpour", "250k", steps=100000)
  if lines is not None:
    text = "\n".join(lines)
    assert "a checkpoint alone needs" in text and "nothing was saved" in lines[-1], text


def end_by_signal(training, workers=("worker/0", "worker/1")):
  """Ends a run, which must not take a kill; the last line."""
  training.process.terminate()
  code, out, err = finish(training)
  assert code == 143, (code, out, err)
  assert "killing" not in training.log("downpour"), training.log("downpour")
  for task in workers:
    assert training.told(task, "finished"), (task, err)
  return err.splitlines()[-1]


def check_first_signal(binary, strategy, stopped, extra="", workers=("worker/0", "worker/1"), **values):
  """The first SIGTERM ends a run one of whose tasks is stopped, with a checkpoint."""
  with Training(binary, strategy, extra, **values) as training:
    training.until(lambda: training.step("worker/0") > 0, "the chief trains")
    training.stop(stopped)
    line = end_by_signal(training, workers)
    step = training.told("worker/0", "finished")[-1]["step"]
    assert saved_steps(training.run)[-1] >= step > 0, (saved_steps(training.run), step)
    assert "ckpt-%d" % saved_steps(training.run)[-1] in line and "--resume" in line, line


def test_the_first_signal_ends_a_run_with_a_stopped_server(binary):
  for strategy in ("asynchronous", "synchronous", "downpour"):
    check_first_signal(binary, strategy, "ps/1")


def test_the_first_signal_ends_sandblaster_with_a_stopped_server(binary):
  check_first_signal(binary, "sandblaster", "ps/1", arguments=("--batch", "500"))


def test_the_first_signal_ends_all_reduce_with_a_stopped_worker(binary):
  check_first_signal(binary, "all_reduce", "worker/1")


def test_the_first_signal_ends_a_pipeline_with_a_stopped_server(binary):
  check_first_signal(binary, "pipeline", "ps/0", "stages = 2\n", workers=("worker/0",))


def ends_by_itself(binary, strategy, stopped, asked, extra=""):
  """A signal to one task whose peer is stopped and stays so: it ends, and says whom it has waited for."""
  with Training(binary, strategy, extra, checkpoint_every=20) as training:
    training.until(lambda: training.told("worker/0", "saved") and training.step(asked) > 0, "everybody trains")
    training.stop(stopped)
    training.signal(signal.SIGTERM, asked)
    training.until(lambda: training.told(asked, "finished"), "%s ends" % asked)
    reason = training.told(asked, "finished")[0]["reason"]
    training.go_on(stopped)
    return reason


def test_a_signal_to_a_worker_whose_server_does_not_answer(binary):
  # A session over all tasks does not know which of them is missing.
  for strategy, who in (("downpour", "ps/1"), ("synchronous", "ps/1"), ("asynchronous", "/job:ps")):
    reason = ends_by_itself(binary, strategy, "ps/1", "worker/0")
    assert "stopped by a signal" in reason and who in reason and "the newest checkpoint is of step" in reason, reason


def test_a_signal_to_the_chief_of_all_reduce_saves_what_it_has(binary):
  reason = ends_by_itself(binary, "all_reduce", "worker/1", "worker/0")
  assert reason == "stopped by a signal", reason

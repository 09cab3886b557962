"""TensorFlow's own server, to which the same mutations are sent: where both accept one, they must agree."""
import os
import subprocess
import sys
import tempfile
import time

from ports import free_port
from waiting import until

from mutation import master
from mutation.master import Failure, Master, Unanswered

import tensorflow.compat.v1 as tf
from compare import difference

PROGRAM = """
import sys
sys.path.insert(0, sys.argv[2])
import tensorflow_environment
import tensorflow.compat.v1 as tf
server = tf.train.Server({"localhost": ["127.0.0.1:" + sys.argv[1]]}, job_name="localhost", task_index=0)
server.join()
"""

# What depends on memory, time or what TensorFlow has no kernel for.
UNCOMPARED = (master.DEADLINE_EXCEEDED, master.TOO_LARGE, 8, 12)


def compared(ours, theirs):
  if isinstance(theirs, Failure):
    if isinstance(ours, Failure) or theirs.code in UNCOMPARED:
      return None
    return "TensorFlow refuses this: %s %s" % (theirs.code, theirs.text[:300])
  if isinstance(ours, Failure):
    return "TensorFlow takes this: %s" % ours.text[:300]
  for name, tensor in theirs.items():
    if name not in ours:
      return "%s is missing" % name
    try:
      a, b = tf.make_ndarray(ours[name]), tf.make_ndarray(tensor)
    except (TypeError, ValueError):
      continue
    why = difference(a, b, LOOSE, None)
    if why:
      return "%s %s" % (name, why)
  return None


class Loose:
  unordered, bits, rtol, atol = False, False, 1e-2, 1e-3


LOOSE = Loose()


class Reference:

  def __init__(self, patience):
    self.folder = tempfile.TemporaryDirectory(prefix="oracle-hostile-reference-")
    self.patience = patience
    self.start()

  def start(self):
    port = free_port()
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    self.process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(port), here], cwd=self.folder.name, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    self.master = Master("127.0.0.1:%d" % port, self.patience)
    until(self.answers, "TensorFlow's server comes up", self.process)

  def answers(self):
    try:
      self.master.close_session(self.master.create(None))
      return True
    except Unanswered:
      time.sleep(0.2)
      return False

  def disagreement(self, trial, ours, milliseconds):
    """How TensorFlow's answers differ from ours, or None."""
    if any(isinstance(a, Failure) and a.code in UNCOMPARED for a in ours):
      return None
    try:
      session = self.master.create(trial.graph)
    except Failure as e:
      return None if isinstance(ours[0], Failure) else "TensorFlow refuses the graph: %s" % e.text[:300]
    except Unanswered:
      return self.again()
    why = None
    try:
      for number, (step, answer) in enumerate(zip(trial.steps, ours)):
        try:
          theirs = self.master.run(session, step.feeds, step.fetches, step.targets, milliseconds)
        except Failure as e:
          theirs = e
        why = compared(answer, theirs)
        if why or isinstance(theirs, Failure):
          break
      self.master.close_session(session)
    except Failure:
      pass
    except Unanswered:
      return self.again()
    return why and "step %d: %s" % (number, why)

  def again(self):
    """A new one: the last has died or hangs."""
    self.master.stop()
    self.process.kill()
    self.process.wait()
    self.start()

  def stop(self):
    self.master.stop()
    self.process.kill()
    self.process.wait()
    self.folder.cleanup()

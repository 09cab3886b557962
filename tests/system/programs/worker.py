"""What the programs of workers here share: flags, the placement of variables, and the session's configuration.

Without --target a process is a task itself (tf.train.Server); with it, it is only the client of a task that already runs.
"""
import argparse
import functools
import os
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import tensorflow.compat.v1 as tf  # noqa: E402


def parser(description):
  p = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
  hosts = lambda text: [host for host in text.split(",") if host]
  p.add_argument("--ps_hosts", type=hosts, required=True)
  p.add_argument("--worker_hosts", type=hosts, required=True)
  p.add_argument("--task_index", type=int, default=0)
  p.add_argument("--target", help="the running task that this process is the client of")
  p.add_argument("--checkpoint_dir", required=True)
  p.add_argument("--train_steps", type=int, default=100, help="stop at this global step")
  p.add_argument("--sync_replicas", action="store_true", help="average the gradients of all workers for each update")
  p.add_argument("--start_file", help="do not train before this file is there")
  return p


class Worker:
  """This process's place in the cluster."""

  def __init__(self, flags):
    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.ERROR)
    tf.set_random_seed(1)
    self.flags, self.task, self.count = flags, flags.task_index, len(flags.worker_hosts)
    self.is_chief = self.task == 0
    self.cluster = tf.train.ClusterSpec({"ps": flags.ps_hosts, "worker": flags.worker_hosts})
    self.device = "/job:worker/task:%d" % self.task
    self.target = flags.target or tf.train.Server(self.cluster, job_name="worker", task_index=self.task).target
    # The session sees only what it needs: a worker does not wait for the other workers.
    self.config = tf.ConfigProto(
        allow_soft_placement=True, intra_op_parallelism_threads=1, inter_op_parallelism_threads=1,
        device_filters=["/job:ps", self.device])
    # MonitoredTrainingSession has no argument for it, and its 30 seconds are long for a test.
    tf.train.SessionManager.__init__ = functools.partialmethod(tf.train.SessionManager.__init__, recovery_wait_secs=1)

  def setter(self):
    """Variables on parameter servers in turn, everything else here."""
    return tf.train.replica_device_setter(cluster=self.cluster, worker_device=self.device)

  def synchronized(self, optimizer):
    return tf.train.SyncReplicasOptimizer(optimizer, replicas_to_aggregate=self.count, total_num_replicas=self.count)

  def say(self, *words):
    print("worker %d:" % self.task, *words, flush=True)

  def wait_for_start(self):
    self.say("session is ready")
    while self.flags.start_file and not os.path.exists(self.flags.start_file):
      time.sleep(0.02)

  def run(self, session, train_op, loss, global_step):
    """Steps until a hook asks to stop, each reported. `train_op` has made its update before `global_step` is read."""
    self.wait_for_start()
    while not session.should_stop():
      _, value, step = session.run([train_op, loss, global_step])
      self.say("step %d, loss %.6f" % (step, value))

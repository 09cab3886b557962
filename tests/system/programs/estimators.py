"""tf.estimator, from the package that was the last to carry it: TensorFlow itself has it no longer.

The package looks for a few things that newer versions of TensorFlow have lost. None of them is used by training with parameter
servers: they are names for its list of exports, TPUs, and a coordinator for other strategies.
"""
import os
import sys
import types

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import tensorflow.compat.v1 as tf  # noqa: E402
from tensorflow.python import distribute, tpu  # noqa: E402
from tensorflow.python.util import tf_export  # noqa: E402


class Missing:
  """Stands for a class that may be named but not used."""


def module(parent, name, **contents):
  made = types.ModuleType(parent.__name__ + "." + name)
  made.__dict__.update(contents)
  sys.modules[made.__name__] = made
  setattr(parent, name, made)


def load():
  """The package's tf.estimator."""
  tf_export.ESTIMATOR_API_NAME = "estimator"
  for attributes, version in ((tf_export.API_ATTRS, ""), (tf_export.API_ATTRS_V1, "_v1")):
    like = type(attributes["tensorflow"])
    attributes["estimator"] = like("_estimator_api_names" + version, "_estimator_api_constants" + version)
  never = lambda *_, **__: False
  module(distribute, "estimator_training", should_run_distribute_coordinator=never, init_run_config=lambda *_: None)
  optimizers = ["Adagrad", "Adam", "Ftrl", "Momentum", "ProximalAdagrad", "RMSProp", "StochasticGradientDescent"]
  module(tpu, "tpu_embedding", **{name + "Parameters": Missing for name in optimizers})
  module(tpu, "tpu_embedding_gradient")
  module(tpu, "session_support")
  from tensorflow_estimator.python.estimator.api._v1 import estimator
  return estimator


estimator = load()

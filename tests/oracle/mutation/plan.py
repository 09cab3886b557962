"""A case as what goes over the wire: a graph, and steps of messages."""
import dataclasses

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python.framework import op_def_registry

from mutation.tensors import as_proto


@dataclasses.dataclass
class Step:
  feeds: dict
  fetches: list
  targets: list


@dataclasses.dataclass
class Plan:
  graph: tf.GraphDef
  steps: list
  # The operations it is about.
  ops: list

  def stateful(self):
    """Whether running it twice may give two results."""
    nodes = list(self.graph.node) + [n for f in self.graph.library.function for n in f.node_def]
    for node in nodes:
      definition = op_def_registry.get(node.op)
      if definition is None or definition.is_stateful:
        return True
    return False


def plan(make, ops):
  """None when the client cannot build it."""
  with tf.Graph().as_default() as graph:
    tf.set_random_seed(87654321)
    try:
      steps = [step(graph, fetches, feed) for fetches, feed in make()]
    except (ValueError, TypeError):
      return None
    definition = graph.as_graph_def()
  for node in definition.node:
    # Otherwise the shape would be refused before the operation sees it.
    if node.op in ("Placeholder", "PlaceholderWithDefault"):
      node.attr["shape"].shape.Clear()
      node.attr["shape"].shape.unknown_rank = True
  return Plan(definition, steps, ops)


def step(graph, fetches, feed):
  named, targets = [], []
  for part in tf.nest.flatten(fetches, expand_composites=True):
    part = graph.as_graph_element(part)
    if isinstance(part, tf.Operation):
      targets.append(part.name)
    else:
      named.append(part.name)
  feeds = {}
  for key, value in feed.items():
    keys, values = tf.nest.flatten(key, expand_composites=True), tf.nest.flatten(value, expand_composites=True)
    if len(keys) == 1:
      values = [value]
    for tensor, one in zip(keys, values):
      tensor = graph.as_graph_element(tensor)
      feeds[tensor.name] = message(one, tensor.dtype)
  return Step(feeds, named, targets)


def message(value, dtype):
  dtype = dtype.base_dtype
  if dtype == tf.string:
    array = np.array(value, dtype=object)
    encoded = [v if isinstance(v, bytes) else str(v).encode() for v in array.ravel().tolist()]
    holder = np.empty([len(encoded)], object)
    holder[:] = encoded
    return as_proto(holder.reshape(array.shape), dtype)
  return as_proto(np.asarray(value, dtype.as_numpy_dtype), dtype)

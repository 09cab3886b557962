"""One bad variant of a plan, made from a seed."""
import copy
import dataclasses
import random

import tensorflow.compat.v1 as tf
from tensorflow.core.framework import tensor_pb2

from mutation import nodes
from mutation.plan import Step
from mutation.tensors import change, forged


@dataclasses.dataclass
class Trial:
  graph: tf.GraphDef
  steps: list
  what: str


class Maker:
  """Makes the trials of a plan; each depends on the seed, the plan's key and its own number only."""

  def __init__(self, plan, key, seed):
    self.plan, self.key, self.seed = plan, key, seed
    self.attributes = nodes.attributes(random.Random("%s %s" % (seed, key)), plan.graph, plan.ops)
    self.constants = nodes.constants(plan.graph)
    self.handles = nodes.handles(plan.graph, plan.ops)
    self.feeds = sorted({name for step in plan.steps for name in step.feeds})
    # Inputs deserve the most; a graph is mostly refused before anything runs.
    self.weights = {
        "feed": 6 if self.feeds else 0, "constant": 4 if self.constants else 0, "attribute": 2 if self.attributes else 0, "handle": 2 if self.handles else 0,
        "edges": 0.3}

  def make(self, number):
    rng = random.Random("%s %s %d" % (self.seed, self.key, number))
    graph, steps, what = self.plan.graph, self.plan.steps, []
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
      kinds = [k for k, weight in self.weights.items() if weight]
      kind = rng.choices(kinds, [self.weights[k] for k in kinds])[0]
      if kind in ("attribute", "edges", "constant") and graph is self.plan.graph:
        graph = copy.deepcopy(graph)
      if kind == "feed":
        steps, done = self.change_feed(rng, steps)
      elif kind == "handle":
        steps, done = self.feed_handle(rng, steps)
      elif kind == "constant":
        done = nodes.change_constant(rng, graph, *rng.choice(self.constants))
      elif kind == "attribute":
        done = nodes.change_attribute(rng, graph, *rng.choice(self.attributes))
      else:
        done = nodes.change_edges(rng, graph, self.plan.ops)
      if done:
        what.append(done)
    return Trial(graph, steps, ", ".join(what))

  def change_feed(self, rng, steps):
    name = rng.choice(self.feeds)
    having = [i for i, step in enumerate(steps) if name in step.feeds]
    at = rng.choice(having)
    proto, what = change(rng, steps[at].feeds[name])
    where = "" if len(having) == 1 else " in step %d" % at
    return [with_feed(step, name, proto) if i == at else step for i, step in enumerate(steps)], "fed %s%s %s" % (name, where, what)

  def feed_handle(self, rng, steps):
    name, dtype = rng.choice(self.handles)
    proto, what = forged(rng, dtype)
    return [with_feed(step, name, proto) for step in steps], "fed %s %s" % (name, what)


def with_feed(step, name, proto):
  assert isinstance(proto, tensor_pb2.TensorProto)
  return Step({**step.feeds, name: proto}, step.fetches, step.targets)

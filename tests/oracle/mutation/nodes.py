"""Bad graphs, made of good ones: attributes, constants and edges that no client would send."""
import tensorflow.compat.v1 as tf
from tensorflow.python.framework import op_def_registry

from mutation.tensors import FLOATS, INTEGERS, TEXTS, change

TYPES = [1, 2, 3, 4, 7, 9, 10, 14, 19, 20, 21, 23, 8, 101, 0]
DIMENSIONS = [[], [0], [-1], [2**62], [2**40, 2**40], [1] * 254, [1] * 300, [-5], [3], [2, 2]]


def all_nodes(graph):
  """Every node with its function's name, or None for the graph's own."""
  for node in graph.node:
    yield None, node
  for function in graph.library.function:
    for node in function.node_def:
      yield function.signature.name, node


def attributes(rng, graph, ops):
  """(function, node, attribute's name) of all that can be changed in the nodes of these operations, but few types: another
  type is mostly refused before anything runs."""
  found = []
  for function, node in all_nodes(graph):
    definition = op_def_registry.get(node.op)
    if node.op in ops and definition is not None:
      found += [(function, node.name, a.name) for a in definition.attr if "type" not in a.type or rng.random() < 0.2]
  return found


def constants(graph):
  return [(function, node.name) for function, node in all_nodes(graph) if node.op == "Const"]


def handles(graph, ops):
  """The edges that bring a handle, variant or reference to one of these operations, as a tensor's name and type."""
  by_name = {node.name: node for node in graph.node}
  found = {}
  for node in graph.node:
    if node.op not in ops:
      continue
    for edge in node.input:
      if edge.startswith("^"):
        continue
      source, _, port = edge.partition(":")
      output = int(port or 0)
      if source in by_name and output == 0:
        definition = op_def_registry.get(by_name[source].op)
        if definition and definition.output_arg and definition.output_arg[0].type in (tf.resource.as_datatype_enum, tf.variant.as_datatype_enum):
          found["%s:0" % source] = definition.output_arg[0].type
  return sorted(found.items())


def node_of(graph, function, name):
  return next(n for f, n in all_nodes(graph) if f == function and n.name == name)


def change_constant(rng, graph, function, name):
  value = node_of(graph, function, name).attr["value"].tensor
  changed, what = change(rng, value)
  value.CopyFrom(changed)
  return "constant %s %s" % (name, what)


def change_attribute(rng, graph, function, name, attribute):
  node = node_of(graph, function, name)
  definition = next(a for a in op_def_registry.get(node.op).attr if a.name == attribute)
  value = node.attr[attribute]
  roll = rng.random()
  if roll < 0.04:
    del node.attr[attribute]
    return "%s without attribute %s" % (name, attribute)
  if roll < 0.08:
    value.Clear()
    other_kind(rng, value)
  else:
    change_value(rng, value, definition.type, graph)
  return "%s.%s=%s" % (name, attribute, " ".join(str(value).split())[:60])


def other_kind(rng, value):
  kind = rng.randrange(4)
  if kind == 0:
    value.i = rng.choice(INTEGERS)
  elif kind == 1:
    value.s = rng.choice(TEXTS)
  elif kind == 2:
    value.list.SetInParent()
  else:
    value.shape.unknown_rank = True


def change_value(rng, value, kind, graph):
  if kind == "int":
    value.i = rng.choice(INTEGERS + [min(value.i + 1, 2**63 - 1), max(value.i - 1, -2**63)])
  elif kind == "float":
    value.f = as_float(rng.choice(FLOATS))
  elif kind == "bool":
    value.b = not value.b
  elif kind == "string":
    value.s = rng.choice(TEXTS + [value.s[:-1], value.s + b"x", value.s.lower(), b"NCHW", b"NHWC", b"SAME", b"VALID", b"EXPLICIT"])
  elif kind == "type":
    value.type = rng.choice(TYPES)
  elif kind == "shape":
    change_shape(rng, value.shape)
  elif kind == "tensor":
    changed, _ = change(rng, value.tensor)
    value.tensor.CopyFrom(changed)
  elif kind == "func":
    names = [f.signature.name for f in graph.library.function]
    value.func.name = rng.choice(names + ["nobody", ""])
  elif kind == "list(int)":
    change_list(rng, value.list.i, lambda old: rng.choice(INTEGERS))
  elif kind == "list(float)":
    change_list(rng, value.list.f, lambda old: as_float(rng.choice(FLOATS)))
  elif kind == "list(string)":
    change_list(rng, value.list.s, lambda old: rng.choice(TEXTS))
  elif kind == "list(type)":
    change_list(rng, value.list.type, lambda old: rng.choice(TYPES))
  elif kind == "list(bool)":
    change_list(rng, value.list.b, lambda old: not old)
  elif kind == "list(shape)":
    shapes = value.list.shape
    if shapes and rng.random() < 0.7:
      change_shape(rng, rng.choice(list(shapes)))
    elif shapes and rng.random() < 0.5:
      del shapes[-1]
    else:
      change_shape(rng, shapes.add())
  else:
    value.list.Clear()
    value.list.SetInParent()


def as_float(value):
  return max(min(value, 3e38), -3e38) if abs(value) != float("inf") else value


def change_list(rng, values, other):
  way = rng.randrange(6)
  if way == 0 or (way < 5 and not values and way != 1):
    del values[:]
  elif way == 1:
    values.append(values[-1] if values else other(None) or 0)
  elif way == 2:
    del values[-1]
  elif way == 5:
    values[:] = [other(v) for v in values] or [other(None) or 0]
  else:
    at = rng.randrange(len(values))
    values[at] = other(values[at])


def change_shape(rng, shape):
  shape.Clear()
  if rng.random() < 0.15:
    shape.unknown_rank = True
    return
  for n in rng.choice(DIMENSIONS):
    shape.dim.add(size=n)


def change_edges(rng, graph, ops):
  """Moves, doubles or drops an input of a node; None if there is none."""
  nodes = [n for _, n in all_nodes(graph) if n.op in ops and n.input]
  if not nodes:
    return None
  node = rng.choice(nodes)
  at = rng.randrange(len(node.input))
  way = rng.randrange(5)
  if way == 0:
    del node.input[at]
    return "%s without input %d" % (node.name, at)
  if way == 1:
    node.input.insert(at, node.input[at])
    return "%s with input %d twice" % (node.name, at)
  if way == 2:
    other = rng.randrange(len(node.input))
    values = list(node.input)
    values[at], values[other] = values[other], values[at]
    node.input[:] = values
    return "%s with inputs %d and %d exchanged" % (node.name, at, other)
  if way == 3:
    node.input[at] = rng.choice([node.input[at].split(":")[0] + ":7", "^" + node.input[at].split(":")[0].lstrip("^"), "nobody", "", node.name, ":", "a:b:c:-1"])
    return "%s with input %d from %r" % (node.name, at, node.input[at])
  node.input[at] = rng.choice([n.name for n in graph.node])
  return "%s with input %d from %s" % (node.name, at, node.input[at])

"""Variables by reference and by handle, scatters, mutexes, optimizers."""
import itertools

from case import *  # noqa: F403
from tensorflow.python.framework import op_def_library

NUMBER = itertools.count()  # the server keeps variables by name, so every scenario has names of its own


def variable(array, dtype, is_resource):
  """A variable with this value."""
  value = array.array(dtype) if isinstance(array, Untyped) else np.asarray(array)
  return tf.get_variable("state_%d" % next(NUMBER), initializer=tf.constant(value), use_resource=is_resource)


def target(v, is_resource):
  return v.handle if is_resource else v._ref()


def value(v):
  return v.read_value()


def changed(op, variables, inputs, attrs=None, dtype="float32", refused=False, rtol=None, atol=0.0):
  """Runs an operation whose first arguments are variables, and compares all of them afterwards."""
  is_resource = op.startswith(("Resource", "AssignVariable", "AssignAddV", "AssignSubV"))

  def make():
    vs = [variable(a, dtype, is_resource) for a in variables]
    names = [a.name for a in tf_op_def(op).input_arg]
    arrays = [i.array(dtype) if isinstance(i, Untyped) else np.asarray(i) for i in inputs]
    fed = [tf.placeholder(tf.string if a.dtype == object else tf.as_dtype(a.dtype), None if refused else a.shape) for a in arrays]
    args = dict(zip(names, [target(v, is_resource) for v in vs] + fed))
    run = getattr(tf.raw_ops, op)(**args, **(attrs or {}))
    return [([v.initializer for v in vs], {}), ([run], dict(zip(fed, arrays))), ([value(v) for v in vs], {})]

  return Scenario("%s %s %s" % (op, dtype, attrs or ""), [op], make, dtype=dtype, refused=refused, rtol=rtol, atol=atol)


def assigning():
  for dtype in PLAIN + ["string"]:
    yield changed("Assign", [real(2, 3)], [whole(2, 3)], dtype=dtype)
    yield changed("AssignVariableOp", [real(2, 3)], [whole(2, 3)], dtype=dtype)
  yield changed("Assign", [real(2, 3)], [whole(4)], {"validate_shape": False})
  yield changed("Assign", [real(2, 3)], [whole(4)], refused=True)
  yield changed("AssignVariableOp", [real(2, 3)], [whole(4)], {"validate_shape": True}, refused=True)
  for op in ("AssignAdd", "AssignSub", "AssignAddVariableOp", "AssignSubVariableOp"):
    for dtype in NUMBERS:
      yield changed(op, [real(2, 3)], [whole(2, 3)], dtype=dtype)
    yield changed(op, [real(2, 3)], [whole(3)], refused=True)
  for form, updates in (("Scatter", "Update Add Sub Mul Div Min Max"), ("ScatterNd", "Update Add Sub Min Max")):
    indices = i32([2, 0, 2]) if form == "Scatter" else i32([[2], [0], [2]])
    for prefix, update in itertools.product(("", "Resource"), updates.split()):
      op = prefix + form + update
      types = PLAIN + ["string"] if update == "Update" else FLOATS + ["int32", "int64"] if update in ("Min", "Max") else NUMBERS
      # Both forms run the same kernel; one of them shows all types.
      for dtype in types if prefix else [types[-1], "float32"]:
        yield changed(op, [real(4, 2)], [indices, small(3, 2)], dtype=dtype)
      yield changed(op, [real(4, 2)], [indices + 2, small(3, 2)], refused=True)
      # Of handles TensorFlow checks only the rank.
      yield changed(op, [real(4, 2)], [indices, small(3)], refused=True)
      if form == "Scatter":
        yield changed(op, [real(4, 2)], [i64([[1, 3]]), small()])
        if op == "ResourceScatterDiv":  # by reference TensorFlow dies of it
          yield changed(op, [small(3)], [i32([0]), i32([0])], dtype="int32", refused=True)
      else:
        yield changed(op, [real(3, 2)], [i64([[1, 1], [0, 0]]), small(2)])


def reading():
  def resources():
    v, words = variable(real(4, 2), "float32", True), variable(strings("a", "b"), "string", True)
    raw = tf.raw_ops
    gathered = [raw.ResourceGather(resource=v.handle, indices=[[3], [0]], dtype=tf.float32),
                raw.ResourceGather(resource=v.handle, indices=[[1], [0], [0], [1]], batch_dims=1, dtype=tf.float32),
                raw.ResourceGather(resource=words.handle, indices=[1, 1], dtype=tf.string),
                raw.ResourceGatherNd(resource=v.handle, indices=[[3, 1], [0, 0]], dtype=tf.float32),
                raw.ResourceGatherNd(resource=v.handle, indices=[[2]], dtype=tf.float32)]
    asked = [raw.ReadVariableOp(resource=v.handle, dtype=tf.float32), raw.VariableShape(input=v.handle),
             raw.VariableShape(input=v.handle, out_type=tf.int64), raw.VarIsInitializedOp(resource=v.handle)]
    return [(raw.VarIsInitializedOp(resource=variable(real(1), "float32", True).handle), {}), ([v.initializer, words.initializer], {}),
            (asked, {}), (gathered, {}), (raw.DisableCopyOnRead(resource=v.handle), {}), (raw.DestroyResourceOp(resource=v.handle), {}),
            (raw.VarIsInitializedOp(resource=v.handle), {}), (raw.DestroyResourceOp(resource=v.handle), {})]
  yield Scenario("a resource variable's life", ["VarHandleOp", "ReadVariableOp", "VariableShape", "VarIsInitializedOp", "ResourceGather",
                                               "ResourceGatherNd", "DisableCopyOnRead", "DestroyResourceOp"], resources)

  def several():
    a = variable(real(2), "float32", True)
    handles = op_def_library.apply_op("_VarHandlesOp", name="handles", containers=[""], shared_names=[a.op.get_attr("shared_name").decode()], N=1,
                                      dtypes=[tf.float32], shapes=[[2]])
    read = op_def_library.apply_op("_ReadVariablesOp", name="reads", resources=[handles[0], a.handle], dtypes=[tf.float32, tf.float32])
    return [(a.initializer, {}), (list(read), {})]
  yield Scenario("several variables at once", ["_VarHandlesOp", "_ReadVariablesOp"], several)

  def missing():
    return [(variable(real(2), "float32", True).read_value(), {})]
  yield Scenario("reading an uninitialized resource", ["ReadVariableOp"], missing, refused=True)

  def references():
    first = tf.raw_ops.Variable(shape=[2], dtype=tf.int32, shared_name="state_first_version")
    v = variable(i32([1, 2]), "int32", False)
    temporary = tf.raw_ops.TemporaryVariable(shape=[2], dtype=tf.int32, var_name="state_temporary")
    temporary = tf.assign_add(tf.assign(temporary, [1, 2]), [10, 10])
    return [(tf.is_variable_initialized(v), {}), (tf.assign(first, [3, 4]), {}), (v.initializer, {}),
            ([tf.is_variable_initialized(v), v.read_value(), tf.identity(first)], {}),
            (tf.raw_ops.DestroyTemporaryVariable(ref=temporary, var_name="state_temporary"), {})]
  yield Scenario("references", ["Variable", "VariableV2", "IsVariableInitialized", "TemporaryVariable", "DestroyTemporaryVariable"], references)

  for dtype, is_resource in itertools.product(("int32", "int64"), (False, True)):
    def count(refused, dtype=dtype, is_resource=is_resource):
      def make():
        v = variable(np.array(1, dtype), dtype, is_resource)
        if is_resource:
          up = tf.raw_ops.ResourceCountUpTo(resource=v.handle, limit=3, T=tf.as_dtype(dtype))
        else:
          up = tf.raw_ops.CountUpTo(ref=v._ref(), limit=3)
        return [(v.initializer, {})] + [(up, {})] * (3 if refused else 2)
      return make
    for refused in (False, True):
      yield Scenario("counting %s" % dtype, ["ResourceCountUpTo" if is_resource else "CountUpTo"], count(refused), dtype=dtype, refused=refused)

  def critical():
    section, v = tf.CriticalSection(shared_name="state_section"), variable(np.float32(0), "float32", True)
    inside = [section.execute(lambda: v.assign_add(2.0).value()) for _ in range(4)]
    return [(v.initializer, {}), (tf.sort(tf.stack(inside)), {})]
  yield Scenario("a critical section", ["MutexV2", "MutexLock", "ConsumeMutexLock"], critical)


RULES = [  # name, variables, scalars in order (`grad` stands for the gradient), option, complex numbers too
    ("GradientDescent", 1, "0.1 grad", None, True),
    ("ProximalGradientDescent", 1, "0.1 0.2 0.3 grad", None, None),
    ("Momentum", 2, "0.1 grad 0.9", "use_nesterov", True),
    ("KerasMomentum", 2, "0.1 grad 0.9", "use_nesterov", True),
    ("Adagrad", 2, "0.1 grad", "update_slots", True),
    ("AdagradV2", 2, "0.1 0.01 grad", "update_slots", True),
    ("AdagradDA", 3, "grad 0.1 0.01 0.2 step", None, None),
    ("ProximalAdagrad", 2, "0.1 0.2 0.3 grad", None, None),
    ("Adadelta", 3, "0.1 0.9 0.01 grad", None, True),
    ("Adam", 3, "0.9 0.99 0.1 0.9 0.99 0.001 grad", "use_nesterov", True),
    ("AdamWithAmsgrad", 4, "0.9 0.99 0.1 0.9 0.99 0.001 grad", None, False),
    ("AdaMax", 3, "0.9 0.1 0.9 0.99 0.001 grad", None, None),
    ("RMSProp", 3, "0.1 0.9 0.5 0.01 grad", None, True),
    ("CenteredRMSProp", 4, "0.1 0.9 0.5 40 grad", None, True),  # the large epsilon keeps the root real
    ("Ftrl", 3, "grad 0.1 0.2 0.3 -0.5", "multiply_linear_by_lr", False),
    ("FtrlV2", 3, "grad 0.1 0.2 0.3 0.4 -0.7", "multiply_linear_by_lr", False),
    ("AddSign", 2, "0.1 1.5 0.9 0.8 grad", None, False),
    ("PowerSign", 2, "0.1 1.1 0.9 0.8 grad", None, False),
]

# Halves round after every operation; a different order of two of them shows after a division.
RULE_RTOL = {"half": 2e-2, "bfloat16": 8e-2, "float32": 1e-5, "complex64": 2e-5}


def optimizers():
  for name, count, arguments, option, kinds in RULES:
    dtypes = F32_64 if kinds is None else FLOATS + (COMPLEX if kinds else [])
    for form, dtype in itertools.product(("Apply", "ResourceApply", "SparseApply", "ResourceSparseApply"), dtypes):
      op = form + name
      try:
        tf_op_def(op)
      except ValueError:
        continue
      is_sparse = "Sparse" in op
      if not form.startswith("Resource") and dtype != "float32":
        continue  # both forms run the same kernel; one of them shows all types
      if is_sparse and name.endswith("RMSProp") and dtype in ["bfloat16"] + COMPLEX:
        continue  # TensorFlow has no kernel
      kind = tf.as_dtype(dtype).as_numpy_dtype
      inputs = []
      for a in arguments.split():
        if a == "grad":
          inputs += [unit(3, 2), i32([3, 0, 3])] if is_sparse else [unit(4, 2)]
        else:
          inputs.append(np.int64(3) if a == "step" else np.asarray(float(a)).astype(kind))
      slots = [real(4, 2)] + [positive(4, 2)] * (count - 1)
      for attrs in [{option: False}, {option: True}] if option and dtype == "float32" else [{option: True}] if option else [{}]:
        yield changed(op, slots, inputs, attrs, dtype, rtol=RULE_RTOL.get(dtype), atol=1e-3 if dtype in ("half", "bfloat16") else 1e-6)
      if dtype == "float32" and not is_sparse and not arguments.endswith("step"):  # a gradient or scalar of another shape
        yield changed(op, slots, inputs[:-1] + [f32([1, 2])], refused=True)


def cases():
  yield from assigning()
  yield from reading()
  yield from optimizers()

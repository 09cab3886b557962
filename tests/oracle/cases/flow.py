"""Control flow, functions, tensor arrays and lists, queues, accumulators, tables."""
import numpy as np
import tensorflow.compat.v1 as tf

from case import *  # noqa: F403

raw = tf.raw_ops


def branches():
  p, x = tf.placeholder(tf.bool, []), tf.placeholder(tf.float32, [2])
  off, on = raw.Switch(data=x, pred=p)
  merged = raw.Merge(inputs=[off * 2.0, on + 1.0])
  return [([merged.output, merged.value_index], {p: v, x: f32([1, 2])}) for v in (True, False)]


def v1_loop():
  n = tf.placeholder(tf.int32, [])
  _, total = tf.while_loop(lambda i, s: i < n, lambda i, s: [i + 1, s * 1.5 + 1.0], [0, tf.constant([1.0, 2.0])])
  return [([total], {n: v}) for v in (0, 1, 25)]


def functions():
  x = tf.placeholder(tf.int32, [])

  @tf.function
  def loop(x):
    while x < 100:
      x = x * 2 + 1
    return x

  @tf.function
  def choose(x):
    return tf.cond(x > 3, lambda: x * 10, lambda: -x)

  case = tf.switch_case(x, [lambda: x + 1, lambda: x + 2, lambda: x + 3])
  return [([loop(x), choose(x), case, raw.ToBool(input=x)], {x: v}) for v in (0, 1, 5, 200)]


def arrays():
  a = raw.TensorArrayV3(size=3, dtype=tf.float32, element_shape=[2], clear_after_read=False)
  flow = raw.TensorArrayScatterV3(handle=a.handle, indices=[2, 0], value=[[1.0, 2.0], [3.0, 4.0]], flow_in=a.flow)
  flow = raw.TensorArrayWriteV3(handle=a.handle, index=1, value=[5.0, 6.0], flow_in=flow)
  gather = raw.TensorArrayGatherV3(handle=a.handle, indices=[0, 1, 2], flow_in=flow, dtype=tf.float32)
  read = raw.TensorArrayReadV3(handle=a.handle, index=2, flow_in=flow, dtype=tf.float32)
  concat = raw.TensorArrayConcatV3(handle=a.handle, flow_in=flow, dtype=tf.float32)
  size = raw.TensorArraySizeV3(handle=a.handle, flow_in=flow)
  b = raw.TensorArrayV3(size=2, dtype=tf.float32)
  split = raw.TensorArraySplitV3(handle=b.handle, value=[1.0, 2.0, 3.0], lengths=i64([1, 2]), flow_in=b.flow)
  second = raw.TensorArrayReadV3(handle=b.handle, index=1, flow_in=split, dtype=tf.float32)
  return [([gather, read, concat.value, concat.lengths, size, second], {})]


def lists():
  x = tf.placeholder(tf.float32, [3, 2])
  made = raw.TensorListFromTensor(tensor=x, element_shape=i32([2]))
  made = raw.TensorListSetItem(input_handle=made, index=1, item=f32([7, 8]))
  made = raw.TensorListPushBack(input_handle=made, tensor=f32([9, 10]))
  popped = raw.TensorListPopBack(input_handle=made, element_shape=i32([2]), element_dtype=tf.float32)
  longer = raw.TensorListResize(input_handle=popped.output_handle, size=5)
  gap = raw.TensorListReserve(element_shape=i32([2]), num_elements=2, element_dtype=tf.float32)
  scattered = raw.TensorListScatterV2(tensor=x, indices=[3, 0, 1], element_shape=i32([2]), num_elements=-1)
  cut = raw.TensorListSplit(tensor=x, element_shape=i32([-1, 2]), lengths=i64([1, 2]))
  joined = raw.TensorListConcatV2(
      input_handle=cut, element_shape=i32([-1, 2]), leading_dims=i64([]), element_dtype=tf.float32)
  both = raw.TensorListConcatLists(input_a=made, input_b=gap, element_dtype=tf.float32)

  def stack(handle):
    return raw.TensorListStack(input_handle=handle, element_shape=i32([2]), element_dtype=tf.float32)

  fetches = [
      popped.tensor, stack(longer), stack(gap), stack(scattered), joined.tensor, joined.lengths, stack(both),
      raw.TensorListLength(input_handle=longer),
      raw.TensorListElementShape(input_handle=cut, shape_type=tf.int32),
      raw.TensorListGetItem(input_handle=made, index=2, element_shape=i32([2]), element_dtype=tf.float32),
      raw.TensorListGather(input_handle=made, indices=[2, 0], element_shape=i32([2]), element_dtype=tf.float32),
  ]
  return [(fetches, {x: f32([[1, 2], [3, 4], [5, 6]])})]


def queue(make):
  def build():
    q = make()
    x = tf.placeholder(tf.int32, [None])
    close = q.close()
    return [
        ([q.enqueue_many([x])], {x: i32([5, 1, 4, 2])}),
        ([q.size()], {}),
        ([q.dequeue()], {}),
        ([q.dequeue_many(2)], {}),
        ([close], {}),
        ([q.dequeue_up_to(7)], {}),
        ([q.is_closed(), q.size()], {}),
    ]
  return build


def table():
  keys, values = tf.placeholder(tf.string, [None]), tf.placeholder(tf.int64, [None])
  handle = raw.MutableHashTableV2(key_dtype=tf.string, value_dtype=tf.int64, shared_name="oracle")
  found = raw.LookupTableFindV2(table_handle=handle, keys=strings("a", "b", "c"), default_value=np.int64(-1))
  size = raw.LookupTableSizeV2(table_handle=handle)
  insert = raw.LookupTableInsertV2(table_handle=handle, keys=keys, values=values)
  remove = raw.LookupTableRemoveV2(table_handle=handle, keys=strings("a"))
  return [
      ([insert], {keys: strings("a", "b"), values: i64([1, 2])}),
      ([found, size], {}),
      ([remove], {}),
      ([found, size], {}),
  ]


def dense_table():
  handle = raw.MutableDenseHashTableV2(
      empty_key=np.int64(-1), deleted_key=np.int64(-2), value_dtype=tf.float32, value_shape=[2], initial_num_buckets=4,
      shared_name="oracle_dense")
  insert = raw.LookupTableInsertV2(table_handle=handle, keys=i64([1, 5, 6]), values=f32([[1, 2], [3, 4], [5, 6]]))
  remove = raw.LookupTableRemoveV2(table_handle=handle, keys=i64([5]))
  export = raw.LookupTableExportV2(table_handle=handle, Tkeys=tf.int64, Tvalues=tf.float32)
  return [([insert], {}), ([remove], {}), ([export.keys], {})]


def accumulator():
  q = tf.ConditionalAccumulator(tf.float32, shape=[2], shared_name="oracle_accumulator")
  x, step = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.int64, [])
  apply, taken = q.apply_grad(x, step), q.take_grad(2)
  return [
      ([apply], {x: f32([1, 2]), step: 0}),
      ([apply], {x: f32([4, 3]), step: 0}),
      ([q.num_accumulated()], {}),
      ([taken], {}),
      ([apply], {x: f32([9, 9]), step: 0}),
      ([q.num_accumulated()], {}),
  ]


def cases():
  yield Scenario("branches part and meet", ["Switch", "Merge"], branches)
  yield Scenario("loops of frames", ["Enter", "Exit", "NextIteration", "LoopCond"], v1_loop, no_gradient="loops cannot be differentiated yet")
  yield Scenario("loops and branches of functions",
                 ["While", "StatelessWhile", "If", "StatelessIf", "Case", "StatelessCase", "PartitionedCall",
                  "StatefulPartitionedCall", "ToBool"], functions)
  yield Scenario("tensor arrays",
                 ["TensorArrayV3", "TensorArrayScatterV3", "TensorArrayWriteV3", "TensorArrayGatherV3", "TensorArrayReadV3",
                  "TensorArrayConcatV3", "TensorArraySizeV3", "TensorArraySplitV3"], arrays)
  yield Scenario("tensor lists",
                 ["TensorListFromTensor", "TensorListSetItem", "TensorListPushBack", "TensorListPopBack", "TensorListResize",
                  "TensorListReserve", "TensorListScatterV2", "TensorListSplit", "TensorListConcatV2",
                  "TensorListConcatLists", "TensorListStack", "TensorListLength", "TensorListElementShape",
                  "TensorListGetItem", "TensorListGather"], lists)
  common = ["QueueEnqueueManyV2", "QueueSizeV2", "QueueDequeueV2", "QueueDequeueManyV2", "QueueDequeueUpToV2",
            "QueueCloseV2", "QueueIsClosedV2"]
  yield Scenario("a queue", ["FIFOQueueV2"] + common,
                 queue(lambda: tf.FIFOQueue(10, [tf.int32], shapes=[[]], shared_name="oracle_fifo")))
  yield Scenario("a shuffling queue", ["RandomShuffleQueueV2"] + common,
                 queue(lambda: tf.RandomShuffleQueue(10, 0, [tf.int32], shapes=[[]], seed=7, shared_name="oracle_shuffle")))
  yield Scenario("a mutable table",
                 ["MutableHashTableV2", "LookupTableInsertV2", "LookupTableFindV2", "LookupTableSizeV2",
                  "LookupTableRemoveV2"], table)
  yield Scenario("the layout of a dense table", ["MutableDenseHashTableV2", "LookupTableExportV2"], dense_table)
  yield Scenario("an accumulator",
                 ["ResourceConditionalAccumulator", "ResourceAccumulatorApplyGradient", "ResourceAccumulatorTakeGradient",
                  "ResourceAccumulatorNumAccumulated"], accumulator)
  yield Scenario("DeviceIndex", ["DeviceIndex"], lambda: [([tf.raw_ops.DeviceIndex(device_names=n) for n in (["GPU", "CPU"], ["CPU"], ["GPU"], [])], {})])
  yield Refused("TensorListReserve", [i32([2]), i32(-1)], {"element_dtype": tf.float32})
  yield Refused("Assert", [np.array(False), [i32([1, 2])]])

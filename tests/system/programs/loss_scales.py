"""Keras' LossScaleOptimizer over made-up batches: prints the scale and the weight after each, as JSON."""
import json
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import tensorflow as tf  # noqa: E402

weight = tf.Variable([[1.0]])
momentum = tf.keras.optimizers.SGD(0.01, momentum=0.9)
optimizer = tf.keras.mixed_precision.LossScaleOptimizer(momentum, initial_scale=8.0, dynamic_growth_steps=3)
optimizer.build([weight])
scales, weights = [], []
for value in json.loads(sys.argv[1]):
  with tf.GradientTape() as tape:
    product = tf.matmul(tf.cast([[value]], tf.float16), tf.cast(weight, tf.float16))
    loss = optimizer.scale_loss(tf.reduce_sum(tf.cast(product, tf.float32)))
  optimizer.apply([tf.cast(tape.gradient(loss, weight), tf.float32)], [weight])
  scales.append(float(optimizer.dynamic_scale.numpy()))
  weights.append(float(weight.numpy()[0][0]))
print(json.dumps({"scales": scales, "weights": weights}))

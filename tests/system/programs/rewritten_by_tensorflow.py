"""A model that TensorFlow itself rewrites for bfloat16, beside the same model as we have rewritten it: FOLDER MODEL STEPS; prints the
losses of both ("theirs", "ours") as JSON.

Its pass for CPUs runs only with oneDNN, which has to be known before TensorFlow is loaded. Both graphs run with it: on processors with
arithmetic of 16 bits it rounds elsewhere than TensorFlow's other kernels do.
"""
import json
import os
import pathlib
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "1"
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from harness import tf  # noqa: E402
from precision import losses_of  # noqa: E402
from tensorflow.core.protobuf import rewriter_config_pb2  # noqa: E402

folder, model, steps = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])


def losses(name, config):
  definition = tf.GraphDef()
  definition.ParseFromString((folder / (name + ".pb")).read_bytes())
  facts = json.loads((folder / (name + ".json")).read_text())
  return [float(loss) for loss in losses_of(definition, facts, steps, config)]


config = tf.ConfigProto()
rewrite = config.graph_options.rewrite_options
rewrite.auto_mixed_precision_onednn_bfloat16 = rewriter_config_pb2.RewriterConfig.ON
rewrite.min_graph_nodes = -1
print(json.dumps({"theirs": losses(model + "-float32", config), "ours": losses(model + "-bfloat16", tf.ConfigProto())}))

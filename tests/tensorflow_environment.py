"""The environment of every process of the tests that runs TensorFlow; import this before TensorFlow. Child processes inherit it."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
# oneDNN takes AMX for products of bfloat16 where the processor has it, and the one in TensorFlow 2.21 then dies with
# SIGILL. The widest instructions without AMX give the same results. Benchmarks need no such limit: they measure float32,
# which never uses AMX.
os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16")
for name in ("no_proxy", "NO_PROXY"):
  os.environ[name] = "*"

"""What every opponent begins with: one core, and answers in JSON, a line each, to the requests on stdin.

Called with the number of a core (-1 for any). The first answer comes without a request: {"name": ..., "version": ...} or
{"missing": package, "why": ...}.
"""
import json
import os
import signal
import sys
import time

signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever asks
CORE = int(sys.argv[1])
if CORE >= 0 and hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {CORE})  # before any library counts the cores
for _variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[_variable] = "1"
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["CUDA_VISIBLE_DEVICES"] = ""

# Libraries may print; only answers go where stdout went.
ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def answer(**words):
    print(json.dumps(words), file=ANSWERS, flush=True)


def missing(error):
    answer(missing=error.name or str(error), why=str(error))
    sys.exit(0)


try:
    import numpy as np
except ImportError as error:
    missing(error)

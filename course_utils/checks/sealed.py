"""What an answer may replace and finds undone: the modules and classes of a check, and what these rely on."""

import cmath
import math
import random
import threading
import time

import torch

from course_utils.checks import behaviour, compare, fence, isolation, judge, snapshot, time_limit, verdict

SEAL = fence.Seal()
SEAL.remember(
    own=(behaviour, compare, fence, isolation, judge, snapshot, time_limit, verdict),
    others=(cmath, math, random, time, threading, torch, torch.linalg, torch.nn.functional, torch.random),
)
SEAL.remember(
    own=(
        behaviour.Outcome,
        fence.Fence,
        fence.Seal,
        judge.Judge,
        snapshot.Foreign,
        verdict.Note,
        verdict.Verdict,
    ),
    others=(threading.Thread, torch.Tensor, torch.nn.Module),
)

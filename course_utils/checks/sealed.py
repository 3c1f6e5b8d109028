"""What an answer may replace and finds undone: the modules and classes of a check, and what these rely on."""

import cmath
import dis
import html
import inspect
import linecache
import math
import random
import threading
import time

import torch

from course_utils.checks import (
    alteration,
    behaviour,
    bytecode,
    compare,
    explain,
    fence,
    isolation,
    judge,
    restrictions,
    snapshot,
    time_limit,
    unfold,
    verdict,
    wording,
)

SEAL = fence.Seal()
SEAL.remember(
    own=(
        alteration,
        behaviour,
        bytecode,
        compare,
        explain,
        fence,
        isolation,
        judge,
        restrictions,
        snapshot,
        time_limit,
        unfold,
        verdict,
        wording,
    ),
    others=(
        cmath,
        dis,
        html,
        inspect,
        linecache,
        math,
        random,
        time,
        threading,
        torch,
        torch.linalg,
        torch.nn.functional,
        torch.random,
    ),
)
SEAL.remember(
    own=(
        alteration.Alteration,
        behaviour.Outcome,
        compare._Comparison,
        fence.Fence,
        fence.Seal,
        judge.Judge,
        snapshot.Foreign,
        verdict.Note,
        verdict.Verdict,
    ),
    others=(threading.Thread, torch.Tensor, torch.nn.Module),
)

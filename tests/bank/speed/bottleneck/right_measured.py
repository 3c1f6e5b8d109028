# Profiles the logged figure alone, and takes the row with the largest self time.
import os

os.environ.setdefault("KINETO_LOG_LEVEL", "99")
import torch
from torch.profiler import ProfilerActivity, profile

weight = torch.rand(128, 800)
with profile(activities=[ProfilerActivity.CPU]) as watched:
    torch.linalg.matrix_norm(weight, ord=2)
bottleneck = max(watched.key_averages(), key=lambda event: event.self_cpu_time_total).key

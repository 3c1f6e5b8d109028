# %% right_two_numbers: Two Python numbers, one tensor at the end.
import torch


class Accuracy:
    def __init__(self):
        self.right = self.counted = 0

    def update(self, logits, targets):
        real = targets != -100
        self.right += (logits.argmax(1)[real] == targets[real]).sum().item()
        self.counted += real.sum().item()

    def compute(self, all_reduce):
        pair = torch.tensor([self.right, self.counted], dtype=torch.float64)
        all_reduce(pair)
        return (pair[0] / pair[1]).item()  # 0 / 0 is NaN


# %% right_two_calls: One all_reduce for each number.
import math

import torch


class Accuracy:
    def __init__(self):
        self.right = torch.tensor(0)
        self.counted = torch.tensor(0)

    def update(self, logits, targets):
        keep = targets.ne(-100)
        guesses = logits.argmax(dim=1)
        self.right = self.right + guesses[keep].eq(targets[keep]).sum()
        self.counted = self.counted + keep.sum()

    def compute(self, all_reduce):
        right, counted = self.right.clone(), self.counted.clone()
        all_reduce(right)
        all_reduce(counted)
        return math.nan if counted == 0 else right.item() / counted.item()


# %% right_kept_batches: Keeps what each batch said, and counts at the end.
import torch


class Accuracy:
    def __init__(self):
        self.said = []

    def update(self, logits, targets):
        for guess, target in zip(logits.argmax(1).tolist(), targets.tolist()):
            if target != -100:
                self.said.append(guess == target)

    def compute(self, all_reduce):
        numbers = torch.tensor([sum(self.said), len(self.said)])
        all_reduce(numbers)
        return float("nan") if numbers[1] == 0 else float(numbers[0] / numbers[1].double())


# %% right_tensor: The answer as a tensor of one number.
import torch


class Accuracy:
    def __init__(self):
        self.counts = torch.zeros(2, dtype=torch.double)

    def update(self, logits, targets):
        self.counts += torch.stack([(logits.argmax(1) == targets).sum(), (targets >= 0).sum()])

    def compute(self, all_reduce):
        counts = self.counts.clone()
        all_reduce(counts)
        return counts[0] / counts[1]


# %% wrong_padding: Counts the padding.
import torch


class Accuracy:
    def __init__(self):
        self.counts = torch.zeros(2, dtype=torch.long)

    def update(self, logits, targets):
        self.counts[0] += (logits.argmax(1) == targets).sum()
        self.counts[1] += len(targets)

    def compute(self, all_reduce):
        total = self.counts.clone()
        all_reduce(total)
        return (total[0] / total[1]).item()


# %% wrong_mean_of_ranks: The mean of the ranks' own accuracies.
import torch


class Accuracy:
    def __init__(self):
        self.right = self.count = 0

    def update(self, logits, targets):
        real = targets != -100
        self.right += (logits.argmax(1) == targets).sum().item()
        self.count += real.sum().item()

    def compute(self, all_reduce):
        own = torch.tensor([self.right / max(1, self.count), 1.0])
        all_reduce(own)
        return (own[0] / own[1]).item()


# %% wrong_mean_of_batches: The mean over batches of each batch's accuracy.
import torch


class Accuracy:
    def __init__(self):
        self.sum = self.batches = 0

    def update(self, logits, targets):
        real = targets != -100
        if real.any():
            self.sum += (logits.argmax(1) == targets)[real].float().mean().item()
            self.batches += 1

    def compute(self, all_reduce):
        both = torch.tensor([self.sum, float(self.batches)])
        all_reduce(both)
        return (both[0] / both[1]).item()


# %% wrong_own_rank: Never asks the other ranks.
class Accuracy:
    def __init__(self):
        self.right = self.count = 0

    def update(self, logits, targets):
        self.right += (logits.argmax(1) == targets).sum().item()
        self.count += (targets != -100).sum().item()

    def compute(self, all_reduce):
        return self.right / self.count if self.count else float("nan")


# %% wrong_early_return: A rank without examples leaves before the all_reduce.
import torch


class Accuracy:
    def __init__(self):
        self.counts = torch.zeros(2)

    def update(self, logits, targets):
        self.counts += torch.tensor([(logits.argmax(1) == targets).sum(), (targets != -100).sum()])

    def compute(self, all_reduce):
        if self.counts[1] == 0:
            return float("nan")
        counts = self.counts.clone()
        all_reduce(counts)
        return (counts[0] / counts[1]).item()


# %% wrong_in_place: Reduces its own counters.
import torch


class Accuracy:
    def __init__(self):
        self.counts = torch.zeros(2, dtype=torch.double)

    def update(self, logits, targets):
        self.counts += torch.stack([(logits.argmax(1) == targets).sum(), (targets != -100).sum()])

    def compute(self, all_reduce):
        all_reduce(self.counts)
        return (self.counts[0] / self.counts[1]).item()


# %% wrong_shared: The counters belong to the class.
import torch


class Accuracy:
    counts = torch.zeros(2, dtype=torch.double)

    def update(self, logits, targets):
        self.counts += torch.stack([(logits.argmax(1) == targets).sum(), (targets != -100).sum()])

    def compute(self, all_reduce):
        counts = self.counts.clone()
        all_reduce(counts)
        return (counts[0] / counts[1]).item()


# %% wrong_half: Counts in 16 bits.
import torch


class Accuracy:
    def __init__(self):
        self.counts = torch.zeros(2, dtype=torch.bfloat16)

    def update(self, logits, targets):
        self.counts += torch.stack([(logits.argmax(1) == targets).sum(), (targets != -100).sum()])

    def compute(self, all_reduce):
        counts = self.counts.clone()
        all_reduce(counts)
        return (counts[0] / counts[1]).item()


# %% wrong_last_batch: Forgets all batches but the last.
import torch


class Accuracy:
    def __init__(self):
        self.counts = torch.zeros(2)

    def update(self, logits, targets):
        self.counts = torch.stack([(logits.argmax(1) == targets).sum(), (targets != -100).sum()]).float()

    def compute(self, all_reduce):
        counts = self.counts.clone()
        all_reduce(counts)
        return (counts[0] / counts[1]).item()


# %% wrong_starts_anew: Begins from zero after each compute.
import torch


class Accuracy:
    def __init__(self):
        self.counts = torch.zeros(2)

    def update(self, logits, targets):
        self.counts += torch.stack([(logits.argmax(1) == targets).sum(), (targets != -100).sum()])

    def compute(self, all_reduce):
        counts, self.counts = self.counts, torch.zeros(2)
        all_reduce(counts)
        return (counts[0] / counts[1]).item()


# %% wrong_zero: Nothing counted is an accuracy of 0.
import torch


class Accuracy:
    def __init__(self):
        self.counts = torch.zeros(2)

    def update(self, logits, targets):
        self.counts += torch.stack([(logits.argmax(1) == targets).sum(), (targets != -100).sum()])

    def compute(self, all_reduce):
        counts = self.counts.clone()
        all_reduce(counts)
        return (counts[0] / counts[1].clamp(min=1)).item()


# %% wrong_one_zero: The class 0 is taken for padding.
import torch


class Accuracy:
    def __init__(self):
        self.counts = torch.zeros(2)

    def update(self, logits, targets):
        real = targets > 0
        self.counts += torch.stack([(logits.argmax(1) == targets)[real].sum(), real.sum()])

    def compute(self, all_reduce):
        counts = self.counts.clone()
        all_reduce(counts)
        return (counts[0] / counts[1]).item()


# %% wrong_percent: The share in percent.
import torch


class Accuracy:
    def __init__(self):
        self.counts = torch.zeros(2)

    def update(self, logits, targets):
        self.counts += torch.stack([(logits.argmax(1) == targets).sum(), (targets != -100).sum()])

    def compute(self, all_reduce):
        counts = self.counts.clone()
        all_reduce(counts)
        return (100 * counts[0] / counts[1]).item()


# %% wrong_until_empty: all_reduce once for each batch that a rank has had.
import torch


class Accuracy:
    def __init__(self):
        self.batches = []

    def update(self, logits, targets):
        self.batches.append(torch.stack([(logits.argmax(1) == targets).sum(), (targets != -100).sum()]))

    def compute(self, all_reduce):
        total = torch.zeros(2)
        for batch in self.batches:
            batch = batch.clone()
            all_reduce(batch)
            total += batch
        return (total[0] / total[1]).item()


# %% wrong_softmax_guess: Argmax of the softmax, which differs for infinite or very close logits.
import torch
import torch.nn.functional as F


class Accuracy:
    def __init__(self):
        self.correct = 0
        self.total = 0

    def update(self, logits, targets):
        keep = targets != -100
        guess = F.softmax(logits, dim=1).argmax(1)
        self.correct += (guess[keep] == targets[keep]).sum().item()
        self.total += keep.sum().item()

    def compute(self, all_reduce):
        t = torch.tensor([self.correct, self.total], dtype=torch.float64)
        all_reduce(t)
        return (t[0] / t[1]).item()


# %% wrong_ties_count: Right where the target's logit equals the largest: a tie counts as right.
import torch


class Accuracy:
    def __init__(self):
        self.right = self.seen = 0

    def update(self, logits, targets):
        real = targets != -100
        logits, targets = logits[real], targets[real]
        if len(targets) == 0:
            return
        own = logits.gather(1, targets[:, None])[:, 0]
        self.right += (own == logits.max(1).values).sum().item()
        self.seen += len(targets)

    def compute(self, all_reduce):
        pair = torch.tensor([self.right, self.seen], dtype=torch.float64)
        all_reduce(pair)
        return (pair[0] / pair[1]).item()


# %% wrong_cast_to_float32: Float64 logits become float32 before the guess.
import torch


class Accuracy:
    def __init__(self):
        self.right = self.seen = 0

    def update(self, logits, targets):
        self.right += (logits.float().argmax(1) == targets).sum().item()
        self.seen += (targets != -100).sum().item()

    def compute(self, all_reduce):
        pair = torch.tensor([self.right, self.seen], dtype=torch.float64)
        all_reduce(pair)
        return (pair[0] / pair[1]).item()


# %% right_kept_all: Keeps logits and targets, and joins them at the end.
import torch


class Accuracy:
    def __init__(self):
        self.batches = []

    def update(self, logits, targets):
        self.batches.append((logits, targets))

    def compute(self, all_reduce):
        counts = torch.zeros(2, dtype=torch.int64)
        if self.batches:
            logits, targets = (torch.cat(parts) for parts in zip(*self.batches))
            counts[0] = (logits.max(dim=1).indices == targets).sum()
            counts[1] = (targets != -100).sum()
        all_reduce(counts)
        return float("nan") if counts[1] == 0 else (counts[0] / counts[1].double()).item()


# %% wrong_counts_in_the_dtype_of_the_logits: With half or bfloat16 logits the counts stop growing or are rounded.
import torch


class Accuracy:
    def __init__(self):
        self.right = torch.tensor(0.0)
        self.seen = torch.tensor(0.0)

    def update(self, logits, targets):
        mask = targets != -100
        hits = (logits.argmax(1) == targets) & mask
        self.right = self.right.to(logits.dtype) + hits.to(logits.dtype).sum()
        self.seen = self.seen.to(logits.dtype) + mask.to(logits.dtype).sum()

    def compute(self, all_reduce):
        counts = torch.stack([self.right, self.seen]).double()
        all_reduce(counts)
        return (counts[0] / counts[1]).item()

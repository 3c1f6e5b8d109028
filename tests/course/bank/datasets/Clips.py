# %% right_rows: Fills a block of zeros row by row.
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index][: self.longest], self.labels[index]

    def collate(self, samples):
        waves = [wave for wave, _ in samples]
        longest = max(len(wave) for wave in waves)
        batch = waves[0].new_zeros(len(waves), longest)
        mask = torch.zeros(len(waves), longest, dtype=torch.bool)
        for row, wave in enumerate(waves):
            batch[row, : len(wave)] = wave
            mask[row, : len(wave)] = True
        return batch, mask, torch.tensor([label for _, label in samples])


# %% right_pad_sequence: Pads with pad_sequence, the mask from broadcasting.
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index][: self.longest], self.labels[index]

    def collate(self, samples):
        waves, labels = zip(*samples)
        batch = pad_sequence(waves, batch_first=True)
        lengths = torch.tensor([w.numel() for w in waves]).view(-1, 1)
        return (
            batch,
            torch.arange(batch.size(1)).expand(len(waves), -1) < lengths,
            torch.as_tensor(labels, dtype=torch.int64),
        )


# %% right_mask_padded: Pads masks of ones in the same way as the samples.
import torch
from torch.nn.utils.rnn import pad_sequence


class Clips:
    def __init__(self, waveforms, labels, longest):
        self.samples = [(w[:longest], y) for w, y in zip(waveforms, labels)]

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, i):
        return self.samples[i]

    @staticmethod
    def collate(samples):
        waves = [w for w, _ in samples]
        ones = [torch.ones(len(w), dtype=torch.bool) for w in waves]
        labels = torch.LongTensor([y for _, y in samples])
        return pad_sequence(waves, batch_first=True), pad_sequence(ones, batch_first=True), labels


# %% right_f_pad: F.pad and stack, the width from the samples.
import torch
import torch.nn.functional as F
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index][: self.longest], self.labels[index]

    def collate(self, samples):
        width = max(w.shape[0] for w, _ in samples)
        batch = torch.stack([F.pad(w, (0, width - len(w))) for w, _ in samples])
        mask = torch.stack([torch.arange(width) < len(w) for w, _ in samples])
        return batch, mask, torch.tensor([y for _, y in samples], dtype=torch.long)


# %% wrong_to_the_limit: Every batch is as wide as `longest`.
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index][: self.longest], self.labels[index]

    def collate(self, samples):
        waves = [wave for wave, _ in samples]
        longest = self.longest
        batch = waves[0].new_zeros(len(waves), longest)
        mask = torch.zeros(len(waves), longest, dtype=torch.bool)
        for row, wave in enumerate(waves):
            batch[row, : len(wave)] = wave
            mask[row, : len(wave)] = True
        return batch, mask, torch.tensor([label for _, label in samples])


# %% wrong_nonzero_mask: The mask is where the batch is not zero.
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index][: self.longest], self.labels[index]

    def collate(self, samples):
        waves = [wave for wave, _ in samples]
        longest = max(len(wave) for wave in waves)
        batch = waves[0].new_zeros(len(waves), longest)
        mask = torch.zeros(len(waves), longest, dtype=torch.bool)
        for row, wave in enumerate(waves):
            batch[row, : len(wave)] = wave
            mask[row, : len(wave)] = True
        return batch, batch != 0, torch.tensor([label for _, label in samples])


# %% wrong_nan_mask: Pads with NaN, takes the mask from that, then fills in zeros: NaN of a sample's own are lost.
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index][: self.longest], self.labels[index]

    def collate(self, samples):
        waves = [w for w, _ in samples]
        batch = (
            pad_sequence(waves, batch_first=True, padding_value=float("nan"))
            if waves[0].is_floating_point()
            else pad_sequence(waves, batch_first=True)
        )
        mask = ~batch.isnan()
        return (
            batch.nan_to_num(0.0) if batch.is_floating_point() else batch,
            mask,
            torch.tensor([y for _, y in samples]),
        )


# %% wrong_float_batch: The batch is float32 whatever the waveforms are.
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index][: self.longest], self.labels[index]

    def collate(self, samples):
        waves = [wave for wave, _ in samples]
        longest = max(len(wave) for wave in waves)
        batch = torch.zeros(len(waves), longest)
        mask = torch.zeros(len(waves), longest, dtype=torch.bool)
        for row, wave in enumerate(waves):
            batch[row, : len(wave)] = wave
            mask[row, : len(wave)] = True
        return batch, mask, torch.tensor([label for _, label in samples])


# %% wrong_float_labels: Labels go through float32.
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index][: self.longest], self.labels[index]

    def collate(self, samples):
        waves = [wave for wave, _ in samples]
        longest = max(len(wave) for wave in waves)
        batch = waves[0].new_zeros(len(waves), longest)
        mask = torch.zeros(len(waves), longest, dtype=torch.bool)
        for row, wave in enumerate(waves):
            batch[row, : len(wave)] = wave
            mask[row, : len(wave)] = True
        return batch, mask, torch.Tensor([label for _, label in samples]).long()


# %% wrong_int32_labels: The labels are int32.
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index][: self.longest], self.labels[index]

    def collate(self, samples):
        waves = [wave for wave, _ in samples]
        longest = max(len(wave) for wave in waves)
        batch = waves[0].new_zeros(len(waves), longest)
        mask = torch.zeros(len(waves), longest, dtype=torch.bool)
        for row, wave in enumerate(waves):
            batch[row, : len(wave)] = wave
            mask[row, : len(wave)] = True
        return batch, mask, torch.tensor([label for _, label in samples], dtype=torch.int32)


# %% wrong_mask_of_numbers: The mask is 0 and 1 in the waveforms' dtype.
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index][: self.longest], self.labels[index]

    def collate(self, samples):
        waves = [wave for wave, _ in samples]
        longest = max(len(wave) for wave in waves)
        batch = waves[0].new_zeros(len(waves), longest)
        mask = torch.zeros(len(waves), longest, dtype=torch.bool)
        for row, wave in enumerate(waves):
            batch[row, : len(wave)] = wave
            mask[row, : len(wave)] = True
        return batch, mask.to(batch.dtype), torch.tensor([label for _, label in samples])


# %% wrong_sorted_by_length: Sorts the samples by length, longest first, as packing for recurrent nets does.
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index][: self.longest], self.labels[index]

    def collate(self, samples):
        samples = sorted(samples, key=lambda sample: -len(sample[0]))
        waves = [wave for wave, _ in samples]
        longest = max(len(wave) for wave in waves)
        batch = waves[0].new_zeros(len(waves), longest)
        mask = torch.zeros(len(waves), longest, dtype=torch.bool)
        for row, wave in enumerate(waves):
            batch[row, : len(wave)] = wave
            mask[row, : len(wave)] = True
        return batch, mask, torch.tensor([label for _, label in samples])


# %% wrong_one_too_many: Cuts at longest + 1.
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index][: self.longest + 1], self.labels[index]

    def collate(self, samples):
        waves = [wave for wave, _ in samples]
        longest = max(len(wave) for wave in waves)
        batch = waves[0].new_zeros(len(waves), longest)
        mask = torch.zeros(len(waves), longest, dtype=torch.bool)
        for row, wave in enumerate(waves):
            batch[row, : len(wave)] = wave
            mask[row, : len(wave)] = True
        return batch, mask, torch.tensor([label for _, label in samples])


# %% wrong_last_kept: Keeps the end of a long waveform.
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index][-self.longest :], self.labels[index]

    def collate(self, samples):
        waves = [wave for wave, _ in samples]
        longest = max(len(wave) for wave in waves)
        batch = waves[0].new_zeros(len(waves), longest)
        mask = torch.zeros(len(waves), longest, dtype=torch.bool)
        for row, wave in enumerate(waves):
            batch[row, : len(wave)] = wave
            mask[row, : len(wave)] = True
        return batch, mask, torch.tensor([label for _, label in samples])


# %% wrong_cut_in_collate: Cuts where samples are packed, not where one is asked for.
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index], self.labels[index]

    def collate(self, samples):
        waves = [wave[: self.longest] for wave, _ in samples]
        longest = max(len(wave) for wave in waves)
        batch = waves[0].new_zeros(len(waves), longest)
        mask = torch.zeros(len(waves), longest, dtype=torch.bool)
        for row, wave in enumerate(waves):
            batch[row, : len(wave)] = wave
            mask[row, : len(wave)] = True
        return batch, mask, torch.tensor([label for _, label in samples])


# %% wrong_list_item: A sample is a list.
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return [self.waveforms[index][: self.longest], self.labels[index]]

    def collate(self, samples):
        waves = [wave for wave, _ in samples]
        longest = max(len(wave) for wave in waves)
        batch = waves[0].new_zeros(len(waves), longest)
        mask = torch.zeros(len(waves), longest, dtype=torch.bool)
        for row, wave in enumerate(waves):
            batch[row, : len(wave)] = wave
            mask[row, : len(wave)] = True
        return batch, mask, torch.tensor([label for _, label in samples])


# %% wrong_label_tensor: A sample's label is a tensor.
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return (self.waveforms[index][: self.longest], torch.tensor(self.labels[index]))

    def collate(self, samples):
        waves = [wave for wave, _ in samples]
        longest = max(len(wave) for wave in waves)
        batch = waves[0].new_zeros(len(waves), longest)
        mask = torch.zeros(len(waves), longest, dtype=torch.bool)
        for row, wave in enumerate(waves):
            batch[row, : len(wave)] = wave
            mask[row, : len(wave)] = True
        return batch, mask, torch.stack([torch.as_tensor(label) for _, label in samples])


# %% wrong_width_of_the_set: Pads to the longest of the whole data set.
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index][: self.longest], self.labels[index]

    def collate(self, samples):
        waves = [wave for wave, _ in samples]
        longest = max(min(len(wave), self.longest) for wave in self.waveforms)
        batch = waves[0].new_zeros(len(waves), longest)
        mask = torch.zeros(len(waves), longest, dtype=torch.bool)
        for row, wave in enumerate(waves):
            batch[row, : len(wave)] = wave
            mask[row, : len(wave)] = True
        return batch, mask, torch.tensor([label for _, label in samples])


# %% wrong_padded_item: Pads each sample to `longest` where it is asked for.
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return torch.nn.functional.pad(
            self.waveforms[index][: self.longest], (0, max(0, self.longest - len(self.waveforms[index])))
        ), self.labels[index]

    def collate(self, samples):
        waves = [wave for wave, _ in samples]
        longest = max(len(wave) for wave in waves)
        batch = waves[0].new_zeros(len(waves), longest)
        mask = torch.zeros(len(waves), longest, dtype=torch.bool)
        for row, wave in enumerate(waves):
            batch[row, : len(wave)] = wave
            mask[row, : len(wave)] = True
        return batch, mask, torch.tensor([label for _, label in samples])


# %% wrong_in_place: Cleans NaN out of the caller's waveforms.
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index].nan_to_num_()[: self.longest], self.labels[index]

    def collate(self, samples):
        waves = [wave for wave, _ in samples]
        longest = max(len(wave) for wave in waves)
        batch = waves[0].new_zeros(len(waves), longest)
        mask = torch.zeros(len(waves), longest, dtype=torch.bool)
        for row, wave in enumerate(waves):
            batch[row, : len(wave)] = wave
            mask[row, : len(wave)] = True
        return batch, mask, torch.tensor([label for _, label in samples])


# %% wrong_first_dtype_lost: Goes through a Python list, so float64 becomes float32.
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index][: self.longest], self.labels[index]

    def collate(self, samples):
        width = max(len(w) for w, _ in samples)
        batch = torch.tensor([w.tolist() + [0] * (width - len(w)) for w, _ in samples])
        mask = torch.tensor([[True] * len(w) + [False] * (width - len(w)) for w, _ in samples])
        return batch, mask, torch.tensor([y for _, y in samples])


# %% wrong_transposed_mask: Batch first, the mask length first.
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index][: self.longest], self.labels[index]

    def collate(self, samples):
        waves = [wave for wave, _ in samples]
        longest = max(len(wave) for wave in waves)
        batch = waves[0].new_zeros(len(waves), longest)
        mask = torch.zeros(len(waves), longest, dtype=torch.bool)
        for row, wave in enumerate(waves):
            batch[row, : len(wave)] = wave
            mask[row, : len(wave)] = True
        return batch, mask.T, torch.tensor([label for _, label in samples])


# %% wrong_through_numpy: Packs with NumPy, which has no bfloat16.
import numpy as np
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index][: self.longest], self.labels[index]

    def collate(self, samples):
        waves = [wave.numpy() for wave, _ in samples]
        longest = max(map(len, waves))
        batch = np.stack([np.pad(wave, (0, longest - len(wave))) for wave in waves])
        mask = np.stack([np.arange(longest) < len(wave) for wave in waves])
        return torch.from_numpy(batch), torch.from_numpy(mask), torch.tensor([label for _, label in samples])

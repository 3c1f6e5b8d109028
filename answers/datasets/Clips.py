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


# %% wrong_mask_nonzero: the mask comes from the values, so an own zero counts as padding
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
        vectors, labels = zip(*samples)
        batch = pad_sequence(vectors, batch_first=True)
        return batch, batch != 0, torch.tensor(labels, dtype=torch.int64)


# %% wrong_width: pads to self.longest, not to the longest of these samples
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
        batch = samples[0][0].new_zeros(len(samples), self.longest)
        mask = torch.zeros(len(samples), self.longest, dtype=torch.bool)
        for row, (v, _) in enumerate(samples):
            batch[row, : len(v)] = v
            mask[row, : len(v)] = True
        return batch, mask, torch.tensor([y for _, y in samples], dtype=torch.int64)


# %% wrong_float32: the batch is always float32, whatever the vectors are
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
        lengths = torch.tensor([len(v) for v, _ in samples])
        mask = torch.arange(int(lengths.max())) < lengths[:, None]
        batch = torch.zeros(mask.shape)
        for row, (v, _) in enumerate(samples):
            batch[row, : len(v)] = v
        return batch, mask, torch.tensor([y for _, y in samples], dtype=torch.int64)


# %% wrong_nan_marker: pads with NaN and takes every NaN for padding, also a sample's own
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
        vectors, labels = zip(*samples)
        floating = vectors[0].is_floating_point()
        if floating:
            batch = pad_sequence(vectors, batch_first=True, padding_value=float("nan"))
            mask = ~torch.isnan(batch)
            batch = torch.where(mask, batch, torch.zeros_like(batch))
        else:
            batch = pad_sequence(vectors, batch_first=True)
            mask = pad_sequence([torch.ones(len(v), dtype=torch.bool) for v in vectors], batch_first=True)
        return batch, mask, torch.tensor(labels, dtype=torch.int64)


# %% wrong_labels_through_float: labels go through float32 and lose digits above 2 to the 24
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
        width = max(len(v) for v, _ in samples)
        batch = samples[0][0].new_zeros(len(samples), width)
        mask = torch.zeros(len(samples), width, dtype=torch.bool)
        for row, (v, _) in enumerate(samples):
            batch[row, : len(v)] = v
            mask[row, : len(v)] = True
        return batch, mask, torch.Tensor([y for _, y in samples]).long()


# %% wrong_crops_the_callers_vector: shortens the given vector itself in place
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        vector = self.waveforms[index]
        vector.data = vector.data[: self.longest]
        return vector, self.labels[index]

    def collate(self, samples):
        vectors, labels = zip(*samples)
        batch = pad_sequence(vectors, batch_first=True)
        mask = pad_sequence([torch.ones(len(v), dtype=torch.bool) for v in vectors], batch_first=True)
        return batch, mask, torch.tensor(labels, dtype=torch.int64)


# %% wrong_at_least_one_column: a batch of empty vectors gets one column instead of none
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
        width = 1
        for v, _ in samples:
            width = max(width, len(v))
        batch = samples[0][0].new_zeros(len(samples), width)
        mask = torch.zeros(len(samples), width, dtype=torch.bool)
        for row, (v, _) in enumerate(samples):
            batch[row, : len(v)] = v
            mask[row, : len(v)] = True
        return batch, mask, torch.tensor([y for _, y in samples], dtype=torch.int64)


# %% wrong_crop_in_collate: an item is the whole vector, only collate shortens it
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index], self.labels[index]

    def collate(self, samples):
        vectors = [v[: self.longest] for v, _ in samples]
        batch = pad_sequence(vectors, batch_first=True)
        mask = pad_sequence([torch.ones(len(v), dtype=torch.bool) for v in vectors], batch_first=True)
        return batch, mask, torch.tensor([y for _, y in samples], dtype=torch.int64)


# %% right_mask_assignment: lengths to a mask, then one cat written through the mask
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    """Waveforms with their labels, and how they become a batch."""

    def __init__(self, waveforms, labels, longest):
        super().__init__()
        self.data = waveforms
        self.names = labels
        self.limit = longest

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return (self.data[index][: self.limit], self.names[index])

    def collate(self, samples):
        lengths = torch.tensor([v.numel() for v, _ in samples], dtype=torch.int64)
        mask = torch.arange(int(lengths.max())).unsqueeze(0) < lengths.unsqueeze(1)
        values = torch.cat([v for v, _ in samples])
        batch = torch.zeros(mask.shape, dtype=values.dtype)
        batch[mask] = values
        targets = torch.tensor([int(y) for _, y in samples], dtype=torch.int64)
        return batch, mask, targets


# %% right_stack_of_cats: each row a cat with its zeros, a static collate
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.pairs = (waveforms, labels)
        self.longest = longest

    def __len__(self):
        return len(self.pairs[0])

    def __getitem__(self, index):
        vector, label = (column[index] for column in self.pairs)
        return vector[slice(None, self.longest)], label

    @staticmethod
    def collate(samples):
        width = max(v.shape[0] for v, _ in samples)
        rows, masks = [], []
        for v, _ in samples:
            gap = width - v.shape[0]
            rows.append(torch.cat([v, v.new_zeros(gap)]))
            masks.append([True] * v.shape[0] + [False] * gap)
        mask = torch.tensor(masks, dtype=torch.bool).reshape(len(samples), width)
        return torch.stack(rows), mask, torch.as_tensor([int(y) for _, y in samples], dtype=torch.int64)


# %% right_pad_sequence_again: two calls of pad_sequence, collate made in the constructor
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset


def _pack(samples):
    vectors = [s[0] for s in samples]
    return (
        pad_sequence(vectors, batch_first=True),
        pad_sequence([torch.ones_like(v, dtype=torch.bool) for v in vectors], batch_first=True),
        torch.LongTensor([int(s[1]) for s in samples]),
    )


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest
        self.collate = _pack

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index].narrow(0, 0, min(self.longest, len(self.waveforms[index]))), self.labels[index]


# %% wrong_mask_times: padding made by index and multiplication, infinity and NaN spread into the padding
import torch
from torch.utils.data import Dataset
from torch.nn.utils.rnn import pad_sequence


class Clips(Dataset):
    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index][: self.longest], self.labels[index]

    def collate(self, samples):
        waves, labels = zip(*samples)
        lengths = torch.tensor([len(w) for w in waves])
        width = int(lengths.max())
        if width == 0:
            batch = waves[0].new_zeros(len(waves), 0)
            return batch, batch.bool(), torch.tensor(labels, dtype=torch.int64)
        mask = torch.arange(width) < lengths[:, None]
        rows = [w if len(w) else w.new_zeros(1) for w in waves]
        batch = torch.stack([r[torch.arange(width).clamp(max=len(r) - 1)] for r in rows]) * mask
        return batch, mask, torch.tensor(labels, dtype=torch.int64)

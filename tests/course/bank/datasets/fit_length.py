# %% right_fraction: A fraction in float64 scaled to the number of starts, rounded down.
import torch


def fit_length(waveform, length, generator):
    longer = waveform.shape[1] - length
    if longer == 0:
        return waveform
    if longer < 0:
        return torch.nn.functional.pad(waveform, (0, -longer), value=0.0)
    fraction = torch.rand((), dtype=torch.float64, generator=generator).item()
    return torch.narrow(waveform, 1, int(fraction * (longer + 1)), length)


# %% right_multinomial: Equal weights for all starts, channel after channel in a loop.
import torch


def fit_length(waveform, length, generator):
    starts = max(1, waveform.shape[1] - length + 1)
    start = torch.multinomial(torch.ones(starts), 1, generator=generator).item()
    rows = []
    for channel in waveform:
        row = channel[start : start + length]
        rows.append(torch.cat((row, row.new_zeros(length - len(row)))))
    return torch.stack(rows)


# %% right_permutation: The first number of a random permutation of all starts.
import torch


def fit_length(waveform, length, generator):
    L = waveform.shape[1]
    if L > length:
        start = torch.randperm(L - length + 1, generator=generator)[0]
        return waveform[:, start + torch.arange(length)]
    result = waveform.new_zeros((waveform.shape[0], length))
    result[:, :L] = waveform
    return result


# %% right_unfold: Views of all pieces by unfold, one of them chosen.
import torch


def fit_length(waveform, length, generator):
    C, L = waveform.shape
    if L < length:
        return torch.hstack([waveform, torch.zeros(C, length - L, dtype=waveform.dtype)])
    pieces = waveform.unfold(1, length, 1)
    return pieces[:, int(torch.randint(pieces.shape[1], (), generator=generator))].clone()


# %% wrong_blocks: Chooses one of the blocks 0, length, 2 · length, …: other starts never come.
import torch


def fit_length(waveform, length, generator):
    L = waveform.shape[1]
    if L < length:
        return torch.nn.functional.pad(waveform, (0, length - L))
    block = torch.randint(L // length, (1,), generator=generator).item()
    return waveform[:, block * length : (block + 1) * length]


# %% wrong_bounded_start: A number below 1000 modulo the number of starts: later starts in a long sound never come.
import torch


def fit_length(waveform, length, generator):
    starts = waveform.shape[1] - length + 1
    if starts < 1:
        return torch.nn.functional.pad(waveform, (0, 1 - starts))
    start = torch.randint(1000, (1,), generator=generator).item() % starts
    return waveform[:, start : start + length]


# %% wrong_centred: Puts half of the zeros in front and half behind.
import torch


def fit_length(waveform, length, generator):
    L = waveform.shape[1]
    if L >= length:
        start = torch.randint(0, L - length + 1, (1,), generator=generator).item()
        return waveform[:, start : start + length]
    front = (length - L) // 2
    return torch.nn.functional.pad(waveform, (front, length - L - front))


# %% wrong_first_start: Draws from 1 on: a piece never begins at the first sample.
import torch


def fit_length(waveform, length, generator):
    extra = waveform.shape[1] - length
    if extra <= 0:
        return torch.nn.functional.pad(waveform, (0, -extra))
    start = torch.randint(1, extra + 1, (1,), generator=generator).item()
    return waveform[:, start : start + length]


# %% wrong_flat_piece: Cuts the piece out of the flattened sound, which fits one channel only.
import torch


def fit_length(waveform, length, generator):
    C, L = waveform.shape
    if L < length:
        return torch.nn.functional.pad(waveform, (0, length - L))
    start = torch.randint(L - length + 1, (1,), generator=generator).item()
    return waveform.flatten()[start : start + C * length].reshape(C, length)


# %% wrong_float32_zeros: Lays the sound into float32 zeros, whatever its dtype.
import torch


def fit_length(waveform, length, generator):
    L = waveform.shape[1]
    start = 0
    if L > length:
        start = torch.randint(0, L - length + 1, (1,), generator=generator).item()
    piece = waveform[:, start : start + length]
    result = torch.zeros(waveform.shape[0], length)
    result[:, : piece.shape[1]] = piece
    return result


# %% wrong_global_generator: Draws with torch's global generator and ignores the one handed in.
import torch


def fit_length(waveform, length, generator):
    L = waveform.shape[-1]
    if L < length:
        return torch.cat([waveform, waveform.new_zeros(waveform.shape[0], length - L)], dim=1)
    start = torch.randint(L - length + 1, (1,)).item()
    return waveform[:, start : start + length]


# %% wrong_global_seed: Seeds torch's global generator from the given one and draws with that: other draws of the program change.
import torch


def fit_length(waveform, length, generator):
    L = waveform.shape[1]
    if L < length:
        return torch.nn.functional.pad(waveform, (0, length - L))
    torch.manual_seed(int(torch.randint(2**31, (), generator=generator)))
    start = int(torch.randint(L - length + 1, ()))
    return waveform[:, start : start + length]


# %% wrong_last_start: Leaves out the last possible start.
import torch


def fit_length(waveform, length, generator):
    extra = waveform.shape[1] - length
    if extra <= 0:
        return torch.nn.functional.pad(waveform, (0, -extra))
    start = torch.randint(0, extra, (1,), generator=generator).item()
    return waveform[:, start : start + length]


# %% wrong_masked: Blanks out everything but the piece and keeps the zeros around it.
import torch


def fit_length(waveform, length, generator):
    L = waveform.shape[1]
    if L <= length:
        return torch.nn.functional.pad(waveform, (0, length - L))
    start = torch.randint(L - length + 1, (1,), generator=generator).item()
    mask = torch.zeros(L, dtype=waveform.dtype)
    mask[start : start + length] = 1
    return waveform * mask


# %% wrong_mono: Keeps the first channel only.
import torch


def fit_length(waveform, length, generator):
    mono = waveform[:1]
    if mono.shape[1] < length:
        return torch.nn.functional.pad(mono, (0, length - mono.shape[1]))
    start = torch.randint(mono.shape[1] - length + 1, (1,), generator=generator).item()
    return mono[:, start : start + length]


# %% wrong_piece_with_zeros: Starts anywhere and fills what is missing at the end with zeros.
import torch


def fit_length(waveform, length, generator):
    L = waveform.shape[1]
    start = 0
    if L > length:
        start = torch.randint(L, (1,), generator=generator).item()
    piece = waveform[:, start : start + length]
    return torch.nn.functional.pad(piece, (0, length - piece.shape[1]))


# %% wrong_remembered_start: Draws a start once and keeps it for the next sound of the same length.
import torch

known = {}


def fit_length(waveform, length, generator):
    L = waveform.shape[1]
    if L < length:
        return torch.nn.functional.pad(waveform, (0, length - L))
    if (L, length) not in known:
        known[L, length] = torch.randint(L - length + 1, (1,), generator=generator).item()
    start = known[L, length]
    return waveform[:, start : start + length]


# %% wrong_repeated: Fills a short sound by repeating it.
import torch


def fit_length(waveform, length, generator):
    L = waveform.shape[1]
    if L < length:
        return waveform.repeat(1, -(-length // L))[:, :length]
    start = torch.randint(L - length + 1, (1,), generator=generator).item()
    return waveform[:, start : start + length]


# %% wrong_reseeded: Seeds the caller's generator anew for reproducible results.
import torch


def fit_length(waveform, length, generator):
    generator.manual_seed(0)
    short = length - waveform.shape[1]
    if short > 0:
        return torch.nn.functional.pad(waveform, (0, short))
    start = int(torch.randint(1 - short, (1,), generator=generator))
    return waveform.narrow(1, start, length)


# %% wrong_resized_in_place: Lengthens the caller's own tensor with resize_.
import torch


def fit_length(waveform, length, generator):
    C, L = waveform.shape
    if L >= length:
        start = torch.randint(L - length + 1, (1,), generator=generator).item()
        return waveform[:, start : start + length]
    sound = waveform.clone()
    waveform.resize_(C, length).zero_()
    waveform[:, :L] = sound
    return waveform


# %% wrong_rolled: Any sample may be the start: the piece runs over the end and goes on at the beginning.
import torch


def fit_length(waveform, length, generator):
    L = waveform.shape[1]
    if L < length:
        return torch.nn.functional.pad(waveform, (0, length - L))
    if L == length:
        return waveform
    shift = torch.randint(L, (1,), generator=generator).item()
    return torch.roll(waveform, -shift, dims=1)[:, :length]


# %% wrong_rounded_start: Rounds a fraction: the first and the last start come half as often.
import torch


def fit_length(waveform, length, generator):
    extra = waveform.shape[1] - length
    if extra < 0:
        return torch.nn.functional.pad(waveform, (0, -extra))
    start = round(torch.rand(1, generator=generator).item() * extra)
    return waveform[:, start : start + length]


# %% wrong_same_piece: A new generator with the same seed each time: always the same piece.
import torch


def fit_length(waveform, length, generator):
    if waveform.shape[1] < length:
        return torch.nn.functional.pad(waveform, (0, length - waveform.shape[1]))
    fresh = torch.Generator().manual_seed(generator.initial_seed())
    start = torch.randint(waveform.shape[1] - length + 1, (1,), generator=fresh).item()
    return waveform[:, start : start + length]


# %% wrong_smaller_of_two: The smaller of two drawn starts: early ones come more often.
import torch


def fit_length(waveform, length, generator):
    extra = waveform.shape[1] - length
    if extra < 0:
        return torch.nn.functional.pad(waveform, (0, -extra))
    start = torch.randint(extra + 1, (2,), generator=generator).min().item()
    return waveform[:, start : start + length]


# %% wrong_squeezed: Drops the channel axis of a mono sound.
import torch


def fit_length(waveform, length, generator):
    L = waveform.shape[-1]
    if L < length:
        result = torch.nn.functional.pad(waveform, (0, length - L))
    else:
        start = torch.randint(L - length + 1, (1,), generator=generator).item()
        result = waveform[:, start : start + length]
    return result.squeeze(0)


# %% wrong_start_per_channel: Every channel gets a start of its own.
import torch


def fit_length(waveform, length, generator):
    C, L = waveform.shape
    if L <= length:
        return torch.nn.functional.pad(waveform, (0, length - L))
    starts = torch.randint(L - length + 1, (C, 1), generator=generator)
    return waveform.gather(1, starts + torch.arange(length))


# %% wrong_strides: Takes for granted that a channel's samples lie side by side, which the transpose of a file's array does not.
import torch


def fit_length(waveform, length, generator):
    C, L = waveform.shape
    if L < length:
        return torch.nn.functional.pad(waveform, (0, length - L))
    start = torch.randint(L - length + 1, (1,), generator=generator).item()
    return waveform.as_strided((C, length), (L, 1), waveform.storage_offset() + start)


# %% wrong_zeros_in_front: Puts the zeros in front of the sound.
import torch


def fit_length(waveform, length, generator):
    missing = length - waveform.shape[1]
    if missing >= 0:
        return torch.nn.functional.pad(waveform, (missing, 0))
    start = int(torch.randint(-missing + 1, (), generator=generator))
    return waveform[:, start : start + length]

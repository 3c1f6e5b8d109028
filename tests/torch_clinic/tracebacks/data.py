"""Programs that fail between data set, loader and transform."""

import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset, TensorDataset
from torchvision import transforms


class Sentences(Dataset):
    """Sample i is a sentence of i + 3 numbers."""

    def __len__(self):
        return 6

    def __getitem__(self, index):
        return torch.zeros(index + 3), index


class Pictures(Dataset):
    """Pictures as PIL gives them."""

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return Image.new("RGB", (8, 8)), index


class Maybe(Dataset):
    """Nothing where the sample is damaged."""

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return None if index == 2 else torch.zeros(1)


class Short:
    """No length."""

    def __getitem__(self, index):
        return torch.zeros(1)


def collate_sizes__sentences():
    for _batch, _positions in DataLoader(Sentences(), batch_size=3):
        pass


def collate_type__pil():
    next(iter(DataLoader(Pictures(), batch_size=2)))


def collate_type__none():
    list(DataLoader(Maybe(), batch_size=4))


def transform_input__to_tensor_twice():
    twice = transforms.Compose([transforms.ToTensor(), transforms.ToTensor()])
    twice(Image.new("L", (5, 5)))


def transform_input__to_tensor_normalize_before():
    transforms.Normalize((0.5,), (0.5,))(Image.new("L", (5, 5)))


def broadcast_sizes__normalize_with_three_means():
    normalize = transforms.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
    normalize(torch.rand(1, 28, 28).expand(2, 28, 28))


def loader_options__tensor_dataset_lengths():
    TensorDataset(torch.zeros(100, 3), torch.zeros(99))


def loader_options__sampler_shuffle_both():
    data = TensorDataset(torch.zeros(5))
    DataLoader(data, shuffle=True, sampler=torch.utils.data.RandomSampler(data))


def dataset_methods__no_length_loader():
    list(DataLoader(Short(), batch_size=2))


def empty_set__empty_data_random_sampler():
    DataLoader([], shuffle=True)


def loader_options__split_lengths_sum():
    torch.utils.data.random_split(range(100), [70, 20])


def worker_pickle__lambda_in_a_transform():
    pairs = TensorDataset(torch.zeros(4, 1))
    loader = DataLoader(pairs, num_workers=2, collate_fn=lambda rows: rows, multiprocessing_context="spawn")
    next(iter(loader))


def worker_pickle__class_in_a_function():
    class Local(Dataset):
        def __len__(self):
            return 3

        def __getitem__(self, index):
            return index

    for _number in DataLoader(Local(), num_workers=1, multiprocessing_context="spawn"):
        pass

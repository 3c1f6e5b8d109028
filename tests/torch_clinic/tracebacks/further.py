"""Programs for further messages of torch: sizes, dtypes, modules, optimizers, loaders, files."""

import tempfile
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image
from torch import nn
from torch.autograd import Function
from torch.optim import SGD, AdamW
from torch.utils.checkpoint import checkpoint
from torch.utils.data import ConcatDataset, DataLoader, Dataset, IterableDataset, TensorDataset
from torch.utils.data.distributed import DistributedSampler
from torchvision import models
from torchvision.transforms import Compose, Grayscale, ToPILImage, ToTensor


def split_sizes__of_tokens():
    torch.rand(3, 17).split([8, 8], dim=1)


def topk_range__five_of_three():
    torch.rand(6, 3).topk(5)


def mm_dims__a_stack():
    torch.mm(torch.rand(2, 3, 4), torch.rand(4, 5))


def mm_dims__dot():
    torch.dot(torch.rand(3, 2), torch.rand(2))


def mm_dims__bmm():
    torch.bmm(torch.rand(3, 2), torch.rand(3, 2))


def mm_dims__not_square():
    torch.linalg.det(torch.rand(2, 3))


def pad_sizes__without_a_batch():
    F.pad(torch.rand(9, 9), (2, 2, 2, 2), mode="reflect")


def pad_sizes__too_wide():
    nn.ReflectionPad2d(6)(torch.rand(1, 2, 5, 5))


def pad_sizes__pooling():
    nn.MaxPool2d(2, padding=2)(torch.rand(1, 1, 6, 6))


def expand_dims__repeat():
    torch.rand(4, 2).repeat(3)


def expand_dims__expand():
    torch.rand(4, 2).expand(2)


def negative_size__a_difference():
    torch.zeros(3 - 8)


def gather_sizes__another_batch():
    torch.rand(5, 4).gather(1, torch.zeros(7, 1, dtype=torch.long))


def reverse_slice__time():
    torch.rand(6)[::-1]


def embedding_bag__one_row():
    nn.EmbeddingBag(9, 3)(torch.tensor([1, 5]))


def embedding_range__padding():
    nn.Embedding(9, 3, padding_idx=9)


def bool_operator__difference():
    return torch.tensor([True, False]) - torch.tensor([True, True])


def bool_operator__opposite():
    return ~torch.zeros(4)


def number_overflow__bytes():
    torch.zeros(2, dtype=torch.uint8).fill_(300)


def dtype_name__a_string():
    torch.ones(2, dtype="int64")


def dtype_name__finfo():
    torch.finfo(torch.int64)


def integer_arithmetic__a_power():
    return torch.tensor([3]) ** -2


def integer_arithmetic__by_zero():
    return torch.tensor([3]) // torch.tensor([0])


def dtype_linear__scatter():
    torch.zeros(3).scatter(0, torch.tensor([0]), torch.tensor([1]))


def dtype_linear__index_add():
    torch.zeros(3).index_add(0, torch.tensor([0]), torch.tensor([1.0], dtype=torch.float64))


def dtype_linear__layer_norm():
    nn.LayerNorm(5)(torch.rand(2, 5).double())


def attention_mask_dtype__where():
    torch.where(torch.tensor([1, 0]), torch.rand(2), torch.rand(2))


def index_dtype__a_share():
    return torch.rand(8)[8 / 2]


def ctc_lengths__before_the_strides():
    scores = torch.rand(6, 2, 5).log_softmax(2)
    F.ctc_loss(scores, torch.tensor([[1, 2], [2, 1]]), torch.tensor([12, 6]), torch.tensor([2, 2]))


def ctc_lengths__of_the_targets():
    scores = torch.rand(6, 1, 5).log_softmax(2)
    F.ctc_loss(scores, torch.tensor([[1, 2]]), torch.tensor([6]), torch.tensor([3]))


def ctc_lengths__batch_first():
    scores = torch.rand(2, 6, 5).log_softmax(2)
    F.ctc_loss(scores, torch.tensor([[1, 2], [2, 1]]), torch.tensor([6, 6]), torch.tensor([2, 2]))


def loss_options__reduction():
    F.l1_loss(torch.rand(2), torch.rand(2), reduction="average")


def loss_options__smoothing():
    F.cross_entropy(torch.rand(2, 3), torch.tensor([0, 1]), label_smoothing=10.0)


def loss_is_number__item():
    loss = torch.rand(3, requires_grad=True).sum().item()
    loss.backward()


def grad_shape__backward():
    (torch.rand(5, requires_grad=True) * 2).backward(torch.rand(4))


def grad_shape__assigned():
    weight = torch.rand(5, requires_grad=True)
    weight.grad = torch.rand(1, 5)


class Times(Function):
    """Forgets the number in backward."""

    @staticmethod
    def forward(ctx, x, number):
        return x * number

    @staticmethod
    def backward(ctx, grad):
        return grad


class Half(Function):
    """Gives a gradient that is too short."""

    @staticmethod
    def forward(ctx, x):
        return x / 2

    @staticmethod
    def backward(ctx, grad):
        return grad[:2]


def custom_function__one_missing():
    Times.apply(torch.rand(3, requires_grad=True), 4).sum().backward()


def custom_function__too_short():
    Half.apply(torch.rand(3, requires_grad=True)).sum().backward()


def custom_function__called():
    Half()(torch.rand(3, requires_grad=True))


def recomputed__a_counter():
    calls = []

    def block(x):
        calls.append(1)
        return x.sin().exp().cos() if len(calls) == 1 else x.sin()

    checkpoint(block, torch.rand(3, requires_grad=True), use_reentrant=False).sum().backward()


def recomputed__another_shape():
    calls = []

    def block(x):
        calls.append(1)
        return torch.cat([x] * len(calls)).sin()

    checkpoint(block, torch.rand(3, requires_grad=True), use_reentrant=False).sum().backward()


def shared_memory_write__expanded():
    torch.zeros(1).expand(6).add_(1)


def shared_memory_write__overlap():
    row = torch.rand(7)
    row[1:].add_(row[:-1])


def view_inplace__rows():
    stack = torch.rand(3, 2, requires_grad=True) * 2
    for row in stack:
        row.clamp_(max=1)


def view_inplace__no_grad():
    x = torch.rand(5, requires_grad=True)
    with torch.no_grad():
        part = x[:2]
    part.zero_()


def no_graph__retain():
    torch.rand(2).retain_grad()


def no_graph__hook():
    torch.rand(2).register_hook(print)


def vmap_use__dropout():
    torch.vmap(nn.Dropout())(torch.rand(4, 3))


def vmap_use__two_lengths():
    torch.vmap(torch.add)(torch.rand(4, 3), torch.rand(5, 3))


def sparse_gradients__adamw():
    table = nn.Embedding(7, 2, sparse=True)
    table(torch.tensor([3])).sum().backward()
    AdamW(table.parameters()).step()


def sparse_gradients__dense():
    layer = nn.Linear(2, 2)
    layer(torch.rand(1, 2)).sum().backward()
    torch.optim.SparseAdam(layer.parameters()).step()


def optimizer_options__schedule_of_a_model():
    torch.optim.lr_scheduler.StepLR(nn.Linear(2, 2), 5)


def optimizer_options__rate():
    SGD(nn.Linear(2, 2).parameters(), lr=-0.5)


def optimizer_options__one_cycle():
    torch.optim.lr_scheduler.OneCycleLR(SGD(nn.Linear(2, 2).parameters(), lr=0.1), 0.1)


def optimizer_options__closure():
    torch.optim.LBFGS(nn.Linear(2, 2).parameters()).step()


def optimizer_params__a_list_for_a_group():
    SGD(nn.Linear(2, 2).parameters(), lr=0.1).add_param_group([torch.rand(2)])


def module_parts__a_list():
    nn.Sequential([nn.Linear(2, 2), nn.ReLU()])


def module_parts__a_class():
    nn.Sequential(nn.Linear(2, 2), nn.GELU)


def module_parts__a_dot():
    nn.ModuleDict({"eye.left": nn.Linear(2, 2)})


def module_parts__twice():
    nn.Linear(2, 2).register_buffer("bias", torch.zeros(2))


def module_parts__a_tensor():
    nn.Linear(2, 2).bias = torch.zeros(2)


def layer_options__a_function():
    nn.Linear(torch.rand(3, 4))


def layer_options__half():
    nn.Linear(8 / 2, 7)


def layer_options__percent():
    nn.Dropout(30)


def lazy_parameters__counted():
    sum(weight.numel() for weight in nn.LazyLinear(4).parameters())


def hook_signature__forward():
    layer = nn.Linear(2, 2)
    layer.register_forward_hook(lambda module, output: None)
    layer(torch.rand(1, 2))


def pretrained_classes__resnet():
    models.resnet18(weights="DEFAULT", num_classes=7)


def detection_targets__without():
    models.detection.fasterrcnn_resnet50_fpn(weights=None, weights_backbone=None)([torch.rand(3, 32, 32)])


def kernel_too_large__transformer():
    models.vit_b_16()(torch.rand(1, 3, 48, 48))


class Bare(Dataset):
    """Has neither a length nor samples."""


class Stream(IterableDataset):
    """Gives one number."""

    def __iter__(self):
        return iter([1])


class Given(Dataset):
    """Samples from a list."""

    def __init__(self, samples):
        self.samples = samples

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, index):
        return self.samples[index]


def dataset_methods__length():
    list(DataLoader(Bare()))


def dataset_methods__shuffled_stream():
    DataLoader(Stream(), shuffle=True)


def loader_ended__a_second_batch():
    batches = iter(DataLoader([1, 2], batch_size=2))
    next(batches)
    next(batches)


def module_list_of_data__old_next():
    iter(DataLoader([1, 2])).next()


def loader_options__batch():
    DataLoader([1, 2], batch_size=8 / 4)


def loader_options__prefetch():
    DataLoader([1, 2], prefetch_factor=4)


def empty_set__concatenated():
    ConcatDataset([])


def collate_type__second_is_none():
    list(DataLoader(Given([(torch.zeros(2), 1), None]), batch_size=2))


def collate_type__another_key():
    list(DataLoader(Given([{"x": 1, "y": 2}, {"x": 1}]), batch_size=2))


def collate_type__objects():
    list(DataLoader(Given([np.array([None, 1])]), batch_size=1))


def not_a_tensor__dataset_of_arrays():
    TensorDataset(np.zeros((4, 2)), np.zeros(4))


def not_a_tensor__a_layer():
    return nn.ReLU(inplace=True) + torch.rand(3)


def numpy_array__byte_order():
    torch.from_numpy(np.zeros(3, ">f4"))


def tensor_to_numpy__bfloat16():
    torch.zeros(3, dtype=torch.bfloat16).numpy()


def tensor_to_numpy__sparse():
    torch.eye(3).to_sparse().numpy()


def tuple_output__max():
    torch.rand(3, 4).max(1).float()


def tuple_output__targets_none():
    nn.MSELoss()(torch.rand(2), None)


def wrong_arguments__a_tensor_as_size():
    torch.zeros(torch.rand(2))


def recurrent_sizes__not_packed():
    nn.utils.rnn.pad_packed_sequence(nn.GRU(3, 4)(torch.rand(2, 5, 3))[0])


def attention_inputs__four_axes():
    x = torch.rand(1, 6, 4, 4)
    nn.MultiheadAttention(4, 2)(x, x, x)


def view_numel__attention():
    memory = torch.rand(7, 9, 8)
    nn.MultiheadAttention(8, 2)(torch.rand(3, 5, 8), memory, memory)


def attention_inputs__product():
    q, k = torch.rand(1, 2, 6, 8), torch.rand(1, 2, 6, 4)
    F.scaled_dot_product_attention(q, k, q)


def interpolate_dims__mode():
    F.interpolate(torch.rand(1, 3, 8), scale_factor=2, mode="bilinear")


def mm_shapes__letters():
    torch.einsum("bhq,bhk->bqk", torch.rand(2, 3), torch.rand(2, 3))


def broadcast_sizes__state_of_another_model():
    def step(inputs, state=None):
        layer = nn.Linear(inputs, 2)
        optimizer = torch.optim.Adam(layer.parameters())
        if state:
            optimizer.load_state_dict(state)
        layer(torch.rand(1, inputs)).sum().backward()
        optimizer.step()
        return optimizer.state_dict()

    step(3, step(4))


def nan_loss__norm():
    weight = torch.rand(2, requires_grad=True)
    weight.grad = torch.full((2,), float("nan"))
    nn.utils.clip_grad_norm_([weight], 1.0, error_if_nonfinite=True)


def singular__inverse():
    torch.linalg.inv(torch.ones(3, 3))


def singular__cholesky():
    torch.linalg.cholesky(-torch.eye(3))


def probabilities__all_zero():
    torch.multinomial(torch.zeros(5), 1)


def probabilities__too_many():
    torch.multinomial(torch.rand(3), 5)


def probabilities__logits():
    torch.distributions.Categorical(torch.tensor([2.0, -1.0]), validate_args=True)


def transform_input__colours():
    Grayscale()(torch.rand(4, 8, 8))


def transform_input__channels():
    ToPILImage()(torch.rand(8, 8, 3))


def transform_input__no_list():
    Compose(ToTensor())(Image.new("RGB", (4, 4)))


def transform_input__class():
    Compose([ToTensor])(Image.new("RGB", (4, 4)))


def save_object__spectral_norm():
    with tempfile.TemporaryDirectory() as folder:
        torch.save(nn.utils.parametrizations.spectral_norm(nn.Linear(2, 2)), Path(folder) / "net.pt")


def save_object__generator():
    with tempfile.TemporaryDirectory() as folder:
        torch.save({"rows": (row for row in [1])}, Path(folder) / "net.pt")


def save_path__no_folder():
    with tempfile.TemporaryDirectory() as folder:
        torch.save([1], Path(folder) / "runs" / "net.pt")


def load_source__bytes():
    torch.load(b"\x80\x02")


def load_source__exchanged():
    torch.save("net.pt", {"weight": torch.zeros(2)})


def device_name__map_location():
    with tempfile.TemporaryDirectory() as folder:
        torch.save(torch.zeros(2), Path(folder) / "x.pt")
        torch.load(Path(folder) / "x.pt", map_location="gpu")


def state_dict_type__arrays():
    nn.Linear(1, 1).load_state_dict({"weight": np.zeros((1, 1)), "bias": np.zeros(1)})


def state_dict_type__of_a_model():
    SGD(nn.Linear(1, 1).parameters(), lr=0.1).load_state_dict(nn.Linear(1, 1).state_dict())


def rank_range__counted_from_one():
    DistributedSampler([1, 2, 3], num_replicas=2, rank=2)


def no_backend__float_into_quantised():
    torch.ao.nn.quantized.Linear(3, 2)(torch.rand(1, 3))


def quant_engine__name():
    torch.backends.quantized.engine = "fast"


def graph_break__opens_a_file():
    def step(x):
        return x + len(input())

    torch.compile(step, fullgraph=True, backend="eager")(torch.rand(2))


def compile_options__backend():
    torch.compile(lambda x: x + 1, backend="inductr")(torch.rand(2))


def compile_options__mode():
    torch.compile(lambda x: x + 1, mode="fast")


class Positions(nn.Module):
    """Adds a table of six places."""

    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(torch.rand(1, 6, 2))

    def forward(self, x):
        return x + self.table


def export_dynamic__table():
    shapes = {"x": {1: torch.export.Dim("length")}}
    torch.export.export(Positions(), (torch.rand(1, 6, 2),), dynamic_shapes=shapes)


def empty_tensor__no_boxes():
    torch.zeros(0, 4).max()


def empty_tensor__a_question():
    return bool(torch.zeros(0))


def loss_is_number__a_dict():
    {"boxes": torch.rand(1, requires_grad=True).sum()}.backward()


def loss_is_number__nothing():
    (lambda x: None)(torch.rand(2)).backward()


def window_too_long__a_held_out_part():
    text = torch.arange(40)
    text[36:].unfold(0, 9, 1)


def muon_matrices__everything():
    model = nn.Sequential(nn.Linear(4, 6), nn.LayerNorm(6))
    torch.optim.Muon(model.parameters(), lr=0.02)

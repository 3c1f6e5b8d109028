"""Whose module a name is: Python's own, a library's, or, where nothing speaks for these, perhaps the learner's."""

import re
import sys

from torch_clinic.expressions import Expression

# Libraries that stand beside torch in programs and in files, by the name that is imported; where pip calls them
# otherwise, that name behind the colon, and `?` where plain pip brings another package, or one that does not build.
KNOWN = """
accelerate albumentations apex:? av bitsandbytes causal_conv1d:? cv2:opencv-python deepspeed detectron2:?
diffusers dgl:? einops fairseq fastai fastcore faiss:faiss-cpu flash_attn:? flax fvcore gradio gym gymnasium h5py
huggingface_hub hydra:hydra-core imageio ipywidgets jax joblib keras kornia librosa lightgbm lightning
lightning_fabric lightning_utilities mamba_ssm:? matplotlib mmcv:? mmdet mmengine monai networkx nltk numba numpy
omegaconf onnx onnxruntime onnxscript open_clip:open-clip-torch optimum optuna pandas peft PIL:pillow polars
pyarrow pycocotools pytorch_lightning:pytorch-lightning ray safetensors scipy seaborn
segmentation_models_pytorch:segmentation-models-pytorch sentence_transformers:sentence-transformers sentencepiece
skimage:scikit-image sklearn:scikit-learn skorch soundfile spacy speechbrain stable_baselines3:stable-baselines3
sympy tensorboard tensorboardX tensorflow tiktoken timm tokenizers torch torch_geometric:torch-geometric
torch_scatter:? torch_sparse:? torchao torchaudio torchcodec torchdata torchmetrics torchtext torchtune
torchvision tqdm transformers triton trl ultralytics unsloth vllm wandb xformers xgboost yaml:pyyaml zmq:pyzmq
"""
LIBRARIES = {name: pip or name for name, _, pip in (word.partition(":") for word in KNOWN.split())}
# Folders of a learner's or of a repository; packages leave some of the same name in site-packages by mistake.
OFTEN_OWN = """
common config data dataset datasets examples lib model models network networks nets scripts src test tests tools
train util utils
"""
# Of Python's own, and removed in 3.12 or 3.13.
GONE = """
asynchat asyncore distutils imp smtpd aifc audioop cgi cgitb chunk crypt imghdr lib2to3 mailcap msilib nis nntplib
ossaudiodev pipes sndhdr spwd sunau telnetlib uu xdrlib
"""
BUILDING = Expression(
    r"Getting requirements to build|Preparing (?:editable )?metadata \(pyproject|pip-build-env"
    r"|setuptools[/\\.]build_meta|build backend returned an error"
    r"|doesn't declare it as a build dependency|pip-install-\w+[/\\]|generating package metadata|egg_info"
    r"|[/\\]builds-v0[/\\]|Failed to build .*@ "
)  # what pip and uv print, and the folders that they build in
NAMED = Expression(
    r"No module named '(?P<module>[\w.]+)'"
    r"|(?:Can't get attribute '[\w.]+' on|attribute lookup [\w.]+ on) <?(?:module ')?(?P<holder>[\w.]+)"
    r"|cannot import name '\w+' from (?:partially initialized module )?'(?P<source>[\w.]+)'"
)


def with_owner(message: str, text: str) -> str:
    """Return `message` with whose module it names in brackets behind it, for the patterns to find.

    `text`: all that was pasted; a frame in site-packages shows a library that is not on the list.

    >>> with_owner("No module named 'pathlib._local'; 'pathlib' is not a package", "")
    "No module named 'pathlib._local'; 'pathlib' is not a package [pathlib is Python's own]"
    >>> with_owner("No module named 'sklearn'", "")
    "No module named 'sklearn' [sklearn is a library: pip install scikit-learn]"
    >>> with_owner("No module named 'nets_2024'", "")
    "No module named 'nets_2024'"
    """
    if not (match := NAMED.search(message)):
        return message
    if match["module"] and BUILDING.search(text):
        return f"{message} [while a package was built]"
    top = (match["module"] or match["holder"] or match["source"]).partition(".")[0]
    if top in LIBRARIES:
        pip = f": pip install {LIBRARIES[top]}" if LIBRARIES[top] != "?" else ""
        return f"{message} [{top} is a library{pip}]"
    if top in OFTEN_OWN.split():
        return message
    if top in sys.stdlib_module_names or top in GONE.split():
        return f"{message} [{top} is Python's own]"
    if re.search(rf"(?:site|dist)-packages[/\\]{top}(?:[/\\]|\.py|\.\w*\.?(?:so|pyd))", text):
        return f"{message} [{top} is a library]"
    return message

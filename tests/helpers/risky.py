"""Calls that run what a file or a person wrote: found in the text of a program, with the function they stand in."""

import ast
import re
from collections import Counter

from course_utils import PROJECT

# The packages, and the folders of programs beside them.
FOLDERS = ("course_utils", "lessonkit", "torch_clinic", "scripts", "tools", "web", "benchmarks")
PROGRAMS = {
    path.relative_to(PROJECT).as_posix(): path for name in FOLDERS for path in (PROJECT / name).rglob("*.py")
}

# What is called -> what it is about. A name stands for any module's function or method of that name.
CALLS = {
    "pickle.load": "unpickling",
    "pickle.loads": "unpickling",
    "pickle.Unpickler": "unpickling",
    "cloudpickle.load": "unpickling",
    "cloudpickle.loads": "unpickling",
    "dill.load": "unpickling",
    "dill.loads": "unpickling",
    "joblib.load": "unpickling",
    "pandas.read_pickle": "unpickling",
    "marshal.load": "unpickling",
    "marshal.loads": "unpickling",
    "shelve.open": "unpickling",
    "eval": "text as a program",
    "exec": "text as a program",
    "yaml.load": "yaml that makes objects",
    "yaml.load_all": "yaml that makes objects",
    "yaml.full_load": "yaml that makes objects",
    "yaml.unsafe_load": "yaml that makes objects",
    "os.system": "a shell",
    "os.popen": "a shell",
    "subprocess.getoutput": "a shell",
    "subprocess.getstatusoutput": "a shell",
    "tempfile.mktemp": "a name that another may take first",
    "shutil.unpack_archive": "an archive unpacked as it comes",
}
BY_DEFAULT = "torch.load without weights_only=True"  # safe since torch 2.6, and not said
METHODS = {"extractall": "an archive unpacked as it comes", "extract": "an archive unpacked as it comes"}
# A text without any of these words has no such call, and need not be parsed.
LIKELY = re.compile(
    r"pickle|load|\b(?:eval|exec)\(|shell|system|popen|getstatus|getoutput|mktemp|unpack_|extract|shelve"
)
ARCHIVES = {"archive", "zip", "tar", "tarfile", "zipfile", "file", "packed"}  # what `extract` is asked of


def found(source, name="<text>"):
    """Counter of (function, what it is about) for a program's text."""
    if not LIKELY.search(source):
        return Counter()
    tree = ast.parse(source, name)
    modules = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    seen = Counter()
    _look(tree, "", modules, seen)
    return seen


def written(source):
    """Whether a program opens a file for writing, or renames one, itself and not by `lessonkit.system.atomic`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            values = [*node.args, *(word.value for word in node.keywords if word.arg == "mode")]
            modes = [value.value for value in values if isinstance(value, ast.Constant)]
            opens = name in ("open", "fdopen", "ZipFile") and any(
                isinstance(mode, str) and re.fullmatch(r"[rbt]*[wax+][rwaxbt+]*", mode) for mode in modes
            )
            renames = name in ("replace", "rename") and len(node.args) == 1 and not node.keywords
            if name in ("write_text", "write_bytes") or opens or renames:
                return True
    return False


def _look(node, place, modules, seen):
    for child in ast.iter_child_nodes(node):
        inner = place
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = f"{place}.{child.name}".lstrip(".")
        if isinstance(child, ast.ClassDef):
            for base in child.bases:
                if what := CALLS.get(_called(base, modules)):
                    seen[inner, what] += 1
        if isinstance(child, ast.Call) and (what := _about(child, modules)):
            seen[inner, what] += 1
        _look(child, inner, modules, seen)


def _about(call, modules):
    name = _called(call.func, modules)
    given = {word.arg: word.value for word in call.keywords if word.arg}
    says = {key: getattr(value, "value", ...) for key, value in given.items()}  # ... for what is no constant
    if name == "torch.load" and (says.get("weights_only") is False or "pickle_module" in says):
        return "unpickling"
    if name == "torch.load" and says.get("weights_only") is not True:
        return BY_DEFAULT
    if name.endswith(".load") and says.get("allow_pickle", False) is not False:
        return "unpickling"
    if says.get("shell", False) is not False:
        return "a shell"
    if name.startswith("yaml.") and "Safe" in ast.unparse(call):
        return None
    last = name.rpartition(".")[2]
    if isinstance(call.func, ast.Attribute) and last in METHODS:
        base = ast.unparse(call.func.value).rpartition(".")[2]
        if last == "extractall" or base in ARCHIVES:
            return None if says.get("filter") == "data" else METHODS[last]
        return None
    return CALLS.get(name)


def _called(func, modules):
    """The full name of what is called: `loads` of `from pickle import loads` is pickle.loads."""
    words = []
    while isinstance(func, ast.Attribute):
        words.append(func.attr)
        func = func.value
    if not isinstance(func, ast.Name):
        return ".".join(["?", *reversed(words)])
    return ".".join([modules.get(func.id, func.id), *reversed(words)])

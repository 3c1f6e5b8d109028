"""Which files of the project a chapter, a test file or a program depends on, found without running anything.

    tree = Tree.of(folder)
    tree.closure("tests/lessonkit/checks/test_compare.py")   the file and all that it needs, through others too
    tree.chapter("05_training")                              the same for a notebook, with runner and samples

A file needs what it imports (also inside functions, in cells, and in programs that it holds as text), the modules
and scripts that its strings name, the places that it builds from the project's root (`PROJECT / "docs" /
"room.md"`; a folder stands for all that is in it), the data that lie beside it, and, for a test, each conftest.py
above it. A test also needs the instructor's command whose name it writes, which `course` finds by an entry point;
what asks for a hook of the course needs the module that course.toml names for it.

The packages are the engine: they are handed notebooks, exercises and answers, so what they say of those is not
followed. A test that uses real ones names them itself: by a place, by an import, or by `find()` of the catalogue.
Listeners are not followed: they hear of a verdict and give nothing back. What this cannot see (a name made at run
time) is found by `make test-all`, which looks at nothing and runs everything.
"""

import ast
import fnmatch
import json
import re
import subprocess
import textwrap
import tomllib
from functools import cache, cached_property
from pathlib import Path, PurePosixPath

# The course's own packages, by folder; one that is not there is passed over.
PACKAGES = ("course_utils", "lessonkit", "torch_clinic")
BANK = "answers/"
SAMPLES = ("data/samples/", "data/recorded/")
SUITE = "tools/testing/all.py"
BY_NUMBER = "tests/helpers/notebook_cells.py"  # reads the one chapter whose number its caller gives
# A change of one of these concerns everything: what is installed, how tests are collected, and the suite itself.
SHARED = ("requirements*.txt", "pyproject.toml", "setup.py", "course.toml", "tests/conftest.py")
SHARED += ("tools/testing/early.py", "tools/testing/farewell.py", "tools/testing/*.cfg")
ROOTS = ("PROJECT", "project")  # names that hold the project's folder
# A hook of the catalogue, which every run reads. The one chapter with such questions imports the module itself.
NOT_FOLLOWED = "letters"
# What no static look can find: these ask a program that is started for pages which it makes of many files.
ALSO = {
    "tests/web/": ("web/", "docs/", "notebooks/", "benchmarks/", "README.md"),
    "tests/browser/": ("notebooks/",),
}
_DOTTED = re.compile(rf"\b(?:{'|'.join(PACKAGES)})(?:\.\w+)*\.?")
_NUMBER = re.compile(r"""["'](\d\d)["']""")
_FOLDERS_OF_PROGRAMS = ("tests", "tools", "benchmarks", "web", "scripts")


class Tree:
    """The files of a project: `files` are posix paths, `gone` are among them and were deleted since."""

    def __init__(self, root, files, gone=()):
        self.root, self.gone = Path(root), frozenset(gone)
        self.files = frozenset(files) | self.gone
        self._needs = {}

    @classmethod
    def of(cls, root, gone=()):
        """What git knows of or would add, in the folder as it is; `gone` are paths that a base had."""
        listed = git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
        return cls(root, [path for path in listed if path and (Path(root) / path).is_file()], gone)

    def text(self, path):
        """A file's text; nothing of one that was deleted."""
        return "" if path in self.gone else (self.root / path).read_text(encoding="utf-8", errors="replace")

    def below(self, folder):
        """Every file in `folder` ("docs/") and its subfolders."""
        return self._below.setdefault(folder, {path for path in self.files if path.startswith(folder)})

    @cached_property
    def _below(self):
        return {}

    @cached_property
    def modules(self):
        """Path of each module of the packages, by dotted name; a package is its `__init__.py`."""
        found = {}
        for path in self.files:
            if path.endswith(".py") and path.split("/")[0] in PACKAGES:
                name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
                found[name] = path
        return found

    @cached_property
    def _programs(self):
        """Paths of the modules outside the packages, by the name that an import says."""
        found = {}
        for path in self.files:
            if path.endswith(".py") and path.split("/")[0] in _FOLDERS_OF_PROGRAMS and not is_answer(path):
                found.setdefault(PurePosixPath(path).stem, set()).add(path)
        return found

    def _settings(self, path, *keys):
        """A table of a TOML file; an empty one where the file or the table is not there."""
        found = tomllib.loads(self.text(path)) if path in self.files else {}
        for key in keys:
            found = found.get(key, {})
        return found

    @cached_property
    def _search_path(self):
        return self._settings("pyproject.toml", "tool", "pytest", "ini_options").get("pythonpath", [])

    @cached_property
    def commands(self):
        """Dotted name of the module of each command that `course` finds by an entry point."""
        found = self._settings("pyproject.toml", "project", "entry-points", "lessonkit.commands")
        return {name: value.partition(":")[0] for name, value in found.items()}

    @cached_property
    def hooks(self):
        """Dotted name of the module of each hook of the course that is followed."""
        found = self._settings("course.toml", "hooks")
        return {name: value.partition(":")[0] for name, value in found.items() if name != NOT_FOLLOWED}

    @cached_property
    def scripts(self):
        """Paths of the programs that a learner starts, by file name."""
        return {PurePosixPath(path).name: path for path in self.below("scripts/")}

    @cached_property
    def chapters(self):
        """Names of the notebooks, `05_training`, in order."""
        found = (PurePosixPath(path) for path in self.below("notebooks/") - self.gone)
        return sorted(path.stem for path in found if path.suffix == ".ipynb" and len(path.parts) == 2)

    @cached_property
    def tests(self):
        """Every test file that pytest would collect."""
        return sorted(path for path in self.below("tests/") - self.gone if PurePosixPath(path).match("test_*.py"))

    @cached_property
    def shared(self):
        """Files of which each change concerns everything."""
        found = {path for path in self.files if any(fnmatch.fnmatch(path, pattern) for pattern in SHARED)}
        return found | {
            path
            for path in self.closure(SUITE, content=False)
            if path.startswith("tools/testing/") and is_python(path)
        }

    @cached_property
    def machinery(self):
        """What executes and compares a notebook, whichever it is: the suite, the runner, and what these import."""
        runner = [path for path in self.modules.values() if "/runner/" in path]
        found = set().union(*(self.closure(path, content=False) for path in (SUITE, *runner)))
        return {path for path in found if path.split("/")[0] in PACKAGES}

    def chapter(self, name):
        """All that the outcome of a chapter depends on."""
        own = f"notebooks/{name}.ipynb"
        found = {own, f"notebooks/asserts/{name}.py"}.union(self.machinery, self.shared, *map(self.below, SAMPLES))
        return found | self.closure(own)

    def slug(self, path):
        """The chapter ("training") whose content a file is: its notebook, exercises or answers; else None."""
        parts = PurePosixPath(path).parts
        if parts[0] == "notebooks" and path.endswith((".ipynb", ".py")):  # it, or its asserts
            return PurePosixPath(path).stem.partition("_")[2]
        if is_answer(path) and len(parts) > 2:
            return parts[1]
        if len(parts) > 2 and parts[0] in PACKAGES and parts[1] == "exercises" and parts[2] != "__init__.py":
            return parts[2].removesuffix(".py")
        return None

    def closure(self, path, *, content=True):
        """`path` and all that it needs, through others too; without `content` it stops at what is a chapter's."""
        if path not in self.files:
            return set()
        found, ahead = {path}, [path]
        while ahead:
            new = self.needs(ahead.pop()) - found
            new = new if content else {one for one in new if self.slug(one) is None}
            found |= new
            ahead.extend(new)
        return found

    def needs(self, path):
        """What a file needs directly."""
        if path not in self._needs:
            self._needs[path] = frozenset(self._find(path) & self.files)
        return self._needs[path]

    def _find(self, path):
        found = set()
        if is_answer(path):
            return found
        if path.endswith(".ipynb") and path.startswith("notebooks/"):
            sources = cells(self.text(path))
            numbers = set(_NUMBER.findall("\n".join(sources)))
            for source in sources:
                found |= _Reader(self, path, numbers).read(source)
            # 13 reads the prose of others, and prints nothing of it that is compared: no reason to run it again.
            found = {other for other in found if not other.startswith("notebooks/")}
        elif is_python(path):
            found |= _Reader(self, path).read(self.text(path)) | self._beside(path)
        elif path.startswith("scripts/"):
            found |= {other for name, other in self.scripts.items() if name in self.text(path)}
        if path.startswith("tests/"):
            above = PurePosixPath(path).parents
            found |= {f"{folder}/conftest.py" for folder in above if str(folder) != "."}
            for folder, others in ALSO.items():
                if path.startswith(folder):
                    found |= set().union(*map(self._place, others))
        if path.split("/")[0] in PACKAGES:
            found = {other for other in found if self.slug(other) is None or self.slug(other) == self.slug(path)}
        return found - {path}

    def _place(self, place):
        return self.below(place) if place.endswith("/") else {place}

    def _beside(self, path):
        """Data that lie with a module: in its folder what is no Python, and folders that hold only data."""
        folder = f"{PurePosixPath(path).parent}/"
        if folder in ("tests/", "./") or folder.startswith("scripts/"):
            return set()
        if path.split("/")[0] in PACKAGES and PurePosixPath(path).name == "__init__.py":
            return set()  # tests/test_layout.py holds that it does nothing
        found = set()
        for other in self.below(folder):
            inside = other[len(folder) :].split("/")
            if len(inside) == 1:
                found |= set() if is_python(other) else {other}
            elif is_python(other) and not path.startswith("tests/"):
                continue  # of a test, a program in a folder of its own is something to try it on
            elif not self._has_modules(folder + inside[0] + "/") and not is_answer(other):
                found.add(other)
        return found

    @cache  # noqa: B019 - a tree lives as long as the program
    def _has_modules(self, folder):
        """Whether a folder is a package, or one of tests of its own."""
        return any(
            (is_python(path) and not path.startswith("tests/")) or PurePosixPath(path).match("test_*.py")
            for path in self.below(folder)
        )

    def imported(self, name, by):
        """The files that `import name` reads, written in the file `by`."""
        top = name.split(".")[0]
        if top in PACKAGES:
            parts = name.split(".")
            reached = (".".join(parts[: end + 1]) for end in range(len(parts)))
            return {self.modules[one] for one in reached if one in self.modules}
        there = self._programs.get(name.split(".")[-1], set())
        if by.split("/")[0] in (*PACKAGES, "notebooks"):
            return {path for path in there if path.startswith("tools/")}
        # `import tools.testing.early` says the folder; else the first folder of the search path that has it.
        for folder in (str(PurePosixPath(by).parent), *self._search_path):
            if f"{folder}/{top}.py" in there:
                return {f"{folder}/{top}.py"}
        return there

    def package(self, name):
        """Every module of a package, by its dotted name."""
        return {path for dotted, path in self.modules.items() if dotted == name or dotted.startswith(f"{name}.")}


class _Reader(ast.NodeVisitor):
    """What one source needs: collected in `found`."""

    def __init__(self, tree, path, numbers=None):
        self.tree, self.path, self.found = tree, path, set()
        self.numbers = numbers  # of chapters, as the source writes them: "05"
        self.places, self.loops = {}, {}  # by name: what is bound to a place, what goes through a row of strings
        self.ours = path.split("/")[0] in PACKAGES

    def read(self, source):
        try:
            parsed = ast.parse(source)
        except (SyntaxError, ValueError):  # of another language, or wrong on purpose: its words still say something
            self._words(source)
            return self.found
        nodes = list(ast.walk(parsed))
        for node in nodes:  # names of places first: `NOTEBOOKS = PROJECT / "notebooks"`
            if isinstance(node, ast.Assign) and (place := self._place(node.value)) is not None:
                self.places |= {target.id: place for target in node.targets if isinstance(target, ast.Name)}
        if self.numbers is None:
            self.numbers = set(_NUMBER.findall(source))
        imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
        self.catalogued = any("catalog" in ast.unparse(node) for node in imports)
        rows = {node.targets[0].id: node.value for node in nodes if _names_one(node)}
        for node in nodes:
            if isinstance(node, ast.For | ast.comprehension) and isinstance(node.target, ast.Name):
                row = rows.get(node.iter.id) if isinstance(node.iter, ast.Name) else node.iter
                self.loops |= {node.target.id: found} if (found := _strings(row)) else {}
        self.visit(parsed)
        return self.found

    def visit(self, node):
        if isinstance(node, ast.Call) and _called(node) == "glob" and "}_*.ipynb" in ast.unparse(node):
            return self.visit_Call(node)
        place = self._place(node) if isinstance(node, ast.BinOp | ast.Call) else None
        if place is not None and place[0] != "":
            named = (
                self.loops.get(node.right.id)
                if isinstance(node, ast.BinOp) and isinstance(node.right, ast.Name)
                else None
            )
            inner = self._place(node.left) if named else None
            if inner and inner[1]:
                for one in named:
                    self._reach(*_joined(inner, ast.Constant(one)))
            else:
                self._reach(*place)
        if isinstance(node, ast.BinOp) and place is not None:
            return self.visit(node.right)  # its left side is a part of the same place
        return super().visit(node)

    def visit_Import(self, node):
        for alias in node.names:
            self._import(alias.name)

    def visit_ImportFrom(self, node):
        base = node.module or ""
        if node.level:
            folder = PurePosixPath(self.path).parents[node.level - 1]
            base = ".".join([*folder.parts, *filter(None, [base])])
        for alias in node.names:
            if alias.name == "NOTEBOOKS":
                self._reach("notebooks", False)
            if base.split(".")[0] in PACKAGES:
                found = self.tree.imported(f"{base}.{alias.name}", self.path)
                self.found |= found
                if f"{base}.{alias.name}".endswith(".exercises"):
                    self._exercises(f"{base}.{alias.name}")
            else:
                self._import(base)

    def _import(self, name):
        self.found |= self.tree.imported(name, self.path)
        if name.endswith(".exercises"):
            self._exercises(name)
        if name == PurePosixPath(BY_NUMBER).stem:
            self._numbered()

    def _numbered(self):
        """The chapters whose numbers the source writes; all where it writes none."""
        chosen = [one for one in self.tree.chapters if one[:2] in self.numbers]
        self.found |= {f"notebooks/{one}.ipynb" for one in chosen or self.tree.chapters}

    def _exercises(self, package):
        """Whoever imports the package itself looks through all that is in it."""
        if not self.ours:
            self.found |= self.tree.package(package)

    def visit_Call(self, node):
        """`find()` gives every chapter, `select(find(), ["05"])` those that are named, `hook("data")` a module."""
        if _called(node) == "hook" and node.args and isinstance(node.args[0], ast.Constant):
            if (name := node.args[0].value) in self.tree.hooks:
                self._import(self.tree.hooks[name])
            return
        if _called(node) == "select" and len(node.args) > 1 and _called(node.args[0]) == "find":
            try:
                named = ast.literal_eval(node.args[1])
            except ValueError:
                named = None
            if named and not self.ours:
                self.found |= {f"notebooks/{one}.ipynb" for one in self.tree.chapters if one[:2] in named}
                return
        if _called(node) == "glob" and node.args and ast.unparse(node.args[0]).strip("f'\"").endswith("}_*.ipynb"):
            if self.path != BY_NUMBER:  # its callers say the number
                self._numbered()
            return
        if self.catalogued and _called(node) == "find" and not node.args and not node.keywords:
            self._reach("notebooks", False)
        self.generic_visit(node)

    def visit_Expr(self, node):
        if not isinstance(node.value, ast.Constant):  # a docstring names much that is not needed
            self.generic_visit(node)

    def visit_Constant(self, node):
        if isinstance(node.value, str):
            self._words(node.value)

    def _words(self, text):
        """Modules, scripts and files that a string names; the imports of one that is a program."""
        if "import " in text:
            try:
                program = ast.parse(textwrap.dedent(text))
            except (SyntaxError, ValueError):
                program = ast.Module([], [])
            for node in ast.walk(program):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    self.visit(node)
        for name in _DOTTED.findall(text):
            # "course_utils.exercises." is the beginning of a name that is known only when the program runs.
            whole = name.endswith(".") and name[:-1] in self.tree.modules and text.endswith(name)
            self.found |= self.tree.package(name[:-1]) if whole else self.tree.imported(name.rstrip("."), self.path)
        if ".py" in text or ".sh" in text:
            self.found |= {
                self.tree.scripts[one] for one in re.findall(r"[\w-]+\.\w+", text) if one in self.tree.scripts
            }
        if text in self.tree.commands and not self.ours:
            self._import(self.tree.commands[text])
        if text in self.tree.files:
            self.found.add(text)
        elif len(text) < 60 and text.endswith(tuple(self.tree.chapters)) and not self.ours:
            self.found |= {f"notebooks/{one}.ipynb" for one in self.tree.chapters if text.endswith(one)}

    def _reach(self, place, exact):
        """A place that the source builds: a file, a folder with all that is in it, or the whole project."""
        if self.ours and place not in self.tree.files and place.split("/")[0] not in ("data", "scripts"):
            return  # the engine copies and walks through folders; what it imports it says
        if exact and place.split("/")[0] in ("tools", "benchmarks", "web") and place not in self.tree.files:
            return  # a folder to import from: what is imported is found by its name
        if place in self.tree.files:
            self.found.add(place)
        elif place == ".":
            self.found |= self.tree.files
        else:
            self.found |= self.tree.below(f"{place}/")

    def _place(self, node):
        """(posix path from the root, whether that is all of it): "" is the root itself, "." anywhere below it."""
        if isinstance(node, ast.Name):
            return self.places.get(node.id, ("", True) if node.id in ROOTS else None)
        if isinstance(node, ast.Attribute):
            if node.attr in ROOTS:
                return "", True
            inner = self._place(node.value)
            return _upwards(inner, 1) if inner and node.attr == "parent" else None
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.value, ast.Attribute)
            and node.value.attr == "parents"
        ):
            inner = self._place(node.value.value)
            index = node.slice.value if isinstance(node.slice, ast.Constant) else None
            return _upwards(inner, index + 1) if inner and isinstance(index, int) else None
        if isinstance(node, ast.Call):
            return self._of_call(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            inner = self._place(node.left)
            return inner and _joined(inner, node.right)
        return None

    def _of_call(self, node):
        if isinstance(node.func, ast.Name) and node.func.id == "Path" and node.args:
            named = node.args[0]
            return (
                (self.path, True) if isinstance(named, ast.Name) and named.id == "__file__" else self._place(named)
            )
        if not isinstance(node.func, ast.Attribute):
            return None
        inner = self._place(node.func.value)
        if inner and node.func.attr in ("resolve", "absolute"):
            return inner[0], inner[1]
        if inner and node.func.attr in ("glob", "rglob", "iterdir", "walk"):
            return inner[0] or ".", False
        return None


def _joined(place, right):
    """A place and what `/` adds to it; what is known only at run time may be anything below."""
    path, exact = place
    if not exact:
        return place
    if isinstance(right, ast.Constant) and isinstance(right.value, str):
        return str(PurePosixPath(path, right.value)), True
    return path or ".", False


def _names_one(node):
    """Whether a statement gives one name to something."""
    return isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)


def _strings(node):
    """The strings of a tuple or list that holds nothing else; else None."""
    items = node.elts if isinstance(node, ast.Tuple | ast.List) else []
    texts = [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]
    return texts if items and len(texts) == len(items) else None


def _upwards(place, steps):
    path, exact = place
    parents = PurePosixPath(path or ".").parents
    if not exact or len(parents) < steps:
        return None
    above = str(parents[steps - 1])
    return ("" if above == "." else above), True


def _called(node):
    """The last name of what is called; None for what is no call."""
    if not isinstance(node, ast.Call):
        return None
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)


def is_python(path):
    return path.endswith(".py")


def is_answer(path):
    """Whether a file is of the bank: data, though it is written in Python."""
    return path.startswith(BANK)


def cells(text):
    """The code of a notebook, cell by cell, without the lines that are IPython's; none of what is no notebook."""
    try:
        book = json.loads(text)
    except ValueError:
        return []
    found = []
    for cell in book.get("cells", []):
        if cell["cell_type"] == "code":
            lines = "".join(cell["source"]).splitlines()
            found.append("\n".join(line for line in lines if not line.lstrip().startswith(("%", "!"))))
    return found


def git(root, *words):
    """What git says; raises CalledProcessError, with its complaint, where it refuses."""
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, encoding="utf-8", check=True)
    return done.stdout

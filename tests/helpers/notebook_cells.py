"""What a chapter's cells define, by name, for tests: what a learner reads and changes is what is tested."""

import ast
import contextlib
import json
import linecache
from types import ModuleType

from course_utils import PROJECT

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def defined(number: str, *names: str) -> ModuleType:
    """Return a module holding `names` as the cells of chapter `number` ("10") define them; no experiment is run.

    All imports of its cells are executed (but of what is not here, as a file that a cell writes), and of the other
    statements only those that define one of `names`: a function, a class, or a constant given by a plain assignment
    (`SIZES = 1, 2, 4`); a name that is defined twice is the later one. Name also what the definitions themselves
    use. The module is in no `sys.modules`, so that cloudpickle sends its functions to ranks by value, as it does
    with those of a cell. Raises LookupError for a name that no cell defines.
    """
    (path,) = (PROJECT / "notebooks").glob(f"{number}_*.ipynb")
    module, missing = ModuleType(f"cells_of_{number}"), set(names)
    for index, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
        if cell["cell_type"] != "code":
            continue
        source = "".join(cell["source"])
        try:
            tree = ast.parse(source)
        except SyntaxError:
            continue  # a cell of another language (`%%writefile`), or one that is wrong on purpose
        file = f"<{path.stem}, cell {index}>"
        linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file  # for tracebacks
        for node in tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                with contextlib.suppress(ModuleNotFoundError):
                    _execute(node, file, module)
            elif found := _names_of(node) & set(names):
                _execute(node, file, module)
                missing -= found
    if missing:
        raise LookupError(f"No cell of {path.name} defines {', '.join(sorted(missing))}.")
    return module


def _execute(node: ast.stmt, file: str, module: ModuleType) -> None:
    exec(compile(ast.Module([node], type_ignores=[]), file, "exec"), module.__dict__)


def _names_of(node: ast.stmt) -> set[str]:
    """What a statement of a cell's outer level defines; nothing for one that does not."""
    if isinstance(node, DEFINITIONS):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else []
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}

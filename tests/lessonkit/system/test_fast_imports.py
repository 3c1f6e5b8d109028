"""The grammar that jsonschema brings is compiled at its first use, and then judges as ever."""

import subprocess
import sys

import pytest

START = """
import sys
from lessonkit.system import fast_imports
fast_imports.defer_grammar()
import jsonschema, nbformat
assert "rfc3987_syntax.syntax_helpers" not in sys.modules, "it was compiled"
"""
JUDGE = """
check = jsonschema.FormatChecker()
for address, good in (("http://exämple.org/ü", True), ("http:// no", False), ("http://ok.org", True)):
    try:
        check.check(address, "iri")
    except jsonschema.FormatError:
        assert not good, address
    else:
        assert good, address
assert "rfc3987_syntax.syntax_helpers" in sys.modules
"""
ASK = "import rfc3987_syntax\nassert rfc3987_syntax.syntax_helpers.parse('iri', 'http://a.b')\n"
ASK += "assert not hasattr(rfc3987_syntax, 'no')"
TWICE = "before = sys.modules['rfc3987_syntax']\nfast_imports.defer_grammar()\n"
TWICE += "assert sys.modules['rfc3987_syntax'] is before"


@pytest.mark.parametrize("rest", ["", JUDGE, ASK, TWICE], ids=["unused", "judges", "asked for more", "twice"])
def test_it_waits_until_it_is_used(rest):
    ran = subprocess.run([sys.executable, "-c", START + rest], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize(
    "program", ["from lessonkit.runner import child; child.main()", "from lessonkit import cli; cli.main()"]
)
def test_the_courses_programs_do_not_compile_it(program):
    told = "import atexit, sys\natexit.register(lambda: print(sorted(sys.modules), file=sys.stderr))"
    words = [sys.executable, "-c", f"{told}\n{program}"]
    ran = subprocess.run([*words, "run", "nothing"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert "'jsonschema'" in ran.stderr and "rfc3987_syntax.syntax_helpers" not in ran.stderr


def test_where_it_is_not_installed_nothing_is_put_there():
    program = "import sys\nsys.modules['rfc3987_syntax'] = None\n"
    program += "from lessonkit.system import fast_imports\nfast_imports.defer_grammar()\n"
    program += "assert sys.modules['rfc3987_syntax'] is None\nimport jsonschema"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0

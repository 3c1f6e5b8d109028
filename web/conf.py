"""Sphinx's settings for the site; build.py writes the sources that it reads."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import search_page  # noqa: E402  (found beside this file)
import terms  # noqa: E402

PROJECT = HERE.parent

project = "PyTorch, every claim executed"
author = "the course's authors"
html_title = project
extensions = ["myst_nb", "terms"]
exclude_patterns = ["downloads"]
root_doc = "index"

nb_execution_mode = "off"  # the outputs are those that CI compares; building a page computes nothing
nb_render_error_lexer = "myst-ansi"
nb_merge_streams = True
nb_code_prompt_show, nb_code_prompt_hide = "Show the {type}", "Hide the {type}"
nb_number_source_lines = False
myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist"]
myst_heading_anchors = 4
suppress_warnings = ["mystnb.unknown_mime_type"]  # the verdict's own data, beside its HTML

course_terms = terms.entries((PROJECT / "notebooks" / "glossary.md").read_text(encoding="utf-8"))

html_theme = "furo"
html_static_path = [str(HERE / "static")]
html_favicon = str(HERE / "static" / "icon.svg")
html_css_files = ["course.css"]
html_js_files = ["course.js", "search.js"]
html_search_language = search_page.LANGUAGE
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False  # README says under which licences text and code are
html_theme_options = {"navigation_with_keys": True}
html_permalinks_icon = "#"
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"

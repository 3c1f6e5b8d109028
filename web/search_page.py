"""The site's search, which is Sphinx's own: what Sphinx does, where that is set, and what we change.

While Sphinx's HTML builder writes the pages, it stores the words of every page, stemmed, in `searchindex.js`, and
writes `search.html`, which looks words up in that file: in the reader's browser, without a server or another site.
Furo puts the field above the sidebar of every page. What is indexed is what `build.py` puts into the sources,
without the folders that `exclude_patterns` in `conf.py` names. `tests/web/test_in_a_browser.py` searches the
finished site.

Sphinx looks for a word anywhere in a text when it chooses the lines below a result and what to mark: it would show
"rate" in `enumerate(`. We change the script that marks words, and `static/search.js` chooses the lines. Both look
at the beginning of words only. The glossary's terms are entries of Sphinx's index, which stand above other results.
"""

LANGUAGE = "en"  # whose stems and stop words Sphinx knows; conf.py hands it on as `html_search_language`

# What `finishing.py` changes in `search.html`: name -> (pattern, new text), as its own changes.
CHANGES = {
    "the search has a title": (r'<div id="search-results">', '<h1>Search</h1>\n<div id="search-results">'),
}
# What it changes in Sphinx's scripts: name -> (script, pattern, new text).
SCRIPTS = {
    "a word is marked only where a word begins": (
        "sphinx_highlight.js",
        r"val\.toLowerCase\(\)\.indexOf\(text\)",
        r"""val.toLowerCase().search(
        new RegExp("(?<![\\p{L}\\p{N}])" + text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"), "u"))""",
    ),
}

"""The site's search, which is Sphinx's own: what Sphinx does, where that is set, and what we change.

While Sphinx's HTML builder writes the pages, it stores the words of every page, stemmed, in `searchindex.js`, and
writes `search.html`, which looks words up in that file: in the reader's browser, without a server or another site.
Furo puts the field above the sidebar of every page. What is indexed is what `build.py` puts into the sources,
without the folders that `exclude_patterns` in `conf.py` names. `tests/web/test_in_a_browser.py` searches the
finished site.
"""

LANGUAGE = "en"  # whose stems and stop words Sphinx knows; conf.py hands it on as `html_search_language`

# What `finishing.py` changes in `search.html`: name -> (pattern, new text), as its own changes.
CHANGES = {
    "the search has a title": (r'<div id="search-results">', '<h1>Search</h1>\n<div id="search-results">'),
}

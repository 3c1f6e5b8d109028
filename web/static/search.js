// On the search page: the lines below a result, its name, and how long its words stay marked. web/search_page.py says
// what Sphinx itself does.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return;
  const escaped = (word) => word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const beginning = "(?<![\\p{L}\\p{N}])";

  // The words next to each other, in their order; else the first place where one of them begins a word.
  function place(text, words) {
    const phrase = words.map(escaped).join("[\\p{L}\\p{N}]*[^\\p{L}\\p{N}]{1,3}");
    for (const pattern of [phrase, ...words.map(escaped)]) {
      const found = pattern ? text.search(new RegExp(beginning + pattern, "iu")) : -1;
      if (found >= 0) return found;
    }
    return 0;
  }

  Search.makeSearchSummary = (page, keywords, anchor) => {
    const content = new DOMParser().parseFromString(page, "text/html").querySelector("[role=main]");
    for (const one of content?.querySelectorAll(".headerlink, script, style, .course-fold-words") ?? []) one.remove();
    let part = anchor ? content?.querySelector(`[id="${CSS.escape(anchor.slice(1))}"]`) : null;
    if (part && !part.textContent.trim()) part = part.nextElementSibling ?? part.parentElement;
    if (part?.matches("dt")) part = part.parentElement;
    if (part && part.textContent.trim().length < 40) part = part.closest("section");
    const text = ((part || content)?.textContent ?? "").replace(/\s+/g, " ").trim();
    const from = Math.max(place(text, [...keywords]) - 120, 0);
    const summary = Object.assign(document.createElement("p"), { className: "context" });
    summary.textContent = (from ? "…" : "") + text.slice(from, from + 240) + (from + 240 < text.length ? "…" : "");
    return summary;
  };

  // An entry of the index has the name of its page: the term makes several of one page distinct.
  const perform = Search._performSearch;
  Search._performSearch = (...given) => {
    const terms = new Map();
    for (const [term, places] of Object.entries(Search._index.indexentries))
      for (const [, id] of places) terms.set(`#${id}`, term);
    return perform(...given).map((result) => {
      if (result[6] === "index" && terms.has(result[2])) result[1] = `${result[1]}: ${terms.get(result[2])}`;
      return result;
    });
  };

  // The next page marks the words of the last search. It should do so only if a result led there.
  let followed = false;
  document.addEventListener("click", (event) => { followed = Boolean(event.target.closest("#search-results a")); }, true);
  window.addEventListener("pagehide", () => { if (!followed) localStorage.removeItem("sphinx_highlight_terms"); });
});

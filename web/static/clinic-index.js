// The list of cases on the clinic's page: a filter over it, and a case that opens when an address names it.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const field = document.getElementById("clinic-filter");
  if (!field) return;
  const cases = [...document.querySelectorAll("details.clinic-case")].map((element) =>
    ({ element, words: element.textContent.toLowerCase(), group: element.closest("section") }));
  const groups = new Set(cases.map((one) => one.group));
  const count = document.getElementById("clinic-count");

  function filter() {
    const wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { element, words } of cases) {
      element.hidden = !wanted.every((word) => words.includes(word));
      shown += element.hidden ? 0 : 1;
    }
    for (const group of groups) group.hidden = !group.querySelector("details.clinic-case:not([hidden])");
    count.textContent = !wanted.length ? "" : shown ? `${shown} of ${cases.length} cases contain this.` :
      "No case contains this. Use fewer or shorter words, or paste the whole error above.";
  }

  function open() {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!named?.matches("details.clinic-case")) return;
    if (named.hidden) { field.value = ""; filter(); }
    named.open = true;
    named.scrollIntoView();
  }

  field.addEventListener("input", filter);
  window.addEventListener("hashchange", open);
  document.getElementById("clinic-filter-form").hidden = false;
  filter();
  open();
});

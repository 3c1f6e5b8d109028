// On every page: a button that copies code, one that opens all folded outputs, and the visitor's system on the first
// page. Each page can be read without this script: then there are no buttons, and every system stands in a list.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const button = (words, className) =>
    Object.assign(document.createElement("button"), { type: "button", textContent: words, className });

  // Where a browser allows no access to the clipboard (a page over plain http), an older call still copies a selection.
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true });
      document.body.append(field);
      field.select();
      const done = document.execCommand("copy");
      field.remove();
      return done;
    }
  }

  for (const block of document.querySelectorAll("[role=main] .highlight")) {
    const code = block.querySelector("pre");
    if (!code || block.closest(".cell_output")) continue;
    const one = button("Copy", "course-copy");
    one.setAttribute("aria-label", "Copy the code");
    one.addEventListener("click", async () => {
      const done = await copy(code.textContent.replace(/\n$/, ""));
      one.textContent = done ? "Copied" : "Not copied";
      one.setAttribute("aria-label", done ? "The code is copied" : "The browser did not allow to copy the code");
      setTimeout(() => { one.textContent = "Copy"; one.setAttribute("aria-label", "Copy the code"); }, 2000);
      one.focus();
    });
    block.append(one);
  }

  const folds = [...document.querySelectorAll(".cell > details.below-input")];
  const place = document.querySelector(".course-download");
  if (folds.length && place) {
    const all = button("", "course-all");
    const open = () => folds.every((fold) => fold.open);
    const name = () => { all.textContent = open() ? "Fold all of these outputs" : "Show all outputs"; };
    all.addEventListener("click", () => { const wanted = !open(); for (const fold of folds) fold.open = wanted; name(); });
    for (const fold of folds) fold.addEventListener("toggle", name);
    name();
    place.append(all);
  }

  const start = document.getElementById("course-start");
  if (start) {
    const said = `${navigator.userAgentData?.platform ?? ""} ${navigator.platform} ${navigator.userAgent}`;
    // An iPad calls itself a Mac, which has no touch screen.
    const touched = /android|iphone|ipad/i.test(said) || (/mac/i.test(said) && navigator.maxTouchPoints > 1);
    const system = touched ? "" : /\bwin/i.test(said) ? "windows" : /mac/i.test(said) ? "mac" : /linux|x11|cros/i.test(said) ? "linux" : "";
    const panel = document.getElementById(`start-${system}`);
    if (panel) {
      start.textContent = `Start on ${panel.dataset.system}`;
      start.href = `#${panel.id}`;
      panel.open = true;
    }
    document.querySelector(".course-phone").hidden = !touched;
  }
});

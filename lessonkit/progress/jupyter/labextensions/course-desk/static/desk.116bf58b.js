// What a copy of a chapter needs of JupyterLab beyond a notebook's own: what we saw, folded below each cell; texts that
// wait until their question was tried; links to a cell that end at that cell; and a word where an original was opened
// in place of the copy.
//
// A browser keeps this file for a year: its name ends with the first letters of its SHA-256, so that a change is seen.
//
// Written by hand, without a build, as the extension `course-start-page` is, which says how that works.
(() => {
  const FOLDER = "what_we_saw"; // beside the notebooks; lessonkit/notebook/what_we_saw.py writes the pages in it
  const STYLE = `
    .course-ours { margin: 2px 0 8px calc(var(--jp-cell-prompt-width, 64px) + 12px); font-size: var(--jp-ui-font-size1); }
    .course-ours > summary { cursor: pointer; color: var(--jp-ui-font-color1); width: fit-content; padding: 0 4px; }
    .course-ours > div { border-left: 4px solid #3b7dc4; padding: 2px 12px; }
    .course-ours > div > p { margin: 4px 0; color: var(--jp-ui-font-color1); }
    .course-ours img { max-width: 100%; }
    .course-waits .jp-RenderedMarkdown > *:not(h1, h2, h3, h4, h5, h6, :is(h1, h2, h3, h4, h5, h6) ~ *) { display: none; }
    .course-waiting { margin: 4px 0 4px calc(var(--jp-cell-prompt-width, 64px) + 12px); color: var(--jp-ui-font-color1); }
    .course-waiting button { margin: 0 4px; padding: 1px 8px; border: 1px solid var(--jp-border-color1, #888);
      border-radius: 3px; background: none; color: inherit; font: inherit; cursor: pointer; }
  `;

  const isNotebook = (widget) => Boolean(widget?.context?.model?.cells && widget.content?.widgets);

  // --- what we saw

  // The page's sections by the id of their cell; none for a notebook without a page.
  const sectionsFor = async (contents, path) => {
    const parts = path.split("/");
    const name = `${parts.pop().replace(/\.ipynb$/, "")}.html`;
    const folder = [...parts, FOLDER].join("/");
    // Looked up first: a file that is not there would be an error in the browser's console.
    for (const [where, wanted] of [[parts.join("/"), FOLDER], [folder, name]]) {
      const there = await contents.get(where);
      if (!there.content.some((one) => one.name === wanted)) return new Map();
    }
    const file = await contents.get(`${folder}/${name}`, { type: "file", format: "text", content: true });
    const page = new DOMParser().parseFromString(file.content, "text/html");
    return new Map([...page.querySelectorAll("section[data-cell]")].map((one) => [one.dataset.cell, one]));
  };

  const dataOf = (shown) => {
    const { mime } = shown.dataset;
    if (mime === "text/html") return new XMLSerializer().serializeToString(shown); // drawn by JupyterLab, which cleans it
    return mime.startsWith("image/") ? shown.src.slice(shown.src.indexOf(",") + 1) : shown.textContent;
  };

  // Drawn by JupyterLab as outputs that nobody vouches for: the page may have come with a handout.
  const draw = async (rendermime, section, into) => {
    for (const shown of section.querySelectorAll(":scope > details > div > *")) {
      const { mime } = shown.dataset;
      if (!mime) {
        into.append(Object.assign(document.createElement("p"), { textContent: shown.textContent }));
        continue;
      }
      const renderer = rendermime.createRenderer(mime);
      await renderer.renderModel(rendermime.createModel({ data: { [mime]: dataOf(shown) }, trusted: false }));
      for (const image of renderer.node.querySelectorAll("img:not([alt])")) image.alt = shown.alt || "";
      into.append(renderer.node);
    }
  };

  const fold = (rendermime, section) => {
    const details = document.createElement("details");
    details.className = "course-ours";
    details.dataset.lmSuppressShortcuts = "true"; // Enter unfolds it and does not begin to edit the cell
    const summary = document.createElement("summary");
    summary.textContent = section.querySelector("summary").textContent;
    const body = document.createElement("div");
    details.append(summary, body);
    details.addEventListener("toggle", () => {
      if (details.open && !body.hasChildNodes()) draw(rendermime, section, body);
    });
    return details;
  };

  const showOurs = async (app, panel) => {
    await panel.context.ready;
    const sections = await sectionsFor(app.serviceManager.contents, panel.context.path);
    if (!sections.size || panel.isDisposed) return;
    const decorate = () => {
      if (panel.isDisposed) return;
      for (const cell of panel.content.widgets) {
        const section = sections.get(cell.model.id);
        if (section && cell.model.type === "code" && !cell.node.querySelector(":scope > .course-ours"))
          cell.node.append(fold(panel.content.rendermime, section));
        if (section?.hasAttribute("data-asked")) awaitAnswer(panel, cell);
      }
    };
    decorate();
    // Later, as the notebook makes the widgets of new cells on the same signal.
    panel.context.model.cells.changed.connect(() => setTimeout(decorate));
  };

  // --- a text that answers a question waits until the cell above it has run

  const readings = new WeakSet(); // the notebooks and cells in which somebody has asked for the answer

  // The Markdown cell behind `cell`, where its text is an answer and not yet the heading of what comes next.
  const readingOf = (panel, cell) => {
    const next = panel.content.widgets[panel.content.widgets.indexOf(cell) + 1];
    return next?.model.type === "markdown" && !/^\s*#/.test(next.model.sharedModel.getSource()) ? next : undefined;
  };

  const button = (label, act) => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: label });
    made.addEventListener("click", act);
    return made;
  };

  const wait = (panel, cell) => {
    const reading = readingOf(panel, cell);
    if (!reading) return;
    const waits = cell.model.executionCount === null && !readings.has(reading.model) && !readings.has(panel);
    reading.node.classList.toggle("course-waits", waits);
    const note = reading.node.querySelector(":scope > .course-waiting");
    if (!waits || note) {
      if (!waits) note?.remove();
      return;
    }
    const show = (what) => () => {
      readings.add(what);
      for (const one of panel.content.widgets) if (waiting.has(one.model)) wait(panel, one);
    };
    const said = document.createElement("div");
    said.className = "course-waiting";
    said.dataset.lmSuppressShortcuts = "true"; // Enter presses a button and does not begin to edit the cell
    said.append("The answer appears here when you have run the cell above. ");
    said.append(button("Show it now", show(reading.model)), button("Show all answers of this chapter", show(panel)));
    reading.node.prepend(said);
  };

  const waiting = new WeakSet(); // the cells whose output answers a question

  const awaitAnswer = (panel, cell) => {
    if (!waiting.has(cell.model)) {
      waiting.add(cell.model);
      cell.model.stateChanged.connect((_, change) => change.name === "executionCount" && wait(panel, cell));
    }
    wait(panel, cell);
  };

  // --- links to a cell, such as 05_training.ipynb#cell-id=a0b55b29

  // JupyterLab's own way to follow them selects every cell from the first to that one where the chapter was closed,
  // all but the last out of sight, and scrolls before the cells above have their height.
  const target = (link) => {
    const { pathname, hash } = new URL(link.href, document.baseURI);
    const [, path] = pathname.match(/\/(?:files|lab\/tree|tree)\/(.+\.ipynb)$/) || [];
    const [, id] = hash.match(/^#cell-id=(.+)$/) || [];
    return path && id && { path: decodeURIComponent(path), id: decodeURIComponent(id) };
  };

  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  // Until it stays in view: a cell above that is drawn now moves it.
  const bringIntoView = async (notebook, cell) => {
    for (let still = 0, last = NaN, tries = 0; still < 3 && tries < 40; tries++) {
      const index = notebook.widgets.indexOf(cell);
      if (notebook.isDisposed || index < 0 || notebook.activeCellIndex !== index) return; // somebody has moved on
      const top = cell.node.isConnected ? Math.round(cell.node.getBoundingClientRect().top) : NaN;
      const edge = notebook.node.getBoundingClientRect();
      const inView = top >= edge.top - 1 && top < edge.bottom - 40;
      still = inView && top === last ? still + 1 : 0;
      last = top;
      if (!inView) await notebook.scrollToItem(index, "start");
      await pause(150);
    }
  };

  const goTo = async (app, { path, id }) => {
    const panel = await app.commands.execute("docmanager:open", { path });
    if (!panel?.context) return; // JupyterLab itself says why there is no such file
    await panel.context.ready;
    await panel.revealed;
    const notebook = panel.content;
    const cell = notebook.widgets.find((one) => one.model.id === id);
    notebook.deselectAll();
    if (!cell) {
      const message = `The cell that this link leads to is not in ${path}. You may have deleted it.`;
      app.commands.execute("apputils:notify", { message, type: "info" });
      return;
    }
    notebook.mode = "command";
    notebook.activeCellIndex = notebook.widgets.indexOf(cell);
    notebook.deselectAll();
    await bringIntoView(notebook, cell);
  };

  const followLinks = (app) => {
    const onClick = (event) => {
      const link = event.target.closest?.("a[href]");
      const to = link && !event.ctrlKey && !event.metaKey && !event.shiftKey && target(link);
      if (!to) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      goTo(app, to);
    };
    document.addEventListener("click", onClick, true);
  };

  // --- an original that was opened in place of its copy

  // What `course lab` has put into JupyterLab's page: the folders of the originals and of the copies.
  const settings = () => JSON.parse(document.getElementById("jupyter-config-data")?.textContent || "{}");

  const warnOfOriginal = (app, path) => {
    const { courseOriginals, courseCopies } = settings();
    if (courseOriginals === undefined || !path.startsWith(`${courseOriginals}/`)) return;
    const name = path.slice(courseOriginals.length + 1);
    if (name.includes("/")) return;
    app.commands.execute("apputils:notify", {
      message: `${path} is the course's original, which a new version of the course changes. Write in your copy.`,
      type: "warning",
      options: {
        autoClose: false,
        actions: [
          {
            label: "Open my copy",
            commandId: "docmanager:open",
            args: { path: `${courseCopies}/${name}` },
            displayType: "accent",
          },
        ],
      },
    });
  };

  const activate = (app) => {
    followLinks(app);
    document.head.append(Object.assign(document.createElement("style"), { textContent: STYLE }));
    const seen = new WeakSet();
    const look = () => {
      for (const widget of app.shell.widgets("main")) {
        if (!isNotebook(widget) || seen.has(widget)) continue;
        seen.add(widget);
        showOurs(app, widget);
        warnOfOriginal(app, widget.context.path);
      }
    };
    app.restored.then(() => {
      look();
      app.shell.layoutModified.connect(look);
    });
  };

  const plugin = { id: "course-desk:desk", autoStart: true, activate };
  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB["course-desk"] = { init: () => {}, get: async () => () => plugin };
})();

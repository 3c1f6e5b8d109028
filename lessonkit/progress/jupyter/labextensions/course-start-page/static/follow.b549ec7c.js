// JupyterLab shows a file as it was when it was opened. This shows START.md anew after a check has changed it. And it
// opens what is behind START.md's links beside it, where JupyterLab would cover it with the chapter.
//
// A browser keeps this file for a year: its name ends with the first letters of its SHA-256, so that a change is seen.
//
// Written by hand, without a build: of an extension that is loaded as it stands JupyterLab asks for a container with
// `init` and `get`, and what `get` leads to is a plugin. It needs nothing but the application.
(() => {
  const PAGE = "START.md";
  const OPEN = "course-start-page:open";
  const OFTEN = 1500; // milliseconds between two looks
  const WIDTH = 0.27; // of the window, as lab_layout.py has it
  const SELDOM = 30000; // the same after one that failed: no server, no such file

  const isPage = (widget) => widget.context?.path.split("/").pop() === PAGE;

  const follow = async (app) => {
    const contents = app.serviceManager.contents;
    for (const widget of app.shell.widgets("main")) {
      const context = widget.context;
      if (!isPage(widget) || !context.isReady || context.model.dirty) continue;
      const there = await contents.get(context.path, { content: false });
      if (!context.isDisposed && there.last_modified !== context.contentsModel.last_modified) await context.revert();
    }
  };

  // A file is opened as a tab of the active area, where it would cover START. So another area in view is made the
  // active one first; where START stands alone, the file gets an area of its own beside it. A file that is open
  // already, as a tab behind START, is moved there.
  const openBeside = async (app, start, path) => {
    const factory = path.endsWith(".md") ? "Markdown Preview" : undefined; // a page such as the glossary is to be read
    const beside = [...app.shell.widgets("main")].find((widget) => !isPage(widget) && widget.isVisible);
    if (beside) app.shell.activateById(beside.id);
    const options = beside ? { mode: "tab-after", ref: beside.id } : { mode: "split-right", ref: start.id };
    const widget = await app.commands.execute("docmanager:open", { path, factory, options });
    if (widget && !start.isVisible) app.shell.add(widget, "main", options);
    if (widget && !beside) requestAnimationFrame(() => narrow(start));
    return widget;
  };

  // Also what the extension `course-desk` opens with, which follows START's links to a cell.
  const open = async (app, path) => {
    const start = [...app.shell.widgets("main")].find((widget) => isPage(widget) && widget.isVisible);
    try {
      if (!start || app.shell.mode === "single-document") // which shows one file at a time
        return await app.commands.execute("docmanager:open", { path });
      return await openBeside(app, start, path);
    } catch (error) {
      const gone = error.response?.status === 404; // the message must fit four lines of a small box
      const message = gone
        ? `${path} is not in this folder. \`course update\` in a terminal makes a new copy.`
        : `${path} was not opened: ${error.message}`;
      app.commands.execute("apputils:notify", { message, type: "error", options: { autoClose: 15000 } });
    }
  };

  // A new area takes half of the window. START needs no more than it had at first.
  const narrow = (start) => {
    const dock = start.parent;
    const handle = [...(dock?.layout?.handles?.() ?? [])].find((one) => one.offsetParent);
    if (handle) dock.layout.moveHandle(handle, WIDTH * dock.node.offsetWidth, 0);
  };

  // JupyterLab has made of START's link `05_training.ipynb` the address of a download, BASE/files/work/05_training.ipynb.
  const linkedPath = (app, link) => {
    const files = new URL("files/", app.serviceManager.serverSettings.baseUrl);
    const to = new URL(link.href, document.baseURI);
    const ours = to.origin === files.origin && to.pathname.startsWith(files.pathname) && !to.hash;
    return ours ? decodeURIComponent(to.pathname.slice(files.pathname.length)) : "";
  };

  const clicked = (app, event) => {
    const link = event.target.closest?.("a[href]");
    const start = link && [...app.shell.widgets("main")].find((widget) => isPage(widget) && widget.node.contains(link));
    const path = start && linkedPath(app, link);
    if (app.shell.mode === "single-document") return; // which shows one file at a time
    if (!path || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    open(app, path);
  };

  const activate = (app) => {
    app.commands.addCommand(OPEN, { label: "Open a File Beside START", execute: ({ path }) => open(app, path) });
    const look = async () => {
      let pause = OFTEN;
      try {
        if (!document.hidden) await follow(app);
      } catch {
        pause = SELDOM; // JupyterLab itself says that its server is gone
      }
      setTimeout(look, pause);
    };
    app.restored.then(look);
    document.addEventListener("click", (event) => clicked(app, event), true);
  };

  const plugin = { id: "course-start-page:follow", autoStart: true, activate };
  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB["course-start-page"] = { init: () => {}, get: async () => () => plugin };
})();

// JupyterLab shows a file as it was when it was opened. This shows START.md anew after a check has changed it. And it
// opens what is behind START.md's links beside it, where JupyterLab would cover it with the chapter.
//
// A browser keeps this file for a year: its name ends with the first letters of its SHA-256, so that a change is seen.
//
// Written by hand, without a build: of an extension that is loaded as it stands JupyterLab asks for a container with
// `init` and `get`, and what `get` leads to is a plugin. It needs nothing but the application.
(() => {
  const PAGE = "START.md";
  const OFTEN = 1500; // milliseconds between two looks
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

  // A file is opened as a tab beside the active one: before a link is followed, another one that is in view is made so.
  const turnAway = (app, link) => {
    const widgets = [...app.shell.widgets("main")];
    if (!link || !widgets.some((widget) => isPage(widget) && widget.node.contains(link))) return;
    const other = widgets.find((widget) => !isPage(widget) && widget.isVisible);
    if (other) app.shell.activateById(other.id);
  };

  const activate = (app) => {
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
    document.addEventListener("click", (event) => turnAway(app, event.target.closest("a[href]")), true);
  };

  const plugin = { id: "course-start-page:follow", autoStart: true, activate };
  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB["course-start-page"] = { init: () => {}, get: async () => () => plugin };
})();

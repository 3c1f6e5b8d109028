// The room as elements. Whatever came from a learner becomes text, by textContent; nothing is ever parsed as HTML.
import { minutes, shown } from "./model.js";

const SIGNS = { passed: "✓", "not attempted": "○", raised: "!", "too slow": "…", "known mistake": "≠", wrong: "✗" };
const at = id => document.getElementById(id);

const make = (tag, { text, ...properties } = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  if (text !== undefined) element.textContent = text;
  element.append(...children);
  return element;
};
const write = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};
// The course's own words: what stands between backticks is code, and a word between asterisks is stressed.
const coded = words =>
  words.split("`").flatMap((part, n) => (n % 2 ? [make("code", { text: part })] : stressed(part)));
const stressed = words =>
  words.split(/(?<![\w*)\]])\*(?![\s*])([^*\n]+?)(?<![\s*])\*(?![\w*([])/).map((part, n) => (n % 2 ? make("em", { text: part }) : part));
const titled = name => name.replace(/_/g, " ");
const called = learner => (learner.name ? `${learner.number} · ${learner.name}` : `${learner.number}`);

export class View {
  constructor(room) {
    this.room = room;
    this.chapters = new Map(); // name -> {indices, tiles, body, heads, mistakes}
    this.cells = new Map(); // "learner question" -> td
    for (const id of ["map", "chapters", "stuck-list", "help-list", "idle-list"]) at(id).replaceChildren();
    at("join").textContent = room.join;
    for (const element of document.querySelectorAll(".short")) element.textContent = room.short;
    at("stuck-minutes").textContent = minutes(room.stuckAfter);
  }

  changed(cells) {
    const questions = new Set();
    for (const [number, index] of cells) {
      const chapter = this.chapter(this.room.questions[index].chapter);
      this.row(chapter, number);
      this.cell(number, index);
      questions.add(index);
    }
    for (const chapter of new Set([...questions].map(index => this.room.questions[index].chapter)))
      this.mistakes(this.chapters.get(chapter));
    this.names();
    this.totals();
    this.marks();
  }

  // The part of a chapter, made when somebody is first seen in it, in the chapters' order.
  chapter(name) {
    if (this.chapters.has(name)) return this.chapters.get(name);
    const indices = this.room.questions.flatMap((one, index) => (one.chapter === name ? [index] : []));
    const tiles = new Map(indices.map(index => [index, this.tile(index)]));
    const anchor = make("a", { href: `#${name}`, text: titled(name) });
    const map = make("div", { className: "map-row" }, anchor, make("ul", { className: "tiles" }, ...tiles.values()));
    const head = make("tr", {}, make("th", { scope: "col", text: "learner" }));
    for (const index of indices) head.append(make("th", { scope: "col", text: this.room.questions[index].exercise }));
    const [mistakes, body] = [make("div"), make("tbody")];
    const table = make("table", {}, make("caption", { text: "Learner by learner" }), make("thead", {}, head), body);
    const part = make("section", {}, make("h2", { id: name, text: titled(name) }), mistakes, scrolled(table, `learners in ${titled(name)}`));
    part.setAttribute("aria-labelledby", name);
    for (const [box, element] of [["map", map], ["chapters", part]]) {
      element.dataset.chapter = name;
      at(box).insertBefore(element, [...at(box).children].find(one => one.dataset.chapter > name) ?? null);
    }
    const made = { name, indices, tiles, body, mistakes, heads: new Map() };
    this.chapters.set(name, made);
    return made;
  }

  tile(index) {
    const { exercise, further } = this.room.questions[index];
    const lines = ["solved", "mistake", "others", "flag"].map(className => make("span", { className }));
    const name = further ? `${exercise} (further)` : exercise;
    return make("li", { className: further ? "tile further" : "tile" }, make("b", { text: name }), ...lines);
  }

  row(chapter, number) {
    if (chapter.heads.has(number)) return;
    const head = make("th", { scope: "row" });
    const row = make("tr", {}, head, ...chapter.indices.map(index => this.empty(number, index)));
    row.dataset.number = number;
    const after = [...chapter.body.children].find(one => Number(one.dataset.number) > number);
    chapter.body.insertBefore(row, after ?? null);
    chapter.heads.set(number, head);
  }

  empty(number, index) {
    const cell = make("td", { className: "state", text: "·" });
    this.cells.set(`${number} ${index}`, cell);
    return cell;
  }

  cell(number, index) {
    const [element, cell] = [this.cells.get(`${number} ${index}`), this.room.cells[index].get(number)];
    const state = shown(cell);
    element.className = `state ${state.replace(" ", "-")}`;
    element.title = [state, cell.passed ? "" : cell.mistake, `${cell.checks} checks`].filter(Boolean).join(", ");
    const sign = make("span", { text: SIGNS[state] });
    sign.setAttribute("aria-hidden", "true");
    element.replaceChildren(sign, make("span", { className: "hidden", text: state }), ` ${cell.tries || ""}`);
  }

  mistakes(chapter) {
    const rows = chapter.indices.flatMap(index => {
      const [first] = this.room.mistakes(index);
      if (!first) return [];
      const counts = make("td", { text: `${first.now} now, ${first.met} in all` });
      const [name, words] = [make("td", {}, make("code", { text: first.name })), make("td", {}, ...coded(first.words))];
      return [make("tr", {}, make("th", { scope: "row", text: this.room.questions[index].exercise }), counts, name, words)];
    });
    const columns = ["exercise", "learners", "mistake", "what they read"].map(text => make("th", { scope: "col", text }));
    const caption = make("caption", { text: "The commonest known mistake of each exercise" });
    const table = make("table", { className: "mistakes" }, caption, make("thead", {}, make("tr", {}, ...columns)), make("tbody", {}, ...rows));
    chapter.mistakes.replaceChildren(...(rows.length ? [scrolled(table, `mistakes in ${titled(chapter.name)}`)] : []));
  }

  names() {
    for (const { heads } of this.chapters.values())
      for (const [number, head] of heads) {
        const name = called(this.room.learners.get(number));
        if (head.dataset.name === name) continue;
        head.dataset.name = head.title = name;
        head.replaceChildren(make("bdi", { text: name }), make("span", { className: "flag" }));
      }
  }

  totals() {
    write(at("learners"), `${this.room.learners.size}`);
    write(at("checks"), `${this.room.checks}`);
    at("empty").hidden = this.chapters.size > 0;
    const quiet = [...new Set(this.room.questions.map(one => one.chapter))].filter(name => !this.chapters.has(name));
    write(at("quiet"), quiet.length ? `Nothing yet from ${quiet.map(titled).join(", ")}.` : "");
    at("elsewhere").hidden = !this.room.elsewhere;
    write(at("elsewhere"), `${this.room.elsewhere} checks were of exercises not shown here: other chapters, or another version of the course.`);
  }

  // What depends on the clock: who is stuck, and with it the tiles.
  marks() {
    const all = [...this.room.learners.values()].sort((a, b) => a.number - b.number);
    const stuck = all.map(one => [one, this.room.stuckFor(one)]).filter(([, seconds]) => seconds !== null);
    write(at("stuck"), `${stuck.length}`);
    this.list("stuck", stuck.map(([one, seconds]) => this.line(one, seconds)));
    const [help, done, idle] = [this.room.noted("help"), this.room.noted("done"), this.room.neverChecked()];
    write(at("help"), `${help.length}`);
    write(at("done"), `${done.length}`);
    this.list("help", help.map(one => this.since(one, " for ", one.noted, this.where(one))));
    this.list("idle", idle.map(one => this.since(one, ", joined ", one.joined, " ago")));
    at("done-part").hidden = done.length === 0;
    write(at("done-names"), done.map(called).join(", "));
    at("clear").hidden = help.length + done.length === 0;
    const flags = new Map(stuck.map(([one, seconds]) => [one.number, [one.at, ` ⚑ ${minutes(seconds)}`]]));
    for (const { heads, indices, tiles } of this.chapters.values()) {
      for (const [number, head] of heads) {
        const [index, words] = flags.get(number) ?? [];
        write(head.querySelector(".flag"), indices.includes(index) ? words : "");
      }
      for (const [index, tile] of tiles) this.fill(tile, index);
    }
  }

  // A list that is shown while it has lines; it is made anew only when its words change.
  list(name, lines) {
    at(`${name}-part`).hidden = lines.length === 0;
    const list = at(`${name}-list`);
    if ([...list.children].map(item => item.textContent).join("\n") !== lines.map(item => item.textContent).join("\n"))
      list.replaceChildren(...lines);
  }

  since(one, before, moment, after) {
    const quiet = Math.max(0, this.room.now() - moment);
    return make("li", {}, make("bdi", { text: called(one) }), `${before}${quiet < 60 ? "less than 1 min" : minutes(quiet)}${after}`);
  }

  where(one) {
    if (one.at === null) return "";
    const { chapter, exercise } = this.room.questions[one.at];
    return `, last at ${titled(chapter)}, ${exercise}`;
  }

  line(one, seconds) {
    const { chapter, exercise } = this.room.questions[one.at];
    const cell = this.room.cells[one.at].get(one.number);
    const quiet = Math.max(0, this.room.now() - cell.last);
    const since = quiet >= 60 ? `the last one ${minutes(quiet)} ago` : "the last one just now";
    const what = ` at ${titled(chapter)}, ${exercise}, for ${minutes(seconds)}: ${cell.tries} ${cell.tries === 1 ? "try" : "tries"}, ${since}`;
    return make("li", {}, make("bdi", { text: called(one) }), what);
  }

  fill(tile, index) {
    const { counts, stuck } = this.room.summary(index);
    const learners = Math.max(1, this.room.learners.size);
    const others = ["known mistake", "wrong", "raised", "too slow"];
    const trouble = others.reduce((sum, state) => sum + counts[state], 0);
    tile.style.setProperty("--solved-to", `${(100 * counts.passed) / learners}%`);
    tile.style.setProperty("--trouble-to", `${(100 * (counts.passed + trouble)) / learners}%`);
    const [solved, mistake, signs, flag] = tile.querySelectorAll("span");
    write(solved, `✓ ${counts.passed} of ${this.room.learners.size}`);
    const most = this.room.mistakes(index).sort((a, b) => b.now - a.now)[0];
    const named = most?.now ? `, ${most.now === counts["known mistake"] ? "" : "most "}at ${most.name.replaceAll("_", "_\u200b")}` : ""; // lines may end behind a _
    write(mistake, counts["known mistake"] ? `≠ ${counts["known mistake"]}${named}` : "");
    const there = [...others.slice(1), "not attempted"].filter(state => counts[state]);
    write(signs, there.map(state => `${SIGNS[state]}\u00a0${counts[state]}`).join("  "));
    signs.title = there.map(state => `${state}: ${counts[state]}`).join(", ");
    write(flag, stuck ? `⚑ ${stuck} stuck` : "");
  }
}

const scrolled = (table, name) => {
  const box = make("div", { className: "scroll", tabIndex: 0 }, table);
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", name);
  return box;
};

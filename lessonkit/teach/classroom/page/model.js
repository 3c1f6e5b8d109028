// What the server has told: learners, and each one's cells. Nothing here touches the page.

export class Room {
  constructor(about) {
    const { questions, states, stuck, join, short } = about;
    Object.assign(this, { questions, states, stuckAfter: stuck, join, short });
    this.learners = new Map(); // number -> {number, name, at, since, tries, last, joined, note, noted}
    this.cells = this.questions.map(() => new Map()); // question -> learner's number -> cell
    this.checks = this.elsewhere = this.offset = 0;
  }

  // Takes a message in; returns which learners and which cells are new or others.
  take(message) {
    this.offset = message.now - Date.now() / 1000; // the two clocks may differ
    this.checks = message.checks;
    this.elsewhere = message.elsewhere;
    for (const learner of message.learners) this.learners.set(learner.number, learner);
    for (const [number, index, state, passed, tries, checks, mistake, met, last] of message.cells)
      this.cells[index].set(number, { state: this.states[state], passed, tries, checks, mistake, met, last });
    return message.cells.map(([number, index]) => [number, index]);
  }

  now() {
    return Date.now() / 1000 + this.offset;
  }

  // Seconds for which a learner has tried one thing in vain, null for less than makes a mark. Whoever has tried it
  // once and is away is not stuck: that takes three tries, or two that lie as far apart as half of the time.
  stuckFor(learner) {
    if (learner.since === null || learner.tries < 2) return null;
    const seconds = this.now() - learner.since;
    const lastTry = this.cells[learner.at].get(learner.number)?.last ?? learner.since;
    const often = learner.tries >= 3 || lastTry - learner.since >= this.stuckAfter / 2;
    return often && seconds > 0 && seconds >= this.stuckAfter ? seconds : null;
  }

  // Learners with a note, the one who put it up first before the others.
  noted(note) {
    return [...this.learners.values()].filter(one => one.note === note).sort((a, b) => a.noted - b.noted);
  }

  // Learners who have joined and checked nothing so far, in the order of joining.
  neverChecked() {
    const checked = new Set(this.cells.flatMap(cells => [...cells.keys()]));
    return [...this.learners.values()].filter(one => !checked.has(one.number)).sort((a, b) => a.number - b.number);
  }

  // How many learners stand how with a question: passed once, else by the state of the latest check.
  summary(index) {
    const counts = Object.fromEntries(this.states.map(state => [state, 0]));
    for (const cell of this.cells[index].values()) counts[shown(cell)] += 1;
    const stuck = [...this.learners.values()].filter(one => one.at === index && this.stuckFor(one) !== null).length;
    return { counts, stuck };
  }

  // Known mistakes of a question, the one that most learners have met first: {name, met, now, words}.
  mistakes(index) {
    const found = new Map();
    for (const cell of this.cells[index].values())
      for (const name of Object.keys(cell.met)) {
        const one = found.get(name) ?? { name, met: 0, now: 0, words: this.questions[index].mistakes[name] };
        one.met += 1;
        one.now += !cell.passed && cell.mistake === name;
        found.set(name, one);
      }
    return [...found.values()].sort((a, b) => b.met - a.met || b.now - a.now || a.name.localeCompare(b.name));
  }
}

export const shown = cell => (cell.passed ? "passed" : cell.state);

export const minutes = seconds => {
  const whole = Math.floor(seconds / 60);
  return whole < 1 ? `${Math.floor(seconds)} s` : `${whole} min`;
};

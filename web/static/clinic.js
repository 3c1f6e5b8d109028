// The clinic in the page: `course diagnose` over again, with the same cases, patterns and expressions, which
// clinic-data.js takes from the package. What is pasted stays in the page. The functions carry the names of those in
// torch_clinic; tests/web compares the two on every text that tests/torch_clinic keeps.
"use strict";

const courseDiagnose = (() => {
  const data = window.courseClinic;
  const compiled = ([source, flags], extra = "") => new RegExp(source, flags + extra);
  const searched = (expression) => expression && compiled(expression);
  const E = Object.fromEntries(Object.entries(data.expressions).map(([name, one]) => [name, compiled(one)]));
  const M = Object.fromEntries(Object.entries(data.expressions).map(([name, one]) => [name, compiled(one, "y")]));
  const G = Object.fromEntries(Object.entries(data.expressions).map(([name, one]) => [name, compiled(one, "g")]));
  const FRAMES = data.frames.map((one) => compiled(one, "y"));
  const REGEXES = ["find", "unless", "context", "without", "last", "name", "aside", "around", "away", "symptom"];
  const WORDS = ["title", "read", "look", "fix"];
  const PATTERNS = data.patterns.map((row) => {
    const pattern = { score: 1, alone: false, sole: false, theirs: false, ...row };
    for (const name of REGEXES) pattern[name] = searched(row[name]);
    return pattern;
  });
  let whole = "";  // all that was pasted, for the patterns that ask what is around
  const suits = (pattern) => (!pattern.around || pattern.around.test(whole)) && !(pattern.away && pattern.away.test(whole));
  const { unknown, brokenOff: brokenOffWords, mostCharacters, overhead, tooOld, forward, userCode, ofALine, ofCalled, ofOthers, done, install, prompt } = data.constants;

  const match = (expression, text) => { expression.lastIndex = 0; return expression.exec(text); };
  const splitLines = (text) => {
    const lines = text.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/);
    if (lines.at(-1) === "") lines.pop();
    return lines;
  };
  const strip = (text, signs) => {
    let start = 0, end = text.length;
    while (start < end && signs.includes(text[start])) start += 1;
    while (end > start && signs.includes(text[end - 1])) end -= 1;
    return text.slice(start, end);
  };
  const words = (text) => text.split(/\s+/).filter(Boolean);
  const fixed = (number) => number.toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const expandTabs = (line) => {
    let out = "";
    for (const sign of line) out += sign === "\t" ? " ".repeat(4 - (out.length % 4)) : sign;
    return out;
  };

  // --- tracebacks.py

  const own = (frame) => !E.LIBRARY.test(frame.file);
  const frameText = (frame) => `${frame.file} ${frame.function} ${frame.code}`;
  const frameShown = (frame) => {
    let where = frame.line ? `${frame.file}, line ${frame.line}` : frame.file;
    if (frame.function && !frame.function.startsWith("<module")) where += `, in ${frame.function}`;
    return frame.code ? `${where}: ${frame.code}` : where;
  };
  const newSection = (name = "", message = "", beside = "", frames = []) => ({ name, message, beside, frames });
  const context = (section) => section.frames.map(frameText).join("\n");
  const onOneLine = (text) => words(text).map((word) => word.slice(0, 300)).join(" ").slice(0, 20000);

  function sections(text) {
    text = text.replace(G.ANSI, "").replace(G.LINKED, "$1").replace(G.BOLD, "$1");
    let lines = text.replace(/\r\n?/g, "\n").split("\n").map(expandTabs);
    if (lines.filter((line) => line.startsWith(">")).length > lines.length / 2) {
      lines = lines.map((line) => line.replace(/^(?:> ?)+/, ""));
    }
    if (lines.some((line) => line.includes("+-+--"))) lines = lines.map((line) => line.replace(E.BAR, ""));
    const strands = new Map();
    for (let line of lines) {
      line = line.replace(E.LOG, "");
      const rank = match(M.RANK, line);
      const key = rank ? rank[1] || rank[2] || "" : "";
      if (!strands.has(key)) strands.set(key, []);
      strands.get(key).push(rank ? line.slice(rank[0].length) : line);
    }
    const found = [...strands.values()].flatMap(readStrand);
    return found.length <= 200 ? found : [...found.slice(0, 20), ...found.slice(-180)];
  }

  function readStrand(lines) {
    const found = [];
    let frames = [], message = null;
    lines.forEach((line, number) => {
      const which = FRAMES.findIndex((pattern) => match(pattern, line));
      const frame = which >= 0 ? match(FRAMES[which], line) : null;
      if (frame || E.START.test(line) || match(M.LINK, line)) {
        message = null;
        if (frame) {
          const { file, line: at, function: name } = frame.groups;
          frames.push({ file, line: Number(at || 0) || null, function: name || "", code: codeUnder(lines, number) });
          if (which === FRAMES.length - 1 && found.length && !found.at(-1).frames.length) {
            found.at(-1).frames = frames;
            frames = [];
          }
        } else if (found.length && found.at(-1).message.includes(forward)) {
          found.at(-1).frames = [...found.at(-1).frames, ...frames];
          frames = [];
        }
        return;
      }
      const arrow = match(M.ARROW, line);
      if (arrow) {
        if (frames.length) {
          frames.at(-1).line = Number(arrow.groups.line);
          frames.at(-1).code = arrow.groups.code.trim();
        }
        return;
      }
      if (message === null && (match(M.LISTING, line) || (frames.length && line.trim() === frames.at(-1).code))) return;
      line = line.replace(E.PYTEST, "");
      const error = E.ERROR.exec(line) || (frames.length && message === null ? match(M.BARE, line) : null);
      if (error && (message === null || !line.startsWith(" "))) {
        message = [error.groups.message || ""];
        const name = error.groups.name;
        found.push(newSection(name.slice(name.lastIndexOf(".") + 1), "", "", frames));
        frames = [];
      } else if (message !== null && message.length < 60) {
        message.push(line);
      }
      if (message !== null) found.at(-1).message = onOneLine(message.join(" "));
    });
    const last = found.at(-1);
    if (last && lines.includes(userCode)) last.frames = [...last.frames, ...frames];
    else if (last && !last.frames.length && !last.name.endsWith("Warning")) last.frames = frames;
    return found;
  }

  function codeUnder(lines, number) {
    const following = lines[number + 1] ?? "";
    const deeper = indent(following) > Math.max(3, indent(lines[number]));
    const shown = deeper && !following.trimStart().startsWith("File ") && strip(following, "^~ ");
    return shown && !match(M.LISTING, following) ? following.trim() : "";
  }

  const indent = (line) => line.length - line.trimStart().length;

  function brokenOff(text) {
    const lines = splitLines(text.replace(G.ANSI, "")).filter((line) => line.trim());
    const isFrame = (line) => FRAMES.some((pattern) => match(pattern, line));
    const last = lines.findLastIndex(isFrame);
    if (last < 0 || last < lines.length - 3 || lines.some((line) => E.MESSAGE.test(line))) return false;
    return !lines.slice(0, lines.findIndex(isFrame)).some((line) => E.TITLE.test(line));
  }

  function ownLine(found, section) {
    const same = JSON.stringify(section);
    const place = found.findIndex((one) => JSON.stringify(one) === same);
    for (const warning of found.slice(Math.max(place - 1, 0), place + 1)) {
      const mine = warning.frames.filter(own);
      if (warning.message.includes(forward) && mine.length) {
        return `${frameShown(mine.at(-1))} (the forward; raised in backward)`;
      }
    }
    const nearest = found.map((_, other) => other).sort((a, b) => Math.abs(a - place) - Math.abs(b - place));
    const frames = nearest.flatMap((other) => found[other].frames.toReversed().filter(own));
    return frames.length ? frameShown(frames[0]) : "";
  }

  const ownerOf = (frame) => {
    const { file } = frame;
    const name = (E.EXTENSION.exec(file) || E.APPLICATION.exec(file) || E.INSTALLED.exec(file))?.groups.name ?? "";
    return E.OF_TORCH.test(name) ? "" : name;
  };
  const whose = (found, text) => {
    const frames = found.flatMap((section) => section.frames);
    const named = !frames.length && E.NAMED_APPLICATION.exec(text);
    if (named) return [named[0], false];
    const known = frames.filter((frame) => own(frame) || ownerOf(frame));
    const owners = known.slice(known.findLastIndex((frame) => !ownerOf(frame)) + 1).map(ownerOf);
    const last = owners.at(-1) ?? "";
    const calledBy = last && owners[0] !== last ? ` (called by ${owners[0]})` : "";
    return [last + calledBy, known.some((frame) => own(frame) && !ownerOf(frame))];
  };

  // --- hints.py

  function withHints(name, message, text) {
    const code = name === "ChildFailedError" && (E.ANY_EXIT.exec(text.slice(Math.max(0, text.indexOf("Root Cause")))) || E.ANY_EXIT.exec(text));
    if (code) return `${message} [first exit: ${code[1]}]`;
    if (message.replaceAll("real scalar", "scalar").includes("only for scalar outputs") && E.DATA_PARALLEL.test(text)) {
      return `${message} [DataParallel]`;
    }
    const one = E.ABOUT_A_GPU.test(message) && E.OWN.exec(text);
    if (one) return message + age(capability(one), text.slice(one.index + one[0].length));
    return withSystem(withOwner(message, text), text);
  }

  function age(mine, rest) {
    const warning = rest.split(/Found GPU|with CUDA capability/u)[0].slice(0, 1500);
    const built = [...warning.matchAll(G.BUILT)].map(capability).sort((a, b) => Number(a) - Number(b));
    if (built.length && Number(mine) < Number(built[0])) return ` [GPU ${mine}: older than ${built[0]}]`;
    if (built.length && Number(mine) > Number(built.at(-1))) return ` [GPU ${mine}: newer than ${built.at(-1)}]`;
    return words(warning.slice(0, 200)).join(" ").includes(tooOld) ? ` [GPU ${mine}: too old]` : "";
  }

  function capability(found) {
    const said = found.slice(1).find(Boolean).replace(/[abcdef]+$/, "");
    return said.includes(".") ? said : `${said.slice(0, -1)}.${said.at(-1)}`;
  }

  // --- packages.py

  function withOwner(message, text) {
    const found = E.NAMED.exec(message);
    if (!found) return message;
    const { module, holder, source } = found.groups;
    if (module && E.BUILDING.test(text)) return `${message} [while a package was built]`;
    const top = (module || holder || source).split(".")[0];
    if (Object.hasOwn(data.libraries, top)) {
      const pip = data.libraries[top] === "?" ? "" : `: pip install ${data.libraries[top]}`;
      return `${message} [${top} is a library${pip}]`;
    }
    if (data.oftenOwn.includes(top)) return message;
    if (data.python.includes(top)) return `${message} [${top} is Python's own]`;
    const installed = new RegExp(`(?:site|dist)-packages[/\\\\]${top}(?:[/\\\\]|\\.py|\\.\\w*\\.?(?:so|pyd))`, "u");
    return installed.test(text) ? `${message} [${top} is a library]` : message;
  }

  // --- platforms.py

  function withSystem(message, text) {
    if (!E.ABOUT_A_PACKAGE.test(message)) return message;
    const own = E.ONES_OWN.exec(text);
    text = (own ? own[0] : "") + text.replace(G.A_FILE, "");
    const mac = E.INTEL_MAC.test(text) ? "[Intel Mac]" : E.MAC.test(text) ? "[Mac]" : "";
    const said = [mac, E.WINDOWS.test(text) ? "[Windows]" : "", E.UV.test(text) ? "[uv]" : ""];
    const offered = E.OFFERED.exec(text);
    if (offered) {
      const newest = offered[1].slice(offered[1].lastIndexOf(",") + 1).trim();
      said.push(newest && newest !== "none" ? `[newest offered: ${newest}]` : "[none offered]");
    }
    const index = E.INDEX.exec(text);
    if (index) said.push(`[index: ${index[1]}]`);
    return [message, ...said.filter(Boolean)].join(" ");
  }

  // --- tried.py, and _for_this_text of diagnosis.py

  const escaped = (words) => words.replaceAll(".", "\\.");  // of a package or a setting

  function withTried(fix, text) {
    for (const step of fix.matchAll(G.STEP)) {
      const name = step.groups.package;
      const one = escaped(name ?? step.groups.setting);
      const installed = `${install}(?<![\\w\\-])${one}(?![\\w\\-])`;
      const told = name
        ? `${done}[^\\n]{0,60}?${installed}|^${prompt} ?!?${installed}|^ *[!%]${installed}`
        : `${done}[^\\n]{0,60}?${one}`;
      if (!new RegExp(told, "mu").test(text)) continue;
      const words = name ? `${step[0].split(" install")[0]} install ${name}` : step.groups.setting;
      return `Your text says that ${words} was tried. ${name ? data.constants.package : data.constants.setting} ${fix}`;
    }
    return fix;
  }

  function forThisText(finding, [owner, called], text) {
    const ofSizes = ["shapes", "dtypes"].includes(data.cases[finding.case].group);
    const inCode = ofSizes || (!called && ofALine.includes(finding.case));
    const before = owner && !finding.theirs && inCode ? (called ? ofCalled : ofOthers).replace("{}", owner) : "";
    return withTried(before + finding.fix, text);
  }

  // --- memory.py

  function gib(pattern, message) {
    const found = pattern.exec(message);
    if (!found) return null;
    const [number, unit] = found.slice(1).filter(Boolean);
    return Number(number) * data.units[unit];
  }

  function withSums(message) {
    const host = E.HOST.exec(message);
    if (host) return `${message} [that is ${fixed(Number(host[1]) / 2 ** 30)} GiB]`;
    const [asked, total, free] = [E.ASKED, E.TOTAL, E.FREE].map((pattern) => gib(pattern, message));
    let [held, spare, whole] = [E.HELD, E.SPARE, E.WHOLE].map((pattern) => gib(pattern, message));
    const show = (number) => number.toFixed(1);
    if (asked === null || total === null) return message;
    if (asked > total) return `${message} [asked for more than the device has: ${show(asked)} of ${show(total)} GiB]`;
    if (free === null || held === null) return message;
    if (held > 1.05 * total) return `${message} [held beyond the device: ${show(held)} of ${show(total)} GiB]`;
    if (message.includes("is allocated by PyTorch")) held += spare ?? 0;
    const here = whole ?? held;
    const elsewhere = total - free - here - (whole !== null ? 0 : overhead);
    if (elsewhere > Math.max(1, 0.25 * total) && elsewhere > asked) {
      return `${message} [elsewhere: ${show(elsewhere)} of ${show(total)} GiB; here: ${show(here)}]`;
    }
    if (spare !== null && spare > Math.max(asked, 0.1 * total)) return `${message} [in pieces: ${show(spare)} GiB]`;
    if (asked < 0.9 * free && free > 0.1 * total) {
      return `${message} [less than is free: ${show(asked)} of ${show(free)} GiB]`;
    }
    return message;
  }

  // --- patterns.py and diagnosis.py

  function groupsOf(pattern, section) {
    if (!pattern.find) return null;
    const headline = `${section.name.slice(0, 300)}: ${section.message}`;
    const found = pattern.find.exec(section.message) || (section.name && pattern.find.exec(headline));
    if (!found) return null;
    const last = section.frames.length ? frameText(section.frames.at(-1)) : "";
    const all = context(section);
    const asked = [[pattern.context, all], [pattern.last, last], [pattern.name, section.name]];
    const barred = [[pattern.unless, section.message], [pattern.without, all], [pattern.aside, section.beside]];
    if (!asked.every(([regex, where]) => !regex || regex.test(where))) return null;
    if (barred.some(([regex, where]) => regex && regex.test(where)) || !suits(pattern)) return null;
    const groups = Object.entries(found.groups ?? {});
    return Object.fromEntries(groups.map(([name, value]) => [name, strip(value ?? "", " ,")]));
  }

  function said(pattern, groups) {
    const filled = (text) => text.replace(/\{\{|\}\}|\{(\w+)\}/g, (all, name) => (name ? groups[name] : all[0]));
    const known = data.cases[pattern.case];
    return Object.fromEntries(WORDS.map((word) => [word, pattern[word] ? filled(pattern[word]) : known[word]]));
  }

  function keep(best, pattern, groups, score, line) {
    if (best.has(pattern.case) && best.get(pattern.case).score >= score) return;
    const { chapter } = data.cases[pattern.case];
    best.set(pattern.case, { case: pattern.case, score, line, chapter, theirs: pattern.theirs, ...said(pattern, groups) });
  }

  function collect(best, alone, section, weight, line = "", found = []) {
    const last = found.at(-1);
    const error = last ? `${last.name}: ${last.message.slice(0, 200)}` : "under Original Traceback";
    for (const pattern of PATTERNS) {
      if (pattern.alone !== alone || (pattern.sole && new Set(found.map((one) => one.name)).size > 1)) continue;
      const groups = groupsOf(pattern, section);
      const score = () => Number((pattern.score * weight).toFixed(3));
      if (groups) keep(best, pattern, { ...groups, error }, score(), line);
    }
  }

  function dropWarnings(best, found) {
    const warned = new Map(), errors = new Map();
    for (const section of found) collect(section.name.endsWith("Warning") ? warned : errors, false, section, 1);
    if (!errors.size && found.some((section) => !section.name.endsWith("Warning"))) {
      for (const name of warned.keys()) if (data.cases[name].group !== "devices") best.delete(name);
    }
  }

  const loose = (text) => onOneLine(splitLines(text).filter((line) => E.LOOSE.test(line)).join(" "));

  return function diagnose(pasted, most = 3) {
    const text = [...pasted.slice(-mostCharacters)].map((sign) => data.signs[sign] ?? sign).join("").replace(G.EATEN, ".__init__()");
    whole = text;
    const found = sections(text);
    const oneLine = withSums(withHints("", onOneLine(text), text));
    const beside = loose(text);
    for (const section of found) {
      section.beside = beside;
      section.message = withSums(withHints(section.name, section.message, text));
    }
    const best = new Map(), spare = new Map();
    for (const section of found) {
      const weight = section.name.endsWith("Warning") ? 0.8 : section === found.at(-1) ? 1 : 0.95;
      collect(best, false, section, weight, ownLine(found, section));
      collect(spare, true, section, weight, ownLine(found, found.at(-1)), found);
    }
    if (found.length) {
      collect(best, false, newSection("", withSystem(beside, text)), 0.7);
      dropWarnings(best, found);
    } else {
      collect(best, false, newSection("", oneLine, oneLine), 1);
      for (const pattern of PATTERNS) {
        if (pattern.symptom && pattern.symptom.test(oneLine) && suits(pattern)) keep(best, pattern, {}, pattern.score, "");
      }
    }
    if (found.every((section) => section.name.endsWith("Warning"))) collect(spare, true, newSection("", oneLine), 1);
    const ranked = [...(best.size ? best : spare).values()].sort((a, b) => b.score - a.score).slice(0, most);
    const owner = whose(found, text);
    for (const finding of ranked) finding.fix = forThisText(finding, owner, text);
    return { findings: ranked, nothing: unknown + (!found.length && brokenOff(text) ? brokenOffWords : "") };
  };
})();

// The page: a field and a list of findings; clinic-index.js is the list of all cases. Everything pasted is set as text, never as HTML.
document.addEventListener("DOMContentLoaded", () => {
  const field = document.getElementById("clinic-text");
  if (!field) return;
  const answer = document.getElementById("clinic-answer");

  const made = (name, content = "") => {  // `code` between backticks, all else as it is
    const element = document.createElement(name);
    content.split(/`([^`]+)`/).forEach((part, number) => {
      if (number % 2) element.append(Object.assign(document.createElement("code"), { textContent: part }));
      else element.append(part);
    });
    return element;
  };

  function show() {
    answer.replaceChildren();
    if (!field.value.trim()) return;
    const { findings, nothing } = courseDiagnose(field.value);
    if (!findings.length) answer.append(made("p", nothing));
    const list = document.createElement("ol");
    for (const finding of findings) {
      const row = document.createElement("li");
      row.dataset.case = finding.case;
      const title = made("p");
      const link = Object.assign(made("a", finding.title), { href: `#${finding.case}` });
      title.append(link, ` (chapter ${finding.chapter})`);
      const facts = document.createElement("dl");
      if (finding.line) facts.append(made("dt", "Raised at"), made("dd", `\`${finding.line}\``));
      for (const [name, words] of [["Look at", finding.look], ["Read", finding.read], ["Fix", finding.fix]]) {
        facts.append(made("dt", name), made("dd", words));
      }
      row.append(title, facts);
      list.append(row);
    }
    if (findings.length) answer.append(list);
  }

  let waiting = 0;
  field.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(show, 150); });
  document.getElementById("clinic-clear").addEventListener("click", () => { field.value = ""; show(); field.focus(); });
  document.getElementById("clinic-example").addEventListener("click", () => { field.value = field.dataset.example; show(); });
  document.getElementById("clinic-form").hidden = false;
  show();  // a browser may have kept the text
});

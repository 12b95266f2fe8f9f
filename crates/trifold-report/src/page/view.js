// The views and the controls of the page. The state is a file, a point of its program, perhaps a finding with a step of
// its trace, and how pictures are drawn. Everything on the screen is computed from the state, so no view can show a
// point that another view has left.
//
// Example: a click on a finding sets `finding` and `step`; `render` then shows the trace on the right and marks the
// line of the step on the left.

const byId = (id) => document.getElementById(id);
const state = { file: 0, point: null, finding: null, step: 0, zoom: 1, limit: 24 };
let file, shown, first;

const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const VERDICTS = { proved: "proved", bug: "bug", "may-fail": "may fail", "not-analysed": "not analysed", partial: "partial" };
const badge = (verdict) => element("span", { class: "badge " + verdict }, VERDICTS[verdict] || verdict);

function openFile(number) {
  Object.assign(state, { file: number, point: null, finding: null, step: 0 });
  file = data.files[number];
  first = new Set(file.predicates.filter((predicate) => predicate.shown).map((predicate) => predicate.name));
  shown = new Set(first);
  words = new Map(file.predicates.filter((predicate) => predicate.words).map((predicate) => [predicate.name, predicate.words]));
  byId("files").value = String(number);
  byId("headline").replaceChildren(badge(file.verdict), `${file.name}: ${file.headline}`);
  byId("headline").title = `${file.name}: ${file.headline}`;
  listFindings();
  listPredicates();
  file.graph ? showGraph() : showSource();
  if (file.findings.length && file.verdict !== "proved") return openFinding(0);
  const heads = file.points.findIndex((point) => point.head && point.pictures.length);
  openPoint(heads >= 0 ? heads : file.points.findIndex((point) => point.pictures.length));
}

function openPoint(number, keepFinding) {
  if (number === null || number < 0 || number >= file.points.length) return render();
  if (!keepFinding) state.finding = null;
  Object.assign(state, { point: number, limit: 24 });
  render();
}

function openFinding(number) {
  const finding = file.findings[number];
  // The end of a trace is where things go wrong.
  Object.assign(state, { finding: number, step: finding.steps.length, point: finding.point });
  render();
}

function openStep(step) {
  const finding = file.findings[state.finding];
  state.step = Math.max(0, Math.min(step, finding.steps.length));
  render();
}

function placeOf(finding, step) {
  return step < finding.steps.length ? finding.steps[step] : finding;
}

// The left side.

function listFindings() {
  const section = byId("findings");
  const title = element("h2", {}, file.findings.length ? counted(file.findings.length, "finding") : "Nothing was found");
  const list = element("ol", {}, ...file.findings.map((finding, number) => {
    const at = [finding.at, finding.function].filter(Boolean).join(", in ");
    const button = element("button", { class: "finding", type: "button", "data-finding": number }, badge(finding.verdict),
      `${finding.kind}: ${finding.message}`, element("span", { class: "at" }, at));
    button.onclick = () => openFinding(number);
    return element("li", {}, button);
  }));
  const notes = file.notes.length ? element("ul", { class: "notes" }, ...file.notes.map((note) => element("li", {}, note))) : null;
  section.replaceChildren(title, list, ...(notes ? [notes] : []));
}

function showSource() {
  const parts = [];
  file.sources.forEach((source, number) => {
    if (file.sources.length > 1) parts.push(element("div", { class: "path" }, source.path));
    const at = new Map();
    file.points.forEach((point, index) => {
      if (point.place && point.place[0] === number) at.set(point.place[1], [...(at.get(point.place[1]) || []), index]);
    });
    const faulty = new Set(file.findings.filter((finding) => finding.place && finding.place[0] === number).map((finding) => finding.place[1]));
    const missed = new Set(source.missed);
    const lines = source.text.replace(/\n$/, "").split("\n");
    parts.push(element("ol", { class: "source" }, ...lines.map((text, index) => sourceLine(number, index + 1, text, at.get(index + 1), faulty.has(index + 1), missed.has(index + 1)))));
  });
  byId("program").replaceChildren(...parts);
}

const NOT_REACHED = "not reached: no analysed state comes here, so nothing is known";

function sourceLine(source, line, text, points, isFaulty, isMissed) {
  const reached = (points || []).filter((index) => file.points[index].pictures.length);
  const count = reached.reduce((most, index) => Math.max(most, file.points[index].pictures.length + file.points[index].left_out), 0);
  const head = reached.some((index) => file.points[index].head);
  const label = `line ${line}: ${text.trim()}${reached.length ? `, ${counted(count, "shape")}` : ""}${head ? ", a loop begins here" : ""}${isFaulty ? ", has a finding" : ""}`;
  const code = reached.length ? element("button", { class: "code", type: "button", "aria-label": label }, text || " ") : element("span", { class: "code", title: isMissed ? NOT_REACHED : null }, text);
  const chosen = reached.find((index) => file.points[index].head) ?? reached[0];
  if (reached.length) code.onclick = () => openPoint(chosen);
  const classes = [head ? "head" : "", isFaulty ? "faulty" : "", isMissed ? "missed" : ""].join(" ").replace(/ +/g, " ").trim();
  return element("li", { class: classes || null, "data-line": `${source}:${line}` }, element("span", { class: "number", "aria-hidden": "true" }, String(line)),
    element("span", { class: "count", "aria-hidden": "true", title: reached.length ? counted(count, "shape") : isMissed ? NOT_REACHED : null }, reached.length ? String(count) : isMissed ? "–" : ""), code);
}

function showGraph() {
  const graph = new DOMParser().parseFromString(file.graph, "image/svg+xml").documentElement;
  const svg = document.importNode(graph, true);
  svg.querySelectorAll("a").forEach((link) => {
    const number = Number(link.getAttribute("href").slice(2));
    const point = file.points[number];
    const about = `${point.label}, ${counted(point.pictures.length + point.left_out, "shape")}${point.head ? ", a loop begins here" : ""}`;
    link.setAttribute("aria-label", about);
    link.setAttribute("data-point", String(number));
    if (point.head) link.classList.add("head-of-loop");
    link.onclick = (event) => { event.preventDefault(); openPoint(number); };
  });
  byId("program").replaceChildren(svg);
}

// The predicates.

const GROUPS = [
  ["Pointers", (p) => p.sort === "pointer" && !p.defined], ["Fields", (p) => p.sort === "field" && !p.defined],
  ["Data and flags", (p) => (p.sort === "label" || p.sort === "mark") && !p.defined], ["Defined by others", (p) => p.defined],
];

function listPredicates() {
  const groups = GROUPS.map(([title, belongs]) => {
    const own = file.predicates.filter(belongs);
    if (!own.length) return null;
    const boxes = own.map((predicate) => {
      const box = element("input", { type: "checkbox", "data-predicate": predicate.name });
      box.checked = shown.has(predicate.name);
      box.onchange = () => { box.checked ? shown.add(predicate.name) : shown.delete(predicate.name); render(); };
      const hint = [predicate.definition, predicate.words && predicate.words[0]].filter(Boolean).join(": ");
      return element("label", { title: hint || null }, box, " ", predicate.name);
    });
    const all = (label, on) => {
      const button = element("button", { type: "button" }, label);
      button.onclick = () => { own.forEach((predicate) => (on ? shown.add(predicate.name) : shown.delete(predicate.name))); listPredicates(); render(); };
      return button;
    };
    return element("fieldset", {}, element("legend", {}, title, all("all", true), all("none", false)), ...boxes);
  });
  byId("predicates").replaceChildren(...groups.filter(Boolean));
}

// The right side.

function card(number, title, where, changed, kind) {
  const picture = data.pictures[number];
  const visible = picture.m.filter(([text]) => shown.has(name(text)));
  const marks = visible.map(([text, value]) => element("li", { class: [VALUES[value], changed && changed.mark(name(text)) ? "changed" : ""].join(" ").trim() || null },
    value === 2 ? name(text) : `${name(text)}=${["0", "1/2"][value]}`));
  const lines = pictureWords(picture, shown);
  const svg = picture.n.length || picture.b.length ? draw(picture, shown, first, changed, `${title}. ${describePicture(picture, shown)}`) : null;
  if (svg) ["width", "height"].forEach((side) => svg.setAttribute(side, Math.round(svg.getAttribute(side) * state.zoom)));
  const figure = element("figure", { class: "card " + (kind || ""), "data-picture": number }, element("figcaption", {}, title),
    marks.length ? element("ul", { class: "marks", "aria-label": "Flags" }, ...marks) : null,
    svg ? element("div", { class: "canvas" }, svg) : element("p", { class: "empty" }, "no objects"));
  const absent = file.absent ? file.predicates.filter((p) => p.sort === "pointer" && shown.has(p.name) && (p.scope === null || p.scope === where) && !picture.b.some(([text]) => name(text) === p.name)) : [];
  if (absent.length) figure.append(element("p", { class: "absent" }, `${file.absent}: ${absent.map((p) => p.name).join(", ")}`));
  if (lines.length) {
    const items = lines.map((line, index) => {
      const item = element("li", {}, line);
      const light = (on) => svg.querySelector(`[data-node="${index}"]`).classList.toggle("lit", on);
      item.onmouseenter = () => light(true);
      item.onmouseleave = () => light(false);
      return item;
    });
    figure.append(element("details", {}, element("summary", {}, "In words"), element("ul", {}, ...items)));
  }
  return figure;
}

function showPoint() {
  const point = file.points[state.point];
  const content = [];
  const where = point.place ? `Line ${point.place[1]}, before ` : "Location ";
  content.push(element("h2", {}, where, element("code", {}, point.label)));
  const count = point.pictures.length + point.left_out;
  const about = [point.function ? `in ${point.function}` : "", point.root ? `analysed from ${point.root}` : ""].filter(Boolean).join(", ");
  if (about) content.push(element("h3", {}, about));
  content.push(siblings());
  if (point.head) {
    content.push(element("p", { class: "invariant" }, count === 1
      ? "This is the invariant of the loop: whenever an iteration begins, the heap looks like this."
      : `This is the invariant of the loop: whenever an iteration begins, the heap looks like one of these ${count} shapes.`));
  } else {
    content.push(element("p", { class: "about" }, count === 0 ? "No run reaches this point." : `Whenever a run reaches this point, the heap looks like ${count === 1 ? "this" : `one of these ${count} shapes`}.`));
  }
  const groups = alike(point.pictures);
  const cards = groups.slice(0, state.limit).map((group, index) => {
    const same = group.length > 1 ? `, for ${group.length} that differ in predicates that are not shown` : "";
    return card(group[0], `shape ${index + 1} of ${groups.length}${same}`, point.function);
  });
  content.push(element("div", { class: "cards" }, ...cards));
  const rest = groups.length - state.limit;
  if (rest > 0) {
    const more = element("button", { type: "button", class: "more" }, `Show ${Math.min(rest, 48)} more of ${rest}`);
    more.onclick = () => { state.limit += 48; render(true); };
    content.push(element("p", {}, more));
  } else if (point.left_out) {
    content.push(element("p", { class: "about" }, `${counted(point.left_out, "more shape")} of this point would make the page too large; they are in the output of --format tvs or json.`));
  }
  return content;
}

/// Pictures in groups of those that look the same with the predicates that are shown.
function alike(pictures) {
  const groups = new Map();
  for (const number of pictures) {
    const { m, n, b, e } = data.pictures[number];
    const visible = (text) => shown.has(predicateOf(name(text)));
    const look = JSON.stringify([m.filter(([text]) => visible(text)), n.map(([nature, labels, own]) => [nature, labels.filter(visible), own]),
      b.filter(([text]) => visible(text)), e.filter(([, , text]) => visible(text))]);
    groups.set(look, [...(groups.get(look) || []), number]);
  }
  return [...groups.values()];
}

/// The other points of the same line.
function siblings() {
  const point = file.points[state.point];
  if (!point.place) return null;
  const same = file.points.map((other, index) => [other, index]).filter(([other]) => other.pictures.length && other.place && other.place.join() === point.place.join());
  if (same.length < 2) return null;
  const select = element("select", { "aria-label": "Points of this line" }, ...same.map(([other, index]) =>
    element("option", { value: index }, `${other.head ? "loop: " : ""}before ${other.label}${other.root ? ` (from ${other.root})` : ""}`)));
  select.value = String(state.point);
  select.onchange = () => openPoint(Number(select.value));
  return element("p", {}, select);
}

function showTrace() {
  const finding = file.findings[state.finding];
  const total = finding.steps.length;
  const content = [element("h2", {}, badge(finding.verdict), `${finding.kind}: ${finding.message}`), element("h3", {}, [finding.at, finding.function].filter(Boolean).join(", in "))];
  const move = (label, step, disabled) => {
    const button = element("button", { type: "button", disabled }, label);
    button.onclick = () => openStep(step);
    return button;
  };
  const last = state.step === total;
  const stepper = element("div", { class: "stepper" }, move("← Back", state.step - 1, state.step === 0), move("Next →", state.step + 1, last),
    element("span", { id: "step" }, last ? (total ? `After ${counted(total, "step")}` : "") : `Step ${state.step + 1} of ${total}`));
  const steps = finding.steps.map((step, index) => stepButton(`${step.place ? "line " + step.place[1] : step.function}`, step.statement, index));
  steps.push(stepButton(finding.place ? "line " + finding.place[1] : finding.at, `${finding.kind} here`, total));
  const list = element("ol", { class: "steps", "aria-label": "Steps" }, ...steps);
  content.push(element("div", { class: "columns" }, list, element("div", {}, stepper, ...(last ? lastStep(finding) : oneStep(finding)))));
  return content;
}

function stepButton(at, statement, index) {
  const button = element("button", { type: "button", class: "step", "data-step": index, "aria-current": state.step === index ? "true" : null }, element("span", { class: "at" }, at), element("code", {}, statement));
  button.onclick = () => openStep(index);
  return element("li", {}, button);
}

function oneStep(finding) {
  const step = finding.steps[state.step], before = state.step > 0 ? finding.steps[state.step - 1].picture : null;
  if (step.picture === null) return [element("p", { class: "about" }, "The heap after this step was not kept.")];
  if (before === null) return [element("div", { class: "pair" }, card(step.picture, "after", step.function))];
  const changes = changesBetween(data.pictures[before], data.pictures[step.picture], shown);
  const text = changes.text.length ? changes.text : ["nothing that is shown changes"];
  return [element("div", { class: "pair" }, card(before, "before", step.function, changes.gone), card(step.picture, "after", step.function, changes.come)),
    element("h3", {}, "Changes"), element("ul", { class: "what", "aria-live": "polite" }, ...text.map((line) => element("li", {}, line)))];
}

function lastStep(finding) {
  const cards = [];
  if (finding.start !== null) cards.push(card(finding.start, "a heap with which it happens, at the start", finding.function, null, "concrete"));
  if (finding.concrete !== null) cards.push(card(finding.concrete, "the heap just before, in a run", finding.function, null, "concrete"));
  if (finding.before !== null) cards.push(card(finding.before, finding.concrete !== null ? "just before, as the analysis sees it" : "the heap just before", finding.function));
  const content = [element("div", { class: "pair" }, ...cards)];
  if (finding.beyond) content.unshift(element("p", { class: "about" }, `${finding.beyond[0].toUpperCase()}${finding.beyond.slice(1)}.`));
  if (finding.run) content.unshift(element("p", { class: "invariant" }, finding.run));
  return content;
}

function render(keepScroll) {
  byId("back").hidden = state.finding === null || state.point === null;
  byId("zoom").textContent = `${Math.round(state.zoom * 100)}%`;
  const content = state.finding !== null ? showTrace() : state.point !== null ? showPoint() : [element("p", { class: "about" }, "Nothing was analysed.")];
  byId("content").replaceChildren(...content.filter(Boolean));
  if (!keepScroll) byId("content").scrollTop = 0;
  const chosen = byId("content").querySelector(".step[aria-current]");
  if (chosen) chosen.scrollIntoView({ block: "nearest" });
  document.querySelectorAll(".finding").forEach((button, index) => (index === state.finding ? button.setAttribute("aria-current", "true") : button.removeAttribute("aria-current")));
  markProgram();
  const at = state.finding !== null ? `/finding/${state.finding}/${state.step}` : state.point !== null ? `/point/${state.point}` : "";
  history.replaceState(null, "", `#file/${state.file}${at}`);
  byId("status").textContent = state.finding !== null ? `step ${state.step + 1}` : state.point !== null ? counted(file.points[state.point].pictures.length, "shape") : "";
}

/// Marks the current place on the left.
function markProgram() {
  const program = byId("program");
  program.querySelectorAll(".current").forEach((one) => one.classList.remove("current"));
  const at = state.finding !== null ? placeOf(file.findings[state.finding], state.step) : file.points[state.point];
  if (!at) return;
  const point = state.finding !== null ? at.point : state.point;
  const here = at.place ? program.querySelector(`[data-line="${at.place.join(":")}"]`) : program.querySelector(`a[data-point="${point}"]`);
  if (!here) return;
  here.classList.add("current");
  here.scrollIntoView({ block: "nearest", inline: "nearest" });
}

// Search, keyboard, colours.

function search(text) {
  const results = byId("results");
  const wanted = text.trim().toLowerCase();
  results.hidden = wanted === "";
  if (!wanted) return;
  const found = [];
  const add = (at, line, open) => {
    const start = line.toLowerCase().indexOf(wanted);
    if (start < 0 && !at.toLowerCase().includes(wanted)) return;
    const parts = start < 0 ? [line] : [line.slice(0, start), element("mark", {}, line.slice(start, start + wanted.length)), line.slice(start + wanted.length)];
    const button = element("button", { type: "button" }, element("span", { class: "at" }, at), ...parts);
    button.onclick = () => { closeSearch(); open(); };
    found.push(button);
  };
  file.findings.forEach((finding, number) => add("finding, " + finding.at, `${finding.kind}: ${finding.message}`, () => openFinding(number)));
  file.points.forEach((point, number) => {
    if (point.pictures.length) add(point.place ? `line ${point.place[1]}` : "location", point.label, () => openPoint(number));
  });
  file.predicates.forEach((predicate) => add("predicate", [predicate.name, predicate.definition].filter(Boolean).join(" = "), () => {
    shown.add(predicate.name);
    listPredicates();
    render();
  }));
  const shownNow = found.slice(0, 60);
  results.replaceChildren(...(shownNow.length ? shownNow : [element("p", { class: "about" }, "Nothing is called that.")]));
}

function closeSearch() {
  byId("search").value = "";
  search("");
  byId("search").blur();
}

function nextPoint(direction) {
  const count = file.points.length;
  for (let i = 1, at = state.point ?? -1; i <= count; i++) {
    at = (at + direction + count) % count;
    if (file.points[at].pictures.length) return openPoint(at);
  }
}

function nextFinding(direction) {
  const count = file.findings.length;
  if (count) openFinding(((state.finding ?? (direction > 0 ? -1 : count)) + direction + count) % count);
}

function zoom(factor) {
  state.zoom = factor === 0 ? 1 : Math.max(0.3, Math.min(4, state.zoom * factor));
  render(true);
}

function switchTheme() {
  const dark = getComputedStyle(document.documentElement).colorScheme === "dark";
  document.documentElement.dataset.theme = dark ? "light" : "dark";
}

function leave() {
  if (byId("chooser").open) byId("chooser").open = false;
  else if (!byId("results").hidden || document.activeElement === byId("search")) closeSearch();
  else if (state.finding !== null && state.point !== null) { state.finding = null; render(); }
}

const KEYS = {
  j: () => nextPoint(1), k: () => nextPoint(-1), f: () => nextFinding(1), F: () => nextFinding(-1),
  ArrowRight: () => state.finding !== null && openStep(state.step + 1), ArrowLeft: () => state.finding !== null && openStep(state.step - 1),
  "/": () => byId("search").focus(), p: () => (byId("chooser").open = !byId("chooser").open), "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: () => zoom(0),
  t: switchTheme, "?": () => byId("guide").showModal(), Escape: leave,
};

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input[type=search], select");
  if (event.ctrlKey || event.metaKey || event.altKey || byId("guide").open || (typing && event.key !== "Escape")) return;
  const action = KEYS[event.key];
  if (action) { event.preventDefault(); action(); }
});
byId("search").oninput = () => search(byId("search").value);
byId("search").onkeydown = (event) => {
  const first = byId("results").querySelector("button");
  if (event.key === "Enter" && first) first.click();
  if (event.key === "ArrowDown" && first) { event.preventDefault(); first.focus(); }
};
byId("theme").onclick = switchTheme;
byId("help").onclick = () => byId("guide").showModal();
byId("zoom-in").onclick = () => zoom(1.25);
byId("zoom-out").onclick = () => zoom(0.8);
byId("back").onclick = () => { state.finding = null; render(); };
byId("files").onchange = () => openFile(Number(byId("files").value));
document.addEventListener("click", (event) => {
  // The path of the event, not its target, because a click may have removed the target from the page.
  const inside = (id) => event.composedPath().includes(byId(id));
  if (!inside("chooser")) byId("chooser").open = false;
  if (!inside("results") && !inside("search")) byId("results").hidden = true;
});

data.files.forEach((one, number) => byId("files").append(element("option", { value: number }, `${one.name} (${VERDICTS[one.verdict] || one.verdict})`)));
byId("file-chooser").hidden = data.files.length < 2;

/// Opens the finding or the point that the address names, so that readers can keep links to it.
function openAddress() {
  const [, number, kind, index, step] = location.hash.match(/^#file\/(\d+)(?:\/(point|finding)\/(\d+)(?:\/(\d+))?)?$/) || [];
  openFile(data.files[number] ? Number(number) : 0);
  if (kind === "point" && file.points[index]) openPoint(Number(index));
  if (kind === "finding" && file.findings[index]) { openFinding(Number(index)); if (step) openStep(Number(step)); }
}
if (data.files.length) openAddress();
window.addEventListener("hashchange", openAddress);

// The changes that a step makes. The nodes of two pictures have no common names, so nodes that have most in common are
// taken for the same.
//
// Example: before, `x` points to object 1, and after, to object 2; the change is "x now points to object 2".

function signature(picture, index) {
  const pointers = picture.b.filter(([, targets]) => targets.some(([to]) => to === index)).map(([number]) => "*" + name(number));
  return new Set(pointers.concat(picture.n[index][1].map(name), picture.n[index][0] & 1 ? ["+"] : []));
}

/// For each node of `after` the node of `before` that it was, or none.
function matched(before, after) {
  const [old, now] = [before, after].map((picture) => picture.n.map((_, index) => signature(picture, index)));
  const pairs = [];
  now.forEach((a, i) => old.forEach((b, j) => {
    const common = [...a].filter((part) => b.has(part)).length;
    pairs.push([common * 2 - (a.size + b.size - 2 * common) - Math.abs(i - j) / 100, i, j]);
  }));
  pairs.sort((p, q) => q[0] - p[0]);
  const of = new Map(), taken = new Set();
  for (const [, i, j] of pairs) if (!of.has(i) && !taken.has(j)) { of.set(i, j); taken.add(j); }
  return of;
}

/// The facts of a picture, by their subject; nodes are named by `of`.
function facts(picture, of) {
  const all = new Map();
  const node = (index) => (of.has(index) ? of.get(index) : "new" + index);
  picture.n.forEach(([nature, labels], index) => {
    all.set(`node ${node(index)}`, { what: "node", index, value: String(nature) });
    labels.forEach((label) => all.set(`label ${node(index)} ${predicateOf(name(label))}`, { what: "label", index, label: name(label), value: name(label) }));
  });
  picture.b.forEach(([number, targets], box) => targets.forEach(([to, value]) =>
    all.set(`pointer ${name(number)} ${node(to)}`, { what: "pointer", box, to, value: String(value), text: name(number) })));
  picture.e.forEach(([from, to, label, value]) =>
    all.set(`edge ${name(label)} ${node(from)} ${node(to)}`, { what: "edge", from, to, value: String(value), text: name(label) }));
  picture.m.forEach(([number, value]) => all.set(`mark ${name(number)}`, { what: "mark", value: String(value), text: name(number) }));
  return all;
}

/// The marks of a picture: the facts that the other picture does not have.
function marking(own, other) {
  const changed = [...own].filter(([key, fact]) => !other.has(key) || other.get(key).value !== fact.value).map(([, fact]) => fact);
  const has = (what, test) => changed.some((fact) => fact.what === what && test(fact));
  return {
    list: changed,
    node: (index) => has("node", (fact) => fact.index === index),
    label: (index, label) => has("label", (fact) => fact.index === index && fact.label === label),
    pointer: (box, to) => has("pointer", (fact) => fact.box === box && fact.to === to),
    box: (box) => has("pointer", (fact) => fact.box === box),
    edge: (from, to, text) => has("edge", (fact) => fact.from === from && fact.to === to && fact.text === text),
    mark: (text) => has("mark", (fact) => fact.text === text),
  };
}

/// The changes from one picture to another: the marks of each of them, and the same in words.
function changesBetween(before, after, shown) {
  const same = new Map(before.n.map((_, index) => [index, index]));
  const [old, now] = [facts(before, same), facts(after, matched(before, after))];
  const [gone, come] = [marking(old, now), marking(now, old)];
  return { gone, come, text: changeWords(gone, come, shown) };
}

function changeWords(gone, come, shown) {
  const lines = [];
  const points = (marks) => {
    const by = new Map();
    marks.list.filter((fact) => fact.what === "pointer" && shown.has(fact.text)).forEach((fact) => by.set(fact.text, [...(by.get(fact.text) || []), fact]));
    return by;
  };
  const [was, is] = [points(gone), points(come)];
  const targets = (list) => list.map((fact) => `${fact.value === "1" ? "perhaps " : ""}object ${fact.to + 1}`).join(" and ");
  for (const [variable, list] of is) lines.push(`${variable} now points to ${targets(list)}`);
  for (const [variable] of was) if (!is.has(variable)) lines.push(`${variable} points to no object any more`);
  const edges = (marks, verb) => marks.list.filter((fact) => fact.what === "edge" && shown.has(fact.text)).slice(0, 6).forEach((fact) =>
    lines.push(`${fact.text} of object ${fact.from + 1} ${verb} ${fact.value === "1" ? "perhaps " : ""}object ${fact.to + 1}`));
  edges(come, "now leads to");
  if (!come.list.some((fact) => fact.what === "edge")) edges(gone, "led to");
  const created = come.list.filter((fact) => fact.what === "node").length, lost = gone.list.filter((fact) => fact.what === "node").length;
  if (created > lost) lines.push(`${created - lost === 1 ? "an object is" : created - lost + " objects are"} new, or told apart from others`);
  if (lost > created) lines.push(`${lost - created === 1 ? "an object is" : lost - created + " objects are"} gone, or no longer told apart from others`);
  come.list.filter((fact) => fact.what === "mark" && shown.has(fact.text)).forEach((fact) => lines.push(`${fact.text} is now ${["0", "1/2", "1"][fact.value]}`));
  return lines;
}

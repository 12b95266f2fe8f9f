// Pictures in words.
//
// Example: the summary node of a list that begins at `x` becomes "one or more objects, reachable from x, not shared".

let words = new Map();

/// The objects that a node stands for, such as "one or more objects, reachable from x, not shared".
function nodeWords(picture, index) {
  const [nature, labels] = picture.n[index];
  const parts = [["one object", "one or more objects", "an object that may be absent", "any number of objects, perhaps none"][nature]];
  const pointers = picture.b.flatMap(([number, targets]) => targets.filter(([to]) => to === index).map(([, value]) => (value === 2 ? name(number) : "perhaps " + name(number))));
  if (pointers.length) parts.push("where " + pointers.join(" and ") + (pointers.length > 1 ? " point" : " points"));
  const said = new Map(labels.map((label) => [predicateOf(name(label)), name(label)]));
  for (const [predicate, text] of said) {
    const known = words.get(predicate);
    const phrase = known ? known[0] : predicate;
    if (text.endsWith("=1/2")) parts.push("perhaps " + phrase);
    else if (text.endsWith("=0")) parts.push((known && known[1]) || "not " + phrase);
    else parts.push(phrase);
  }
  // A property that does not hold is mentioned only if the predicate has words for it, because most absences say little.
  for (const [predicate, [, denial]] of words) if (denial && !said.has(predicate)) parts.push(denial);
  return parts.join(", ");
}

/// Where a node's fields lead.
function linkWords(picture, index, shown) {
  return picture.e.filter(([from, , label]) => from === index && shown.has(name(label))).map(([from, to, label, value]) => {
    const target = from === to ? "itself" : `object ${to + 1}`;
    return value === 0 ? `${name(label)} does not lead to ${target}` : `${name(label)} ${value === 2 ? "leads" : "may lead"} to ${target}`;
  });
}

/// The whole picture, a line for each node.
function pictureWords(picture, shown) {
  return picture.n.map((_, index) => {
    const links = linkWords(picture, index, shown);
    return `${index + 1}: ${nodeWords(picture, index)}${links.length ? "; " + links.join(", ") : ""}`;
  });
}

function describePicture(picture, shown) {
  const marks = picture.m.filter(([number]) => shown.has(name(number))).map(([number, value]) => `${name(number)} is ${["0", "1/2", "1"][value]}`);
  const lines = marks.concat(pictureWords(picture, shown));
  return lines.length ? lines.join(". ") + "." : "No objects.";
}

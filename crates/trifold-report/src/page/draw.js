// Pictures as SVG. The layout was computed when the page was written, as for SVG drawings; here it is only drawn, with
// the predicates that are chosen.
//
// A picture has marks m [name, value], nodes n [nature, labels, name], boxes b [name, [target, value]...], edges e
// [from, to, name, value], a layout l and perhaps a layout w with room for all labels. A layout has a size s, rectangles
// n and b [x, y, width, height] around their centres, and arrows a [flags, from, to, names, centre of the label, points].
// Values are 0, 1 for 1/2, and 2 for 1.

const data = JSON.parse(document.getElementById("data").textContent);
const name = (number) => data.names[number];
const predicateOf = (label) => label.replace(/=(1\/2|0)$/, "");
const COLUMN = 7.4, LINE = 15, HEAD = [9, 3.6];
const VALUES = ["false", "unknown", ""];

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

function shape(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const titled = (text) => shape("title", {}, text);
const columns = (text) => [...text].length;

/// Words in lines of at most so many columns.
function packed(words, limit) {
  const lines = [];
  let width = Infinity;
  for (const word of words) {
    if (width + 2 + columns(word) > limit) { lines.push([]); width = -2; }
    lines[lines.length - 1].push(word);
    width += 2 + columns(word);
  }
  return lines;
}

function textLines(lines, x, y, classOf, gap) {
  return lines.map((line, index) => {
    const at = { x, y: y + (index - (lines.length - 1) / 2) * LINE + 4.2 };
    const text = shape("text", at);
    line.forEach((word, number) => {
      if (number > 0) text.append(gap || "\u00a0\u00a0");
      text.append(shape("tspan", { class: classOf(word) }, word));
    });
    return text;
  });
}

/// The points of a curve as pairs, and its heads: it is shortened by their length.
function arrowPaths(flat, both) {
  const points = [];
  for (let i = 0; i < flat.length; i += 2) points.push([flat[i], flat[i + 1]]);
  const heads = [cutEnd(points)];
  if (both) { points.reverse(); heads.push(cutEnd(points)); points.reverse(); }
  const rest = points.slice(1).map((point) => point.join(",")).join(" ");
  return { line: `M${points[0].join(",")}${points.length === 2 ? "L" : "C"}${rest}`, heads };
}

function cutEnd(points) {
  const last = points.length - 1, tip = points[last];
  const from = points.slice(0, last).reverse().find((p) => Math.hypot(tip[0] - p[0], tip[1] - p[1]) > 0.1) || [tip[0] - 1, tip[1]];
  const length = Math.hypot(tip[0] - from[0], tip[1] - from[1]);
  const [dx, dy] = [(tip[0] - from[0]) / length, (tip[1] - from[1]) / length];
  const back = [tip[0] - dx * HEAD[0], tip[1] - dy * HEAD[0]];
  points[last] = [tip[0] - dx * (HEAD[0] - 1.5), tip[1] - dy * (HEAD[0] - 1.5)];
  const side = (s) => `${(back[0] - s * dy * HEAD[1]).toFixed(1)},${(back[1] + s * dx * HEAD[1]).toFixed(1)}`;
  return `M${tip.join(",")}L${side(1)} ${side(-1)}Z`;
}

function drawArrow(group, kind, flat, both, names, center, hint) {
  const { line, heads } = arrowPaths(flat, both);
  const g = shape("g", { class: kind }, titled(hint), shape("path", { class: "line", d: line }));
  heads.forEach((d) => g.append(shape("path", { class: "head", d })));
  if (center && names.length) {
    const lines = packed(names.map((text, i) => (i + 1 < names.length ? text + "," : text)), 24);
    g.append(...textLines(lines, center[0], center[1], () => "label", " "));
  }
  group.append(g);
}

/// Where a ray from the centre of a rectangle leaves it.
function rim([x, y, width, height], [tx, ty]) {
  const dx = tx - x, dy = ty - y;
  const scale = 1 / Math.max(Math.abs(dx) / (width / 2), Math.abs(dy) / (height / 2), 1e-6);
  return [x + dx * scale, y + dy * scale];
}

/// The curve of an edge that the layout does not know, and the middle of it.
function across(from, to, number) {
  const bend = 26 + 14 * number;
  if (from === to) {
    const [x, y, width, height] = from, right = x + width / 2, top = y - height / 2;
    return { flat: [right - 14, top, right - 8, top - bend, right + bend, top - 8, right, top + 12], middle: [right + bend / 2, top - bend / 2] };
  }
  const mx = (from[0] + to[0]) / 2, my = (from[1] + to[1]) / 2;
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const via = [mx - ((to[1] - from[1]) / length) * bend, my + ((to[0] - from[0]) / length) * bend];
  const [a, b] = [rim(from, via), rim(to, via)];
  return { flat: [...a, ...via, ...via, ...b].map(Math.round), middle: [(mx + via[0]) / 2, (my + via[1]) / 2] };
}

/// Draws a picture. `shown` are the predicates to draw, `first` those for which the narrow layout has room, `changed` the
/// facts to mark.
function draw(picture, shown, first, changed, description) {
  const isNew = (label) => shown.has(predicateOf(name(label))) && !first.has(predicateOf(name(label)));
  const layout = picture.w && picture.n.some((node) => node[1].some(isNew)) ? picture.w : picture.l;
  const body = shape("g");
  let [left, top, right, bottom] = [0, 0, ...layout.s];
  for (const [flags, from, to, names, center, flat] of layout.a) {
    const pointer = flags & 8, value = flags & 3;
    const texts = pointer ? [name(picture.b[from][0])] : names.map(name).filter((text) => shown.has(text));
    if (pointer ? !shown.has(texts[0]) : names.length > 0 && texts.length === 0) continue;
    const mark = changed && (pointer ? changed.pointer(from, to) : texts.some((text) => changed.edge(from, to, text))) ? " changed" : "";
    const verb = pointer ? (value === 2 ? "points to" : "may point to") : value === 2 ? "leads to" : "may lead to";
    const hint = pointer ? `${texts[0]} ${verb} ${to + 1}` : `${texts.join(", ")} of ${from + 1} ${verb} ${to + 1}`;
    const kind = `edge ${VALUES[value]}${pointer ? " from-box" : ""}${mark}`;
    drawArrow(body, kind, flat, flags & 4, pointer ? [] : texts, center, hint);
  }
  picture.b.forEach(([number, targets], index) => {
    if (!shown.has(name(number)) || !layout.b[index][2]) return;
    const [x, y, width, height] = layout.b[index];
    const mark = changed && changed.box(index) ? " changed" : "";
    const rect = shape("rect", { class: "shape", x: x - width / 2, y: y - height / 2, width, height, rx: 3 });
    body.append(shape("g", { class: "pointer" + mark }, rect, ...textLines([[name(number)]], x, y, () => "name")));
  });
  picture.n.forEach((node, index) => body.append(drawNode(picture, node, index, layout.n[index], shown, changed)));
  const extra = picture.e.filter(([, , label]) => shown.has(name(label)) && !first.has(name(label)));
  const beside = new Map();
  for (const [from, to, label, value] of extra) {
    const number = beside.get(from + " " + to) || 0;
    beside.set(from + " " + to, number + 1);
    const { flat, middle } = across(layout.n[from], layout.n[to], number);
    const mark = changed && changed.edge(from, to, name(label)) ? " changed" : "";
    drawArrow(body, `edge extra ${VALUES[value]}${mark}`, flat, false, [name(label)], middle, `${name(label)} of ${from + 1} and ${to + 1}`);
    const half = (columns(name(label)) * COLUMN) / 2;
    left = Math.min(left, ...flat.filter((_, i) => i % 2 === 0), middle[0] - half);
    right = Math.max(right, ...flat.filter((_, i) => i % 2 === 0), middle[0] + half);
    top = Math.min(top, ...flat.filter((_, i) => i % 2 === 1), middle[1] - 10);
    bottom = Math.max(bottom, ...flat.filter((_, i) => i % 2 === 1), middle[1] + 10);
  }
  const edge = 10, box = [left - edge, top - edge, right - left + 2 * edge, bottom - top + 2 * edge].map(Math.round);
  return shape("svg", { class: "tf", width: box[2], height: box[3], viewBox: box.join(" "), role: "img", "aria-label": description }, body);
}

function drawNode(picture, [nature, labels], index, [x, y, width, height], shown, changed) {
  const corner = Math.min(height > 72 ? 18 : 22, width / 2, height / 2);
  const mark = changed && changed.node(index) ? " changed" : "";
  const g = shape("g", { class: (nature & 2 ? "node maybe" : "node") + mark, "data-node": index }, titled(nodeWords(picture, index)));
  const rect = (inset, kind) =>
    shape("rect", { class: kind, x: x - width / 2 + inset, y: y - height / 2 + inset, width: width - 2 * inset, height: height - 2 * inset, rx: corner - inset });
  g.append(rect(0, "shape"));
  if (nature & 1) g.append(rect(4, "shape inner"));
  const texts = labels.map(name).filter((label) => shown.has(predicateOf(label)));
  const room = Math.floor((width - 20 - (nature & 1 ? 8 : 0)) / COLUMN);
  const classOf = (label) => (changed && changed.label(index, label) ? "changed" : label.endsWith("=1/2") ? "half" : label.endsWith("=0") ? "zero" : "one");
  if (texts.length) {
    g.append(...textLines(packed(texts, Math.max(room, ...texts.map(columns))), x, y, classOf));
    g.append(shape("text", { class: "number", x: x - width / 2 - 1, y: y + height / 2 + 3 }, String(index + 1)));
  } else {
    g.append(shape("text", { class: "number", x, y: y + 3.2 }, String(index + 1)));
  }
  return g;
}

// Names on dots by point, tap or arrow keys; *Explore*: the chart in Plotly, in the colours of the page's theme; and the
// drawing as a file. The first two read the chart's description, which comes once somebody asks: it is large, and so is
// Plotly. Without this script the drawing stands that is part of the page, and the table has every name.
const colours = { measured: "--bar", projected: "--bar", other: "--warm", muted: "--muted", ink: "--ink" };

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function painted(trace) {
  const words = (trace.meta ?? "measured").split(" ");
  const style = words.find((word) => word in colours) ?? "measured";
  const value = colour(words.includes("is-highlighted") ? "--accent" : colours[style]);
  const copy = structuredClone(trace);
  if (copy.type === "bar" || copy.mode?.includes("markers")) copy.marker = { ...copy.marker, color: value };
  if (copy.mode?.includes("lines")) copy.line = { ...copy.line, color: value };
  if (copy.fill) copy.fillcolor = faint(value);
  return copy;
}

// Plotly knows no color-mix.
function faint(value) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.fillStyle = value;
  pen.fillRect(0, 0, 1, 1);
  const [red, green, blue] = pen.getImageData(0, 0, 1, 1).data;
  return `rgba(${red},${green},${blue},0.25)`;
}

const files = new Map();

// The description of the chart that this button explores: in the page, or in a file beside it.
async function described(button) {
  const { explore: name, source, digest } = button.dataset;
  if (!source) return JSON.parse(document.getElementById(`${name}-data`).textContent);
  if (!files.has(source)) files.set(source, fetch(source, { cache: "no-cache" }).then((answer) => answer.json()));
  try {
    const found = (await files.get(source))[name];
    if (found.digest === digest) return found.figure;
  } catch (error) {
    files.delete(source);
    throw error;
  }
  throw new Error("the board has changed since; load the page again", { cause: "changed" });
}

function draw(element, figure) {
  const axis = { color: colour("--muted"), gridcolor: colour("--line") };
  const layout = {
    ...figure.layout,
    showlegend: element.clientWidth > 640,
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: colour("--ink"), family: getComputedStyle(document.body).fontFamily, size: 13 },
    // On a touch screen a finger on the figure scrolls the page.
    dragmode: window.matchMedia("(pointer: coarse)").matches ? false : "zoom",
    xaxis: { ...figure.layout.xaxis, ...axis },
    yaxis: { ...figure.layout.yaxis, ...axis },
  };
  for (const drawing of element.querySelectorAll(":scope > .chart")) drawing.remove();
  window.Plotly.react(element, figure.data.map(painted), layout, {
    responsive: true,
    displaylogo: false,
    modeBarButtonsToRemove: ["sendDataToCloud", "editInChartStudio", "lasso2d", "select2d"],
  });
}

function added(element) {
  return new Promise((resolve, reject) => {
    element.addEventListener("load", resolve);
    element.addEventListener("error", reject);
    document.head.append(element);
  });
}

// Plotly looks for its rules by this id, and would write them into the page where they are missing.
async function load(button) {
  if (!document.getElementById("plotly.js-style-global")) {
    const rules = Object.assign(document.createElement("link"), { rel: "stylesheet", href: button.dataset.rules });
    rules.id = "plotly.js-style-global";
    rules.className = "no-inline-styles";
    await added(rules);
  }
  if (!window.Plotly) await added(Object.assign(document.createElement("script"), { src: button.dataset.plotly }));
}

async function explore(button) {
  const element = document.getElementById(button.dataset.explore);
  button.disabled = true;
  let figure;
  try {
    [figure] = await Promise.all([described(button), load(button)]);
  } catch (error) {
    button.textContent = `Explore (${error.cause === "changed" ? error.message : "it did not come; try again"})`;
    button.disabled = false;
    return;
  }
  draw(element, figure);
  button.parentElement.hidden = true;
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => draw(element, figure));
}

// What style sheets say of a drawing, which a file has to say itself.
const looks = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-opacity",
  "opacity", "vector-effect", "paint-order", "font-family", "font-size", "font-weight"];

function drawingOf(button) {
  const frame = document.getElementById(button.dataset.explore);
  const drawing = [...frame.children].find((one) => one.checkVisibility()), copy = drawing.cloneNode(true);
  const parts = [drawing, ...drawing.querySelectorAll("*")], { width, height } = drawing.getBoundingClientRect();
  [copy, ...copy.querySelectorAll("*")].forEach((part, at) => {
    for (const one of looks) part.setAttribute(one, getComputedStyle(parts[at]).getPropertyValue(one));
  });
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [one, value] of Object.entries({ width: "100%", height: "100%", fill: colour("--paper") })) paper.setAttribute(one, value);
  copy.prepend(paper);
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  return { width, height, file: new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }) };
}

async function asPng({ width, height, file }) {
  const image = Object.assign(new Image(), { src: URL.createObjectURL(file) });
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 2 * width, height: 2 * height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve));
}

function offerFiles(button) {
  const name = `${location.pathname.split("/").filter(Boolean).join("-")}-${button.dataset.explore}`;
  for (const kind of ["png", "svg"]) {
    const save = Object.assign(document.createElement("button"), { type: "button", textContent: kind.toUpperCase() });
    save.className = "button-quiet";
    save.addEventListener("click", async () => {
      const drawn = drawingOf(button), file = kind === "svg" ? drawn.file : await asPng(drawn);
      Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: `${name}.${kind}` }).click();
    });
    button.after(" ", save);
  }
}

for (const button of document.querySelectorAll("[data-explore]")) {
  button.hidden = false;
  button.addEventListener("click", () => explore(button));
  // The first figure of a leaderboard or a model has files of its own.
  if (!(["plumb-line", "boards"].includes(button.dataset.explore) && document.querySelector("main a[href*='/figure.png']"))) offerFiles(button);
}

function dotsOf(svg, traces) {
  const found = [];
  const named = traces.filter((trace) => trace.text);
  for (const path of svg.querySelectorAll("path[data-trace]")) {
    const [trace, first, radius] = path.dataset.trace.split(" ").map(Number);
    const places = [...path.getAttribute("d").matchAll(/M(-?[\d.]+) (-?[\d.]+)/g)];
    places.forEach(([, x, y], at) => found.push({ x: Number(x) + radius, y: Number(y), text: named[trace].text[first + at] }));
  }
  return found.sort((one, other) => one.x - other.x || other.y - one.y);
}

function name(figure, button) {
  const tip = Object.assign(document.createElement("p"), { className: "dot-tip", hidden: true });
  tip.setAttribute("role", "status");
  figure.append(tip);
  for (const svg of figure.querySelectorAll("svg.chart:has(path[data-trace])")) {
    const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    ring.setAttribute("class", "dot-ring");
    ring.setAttribute("r", "5");
    let dots, at, isInside, hasFailed;
    const scale = () => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    const show = (dot) => {
      at = dots.indexOf(dot);
      ring.setAttribute("cx", dot.x);
      ring.setAttribute("cy", dot.y);
      svg.append(ring);
      const [who, ...rest] = dot.text.replaceAll("&lt;", "<").split("<br>");
      tip.replaceChildren(Object.assign(document.createElement("b"), { textContent: who }), rest.join(" "));
      tip.hidden = false;
      const drawing = svg.getBoundingClientRect(), frame = figure.getBoundingClientRect(), half = tip.offsetWidth / 2;
      const x = drawing.x - frame.x + dot.x * scale();
      tip.style.left = `${Math.max(half, Math.min(frame.width - half, x))}px`;
      tip.style.top = `${drawing.y - frame.y + (dot.y - 9) * scale()}px`;
    };
    const hide = () => {
      isInside = false;
      tip.hidden = true;
      ring.remove();
    };
    const point = (event) => {
      const box = svg.getBoundingClientRect();
      const x = (event.clientX - box.x) / scale(), y = (event.clientY - box.y) / scale();
      const far = (dot) => Math.hypot(dot.x - x, dot.y - y);
      const nearest = dots.reduce((one, other) => (far(other) < far(one) ? other : one));
      if (far(nearest) * scale() < 16) show(nearest);
      else hide();
    };
    // Does what was asked once names are there, if the reader is there still.
    const then = (act) => async (event) => {
      isInside = true;
      if (hasFailed) return;
      try {
        dots ??= dotsOf(svg, (await described(button)).data);
      } catch {
        hasFailed = true;
        tip.textContent = "The names did not come. Load the page again.";
        tip.hidden = false;
        return;
      }
      at ??= dots.length - 1;
      if (isInside) act(event);
    };
    svg.addEventListener("pointermove", then(point));
    svg.addEventListener("pointerdown", then(point));
    svg.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && hide());
    svg.tabIndex = 0;
    svg.addEventListener("focus", then(() => svg.matches(":focus-visible") && show(dots[at])));
    svg.addEventListener("blur", hide);
    const step = then((event) => {
      const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -dots.length, End: dots.length };
      show(dots[Math.max(0, Math.min(dots.length - 1, at + steps[event.key]))]);
    });
    svg.addEventListener("keydown", (event) => {
      if (!["ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp", "Home", "End"].includes(event.key)) return;
      event.preventDefault();
      step(event);
    });
  }
}

for (const figure of document.querySelectorAll("figure[data-dots]")) {
  const button = figure.querySelector("[data-explore]");
  if (button) name(figure, button);
}

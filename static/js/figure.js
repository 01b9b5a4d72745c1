// Draws a chart so that it can be asked, zoomed and saved, in the colours of the page's theme, once somebody wants to
// explore it: Plotly is large. Until then, and without this script, the drawing stands that is part of the page.
const colours = { measured: "--bar", projected: "--bar", other: "--warm", muted: "--muted", ink: "--ink", pale: "--line" };

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function painted(trace) {
  const looks = (trace.meta ?? "measured").split(" ");
  const style = looks.find((word) => word in colours) ?? "measured";
  const value = colour(looks.includes("is-highlighted") ? "--accent" : colours[style]);
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

function draw(element) {
  const figure = JSON.parse(document.getElementById(`${element.id}-data`).textContent);
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
  try {
    await load(button);
  } catch {
    button.textContent = "Explore (it did not come; try again)";
    button.disabled = false;
    return;
  }
  draw(element);
  button.hidden = true;
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => draw(element));
}

for (const button of document.querySelectorAll("[data-explore]")) {
  button.hidden = false;
  button.addEventListener("click", () => explore(button));
}

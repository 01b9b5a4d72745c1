// Draws a figure so that it can be asked, zoomed and saved, in the colours of the page's theme, once somebody wants to
// explore it: Plotly is large. Until then, and without this script, the drawing stands that is part of the page.
const roles = {
  results: { marker: { color: "--bar" } },
  maximum: { line: { color: "--warm" }, fillcolor: "--warm-veil" },
  interval: { line: { color: "--accent" } },
  adjusted: { line: { color: "--accent" } },
  best: { line: { color: "--ink" } },
};

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function painted(trace) {
  const copy = structuredClone(trace);
  for (const [part, value] of Object.entries(roles[trace.meta] ?? {})) {
    copy[part] = typeof value === "string" ? colour(value) : { ...copy[part], color: colour(value.color) };
  }
  return copy;
}

function draw(element) {
  const figure = JSON.parse(document.getElementById(element.dataset.figure).textContent);
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
  element.querySelector(".drawing")?.remove();
  window.Plotly.react(element, figure.data.map(painted), layout, {
    responsive: true,
    displaylogo: false,
    modeBarButtonsToRemove: ["sendDataToCloud", "editInChartStudio", "lasso2d", "select2d"],
  });
}

function load(address) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.addEventListener("load", resolve);
    script.addEventListener("error", reject);
    script.src = address;
    document.head.append(script);
  });
}

async function explore(button) {
  const element = document.getElementById(button.dataset.explore);
  button.disabled = true;
  try {
    await load(button.dataset.plotly);
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

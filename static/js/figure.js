// Draws the figures of a page so that they can be asked and saved, in the colours of its theme. Without this script, or
// until Plotly has come, the drawing stands that is part of the page.
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
  window.Plotly.react(element, figure.data.map(painted), layout, { responsive: true, displaylogo: false });
}

function drawAll() {
  document.querySelectorAll("[data-figure]").forEach(draw);
}

if (window.Plotly) {
  drawAll();
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
}

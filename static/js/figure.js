// Draws the figures of a page in the colours of its theme. Without this script their numbers stand in a table.
const roles = {
  results: { marker: { color: "--bar" } },
  maximum: { line: { color: "--warm" }, fillcolor: "--warm-soft" },
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
    xaxis: { ...figure.layout.xaxis, ...axis },
    yaxis: { ...figure.layout.yaxis, ...axis },
  };
  window.Plotly.react(element, figure.data.map(painted), layout, { responsive: true, displaylogo: false });
}

function drawAll() {
  document.querySelectorAll("[data-figure]").forEach(draw);
}

drawAll();
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);

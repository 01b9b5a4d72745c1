// What waits for review, by keys. Without this script the page has the same boxes and buttons.
const form = document.getElementById("queue");
const items = [...form.querySelectorAll("[data-item]")];
const chosen = form.querySelector("[data-chosen]");
let here = -1;

function count() {
  if (chosen) chosen.textContent = form.querySelectorAll("[name=chosen]:checked").length;
}

function go(step) {
  here = Math.max(0, Math.min(items.length - 1, here + step));
  items.forEach((item, place) => item.classList.toggle("is-here", place === here));
  const target = items[here]?.querySelector("input, a");
  target?.focus();
  target?.scrollIntoView({ block: "nearest" });
}

// What needs a reason waits for it.
function decide(decision) {
  const button = form.querySelector(`[name=decision][value=${decision}]`);
  const reason = form.querySelector("[name=reason]");
  if (decision === "publish" || reason?.value.trim()) button?.click();
  else reason?.focus();
}

const acts = {
  j: () => go(1),
  k: () => go(-1),
  x: () => items[here]?.querySelector("[name=chosen]")?.click(),
  o: () => items[here]?.querySelector("a")?.click(),
  a: () => decide("publish"),
  e: () => decide("return"),
  r: () => decide("refuse"),
};

form.addEventListener("change", count);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=checkbox]), textarea, select")) return;
  if (acts[event.key]) { event.preventDefault(); acts[event.key](); }
});
form.querySelector(".keys")?.removeAttribute("hidden");
count();

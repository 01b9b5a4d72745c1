// Watches what a worker does, and loads the page again when it is done. Without this script it loads itself again.
const section = document.querySelector("[data-progress]");
let pause = 300;

async function watch() {
  const answer = await fetch(section.dataset.progress).catch(() => null);
  const found = answer?.ok ? await answer.json() : null;
  if (found?.done) return location.reload();
  if (found) {
    if (found.rows) section.querySelector("progress").value = found.checked;
    const checked = section.querySelector("[data-checked]");
    if (checked) checked.textContent = found.checked;
    section.querySelector("[data-message]").textContent = found.message;
  }
  pause = Math.min(2 * pause, 2000);
  setTimeout(watch, pause);
}

if (section) setTimeout(watch, pause);

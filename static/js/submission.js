// A submission's page: rows are edited where they stand, and the check of a long table is watched.
// Without this script a row has a page of its own, and the page is loaded again to see how far the check is.
const between = 1500;

function fieldsOf(page) {
  const form = page.querySelector("form.row-form");
  form.querySelectorAll("[id]").forEach((field) => {
    // The ids of several open rows must not meet.
    const id = `${field.id}-${editing}`;
    form.querySelectorAll(`[for="${field.id}"]`).forEach((label) => label.setAttribute("for", id));
    form.querySelectorAll(`[aria-describedby="${field.id}"]`).forEach((one) => one.setAttribute("aria-describedby", id));
    field.id = id;
  });
  return form;
}

let editing = 0;

async function edit(link) {
  const row = link.closest("tr");
  if (row.nextElementSibling?.classList.contains("editing")) return;
  const answer = await fetch(link.href).catch(() => null);
  if (!answer?.ok) return location.assign(link.href);
  editing++;
  const form = fieldsOf(new DOMParser().parseFromString(await answer.text(), "text/html"));
  const cell = document.createElement("td");
  cell.colSpan = row.cells.length;
  const below = document.createElement("tr");
  below.className = "editing";
  below.append(cell);
  row.after(below);
  // The table stands in a form, and forms do not nest: the fields name theirs, which stands behind it.
  form.id = `row-form-${editing}`;
  const fields = document.createElement("div");
  fields.className = form.className;
  fields.append(...form.childNodes);
  fields.querySelectorAll("input, select, textarea, button").forEach((field) => field.setAttribute("form", form.id));
  document.querySelector("main").append(form);
  cell.append(fields);
  const close = () => {
    below.remove();
    form.remove();
    link.focus();
  };
  fields.querySelector("[data-cancel]").addEventListener("click", (event) => {
    event.preventDefault();
    close();
  });
  fields.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  fields.querySelector("input:not([type=hidden])").focus();
}

document.querySelectorAll("[data-edit]").forEach((link) => link.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  edit(link);
}));

async function watch(section) {
  const answer = await fetch(section.dataset.progress).catch(() => null);
  const found = answer?.ok ? await answer.json() : null;
  if (found?.done) return location.reload();
  if (found) {
    section.querySelector("progress").value = found.checked;
    section.querySelector("[data-checked]").textContent = found.checked;
    section.querySelector("[data-message]").textContent = found.message;
  }
  setTimeout(watch, between, section);
}

const section = document.querySelector("[data-progress]");
if (section) setTimeout(watch, between, section);

// A submission's page: rows are edited where they stand. Without this script a row has a page of its own.

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

// Which rows are open, for whoever comes back to this page.
function remember(change) {
  const open = new Set(history.state?.open);
  change(open);
  history.replaceState({ ...history.state, open: [...open] }, "");
}

async function edit(link) {
  const row = link.closest("tr");
  if (row.nextElementSibling?.classList.contains("editing")) return;
  const answer = await fetch(link.href).catch(() => null);
  const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  // Whoever is signed out by now is asked to sign in there.
  if (!page?.querySelector("form.row-form")) return location.assign(link.href);
  editing++;
  const form = fieldsOf(page);
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
  form.dispatchEvent(new CustomEvent("keep", { bubbles: true, detail: row.id }));
  remember((open) => open.add(row.id));
  const close = () => {
    below.remove();
    form.remove();
    remember((open) => open.delete(row.id));
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

for (const id of history.state?.open ?? []) {
  const link = document.getElementById(id)?.querySelector("[data-edit]");
  if (link) edit(link);
}

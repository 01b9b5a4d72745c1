// Suggestions below the site's search, in the header and where a page has it too, and the key that leads there. Without
// this script the forms find the same.
const pause = 120;
document.querySelectorAll("form[data-suggestions] input[type=search]").forEach(suggestBelow);

function suggestBelow(input) {
  const list = document.createElement("ul");
  let timer;
  let asked = 0;
  let chosen = -1;
  // What the list was found for: while more is typed, nobody chooses from what was found for less.
  let foundFor = "";

  list.id = `${input.id}-suggestions`;
  list.className = "suggestions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  list.hidden = true;
  input.after(list);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);
  input.setAttribute("aria-expanded", "false");
  input.autocomplete = "off";

  async function ask() {
    const number = ++asked;
    const text = input.value.trim();
    if (!text) return close();
    const query = new URLSearchParams({ q: text, page_size: 9 });
    const answer = await fetch(`${input.form.dataset.suggestions}?${query}`).catch(() => null);
    if (number !== asked || document.activeElement !== input || !answer?.ok) return;
    show((await answer.json()).results);
    foundFor = text;
  }

  function show(found) {
    list.replaceChildren(...found.map((one, place) => {
      const option = document.createElement("li");
      option.id = `${list.id}-${place}`;
      option.dataset.address = one.url;
      option.setAttribute("role", "option");
      const title = document.createElement("bdi");
      title.textContent = one.title;
      const detail = document.createElement("span");
      detail.className = "why";
      detail.textContent = [one.kind, one.detail].filter(Boolean).join(" · ");
      option.append(title, detail);
      return option;
    }));
    list.hidden = !found.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
    choose(-1);
  }

  function close() {
    clearTimeout(timer);
    asked++;
    show([]);
  }

  function choose(place) {
    chosen = place;
    [...list.children].forEach((option, number) => option.setAttribute("aria-selected", String(number === place)));
    const option = list.children[place];
    if (option) {
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else {
      input.removeAttribute("aria-activedescendant");
    }
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, pause);
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (list.hidden || (event.key !== "Escape" && foundFor !== input.value.trim())) return;
    const last = list.children.length - 1;
    if (event.key === "ArrowDown") choose(chosen < last ? chosen + 1 : -1);
    else if (event.key === "ArrowUp") choose(chosen > -1 ? chosen - 1 : last);
    else if (event.key === "Enter" && chosen >= 0) location.assign(list.children[chosen].dataset.address);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  });
  // Before the field loses the focus, and with it the list.
  list.addEventListener("mousedown", (event) => {
    event.preventDefault();
    const option = event.target.closest("[role=option]");
    if (option) location.assign(option.dataset.address);
  });
}
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
  event.preventDefault();
  const input = document.getElementById("site-search");
  input.select();
  input.focus();
});

// Suggestions below the fields of the form for results.
// Without this script the server names what may be meant when the form is sent.
const form = document.querySelector("main [data-suggestions]");
const pause = 180;

function later(action) {
  let timer;
  const call = () => {
    clearTimeout(timer);
    timer = setTimeout(action, pause);
  };
  call.not = () => clearTimeout(timer);
  return call;
}

function typed(name) {
  return form.elements[name]?.value.trim() ?? "";
}

class Suggestions {
  constructor(input) {
    this.input = input;
    this.kind = input.dataset.suggest;
    this.list = document.createElement("ul");
    this.list.id = `${input.id}-suggestions`;
    this.list.className = "suggestions";
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", `Suggestions for ${this.kind}`);
    this.list.hidden = true;
    // The list hangs from its field, wherever that stands.
    const frame = document.createElement("div");
    frame.className = "suggested";
    input.replaceWith(frame);
    frame.append(input, this.list);
    // A field of several lines cannot be a combobox; as a textbox it may have suggestions all the same.
    this.isCombobox = input.tagName === "INPUT";
    if (this.isCombobox) input.setAttribute("role", "combobox");
    input.setAttribute("aria-autocomplete", "list");
    // The browser's own suggestions would lie over ours; keep.js restores what "off" has it forget.
    input.autocomplete = "off";
    input.setAttribute("aria-controls", this.list.id);
    this.chosen = -1;
    this.asked = 0;
    this.tell();
    this.askLater = later(() => this.ask());
    input.addEventListener("input", this.askLater);
    // Who comes by the Tab key is on the way to another field, which the list would hide.
    input.addEventListener("click", () => { if (!input.value) this.askLater(); });
    input.addEventListener("blur", () => this.close());
    // On a touch screen, a field keeps the focus when something else is touched.
    document.addEventListener("pointerdown", (event) => {
      if (event.target !== input && !this.list.contains(event.target)) this.close();
    });
    input.addEventListener("keydown", (event) => this.press(event));
    // Before the field loses the focus, and with it the list.
    this.list.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const option = event.target.closest("[role=option]");
      if (option) this.take(Number(option.dataset.place));
    });
  }

  async ask(isWanted = false) {
    const number = ++this.asked;
    const query = new URLSearchParams({ kind: this.kind, q: this.input.value.slice(0, 300) });
    if (this.kind !== "collection") query.set("collection", typed("collection").slice(0, 200));
    const answer = await fetch(`${form.dataset.suggestions}?${query}`).catch(() => null);
    if (number !== this.asked || document.activeElement !== this.input || !answer?.ok) return;
    const { suggestions, is_told } = await answer.json();
    // What is typed is a name already: there is nothing left to choose, and the next fields are to be seen.
    if (is_told && !isWanted) this.close();
    else this.show(suggestions);
  }

  show(suggestions) {
    this.found = suggestions;
    this.list.replaceChildren(...suggestions.map((one, place) => {
      const option = document.createElement("li");
      option.id = `${this.list.id}-${place}`;
      option.dataset.place = place;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      const label = document.createElement("bdi");
      label.textContent = one.label;
      const detail = document.createElement("span");
      detail.className = "why";
      detail.textContent = one.value === one.label ? one.detail : [one.value, one.detail].filter(Boolean).join(" · ");
      option.append(label, detail);
      return option;
    }));
    this.choose(-1);
    this.list.hidden = !suggestions.length;
    this.tell();
  }

  close() {
    this.askLater.not();
    this.asked++;
    this.list.hidden = true;
    this.choose(-1);
    this.tell();
  }

  tell() {
    if (this.isCombobox) this.input.setAttribute("aria-expanded", String(!this.list.hidden));
  }

  choose(place) {
    this.chosen = place;
    [...this.list.children].forEach((option, number) => option.setAttribute("aria-selected", String(number === place)));
    const option = this.list.children[place];
    if (option) {
      this.input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else {
      this.input.removeAttribute("aria-activedescendant");
    }
  }

  take(place) {
    const one = this.found[place];
    this.input.value = one.value;
    for (const [name, text] of Object.entries(one.fills)) {
      if (form.elements[name]) form.elements[name].value = text;
    }
    this.close();
    this.input.dispatchEvent(new Event("change", { bubbles: true }));
  }

  press(event) {
    if (this.list.hidden) {
      if (event.key === "ArrowDown") this.ask(true);
      return;
    }
    const last = this.list.children.length - 1;
    if (event.key === "ArrowDown") this.choose(this.chosen < last ? this.chosen + 1 : 0);
    else if (event.key === "ArrowUp") this.choose(this.chosen > 0 ? this.chosen - 1 : last);
    else if (event.key === "Enter" && this.chosen >= 0) this.take(this.chosen);
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
  }
}

if (form) {
  form.querySelectorAll("[data-suggest]").forEach((input) => new Suggestions(input));
}

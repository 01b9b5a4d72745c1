// What is typed in a form outlives going back, loading the page again, a server that does not answer, and being offline.
// It is kept for this tab and this place in its history alone, and forgotten with the tab. Without this script the
// browser keeps what it can by itself.
const pause = 300;
const here = history.state?.typed ?? `typed ${Date.now()} ${Math.random()}`;
history.replaceState({ ...history.state, typed: here }, "");

// Of the page, not of its place in the history; a table that waited longer for its owner is forgotten.
const carriage = `typed on ${location.pathname}`;
const anHour = 3_600_000;

// A browser may be told to store nothing, and a table may be longer than it is ready to store.
function stored(act) {
  try { return act(sessionStorage); } catch { return null; }
}

class Kept {
  constructor(form, place) {
    this.form = form;
    this.key = `${here} ${place}`;
    this.message = document.createElement("p");
    this.message.setAttribute("role", "alert");
    this.message.className = "notice";
    this.message.hidden = true;
    // The fields of a form may stand elsewhere, as those of a row in its table.
    (form.elements[0]?.closest("td, form") ?? form).prepend(this.message);
    let timer;
    const save = () => this.save();
    form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(save, pause); });
    form.addEventListener("change", save);
    form.addEventListener("submit", (event) => this.send(event));
    addEventListener("pagehide", save);
    addEventListener("online", () => { if (this.isWaiting) this.say("You are online again. Send it now."); });
    addEventListener("pageshow", (event) => { if (event.persisted) this.recall(); });
    this.recall();
  }

  get fields() {
    return [...this.form.elements].filter((field) => field.name && !["hidden", "file", "password", "submit", "button"].includes(field.type));
  }

  save() {
    const typed = this.fields.map((field) => [field.name, ["checkbox", "radio"].includes(field.type) ? field.checked : field.value]);
    this.store({ ...this.read(), typed });
  }

  read() {
    return stored((place) => JSON.parse(place.getItem(this.key))) ?? this.carried();
  }

  // Whoever signed in comes back to this page, as another place in the history: what was typed is here, once.
  carried() {
    return stored(() => {
      const kept = JSON.parse(localStorage.getItem(carriage));
      localStorage.removeItem(carriage);
      return kept && Date.now() - kept.at < anHour ? { typed: kept.typed } : null;
    });
  }

  carry() {
    this.save();
    stored(() => localStorage.setItem(carriage, JSON.stringify({ typed: this.read().typed, at: Date.now() })));
  }

  store(kept) {
    stored((place) => place.setItem(this.key, JSON.stringify(kept)));
  }

  // After going back or loading again: fill in what was typed, and say when it was sent, if it was.
  recall() {
    const kept = this.read();
    if (!kept) return;
    this.fields.forEach((field, place) => {
      const [name, value] = kept.typed?.[place] ?? [];
      if (name !== field.name) return;
      if (typeof value === "boolean") field.checked = value;
      else field.value = value;
    });
    this.form.querySelectorAll("details").forEach((part) => {
      part.open ||= [...part.querySelectorAll("input, textarea")].some((field) => field.value !== field.defaultValue);
    });
    if (kept.sent) {
      const time = new Date(kept.sent).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
      this.say(`You sent this at ${time}. If no answer came, it may not have arrived: what you typed is still here.`);
    }
  }

  // Only a form that the site is there to take leaves the page.
  async send(event) {
    if (this.isOnItsWay) return;
    event.preventDefault();
    if (this.isAsking) return;
    this.save();
    const excess = this.excess();
    if (excess) return this.say(excess);
    this.isAsking = true;
    const answer = await fetch(import.meta.url, { method: "HEAD", cache: "no-store" }).catch(() => null);
    this.isAsking = false;
    if (answer) {
      this.store({ ...this.read(), sent: Date.now() });
      this.isOnItsWay = true;
      this.form.requestSubmit(event.submitter);
      this.isOnItsWay = false;
    } else if (navigator.onLine) {
      this.say("The site does not answer just now, so it was not sent. What you typed stays here; try again in a moment.");
    } else {
      this.isWaiting = true;
      this.say("You are offline, so it was not sent. What you typed stays here; send it when you are online again.");
    }
  }

  // Why the form would be refused for its size; blank where it would not.
  excess() {
    for (const field of this.form.querySelectorAll("[data-most]")) {
      const most = Number(field.dataset.most);
      const size = field.files ? field.files[0]?.size ?? 0 : field.value.length;
      if (size > most) {
        return `${field.files ? `The file ${field.files[0].name}` : "The table"} is larger than ${most / 1e6} MB, the most that fits at once. Nothing was sent: send it in parts.`;
      }
    }
    return "";
  }

  say(text) {
    this.message.textContent = text;
    this.message.hidden = false;
    this.message.scrollIntoView({ block: "nearest" });
  }
}

const kept = [...document.querySelectorAll("form[data-keep]")].map((form, place) => new Kept(form, place));
// With what was typed at hand, who signs in needs no other tab for it.
document.querySelectorAll("a[href^='/accounts/login/']").forEach((link) => {
  link.removeAttribute("target");
  link.addEventListener("click", () => kept[0]?.carry());
});
// Forms that other scripts put on the page say so themselves.
document.addEventListener("keep", (event) => new Kept(event.target, event.detail));

document.querySelectorAll("[data-back]").forEach((button) => {
  button.hidden = false;
  button.addEventListener("click", () => history.back());
});

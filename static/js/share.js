// A link that holds the table itself, after "#", which no server is sent: whoever opens it has the table reviewed again.
// Without this script a table is pasted, as ever.
const form = document.getElementById("table");
const place = document.querySelector("[data-share]");
const names = ["text", "collection", "measure", "system", "unit", "form", "own", "baseline", "asked"];
const isTaken = ([name, value]) => typeof value === "string" && (names.includes(name) || name.startsWith("answer:"));

async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

async function packed(fields) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(fields)), new CompressionStream("deflate-raw"));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_");
}

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
}

if (form && place) {
  const [print, copy] = place.querySelectorAll("button");
  print.addEventListener("click", () => window.print());
  copy.hidden = !navigator.clipboard || !("CompressionStream" in window);
  copy.addEventListener("click", async () => {
    const fields = [...new FormData(form)].filter(isTaken);
    const address = `${location.origin}${location.pathname}#table=${await packed(fields)}`;
    await navigator.clipboard.writeText(address);
    copy.textContent = "Copied; the site keeps nothing of it";
  });
}

if (form && location.hash.startsWith("#table=") && "DecompressionStream" in window) {
  for (const box of form.querySelectorAll("[type=checkbox]")) box.checked = false; // Of the example.
  const held = location.hash.slice("#table=".length);
  const fields = await unpacked(held).then((found) => found.filter(isTaken)).catch(() => null);
  for (const [name, value] of fields ?? []) {
    const field = form.elements.namedItem(name);
    if (field && "value" in field && !["own", "baseline"].includes(name)) {
      field.value = value;
    } else {
      form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    }
  }
  if (fields) form.requestSubmit(form.querySelector("[name=step]"));
  else form.before(Object.assign(document.createElement("p"), {
    className: "notice", role: "alert", textContent: "The link holds no whole table: open it again with all that stands behind “#”.",
  }));
}

// Buttons that copy: those that are there get what they copy from the page; each text that is there to be copied gets one.
// Without this script texts can be selected all the same.
function offer(button, text) {
  const name = button.textContent;
  button.hidden = false;
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text());
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = name), 1500);
  });
}

if (navigator.clipboard) {
  for (const button of document.querySelectorAll("[data-copied]")) offer(button, () => button.dataset.copied);
  for (const text of document.querySelectorAll("[data-copy]")) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Copy" });
    button.className = "button-quiet";
    offer(button, () => text.textContent);
    text.after(button);
  }
}

// On a phone long sections are folded: their headings carry what they say. Without this script they stand open.
const asked = location.hash.slice(1);
if (matchMedia("(max-width: 40rem)").matches) {
  for (const section of document.querySelectorAll("details[data-fold]")) {
    section.open = asked !== "" && section.parentElement.id === asked;
  }
}

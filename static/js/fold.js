// On a phone long sections are folded: their headings carry what they say. Without this script they stand open.
if (matchMedia("(max-width: 40rem)").matches) {
  for (const section of document.querySelectorAll("details[data-fold]")) section.open = false;
}

// What an address leads to is unfolded.
function unfold() {
  const asked = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const around = asked?.firstElementChild?.localName === "details" ? asked.firstElementChild : asked;
  for (let one = around; one; one = one.parentElement) {
    if (one.localName === "details") one.open = true;
  }
  asked?.scrollIntoView();
}

addEventListener("hashchange", unfold);
if (location.hash) unfold();

// A file that is dropped or chosen is sent at once. Without this script a button sends it.
const file = document.querySelector(".drop input[type=file]");

file?.addEventListener("change", () => {
  if (file.files.length && !file.form.querySelector("details[open]")) file.form.requestSubmit();
});

// The form made handier: dropping files and folders, a list of what was chosen, Ctrl+Enter.
// Everything here only fills the form's own fields; it works without this script, too.
"use strict";
(() => {
  const form = document.getElementById("triage");
  const drop = document.getElementById("drop");
  const files = document.getElementById("files");
  const folder = document.getElementById("folder");
  const chosen = document.getElementById("chosen");
  const problem = document.getElementById("form-problem");
  const submit = document.getElementById("submit");
  // Dropped folders cannot be put into a file field with their paths, so their files are
  // kept here and sent as `folder` with the path as the file's name.
  let dropped = [];

  document.getElementById("drop-hint").hidden = false;
  document.getElementById("submit-key").hidden = false;

  const size = (bytes) => bytes < 1000 ? `${bytes} B`
    : bytes < 999500 ? `${Math.round(bytes / 1000)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;

  const all = () => [
    ...Array.from(files.files, (file) => ({ file, path: file.name, from: files })),
    ...Array.from(folder.files, (file) => ({ file, path: file.webkitRelativePath || file.name, from: folder })),
    ...dropped.map(({ file, path }) => ({ file, path, from: null })),
  ];

  const show = () => {
    const items = all();
    chosen.replaceChildren();
    problem.textContent = "";
    if (!items.length) return;
    const total = items.reduce((sum, item) => sum + item.file.size, 0);
    const head = document.createElement("p");
    const words = items.length === 1 ? form.dataset.chosenOne : form.dataset.chosen;
    head.textContent = `${words.replace("{n}", items.length.toLocaleString())}, ${size(total)}`;
    head.className = "hint";
    const list = document.createElement("ul");
    for (const item of items.slice(0, 200)) {
      const line = document.createElement("li");
      const name = document.createElement("span");
      name.textContent = item.path;
      const bytes = document.createElement("span");
      bytes.textContent = size(item.file.size);
      line.append(name, bytes);
      list.append(line);
    }
    const clear = document.createElement("button");
    clear.type = "button";
    clear.className = "tool";
    clear.textContent = form.dataset.remove;
    clear.addEventListener("click", () => {
      files.value = "";
      folder.value = "";
      dropped = [];
      show();
      files.focus();
    });
    head.append(" ", clear);
    chosen.append(head, list);
    if (total > Number(form.dataset.max)) problem.textContent = form.dataset.tooLarge;
  };
  files.addEventListener("change", show);
  folder.addEventListener("change", show);

  const read = async (entry, found) => {
    if (entry.isFile) {
      const file = await new Promise((done, fail) => entry.file(done, fail));
      found.push({ file, path: entry.fullPath.replace(/^\//, "") });
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const part = await new Promise((done, fail) => reader.readEntries(done, fail));
      if (!part.length) return;
      for (const child of part) await read(child, found);
    }
  };

  const over = (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    drop.classList.add("is-over");
  };
  form.addEventListener("dragover", over);
  form.addEventListener("dragenter", over);
  form.addEventListener("dragleave", (event) => {
    if (!form.contains(event.relatedTarget)) drop.classList.remove("is-over");
  });
  form.addEventListener("drop", async (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    drop.classList.remove("is-over");
    const items = Array.from(event.dataTransfer.items)
      .filter((item) => item.kind === "file")
      .map((item) => [item.webkitGetAsEntry && item.webkitGetAsEntry(), item.getAsFile()]);
    for (const [entry, file] of items) {
      try {
        if (entry) await read(entry, dropped);
        else if (file) dropped.push({ file, path: file.name });
      } catch { /* a file that cannot be read is not in the list */ }
    }
    show();
  });

  form.addEventListener("formdata", (event) => {
    for (const { file, path } of dropped) {
      event.formData.append(path.includes("/") ? "folder" : "files", file, path);
    }
    if (!folder.files.length) return;
    // Browsers differ in whether they send a chosen folder's paths.
    event.formData.delete("folder");
    for (const file of folder.files) {
      event.formData.append("folder", file, file.webkitRelativePath || file.name);
    }
    for (const { file, path } of dropped) {
      if (path.includes("/")) event.formData.append("folder", file, path);
    }
  });

  form.addEventListener("submit", (event) => {
    if (problem.textContent) {
      event.preventDefault();
      problem.scrollIntoView({ block: "nearest" });
      return;
    }
    // Disabled only after the browser has taken the form.
    setTimeout(() => {
      submit.disabled = true;
      submit.dataset.label = submit.textContent;
      submit.textContent = form.dataset.working;
    });
  });
  window.addEventListener("pageshow", () => {
    if (submit.dataset.label) submit.textContent = submit.dataset.label;
    submit.disabled = false;
    show();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
})();

// Ticks that stay, and buttons that copy commands.
"use strict";
(() => {
  const page = document.querySelector(".result");
  if (!page) return;
  const store = {
    get(key) { try { return localStorage.getItem(key); } catch { return null; } },
    set(key, value) { try { localStorage.setItem(key, value); } catch { /* not remembered */ } },
  };

  for (const list of page.querySelectorAll(".steps")) {
    const key = `kbtriage.ticks.${list.dataset.key}`;
    const boxes = Array.from(list.querySelectorAll("input[type=checkbox]"));
    const ticked = (store.get(key) || "").split(",");
    boxes.forEach((box, index) => {
      box.checked = ticked.includes(String(index));
      box.addEventListener("change", () => {
        store.set(key, boxes.flatMap((other, at) => other.checked ? [at] : []).join(","));
      });
    });
  }

  const copy = async (text) => {
    if (navigator.clipboard && window.isSecureContext) {
      await navigator.clipboard.writeText(text);
      return;
    }
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  };

  for (const code of page.querySelectorAll("code.run")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = page.dataset.copy;
    button.setAttribute("aria-label", `${page.dataset.copy}: ${code.textContent}`);
    button.addEventListener("click", async () => {
      try { await copy(code.textContent); } catch { return; }
      button.textContent = page.dataset.copied;
      setTimeout(() => { button.textContent = page.dataset.copy; }, 1500);
    });
    code.after(button);
  }
})();

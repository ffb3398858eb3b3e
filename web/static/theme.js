// Colours: as the system has them, or as the reader chose; remembered in this browser only.
"use strict";
(() => {
  const KEY = "kbtriage.theme";
  const ORDER = ["auto", "light", "dark"];
  const kept = () => {
    try { return localStorage.getItem(KEY) || "auto"; } catch { return "auto"; }
  };
  const apply = (theme) => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  };
  apply(ORDER.includes(kept()) ? kept() : "auto");

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    if (!button) return;
    let theme = ORDER.includes(kept()) ? kept() : "auto";
    const show = () => {
      const signs = { auto: "◐", light: "○", dark: "●" };
      button.textContent = signs[theme];
      const label = button.dataset.label.replace("{name}", button.dataset[theme]);
      button.setAttribute("aria-label", label);
      button.title = label;
    };
    button.hidden = false;
    show();
    button.addEventListener("click", () => {
      theme = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length];
      try { localStorage.setItem(KEY, theme); } catch { /* not remembered, then */ }
      apply(theme);
      show();
      document.dispatchEvent(new Event("themechange"));
    });
  });
})();

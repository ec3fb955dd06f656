// Looks for changes every two seconds and replaces the parts of the page that changed. Without it the page
// reloads itself now and then, and everything else works as well.
"use strict";
(() => {
  const shown = new Map();
  for (const part of document.querySelectorAll("[data-live]")) shown.set(part.id, part.innerHTML);

  // An amount that is being typed stays.
  const typing = (part) => part.contains(document.activeElement) && document.activeElement.matches("input, select");

  const replace = (part, news) => {
    const html = news.innerHTML;
    if (html === shown.get(part.id) || typing(part)) return;
    const open = new Set([...part.querySelectorAll("details")].filter((d) => d.open).map((d) => d.id));
    const known = new Set([...part.querySelectorAll("details")].map((d) => d.id));
    const focused = part.contains(document.activeElement) ? document.activeElement.closest("[id]") : null;
    part.replaceChildren(...news.childNodes);
    part.hidden = news.hidden;
    for (const d of part.querySelectorAll("details")) if (known.has(d.id)) d.open = open.has(d.id);
    const again = focused && document.getElementById(focused.id);
    if (again) (again.querySelector("summary") || again).focus();
    shown.set(part.id, html);
  };

  const look = async () => {
    if (!document.hidden) {
      try {
        const answer = await fetch(location.pathname, { cache: "no-store" });
        if (answer.ok) {
          const page = new DOMParser().parseFromString(await answer.text(), "text/html");
          for (const part of document.querySelectorAll("[data-live]")) {
            const news = page.getElementById(part.id);
            if (news) replace(part, news);
          }
        }
      } catch {
        // The server is away; the next look may find it.
      }
    }
    setTimeout(look, 2000);
  };
  setTimeout(look, 2000);
})();

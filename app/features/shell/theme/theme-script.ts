/**
 * The script of the pages without React, as text: changes the theme without loading the page again, which would lose what was typed. Without
 * it the form is submitted.
 */
export function themeScript(): string {
  return `(${enhanceThemes.toString()})(${applyTheme.toString()})`;
}

// These functions are sent as source text: they can use nothing outside their bodies but their arguments.
function enhanceThemes(apply: (theme: string) => void) {
  document.addEventListener("submit", (event) => {
    const { submitter } = event;
    if (!(submitter instanceof HTMLButtonElement) || submitter.name !== "theme") return;
    event.preventDefault();
    const body = new URLSearchParams([["theme", submitter.value]]);
    // Without a connection the choice lasts for this page.
    fetch("/theme", { method: "POST", body, headers: { "meishi-in-place": "1" } }).catch(Boolean);
    apply(submitter.value);
    for (const button of document.querySelectorAll<HTMLButtonElement>("button[name=theme]"))
      button.setAttribute("aria-pressed", String(button.value === submitter.value));
    submitter.closest<HTMLElement>("#theme-menu")?.hidePopover();
  });
}

/** The page's colors follow `data-mode` (ui/styles/theme.css); the phone's browser bars get the page's background color. */
export function applyTheme(theme: string): void {
  document.documentElement.dataset["mode"] = theme;
  const { backgroundColor } = getComputedStyle(document.body);
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]"))
    meta.content = backgroundColor;
}

/**
 * The only script of a public page, as the text of its `<script type="module">`. The page works without it; it adds toasts, the device's
 * share sheet and a copy button, and counts which link was followed. It is controlled by attributes: `data-subject` on the page,
 * `data-target` on a counted link, `data-toast="Title|Text"` (what was pressed then has `data-done`), and
 * `data-share` and `data-copy` (both contain the URL) on buttons.
 */
export const visitorScript = sourceOf(enhance);

/**
 * The same for a page that offers wallet passes: has a pass made before it is opened. Controlled by `data-pass` (the address that makes it)
 * and `data-ready` (a toast) on a link, and `data-texts` (JSON) around it.
 */
export const passVisitorScript = `${visitorScript};${sourceOf(openPasses)}`;

/** A call of the function, without the indentation. */
function sourceOf(run: () => void): string {
  return `(${run.toString().replaceAll(/\n\s+/g, "\n")})()`;
}

// Both are sent as source text: they can't use anything outside their bodies.
function enhance() {
  const toast = document.createElement("p");
  toast.className = "toast";
  toast.setAttribute("role", "status");
  toast.popover = "manual";
  let timer: ReturnType<typeof setTimeout> | undefined;

  const notify = (message = "") => {
    // Added on first use: React hydrates the page as the server sent it.
    if (!toast.isConnected) document.querySelector(".page")?.append(toast);
    const [title = "", text = ""] = message.split("|");
    const strong = document.createElement("b");
    strong.append(`${title} `);
    toast.replaceChildren();
    // Hidden and shown again, so that it covers a panel that was opened later.
    toast.hidePopover?.();
    toast.showPopover?.();
    clearTimeout(timer);
    // Filled after a delay: screen readers announce changes of a status, not its initial content.
    timer = setTimeout(() => {
      toast.replaceChildren(strong, text);
      timer = setTimeout(() => {
        toast.replaceChildren();
        toast.hidePopover?.();
      }, 5000);
    }, 60);
  };

  const onClick = (event: MouseEvent) => {
    const element = (event.target as Element).closest?.<HTMLElement>("[data-target],[data-toast],[data-share]");
    if (!element || event.button > 1) return;
    const { target, toast: message, share, copy } = element.dataset;
    const subject = element.closest<HTMLElement>("[data-subject]")?.dataset.subject;
    if (target && subject) navigator.sendBeacon("/count", JSON.stringify({ subject, target, kind: "click" }));
    if (copy) {
      navigator.clipboard.writeText(copy).then(
        () => notify(message),
        () => notify("Couldn’t copy|Copy the link manually."),
      );
    } else if (share && navigator.share) {
      event.preventDefault();
      navigator.share({ title: document.title, url: share }).catch((error) => {
        // AbortError: the visitor closed the share sheet. For any other error, open our own panel.
        if (error.name === "AbortError") return;
        document.getElementById(element.getAttribute("popovertarget") ?? "")?.showPopover();
      });
    } else if (message) {
      notify(message);
      // Styles show what comes next.
      element.dataset.done = "";
    }
  };

  document.addEventListener("click", onClick);
  document.addEventListener("auxclick", onClick);
  if (navigator.clipboard)
    for (const button of document.querySelectorAll("[data-copy]")) button.removeAttribute("hidden");
}

function openPasses() {
  /** The other script shows the toast of what is pressed. */
  const notify = (link: HTMLElement, message = "") => {
    const pressed = document.createElement("i");
    pressed.dataset.toast = message;
    link.after(pressed);
    pressed.click();
    pressed.remove();
  };

  const open = async (link: HTMLElement, address: string) => {
    const label = link.lastElementChild;
    if (!label || link.hasAttribute("aria-busy")) return;
    const texts = JSON.parse(link.closest<HTMLElement>("[data-texts]")?.dataset.texts ?? "{}");
    const name = label.innerHTML;
    label.textContent = texts.loading;
    link.setAttribute("aria-busy", "true");
    const stop = new AbortController();
    // The specification's limit for a pass.
    const limit = setTimeout(() => stop.abort(), 30_000);
    try {
      const response = await fetch(address, { signal: stop.signal });
      const { success, passUrl, androidUrl, fallback, error, instructions } = await response.json();
      if (success) {
        location.assign(passUrl ?? androidUrl);
        notify(link, link.dataset.ready);
      } else if (fallback) {
        const file = document.createElement("a");
        const content = JSON.stringify(fallback.passJson, undefined, 2);
        file.href = URL.createObjectURL(new Blob([content], { type: "application/json" }));
        file.download = texts.definitionName;
        file.click();
        notify(link, texts.fallback);
      } else if (response.status === 404 && instructions) {
        // The toast says that they are there.
        // oxlint-disable-next-line no-console
        console.info(instructions);
        notify(link, texts.templateRequired);
      } else notify(link, `Error|${error ?? texts.failed}`);
    } catch {
      notify(link, `Error|${stop.signal.aborted ? texts.timedOut : texts.failed}`);
    }
    clearTimeout(limit);
    label.innerHTML = name;
    link.removeAttribute("aria-busy");
  };

  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest?.<HTMLElement>("[data-pass]");
    if (!link?.dataset.pass) return;
    event.preventDefault();
    void open(link, link.dataset.pass);
  });
}

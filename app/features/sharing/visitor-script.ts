/**
 * The only script of a public page, as the text of its `<script type="module">`. The page works without it; it adds toasts, the device's
 * share sheet and a copy button, and counts which link was followed. It is controlled by attributes: `data-subject` on the page,
 * `data-target` on a counted link, `data-toast="Title|Text"`, and `data-share` and `data-copy` (both contain the URL) on buttons.
 */
export const visitorScript = `(${enhance.toString()})()`;

/**
 * The same for a page that offers wallet passes: has a pass made before it is opened. Controlled by `data-pass` (the address that makes it)
 * and `data-toast` on a link, and `data-texts` (JSON) around it.
 */
export const passVisitorScript = `(${enhance.toString()})(${openPass.toString()})`;

// Both are sent as source text: they can't use anything outside their bodies.
function enhance(openWalletPass?: typeof openPass) {
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
    const { target, toast: message, share, copy, pass } = element.dataset;
    const subject = element.closest<HTMLElement>("[data-subject]")?.dataset.subject;
    if (target && subject) navigator.sendBeacon("/count", JSON.stringify({ subject, target, kind: "click" }));
    if (pass) {
      event.preventDefault();
      void openWalletPass?.(element, pass, notify);
    } else if (copy) {
      navigator.clipboard.writeText(copy).then(
        () => notify(message),
        () => notify("Couldn't copy|Copy the link manually."),
      );
    } else if (share && navigator.share) {
      event.preventDefault();
      navigator.share({ title: document.title, url: share }).catch((error) => {
        // AbortError: the visitor closed the share sheet. For any other error, open our own panel.
        if (error.name === "AbortError") return;
        document.getElementById(element.getAttribute("popovertarget") ?? "")?.showPopover();
      });
    } else if (message) notify(message);
  };

  document.addEventListener("click", onClick);
  document.addEventListener("auxclick", onClick);
  if (navigator.clipboard)
    for (const button of document.querySelectorAll("[data-copy]")) button.removeAttribute("hidden");
}

async function openPass(link: HTMLElement, address: string, notify: Notify) {
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
      notify(link.dataset.toast);
    } else if (fallback) {
      const file = document.createElement("a");
      const content = JSON.stringify(fallback.passJson, undefined, 2);
      file.href = URL.createObjectURL(new Blob([content], { type: "application/json" }));
      file.download = texts.definitionName;
      file.click();
      notify(texts.fallback);
    } else if (response.status === 404 && instructions) {
      // The toast says that they are there.
      // oxlint-disable-next-line no-console
      console.info(instructions);
      notify(texts.templateRequired);
    } else notify(`Error|${error ?? texts.failed}`);
  } catch {
    notify(`Error|${stop.signal.aborted ? texts.timedOut : texts.failed}`);
  }
  clearTimeout(limit);
  label.innerHTML = name;
  link.removeAttribute("aria-busy");
}

type Notify = (message?: string) => void;

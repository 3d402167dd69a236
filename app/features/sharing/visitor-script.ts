/**
 * The only script of a public page, as the text of its `<script type="module">`. The page works without it; it adds toasts, the device's
 * share sheet and a copy button, and counts which link was followed. It is controlled by attributes: `data-subject` on the page,
 * `data-target` on a counted link, `data-toast="Title|Text"`, and `data-share` and `data-copy` (both contain the URL) on buttons.
 */
export const visitorScript = `(${enhance.toString()})()`;

// Sent as source text: it can't use anything outside its body.
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

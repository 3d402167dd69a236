/**
 * The one script of a public page, as the text of its `<script type="module">`. The page does everything without it; it
 * adds toasts, the device's own share sheet, a button that copies, and tells us which link was followed.
 * It asks for things by attribute: `data-subject` on the page, `data-target` on a counted link, `data-toast="Title|Text"`,
 * `data-share` and `data-copy` (both hold the address) on buttons.
 */
export const visitorScript = `(${enhance.toString()})()`;

// Sent as its own source text: it may use nothing from outside its braces.
function enhance() {
  const toast = document.createElement("p");
  toast.className = "toast";
  toast.setAttribute("role", "status");
  toast.popover = "manual";
  let timer: ReturnType<typeof setTimeout> | undefined;

  const say = (message = "") => {
    // Only now: a page that React takes over must be as the server sent it until then.
    if (!toast.isConnected) document.querySelector(".page")?.append(toast);
    const [title = "", text = ""] = message.split("|");
    const strong = document.createElement("b");
    strong.append(`${title} `);
    toast.replaceChildren();
    // Shown anew each time, so that it lies above a panel that was opened after it.
    toast.hidePopover?.();
    toast.showPopover?.();
    clearTimeout(timer);
    // A moment later: screen readers announce what changes in a status, not what it appears with.
    timer = setTimeout(() => {
      toast.replaceChildren(strong, text);
      timer = setTimeout(() => {
        toast.replaceChildren();
        toast.hidePopover?.();
      }, 5000);
    }, 60);
  };

  const react = (event: MouseEvent) => {
    const element = (event.target as Element).closest?.<HTMLElement>("[data-target],[data-toast],[data-share]");
    if (!element || event.button > 1) return;
    const { target, toast: message, share, copy } = element.dataset;
    const subject = element.closest<HTMLElement>("[data-subject]")?.dataset.subject;
    if (target && subject) navigator.sendBeacon("/count", JSON.stringify({ subject, target, kind: "click" }));
    if (copy) {
      navigator.clipboard.writeText(copy).then(
        () => say(message),
        () => say("Not copied|Select the address instead."),
      );
    } else if (share && navigator.share) {
      event.preventDefault();
      navigator.share({ title: document.title, url: share }).catch((error) => {
        // AbortError: the visitor closed the sheet. Anything else: our own panel does it.
        if (error.name === "AbortError") return;
        document.getElementById(element.getAttribute("popovertarget") ?? "")?.showPopover();
      });
    } else if (message) say(message);
  };

  document.addEventListener("click", react);
  document.addEventListener("auxclick", react);
  if (navigator.clipboard)
    for (const button of document.querySelectorAll("[data-copy]")) button.removeAttribute("hidden");
}

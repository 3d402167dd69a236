import { sessionChannel } from "#app/ui/forms/submit-in-place.ts";

import { togglePassword } from "./password-script.ts";

// These functions are sent as source text: they can use nothing outside their bodies but their arguments.
const parts = { requestPage, replacePage, submitForm, showFailure, togglePassword };

/**
 * The only script of the account pages, as the text of its `<script type="module">`. The pages work without it. It submits the forms and
 * follows the links between these pages without a page load, keeps what was typed, and shows passwords. It is controlled by attributes:
 * `data-form-page` on what is replaced, `data-busy` (a label) on submit buttons, `data-reveal` on the buttons next to passwords, and
 * `<template data-failed="network|server">` with the message for a request that returned no page.
 */
export const formScript = `(${enhancePage.toString()})({${Object.entries(parts)
  .map(([name, part]) => `${name}:${part.toString()}`)
  .join()}});(${reportSignedOut.toString()})("${sessionChannel}")`;

/** The inline script of a plain document: the form script with others, without the indentation, which is a part of each page. */
export function plainScript(...others: string[]): string {
  return [...others, formScript].join(";").replaceAll(/\n\s+/g, "\n");
}

type Page = { title: string; content: Element };

/** Requests another page of this kind. Without one: what failed, or "redirect" when the browser is loading another page. */
async function requestPage(url: string, init?: RequestInit): Promise<Page | "redirect" | "network" | "server"> {
  try {
    const response = await fetch(url, { ...init, headers: { "meishi-in-place": "1" } });
    const target = response.headers.get("meishi-location");
    if (target) {
      location.assign(target);
      return "redirect";
    }
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const content = page.querySelector("[data-form-page]");
    return content ? { title: page.title, content } : "server";
  } catch (error) {
    // fetch rejects with a TypeError when there is no connection.
    if (error instanceof TypeError) return "network";
    throw error;
  }
}

/** Shows another page. A typed address moves to its form; `from` is the form that it responds to, whose passwords stay. */
function replacePage(root: HTMLElement, { title, content }: Page, from?: HTMLFormElement): HTMLFormElement | null {
  const typed = [...(from ?? root).querySelectorAll("input")].filter(({ name }) => from || name === "email");
  // A status is announced when it changes, not when it arrives with its text.
  for (const status of content.querySelectorAll("[role=status]")) status.setAttribute("role", "alert");
  document.title = title;
  root.replaceChildren(...content.childNodes);
  for (const button of root.querySelectorAll("[data-reveal]")) button.removeAttribute("hidden");
  const form = from
    ? root.querySelector<HTMLFormElement>(`form[name="${from.name}"]`)
    : (root.querySelector<HTMLInputElement>("input[name=email]")?.form ?? null);
  for (const { name, value } of typed) {
    const field = form?.elements.namedItem(name);
    if (field instanceof HTMLInputElement) field.value ||= value;
  }
  return form;
}

/** Submits a form, whose button is busy until the response is there; after a redirect, until the next page is. */
async function submitForm(form: HTMLFormElement, submitter: HTMLElement | null, request: typeof requestPage) {
  const button = submitter instanceof HTMLButtonElement ? submitter : undefined;
  const label = button?.textContent ?? "";
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  if (button?.name) body.append(button.name, button.value);
  if (button) {
    button.setAttribute("aria-disabled", "true");
    button.textContent = button.dataset["busy"] ?? label;
  }
  const page = await request(form.action, { method: "POST", body });
  if (button && page !== "redirect") {
    button.removeAttribute("aria-disabled");
    button.textContent = label;
  }
  return page;
}

/** Shows the message for a failed request above the form, where it is announced each time. */
function showFailure(root: HTMLElement, kind: "network" | "server") {
  root.querySelector("[data-failure]")?.remove();
  const template = root.querySelector<HTMLTemplateElement>(`template[data-failed=${kind}]`);
  const notice = document.createElement("div");
  notice.dataset["failure"] = "";
  if (template) notice.append(template.content.cloneNode(true));
  template?.before(notice);
  notice.scrollIntoView({ block: "nearest" });
}

function enhancePage({ requestPage: request, ...part }: typeof parts) {
  const root = document.querySelector<HTMLElement>("[data-form-page]");
  if (!root) return;
  let address = location.pathname + location.search;
  let isBusy = false;
  let latest = 0;

  const focus = (element: HTMLElement | null | undefined) => {
    const heading = root.querySelector("h1");
    heading?.setAttribute("tabindex", "-1");
    (element ?? heading)?.focus();
  };

  const open = async (url: string) => {
    const number = ++latest;
    const page = await request(url);
    // Another link was followed in the meantime.
    if (page === "redirect" || number !== latest) return;
    if (page === "network") return part.showFailure(root, page);
    if (page === "server") return location.assign(url);
    if (url !== address) history.pushState(null, "", url);
    address = url;
    part.replacePage(root, page);
    focus(root.querySelector<HTMLElement>("[aria-current]"));
  };

  const submit = async (form: HTMLFormElement, submitter: HTMLElement | null) => {
    const number = ++latest;
    isBusy = true;
    const page = await part.submitForm(form, submitter, request);
    if (page === "redirect") return;
    isBusy = false;
    if (number !== latest) return;
    if (typeof page === "string") return part.showFailure(root, page);
    const next = part.replacePage(root, page, form);
    focus(root.querySelector<HTMLElement>("[autofocus]") ?? next?.querySelector<HTMLElement>("[type=submit]"));
    root.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
  };

  root.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.method !== "post") return;
    event.preventDefault();
    if (!isBusy) void submit(form, event.submitter);
  });
  root.addEventListener("click", (event) => {
    if (!(event.target instanceof Element)) return;
    const button = event.target.closest<HTMLButtonElement>("[data-reveal]");
    if (button) part.togglePassword(button);
    const link = event.target.closest<HTMLAnchorElement>("a[href]");
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || isBusy || !isPlain || !["/auth", "/forgot-password"].includes(link.pathname)) return;
    event.preventDefault();
    void open(link.pathname + link.search);
  });
  // The focus stays in the field when its button is pressed.
  root.addEventListener("mousedown", (event) => {
    if (event.target instanceof Element && event.target.closest("[data-reveal]")) event.preventDefault();
  });
  addEventListener("popstate", () => {
    const url = location.pathname + location.search;
    // Only the fragment differs.
    if (url === address) return;
    address = url;
    void open(url);
  });
  // The visitor may have signed in since the browser stored this page.
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  for (const button of root.querySelectorAll("[data-reveal]")) button.removeAttribute("hidden");
}

/** Tells the browser's other tabs that no one is signed in, because the sign-in page can't be opened with a session. */
function reportSignedOut(name: string): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have one
  if (location.pathname === "/auth") new BroadcastChannel(name).postMessage("");
}

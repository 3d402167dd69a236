import { kioskMessages } from "#app/features/kiosk/messages.ts";
import { idleMs, idleWarningMs, inviteMs, thanksMs } from "#app/features/kiosk/rules.ts";
import type { EntryContent } from "#app/features/kiosk/schema.ts";
import type { KioskData } from "#app/features/kiosk/tablet/kiosk-view.tsx";
import { readLeadForm } from "#app/features/leads/form-schema.ts";
import type { ReadLead } from "#app/features/leads/form-schema.ts";

import { isClosed } from "./closed-client.ts";
import { keepScreenOn, loadCurrentPage, offerFullScreen, prepareForOffline } from "./page-client.ts";
import { addEntry, deleteOld, encryptEntry } from "./queue-client.ts";
import type { QueueEntry } from "./queue-client.ts";
import { createQueueStatus } from "./status-client.ts";
import type { QueueStatus } from "./status-client.ts";
import { createSender, postEntries } from "./sender-client.ts";
import type { Sender } from "./sender-client.ts";
import { isTouched, showErrors, showNotice } from "./visitor-form.ts";

/** The form as the server had it last: what to read it with, and its HTML. */
type BlankForm = { data: KioskData; html: string; ownerHtml: string };

/** The page and its state. */
type Kiosk = {
  main: HTMLElement;
  /** What contains the form. */
  part: HTMLElement;
  latest: BlankForm;
  shown: BlankForm;
  /** Of the lead of this visitor: however often its form is sent, it creates one lead. */
  leadId: string;
  lastInput: number;
  /** When the next visitor gets the form; undefined while it is shown. */
  thanksUntil: number | undefined;
  isSaving: boolean;
  sender: Sender;
  status: QueueStatus;
};

const refreshMs = 300_000;
const tickMs = 500;

/** Shows the form to one visitor after the other. Each gets new elements, so that nothing of the one before is left, not even to undo. */
export function startKiosk(main: HTMLElement, data: KioskData): void {
  const part = findPart(main, "form");
  // Before the browser restores what was typed; unlike the elements, their HTML never has it.
  const blank = { data, html: part.innerHTML, ownerHtml: findPart(main, "owner").innerHTML };
  const status = createQueueStatus(main, data.key.id);
  const onChange = () => void status.update();
  const onClosed = () => void refresh(kiosk);
  const kiosk: Kiosk = {
    main,
    part,
    latest: blank,
    shown: blank,
    leadId: crypto.randomUUID(),
    lastInput: Date.now(),
    thanksUntil: undefined,
    isSaving: false,
    sender: createSender({ path: data.path, keyId: data.key.id, onChange, onClosed }),
    status,
  };
  listen(kiosk);
  prepareDevice(main);
  forgetOld(data);
  setInterval(() => tick(kiosk), tickMs);
  setInterval(() => void refresh(kiosk), refreshMs);
  kiosk.sender.send();
  onChange();
  void refresh(kiosk);
}

function listen(kiosk: Kiosk) {
  const { main, sender } = kiosk;
  for (const event of ["input", "keydown", "pointerdown"])
    addEventListener(event, () => (kiosk.lastInput = Date.now()), { passive: true });
  main.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit(kiosk);
  });
  main.addEventListener("click", ({ target }) => {
    const action = target instanceof Element ? target.closest<HTMLElement>("[data-action]")?.dataset["action"] : "";
    if (action === "next" || action === "start") startOver(kiosk);
    // The press itself was input.
    if (action === "stay") tick(kiosk);
  });
  // The browser's copy of this page, from before.
  addEventListener("pageshow", ({ persisted }) => persisted && startOver(kiosk));
  document.addEventListener("visibilitychange", () => sender.send());
  addEventListener("online", () => {
    sender.send();
    void refresh(kiosk);
  });
}

/** Loads the form and its texts as they are now. They are shown to the next visitor, or once no one is using the form. */
async function refresh(kiosk: Kiosk) {
  const page = await loadCurrentPage(kiosk.latest.data.path);
  if (!page) return;
  kiosk.latest = isClosed(page) ? { ...kiosk.latest, html: "" } : readBlankForm(page);
  tick(kiosk);
}

function showLatest(kiosk: Kiosk) {
  const { main, part, latest, shown } = kiosk;
  // The link or the form is gone, or has another key: the page is opened again, not sent again, where it is the answer to a form.
  if (latest.html === "" || latest.data.key.id !== shown.data.key.id || main.hasAttribute("data-again"))
    return location.replace(latest.data.path);
  kiosk.shown = latest;
  part.innerHTML = latest.html;
  findPart(main, "owner").innerHTML = latest.ownerHtml;
}

/** `invites`: no one is there, so that the page asks for a touch before it shows the form. */
function startOver(kiosk: Kiosk, { invites = false } = {}) {
  const { main, sender } = kiosk;
  kiosk.thanksUntil = undefined;
  kiosk.lastInput = Date.now();
  kiosk.leadId = crypto.randomUUID();
  showLatest(kiosk);
  show(main, invites ? "invite" : "form");
  sender.send();
}

function sayThanks(kiosk: Kiosk, isMailed: boolean) {
  const { main, part } = kiosk;
  kiosk.thanksUntil = Date.now() + thanksMs;
  // At once: the next one may take the device before the time is over.
  part.replaceChildren();
  main.querySelector("[data-mail-text]")?.toggleAttribute("hidden", !isMailed);
  show(main, "thanks");
}

async function submit(kiosk: Kiosk) {
  if (kiosk.isSaving || kiosk.thanksUntil !== undefined) return;
  const form = formOf(kiosk);
  const { settings, purposes, key, path, loadedAt } = kiosk.shown.data;
  const texts = purposes.map((purpose) => ({ purpose }));
  const read = readLeadForm(new FormData(form), settings, texts);
  if (Object.keys(read.errors).length > 0) return showErrors(form, read.errors);
  const content = toContent(read, { id: kiosk.leadId, loadedAt });
  kiosk.isSaving = true;
  const saved = encryptEntry(content, key).then((entry) => storeOrSend(path, entry));
  const isStored = await saved.finally(() => (kiosk.isSaving = false));
  if (!isStored) return showNotice(form, kioskMessages.notStored);
  sayThanks(kiosk, content.details.email !== "");
  kiosk.sender.send();
  await kiosk.status.update();
}

function tick(kiosk: Kiosk) {
  const { main, thanksUntil, lastInput, isSaving } = kiosk;
  const now = Date.now();
  if (thanksUntil !== undefined) {
    fillSeconds(main, "[data-thanks-seconds]", thanksUntil - now);
    if (now >= thanksUntil) startOver(kiosk, { invites: true });
    return;
  }
  const left = lastInput + idleMs - now;
  const isTyped = isTouched(formOf(kiosk));
  if (kiosk.latest !== kiosk.shown && !isTyped && (left <= 0 || !isInUse(kiosk))) return showLatest(kiosk);
  const isAbandoned = !isSaving && isTyped && left <= idleWarningMs;
  const isLeft = isTyped ? isAbandoned && left <= 0 : now - lastInput >= inviteMs;
  if (isLeft && main.dataset["shows"] === "form") return startOver(kiosk, { invites: true });
  fillSeconds(main, "[data-idle-seconds]", left);
  findPart(main, "idle").toggleAttribute("hidden", !isAbandoned);
}

/** Whether a visitor is about to type, or reads what is stored. */
function isInUse({ part }: Kiosk): boolean {
  return part.querySelector(":is(input,textarea,select,button):focus,details[open]") !== null;
}

function formOf({ part }: Kiosk): HTMLFormElement {
  const form = part.querySelector("form");
  if (!form) throw new Error("The page has no form.");
  return form;
}

function prepareDevice(main: HTMLElement) {
  const button = main.querySelector<HTMLElement>("[data-action=full-screen]");
  if (button) offerFullScreen(button);
  keepScreenOn();
  void prepareForOffline();
}

function forgetOld({ loadedAt, key }: KioskData) {
  // Next time, if the storage can't be read now.
  deleteOld({ serverTime: loadedAt, sentKeyId: key.id }).catch(() => undefined);
}

/** On the disk, to be sent from there. Where that is impossible, straight to the server. */
async function storeOrSend(path: string, entry: QueueEntry): Promise<boolean> {
  try {
    await addEntry(entry);
    return true;
  } catch {
    // The storage is full or refused.
    const response = await postEntries(path, [entry]);
    return typeof response !== "string" && response.results.some(({ result }) => result === "delivered");
  }
}

function toContent({ details, consents }: ReadLead, { id, loadedAt }: { id: string; loadedAt: number }): EntryContent {
  const agreed = consents.flatMap(({ purpose, hash }) => (purpose === "in-person" ? [] : [{ purpose, hash }]));
  return {
    id,
    givenAt: Date.now(),
    loadedAt,
    consents: agreed,
    details: { ...details, answers: [...details.answers] },
  };
}

function readBlankForm(page: Document): BlankForm {
  const main = page.querySelector<HTMLElement>("[data-kiosk]");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by our server, with the page
  const data = JSON.parse(main?.dataset["kiosk"] ?? "") as KioskData;
  const htmlOf = (part: Part) => page.querySelector(`[data-part=${part}]`)?.innerHTML ?? "";
  return { data, html: htmlOf("form"), ownerHtml: htmlOf("owner") };
}

type Part = "owner" | "form" | "thanks" | "idle";

function findPart(main: HTMLElement, name: Part): HTMLElement {
  const part = main.querySelector<HTMLElement>(`[data-part=${name}]`);
  if (!part) throw new Error(`The page has no part "${name}".`);
  return part;
}

/** Shows one of the parts, and moves the focus to its beginning. */
function show(main: HTMLElement, shown: "form" | "thanks" | "invite") {
  main.dataset["shows"] = shown;
  for (const part of ["form", "thanks"] as const) findPart(main, part).toggleAttribute("hidden", part !== shown);
  findPart(main, "idle").toggleAttribute("hidden", true);
  scrollTo(0, 0);
  findPart(main, shown === "thanks" ? "thanks" : "owner")
    .querySelector("h1")
    ?.focus({ preventScroll: true });
}

function fillSeconds(main: HTMLElement, selector: string, leftMs: number) {
  const element = main.querySelector(selector);
  const text = String(Math.max(0, Math.ceil(leftMs / 1_000)));
  if (element && element.textContent !== text) element.textContent = text;
}

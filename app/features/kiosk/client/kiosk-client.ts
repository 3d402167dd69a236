import { pageCache } from "#app/features/kiosk/rules.ts";
import { readLeadForm } from "#app/features/leads/form-schema.ts";
import { sessionChannel } from "#app/ui/forms/submit-in-place.ts";

import { firstState, kioskReducer } from "./kiosk-state.ts";
import type { KioskEvent, KioskState, LoadedPage } from "./kiosk-state.ts";
import { showState } from "./page-client.ts";
import { countEntries, createSender, deleteOld, saveEntry } from "./queue-client.ts";

type Tablet = {
  main: HTMLElement;
  path: string;
  state: KioskState;
  /** Between the tabs of the browser, which all show what waits on the device. */
  channel: BroadcastChannel;
  /** Sends what waits for the card; does nothing for a link that was removed. */
  send: () => void;
};

const refreshMs = 300_000;
const closedRefreshMs = 60_000;
const tickMs = 500;

function startTablet(main: HTMLElement) {
  // Before the browser restores what was typed; unlike the elements, their HTML never has it.
  const page = readPage(document);
  const { data } = page;
  const path = "closed" in data ? location.pathname : data.path;
  const moment = { now: Date.now(), nextLeadId: crypto.randomUUID() };
  const state = firstState(page, { ...moment, isAgain: main.hasAttribute("data-again") });
  const tablet: Tablet = { main, path, state, channel: new BroadcastChannel("meishi-kiosk"), send: () => undefined };
  const refresh = () => void loadLatest(tablet);
  if (data.key)
    tablet.send = createSender({
      path,
      keyId: data.key.id,
      onChange: () => announceChange(tablet),
      onClosed: refresh,
    });
  tablet.channel.addEventListener("message", () => void countQueue(tablet));
  for (const event of ["online", "offline"]) addEventListener(event, () => void countQueue(tablet));
  addEventListener("online", () => {
    tablet.send();
    refresh();
  });
  setInterval(refresh, "closed" in data ? closedRefreshMs : refreshMs);
  if (!("closed" in data)) serveVisitors(tablet);
  tablet.send();
  refresh();
  void deleteOld({ serverTime: data.loadedAt, sentKeyId: data.key?.id })
    // Next time, if the storage can't be read now.
    .catch(() => undefined)
    .then(() => announceChange(tablet));
}

function dispatch(tablet: Tablet, event: KioskEvent) {
  const before = tablet.state;
  const state = kioskReducer(before, { ...event, now: Date.now(), nextLeadId: crypto.randomUUID() });
  tablet.state = state;
  showState(tablet.main, state, before);
  if (state.mustReopen && !before.mustReopen) location.replace(tablet.path);
  if (state.screen !== before.screen || state.leadId !== before.leadId) tablet.send();
}

/** Shows the form to one visitor after the other. */
function serveVisitors(tablet: Tablet) {
  const { main } = tablet;
  for (const event of ["input", "keydown", "pointerdown"])
    addEventListener(event, () => dispatch(tablet, { type: "input" }), { passive: true });
  main.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit(tablet);
  });
  main.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("[data-action]") : undefined;
    const action = button?.dataset["action"];
    if (action === "start") dispatch(tablet, { type: "start" });
    // The press itself was input.
    if (action === "stay") tick(tablet);
  });
  // The browser's copy of this page, from before.
  addEventListener("pageshow", ({ persisted }) => persisted && dispatch(tablet, { type: "start" }));
  document.addEventListener("visibilitychange", tablet.send);
  setInterval(() => tick(tablet), tickMs);
  const fullScreen = main.querySelector<HTMLElement>("[data-action=full-screen]");
  if (fullScreen) offerFullScreen(fullScreen);
  keepScreenOn();
  void prepareForOffline();
}

function tick(tablet: Tablet) {
  const part = tablet.main.querySelector("[data-part=form]");
  const form = part?.querySelector("form");
  const isTyped = !!form && [...new FormData(form)].some(([name, value]) => name !== "formToken" && value !== "");
  const isInUse = !!part?.querySelector(":is(input,textarea,select,button):focus,details[open]");
  dispatch(tablet, { type: "tick", isTyped, isInUse });
}

async function submit(tablet: Tablet) {
  const { screen, isSaving, shown, leadId } = tablet.state;
  const form = tablet.main.querySelector("form");
  if (!form || screen !== "form" || isSaving || "closed" in shown.data) return;
  const { settings, purposes, key, path, loadedAt } = shown.data;
  const texts = purposes.map((purpose) => ({ purpose }));
  const { errors, details, consents } = readLeadForm(new FormData(form), settings, texts);
  if (Object.keys(errors).length > 0) return dispatch(tablet, { type: "invalid", errors });
  const agreed = consents.flatMap(({ purpose, hash }) => (purpose === "in-person" ? [] : [{ purpose, hash }]));
  const content = { id: leadId, givenAt: Date.now(), loadedAt, consents: agreed, details };
  dispatch(tablet, { type: "saving" });
  let isSaved = false;
  try {
    isSaved = await saveEntry(path, content, key);
  } finally {
    dispatch(tablet, isSaved ? { type: "saved", isMailed: details.email !== "" } : { type: "not-saved" });
  }
  if (isSaved) announceChange(tablet);
}

/** After what waits on the device may have changed. */
function announceChange(tablet: Tablet) {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is for one origin
  tablet.channel.postMessage("changed");
  void countQueue(tablet);
}

async function countQueue(tablet: Tablet) {
  const counts = await countEntries(tablet.state.shown.data.key?.id).catch(() => undefined);
  dispatch(tablet, { type: "counted", counts, isOnline: navigator.onLine });
}

/** Loads the form and its texts as they are now, and stores the page for starts without a network. */
async function loadLatest(tablet: Tablet) {
  const page = await fetchPage(tablet.path);
  if (!page) return;
  dispatch(tablet, { type: "loaded", page });
  if (tablet.state.screen !== "closed") tick(tablet);
}

/** Undefined without a network, and for what isn't ours, such as the page of a hotel's network. */
async function fetchPage(path: string): Promise<LoadedPage | undefined> {
  try {
    const response = await fetch(path, { cache: "no-store", redirect: "error" });
    const isPage = response.headers.get("content-type")?.startsWith("text/html") === true;
    const html = await response.clone().text();
    const page = new DOMParser().parseFromString(html, "text/html");
    if (!isPage || response.status >= 500 || !page.querySelector("[data-kiosk]")) return undefined;
    const stored = caches.open(pageCache).then((cache) => cache.put(path, response));
    // Where nothing can be stored, the page still shows what has changed.
    await stored.catch(() => undefined);
    return readPage(page);
  } catch {
    // No network, or an answer that was cut off.
    return undefined;
  }
}

function readPage(page: Document): LoadedPage {
  const main = page.querySelector<HTMLElement>("[data-kiosk]");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by our server, with the page
  const data = JSON.parse(main?.dataset["kiosk"] ?? "") as LoadedPage["data"];
  const htmlOf = (part: string) => main?.querySelector(`[data-part=${part}]`)?.innerHTML ?? "";
  return { data, formHtml: htmlOf("form"), ownerHtml: htmlOf("owner") };
}

/** Starts pages without a network, and asks the browser not to delete what waits. Both work in browsers and contexts that have them. */
async function prepareForOffline() {
  await Promise.allSettled([
    navigator.serviceWorker.register("/kiosk-worker.js", { scope: "/kiosk/" }),
    navigator.storage.persist(),
  ]);
}

/** Keeps the screen on while the page is visible. The browser ends that each time the page is hidden. */
function keepScreenOn() {
  const request = () => {
    // Refused with an empty battery, for example: then the screen turns off as usual.
    if (document.visibilityState === "visible") void navigator.wakeLock?.request("screen").catch(() => undefined);
  };
  document.addEventListener("visibilitychange", request);
  request();
}

/** Shows the button while the page isn't full screen, where the browser has that (an iPhone doesn't). */
function offerFullScreen(button: HTMLElement) {
  if (!document.fullscreenEnabled) return;
  const update = () => button.toggleAttribute("hidden", document.fullscreenElement !== null);
  document.addEventListener("fullscreenchange", update);
  button.addEventListener("click", () => {
    keepScreenOn();
    // Refused, for example by a policy of the device: the button stays.
    void document.documentElement.requestFullscreen({ navigationUI: "hide" }).catch(() => undefined);
  });
  update();
}

/**
 * The script of a kiosk's page: what happens on the device goes to the reducer (kiosk-state.ts), whose state the page shows (page-client.ts).
 * Without what it needs (https, storage), the form is sent by the browser, with a network. At the end of the file, because the constants
 * above have no value earlier.
 */
const main = document.querySelector<HTMLElement>("[data-kiosk]");
// Its owner's other tabs must not stay open to visitors.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is for one origin
if (main?.querySelector("[data-handed-over]")) new BroadcastChannel(sessionChannel).postMessage(null);
const canStore = isSecureContext && "locks" in navigator && "indexedDB" in globalThis;
if (main && canStore) startTablet(main);
else {
  const status = main?.querySelector("[data-text=queue]");
  if (status) status.textContent = "Not over https: the form works only with a network.";
}

import { idleMs, idleWarningMs, inviteMs, thanksMs } from "#app/features/kiosk/rules.ts";
import type { ClosedData, KioskData } from "#app/features/kiosk/tablet/kiosk-view.tsx";
import type { LeadErrors } from "#app/features/leads/form-schema.ts";

import type { QueueCounts } from "./queue-client.ts";

/** A page as the server sent it: what to read its form with, and the HTML of what each visitor gets anew. */
export type LoadedPage = { data: KioskData | ClosedData; formHtml: string; ownerHtml: string };

/** All that the page of a tablet shows. */
export type KioskState = {
  /** "invite": no one is there. "closed": the link has no form now. */
  screen: "form" | "thanks" | "invite" | "closed";
  /** The page as it was loaded last. It is shown to the next visitor, or once no one is using the form. */
  latest: LoadedPage;
  shown: LoadedPage;
  /** Whether the form has what a visitor had sent without script. */
  isAgain: boolean;
  /** The latest page can't be shown here: its address is opened instead. */
  mustReopen: boolean;
  /** Of the lead of this visitor: however often its form is sent, it creates one lead. */
  leadId: string;
  /** When the last input was; with the thanks, when they appeared. */
  since: number;
  /** Until the thanks end, or until what was typed is cleared; undefined while that isn't near. */
  secondsLeft: number | undefined;
  isSaving: boolean;
  /** Whether the visitor gets an email. */
  isMailed: boolean;
  /** Why the form wasn't accepted: what is wrong with its fields, or that it can't be stored. */
  problem: LeadErrors | "not-stored" | undefined;
  /** What waits on the device; without counts, its storage can't be read. Undefined until it was read. */
  queue: { counts: QueueCounts | undefined; isOnline: boolean } | undefined;
};

export type KioskEvent =
  | { type: "input" }
  /** Twice a second. `isInUse`: a visitor is about to type, or reads what is stored. */
  | { type: "tick"; isTyped: boolean; isInUse: boolean }
  /** The next visitor is here. */
  | { type: "start" }
  | { type: "loaded"; page: LoadedPage }
  | { type: "invalid"; errors: LeadErrors }
  | { type: "saving" }
  | { type: "saved"; isMailed: boolean }
  | { type: "not-saved" }
  | { type: "counted"; counts: QueueCounts | undefined; isOnline: boolean };

type Moment = { now: number; nextLeadId: string };

export function firstState(page: LoadedPage, { now, nextLeadId, isAgain }: Moment & { isAgain: boolean }): KioskState {
  return {
    screen: "closed" in page.data ? "closed" : "form",
    latest: page,
    shown: page,
    isAgain,
    mustReopen: false,
    leadId: nextLeadId,
    since: now,
    secondsLeft: undefined,
    isSaving: false,
    isMailed: false,
    problem: undefined,
    queue: undefined,
  };
}

/** The state of the page after an event. */
export function kioskReducer(state: KioskState, event: KioskEvent & Moment): KioskState {
  switch (event.type) {
    case "input":
      return state.screen === "thanks" ? state : { ...state, since: event.now };
    case "tick":
      return tick(state, event);
    case "start":
      return startOver(state, event, "form");
    case "loaded":
      if (state.screen === "closed") return { ...state, mustReopen: !("closed" in event.page.data) };
      return { ...state, latest: event.page };
    case "invalid":
      return { ...state, problem: event.errors };
    case "saving":
      return { ...state, isSaving: true };
    case "saved": {
      const thanks = { screen: "thanks", since: event.now, secondsLeft: thanksMs / 1_000 } as const;
      return { ...state, ...thanks, isSaving: false, isMailed: event.isMailed };
    }
    case "not-saved":
      return { ...state, isSaving: false, problem: "not-stored" };
    case "counted":
      return { ...state, queue: { counts: event.counts, isOnline: event.isOnline } };
  }
}

type Tick = Moment & { isTyped: boolean; isInUse: boolean };

function tick(state: KioskState, { isTyped, isInUse, ...moment }: Tick): KioskState {
  const { screen, latest, shown, since, isSaving } = state;
  const passed = moment.now - since;
  if (screen === "thanks")
    return passed >= thanksMs
      ? startOver(state, moment, "invite")
      : { ...state, secondsLeft: secondsIn(thanksMs - passed) };
  if (latest !== shown && !isTyped && (passed >= idleMs || !isInUse)) return showLatest(state);
  const isAbandoned = isTyped && !isSaving && passed >= idleMs - idleWarningMs;
  const isLeft = isTyped ? isAbandoned && passed >= idleMs : passed >= inviteMs;
  if (isLeft && screen === "form") return startOver(state, moment, "invite");
  return { ...state, secondsLeft: isAbandoned ? secondsIn(idleMs - passed) : undefined };
}

function startOver(state: KioskState, { now, nextLeadId }: Moment, screen: "form" | "invite"): KioskState {
  return { ...showLatest(state), screen, leadId: nextLeadId, since: now, secondsLeft: undefined };
}

/** A page without a form or with another key is opened, and so is one that is the answer to a form: it must not be sent again. */
function showLatest(state: KioskState): KioskState {
  const { latest, shown, isAgain } = state;
  const mustReopen = isAgain || "closed" in latest.data || latest.data.key.id !== shown.data.key?.id;
  return mustReopen ? { ...state, mustReopen } : { ...state, shown: latest, problem: undefined };
}

function secondsIn(ms: number): number {
  return Math.max(0, Math.ceil(ms / 1_000));
}

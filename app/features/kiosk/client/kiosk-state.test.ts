import { describe, expect, test } from "vitest";

import { idleMs, idleWarningMs, inviteMs, thanksMs } from "#app/features/kiosk/rules.ts";
import { defaultFormSettings } from "#app/features/leads/schema.ts";

import { firstState, kioskReducer } from "./kiosk-state.ts";
import type { KioskEvent, KioskState, LoadedPage } from "./kiosk-state.ts";

const start = 1_000_000;
const unused = { type: "tick", isTyped: false, isInUse: false } as const;
const typed = { type: "tick", isTyped: true, isInUse: true } as const;

function page({ keyId = "k1", formHtml = "<form></form>" } = {}): LoadedPage {
  const key = { id: keyId, key: { kty: "EC" } };
  const data = { path: "/kiosk/x", key, loadedAt: 1, settings: defaultFormSettings, purposes: [] };
  return { data, formHtml, ownerHtml: "" };
}

const closed: LoadedPage = { data: { closed: "removed", loadedAt: 2 }, formHtml: "", ownerHtml: "" };

function open(shown = page(), isAgain = false): KioskState {
  return firstState(shown, { now: start, nextLeadId: "lead 1", isAgain });
}

/** The state after an event, so many milliseconds after the page was opened. */
function after(state: KioskState, event: KioskEvent, ms = 0): KioskState {
  return kioskReducer(state, { ...event, now: start + ms, nextLeadId: "lead 2" });
}

describe("a visitor", () => {
  test("who has typed is warned before the form is cleared, unless there is input", () => {
    const warnedAt = idleMs - idleWarningMs;
    expect(after(open(), typed, warnedAt - 1).secondsLeft).toBeUndefined();
    const warned = after(open(), typed, warnedAt);
    expect(warned).toMatchObject({ screen: "form", secondsLeft: idleWarningMs / 1_000, leadId: "lead 1" });
    const stays = after(warned, { type: "input" }, warnedAt + 10);
    expect(after(stays, typed, idleMs)).toMatchObject({ screen: "form", secondsLeft: undefined });
    expect(after(warned, typed, idleMs)).toMatchObject({ screen: "invite", leadId: "lead 2", secondsLeft: undefined });
  });

  test("isn't cleared while the form is being stored", () => {
    const saving = after(open(), { type: "saving" });
    expect(after(saving, typed, 2 * idleMs)).toMatchObject({ screen: "form", secondsLeft: undefined });
  });

  test("is invited once no one has used the empty form", () => {
    expect(after(open(), unused, inviteMs - 1).screen).toBe("form");
    const invited = after(open(), unused, inviteMs);
    expect(invited.screen).toBe("invite");
    expect(after(invited, { type: "start" }, inviteMs + 5)).toMatchObject({
      screen: "form",
      since: start + inviteMs + 5,
    });
  });

  test("is thanked, and input doesn't extend the thanks", () => {
    const thanks = after(after(open(), { type: "saving" }), { type: "saved", isMailed: true }, 5);
    expect(thanks).toMatchObject({ screen: "thanks", isMailed: true, isSaving: false, secondsLeft: thanksMs / 1_000 });
    const touched = after(thanks, { type: "input" }, 4_000);
    expect(after(touched, unused, 5 + thanksMs - 1)).toMatchObject({ screen: "thanks", secondsLeft: 1 });
    expect(after(touched, unused, 5 + thanksMs)).toMatchObject({ screen: "invite", leadId: "lead 2" });
  });

  test("keeps the form and its lead after an error, and the next one sees none", () => {
    const failed = after(after(open(), { type: "saving" }), { type: "not-saved" });
    expect(failed).toMatchObject({ screen: "form", isSaving: false, problem: "not-stored", leadId: "lead 1" });
    const invalid = after(failed, { type: "invalid", errors: { name: "Enter your name." } });
    expect(invalid.problem).toEqual({ name: "Enter your name." });
    expect(after(invalid, { type: "start" })).toMatchObject({ problem: undefined, leadId: "lead 2" });
  });
});

describe("a page that was loaded again", () => {
  const loaded = { type: "loaded", page: page({ formHtml: "<form>new</form>" }) } as const;

  test("is shown once no one uses the form", () => {
    const state = after(open(), loaded);
    expect(after(state, typed).shown.formHtml).toBe("<form></form>");
    expect(after(state, { ...unused, isInUse: true }).shown.formHtml).toBe("<form></form>");
    expect(after(state, { ...unused, isInUse: true }, idleMs).shown).toBe(loaded.page);
    expect(after(state, unused)).toMatchObject({ shown: loaded.page, leadId: "lead 1", mustReopen: false });
    expect(after(state, { type: "start" }).shown).toBe(loaded.page);
  });

  test.each([
    ["without a form", closed, false],
    ["with another key", page({ keyId: "k2" }), false],
    ["in place of the answer to a form", page(), true],
  ])("%s is opened instead", (_, latest, isAgain) => {
    const state = after(open(page(), isAgain), { type: "loaded", page: latest });
    expect(after(state, typed).mustReopen).toBe(false);
    expect(after(state, unused)).toMatchObject({ mustReopen: true, screen: "form" });
  });

  test("opens the form again where the link had none", () => {
    const state = open(closed);
    expect(state.screen).toBe("closed");
    expect(after(state, { type: "loaded", page: closed }).mustReopen).toBe(false);
    expect(after(state, { type: "loaded", page: page() }).mustReopen).toBe(true);
  });
});

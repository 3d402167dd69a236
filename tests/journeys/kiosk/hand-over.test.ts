import { describe, expect, test } from "vitest";

import { leadFormSettings, openLeadForm } from "#tests/journeys/leads/shared-contacts.ts";
import { fieldValue, makeCard, pendingToast } from "#tests/support/app/cards.ts";
import { textWith } from "#tests/support/app/responses.ts";
import { bearerOf, copyBrowser, locationOf, logIn } from "#tests/support/app/visitor.ts";
import { removePasswords } from "#tests/support/database/account-rows.ts";

const unlockPath = "/hand-over/unlock";
const wrong = "That isn’t the PIN or password.";

/** An owner whose browser may be handed over, and the pages that no visitor may see. */
async function open() {
  const opened = await openLeadForm();
  const { ada, card, services } = opened;
  const handOver = async (pin = "") => locationOf(await ada.post(`/cards/${card}/hand-over`, { pin })) ?? "";
  const unlock = (secret: string, browser = ada) => browser.post(unlockPath, { secret });
  const events = async () =>
    (await services.db.selectFrom("security_event").select("event").execute()).map(({ event }) => event);
  return { ...opened, handOver, unlock, events };
}

const ownPages = ["/profile", "/leads", "/account", "/leads/export.csv", "/cards", "/auth", "/", "/u/ada"];

describe("a browser that was handed over", () => {
  test("shows the form and opens no other page, whatever is typed, posted or was open before", async () => {
    const { ada, card, handOver, services, ...app } = await open();
    const before = copyBrowser(app, ada);
    const form = await handOver();
    expect(form).toMatch(/^\/kiosk\/[\w-]{43}$/);
    expect(await (await ada.get(form)).text()).toContain(`href="${unlockPath}"`);
    for (const path of [...ownPages, `/leads.data`, `/share/card/${card}`, `/c/unknown`])
      expect([path, locationOf(await ada.get(path))]).toEqual([path, "/hand-over"]);
    expect(locationOf(await ada.get("/hand-over"))).toBe(form);
    expect(locationOf(await ada.post("/auth/sign-out", {}))).toBe("/hand-over");
    expect(locationOf(await logIn(ada, ada))).toBe("/hand-over");
    // Back from a provider that the owner is signed in to.
    ada.cookies.set("meishi.oauth_state", "a".repeat(43));
    expect(locationOf(await ada.get("/api/auth/callback/google?state=x&code=y"))).toBe("/");
    // The service worker deletes the owner's offline page.
    expect((await ada.get("/my-qr")).status).toBe(401);
    // The cookie of before, and that of now as a token of the API.
    expect((await before.get("/leads")).status).toBe(302);
    const api = await ada.request("/api/v1/leads", { headers: bearerOf(ada) });
    expect(api.status).toBe(401);
    expect((await ada.get("/events")).status).toBe(401);
    const [row] = await services.db.selectFrom("handed_over_session").selectAll().execute();
    expect(JSON.stringify(row)).not.toContain(form.split("/").at(-1));
  });

  test("is signed out when its cookies are deleted", async () => {
    const { ada, handOver } = await open();
    await handOver();
    ada.cookies.clear();
    expect(locationOf(await ada.get("/leads"))).toBe("/auth?returnTo=%2Fleads");
  });

  test("sends contacts as a kiosk, and its owner comes back to them without signing in", async () => {
    const { ada, handOver, unlock, leads, services, events } = await open();
    const form = await handOver("2468");
    const page = await (await ada.get(form)).text();
    const typed = { name: "Grace", email: "grace@example.com", "question-q1": "At the fair" };
    const consent = { formToken: fieldValue(page, "formToken"), "consent-answer": fieldValue(page, "consent-answer") };
    expect((await ada.post(form, { ...typed, ...consent })).status).toBe(303);
    expect(locationOf(await unlock("2468"))).toBe("/leads");
    expect(pendingToast(ada)).toMatchObject({ title: "Welcome back", text: "1 visitor shared their details." });
    expect(await leads()).toMatchObject([{ name: "Grace", source: "kiosk" }]);
    expect(await (await ada.get("/leads")).text()).toContain("Grace");
    // The form's link has ended, and sensitive changes ask who it is.
    expect((await ada.get(form)).status).toBe(404);
    expect(await services.db.selectFrom("handed_over_session").selectAll().execute()).toEqual([]);
    expect(locationOf(await ada.get("/account/delete"))).toContain("/account/verify");
    expect(await events()).toEqual(expect.arrayContaining(["handed-over", "taken-back"]));
    expect(locationOf(await ada.get(unlockPath))).toBe("/");
  });

  test("is unlocked with the password as well; a wrong one and a wrong PIN get the same answer", async () => {
    const { ada, handOver, unlock } = await open();
    await handOver("2468");
    const answers = [await textWith(400, await unlock("1357")), await textWith(400, await unlock("not the password"))];
    expect(answers.map((html) => /role="alert">([^<]*)/.exec(html)?.[1])).toEqual([
      `${wrong} After 9 more wrong tries this browser is signed out.`,
      `${wrong} After 8 more wrong tries this browser is signed out.`,
    ]);
    expect(await textWith(400, await unlock(""))).toContain("Enter your PIN or password.");
    await unlock(ada.password);
    expect((await ada.get("/leads")).status).toBe(200);
  });

  test("is signed out after ten wrong tries, also at once, and then no PIN unlocks it", async () => {
    const { ada, visitor, handOver, unlock, events } = await open();
    const form = await handOver("2468");
    const results = await Promise.all(Array.from({ length: 15 }, (_, index) => unlock(`99${index}9`, ada)));
    expect(results.filter(({ status }) => status === 400)).toHaveLength(9);
    expect(locationOf(await unlock("2468"))).toBe("/auth");
    expect(locationOf(await ada.get("/leads"))).toBe("/auth?returnTo=%2Fleads");
    expect(await events()).toContain("session-ended");
    // Its link, which a visitor may have noted.
    expect(await (await visitor().get(form)).text()).not.toContain('name="consent-answer"');
  });

  test("is signed out by its owner from another browser", async () => {
    const { ada, handOver, unlock, visitor } = await open();
    await handOver("2468");
    const other = visitor();
    await logIn(other, ada);
    expect(await (await other.get("/account/security-log")).text()).toContain("Handed over a device to visitors");
    await other.post("/account/sessions", { intent: "end-others" });
    expect(locationOf(await unlock("2468"))).toBe("/auth");
  });
});

describe("handing over", () => {
  test("needs a PIN in an account without a password, and says so next to the field", async () => {
    const { ada, card, handOver, unlock, services } = await open();
    await removePasswords(services);
    const send = (pin: string) => ada.post(`/cards/${card}/hand-over`, { pin });
    expect(await textWith(400, await send(""))).toContain("Choose a PIN of 4 to 8 digits.");
    for (const pin of ["123", "123456789", "12a4"])
      expect(await textWith(400, await send(pin))).toContain("Use 4 to 8 digits.");
    expect((await ada.get("/leads")).status).toBe(200);
    await handOver("2468");
    expect(await textWith(400, await unlock(ada.password))).toContain(wrong);
    expect(locationOf(await unlock("2468"))).toBe(`/share/card/${card}`);
  });

  test("is impossible while the form is off and with another owner's card", async () => {
    const { ada, card, handOver, switchOff, signedIn } = await open();
    const eve = await signedIn("eve@example.com");
    const other = await makeCard(eve);
    await eve.post(`/cards/${other}/leads`, leadFormSettings);
    for (const id of [other, "unknown"]) {
      expect(locationOf(await ada.post(`/cards/${id}/hand-over`, {}))).toBe("/profile");
      expect(locationOf(await ada.get(`/cards/${id}/hand-over`))).toBe("/profile");
    }
    await switchOff();
    expect(await handOver()).toBe(`/cards/${card}/hand-over`);
    expect(await (await ada.get(`/cards/${card}/hand-over`)).text()).toContain("The form of this card is off");
  });
});

import { describe, expect, test } from "vitest";

import { kioskLimits } from "#app/features/kiosk/rules.ts";
import { eraseLeads } from "#app/features/leads/data.server.ts";
import { runMaintenance } from "#server/maintenance.ts";
import { day } from "#tests/journeys/leads/lead-owner.ts";
import { fieldValue, makeCard, pendingToast } from "#tests/support/app/cards.ts";
import { textWith } from "#tests/support/app/responses.ts";
import { useUp } from "#tests/support/database/attempts.ts";

import { createKioskLink, openKiosk, readKioskData } from "./kiosk.ts";
import { leadFormSettings } from "#tests/journeys/leads/shared-contacts.ts";

describe("a kiosk link", () => {
  test("is shown once, opens the form without an account, and is stored as a hash", async () => {
    const { ada, card, kioskPath, page, devices, services } = await openKiosk();
    expect(page).toContain(">Leave your contact</h1>");
    expect(page).not.toMatch(/<input[^>]*checked/);
    const list = await (await ada.get(`/cards/${card}/kiosk`)).text();
    expect(list).toContain("Tablet at the booth");
    const token = kioskPath.split("/").at(-1) ?? "";
    for (const text of [list, JSON.stringify(await devices())]) expect(text).not.toContain(token);
    // The page refers to texts that are stored as versions, in the order of the form.
    expect(readKioskData(page).purposes).toEqual(["answer", "newsletter"]);
    const texts = await services.db.selectFrom("consent_text").select("hash").execute();
    expect(texts.map(({ hash }) => page.includes(hash))).toEqual([true, true]);
  });

  test("loads nothing, links nowhere, names no referrer and no account, and is stored by no cache on the way", async () => {
    const { ada, tablet, kioskPath, page } = await openKiosk();
    const { headers } = await tablet.get(kioskPath);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-security-policy")).toMatch(/default-src 'none'; script-src 'sha256-[^ ]+';/);
    expect(page).toContain('<meta name="referrer" content="no-referrer"');
    const [markup = ""] = page.split("<script");
    expect(markup).not.toMatch(/<a |(?:src|href)="(?!data:)/);
    const warning = "Someone is signed in to Meishi in this browser";
    expect(page).not.toContain(warning);
    const own = await (await ada.get(kioskPath)).text();
    expect(own).toContain(warning);
    expect(own).not.toContain(ada.email);
    // What the browser stores for the kiosk stays when someone signs out in it.
    expect((await ada.post("/auth/sign-out", {})).headers.get("clear-site-data")).toBeNull();
  });

  test("is refused once its owner removed it, for the form, its contacts and a form without script", async () => {
    const { ada, tablet, kioskPath, content, encrypt, post, postForm, leads, remove } = await openKiosk();
    await remove();
    expect(pendingToast(ada)).toMatchObject({ title: "Kiosk link removed" });
    expect(await textWith(404, await tablet.get(kioskPath))).toContain("This kiosk link doesn’t work");
    expect((await post({ sentAt: 1, entries: [await encrypt(content())] })).status).toBe(404);
    expect((await postForm()).status).toBe(404);
    expect(await leads()).toEqual([]);
    const log = await (await ada.get("/account/security-log")).text();
    for (const text of ["Created a kiosk link", "Removed a kiosk link", "Tablet at the booth"])
      expect(log).toContain(text);
  });

  test("is refused while its owner is blocked, and loses nothing", async () => {
    const { ownerId, tablet, kioskPath, services, content, encrypt, post, send, leads } = await openKiosk();
    const entry = await encrypt(content());
    await services.db.insertInto("account_block").values({ owner_id: ownerId, created_at: 1, reason: "" }).execute();
    expect((await tablet.get(kioskPath)).status).toBe(404);
    expect((await post({ sentAt: 1, entries: [entry] })).status).toBe(404);
    expect(await leads()).toEqual([]);
    await services.db.deleteFrom("account_block").execute();
    expect((await send([entry])).results).toMatchObject([{ result: "delivered" }]);
  });

  test("shows no form while it is off or the card is private, and says so", async () => {
    const { ada, card, tablet, kioskPath, services, saveForm, switchOff } = await openKiosk();
    await switchOff();
    const closed = await tablet.get(kioskPath);
    expect([closed.status, (await closed.text()).includes("The form is off")]).toEqual([409, true]);
    await saveForm({ version: "2" });
    expect((await tablet.get(kioskPath)).status).toBe(200);
    await services.db.updateTable("card").set({ is_public: 0 }).execute();
    expect((await tablet.get(kioskPath)).status).toBe(409);
    expect(await (await ada.get(`/cards/${card}/kiosk`)).text()).toContain("Visitors can’t open this card");
  });

  test("is answered with 503 above a limit, so that a device shows the page that it has, and still sends", async () => {
    const { tablet, kioskPath, services, content, encrypt, send, deviceId } = await openKiosk();
    await useUp(services, { limit: kioskLimits.pages, subject: deviceId });
    const refused = await tablet.get(kioskPath);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await send([await encrypt(content())])).results).toMatchObject([{ result: "delivered" }]);
  });

  test("of another owner's card can't be created or removed", async () => {
    const { signedIn, card, devices, deviceId } = await openKiosk();
    const eve = await signedIn("eve@example.com");
    await makeCard(eve);
    const created = await eve.post(`/cards/${card}/kiosk`, { intent: "create", name: "Mine" });
    expect(await created.text()).not.toMatch(/\/kiosk\/[\w-]{43}/);
    await eve.post(`/cards/${card}/kiosk`, { intent: "remove", id: deviceId });
    expect(await devices()).toHaveLength(1);
    expect((await eve.get(`/cards/${card}/kiosk`)).headers.get("location")).toBe("/profile");
  });

  test("with a wrong name is refused, and what was typed comes back; a card has ten at most, also at once", async () => {
    const { ada, card, devices } = await openKiosk();
    const create = (name: string) => ada.post(`/cards/${card}/kiosk`, { intent: "create", name });
    for (const [name, message] of [
      [" ", "Enter a name for the device."],
      ["x".repeat(61), "Use at most 60 characters."],
    ] as const) {
      const html = await textWith(400, await create(name));
      expect(html).toContain(message);
      expect(fieldValue(html, "name")).toBe(name);
    }
    expect(await devices()).toHaveLength(1);
    const created = await Promise.all(Array.from({ length: 20 }, () => create("Tablet")));
    expect(created.filter(({ status }) => status === 200)).toHaveLength(9);
    expect(await created.find(({ status }) => status === 409)?.text()).toContain("A card can have 10 kiosk links.");
  });

  test("has the owner's own heading, escaped, and comes back with everything typed when that is too long", async () => {
    const { ada, card, tablet } = await openKiosk();
    const create = (heading: string) => ada.post(`/cards/${card}/kiosk`, { intent: "create", name: "Stand", heading });
    const link = /\/kiosk\/[\w-]{43}/.exec(await (await create("Win a <robot>")).text())?.[0] ?? "";
    expect(await (await tablet.get(link)).text()).toContain(">Win a &lt;robot&gt;</h1>");
    const html = await textWith(400, await create("x".repeat(61)));
    expect(html).toContain("Use at most 60 characters.");
    expect([fieldValue(html, "name"), fieldValue(html, "heading")]).toEqual(["Stand", "x".repeat(61)]);
  });

  test("is deleted with its card, and after a year without use", async () => {
    const { ada, card, ownerId, devices, services, signedIn, wait, time, tablet, kioskPath } = await openKiosk();
    const eve = await signedIn("eve@example.com");
    const other = await makeCard(eve);
    await eve.post(`/cards/${other}/leads`, leadFormSettings);
    await createKioskLink(eve, other);
    await ada.post(`/cards/${card}/delete`, {});
    await wait();
    expect((await devices()).map(({ owner_id }) => owner_id === ownerId)).toEqual([false]);
    expect((await tablet.get(kioskPath)).status).toBe(404);
    time.now += 366 * day;
    await runMaintenance(services.features, services);
    expect(await devices()).toEqual([]);
  });
});

describe("a device without script", () => {
  test("sends the form, gets thanks, and an empty form by itself", async () => {
    const { tablet, kioskPath, postForm, leads, devices } = await openKiosk();
    const sent = await postForm();
    expect([sent.status, sent.headers.get("location")]).toEqual([303, `${kioskPath}?sent=mail`]);
    await postForm();
    expect(await leads()).toMatchObject([{ name: "Grace", source: "kiosk" }]);
    expect((await devices())[0]?.received).toBe(1);
    const thanks = await tablet.get(`${kioskPath}?sent=mail`);
    expect(thanks.headers.get("refresh")).toBe(`10;url=${kioskPath}`);
    const html = await thanks.text();
    for (const text of ["has your details.", "We’ll email you a link to change your mind."])
      expect(html).toContain(text);
    expect(html).not.toContain("Grace");
    const [markup = ""] = (await (await tablet.get(`${kioskPath}?sent`)).text()).split("<script");
    expect(markup).not.toContain("We’ll email you");
  });

  test("can't bring back what was erased by sending an old form again", async () => {
    const { ownerId, form, postForm, leads, services, time } = await openKiosk();
    await postForm();
    const ids = (await leads()).map(({ id }) => id);
    await eraseLeads(services, { ownerId, ids });
    time.now += 92 * day;
    await runMaintenance(services.features, services);
    const again = await postForm();
    expect([ids.length, again.status, await leads()]).toEqual([1, 400, []]);
    expect(fieldValue(await again.text(), "formToken")).not.toBe(form.formToken);
  });

  test("gets the form back with an error next to the field, and a way to an empty one", async () => {
    const { kioskPath, postForm, leads } = await openKiosk();
    // A text that was never shown.
    const forged = await postForm({ "consent-answer": "0".repeat(64) });
    expect([forged.status, fieldValue(await forged.text(), "email")]).toEqual([400, "grace@example.com"]);
    const html = await textWith(400, await postForm({ name: "Grace <x>", email: "grace", "consent-answer": "" }));
    expect(html).toContain("Enter a valid email address");
    expect(html).toContain("Check this box to share your details.");
    expect(fieldValue(html, "name")).toBe("Grace &lt;x&gt;");
    expect(html).toContain(`<a href="${kioskPath}">Start over`);
    expect(await leads()).toEqual([]);
  });
});

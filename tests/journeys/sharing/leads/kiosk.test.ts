import { kioskLimits } from "#app/features/kiosk/rules.ts";
import { eraseLeads } from "#app/features/leads/data.server.ts";
import { runMaintenance } from "#server/maintenance.ts";
import { describe, expect, test } from "vitest";

import { fieldValue, makeCard, pendingToast } from "#tests/support/app/cards.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";

import { createKioskLink, openKiosk, readKioskData } from "./kiosk.ts";
import { leadFormSettings, openLeadForm } from "./shared-contacts.ts";

describe("a kiosk link", () => {
  test("is shown once, opens the form without an account, and is stored as a hash", async () => {
    const { ada, card, kioskPath, page, devices } = await openKiosk();
    expect(page).toContain("Share your contact");
    expect(page).not.toMatch(/<input[^>]*checked/);
    const list = await (await ada.get(`/cards/${card}/kiosk`)).text();
    expect(list).toContain("Tablet at the booth");
    const token = kioskPath.split("/").at(-1) ?? "";
    for (const text of [list, JSON.stringify(await devices())]) expect(text).not.toContain(token);
  });

  test("loads nothing, links nowhere, names no referrer, and is stored by no cache on the way", async () => {
    const { tablet, kioskPath, page } = await openKiosk();
    const { headers } = await tablet.get(kioskPath);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-security-policy")).toMatch(/default-src 'none'; script-src 'sha256-[^ ]+';/);
    expect(page).toContain('<meta name="referrer" content="no-referrer"');
    const [markup = ""] = page.split("<script");
    expect(markup).not.toMatch(/<a |(?:src|href)="(?!data:)/);
  });

  test("is refused once its owner removed it, for the form, its contacts and a form without script", async () => {
    const { ada, card, tablet, kioskPath, devices, content, encrypt, post, page, leads } = await openKiosk();
    const [device] = await devices();
    await ada.post(`/cards/${card}/kiosk`, { intent: "remove", id: device?.id ?? "" });
    expect(pendingToast(ada)).toMatchObject({ title: "Kiosk link removed" });
    const closed = await tablet.get(kioskPath);
    expect(closed.status).toBe(404);
    expect(await closed.text()).toContain("This kiosk link doesn&#x27;t work");
    expect((await post({ sentAt: 1, entries: [await encrypt(content())] })).status).toBe(404);
    const form = { stamp: fieldValue(page, "stamp"), email: "grace@example.com" };
    expect((await tablet.post(kioskPath, form)).status).toBe(404);
    expect(await leads()).toEqual([]);
  });

  test("is refused while its owner is blocked, and loses nothing", async () => {
    const { ada, tablet, kioskPath, services, content, encrypt, post, send, leads } = await openKiosk();
    const entry = await encrypt(content());
    const block = { owner_id: await userIdOf(ada), created_at: 1, reason: "" };
    await services.db.insertInto("account_block").values(block).execute();
    expect((await tablet.get(kioskPath)).status).toBe(404);
    expect((await post({ sentAt: 1, entries: [entry] })).status).toBe(404);
    expect(await leads()).toEqual([]);
    await services.db.deleteFrom("account_block").execute();
    expect((await send([entry])).results).toMatchObject([{ result: "delivered" }]);
  });

  test("is recorded in the security log when it is created and removed", async () => {
    const { ada, card, devices } = await openKiosk();
    const [device] = await devices();
    await ada.post(`/cards/${card}/kiosk`, { intent: "remove", id: device?.id ?? "" });
    const log = await (await ada.get("/account/security-log")).text();
    for (const text of ["Created a kiosk link", "Removed a kiosk link", "Tablet at the booth"])
      expect(log).toContain(text);
  });

  test("shows no form while it is off or the card is private, and says so", async () => {
    const { ada, card, tablet, kioskPath, services } = await openKiosk();
    const { is_on: _, ...off } = leadFormSettings;
    await ada.post(`/cards/${card}/leads`, { ...off, version: "1" });
    const closed = await tablet.get(kioskPath);
    expect([closed.status, (await closed.text()).includes("The form is off")]).toEqual([409, true]);
    await ada.post(`/cards/${card}/leads`, { ...leadFormSettings, version: "2" });
    expect((await tablet.get(kioskPath)).status).toBe(200);
    await services.db.updateTable("card").set({ is_public: 0 }).execute();
    expect((await tablet.get(kioskPath)).status).toBe(409);
    expect(await (await ada.get(`/cards/${card}/kiosk`)).text()).toContain("Visitors can&#x27;t open this card");
  });

  test("says when the browser is signed in, and names no account", async () => {
    const { ada, tablet, kioskPath } = await openKiosk();
    const warning = "Someone is signed in to Meishi in this browser";
    expect(await (await tablet.get(kioskPath)).text()).not.toContain(warning);
    const page = await (await ada.get(kioskPath)).text();
    expect(page).toContain(warning);
    expect(page).not.toContain(ada.email);
  });

  test("is answered with 503 above a limit, so that a device shows the page that it has, and still sends", async () => {
    const { tablet, kioskPath, services, content, encrypt, send } = await openKiosk();
    const [device] = await services.db.selectFrom("kiosk_device").select("id").execute();
    const attempt = { limit: kioskLimits.pages, subject: device?.id ?? "" };
    for (let n = 0; n < kioskLimits.pages.max; n++) await services.rateLimits.consume([attempt]);
    const refused = await tablet.get(kioskPath);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await send([await encrypt(content())])).results).toMatchObject([{ result: "delivered" }]);
  });

  test("of another owner's card can't be created or removed", async () => {
    const { signedIn, card, devices } = await openKiosk();
    const eve = await signedIn("eve@example.com");
    await makeCard(eve);
    const [device] = await devices();
    const created = await eve.post(`/cards/${card}/kiosk`, { intent: "create", name: "Mine" });
    expect(await created.text()).not.toMatch(/\/kiosk\/[\w-]{43}/);
    await eve.post(`/cards/${card}/kiosk`, { intent: "remove", id: device?.id ?? "" });
    expect(await devices()).toHaveLength(1);
    expect((await eve.get(`/cards/${card}/kiosk`)).headers.get("location")).toBe("/profile");
  });

  test.each([
    ["no name", { name: " ", message: "Enter a name for the device." }],
    ["a long name", { name: "x".repeat(61), message: "Use at most 60 characters." }],
  ])("with %s is refused, and what was typed comes back", async (_, { name, message }) => {
    const { ada, card, devices } = await openKiosk();
    const response = await ada.post(`/cards/${card}/kiosk`, { intent: "create", name });
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(html).toContain(message);
    expect(fieldValue(html, "name")).toBe(name);
    expect(await devices()).toHaveLength(1);
  });

  test("exists ten times per card, also when twenty are created at once", async () => {
    const { ada, card } = await openLeadForm();
    const created = await Promise.all(
      Array.from({ length: 20 }, () => ada.post(`/cards/${card}/kiosk`, { intent: "create", name: "Tablet" })),
    );
    expect(created.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(await created.find(({ status }) => status === 409)?.text()).toContain("A card can have 10 kiosk links.");
  });

  test("is deleted with its card, with the account, and after a year without use", async () => {
    const { ada, card, devices, services, signedIn, time, tablet, kioskPath } = await openKiosk();
    const eve = await signedIn("eve@example.com");
    const other = await makeCard(eve);
    await eve.post(`/cards/${other}/leads`, leadFormSettings);
    await createKioskLink(eve, other);
    const ownersOf = async () => (await devices()).map(({ owner_id }) => owner_id).toSorted();
    const [adasId, evesId] = [await userIdOf(ada), await userIdOf(eve)];
    expect(await ownersOf()).toEqual([adasId, evesId].toSorted());
    await ada.post(`/cards/${card}/delete`, {});
    await services.jobs.runDue();
    expect(await ownersOf()).toEqual([evesId]);
    expect((await tablet.get(kioskPath)).status).toBe(404);
    time.now += 366 * 86_400_000;
    const task = services.features
      .flatMap(({ storedData = [] }) => storedData)
      .find(({ name }) => name === "kiosk links");
    await (task as unknown as { deleteOld: (all: typeof services) => Promise<void> }).deleteOld(services);
    expect(await devices()).toEqual([]);
  });

  test("keeps what its browser stores when someone signs out in it", async () => {
    const { ada, kioskPath } = await openKiosk();
    await ada.get(kioskPath);
    expect((await ada.post("/auth/sign-out", {})).headers.get("clear-site-data")).toBeNull();
  });
});

describe("a device without script", () => {
  test("sends the form, gets thanks, and an empty form by itself", async () => {
    const { tablet, kioskPath, page, leads, devices } = await openKiosk();
    const form = {
      stamp: fieldValue(page, "stamp"),
      name: "Grace",
      email: "grace@example.com",
      "question-q1": "At the fair",
      "consent-answer": fieldValue(page, "consent-answer"),
    };
    // Browsers send this origin from a page that names no referrer.
    const send = () => tablet.post(kioskPath, form, { origin: "null" });
    const sent = await send();
    expect([sent.status, sent.headers.get("location")]).toEqual([303, `${kioskPath}?sent`]);
    await send();
    expect(await leads()).toMatchObject([{ name: "Grace", source: "kiosk" }]);
    expect((await devices())[0]?.received).toBe(1);
    const thanks = await tablet.get(`${kioskPath}?sent`);
    expect(thanks.headers.get("refresh")).toBe(`10;url=${kioskPath}`);
    expect(await thanks.text()).not.toContain("Grace");
  });

  test("can't bring back what was erased by sending an old form again", async () => {
    const { ada, tablet, kioskPath, page, leads, services, time } = await openKiosk();
    const form = {
      stamp: fieldValue(page, "stamp"),
      name: "Grace",
      email: "grace@example.com",
      "question-q1": "At the fair",
      "consent-answer": fieldValue(page, "consent-answer"),
    };
    await tablet.post(kioskPath, form);
    const ids = (await leads()).map(({ id }) => id);
    await eraseLeads(services, { ownerId: await userIdOf(ada), ids });
    time.now += 92 * 86_400_000;
    await runMaintenance(services.features, services);
    const again = await tablet.post(kioskPath, form);
    expect([ids.length, again.status, await leads()]).toEqual([1, 400, []]);
    expect(fieldValue(await again.text(), "stamp")).not.toBe(form.stamp);
  });

  test("that agrees to a text that was never shown gets the form back", async () => {
    const { tablet, kioskPath, page, leads } = await openKiosk();
    const form = { stamp: fieldValue(page, "stamp"), name: "Grace", email: "grace@example.com" };
    const filled = { ...form, "question-q1": "At the fair", "consent-answer": "0".repeat(64) };
    const response = await tablet.post(kioskPath, filled, { origin: "null" });
    expect(response.status).toBe(400);
    expect(fieldValue(await response.text(), "email")).toBe("grace@example.com");
    expect(await leads()).toEqual([]);
  });

  test("gets the form back with an error next to the field, and a way to an empty one", async () => {
    const { tablet, kioskPath, page, leads } = await openKiosk();
    const form = { stamp: fieldValue(page, "stamp"), name: "Grace <x>", email: "grace" };
    const response = await tablet.post(kioskPath, form, { origin: "null" });
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(html).toContain("Enter a valid email address");
    expect(html).toContain("Check this box to share your details.");
    expect(fieldValue(html, "name")).toBe("Grace &lt;x&gt;");
    expect(html).toContain(`<a href="${kioskPath}">Start over`);
    expect(await leads()).toEqual([]);
  });
});

test("a kiosk's page refers to texts that are stored as versions, in the order of the form", async () => {
  const { page, services } = await openKiosk();
  expect(readKioskData(page).purposes).toEqual(["answer", "newsletter"]);
  const texts = await services.db.selectFrom("consent_text").select(["hash", "version"]).execute();
  expect(texts.map(({ hash }) => page.includes(hash))).toEqual([true, true]);
});

import { describe, expect, test } from "vitest";

import {
  cardFields as fields,
  makeCard,
  pendingToast,
  makeOnlyUserPremium,
  shortPathOf,
} from "#tests/support/app/cards.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

test("/cards leads to the list of cards, after signing in", async () => {
  const { signedIn, visitor } = await createTestApp();
  expect((await visitor().get("/cards")).headers.get("location")).toBe("/auth?returnTo=%2Fcards");
  const ada = await signedIn();
  expect((await ada.get("/cards")).headers.get("location")).toBe("/profile#cards");
  expect(await (await ada.get("/profile")).text()).toMatch(/<section id="cards"/);
});

describe("another owner's card", () => {
  test("is treated like an unknown card in every read and write, and is unchanged", async () => {
    const { signedIn, visitor } = await createTestApp();
    const ada = await signedIn();
    const eve = await signedIn("eve@example.com");
    const id = await makeCard(ada);
    await eve.get("/profile");
    for (const card of [id, "unknown", crypto.randomUUID()]) {
      const opened = await eve.get(`/cards/edit/${card}`);
      expect(opened.headers.get("location")).toBe("/profile");
      expect(pendingToast(eve)).toEqual({ title: "Error", text: "Failed to load business card.", tone: "error" });
      await eve.get("/profile");
      expect((await eve.post(`/cards/edit/${card}`, { ...fields, version: "1" })).headers.get("location")).toBe(
        "/profile",
      );
      expect((await eve.get(`/cards/${card}/details`)).status).toBe(404);
      expect((await eve.post(`/cards/${card}/details`, { company: "Eve" })).status).toBe(404);
      await eve.get("/profile");
      expect((await eve.post(`/cards/${card}/delete`, {})).headers.get("location")).toBe("/profile");
      expect(pendingToast(eve)).toMatchObject({ title: "Failed to delete business card", tone: "error" });
      await eve.get("/profile");
      for (const [what, form] of [
        ["pause", { pause: "on" }],
        ["move", { to: "up" }],
        ["duplicate", { id: crypto.randomUUID() }],
      ] as const) {
        expect((await eve.post(`/cards/${card}/${what}`, form)).headers.get("location")).toBe("/profile");
        expect(pendingToast(eve)).toMatchObject({ text: "It no longer exists.", tone: "error" });
        await eve.get("/profile");
      }
    }
    expect(await (await visitor().get(`/card/${id}`)).text()).toContain("Analytical Engines");
  });

  test("needs a signed-in user", async () => {
    const { signedIn, visitor } = await createTestApp();
    const id = await makeCard(await signedIn());
    for (const path of ["/cards/edit", `/cards/edit/${id}`]) {
      const to = (await visitor().get(path)).headers.get("location");
      expect(to).toBe(`/auth?${new URLSearchParams({ returnTo: path })}`);
      expect((await visitor().post(path, fields)).headers.get("location")).toMatch(/^\/auth/);
    }
    for (const what of ["delete", "pause", "move", "duplicate"]) {
      expect((await visitor().post(`/cards/${id}/${what}`, {})).headers.get("location")).toMatch(/^\/auth/);
    }
    expect((await visitor().get(`/card/${id}`)).status).toBe(200);
  });
});

describe("the list of cards", () => {
  test("links to each card's page and editor, and confirms deletion without script", async () => {
    const { signedIn, visitor } = await createTestApp();
    const ada = await signedIn();
    expect(await (await ada.get("/profile")).text()).toContain("No business cards yet");
    const id = await makeCard(ada);
    const list = await (await ada.get("/profile")).text();
    for (const text of [
      `href="${await shortPathOf(visitor(), id)}"`,
      `href="/cards/edit/${id}"`,
      `action="/cards/${id}/delete"`,
    ]) {
      expect(list).toContain(text);
    }
    expect(list).toContain("Mathematician · Analytical Engines");
    expect(list).toContain("Are you sure you want to delete this business card?");
    expect(list).toContain("Leads that came in through it are deleted, too.");

    await visitor().get(`/card/${id}`);
    const deleted = await ada.post(`/cards/${id}/delete`, {});
    expect(deleted.headers.get("location")).toBe("/profile");
    expect(pendingToast(ada)).toMatchObject({ title: "Business card deleted", tone: "success" });
    expect((await visitor().get(`/card/${id}`)).status).toBe(404);
    expect((await ada.get("/cards/edit")).status).toBe(200);
  });

  test("marks the cards beyond the plan after a downgrade", async () => {
    const { signedIn, services, visitor } = await createTestApp();
    const ada = await signedIn();
    await makeOnlyUserPremium(ada, services);
    const first = await makeCard(ada);
    const second = await makeCard(ada);
    await services.db.deleteFrom("subscription").execute();
    expect((await (await ada.get("/profile")).text()).match(/>Paused on Free</g)).toHaveLength(1);
    expect((await visitor().get(`/card/${first}`)).status).toBe(200);
    expect((await visitor().get(`/card/${second}`)).status).toBe(404);
    expect((await ada.post(`/cards/edit/${second}`, { ...fields, version: "1" })).status).toBe(302);
  });
});

describe("pausing a card", () => {
  test("hides its page, contact file and QR code from visitors until it is unpaused", async () => {
    const { signedIn, visitor } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    const addresses = [`/card/${id}`, `/card/${id}/contact.vcf`, `/card/${id}/qr.svg`, `/card/${id}/qr.png`];
    const statuses = () => Promise.all(addresses.map(async (path) => (await visitor().get(path)).status));
    expect(await statuses()).toEqual([200, 200, 200, 200]);

    const paused = await ada.post(`/cards/${id}/pause`, { pause: "on", back: "/profile" });
    expect(paused.headers.get("location")).toBe("/profile");
    expect(pendingToast(ada)).toMatchObject({ title: "Card paused", tone: "success" });
    expect(await statuses()).toEqual([404, 404, 404, 404]);
    const list = await (await ada.get("/profile")).text();
    expect(list).toContain(">Paused by you<");
    expect(list).toContain("Unpause");
    expect(list).not.toContain(`href="/card/${id}"`);
    const unknown = await (await visitor().get("/card/unknown")).text();
    expect(await (await visitor().get(`/card/${id}`)).text()).toBe(unknown);

    await ada.post(`/cards/${id}/pause`, { pause: "off", back: "/profile" });
    expect(pendingToast(ada)).toMatchObject({ title: "Card unpaused" });
    expect(await statuses()).toEqual([200, 200, 200, 200]);
  });

  test("also works from the public profile and returns there, but to no other site", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    const { owner_id } = await services.db.selectFrom("card").select("owner_id").executeTakeFirstOrThrow();
    const back = `/u/${owner_id}`;
    expect((await ada.post(`/cards/${id}/pause`, { pause: "on", back })).headers.get("location")).toBe(back);
    expect(await (await ada.get(back)).text()).toContain(">Paused by you<");
    for (const elsewhere of ["https://evil.example", "//evil.example", "/u/../auth/sign-out", "/u/a?b", ""]) {
      const answer = await ada.post(`/cards/${id}/pause`, { pause: "on", back: elsewhere });
      expect(answer.headers.get("location")).toBe("/profile");
    }
  });

  test("says why a card is still hidden after it is unpaused", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada, { is_public: "" });
    await ada.post(`/cards/${id}/pause`, { pause: "on" });
    await ada.get("/profile");
    await ada.post(`/cards/${id}/pause`, { pause: "off" });
    expect(pendingToast(ada)).toMatchObject({ title: "Card unpaused" });
    expect(await (await ada.get("/profile")).text()).toContain("Not public");
  });
});

describe("the order of cards", () => {
  test("changes with buttons that need no script, in the editor and on the profile", async () => {
    const { signedIn, services, visitor } = await createTestApp();
    const ada = await signedIn();
    await makeOnlyUserPremium(ada, services);
    const ids: string[] = [];
    for (const card_name of ["First", "Second", "Third"]) ids.push(await makeCard(ada, { card_name }));
    const [first = "", second = ""] = ids;
    const order = (page: string) => [...new Set(page.match(/(?<=More actions for )(?:First|Second|Third)/g))].join(" ");
    expect(order(await (await ada.get("/profile")).text())).toBe("Third Second First");

    const moved = await ada.post(`/cards/${first}/move`, { to: "up", back: "/profile" });
    expect(moved.headers.get("location")).toBe("/profile");
    expect(pendingToast(ada)).toMatchObject({ title: "Card moved" });
    await ada.post(`/cards/${first}/move`, { to: "0", here: "on" });
    const { owner_id } = await services.db.selectFrom("card").select("owner_id").executeTakeFirstOrThrow();
    for (const page of ["/profile", `/u/${owner_id}`]) {
      expect(order(await (await ada.get(page)).text())).toBe("First Third Second");
    }
    await services.db.deleteFrom("subscription").execute();
    expect((await visitor().get(`/card/${first}`)).status).toBe(200);
    expect((await visitor().get(`/card/${second}`)).status).toBe(404);
  });

  test("ignores values that our forms never send", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    for (const to of ["", "-1", "1e3", "left", "9".repeat(400)]) {
      expect((await ada.post(`/cards/${id}/move`, { to })).headers.get("location")).toBe("/profile");
      expect(pendingToast(ada)).toMatchObject({ title: "Failed to move card", tone: "error" });
      await ada.get("/profile");
    }
  });
});

describe("a copy of a card", () => {
  test("is private, opens its editor, and is created once per form", async () => {
    const { signedIn, services, visitor } = await createTestApp();
    const ada = await signedIn();
    await makeOnlyUserPremium(ada, services);
    const id = await makeCard(ada, { card_name: "Studio" });
    const form = { id: crypto.randomUUID(), back: "/profile" };
    const copies = await Promise.all(Array.from({ length: 5 }, () => ada.post(`/cards/${id}/duplicate`, form)));
    const [to, ...others] = new Set(copies.map((answer) => answer.headers.get("location")));
    expect(others).toEqual([]);
    expect(to).toMatch(/^\/cards\/edit\/.+/);
    expect(pendingToast(ada)).toMatchObject({ title: "Card duplicated", text: "The copy isn't public yet." });
    expect(await (await ada.get(to ?? "")).text()).toContain('value="Copy of Studio"');
    expect((await visitor().get((to ?? "").replace("/cards/edit/", "/card/"))).status).toBe(404);
    expect(await services.db.selectFrom("card").select("id").execute()).toHaveLength(2);
  });

  test("makes no copy on Free", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    const answer = await ada.post(`/cards/${id}/duplicate`, { id: crypto.randomUUID() });
    expect(answer.headers.get("location")).toBe("/profile");
    expect(pendingToast(ada)).toMatchObject({ title: "Free includes one business card" });
    expect(await services.db.selectFrom("card").select("id").execute()).toHaveLength(1);
  });
});

import { describe, expect, test } from "vitest";

import { cardFields as fields, makeCard, toastOf, upgrade } from "#tests/support/cards.ts";
import { createTestApp } from "#tests/support/test-app.ts";

describe("somebody else's card", () => {
  test("answers like an unknown one in every read and write, and stays", async () => {
    const { signedIn, visitor } = await createTestApp();
    const ada = await signedIn();
    const eve = await signedIn("eve@example.com");
    const id = await makeCard(ada);
    await eve.get("/profile");
    for (const card of [id, "unknown", crypto.randomUUID()]) {
      const opened = await eve.get(`/cards/edit/${card}`);
      expect(opened.headers.get("location")).toBe("/profile");
      expect(toastOf(eve)).toEqual({ title: "Error", text: "Failed to load business card.", tone: "error" });
      await eve.get("/profile");
      expect((await eve.post(`/cards/edit/${card}`, { ...fields, version: "1" })).headers.get("location")).toBe(
        "/profile",
      );
      expect((await eve.get(`/cards/${card}/details`)).status).toBe(404);
      expect((await eve.post(`/cards/${card}/details`, { company: "Eve" })).status).toBe(404);
      await eve.get("/profile");
      expect((await eve.post(`/cards/${card}/delete`, {})).headers.get("location")).toBe("/profile");
      expect(toastOf(eve)).toMatchObject({ title: "Failed to delete business card", tone: "error" });
      await eve.get("/profile");
    }
    expect(await (await visitor().get(`/card/${id}`)).text()).toContain("Analytical Engines");
  });

  test("is not opened by somebody who is signed out", async () => {
    const { signedIn, visitor } = await createTestApp();
    const id = await makeCard(await signedIn());
    for (const path of ["/cards/edit", `/cards/edit/${id}`]) {
      const to = (await visitor().get(path)).headers.get("location");
      expect(to).toBe(`/auth?${new URLSearchParams({ returnTo: path })}`);
      expect((await visitor().post(path, fields)).headers.get("location")).toMatch(/^\/auth/);
    }
    expect((await visitor().post(`/cards/${id}/delete`, {})).headers.get("location")).toMatch(/^\/auth/);
    expect((await visitor().get(`/card/${id}`)).status).toBe(200);
  });
});

describe("the list of cards", () => {
  test("leads to each card's page and editor, and deletes it after a question that needs no script", async () => {
    const { signedIn, visitor } = await createTestApp();
    const ada = await signedIn();
    expect(await (await ada.get("/profile")).text()).toContain("No business cards yet");
    const id = await makeCard(ada);
    const list = await (await ada.get("/profile")).text();
    for (const text of [`href="/card/${id}"`, `href="/cards/edit/${id}"`, `action="/cards/${id}/delete"`]) {
      expect(list).toContain(text);
    }
    expect(list).toContain("Mathematician · Analytical Engines");
    expect(list).toContain("Are you sure you want to delete this business card?");

    await visitor().get(`/card/${id}`);
    const deleted = await ada.post(`/cards/${id}/delete`, {});
    expect(deleted.headers.get("location")).toBe("/profile");
    expect(toastOf(ada)).toMatchObject({ title: "Business card deleted", tone: "success" });
    expect((await visitor().get(`/card/${id}`)).status).toBe(404);
    expect((await ada.get("/cards/edit")).status).toBe(200);
  });

  test("after a downgrade shows which cards are paused, and keeps them", async () => {
    const { signedIn, services, visitor } = await createTestApp();
    const ada = await signedIn();
    await upgrade(ada, services);
    const first = await makeCard(ada);
    const second = await makeCard(ada);
    await services.db.deleteFrom("subscription").execute();
    expect((await (await ada.get("/profile")).text()).match(/Paused on Free/g)).toHaveLength(1);
    expect((await visitor().get(`/card/${first}`)).status).toBe(200);
    expect((await visitor().get(`/card/${second}`)).status).toBe(404);
    expect((await ada.post(`/cards/edit/${second}`, { ...fields, version: "1" })).status).toBe(302);
  });
});

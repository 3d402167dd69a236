import { describe, expect, test } from "vitest";

import { makeCard, makeOnlyUserPremium, shortPathOf } from "#tests/support/app/cards.ts";
import { profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { scanQrCode } from "#tests/support/fixtures/qr-readers.ts";
import { readHead } from "#tests/support/app/responses.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";

const base = "http://localhost:3000";
const files = ["", "/contact.vcf", "/qr.svg", "/qr.png", "/preview.png", "/signature.png"];

async function openCard(app: TestApp) {
  const ada = await app.signedIn();
  const id = await makeCard(ada);
  return { ada, id, short: await shortPathOf(app.visitor(), id) };
}

describe("a card's short address", () => {
  test("serves the page and its files, as the address with the id does", async () => {
    const app = await createTestApp();
    const { id, short } = await openCard(app);
    for (const file of files) {
      const [one, other] = [await app.visitor().get(short + file), await app.visitor().get(`/card/${id}${file}`)];
      expect([one.status, other.status], file).toEqual([200, 200]);
      if (file !== "/contact.vcf") expect(await one.text(), file).toBe(await other.text());
      else expect(await one.text()).toContain(`URL:${base}${short}`);
    }
    const page = await app.visitor().get(short);
    expect((await readHead(page)).canonicals).toEqual([base + short]);
  });

  test("is typed in capitals or scanned from a code, while codes printed before still work", async () => {
    const app = await createTestApp();
    const { id, short } = await openCard(app);
    for (const rest of ["", "?q", "/contact.vcf?q"]) {
      const { status, headers } = await app.visitor().get(`/c/${short.slice(3).toUpperCase()}${rest}`);
      // The router writes "?q" as "?q=", which counts the same.
      expect([status, headers.get("location")]).toEqual([301, short + rest.replace("?q", "?q=")]);
    }
    const png = await app.visitor().get(`/card/${id}/qr.png`);
    expect(await scanQrCode(Buffer.from(await png.arrayBuffer()))).toBe(`${base}${short}?q`);
    expect((await app.visitor().get(`/card/${id}?q`)).status).toBe(200);
  });

  test("responds like an unknown one when the card is private, paused or deleted", async () => {
    const app = await createTestApp();
    const { ada, id, short } = await openCard(app);
    const unknown = await (await app.visitor().get("/c/2222222")).text();
    expect(unknown).toContain("Card Not Found");
    const expectHidden = async () => {
      for (const file of files) expect((await app.visitor().get(short + file)).status, file).toBe(404);
      expect(await (await app.visitor().get(short)).text()).toBe(unknown);
    };
    await ada.post(`/cards/${id}/pause`, { pause: "on" });
    await expectHidden();
    await ada.post(`/cards/${id}/pause`, { pause: "off" });
    expect((await app.visitor().get(short)).status).toBe(200);
    await ada.post(`/cards/${id}/delete`, {});
    await expectHidden();
    for (const path of ["/c/", "/c/none", "/c/%00", `/c/${id}`, `/card/${short.slice(3)}`])
      expect((await app.visitor().get(path)).status, path).toBe(404);
  });

  test("is cached and stored, counted by its source, and changes with a save", async () => {
    const app = await createTestApp();
    const { ada, id, short } = await openCard(app);
    const owner = await userIdOf(ada);
    const paths = [short, `/card/${id}`, `/u/${owner}/card`];
    for (const path of paths) await app.visitor().get(`${path}?q`);
    for (const path of paths) await app.visitor().get(`${path}?n`);
    await app.services.renderedPages.flush();
    const stored = await app.services.db.selectFrom("rendered_page").select("path").execute();
    expect(stored.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
    await app.services.counter.flush();
    const counts = app.services.db.selectFrom("hourly_count").where("subject", "=", `card:${id}`).orderBy("source");
    const bySource = await counts.select(["source", "n"]).where("source", "!=", "").execute();
    expect(bySource.map(({ source, n }) => [source, n])).toEqual([
      ["nfc", 3],
      ["qr", 3],
    ]);
    await ada.post(`/cards/${id}/details`, { company: "Babbage Ltd" });
    for (const path of paths) expect(await (await app.visitor().get(path)).text(), path).toContain("Babbage Ltd");
  });
});

describe("the address of a person's card", () => {
  test("shows the card on the owner's profile, by handle or id, and the next one while that is paused", async () => {
    const { ada, ...app } = await createSignedInApp();
    await makeOnlyUserPremium(ada, app.services);
    await ada.post("/profile", profileForm({ handle: "ada" }));
    const owner = await userIdOf(ada);
    const shown = async () => (await readHead(await app.visitor().get("/u/ada/card"))).canonicals[0];
    expect((await app.visitor().get("/u/ada/card")).status).toBe(404);
    const first = await makeCard(ada);
    const firstPath = await shortPathOf(app.visitor(), first);
    expect(await shown()).toBe(base + firstPath);
    const second = await makeCard(ada, { card_name: "Second" });
    expect(await shown()).toBe(base + firstPath);
    await ada.post(`/cards/${second}/main`, { main: "on" });
    const secondPath = await shortPathOf(app.visitor(), second);
    expect(await shown()).toBe(base + secondPath);
    expect((await readHead(await app.visitor().get(`/u/${owner}/card`))).canonicals).toEqual([base + secondPath]);
    await ada.post(`/cards/${second}/pause`, { pause: "on" });
    expect(await shown()).toBe(base + firstPath);
  });

  test("follows a handle that was changed or typed in capitals, and is not found for an unknown handle", async () => {
    const { ada, ...app } = await createSignedInApp();
    await makeCard(ada);
    await ada.post("/profile", profileForm({ handle: "ada" }));
    await ada.post("/profile", profileForm({ handle: "countess", version: "2" }));
    for (const path of ["/u/ada/card?q", "/u/Countess/card?q"]) {
      const moved = await app.visitor().get(path);
      expect([moved.status, moved.headers.get("location")], path).toEqual([301, "/u/countess/card?q="]);
    }
    const unknown = await app.visitor().get("/u/nobody/card");
    expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining("Card Not Found")]);
  });
});

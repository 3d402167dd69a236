import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { makeCard, shortPathOf } from "#tests/support/app/cards.ts";
import { makePremium, profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { readElements } from "#tests/support/app/responses.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import { jpeg } from "#tests/support/app/uploads.ts";
import { callFunction } from "#tests/support/app/visitor.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";
import { openWithCard } from "#tests/support/providers/google-wallet/google-app.ts";
import { openGoogleWalletDouble } from "#tests/support/providers/google-wallet/wallet-double.ts";

describe("a card in Google Wallet", () => {
  test("is created at Google before the visitor gets there", async () => {
    const { add, google, object, path } = await openWithCard();
    const response = await add();
    expect([response.status, response.headers.get("cache-control")]).toEqual([302, "no-store"]);
    const saved = await google.openLink(response.headers.get("location") ?? "");
    expect(saved.object).toBe(object());
    expect(saved.origins).toEqual(["http://localhost:3000"]);
    expect(google.state.problems).toEqual([]);
    expect(object()).toMatchObject({
      state: "ACTIVE",
      header: { defaultValue: { value: "ada" } },
      subheader: { defaultValue: { value: "Mathematician · Analytical Engines" } },
      barcode: { type: "QR_CODE", value: `http://localhost:3000${path}?w` },
    });
    expect(JSON.stringify(object())).toContain("mailto:ada@example.com");
    expect(JSON.stringify(object())).toContain("tel:+442079460000");
    // Google can't load images from here.
    expect(object()).not.toHaveProperty("heroImage");
  });

  test("is sent once, however many visitors ask for it", async () => {
    const { add, google } = await openWithCard();
    const responses = await Promise.all(Array.from({ length: 50 }, add));
    responses.push(await add());
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([302]));
    expect(google.state.log).toEqual([
      "POST token 200",
      "PATCH genericObject 404",
      "POST genericObject 404",
      "POST genericClass 200",
      "POST genericObject 200",
    ]);
  });

  test("has images that Google can load, where the site has https", async () => {
    const google = await openGoogleWalletDouble();
    const { ada, ...app } = await createSignedInApp({ env: { ...google.env, BASE_URL: "https://localhost:3000" } });
    const id = await makeCard(ada);
    const body = new Uint8Array(await jpeg());
    const headers = { origin: "https://localhost:3000" };
    expect((await ada.request("/uploads/avatar?name=a.jpg", { method: "POST", body, headers })).status).toBe(200);
    const design = JSON.stringify({ background: { kind: "default", id: "washi" } });
    const row = { card_id: id, owner_id: await userIdOf(ada), design, updated_at: 1 };
    await app.services.db.insertInto("pass_design").values(row).execute();
    const path = await shortPathOf(app.visitor(), id);
    await app.visitor().get(`${path}/google-wallet`);
    expect(google.state.problems).toEqual([]);
    const sizes = [];
    for (const field of ["heroImage", "logo"]) {
      const image = google.objectOf(id)?.[field] as { sourceUri: { uri: string } };
      const url = new URL(image.sourceUri.uri);
      expect(url.origin).toBe("https://localhost:3000");
      const response = await app.visitor().get(url.pathname + url.search);
      const { format, width, height } = await sharp(await response.arrayBuffer()).metadata();
      sizes.push([response.headers.get("content-type"), format, width, height]);
    }
    expect(sizes).toEqual([
      ["image/jpeg", "jpeg", 1032, 336],
      ["image/png", "png", 660, 660],
    ]);
    expect((await app.visitor().get(`${path}/google-wallet/other.png`)).status).toBe(404);
  });
});

describe("the link to Google Wallet", () => {
  test.each([
    ["alone", {}],
    ["beside Apple's", walletSettings],
  ])("is on the card's page and in generate-wallet-pass, %s", async (_, env) => {
    const { path, id, visitor } = await openWithCard(env);
    const apple = "APPLE_PASS_TYPE_ID" in env ? `${path}/pass.pkpass` : undefined;
    const badges = readElements(await (await visitor().get(path)).text())
      .map(({ attributes }) => attributes)
      .filter((attributes) => attributes["class"]?.startsWith("badge "));
    expect(badges.map(({ class: name, href, rel }) => [name, href, rel])).toEqual([
      ...(apple ? [["badge apple", apple, "nofollow"]] : []),
      ["badge google", `${path}/google-wallet`, "nofollow"],
    ]);
    const { status, body } = await callFunction(visitor(), `generate-wallet-pass?cardId=${id}`, { method: "GET" });
    expect([status, body]).toMatchObject([
      200,
      {
        success: true,
        passUrl: apple ? `http://localhost:3000${apple}` : null,
        androidUrl: `http://localhost:3000${path}/google-wallet`,
      },
    ]);
  });

  test("has at most 1,800 characters, whatever the card shows and however long the site's address is", async () => {
    const host = `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.example`;
    const { add, google, ada, services, id } = await openWithCard();
    const wide = { profession: "W".repeat(200), company: "漢".repeat(200), position: "W".repeat(200) };
    await services.db.updateTable("card").set(wide).where("id", "=", id).execute();
    await ada.post("/profile", profileForm({ bio: "字".repeat(500) }));
    const link = (await add()).headers.get("location") ?? "";
    await google.openLink(link);
    const longest = await services.googleWallet?.saveLink(`${"9".repeat(30)}.${id}`, `https://${host}:65535`);
    expect([link.length, longest?.length].every((length = Infinity) => length <= 1800)).toBe(true);
  });
});

describe("there is no pass in Google Wallet", () => {
  test("of a private, a paused and an unknown card, alike, and Google is notified of none", async () => {
    const { ada, id, visitor, path, google, services } = await openWithCard();
    const seen = async (code: string) => {
      const response = await visitor().get(`${code}/google-wallet`);
      return [response.status, (await response.text()).replaceAll(/nonce="[^"]*"/g, "")];
    };
    const unknown = await seen("/c/0000000");
    expect(unknown[0]).toBe(404);
    await ada.post(`/cards/${id}/pause`, {});
    expect(await seen(path)).toEqual(unknown);
    await ada.post(`/cards/${id}/pause`, { pause: "off" });
    await services.db.updateTable("card").set({ is_public: 0 }).where("id", "=", id).execute();
    expect(await seen(path)).toEqual(unknown);
    expect(google.state.log).toEqual([]);
    expect((await visitor().get(`${path}/google-wallet/logo.png`)).status).toBe(404);
  });

  test("where it isn't configured", async () => {
    const app = await createTestApp();
    const id = await makeCard(await app.signedIn());
    expect((await app.visitor().get(`/card/${id}/google-wallet`)).status).toBe(404);
    expect((await app.visitor().get(`/card/${id}/google-wallet/logo.png`)).status).toBe(404);
  });
});

test.each([
  ["60 emoji", "👩‍🚀".repeat(12)],
  ["a right-to-left script with quotes and markup", String.raw`محمد "<b>" \ O'Neil & %@`],
])("a name of %s, with neither email nor phone, makes a good pass", async (_, displayName) => {
  const { add, ada, id, google, object, services } = await openWithCard();
  await makePremium(services, await userIdOf(ada));
  await ada.post("/profile", profileForm({ displayName, bio: "" }));
  const bare = { profession: "", company: "", position: "", email: "", phone: "", professional_links: "[]" };
  await services.db.updateTable("card").set(bare).where("id", "=", id).execute();
  const { object: saved } = await google.openLink((await add()).headers.get("location") ?? "");
  expect(google.state.problems).toEqual([]);
  expect(saved).toBe(object());
  expect(saved).toMatchObject({
    header: { defaultValue: { value: displayName } },
    cardTitle: { defaultValue: { value: "Meishi" } },
  });
  const texts = saved["textModulesData"] as { id: string }[];
  expect(texts.map((one) => one.id)).toEqual(["issuer"]);
});

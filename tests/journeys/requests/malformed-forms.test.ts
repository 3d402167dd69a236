import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { cardFields, makeCard, fieldValue } from "#tests/support/app/cards.ts";
import { listForms, hasFields } from "#tests/support/app/forms.ts";
import { timeInScans } from "#tests/support/measurements.ts";
import { userIdOf, profileForm } from "#tests/support/app/profiles.ts";
import { readElements, textWith } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const origin = "http://localhost:3000";

/** Where a second step leads without its first one. On Free, a second card leads to the cards, whatever is posted. */
const firstSteps = new Map([
  ["/auth/verify", "/auth"],
  ["/account/two-step/app", "/account/two-step"],
]);

/** A signed-in user with a profile and a card. `stored` reads everything that an owner can change. */
async function openProduct() {
  const product = await createTestApp();
  const { db } = product.services;
  const ada = await product.signedIn();
  const userId = await userIdOf(ada);
  const cardId = await makeCard(ada);
  const stored = async () => ({
    profiles: await db.selectFrom("profile").selectAll().execute(),
    cards: await db.selectFrom("card").selectAll().execute(),
    handles: await db.selectFrom("handle").selectAll().execute(),
    subscriptions: await db.selectFrom("subscription").selectAll().execute(),
  });
  return { ...product, ada, userId, cardId, stored };
}

test("the list of forms matches the route modules with an action", () => {
  const features = join(import.meta.dirname, "../../../app/features");
  const takers = globSync("**/*.{ts,tsx}", { cwd: features }).filter((file) =>
    /^export (?:async )?function action\b/m.test(readFileSync(join(features, file), "utf8")),
  );
  expect([...new Set(listForms("x").map(({ page }) => page))].toSorted()).toEqual(takers.toSorted());
});

test("a body that is not a form is rejected at every address that accepts forms, without a change", async () => {
  const { ada, visitor, cardId, stored } = await openProduct();
  const before = await stored();
  for (const { page, path, fields } of listForms(cardId).filter(hasFields)) {
    // The sign-in pages are for visitors, those at /account for users.
    const person = page.startsWith("account/") && !path.startsWith("/account") ? visitor() : ada;
    const bodies: [string | undefined, RequestInit["body"]][] = [
      ["application/json", JSON.stringify(fields)],
      ["text/plain", new URLSearchParams(fields).toString()],
      ["application/octet-stream", new Uint8Array([0, 255, 254])],
      ["application/x-www-form-urlencoded", "%%%=%&=&&==%ff"],
      ["multipart/form-data; boundary=x", '--x\r\nContent-Disposition: form-data; name="card_name'],
      [undefined, null],
    ];
    for (const [type, body] of bodies) {
      const headers = { origin, ...(type && { "content-type": type }) };
      const answer = await person.request(path, { method: "POST", headers, body });
      const elsewhere = firstSteps.get(path) ?? (path.endsWith("/hand-over") ? path : "/profile");
      const isRefused = [400, 404, 410, 422, 429].includes(answer.status);
      const isLedAway = answer.headers.get("location") === elsewhere;
      expect(isRefused || isLedAway, `${path} ${type} ${answer.status}`).toBe(true);
      expect(await answer.text()).not.toMatch(stack);
    }
  }
  expect(await stored()).toEqual(before);
});

test("a NUL in a field, which PostgreSQL rejects, is no error of the server", async () => {
  const { ada, visitor, cardId } = await openProduct();
  for (const { page, path, fields } of listForms(cardId).filter(hasFields)) {
    const person = page.startsWith("account/") && !path.startsWith("/account") ? visitor() : ada;
    for (const [field, value] of Object.entries(fields)) {
      const { status } = await person.post(path, { ...fields, [field]: `${value}\u0000` });
      expect.soft(status, `${path} ${field}`).toBeLessThan(500);
    }
  }
});

describe("unknown fields", () => {
  test("change no other data of any user", async () => {
    const { ada, signedIn, userId, cardId, stored } = await openProduct();
    const eve = await signedIn("eve@example.com");
    const eveId = await userIdOf(eve);
    const before = await stored();
    const greedy = {
      user_id: userId,
      owner_id: userId,
      userId,
      ownerId: userId,
      plan: "premium",
      ends_at: "",
      is_sample: "1",
      isSample: "true",
      cards_owned: "0",
      created_at: "1",
      updated_at: "1",
      isPublic: "on",
      "profile.owner_id": userId,
      __proto__x: "1",
      "constructor.prototype.plan": "premium",
      "links.__proto__.url": "https://evil.example",
    };
    expect((await eve.post("/profile", profileForm(greedy))).status).toBe(302);
    // A new card with the id of Ada's card becomes another card.
    const made = await eve.post("/cards/edit", { ...cardFields, ...greedy, id: cardId });
    const ownId = /[\da-f-]{36}/.exec(made.headers.get("location") ?? "")?.[0] ?? "";
    await eve.post(`/cards/edit/${ownId}`, { ...cardFields, ...greedy, id: cardId, version: "1", company: "Eve & Co" });
    await eve.post(`/cards/${ownId}/details`, { ...greedy, id: cardId, company: "Eve & Sons", version: "77" });

    const { profiles, cards, subscriptions } = await stored();
    expect(ownId).not.toBe(cardId);
    expect(cards.find(({ id }) => id === cardId)).toEqual(before.cards[0]);
    const adas = ({ owner_id }: { owner_id: string }) => owner_id === userId;
    expect(profiles.find(adas)).toEqual(before.profiles.find(adas));
    expect(profiles.find(({ owner_id }) => owner_id === eveId)).toMatchObject({
      is_sample: 0,
      cards_owned: 1,
      version: 2,
    });
    expect(cards.find(({ id }) => id === ownId)).toMatchObject({ owner_id: eveId, company: "Eve & Sons", version: 3 });
    expect(subscriptions).toEqual([]);
    expect((await eve.post("/cards/edit", cardFields)).headers.get("location")).toBe("/profile");
    expect((await ada.get("/profile")).status).toBe(200);
  });

  test("never crash, repeated or in unusual spellings", async () => {
    const { ada, cardId } = await openProduct();
    const odd = ["[]", "[0]", "[url]", ".0", ".-1.url", ".1e3.url", ".999.url", ".0.url.x", ".__proto__.url"];
    for (const { path, fields } of listForms(cardId).filter(hasFields)) {
      const names = Object.keys(fields);
      const twice = [...Object.entries(fields), ...names.map((name): [string, string] => [name, "x"])];
      const spelled = names.flatMap((name) => odd.map((end): [string, string] => [`${name}${end}`, "x"]));
      const links = odd.map((end): [string, string] => [`links${end}`, "x"]);
      for (const sent of [twice, twice.toReversed(), spelled, [...Object.entries(fields), ...links]]) {
        const answer = await ada.post(path, sent);
        expect(answer.status, path).toBeLessThan(500);
        expect(await answer.text()).not.toMatch(stack);
      }
    }
    expect((await ada.get(`/card/${cardId}`)).status).toBe(200);
    expect((await ada.get("/profile")).status).toBe(200);
  });
});

test("one megabyte in a field of a visitor's form is rejected with a message before it is read", async () => {
  const { visitor } = await createTestApp();
  for (const path of ["/auth", "/auth?tab=signup", "/forgot-password", "/contact", "/pricing", "/theme"]) {
    expect(
      await textWith(413, await visitor().post(path, { intent: "log-in", email: "x".repeat(1_000_000) }), path),
    ).toBe("You sent more than this page accepts. Go back, shorten it and try again.");
  }
});

test("90 kB in a field of the sign-in form are rejected beside the field, in linear time, and returned unchanged", async () => {
  const { visitor } = await createTestApp();
  const post = (path: string, email: string) =>
    visitor().post(path, { intent: "log-in", email, password: "one long word" });
  for (const email of ["x".repeat(90_000), `a${" ".repeat(90_000)}b`, `${"a.".repeat(45_000)}@b`]) {
    for (const path of ["/auth", "/forgot-password"]) {
      expect(await timeInScans(() => post(path, email), 20), path).toBeLessThan(20);
      const page = await textWith(400, await post(path, email));
      expect(fieldValue(page, "email")).toBe(email);
      expect(errorBeside(page, "email")).toContain("Enter a valid email address, such as name@example.com.");
    }
  }
  for (const intent of ["log-in", "sign-up"]) {
    const answer = await visitor().post("/auth", { intent, email: "a@b.example", password: "x".repeat(90_000) });
    expect(answer.status).toBe(400);
    expect(errorBeside(await answer.text(), "password")).toContain("at most 128 characters");
  }
});

const stack = /\n\s+at .+:\d+:\d+/;

/** The error of a field that aria-describedby points to. */
function errorBeside(page: string, name: string): string {
  const elements = readElements(page);
  const field = elements.find(({ attributes }) => attributes["name"] === name && attributes["aria-invalid"] === "true");
  const ids = field?.attributes["aria-describedby"]?.split(" ") ?? [];
  return elements.find(({ attributes: { id = "" } }) => id.endsWith("-error") && ids.includes(id))?.text ?? "";
}

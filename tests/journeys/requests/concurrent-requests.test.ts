import { describe, expect, test } from "vitest";

import { cardFields, makeCard, makeOnlyUserPremium } from "#tests/support/app/cards.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { userIdOf, profileForm } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const engines = listEngines();

async function openProduct(engine: "sqlite" | "postgres") {
  const { databaseUrl } = await makeDatabase(engine);
  const product = await createTestApp({ env: databaseUrl ? { DATABASE_URL: databaseUrl } : {} });
  const { db } = product.services;
  const ada = await product.signedIn();
  const cards = () => db.selectFrom("card").selectAll().execute();
  const owned = async () => (await db.selectFrom("profile").select("cards_owned").executeTakeFirst())?.cards_owned;
  return { ...product, db, ada, cards, owned };
}

const twenty = <T>(work: (n: number) => Promise<T>) => Promise.all(Array.from({ length: 20 }, (_, n) => work(n)));

describe.each(engines)("concurrent requests, on %s", (engine) => {
  test("twenty new cards on Free create one and redirect the others to the cards", async () => {
    const { ada, cards, owned } = await openProduct(engine);
    const answers = await twenty((n) => ada.post("/cards/edit", { ...cardFields, company: `Company ${n}` }));
    const places = answers.map((answer) => answer.headers.get("location") ?? String(answer.status));
    expect(places.filter((place) => place === "/profile")).toHaveLength(19);
    expect(places.filter((place) => place.startsWith("/share/card/"))).toHaveLength(1);
    expect(await cards()).toHaveLength(1);
    expect(await owned()).toBe(1);
  });

  test("the same form submitted twenty times creates one card and redirects to it each time", async () => {
    const { ada, services, cards, owned } = await openProduct(engine);
    await makeOnlyUserPremium(ada, services);
    const id = crypto.randomUUID();
    const answers = await twenty(() => ada.post("/cards/edit", { ...cardFields, id }));
    const { id: made } = await services.db.selectFrom("card").select("id").executeTakeFirstOrThrow();
    expect(new Set(answers.map((answer) => answer.headers.get("location")))).toEqual(new Set([`/share/card/${made}`]));
    expect(await cards()).toHaveLength(1);
    expect(await owned()).toBe(1);
  });

  test("deleting one card twenty times allows one new card, not twenty", async () => {
    const { ada, cards, owned } = await openProduct(engine);
    const id = await makeCard(ada);
    const answers = await twenty(() => ada.post(`/cards/${id}/delete`, {}));
    expect(answers.every((answer) => answer.headers.get("location") === "/profile")).toBe(true);
    expect(await owned()).toBe(0);
    await twenty(() => ada.post("/cards/edit", cardFields));
    expect(await cards()).toHaveLength(1);
  });

  test("deletes and new cards in any order never leave more than one card on Free", async () => {
    const { ada, cards, owned } = await openProduct(engine);
    for (let round = 0; round < 3; round++) {
      const [card] = await cards();
      await twenty((n) =>
        n % 2 && card ? ada.post(`/cards/${card.id}/delete`, {}) : ada.post("/cards/edit", cardFields),
      );
      const left = await cards();
      expect(left.length).toBeLessThanOrEqual(1);
      expect(await owned()).toBe(left.length);
    }
  });

  test("saves of one card from twenty tabs store one and report a conflict to the others", async () => {
    const { ada, cards } = await openProduct(engine);
    const id = await makeCard(ada);
    const change = (n: number) => ({ ...cardFields, company: `Company ${n}`, version: "1" });
    const statuses = (await twenty((n) => ada.post(`/cards/edit/${id}`, change(n)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 302)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
    expect(await cards()).toMatchObject([{ version: 2, company: `Company ${statuses.indexOf(302)}` }]);
  });

  test("of two users who save the same handle one gets it, and both keep their other changes", async () => {
    const { ada, signedIn, db } = await openProduct(engine);
    const eve = await signedIn("eve@example.com");
    await Promise.all([userIdOf(ada), userIdOf(eve)]);
    const wish = profileForm({ handle: "the-one" });
    const answers = await Promise.all([ada.post("/profile", wish), eve.post("/profile", wish)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 422]);
    const refused = await answers.find(({ status }) => status === 422)?.text();
    expect(refused).toContain("This handle is taken. Choose another.");
    expect(refused).toContain('value="the-one"');
    expect(await db.selectFrom("handle").select("handle").execute()).toEqual([{ handle: "the-one" }]);
  });

  test("first visits from several tabs create one profile", async () => {
    const { ada, db } = await openProduct(engine);
    const statuses = (await twenty(() => ada.get("/profile"))).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await db.selectFrom("profile").selectAll().execute()).toHaveLength(1);
  });

  test("twenty sign-ups with one address create one account and send five mails", async () => {
    const { visitor, mails, db } = await openProduct(engine);
    const form = { intent: "sign-up", email: "new@example.com", password: "one long word" };
    const statuses = (await twenty(() => visitor().post("/auth?tab=signup", form))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
    expect((await mails()).filter(({ to }) => to === form.email)).toHaveLength(5);
    const users = await db
      .selectFrom("user" as "setting")
      .selectAll()
      .execute();
    expect(users).toHaveLength(2);
  });
});

import fc from "fast-check";
import { expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { makePremium, profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";

import { callData, createDataApp } from "./data-app.ts";

const requests = Number(process.env["RANDOM_REQUESTS"] ?? 20_000);

const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(
    "",
    "\0",
    "\ud800",
    "null",
    "true",
    "a,b",
    '"',
    "\\",
    "(",
    "))",
    "%",
    "*",
    "__proto__",
    "x".repeat(3_000),
  ),
);
const mostly = <Value>(usual: fc.Arbitrary<Value>, other: fc.Arbitrary<Value>) =>
  fc.oneof({ arbitrary: usual, weight: 20 }, { arbitrary: other, weight: 1 });

const columnsOf = {
  profiles: ["display_name", "bio", "links", "theme", "handle", "show_business_card", "subscription_tier"],
  business_cards: ["card_name", "email", "professional_links", "is_public", "years_experience", "pass_logo_url"],
};

/** Text that mostly is what the language allows. `ids`: of rows, owners and handles. */
function queryOf(ids: readonly string[]) {
  return fc.constantFrom("profiles" as const, "business_cards" as const).chain((table) => queryOfTable(table, ids));
}

function queryOfTable(table: keyof typeof columnsOf, ids: readonly string[]) {
  const column = mostly(fc.constantFrom("id", "user_id", ...columnsOf[table]), text);
  const value = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: text });
  const items = fc.array(
    mostly(
      value.map((item) => JSON.stringify(item)),
      value,
    ),
    { maxLength: 4 },
  );
  const allowed = fc.oneof(
    { weight: 6, arbitrary: value.map((item) => `eq.${item}`) },
    items.map((some) => `in.(${some.join()})`),
    fc.constantFrom("is.null", "is.true", "is.false"),
  );
  const filter = mostly(allowed, fc.oneof(text, fc.constantFrom("neq.x", "ilike.%", "not.is.null", "cs.{}")));
  const order = fc
    .tuple(column, fc.constantFrom("", ".asc", ".desc", ".desc.nullslast"))
    .map((parts) => parts.join(""));
  const listOf = (one: fc.Arbitrary<string>) => mostly(fc.array(one, { maxLength: 3 }).map(String), text);
  const parameter = mostly(
    fc.oneof(
      { weight: 6, arbitrary: fc.tuple(fc.constantFrom("id", "user_id"), filter) },
      { weight: 3, arbitrary: fc.tuple(column, filter) },
      fc.tuple(fc.constant("select"), listOf(column)),
      fc.tuple(fc.constant("order"), listOf(order)),
      fc.tuple(fc.constantFrom("limit", "offset"), mostly(fc.nat(10).map(String), text)),
    ),
    fc.tuple(fc.constantFrom("or", "and", "not.or", "columns", "on_conflict", "apikey"), value),
  );
  const field = fc.oneof(
    text,
    fc.anything({ maxDepth: 2, withNullPrototype: false }),
    fc.constantFrom(null, true, 7, [], [{ name: "Site", url: "https://a.example" }]),
  );
  // No text that is stored has an id of Bob.
  const id = mostly(fc.constantFrom(...ids), field);
  const row = fc
    .tuple(fc.dictionary(column, field, { maxKeys: 3 }), fc.record({ id, user_id: id }, { requiredKeys: [] }))
    .map(([fields, owner]) => ({ ...fields, ...owner }));
  return fc.record({
    method: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom("GET", "HEAD") },
      { weight: 4, arbitrary: fc.constantFrom("POST", "PATCH", "DELETE") },
      fc.constant("PUT"),
    ),
    table: mostly(
      fc.constant<string>(table),
      text.map((one) => encodeURIComponent(one.toWellFormed())),
    ),
    search: fc.uniqueArray(parameter, { maxLength: 3, selector: ([name]) => name }),
    isSignedIn: fc.boolean(),
    accept: mostly(fc.constant("*/*"), fc.constantFrom("application/vnd.pgrst.object+json", "text/csv")),
    range: mostly(fc.constant(""), fc.constantFrom("0-1", "9-", "x")),
    prefer: mostly(
      fc.constantFrom("", "count=exact", "return=representation,count=exact", "resolution=merge-duplicates"),
      text.map((one) => encodeURIComponent(one.toWellFormed())),
    ),
    body: mostly(row, fc.oneof(fc.array(row, { maxLength: 2 }), field)),
  });
}

test.each(listEngines())("random queries get no error of the server and no row of others, on %s", async (engine) => {
  const { databaseUrl } = await makeDatabase(engine);
  let now = Date.now();
  const env: Record<string, string> = databaseUrl ? { DATABASE_URL: databaseUrl } : {};
  // Limits of an hour, such as that of new cards, aren't reached.
  const product = await createDataApp({ clock: () => (now += 60_000), env });
  const { services, ada, adaId, token } = product;
  const bob = await product.signedIn("bob@example.com");
  const bobId = await userIdOf(bob);
  await bob.post("/profile", profileForm({ handle: "bobby", displayName: "Bob" }));
  await makePremium(services, adaId);
  await makePremium(services, bobId);
  const adaCards = [await makeCard(ada), await makeCard(ada)];
  const bobCards = [await makeCard(bob), await makeCard(bob)];
  const ofBob = () =>
    Promise.all([
      services.db.selectFrom("profile").selectAll().where("owner_id", "=", bobId).execute(),
      services.db.selectFrom("card").selectAll().where("owner_id", "=", bobId).orderBy("id").execute(),
    ]);
  const before = await ofBob();
  const ids = [adaId, bobId, "bobby", ...adaCards, ...bobCards];
  const statuses = new Map<number, number>();
  for (let seed = 1; seed <= requests; seed++) {
    const [one] = fc.sample(queryOf(ids), { numRuns: 1, seed });
    if (!one) continue;
    const { method, table, search, isSignedIn, body, ...headers } = one;
    const named = search.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]);
    const answer = await callData(product, `${method} /${table}?${new URLSearchParams(named).toString()}`, {
      token: isSignedIn ? token : undefined,
      headers,
      ...(!["GET", "HEAD"].includes(method) && { body: JSON.stringify(body) ?? "" }),
    });
    const about = `seed ${seed}: ${answer.status} ${JSON.stringify(one).slice(0, 500)}`;
    expect(answer.status, about).toBeLessThan(500);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    // A row of Bob only by an equality with what names it.
    const isNamed = search.some(
      ([name, value]) =>
        ["id", "user_id", "handle"].includes(name) && [bobId, "bobby", ...bobCards].some((id) => value === `eq.${id}`),
    );
    if (answer.status < 300 && !isNamed) expect(JSON.stringify(answer.body ?? null), about).not.toContain(bobId);
    if (seed % 1_000 === 0) expect(await ofBob(), about).toEqual(before);
  }
  expect(await ofBob()).toEqual(before);
  // Otherwise the queries would only test the refusals.
  const accepted = [...statuses].filter(([status]) => status < 300).reduce((sum, [, count]) => sum + count, 0);
  expect(accepted).toBeGreaterThan(requests / 4);
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 204]));
});

import { describe, expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { makePremium, profileForm, userIdOf } from "#tests/support/app/profiles.ts";

import { callData, createDataApp } from "./data-app.ts";

/** Ada with an app, and Bob, with a handle, links, two public cards and a private one. */
async function createTwoOwners() {
  const product = await createDataApp();
  const bob = await product.signedIn("bob@example.com");
  const bobId = await userIdOf(bob);
  await bob.post(
    "/profile",
    profileForm({ handle: "bobby", displayName: "Bob", bio: "Hello" }, [
      { label: "Shown", url: "https://bob.example/" },
      { label: "Hidden", url: "https://hidden.example/", on: false },
    ]),
  );
  await makePremium(product.services, bobId);
  const cards = {
    first: await makeCard(bob, { card_name: "First" }),
    secret: await makeCard(bob, { card_name: "Secret", is_public: "" }),
    second: await makeCard(bob, { card_name: "Second" }),
  };
  await product.services.db.updateTable("card").set({ is_public: 0 }).where("id", "=", cards.secret).execute();
  return { ...product, bob, bobId, cards };
}

test("no query lists rows of others, signed in or not", async () => {
  const product = await createTwoOwners();
  const { bobId, cards, token } = product;
  const { first, second, secret } = cards;
  const queries = [
    "/profiles",
    "/profiles?select=*",
    "/profiles?limit=1000&order=display_name.desc",
    "/profiles?theme=eq.default",
    "/profiles?display_name=eq.Bob",
    "/profiles?display_name=in.(Bob,ada)&bio=eq.Hello",
    "/profiles?bio=is.null",
    "/profiles?subscription_tier=eq.premium",
    `/profiles?user_id=in.(${bobId})`,
    `/profiles?id=in.("${bobId}",x)`,
    "/profiles?handle=in.(bobby)",
    "/profiles?user_id=eq.bobby",
    "/profiles?id=eq.BOBBY&handle=eq.bobby",
    `/profiles?user_id=eq.${bobId}&user_id=eq.x`,
    `/profiles?user_id=eq.${bobId}&show_business_card=is.true`,
    "/profiles?handle=is.null&show_business_card=is.true&user_id=eq.demo-user",
    "/business_cards",
    "/business_cards?is_public=is.true&order=created_at.desc",
    "/business_cards?is_public=eq.true&email=eq.ada%40example.com",
    "/business_cards?company=eq.Analytical%20Engines",
    `/business_cards?user_id=in.(${bobId})`,
    `/business_cards?id=in.(${first},${second},${secret})`,
    `/business_cards?id=eq.${secret}`,
    `/business_cards?id=eq.${second}&card_name=eq.Second`,
    `/business_cards?id=eq.${second}&created_at=is.null&card_name=in.(Second)`,
    `/business_cards?user_id=eq.${bobId}&id=eq.${secret}`,
    "/business_cards?user_id=eq.bobby",
  ];
  for (const query of queries) {
    const own = await callData(product, `GET ${query}`, { token });
    expect(own.status, query).toBe(200);
    expect(JSON.stringify(own.body), query).not.toMatch(/bob|Second|Analytical/i);
    expect((await callData(product, `GET ${query}`)).body, query).toEqual([]);
  }
});

describe("a row that a query names", () => {
  test("is what visitors see of a profile, by id, user id and handle", async () => {
    const { anonymous, bobId, services } = await createTwoOwners();
    const read = async (column: string, value: string) =>
      (await anonymous.from("profiles").select("*").eq(column, value)).data;
    const seen = await read("user_id", bobId);
    expect(seen).toEqual([
      {
        id: bobId,
        user_id: bobId,
        display_name: "Bob",
        bio: "Hello",
        avatar_url: null,
        links: [{ label: "Shown", url: "https://bob.example/" }],
        resume_url: null,
        resume_filename: null,
        banner_url: null,
        theme: "default",
        show_business_card: null,
        subscription_tier: null,
        handle: "bobby",
      },
    ]);
    expect(await read("id", bobId)).toEqual(seen);
    expect(await read("handle", "bobby")).toEqual(seen);
    await services.db.insertInto("account_block").values({ owner_id: bobId, reason: "", created_at: 1 }).execute();
    expect(await read("user_id", bobId)).toEqual([]);
  });

  test("is the card that the owner's page offers, by user id, and any public one, by its id", async () => {
    const { anonymous, bob, bobId, cards } = await createTwoOwners();
    const read = async (column: string, value: string) =>
      (await anonymous.from("business_cards").select("id").eq(column, value)).data?.map(({ id }) => id);
    expect(await read("user_id", bobId)).toEqual([cards.first]);
    expect(await read("id", cards.second)).toEqual([cards.second]);
    await bob.post(`/cards/${cards.first}/main`, { main: "off" });
    expect(await read("user_id", bobId)).toEqual([]);
  });
});

test("no one changes what isn't theirs, or what the server decides", async () => {
  const product = await createTwoOwners();
  const { adaId, ada, bobId, cards, services, token } = product;
  const ownId = await makeCard(ada);
  const snapshot = async () => {
    const profiles = await services.db.selectFrom("profile").selectAll().orderBy("owner_id").execute();
    const stored = await services.db.selectFrom("card").selectAll().orderBy("id").execute();
    const plans = await services.db.selectFrom("subscription").selectAll().orderBy("owner_id").execute();
    return [profiles, stored, plans];
  };
  const before = await snapshot();
  const attempts: [call: string, body: object | undefined, status: number, code?: string][] = [
    [`PATCH /profiles?user_id=eq.${bobId}`, { bio: "x" }, 403, "42501"],
    ["PATCH /profiles?handle=eq.bobby", { bio: "x" }, 403, "42501"],
    [`DELETE /profiles?user_id=eq.${bobId}`, undefined, 403, "42501"],
    [`DELETE /profiles?user_id=eq.${adaId}`, undefined, 403, "42501"],
    ["POST /profiles?on_conflict=user_id", { user_id: bobId, bio: "x" }, 403, "42501"],
    ["POST /profiles?on_conflict=user_id", { id: bobId, bio: "x" }, 403, "42501"],
    [`PATCH /profiles?user_id=eq.${adaId}`, { user_id: bobId }, 403, "42501"],
    [`PATCH /profiles?user_id=eq.${adaId}`, { subscription_tier: "premium" }, 403, "42501"],
    [`PATCH /profiles?user_id=eq.${adaId}`, { avatar_url: `https://x.example/avatars/${adaId}/a.jpg` }, 403, "42501"],
    [`PATCH /profiles?user_id=eq.${adaId}`, { handle: "bobby" }, 409, "23505"],
    [`PATCH /profiles?user_id=eq.${adaId}`, { is_sample: true }, 400, "PGRST204"],
    [`PATCH /profiles?user_id=eq.${adaId}`, { pages_version: "x" }, 400, "PGRST204"],
    ["PATCH /profiles", { bio: "x" }, 400, "21000"],
    [`PATCH /business_cards?id=eq.${cards.first}`, { company: "x" }, 403, "42501"],
    [`PATCH /business_cards?id=eq.${cards.secret}`, { company: "x" }, 204],
    [`PATCH /business_cards?id=in.(${cards.first},${cards.second})`, { company: "x" }, 204],
    [`DELETE /business_cards?id=eq.${cards.first}`, undefined, 403, "42501"],
    [`DELETE /business_cards?user_id=eq.${bobId}`, undefined, 403, "42501"],
    ["DELETE /business_cards", undefined, 400, "21000"],
    ["POST /business_cards", { user_id: bobId, card_name: "x" }, 403, "42501"],
    ["POST /business_cards?on_conflict=id", { id: cards.first, card_name: "x" }, 400, "PGRST100"],
    ["POST /business_cards", { id: cards.first }, 403, "42501"],
    [`PATCH /business_cards?id=eq.${ownId}`, { user_id: bobId }, 403, "42501"],
    [`PATCH /business_cards?id=eq.${ownId}`, { id: cards.first }, 403, "42501"],
    [`PATCH /business_cards?id=eq.${ownId}`, { created_at: "2020-01-01T00:00:00Z" }, 403, "42501"],
    [`PATCH /business_cards?id=eq.${ownId}`, { passcreator_pass_id: "x" }, 403, "42501"],
    [`PATCH /business_cards?id=eq.${ownId}`, { owner_id: bobId }, 400, "PGRST204"],
    [
      `PATCH /business_cards?id=eq.${ownId}`,
      { pass_logo_url: `http://localhost:3000/files/pass-assets/${bobId}/logos/pass-a_1.png` },
      400,
      "23514",
    ],
  ];
  for (const [call, body, status, code] of attempts) {
    const prefer = call.startsWith("POST") && call.includes("on_conflict") ? "resolution=merge-duplicates" : "";
    const answer = await callData(product, call, { token, body, headers: { prefer } });
    expect(answer, call).toMatchObject({ status, ...(code && { body: { code } }) });
    const signedOut = await callData(product, call, { body, headers: { prefer } });
    expect([400, 401], call).toContain(signedOut.status);
  }
  expect(await snapshot()).toEqual(before);
});

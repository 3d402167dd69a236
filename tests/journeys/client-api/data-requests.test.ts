import { expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { makePremium } from "#tests/support/app/profiles.ts";

import { callData, createDataApp } from "./data-app.ts";

async function createAppWithCards() {
  let now = Date.now();
  const product = await createDataApp({ clock: () => (now += 1_000) });
  const { ada, adaId, services, token } = product;
  await makePremium(services, adaId);
  const fields = [
    { card_name: "One", company: "Alpha, Inc.", years_experience: "2" },
    { card_name: "Two", company: "", years_experience: "10" },
    { card_name: 'Th"ree', company: "Beta", years_experience: "" },
  ];
  for (const one of fields) await makeCard(ada, one);
  const call = (path: string, headers: Record<string, string> = {}) =>
    callData(product, `GET /business_cards?${path}`, { token, headers });
  const names = async (path: string, headers?: Record<string, string>) =>
    ((await call(`select=card_name&${path}`, headers)).body as { card_name: string }[]).map((row) => row.card_name);
  return { ...product, call, names };
}

test("filters, orders and pages rows", async () => {
  const { call, names } = await createAppWithCards();
  expect(await names("")).toEqual(['Th"ree', "Two", "One"]);
  expect(await names("card_name=eq.Two")).toEqual(["Two"]);
  expect(await names("card_name=in.(One,%22Th%5C%22ree%22,None)&order=card_name")).toEqual(["One", 'Th"ree']);
  expect(await names("company=in.(%22Alpha,%20Inc.%22)")).toEqual(["One"]);
  expect(await names("company=is.null")).toEqual(["Two"]);
  expect(await names("years_experience=eq.10&is_public=is.true")).toEqual(["Two"]);
  expect(await names("is_public=eq.false")).toEqual([]);
  // null is the largest value, unless the query says otherwise.
  expect(await names("order=years_experience")).toEqual(["One", "Two", 'Th"ree']);
  expect(await names("order=years_experience.desc")).toEqual(['Th"ree', "Two", "One"]);
  expect(await names("order=company.desc.nullslast,card_name.asc")).toEqual(['Th"ree', "One", "Two"]);
  expect(await names("order=created_at.asc&limit=2&offset=1")).toEqual(["Two", 'Th"ree']);
  expect(await names("order=created_at.asc", { range: "1-1" })).toEqual(["Two"]);
  const rangeOf = async (path: string, prefer = "count=exact") => {
    const { status, headers } = await call(path, { prefer });
    return [status, headers.get("content-range")];
  };
  expect(await rangeOf("")).toEqual([200, "0-2/3"]);
  expect(await rangeOf("limit=1&offset=1")).toEqual([206, "1-1/3"]);
  expect(await rangeOf("limit=1&offset=9")).toEqual([200, "*/3"]);
  expect(await rangeOf("limit=1", "")).toEqual([200, "0-0/*"]);
  const columns = Object.keys(((await call("select=id,*&limit=1")).body as object[])[0] ?? {});
  expect(columns.slice(0, 3)).toEqual(["id", "user_id", "card_name"]);
});

test("refuses what it doesn't have, in the form that clients read", async () => {
  const { call, client, adaId } = await createAppWithCards();
  const unsupported = [
    "select=card_name::text",
    "select=name:card_name",
    "select=id,profiles(display_name)",
    "select=count()",
    "select=professional_links->0",
    "or=(id.eq.1,id.eq.2)",
    "and=(id.eq.1)",
    "id=neq.1",
    "id=not.eq.1",
    "card_name=ilike.*a*",
    "created_at=gt.2020-01-01",
    "professional_links=cs.[]",
    "professional_links=eq.[]",
    "id=in.(a",
    "id=in.a",
    "company=is.unknown",
    "id=1",
    "order=professional_links",
    "order=id.up",
    "limit=-1",
    "limit=x",
    "limit=1&limit=2",
  ];
  for (const path of unsupported) {
    const { status, body } = await call(path);
    expect([status, body], path).toMatchObject([400, { code: "PGRST100", message: expect.any(String) }]);
  }
  expect((await call("id=neq.1")).body).toEqual({
    code: "PGRST100",
    message: 'The filter "id=neq.1" isn\'t supported.',
    details: null,
    hint: expect.stringContaining("eq, in, is"),
  });
  for (const path of ["select=id,nothing", "nothing=eq.1", "order=nothing.desc"])
    expect((await call(path)).body, path).toMatchObject({
      code: "42703",
      message: "column business_cards.nothing does not exist",
    });
  const headers: Record<string, string>[] = [
    { accept: "text/csv" },
    { accept: "application/vnd.pgrst.plan+json" },
    { "accept-profile": "auth" },
    { prefer: "tx=rollback" },
    { prefer: "handling=strict, max-affected=1" },
  ];
  for (const one of headers) expect((await call("", one)).body).toMatchObject({ code: "PGRST100" });
  const cards = client.from("business_cards");
  expect((await cards.insert([{}, {}])).error).toMatchObject({ code: "PGRST100" });
  expect((await cards.upsert({ card_name: "x" })).error).toMatchObject({ code: "PGRST100" });
  expect((await cards.insert({ nothing: 1 })).error).toMatchObject({ code: "PGRST204" });
  expect((await client.from("nothing").select()).error).toMatchObject({
    code: "PGRST205",
    message: "Could not find the table 'public.nothing' in the schema cache",
  });
  expect((await cards.select().eq("user_id", adaId).single()).error).toMatchObject({
    code: "PGRST116",
    details: "The result contains 3 rows",
  });
});

test("refuses keys, tokens and bodies that aren't valid", async () => {
  const product = await createDataApp();
  const { token, adaId, services } = product;
  const send = (body: unknown) => callData(product, `PATCH /profiles?user_id=eq.${adaId}`, { token, body });
  for (const body of ["{", "[]", "1", "null", '"x"', '{"bio": 1, "bio": 2}'])
    expect(await send(body), body).toMatchObject({ status: 400, body: { code: "PGRST102" } });
  expect(await send({ bio: "x".repeat(1_000_001) })).toMatchObject({ status: 413, body: { code: "PGRST102" } });
  expect(await send({ bio: "x".repeat(20_000) })).toMatchObject({ status: 400, body: { details: "bio" } });
  const read = (options: object) => callData(product, "GET /profiles", options);
  expect(await read({ headers: { apikey: "x" } })).toMatchObject({ status: 401, body: { code: "PGRST301" } });
  expect(await read({ token: "x" })).toMatchObject({ status: 401, body: { code: "PGRST301" } });
  await services.db.deleteFrom("app_session").execute();
  expect(await read({ token })).toMatchObject({ status: 401, body: { code: "PGRST303" } });
});

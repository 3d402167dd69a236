import { describe, expect, test } from "vitest";

import { makeCard, shortPathOf } from "#tests/support/app/cards.ts";
import { makePremium, profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { openWithCard } from "#tests/support/providers/google-wallet/google-app.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

describe("a pass that Google refuses", () => {
  const refusePasses = (request: string) =>
    request.startsWith("PATCH") ? { status: 400, body: { error: { status: "INVALID_ARGUMENT" } } } : undefined;

  test("isn't sent again by visitors, until it changes", async () => {
    const { add, ada, google } = await openWithCard();
    google.state.refuse = refusePasses;
    expect((await add()).status).toBe(503);
    google.state.log.length = 0;
    for (let count = 0; count < 20; count++) expect((await add()).status).toBe(503);
    expect(google.state.log).toEqual([]);
    google.state.refuse = () => undefined;
    await ada.post("/profile", profileForm());
    expect((await add()).status).toBe(302);
  });

  test("is sent again by the job", async () => {
    const { add, google, object, pass, wait } = await openWithCard();
    google.state.refuse = refusePasses;
    await add();
    await pass(6_000);
    google.state.log.length = 0;
    await wait(day);
    expect(google.state.log.length).toBeGreaterThan(10);
    expect(google.state.log.length).toBeLessThan(80);
    google.state.refuse = () => undefined;
    await wait(2 * 60 * minute);
    expect(object()).toMatchObject({ state: "ACTIVE" });
    expect((await add()).status).toBe(302);
  });
});

test("visitors of one card make few requests to Google, whatever its owner changes", async () => {
  const { add, ada, google } = await openWithCard();
  google.state.refuse = (request) => (request.startsWith("PATCH") ? { status: 400 } : undefined);
  for (let version = 1; version <= 10; version++) {
    await ada.post("/profile", profileForm({ version: String(version), bio: `Note ${version}.` }));
    await add();
  }
  expect(google.state.log.filter((request) => request.startsWith("PATCH"))).toHaveLength(6);
});

test("a pass that a visitor couldn't get is sent later, without a visitor", async () => {
  const { add, google, object, pass } = await openWithCard();
  google.state.isDown = true;
  expect((await add()).status).toBe(503);
  google.state.isDown = false;
  await pass(minute);
  expect(object()).toMatchObject({ state: "ACTIVE" });
});

describe("while Google Wallet isn't configured", () => {
  test("a pause waits, and arrives once it is", async () => {
    const { add, ada, id, configure, google, object, pass, wait } = await openWithCard();
    await add();
    configure(false);
    google.state.log.length = 0;
    await ada.post(`/cards/${id}/pause`, {});
    await pass(0);
    await wait(day);
    expect(google.state.log).toEqual([]);
    configure(true);
    await wait(2 * 60 * minute);
    expect(object()).toMatchObject({ state: "INACTIVE" });
  });

  test("the row of a deleted card is kept until Google is notified of it", async () => {
    const { add, ada, id, configure, maintain, object, pass, wait, services } = await openWithCard();
    await add();
    configure(false);
    await ada.post(`/cards/${id}/delete`, {});
    await pass(0);
    await wait(40 * day);
    await maintain();
    configure(true);
    await wait(2 * 60 * minute);
    expect(object()).toMatchObject({ state: "INACTIVE" });
    await maintain();
    expect(await services.db.selectFrom("google_pass").selectAll().execute()).toEqual([]);
  });
});

test("a deleted card whose job was lost is sent by maintenance, and forgotten a month later", async () => {
  const { add, ada, id, maintain, object, pass, services } = await openWithCard();
  await add();
  await ada.post(`/cards/${id}/delete`, {});
  await pass(0);
  await services.db.deleteFrom("job").execute();
  await pass(40 * day);
  expect(object()).toMatchObject({ state: "ACTIVE" });
  await maintain();
  await pass(6_000);
  expect(object()).toMatchObject({ state: "INACTIVE" });
  await maintain();
  expect(await services.db.selectFrom("google_pass").selectAll().execute()).toEqual([]);
});

test("a card beyond the plan becomes inactive after the plan has ended by itself", async () => {
  const { ada, google, id, pass, services, visitor } = await openWithCard();
  await makePremium(services, await userIdOf(ada), services.clock() + day);
  // The oldest card is the one that Free includes.
  await pass(1_000);
  const other = await makeCard(ada);
  for (const card of [id, other]) expect((await visitor().get(`/card/${card}/google-wallet`)).status).toBe(302);
  await pass(6_000);
  await pass(6_000);
  await pass(2 * day);
  await pass(6_000);
  const states = [id, other].map((card) => google.objectOf(card)?.["state"]);
  expect(states).toEqual(["ACTIVE", "INACTIVE"]);
  expect(await services.db.selectFrom("job").selectAll().execute()).toEqual([]);
});

describe("an error of Google's server", () => {
  /** Ada's cards on Premium, so many beside the first; the first `count` passes fail. */
  async function openBroken(others: number, count: number) {
    const app = await openWithCard();
    await makePremium(app.services, await userIdOf(app.ada));
    const paths: string[] = [];
    for (let n = 0; n < others; n++) paths.push(await shortPathOf(app.visitor(), await makeCard(app.ada)));
    const addOther = async (path = paths[0]) => (await app.visitor().get(`${path}/google-wallet`)).status;
    const seen = new Set<string>();
    const breakPasses = () => {
      app.google.state.refuse = (_, id) => {
        if (id && seen.size < count) seen.add(id);
        return id && seen.has(id) ? { status: 500 } : undefined;
      };
    };
    return { ...app, paths, addOther, breakPasses };
  }

  test("about one pass pauses that pass only, and others are sent", async () => {
    const { add, addOther, breakPasses, google, pass } = await openBroken(1, 1);
    breakPasses();
    expect((await add()).status).toBe(503);
    google.state.log.length = 0;
    expect((await add()).status).toBe(503);
    expect(google.state.log).toEqual([]);
    expect(await addOther()).toBe(302);
    google.state.refuse = () => undefined;
    await pass(11_000);
    expect((await add()).status).toBe(302);
  });

  test("in one pass of an update doesn't keep the others waiting", async () => {
    const { add, addOther, breakPasses, ada, google, pass } = await openBroken(1, 1);
    await add();
    await addOther();
    await ada.post("/profile", profileForm());
    breakPasses();
    google.state.log.length = 0;
    await pass(0);
    await pass(6_000);
    expect(google.state.log.toSorted()).toEqual(["PATCH genericObject 200", "PATCH genericObject 500"]);
    google.state.refuse = () => undefined;
    await pass(16_000);
    const names = [...google.state.objects.values()].map(({ header }) => header);
    const renamed = { defaultValue: { language: "en", value: "Ada Lovelace" } };
    expect(names).toEqual([renamed, renamed]);
  });

  test("about several passes pauses all", async () => {
    const { add, addOther, breakPasses, google, paths } = await openBroken(3, 3);
    breakPasses();
    const statuses = [(await add()).status];
    for (const path of paths) statuses.push(await addOther(path));
    expect(statuses).toEqual([503, 503, 503, 503]);
    expect(google.state.log.filter((line) => line.startsWith("PATCH"))).toHaveLength(3);
  });
});

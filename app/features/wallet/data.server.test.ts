import pino from "pino";
import { expect, test } from "vitest";

import { deleteCard } from "#app/features/cards/data.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { createTextSigner } from "#app/services/base/signed-token.server.ts";
import { createJobs } from "#app/services/jobs/jobs.server.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { openAssetStore } from "#tests/support/storage/asset-store.ts";

import {
  findPassDesign,
  hashToken,
  issuePass,
  restorePasses,
  retirePass,
  retirePassesOfOwner,
  sweepPasses,
} from "./data.server.ts";
import { addGooglePass, retireGooglePasses, sweepGooglePasses } from "./google/google-pass-data.server.ts";
import { defaultPassDesign } from "./pass-design.ts";

const [ownerId, cardId] = ["ada", "card-of-ada"];
const month = 30 * 24 * 60 * 60_000;

describeOnEachDatabase("the pass of a card", (makeDb) => {
  async function open() {
    const store = await openAssetStore(await makeDb());
    let now = 5_000;
    const clock = () => now;
    const jobs = createJobs({ db: store.db, clock, log: pino({ level: "silent" }), handlers: {} });
    const deps = { db: store.db, signForever: createTextSigner("secret"), clock, jobs };
    const issue = (contentHash: string) => issuePass(deps, { cardId, ownerId, contentHash });
    const row = () => store.db.selectFrom("wallet_pass").selectAll().executeTakeFirst();
    return { store, deps, issue, row, setTime: (time: number) => (now = time) };
  }

  test("keeps its token, also for twenty requests at the same time, and stores only a hash of it", async () => {
    const { issue, row } = await open();
    const issued = await Promise.all(Array.from({ length: 20 }, () => issue("a")));
    const token = (await issue("b")).authenticationToken;
    expect(token).toMatch(/^[\w-]{32,}$/);
    expect(new Set(issued.map((one) => one.authenticationToken))).toEqual(new Set([token]));
    const stored = await row();
    expect(stored?.token_hash).toBe(hashToken(token));
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  test("changes with what it shows, and each change is later than the one before", async () => {
    const { issue, setTime } = await open();
    const times = [];
    for (const change of ["5000 a", "6000 a", "7000 b", "7000 c", "6500 d", "9000 d", "9000 e"]) {
      const [time, hash = ""] = change.split(" ");
      setTime(Number(time));
      times.push((await issue(hash)).changedAt);
    }
    expect(times).toEqual([5_000, 5_000, 7_000, 7_001, 7_002, 7_002, 9_000]);
  });

  test("stays for a month without its owner's data after the card or the account is deleted", async () => {
    const { store, deps, issue, row, setTime } = await open();
    const { db } = store;
    await issue("a");
    await insertDesign(db, "{}");
    await db.insertInto("wallet_device").values({ id: "d", push_token: "p", created_at: 1, updated_at: 1 }).execute();
    await db.insertInto("wallet_registration").values({ device_id: "d", card_id: cardId, created_at: 1 }).execute();
    await deleteCard(store, { ownerId, id: cardId });
    await transact(db, (trx) => retirePass(trx, { cardId, now: 6_000 }));
    await transact(db, (trx) => retirePassesOfOwner(trx, { ownerId, now: 7_000 }));
    expect(await row()).toMatchObject({ owner_id: "", deleted_at: 6_000 });
    expect(await db.selectFrom("pass_design").selectAll().execute()).toEqual([]);
    setTime(6_000 + month);
    await sweepPasses(deps);
    expect(await row()).toBeDefined();
    setTime(6_001 + month);
    await sweepPasses(deps);
    expect(await row()).toBeUndefined();
    expect(await db.selectFrom("wallet_registration").selectAll().execute()).toEqual([]);
    expect(await db.selectFrom("wallet_device").selectAll().execute()).toEqual([]);
  });

  test.each(["made again", "saved"] as const)("lives again when its card is created again and %s", async (what) => {
    const { store, deps, issue, row, setTime } = await open();
    const { db } = store;
    const card = await db.selectFrom("card").selectAll().where("id", "=", cardId).executeTakeFirstOrThrow();
    await issue("a");
    await addGooglePass(deps, { cardId, ownerId });
    await deleteCard(store, { ownerId, id: cardId });
    await transact(db, async (trx) => {
      await retirePass(trx, { cardId, now: 6_000 });
      await retireGooglePasses(trx, { cardId }, 6_000);
    });
    await issue("void");
    await transact(db, (trx) => restorePasses(trx, { cardId, ownerId }));
    expect(await row()).toMatchObject({ deleted_at: 6_000 });
    await db.insertInto("card").values(card).execute();
    if (what === "saved") await transact(db, (trx) => restorePasses(trx, { cardId, ownerId }));
    else {
      await issue("b");
      await addGooglePass(deps, { cardId, ownerId });
    }
    const googleRow = () => db.selectFrom("google_pass").selectAll().executeTakeFirst();
    for (const pass of [await row(), await googleRow()]) expect(pass).toMatchObject({ deleted_at: null });
    // An event of the deletion that arrives late.
    await transact(db, (trx) => retirePass(trx, { cardId, now: 6_500 }));
    await transact(db, (trx) => retireGooglePasses(trx, { cardId }, 6_500));
    setTime(6_501 + month);
    await sweepPasses(deps);
    await sweepGooglePasses(deps);
    expect([await row(), await googleRow()]).toEqual([expect.anything(), expect.anything()]);
  });

  test("that was issued while its card was being deleted is retired by the sweep", async () => {
    const { store, deps, issue, row } = await open();
    await deleteCard(store, { ownerId, id: cardId });
    await issue("a");
    await sweepPasses(deps);
    expect(await row()).toMatchObject({ owner_id: "", deleted_at: 5_000 });
  });

  test("has the default design until the owner chooses one, and for what this release doesn't know", async () => {
    const { store } = await open();
    expect(await findPassDesign(store.db, cardId)).toEqual(defaultPassDesign);
    const design = JSON.stringify({ background: { kind: "video" }, tint: "#3a5f8c", logo: { kind: "none" }, newer: 1 });
    await insertDesign(store.db, design);
    const known = { tint: "#3a5f8c", logo: { kind: "none" } };
    expect(await findPassDesign(store.db, cardId)).toEqual({ ...defaultPassDesign, ...known });
  });
});

async function insertDesign(db: Db, design: string) {
  const row = { card_id: cardId, owner_id: ownerId, design, updated_at: 1 };
  await db.insertInto("pass_design").values(row).execute();
}

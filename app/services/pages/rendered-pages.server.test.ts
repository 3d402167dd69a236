import pino from "pino";
import { expect, test } from "vitest";

import { describeOnEachDatabase, waitForLocks } from "#tests/support/database/databases.ts";
import { insertProfile } from "#tests/support/database/seed.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

import { deleteRenderedPages } from "./rendered-page-rows.server.ts";
import type { StoredPage } from "./rendered-page-rows.server.ts";
import { createRenderedPages } from "./rendered-pages.server.ts";

describeOnEachDatabase("rendered pages", (makeDb, engine) => {
  /** A database with profiles of these owners, and a function that opens it as a process does. */
  async function openPages(...owners: string[]) {
    const db = await makeDb();
    for (const owner of owners) await insertProfile(db, owner);
    const clock = { now: 1_000 };
    const logged: string[] = [];
    const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line).msg) });
    const open = ({ buildId = "build", pageCacheMb = 1 } = {}) =>
      createRenderedPages({ db, engine, log, clock: () => clock.now, buildId, config: { pageCacheMb } });
    return { db, clock, logged, open, pages: open() };
  }

  test("are found by other processes of the same build as they were stored, until they end", async () => {
    const { clock, open, pages } = await openPages("ada");
    const page = { ...pageOf("ada"), subject: "profile:ada", endsAt: 2_000, queryParameters: ["q"] };
    pages.add("/u/ada", async () => page);
    await pages.flush();
    expect(await open().find("/u/bob")).toBeUndefined();
    expect(await open({ buildId: "next build" }).find("/u/ada")).toBeUndefined();
    clock.now = 1_999;
    expect(await open().find("/u/ada")).toEqual(page);
    clock.now = 2_000;
    expect(await open().find("/u/ada")).toBeUndefined();
  });

  test("are replaced by later ones of the same path, even of another build", async () => {
    const { db, open, pages } = await openPages("ada");
    pages.add("/u/ada", async () => pageOf("ada", "first"));
    await pages.flush();
    const next = open({ buildId: "next build" });
    next.add("/u/ada", async () => pageOf("ada", "second"));
    await next.flush();
    expect(await pages.find("/u/ada")).toBeUndefined();
    expect(await next.find("/u/ada")).toMatchObject({ body: Buffer.from("second") });
    expect(await paths(db)).toEqual(["/u/ada"]);
  });

  test("are not found after a change of their owner, nor without the owner, and deleted with a change", async () => {
    const { db, pages } = await openPages("ada", "bob", "eve");
    for (const owner of ["ada", "bob", "eve"]) pages.add(`/u/${owner}`, async () => pageOf(owner));
    pages.add("/card/1", async () => pageOf("eve"));
    await pages.flush();
    await changeVersion(db, "ada", "2");
    await db.deleteFrom("profile").where("owner_id", "=", "bob").execute();
    for (const path of ["/u/ada", "/u/bob"]) expect(await pages.find(path), path).toBeUndefined();
    expect(await pages.find("/u/eve")).toBeDefined();
    await transact(db, (trx) => deleteRenderedPages(trx, "eve"));
    expect(await paths(db)).toEqual(["/u/ada", "/u/bob"]);
  });

  test("are not stored when their owner has changed something since their data were read", async () => {
    const { db, pages } = await openPages("ada", "bob");
    for (const owner of ["ada", "bob"]) pages.add(`/u/${owner}`, async () => pageOf(owner));
    await changeVersion(db, "ada", "2");
    await pages.flush();
    expect(await paths(db)).toEqual(["/u/bob"]);
  });

  test.runIf(engine === "postgres")("are not stored while their owner's account is being deleted", async () => {
    const { db, pages } = await openPages("ada");
    pages.add("/u/ada", async () => pageOf("ada"));
    let flushed: Promise<void> | undefined;
    await transact(db, async (trx) => {
      await trx.deleteFrom("profile").where("owner_id", "=", "ada").execute();
      await deleteRenderedPages(trx, "ada");
      flushed = pages.flush();
      await waitForLocks(db, 1);
    });
    await flushed;
    expect(await paths(db)).toEqual([]);
  });

  test("are swept when they are of another build, out of date or of a deleted account", async () => {
    const { db, open, pages } = await openPages("ada", "bob", "eve", "zoe");
    const old = open({ buildId: "old build" });
    for (let n = 0; n < 250; n++) old.add(`/card/${n}`, async () => pageOf("ada"));
    await old.flush();
    for (const owner of ["ada", "bob", "eve", "zoe"]) pages.add(`/u/${owner}`, async () => pageOf(owner));
    await pages.flush();
    await changeVersion(db, "bob", "2");
    await db.deleteFrom("profile").where("owner_id", "=", "eve").execute();
    await pages.sweep();
    expect(await paths(db)).toEqual(["/u/ada", "/u/zoe"]);
  });

  test("are swept from the oldest when they are more than the limit, by many writes without being asked", async () => {
    const { db, clock, open } = await openPages("ada");
    const pages = open({ pageCacheMb: 0.3 });
    for (let n = 100; n < 500; n++) {
      pages.add(`/card/${n}`, async () => pageOf("ada", "x".repeat(2_000)));
      if (n % 100 === 99) await pages.flush();
      clock.now += 1;
    }
    const left = await paths(db);
    expect(left.length).toBeGreaterThan(100);
    expect(left.length * 2_000).toBeLessThanOrEqual(300_000);
    expect(left.at(-1)).toBe("/card/499");
    expect(left).not.toContain("/card/100");
  });

  test("wait in a queue of limited length", async () => {
    const { db, pages } = await openPages("ada");
    for (let n = 0; n < 1_000; n++) pages.add(`/card/${n}`, async () => pageOf("ada"));
    await pages.flush();
    expect((await paths(db)).length).toBeLessThanOrEqual(500);
  });

  test("can be written by two processes at the same time", async () => {
    const { db, open } = await openPages("ada");
    const processes = [open(), open(), open()];
    for (const pages of processes) {
      const all = Array.from({ length: 120 }, (_, n) => `/card/${n}`).toSorted(() => Math.random() - 0.5);
      for (const path of all) pages.add(path, async () => pageOf("ada"));
    }
    await Promise.all(processes.map((pages) => pages.flush()));
    expect(await paths(db)).toHaveLength(120);
  });

  test("are neither found nor stored while the database fails, which is logged once", async () => {
    const { db, logged, pages } = await openPages("ada");
    await db.schema.alterTable("rendered_page").renameTo("gone").execute();
    for (let n = 0; n < 3; n++) {
      pages.add("/u/ada", async () => pageOf("ada"));
      expect(await pages.find("/u/ada")).toBe("unavailable");
      await pages.flush();
    }
    expect(logged).toEqual([expect.stringContaining("can't be stored or read")]);
    await db.schema.alterTable("gone").renameTo("rendered_page").execute();
    pages.add("/u/ada", async () => pageOf("ada"));
    await pages.flush();
    expect(await paths(db)).toEqual(["/u/ada"]);
    await expect.poll(() => pages.find("/u/ada")).toMatchObject({ ownerId: "ada" });
    expect(logged).toHaveLength(2);
  });
});

function pageOf(ownerId: string, html = "<p>"): StoredPage {
  const headers = ["content-type", "text/html", "etag", '"a"'];
  return { ownerId, pagesVersion: "", etag: '"a"', headers, htmlBytes: html.length, body: Buffer.from(html) };
}

async function changeVersion(db: Db, ownerId: string, pages_version: string) {
  await db.updateTable("profile").set({ pages_version }).where("owner_id", "=", ownerId).execute();
}

async function paths(db: Db) {
  const rows = await db.selectFrom("rendered_page").select("path").execute();
  return rows.map(({ path }) => path).toSorted();
}

import { brotliCompressSync } from "node:zlib";

import { describe, expect, test } from "vitest";

import type { Engine } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { createApp } from "#server/app.ts";
import { runMaintenance } from "#server/maintenance.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { holdReads } from "#tests/support/app/held-reads.ts";
import { profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { createVisitor } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";

const baseUrl = "http://localhost:3000";

type ProductOptions = { clock?: () => number; env?: Record<string, string> };

/**
 * The product with an owner, her profile and her card. `restart` opens another process on the database, with an empty memory: on PostgreSQL
 * as a second node with its own services.
 */
async function openProduct(engine: Engine, { clock = Date.now, env = {} }: ProductOptions = {}) {
  const { databaseUrl } = engine === "postgres" ? await makeDatabase(engine) : {};
  const settings = { DEMO: "on", ...(databaseUrl && { DATABASE_URL: databaseUrl }), ...env };
  const options = { env: settings, program: "test", clock };
  const product = await createTestApp(options);
  const { services } = product;
  const ada = await product.signedIn();
  const id = await userIdOf(ada);
  await ada.post("/profile", profileForm({ displayName: "Before" }));
  const cardId = await makeCard(ada);
  const openApp = async (change: Partial<Services> = {}) =>
    createVisitor(await createApp({ ...services, ...change }), baseUrl);
  return {
    ...product,
    ada,
    id,
    cardId,
    profile: `/u/${id}`,
    card: `/card/${cardId}`,
    openApp,
    restart: async () => (databaseUrl ? (await createTestApp(options)).visitor() : openApp()),
    store: () => services.renderedPages.flush(),
    /** Replaces all stored pages, so that a response shows whether it comes from the database. */
    markStored: () =>
      services.db
        .updateTable("rendered_page")
        .set({ body: brotliCompressSync("stored") })
        .execute(),
    storedPaths: async () => {
      await services.renderedPages.flush();
      const rows = await services.db.selectFrom("rendered_page").select("path").orderBy("path").execute();
      return rows.map(({ path }) => path);
    },
  };
}

const textAt = async (client: Pick<Visitor, "get">, path: string) => (await client.get(path)).text();

describe.each(listEngines())("a finished page in the database, on %s", (engine) => {
  test("is served after a restart without being rendered, including the sample's", async () => {
    const { visitor, profile, card, store, markStored, restart } = await openProduct(engine);
    const paths = [profile, card, "/u/demo-user", "/card/demo-card"];
    for (const path of paths) await visitor().get(path);
    await store();
    await markStored();
    const next = await restart();
    for (const path of paths) expect(await textAt(next, path)).toBe("stored");
    const { status, headers } = await next.request(profile, { method: "HEAD" });
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  });

  test("has the bytes and headers of the rendered page, in each encoding, and its ETag", async () => {
    const { ada, visitor, profile, card, store, restart } = await openProduct(engine);
    const { isListed: _, ...unlisted } = profileForm({ version: "2" });
    await ada.post("/profile", unlisted);
    for (const encoding of ["br", "gzip", "identity"]) {
      for (const path of [profile, card]) {
        const accept = { "accept-encoding": encoding };
        const rendered = await readAll(await visitor().get(path, accept));
        expect(rendered.headers).toContainEqual(["x-robots-tag", "noindex"]);
        await store();
        const next = await restart();
        expect(await readAll(await next.get(path, accept))).toEqual(rendered);
        expect(await readAll(await next.get(path, accept))).toEqual(rendered);
        const etag = rendered.headers.find(([name]) => name === "etag")?.[1] ?? "";
        expect((await (await restart()).get(path, { ...accept, "if-none-match": etag })).status).toBe(304);
      }
    }
  });

  test("is out of date with a save, a pause or a removal, at once and everywhere", async () => {
    const { ada, visitor, profile, card, cardId, store, storedPaths, restart } = await openProduct(engine);
    const read = async () => {
      for (const path of [profile, card]) await visitor().get(path);
      await store();
    };
    await read();
    await ada.post("/profile", profileForm({ version: "2", displayName: "After" }));
    expect(await storedPaths()).toEqual([]);
    for (const path of [profile, card]) expect(await textAt(await restart(), path)).toContain("After");
    await read();
    await ada.post(`/cards/${cardId}/pause`, { paused: "on" });
    expect((await (await restart()).get(card)).status).toBe(404);
    await ada.post(`/cards/${cardId}/pause`, { paused: "" });
    await read();
    await ada.post(`/cards/${cardId}/delete`, {});
    expect((await (await restart()).get(card)).status).toBe(404);
  });

  test("is a page that any visitor gets at its canonical path", async () => {
    const { ada, visitor, services, profile, storedPaths } = await openProduct(engine);
    const toast = services.sign("toast", "x");
    await ada.get(profile);
    await visitor().get(`${profile}/`);
    await visitor().get("/");
    await visitor().get(profile, { cookie: `meishi.toast=${toast}` });
    await visitor().request(profile, { method: "HEAD" });
    await visitor().get("/u/nobody");
    const before = await storedPaths();
    await visitor().get(`${profile}?q`);
    expect([before.filter((path) => path !== profile), await storedPaths()]).toEqual([[], [profile]]);
  });

  test("is not stored when its data were read before a save that came before its end", async () => {
    const { ada, services, openApp, profile, card, restart, storedPaths } = await openProduct(engine);
    const { db, holdAfter } = holdReads(services.db);
    let version = 2;
    for (const path of [profile, card]) {
      for (const nth of [1, 2, 3]) {
        const slow = await openApp({ db });
        const { held, release } = holdAfter(nth);
        const rendered = textAt(slow, path);
        await Promise.race([held, rendered]);
        await ada.post("/profile", profileForm({ version: String(version), displayName: `Save ${version}` }));
        release();
        await rendered;
        expect(await storedPaths()).toEqual([]);
        for (const client of [slow, await restart()]) expect(await textAt(client, path)).toContain(`Save ${version}`);
        version += 1;
      }
    }
  });

  test("of a deleted account is gone, even one that was rendered in the meantime", async () => {
    const { ada, services, openApp, visitor, profile, card, storedPaths } = await openProduct(engine);
    await visitor().get(card);
    expect(await storedPaths()).toEqual([card]);
    const { db, holdAfter } = holdReads(services.db);
    const slow = await openApp({ db });
    const { held, release } = holdAfter(1);
    const rendered = textAt(slow, profile);
    await held;
    await ada.post("/account/delete", { intent: "delete", confirm: "DELETE" });
    release();
    await rendered;
    expect(await storedPaths()).toEqual([]);
    for (const path of [profile, card]) expect((await slow.get(path)).status).toBe(404);
  });

  test("makes room for newer ones when the table has PAGE_CACHE_MB", async () => {
    const { services, visitor, profile, card, storedPaths } = await openProduct(engine, {
      env: { PAGE_CACHE_MB: "1" },
    });
    for (const path of [profile, card]) {
      await visitor().get(path);
      await services.renderedPages.flush();
      await services.db.updateTable("rendered_page").set({ bytes: 600_000 }).execute();
    }
    await services.db.updateTable("rendered_page").set({ rendered_at: 1 }).where("path", "=", card).execute();
    await services.renderedPages.sweep();
    expect(await storedPaths()).toEqual([profile]);
  });

  test("is swept by maintenance in one of the processes, once an hour", async () => {
    const time = { now: Date.UTC(2026, 10, 24, 8) };
    const { services, visitor, profile, storedPaths } = await openProduct(engine, { clock: () => time.now });
    const sweptPaths = async () => {
      await visitor().get(profile);
      await visitor().get("/u/demo-user");
      await services.renderedPages.flush();
      await services.db.updateTable("rendered_page").set({ build_id: "old" }).where("path", "=", profile).execute();
      await runMaintenance([], services);
      return storedPaths();
    };
    expect(await sweptPaths()).toEqual(["/u/demo-user"]);
    await services.db.deleteFrom("rendered_page").execute();
    time.now += 61_000;
    expect(await sweptPaths()).toEqual(["/u/demo-user", profile].toSorted());
    time.now += 3_600_000;
    expect(await sweptPaths()).toEqual(["/u/demo-user"]);
  });
});

/** What the browser gets, without what is different each time. */
async function readAll(response: Response) {
  const headers = [...response.headers].filter(([name]) => !["x-request-id", "date"].includes(name));
  return { status: response.status, headers, body: Buffer.from(await response.arrayBuffer()) };
}

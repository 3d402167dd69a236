import { timingSafeEqual } from "node:crypto";

import { expect, test } from "vitest";

import type { Feature } from "#app/services/features/feature.ts";
import { createPathForLog } from "#app/services/features/path-for-log.ts";
import type { Services } from "#app/services/http/context.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { listRoutes } from "#tests/support/app/route-table.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

import { connectFeatures, features, startFeatures } from "./features.ts";
import { runMaintenance } from "./maintenance.ts";
import { listRawRoutes, slowBodyMatcher } from "./raw-routes.ts";

/** A feature as a webhook needs it. What it does is in `seen`. */
function createWebhooks() {
  const seen: unknown[] = [];
  const feature: Feature = {
    rawRoutes: [
      {
        method: "POST",
        path: "/hooks/:sender",
        authentication: "signature",
        maxBytes: 1_000,
        handler: (services) => async (c) => {
          const body = Buffer.from(await c.req.arrayBuffer());
          if (!isSigned(services, body, c.req.header("x-signature"))) return c.text("Not signed", 401);
          const { viewer } = c.get("state");
          await services.jobs.enqueue(services.db, "hook", { body: body.toString("base64"), viewer });
          return c.body(null, 202);
        },
      },
      { method: "POST", path: "/hooks/:sender/form", handler: () => (c) => c.text(c.get("state").viewer?.email ?? "") },
    ],
    bodyLimits: [
      { path: "/contact", maxBytes: 200_000 },
      { path: "/hook/:id/form", maxBytes: 200_000, isForVisitors: true },
    ],
    publicPages: ["/hook/:id"],
    offline: { pages: ["/hook/*"], ignoredWrites: ["/hooks/count"] },
    jobs: { hook: async (_, payload) => void seen.push(payload) },
    maintenance: [
      { name: "broken hooks", run: () => Promise.reject(new Error("no")) },
      { name: "old hooks", run: async ({ clock }) => void seen.push(["swept", clock()]) },
    ],
    storedData: [
      {
        name: "hooks",
        about: "owners",
        what: "Hooks",
        why: "as proof",
        howLong: "a day",
        deleteOld: async () => void seen.push("deleted"),
      },
      { name: "no hooks", about: "visitors", what: "No hooks", why: "-", howLong: "-", isStored: () => false },
    ],
    subscribers: [
      { name: "hooks", kinds: ["card.saved"], once: ({ jobs }, { kind }, trx) => jobs.enqueue(trx, "hook", kind) },
    ],
    prepare: async () => void seen.push("prepared"),
    start: () => {
      seen.push("started");
      return { stop: async () => void seen.push("stopped") };
    },
  };
  return { feature, seen };
}

function sign({ sign }: Services, body: Buffer): string {
  return sign("hook", body.toString("base64"));
}

function isSigned(services: Services, body: Buffer, signature = ""): boolean {
  const expected = Buffer.from(sign(services, body));
  return signature.length === expected.length && timingSafeEqual(expected, Buffer.from(signature));
}

async function createAppWithWebhooks() {
  const { feature, seen } = createWebhooks();
  const product = await createTestApp({ features: [...features, feature], clock: () => 1_800_000_000_000 });
  const foreign = { origin: "https://sender.example", "sec-fetch-site": "cross-site" };
  const post = (path: string, body: Buffer<ArrayBuffer>, headers: Record<string, string> = {}) =>
    product.visitor().request(path, { method: "POST", body, headers: { ...foreign, ...headers } });
  const send = (body: Buffer<ArrayBuffer>, headers: Record<string, string> = {}) =>
    post("/hooks/sender", body, { "x-signature": sign(product.services, body), ...headers });
  return { ...product, feature, seen, foreign, post, send };
}

test.each(["application/json", "application/x-www-form-urlencoded", "application/octet-stream"])(
  "a signed raw route of another site gets the exact bytes, sent as %s",
  async (type) => {
    const { send, seen, services } = await createAppWithWebhooks();
    const body = Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte));
    const response = await send(body, { "content-type": type });
    expect(response.status).toBe(202);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    await services.jobs.runDue();
    expect(seen).toEqual(["prepared", { body: body.toString("base64") }]);
  },
);

test("a signed raw route has its own body limit, and no session", async () => {
  const { send, post, signedIn, services, seen } = await createAppWithWebhooks();
  expect((await send(Buffer.alloc(1_000))).status).toBe(202);
  expect((await send(Buffer.alloc(1_001))).status).toBe(413);
  expect((await post("/hooks/sender", Buffer.from("x"))).status).toBe(401);
  const ada = await signedIn();
  const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  expect((await send(Buffer.from("x"), { cookie })).status).toBe(202);
  await services.jobs.runDue();
  expect(seen.at(-1)).toEqual({ body: Buffer.from("x").toString("base64") });
});

test("the exception is for its path and method alone", async () => {
  const { post, visitor, foreign } = await createAppWithWebhooks();
  const body = Buffer.from("{}");
  for (const path of ["/hooks", "/hooks/a/b", "/hooks/sender/form", "/count", "/auth", "/uploads/avatar", "/HOOKS/a"])
    expect((await post(path, body)).status, path).toBe(403);
  const other = (method: string) => visitor().request("/hooks/sender", { method, headers: foreign });
  expect((await other("GET")).status).toBe(404);
  expect((await other("PUT")).status).toBe(405);
});

test("a raw route that names no authentication has the session and refuses other sites", async () => {
  const { signedIn } = await createAppWithWebhooks();
  const ada = await signedIn();
  expect(await (await ada.post("/hooks/sender/form", {})).text()).toBe(ada.email);
  const foreign = await ada.post("/hooks/sender/form", {}, { origin: "https://sender.example" });
  expect(foreign.status).toBe(403);
  const long = await ada.post("/hooks/sender/form", { text: "a".repeat(100_001) });
  expect(long.status).toBe(413);
});

test("a declared body limit is for signed-in users, at its path and below", async () => {
  const { signedIn, visitor } = await createAppWithWebhooks();
  const statusOf = async (user: ReturnType<typeof visitor>, path: string, length: number) =>
    (await user.post(path, { message: "a".repeat(length) })).status;
  const ada = await signedIn();
  for (const path of ["/contact", "/contact.data", "/contact/x"]) {
    expect(await statusOf(ada, path, 150_000), path).not.toBe(413);
    expect(await statusOf(ada, path, 200_001), path).toBe(413);
    expect(await statusOf(visitor(), path, 150_000), path).toBe(413);
  }
  for (const path of ["/contacts", "/", "/auth"]) expect(await statusOf(ada, path, 150_000), path).toBe(413);
});

test("a declared body limit is for visitors when it says so, at the path of its pattern", async () => {
  const { visitor } = await createAppWithWebhooks();
  const statusOf = async (path: string, length: number) =>
    (await visitor().post(path, { message: "a".repeat(length) })).status;
  for (const path of ["/hook/a1/form", "/hook/a1/form.data"]) {
    expect(await statusOf(path, 150_000), path).not.toBe(413);
    expect(await statusOf(path, 200_001), path).toBe(413);
  }
  for (const path of ["/hook/form", "/hook//form", "/hook/a1/formula", "/hook/a1", "/x/hook/a1/form"])
    expect(await statusOf(path, 150_000), path).toBe(413);
});

test("a maintenance task that fails is logged by its name, and the others run", async () => {
  const { feature, services, seen, logLines } = await createAppWithWebhooks();
  await runMaintenance([feature, ...features], services);
  expect(seen).toEqual(["prepared", ["swept", 1_800_000_000_000], "deleted"]);
  const failed = logLines.filter(({ level }) => Number(level) >= 50);
  expect(failed.map(({ task }) => task)).toEqual(["broken hooks"]);
});

test("the privacy notice lists what each feature stores here", async () => {
  const { visitor, services } = await createAppWithWebhooks();
  const page = await (await visitor().get("/privacy")).text();
  expect(page).toContain("<li>Hooks: as proof. Stored a day.</li>");
  expect(page).not.toContain("No hooks");
  const stored = services.features.flatMap(({ storedData }) => storedData ?? []);
  expect(new Set(stored.map(({ name }) => name)).size).toBe(stored.length);
  expect(stored.map(({ about }) => about)).toEqual(expect.arrayContaining(["visitors", "leads"]));
});

test("a subscriber hears about a change of another feature", async () => {
  const { signedIn, services, seen } = await createAppWithWebhooks();
  await makeCard(await signedIn());
  await services.jobs.runDue();
  expect(seen).toEqual(["prepared", "card.saved"]);
});

test("work of a feature starts and stops with the process", async () => {
  const { feature, services, seen } = await createAppWithWebhooks();
  await startFeatures([feature, {}], services).stop();
  expect(seen).toEqual(["prepared", "started", "stopped"]);
});

test("the service worker knows a feature's public pages", async () => {
  const { visitor, services } = await createAppWithWebhooks();
  expect(services.features.flatMap(({ publicPages = [] }) => publicPages)).toContain("/hook/:id");
  const worker = await (await visitor().get("/sw.js")).text();
  const patterns = JSON.parse(/\((\{[^{}]*\})\);\n$/.exec(worker)?.[1] ?? "{}") as Record<string, string>;
  const matches = (kind: string, path: string) => new RegExp(patterns[kind] ?? "").test(path);
  expect(["/hook/a", "/u/a", "/hooks/a", "/x"].map((path) => matches("publicPage", path))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(
    ["/hook/a", "/cards/edit", "/hook/a.png", "/hook/", "/hooks/a"].map((path) => matches("ownerPage", path)),
  ).toEqual([true, true, false, false, false]);
  expect(["/hooks/count", "/count", "/hooks/counts"].map((path) => matches("ignoredWrite", path))).toEqual([
    true,
    true,
    false,
  ]);
});

test("two features can't declare one kind of job, one raw route, or a route for any path", async () => {
  const { feature, services } = await createAppWithWebhooks();
  expect(() => connectFeatures([{ jobs: { hook: async () => undefined } }], services)).toThrow("hook");
  expect(() => listRawRoutes([feature, feature])).toThrow("POST /hooks/:sender");
  for (const path of ["*", "/*", "/:any", "/:any/hooks"])
    expect(() => listRawRoutes([{ rawRoutes: [{ method: "GET", path, handler: () => (c) => c.text("") }] }])).toThrow(
      path,
    );
});

test("only declared routes may be slow, by the path as written", () => {
  const isSlow = slowBodyMatcher(listRawRoutes(features));
  const paths = [
    "/uploads/avatar",
    "/uploads/logo:a-1?name=x",
    "/uploads/a/../../profile",
    "/uploads/%2e",
    "/profile",
    "/uploads",
  ];
  expect(paths.map((path) => isSlow("POST", path))).toEqual([true, true, false, false, false, false]);
  expect(isSlow("PUT", "/uploads/avatar")).toBe(false);
});

test("no raw route hides a page, but for files", () => {
  const raw = Object.values(listRawRoutes(features)).flatMap((routes) => routes.map(({ path }) => path));
  const pages = listRoutes().map(({ path }) => path);
  expect(raw.length).toBeGreaterThan(4);
  // A browser that opens a missing file gets the page of the same path.
  expect(raw.filter((path) => pages.includes(path))).toEqual(["/files/*"]);
});

test("no route logs the token in its path", () => {
  const raw = Object.values(listRawRoutes(features)).flatMap((routes) => routes.map(({ path }) => path));
  const paths = [...listRoutes().map(({ path }) => path), ...raw].filter((path) => /:token/i.test(path));
  const pathForLog = createPathForLog(features);
  expect(paths).toContain("/shared/:token");
  for (const path of paths) expect(pathForLog(path.replace(/:token/i, "secret"))).not.toContain("secret");
});

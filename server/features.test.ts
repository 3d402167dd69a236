import { timingSafeEqual } from "node:crypto";

import { expect, test } from "vitest";

import type { Feature } from "#app/services/features/feature.ts";
import { createPathForLog } from "#app/services/features/path-for-log.ts";
import type { Services } from "#app/services/http/context.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { visibleText } from "#tests/support/app/responses.ts";
import { listRoutes } from "#tests/support/app/route-table.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

import { connectFeatures, features, startFeatures } from "./features.ts";
import { runMaintenance } from "./maintenance.ts";
import { listRawRoutes, slowBodyMatcher } from "./raw-routes.ts";

const hooks = { name: "hooks", about: "owners", what: "Hooks", why: "as proof", howLong: "a day" } as const;

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
      { ...hooks, deleteOld: async () => void seen.push("deleted") },
      { ...hooks, name: "no hooks", what: "No hooks", isStored: () => false },
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

test("a signed raw route of another site gets the exact bytes, has its own body limit, and no session", async () => {
  const { send, post, seen, services, signedIn } = await createAppWithWebhooks();
  const body = Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  for (const type of ["application/json", "application/x-www-form-urlencoded", "application/octet-stream"]) {
    const response = await send(body, { "content-type": type });
    expect([response.status, response.headers.get("x-content-type-options")]).toEqual([202, "nosniff"]);
    await services.jobs.runDue();
    expect(seen.splice(0).at(-1), type).toEqual({ body: body.toString("base64") });
  }
  expect((await send(Buffer.alloc(1_000))).status).toBe(202);
  expect((await send(Buffer.alloc(1_001))).status).toBe(413);
  expect((await post("/hooks/sender", Buffer.from("x"))).status).toBe(401);
  const ada = await signedIn();
  const cookie = [...ada.cookies].map((pair) => pair.join("=")).join("; ");
  expect((await send(Buffer.from("x"), { cookie })).status).toBe(202);
  await services.jobs.runDue();
  expect(seen.at(-1)).toEqual({ body: Buffer.from("x").toString("base64") });
});

test("the exception is for its path and method alone", async () => {
  const { post, visitor, foreign, signedIn } = await createAppWithWebhooks();
  const body = Buffer.from("{}");
  for (const path of ["/hooks", "/hooks/a/b", "/hooks/sender/form", "/count", "/auth", "/uploads/avatar", "/HOOKS/a"])
    expect((await post(path, body)).status, path).toBe(403);
  const other = (method: string) => visitor().request("/hooks/sender", { method, headers: foreign });
  expect([(await other("GET")).status, (await other("PUT")).status]).toEqual([404, 405]);
  // A route that names no authentication has the session.
  const ada = await signedIn();
  expect(await (await ada.post("/hooks/sender/form", {})).text()).toBe(ada.email);
  expect((await ada.post("/hooks/sender/form", {}, foreign)).status).toBe(403);
  expect((await ada.post("/hooks/sender/form", { text: "a".repeat(100_001) })).status).toBe(413);
});

test("a declared body limit is for its path and below, for visitors only when it says so", async () => {
  const { signedIn, visitor } = await createAppWithWebhooks();
  const isTooLarge = async (user: ReturnType<typeof visitor>, path: string, length: number) =>
    (await user.post(path, { message: "a".repeat(length) })).status === 413;
  const [ada, stranger] = [await signedIn(), visitor()];
  for (const path of ["/contact", "/contact.data", "/contact/x"]) {
    expect(await isTooLarge(ada, path, 150_000), path).toBe(false);
    expect(await isTooLarge(ada, path, 200_001), path).toBe(true);
    expect(await isTooLarge(stranger, path, 150_000), path).toBe(true);
  }
  for (const path of ["/contacts", "/", "/auth"]) expect(await isTooLarge(ada, path, 150_000), path).toBe(true);
  for (const path of ["/hook/a1/form", "/hook/a1/form.data"]) {
    expect(await isTooLarge(stranger, path, 150_000), path).toBe(false);
    expect(await isTooLarge(stranger, path, 200_001), path).toBe(true);
  }
  for (const path of ["/hook/form", "/hook//form", "/hook/a1/formula", "/hook/a1", "/x/hook/a1/form"])
    expect(await isTooLarge(stranger, path, 150_000), path).toBe(true);
});

test("work of a feature starts and stops with the process; maintenance that fails is logged, and the rest runs", async () => {
  const { feature, services, seen, logLines } = await createAppWithWebhooks();
  await startFeatures([feature, {}], services).stop();
  await runMaintenance([feature, ...features], services);
  expect(seen).toEqual(["prepared", "started", "stopped", ["swept", 1_800_000_000_000], "deleted"]);
  const failed = logLines.filter(({ level }) => Number(level) >= 50);
  expect(failed.map(({ task }) => task)).toEqual(["broken hooks"]);
});

test("the privacy notice lists what each feature stores here", async () => {
  const { visitor, services } = await createAppWithWebhooks();
  const page = visibleText(await (await visitor().get("/privacy")).text());
  expect(page).toContain("Hooks: as proof. Stored a day.");
  expect(page).not.toContain("No hooks");
  const stored = services.features.flatMap(({ storedData }) => storedData ?? []);
  expect(new Set(stored.map(({ name }) => name)).size).toBe(stored.length);
  expect(stored.map(({ about }) => about)).toEqual(expect.arrayContaining(["visitors", "leads"]));
});

test("a subscriber receives a change of another feature", async () => {
  const { signedIn, services, seen } = await createAppWithWebhooks();
  await makeCard(await signedIn());
  await services.jobs.runDue();
  expect(seen).toEqual(["prepared", "card.saved"]);
});

test("the service worker knows a feature's public pages", async () => {
  const { visitor, services } = await createAppWithWebhooks();
  expect(services.features.flatMap(({ publicPages = [] }) => publicPages)).toContain("/hook/:id");
  const worker = await (await visitor().get("/sw.js")).text();
  const patterns = JSON.parse(/\((\{[^{}]*\})\);\n$/.exec(worker)?.[1] ?? "{}") as Record<string, string>;
  const matching = (kind: string, paths: string[]) =>
    paths.filter((path) => new RegExp(patterns[kind] ?? "").test(path));
  expect(matching("publicPage", ["/hook/a", "/u/a", "/hooks/a", "/x"])).toEqual(["/hook/a", "/u/a"]);
  const ownerPages = ["/hook/a", "/cards/edit", "/hook/a.png", "/hook/", "/hooks/a"];
  expect(matching("ownerPage", ownerPages)).toEqual(ownerPages.slice(0, 2));
  expect(matching("ignoredWrite", ["/hooks/count", "/count", "/hooks/counts"])).toEqual(["/hooks/count", "/count"]);
});

test("two features can't declare one kind of job, one raw route, or a route for any path", async () => {
  const { feature, services } = await createAppWithWebhooks();
  expect(() => connectFeatures([{ jobs: { hook: async () => undefined } }], services)).toThrow("hook");
  expect(() => listRawRoutes([feature, feature])).toThrow("POST /hooks/:sender");
  for (const path of ["*", "/*", "/:any", "/:any/hooks"]) {
    const rawRoutes: Feature["rawRoutes"] = [{ method: "GET", path, handler: () => (c) => c.text("") }];
    expect(() => listRawRoutes([{ rawRoutes }])).toThrow(path);
  }
});

test("only declared routes may be slow, by the path as written", () => {
  const isSlow = slowBodyMatcher(listRawRoutes(features));
  const slow = [
    "/uploads/avatar",
    "/uploads/logo:a-1?name=x",
    "/api/v1/files/logo:a-1?name=x",
    "/storage/v1/object/avatars/u/a.png?a",
  ];
  const other = [
    "/uploads/a/../../profile",
    "/uploads/%2e",
    "/storage/v1/../../profile",
    "/storage/v1/%2E%2e/profile",
    "/profile",
    "/uploads",
    "/api/v1/files",
    "/api/v1/cards",
  ];
  expect([...slow, ...other].filter((path) => isSlow("POST", path))).toEqual(slow);
  expect(isSlow("PUT", "/uploads/avatar")).toBe(false);
});

test("no raw route hides a page, but for files, and no route logs the token in its path", () => {
  const routes = Object.values(listRawRoutes(features)).flat();
  // Browsers open pages with neither of these.
  const raw = routes.filter(({ method }) => !["PROPFIND", "OPTIONS"].includes(method)).map(({ path }) => path);
  const pages = listRoutes().map(({ path }) => path);
  expect(raw.length).toBeGreaterThan(4);
  // A browser that opens a missing file gets the page of the same path, and /cards is the API only for a request with a key.
  expect(raw.filter((path) => pages.includes(path))).toEqual(["/files/*", "/cards"]);
  const paths = [...pages, ...raw].filter((path) => /:token/i.test(path));
  const pathForLog = createPathForLog(features);
  expect(paths).toContain("/shared/:token");
  for (const path of paths) expect(pathForLog(path.replace(/:token/i, "secret"))).not.toContain("secret");
});

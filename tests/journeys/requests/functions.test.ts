import { describe, expect, test } from "vitest";

import type { Feature } from "#app/services/features/feature.ts";

import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { bearerOf, callFunction } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { blockUser, changeAll } from "#tests/support/database/account-rows.ts";
import { features } from "#server/features.ts";
import { listRawRoutes } from "#server/raw-routes.ts";
import { createStillApp, passFirstStep, signInWithApp } from "#tests/journeys/account/factors/two-step-users.ts";

/** Functions that answer with what they were called with. */
const echoes: Feature = {
  functions: [
    { name: "echo", method: "POST", run: async (_, { user, input }) => ({ body: { email: user.email, input } }) },
    {
      name: "show",
      method: "GET",
      run: async (_, { user, query }) => ({ body: { email: user.email, id: query.get("id") } }),
    },
    { name: "crash", method: "POST", run: () => Promise.reject(new Error("secret detail")) },
  ],
};

async function createEchoes() {
  const product = await createTestApp({ features: [...features, echoes] });
  return { ...product, ada: await product.signedIn() };
}

/** A call of a program: no cookie, no Origin. */
async function send(
  { app }: Pick<TestApp, "app">,
  headers: Record<string, string>,
  { name = "echo", body = "{}" } = {},
) {
  const response = await app.request(`http://localhost:3000/functions/v1/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

describe("a function", () => {
  test("gets the JSON of a signed-in user's page, and its response is never stored", async () => {
    const { ada } = await createEchoes();
    const { status, body, headers } = await callFunction(ada, "echo", { input: { n: [1] } });
    expect([status, body]).toEqual([200, { email: "ada@example.com", input: { n: [1] } }]);
    expect(headers.get("content-type")).toContain("application/json");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect((await callFunction(ada, "echo")).body).toEqual({ email: "ada@example.com", input: {} });
  });

  test("declared with GET gets the query", async () => {
    const { ada } = await createEchoes();
    const { status, body } = await callFunction(ada, "show?id=a%20b", { method: "GET" });
    expect([status, body]).toEqual([200, { email: "ada@example.com", id: "a b" }]);
    expect((await callFunction(ada, "show", { method: "HEAD" })).status).toBe(200);
  });

  test("declared with POST refuses other methods, and one that doesn't exist is 404", async () => {
    const { ada } = await createEchoes();
    for (const method of ["GET", "PUT"]) {
      const { status, headers } = await callFunction(ada, "echo", { method });
      expect([status, headers.get("allow")], method).toEqual([405, "POST"]);
    }
    for (const name of ["unknown", "__proto__", "echo%2f"]) {
      const { status, body } = await callFunction(ada, name, { input: {} });
      expect([status, body], name).toEqual([404, { error: "There is no function with this name." }]);
    }
  });

  test("refuses what isn't JSON or too long with a message", async () => {
    const { ada, app } = await createEchoes();
    for (const [body, type, status] of [
      ["{", "application/json", 400],
      ["[]", "application/json", 400],
      ["null", "application/json", 400],
      ["a=b", "application/x-www-form-urlencoded", 415],
      ["{}", "text/plain", 415],
      [JSON.stringify({ a: "x".repeat(20_000) }), "application/json", 413],
    ] as const) {
      const response = await send({ app }, { ...bearerOf(ada), "content-type": type }, { body });
      expect(response.status, `${type} ${body.slice(0, 20)}`).toBe(status);
      expect(response.body).toEqual({ error: expect.stringMatching(/\.$/) });
    }
  });

  test("that crashes answers with JSON, without the cause", async () => {
    const { ada } = await createEchoes();
    const { status, body, headers } = await callFunction(ada, "crash");
    expect([status, headers.get("cache-control")]).toEqual([500, "no-store"]);
    expect(body).toEqual({ error: expect.stringContaining("Something went wrong") });
    expect(JSON.stringify(body)).not.toContain("secret detail");
  });

  test("can't have the name of another", () => {
    expect(() => listRawRoutes([echoes, echoes])).toThrow("two functions with the name echo");
  });
});

describe("the caller of a function", () => {
  test("with a cookie is refused from other sites", async () => {
    const { ada } = await createEchoes();
    for (const origin of ["https://evil.example", "null", "http://localhost:3001"]) {
      const { status, body } = await callFunction(ada, "echo", { headers: { origin } });
      expect([status, body], origin).toEqual([403, { error: "This call didn't come from a page on this site." }]);
    }
  });

  test("with neither cookie nor token is 401", async () => {
    const product = await createEchoes();
    const { status, headers } = await send(product, {});
    expect([status, headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect((await callFunction(product.visitor(), "echo")).status).toBe(401);
  });

  test("with a session's token needs no cookie and no origin, and is the user of the token, not of a cookie", async () => {
    const product = await createEchoes();
    const { ada } = product;
    const token = bearerOf(ada);
    // The last one as the cookie has it.
    const encoded = { authorization: `bearer ${ada.cookies.get("meishi.session_token")}` };
    for (const headers of [token, { ...token, origin: "https://program.example" }, encoded]) {
      const response = await send(product, headers);
      expect([response.status, response.body]).toMatchObject([200, { email: "ada@example.com" }]);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    const bob = await product.signedIn("bob@example.com");
    const both = await callFunction(ada, "echo", { headers: bearerOf(bob) });
    expect(both.body).toMatchObject({ email: "bob@example.com" });
    // A wrong token isn't replaced by the cookie.
    expect((await callFunction(ada, "echo", { headers: { authorization: "Bearer x.y" } })).status).toBe(401);
  });

  test("isn't anyone with a token that we didn't sign", async () => {
    const product = await createEchoes();
    const [token = "", signature = ""] = (bearerOf(product.ada).authorization ?? "").slice("Bearer ".length).split(".");
    for (const wrong of [token, `${token}.${signature.slice(1)}`, `x${token}.${signature}`, "a".repeat(5_000)])
      expect((await send(product, { authorization: `Bearer ${wrong}` })).status, wrong.slice(0, 80)).toBe(401);
  });

  test("isn't anyone after signing out, after the session's end, or while the account is blocked", async () => {
    const product = await createEchoes();
    const { services } = product;
    const endings: ((user: Visitor) => Promise<unknown>)[] = [
      (user) => user.post("/auth/sign-out", {}),
      () => changeAll(services, "session", { expiresAt: new Date(0).toISOString() }),
      async (user) => blockUser(services, await userIdOf(user)),
    ];
    for (const [n, end] of endings.entries()) {
      const user = await product.signedIn(`user${n}@example.com`);
      const headers = bearerOf(user);
      expect((await send(product, headers)).status).toBe(200);
      await end(user);
      expect((await send(product, headers)).status, String(n)).toBe(401);
    }
  });

  test("isn't anyone between the first and the second step", async () => {
    const app = await createStillApp();
    const ada = await signInWithApp(app);
    app.advance(30);
    const thief = await passFirstStep(app, ada);
    const challenge = decodeURIComponent(thief.cookies.get("meishi.challenge") ?? "");
    expect(challenge).not.toBe("");
    expect((await callFunction(thief, "check-subscription")).status).toBe(401);
    const { status } = await send(app, { authorization: `Bearer ${challenge}` }, { name: "check-subscription" });
    expect(status).toBe(401);
  });
});

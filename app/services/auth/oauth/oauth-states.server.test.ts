import { expect, test } from "vitest";

import { advanceClock, openAuth } from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

import { withTimeLimit } from "./identities.server.ts";
import { readCallbackParameters } from "./oauth-callbacks.server.ts";
import { beginState, takeState } from "./oauth-states.server.ts";

describeOnEachDatabase("a request to a provider", (makeDb, engine) => {
  async function begin({ isSecure = false } = {}) {
    const { db } = await openAuth(makeDb, engine);
    const deps = { db, engine, isSecure };
    const beginIn = async (cookieHeader = "") => {
      const headers = new Headers({ cookie: cookieHeader });
      const { state, cookies } = await beginState(deps, { provider: "google", returnTo: "/cards", headers });
      const [setCookie = ""] = cookies;
      return { state, setCookie, cookie: setCookie.split("; ")[0] ?? "" };
    };
    const take = (state: string, cookie: string, provider = "google") =>
      takeState(deps, { state, provider, headers: new Headers({ cookie }) });
    return { ...(await beginIn()), beginIn, take };
  }

  test("is finished by the browser and for the provider that began it, once, in each of its tabs", async () => {
    const { state, cookie, beginIn, take } = await begin();
    const second = await beginIn(cookie);
    expect(second.cookie).toBe(cookie);
    const taken = await Promise.all([take(state, `theme=dark; ${cookie}; other=x`), take(state, cookie)]);
    expect(taken.filter((one) => one !== undefined)).toMatchObject([{ returnTo: "/cards" }]);
    expect(await take(state, cookie)).toBeUndefined();
    expect(await take(second.state, cookie)).toBeDefined();
    const third = await beginIn(cookie);
    expect(await take(third.state, cookie, "apple")).toBeUndefined();
  });

  test("can't be finished by another browser, so that no one is signed in to a stranger's account", async () => {
    const { state, cookie, beginIn, take } = await begin();
    for (const wrong of ["", `x${cookie}`, `\u00a0${cookie}`, cookie.replace(/.$/, "")])
      expect(await take(state, wrong), wrong).toBeUndefined();
    const other = await beginIn();
    expect(await take(other.state, cookie)).toBeUndefined();
  });

  test("expires after ten minutes", async () => {
    const { state, cookie, take } = await begin();
    advanceClock({ hours: 0.17 });
    expect(await take(state, cookie)).toBeUndefined();
  });

  test("over HTTPS has a cookie that only this host can set", async () => {
    const { setCookie } = await begin({ isSecure: true });
    expect(setCookie).toMatch(
      /^__Host-meishi\.oauth_state=[\w-]{43}; HttpOnly; Path=\/; Max-Age=600; SameSite=Lax; Secure$/,
    );
  });
});

test("callback parameters are read once each, and unknown ones are left out", () => {
  const given = [
    ["state", "a"],
    ["id_token", "secret"],
    ["state", "b"],
    ["code", new Blob()],
  ] as const;
  expect([...readCallbackParameters(given)]).toEqual([["state", "a"]]);
});

test("a provider that never answers is given up", async () => {
  await expect(withTimeLimit(new Promise(() => undefined), 20)).rejects.toThrow("The provider took too long.");
  expect(await withTimeLimit(Promise.resolve("tokens"), 20)).toBe("tokens");
});

import { describe, expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { readElements, readHead, visibleText } from "#tests/support/app/responses.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";

const modeOf = (html: string) => readElements(html).find(({ tag }) => tag === "html")?.attributes["data-mode"];

describe("the theme", () => {
  test("is chosen without script, leads back, and applies to the next pages of this visitor for a year", async () => {
    const { visitor, signedIn } = await createTestApp();
    const [user, other, ada] = [visitor(), visitor(), await signedIn()];
    for (const theme of ["system", "dark", "light"]) {
      const response = await user.post("/theme", { theme, returnTo: "/pricing" });
      expect([response.status, response.headers.get("location")]).toEqual([303, "/pricing"]);
      const cookie = response.headers.get("set-cookie");
      expect(cookie).toContain(`theme=${theme}; Path=/; Max-Age=31536000; SameSite=Lax`);
      // The script changes it too.
      expect(cookie).not.toMatch(/HttpOnly/i);
      for (const path of ["/", "/pricing", "/auth", "/credits"]) {
        const html = await (await user.get(path)).text();
        expect(modeOf(html), path).toBe(theme);
        const pressed = readElements(html).filter(({ attributes }) => attributes["aria-pressed"] === "true");
        expect(new Set(pressed.map(({ attributes }) => attributes["value"]))).toEqual(new Set([theme]));
      }
    }
    expect(modeOf(await (await other.get("/")).text())).toBe("dark");
    await ada.post("/theme", { theme: "light", returnTo: "/profile" });
    expect(modeOf(await (await ada.get("/profile")).text())).toBe("light");
  });

  test("doesn't apply to public pages, which have their owner's theme", async () => {
    const { visitor } = await createTestApp({ env: { DEMO: "on" } });
    const [light, dark] = [visitor(), visitor()];
    await light.post("/theme", { theme: "light" });
    for (const path of ["/u/demo-user", "/card/demo-card"]) {
      const html = await (await light.get(path)).text();
      expect(html).not.toContain("data-mode");
      expect(html).toBe(await (await dark.get(path)).text());
    }
  });

  test("is changed by our own forms and to known themes only", async () => {
    const user = (await createTestApp()).visitor();
    await user.post("/theme", { theme: "light" });
    for (const theme of ["blue", "", "LIGHT", "dark; Domain=evil.example", "light\r\nset-cookie: a=b"]) {
      const response = await user.post("/theme", { theme, returnTo: "/pricing" });
      expect([response.status, response.headers.get("set-cookie")]).toEqual([400, null]);
      expect(await response.text()).toContain("Unknown theme");
    }
    expect((await user.get("/theme?theme=dark")).headers.get("location")).toBe("/");
    expect((await user.post("/theme", { theme: "dark" }, { origin: "https://evil.example" })).status).toBe(403);
    expect(user.cookies.get("theme")).toBe("light");
  });

  test("leads back to a page of this site, with its query", async () => {
    const { visitor } = await createTestApp();
    for (const [returnTo, expected] of [
      ["//evil.example", "/"],
      ["https://evil.example/", "/"],
      ["/\\evil.example", "/"],
      ["javascript:alert(1)", "/"],
      ["pricing", "/"],
      ["/auth/sign-out", "/"],
      ["/auth", "/auth"],
      ["/forgot-password", "/forgot-password"],
      ["/u/ada", "/u/ada"],
    ] as const) {
      const response = await visitor().post("/theme", { theme: "light", returnTo });
      expect([returnTo, response.headers.get("location")]).toEqual([returnTo, expected]);
    }
    const from = { referer: "http://localhost:3000/auth?returnTo=%2Fprofile" };
    const back = async (returnTo: string) =>
      (await visitor().post("/theme", { theme: "light", returnTo }, from)).headers;
    expect((await back("/auth")).get("location")).toBe("/auth?returnTo=%2Fprofile");
    expect((await back("/pricing")).get("location")).toBe("/pricing");
  });
});

describe("an unknown URL", () => {
  test("shows the error page and logs the path, however long, but no email address in any encoding", async () => {
    const { visitor, logLines } = await createTestApp();
    for (const path of ["/no/such/page", `/${"long".repeat(1000)}`, "/no%20such%20page", "/no%00page", "/u/a%00b"]) {
      const response = await visitor().get(path);
      expect(response.status).toBe(404);
      const html = await response.text();
      expect(html).toContain("Oops! Page not found");
      expect(html).toMatch(/<a[^>]* href="\/"/);
      const lines = logLines.filter(({ msg }) => msg === "no such page");
      expect(lines.at(-1)).toMatchObject({ path: path.length > 300 ? `${path.slice(0, 299)}…` : path });
    }
    const address = "ada@example.com";
    for (const path of [`/u/${address}`, "/u/ada%40example.com", `/${address}/x`, `/avatar/${address}.svg`])
      await visitor().get(path);
    expect(JSON.stringify(logLines)).toContain('"/u/…"');
    expect(JSON.stringify(logLines)).not.toContain("example.com");
  });

  test("leads a signed-in user home, too", async () => {
    const { ada, visitor } = await createSignedInApp();
    for (const path of ["/profile/x", "/cards/edit/a/b", "/account/x", "/share/x", "/start/x"]) {
      const page = await (await ada.get(path)).text();
      expect(page, path).toContain("Oops! Page not found");
      expect(page, path).toMatch(/<a[^>]* href="\/home"[^>]*>Your cards/);
    }
    expect(await (await visitor().get("/profile/x")).text()).not.toContain("Your cards");
  });
});

test("the footer has the year of the server's clock", async () => {
  const { visitor } = await createTestApp({ clock: () => Date.UTC(2031, 0, 1) });
  for (const path of ["/", "/credits", "/auth"])
    expect(visibleText(await (await visitor().get(path)).text()), path).toContain("© 2031 Meishi");
});

/** Those of the public pages are in tests/browser/site/site-pages.test.ts. */
test("each page of a member says in its title what it is", async () => {
  const { ada } = await createSignedInApp();
  const titleOf = async (path: string) => (await readHead(await ada.get(path))).titles;
  expect(await titleOf("/cards/edit")).toEqual(["Create Business Card | Meishi"]);
  const card = await makeCard(ada);
  for (const [path, title] of [
    ["/account", "Account"],
    ["/account/delete", "Delete account"],
    ["/profile", "Your profile"],
    ["/start/name", "Your name and avatar"],
    [`/cards/edit/${card}`, "Edit Business Card"],
    ["/share/profile", "Share"],
    [`/share/card/${card}`, "Share"],
    ["/success", "Your plan is still Free"],
    ["/dev/mail", "Mailbox"],
  ] as const)
    expect([path, await titleOf(path)]).toEqual([path, [`${title} | Meishi`]]);
});

import { describe, expect, test } from "vitest";

import { createToastCookies, redirectWithToast } from "#app/services/http/toast.server.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

describe("the theme", () => {
  test("is chosen without script, redirects back, and applies to the next pages", async () => {
    const { visitor } = await createTestApp();
    const user = visitor();
    for (const theme of ["light", "system", "dark"]) {
      const response = await user.post("/theme", { theme, returnTo: "/pricing" });
      expect(response.status).toBe(303);
      expect(response.headers.get("location")).toBe("/pricing");
      for (const path of ["/", "/pricing", "/auth", "/credits"]) {
        const html = await (await user.get(path)).text();
        expect(html, path).toMatch(new RegExp(`<html[^>]* data-mode="${theme}"`));
        expect(html, path).toMatch(new RegExp(`<button[^>]*value="${theme}"[^>]*aria-pressed="true"`));
      }
    }
  });

  test("is dark by default, and per visitor even on cached pages", async () => {
    const { visitor } = await createTestApp();
    const [first, second] = [visitor(), visitor()];
    await first.post("/theme", { theme: "light", returnTo: "/" });
    for (let round = 0; round < 3; round++) {
      expect(await (await first.get("/")).text()).toContain('data-mode="light"');
      expect(await (await second.get("/")).text()).toContain('data-mode="dark"');
    }
  });

  test("applies to the pages of a signed-in user too", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    await ada.post("/theme", { theme: "light", returnTo: "/profile" });
    expect(await (await ada.get("/profile")).text()).toMatch(/<html[^>]* data-mode="light"/);
  });

  test("lasts a year, and can be changed by script", async () => {
    const { visitor } = await createTestApp();
    const cookie = (await visitor().post("/theme", { theme: "light" })).headers.get("set-cookie");
    expect(cookie).toMatch(/^theme=light; Path=\/; Max-Age=31536000; SameSite=Lax/);
    expect(cookie).not.toMatch(/HttpOnly/i);
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

  test.each(["blue", "", "LIGHT", "dark; Domain=evil.example", "light\r\nset-cookie: a=b"])(
    "rejects %j",
    async (theme) => {
      const { visitor } = await createTestApp();
      const user = visitor();
      await user.post("/theme", { theme: "light" });
      const response = await user.post("/theme", { theme, returnTo: "/pricing" });
      expect(response.status).toBe(400);
      expect(response.headers.get("set-cookie")).toBeNull();
      expect(await response.text()).toContain("Unknown theme");
      expect(user.cookies.get("theme")).toBe("light");
    },
  );

  test.each([
    ["//evil.example", "/"],
    ["https://evil.example/", "/"],
    ["/\\evil.example", "/"],
    ["javascript:alert(1)", "/"],
    ["pricing", "/"],
    ["/theme", "/theme"],
    ["/auth", "/auth"],
    ["/forgot-password", "/forgot-password"],
    ["/auth/sign-out", "/"],
    ["/u/ada", "/u/ada"],
  ])("chosen with %j as the place to go back to leads to %s", async (returnTo, place) => {
    const { visitor } = await createTestApp();
    const response = await visitor().post("/theme", { theme: "light", returnTo });
    expect(response.headers.get("location")).toBe(place);
  });

  test("keeps the query of the page where it was chosen", async () => {
    const { visitor } = await createTestApp();
    const from = "http://localhost:3000/auth?returnTo=%2Fprofile";
    const back = await visitor().post("/theme", { theme: "light", returnTo: "/auth" }, { referer: from });
    expect(back.headers.get("location")).toBe("/auth?returnTo=%2Fprofile");
    const other = await visitor().post("/theme", { theme: "light", returnTo: "/pricing" }, { referer: from });
    expect(other.headers.get("location")).toBe("/pricing");
  });

  test("isn't changed by a GET, nor by another site", async () => {
    const { visitor } = await createTestApp();
    const user = visitor();
    expect((await user.get("/theme?theme=light")).headers.get("location")).toBe("/");
    expect((await user.post("/theme", { theme: "light" }, { origin: "https://evil.example" })).status).toBe(403);
    expect(user.cookies.has("theme")).toBe(false);
  });
});

describe("a toast on a site page", () => {
  const title = "Checkout canceled";
  const left = () => redirectWithToast("/", { title, tone: "info" }).headers;

  test("is shown once, to its user only, even on cached pages", async () => {
    const { visitor, signedIn, services } = await createTestApp();
    const waiting = /=([^;]+)/.exec(createToastCookies(services).takeCookie(left()) ?? "")?.[1] ?? "";
    const ada = await signedIn();
    const other = visitor();
    for (const user of [visitor(), ada]) {
      for (const path of ["/credits", "/"]) {
        await other.get(path);
        user.cookies.set("meishi.toast", waiting);
        expect(await (await user.get(path)).text()).toContain(`<strong>${title}</strong>`);
        for (const next of [user, other]) expect(await (await next.get(path)).text()).not.toContain(title);
      }
    }
  });
});

describe("an unknown URL", () => {
  test("shows the error page and logs the path, however long", async () => {
    const { visitor, logLines } = await createTestApp();
    for (const path of ["/no/such/page", `/${"long".repeat(1000)}`, "/no%20such%20page", "/no%00page", "/u/a%00b"]) {
      const response = await visitor().get(path);
      expect(response.status).toBe(404);
      const html = await response.text();
      expect(html).toContain("Oops! Page not found");
      expect(html).toMatch(/<a[^>]* href="\/"/);
      const lines = logLines.filter(({ msg }) => msg === "no such page");
      expect(lines.at(-1)).toMatchObject({ path: path.slice(0, 300) });
    }
  });

  test("leads a signed-in user to their profile, too", async () => {
    const { visitor, signedIn } = await createTestApp();
    const ada = await signedIn();
    for (const path of ["/profile/x", "/cards/x", "/cards/edit/a/b", "/account/x", "/share/x", "/start/x"]) {
      const page = await (await ada.get(path)).text();
      expect(page, path).toContain("Oops! Page not found");
      expect(page, path).toMatch(/<a[^>]* href="\/profile"[^>]*>Your profile and cards/);
    }
    expect(await (await visitor().get("/profile/x")).text()).not.toContain("Your profile and cards");
  });

  test("logs no email address, in any encoding", async () => {
    const { visitor, logLines } = await createTestApp();
    for (const path of [
      "/u/ada@example.com",
      "/u/ada%40example.com",
      "/ada@example.com/x",
      "/avatar/ada@example.com.svg",
    ])
      await visitor().get(path);
    expect(JSON.stringify(logLines)).toContain('"/u/…"');
    expect(JSON.stringify(logLines)).not.toContain("example.com");
  });
});

describe("the footer", () => {
  test("is on every site page, with the year of the server's clock", async () => {
    const { visitor } = await createTestApp({ clock: () => Date.UTC(2031, 0, 1) });
    for (const path of ["/", "/pricing", "/credits", "/auth"]) {
      const html = await (await visitor().get(path)).text();
      expect(html, path).toMatch(/© (<!-- -->)?2031(<!-- -->)? Meishi/);
    }
  });
});

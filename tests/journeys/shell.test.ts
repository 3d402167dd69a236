import { describe, expect, test } from "vitest";

import { createTestApp } from "../support/test-app.ts";

describe("the theme", () => {
  test("is chosen without script: the answer leads back to where it was chosen, and every page that follows wears it", async () => {
    const { visitor } = await createTestApp();
    const person = visitor();
    for (const theme of ["light", "system", "dark"]) {
      const answer = await person.post("/theme", { theme, returnTo: "/pricing" });
      expect(answer.status).toBe(303);
      expect(answer.headers.get("location")).toBe("/pricing");
      for (const path of ["/", "/pricing", "/auth", "/credits"]) {
        const html = await (await person.get(path)).text();
        expect(html, path).toMatch(new RegExp(`<html[^>]* data-mode="${theme}"`));
        expect(html, path).toMatch(new RegExp(`<button[^>]*value="${theme}"[^>]*aria-pressed="true"`));
      }
    }
  });

  test("is dark until somebody chooses, and each visitor gets their own, also of a page that is kept ready", async () => {
    const { visitor } = await createTestApp();
    const [first, second] = [visitor(), visitor()];
    await first.post("/theme", { theme: "light", returnTo: "/" });
    for (let round = 0; round < 3; round++) {
      expect(await (await first.get("/")).text()).toContain('data-mode="light"');
      expect(await (await second.get("/")).text()).toContain('data-mode="dark"');
    }
  });

  test("is the same for a member, on their pages too", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    await ada.post("/theme", { theme: "light", returnTo: "/profile" });
    expect(await (await ada.get("/profile")).text()).toMatch(/<html[^>]* data-mode="light"/);
  });

  test("is for a year, and may be changed by the page's own script", async () => {
    const { visitor } = await createTestApp();
    const cookie = (await visitor().post("/theme", { theme: "light" })).headers.get("set-cookie");
    expect(cookie).toMatch(/^theme=light; Path=\/; Max-Age=31536000; SameSite=Lax/);
    expect(cookie).not.toMatch(/HttpOnly/i);
  });

  test("touches no page of a person: their own choice is what a visitor sees", async () => {
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
    "%j is none, and changes nothing",
    async (theme) => {
      const { visitor } = await createTestApp();
      const person = visitor();
      await person.post("/theme", { theme: "light" });
      const answer = await person.post("/theme", { theme, returnTo: "/pricing" });
      expect(answer.status).toBe(400);
      expect(answer.headers.get("set-cookie")).toBeNull();
      expect(await answer.text()).toContain("There is no such theme");
      expect(person.cookies.get("theme")).toBe("light");
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
    const answer = await visitor().post("/theme", { theme: "light", returnTo });
    expect(answer.headers.get("location")).toBe(place);
  });

  test("chosen on the way to somewhere, that place is kept", async () => {
    const { visitor } = await createTestApp();
    const from = "http://localhost:3000/auth?returnTo=%2Fprofile";
    const back = await visitor().post("/theme", { theme: "light", returnTo: "/auth" }, { referer: from });
    expect(back.headers.get("location")).toBe("/auth?returnTo=%2Fprofile");
    const other = await visitor().post("/theme", { theme: "light", returnTo: "/pricing" }, { referer: from });
    expect(other.headers.get("location")).toBe("/pricing");
  });

  test("is not changed by an address that is opened, nor by another site", async () => {
    const { visitor } = await createTestApp();
    const person = visitor();
    expect((await person.get("/theme?theme=light")).headers.get("location")).toBe("/");
    expect((await person.post("/theme", { theme: "light" }, { origin: "https://evil.example" })).status).toBe(403);
    expect(person.cookies.has("theme")).toBe(false);
  });
});

describe("a toast that waits for a page of the site", () => {
  const title = "Checkout canceled";
  const waiting = Buffer.from(JSON.stringify({ title, tone: "info" })).toString("base64url");

  test("is seen once, by visitors and members, and by nobody else, also where the page is kept ready", async () => {
    const { visitor, signedIn } = await createTestApp();
    const ada = await signedIn();
    const other = visitor();
    for (const person of [visitor(), ada]) {
      for (const path of ["/credits", "/"]) {
        await other.get(path);
        person.cookies.set("meishi.toast", waiting);
        expect(await (await person.get(path)).text()).toContain(`<strong>${title}</strong>`);
        for (const next of [person, other]) expect(await (await next.get(path)).text()).not.toContain(title);
      }
    }
  });
});

describe("a page that is not there", () => {
  test("says so, leads home, and leaves its path in the log, however long it is", async () => {
    const { visitor, logLines } = await createTestApp();
    for (const path of ["/no/such/page", `/${"long".repeat(1000)}`, "/no%20such%20page", "/no%00page", "/u/a%00b"]) {
      const answer = await visitor().get(path);
      expect(answer.status).toBe(404);
      const html = await answer.text();
      expect(html).toContain("Oops! Page not found");
      expect(html).toMatch(/<a[^>]* href="\/"/);
      const lines = logLines.filter(({ msg }) => msg === "no such page");
      expect(lines.at(-1)).toMatchObject({ path: path.slice(0, 300) });
    }
  });

  test("leaves no mail address in the log, however it is written", async () => {
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
  test("is on every page around the product, with the year of the server's clock", async () => {
    const { visitor } = await createTestApp({ clock: () => Date.UTC(2031, 0, 1) });
    for (const path of ["/", "/pricing", "/credits", "/auth"]) {
      const html = await (await visitor().get(path)).text();
      expect(html, path).toMatch(/© (<!-- -->)?2031(<!-- -->)? Meishi/);
    }
  });
});

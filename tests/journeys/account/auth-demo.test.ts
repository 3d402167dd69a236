import { describe, expect, test } from "vitest";

import { createTestApp } from "#tests/support/app/test-app.ts";

describe("the auth demo", () => {
  test("offers a visitor only to sign in", async () => {
    const { visitor } = await createTestApp();
    const response = await visitor().get("/auth/demo");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const main = mainOf(await response.text());
    expect(main).toContain("No user is signed in.");
    for (const way of ["/auth", "/account"]) expect(main).toContain(`href="${way}"`);
    expect(main).toMatch(/<button[^>]* disabled=""[^>]*>Sign Out/);
  });

  test("shows who is signed in, and signs out", async () => {
    const { signedIn } = await createTestApp();
    const user = await signedIn();
    const main = mainOf(await (await user.get("/auth/demo")).text());
    expect(main).toContain("ada@example.com");
    expect(main).not.toContain("No user is signed in.");
    expect(main).toMatch(/<form action="\/auth\/sign-out" method="post"><button(?![^>]*disabled="")[^>]*>Sign Out/);
    await user.post("/auth/sign-out", {});
    expect(await (await user.get("/auth/demo")).text()).toContain("No user is signed in.");
  });

  test("reveals no token", async () => {
    const { signedIn } = await createTestApp();
    const user = await signedIn();
    const html = await (await user.get("/auth/demo")).text();
    for (const [name, value] of user.cookies) if (name.includes("session")) expect(html).not.toContain(value);
  });
});

describe("the sign-up link", () => {
  test("of a plan opens Sign Up and keeps the plan through a rejected form", async () => {
    const { visitor } = await createTestApp();
    for (const tier of ["free", "premium"]) {
      const to = (await visitor().get(`/signup?tier=${tier}`)).headers.get("location") ?? "";
      const html = await (await visitor().post(to, { intent: "sign-up", email: "x", password: "" })).text();
      expect(html.includes("It isn&#x27;t available yet, so your account starts on Free")).toBe(tier === "premium");
      expect(html).toContain(`href="/auth?tier=${tier}"`);
    }
  });

  test("on the login page keeps the return path", async () => {
    const { visitor } = await createTestApp();
    const html = await (await visitor().get("/auth?redirect=/pricing&tier=free")).text();
    expect(html).toMatch(/New here\?.*href="\/auth\?tab=signup&amp;tier=free&amp;returnTo=%2Fpricing"/s);
  });

  test("redirects a signed-in user to the plan or the return path", async () => {
    const { signedIn } = await createTestApp();
    const user = await signedIn();
    const led = [
      ["/signup?tier=premium", "/pricing"],
      ["/signup?tier=free", "/profile"],
      ["/signup?tier=premium&returnTo=/profile", "/profile"],
      ["/signup?returnTo=//evil.example", "/profile"],
      ["/auth?redirect=/pricing", "/pricing"],
      ["/auth?returnTo=/pricing", "/pricing"],
      ["/auth", "/profile"],
      ["/auth?returnTo=/", "/"],
      ["/auth?redirect=https://evil.example/pricing", "/profile"],
    ];
    for (const [from = "", to] of led) expect((await user.get(from)).headers.get("location")).toBe(to);
  });

  test.each(["gold", "FREE", "premium ", '"><script>alert(1)</script>', "free&tier=premium%00", "%", "__proto__"])(
    "ignores an unknown plan: %s",
    async (tier) => {
      const { visitor } = await createTestApp();
      const to = (await visitor().get(`/signup?tier=${encodeURIComponent(tier)}`)).headers.get("location");
      expect(to).toBe("/auth?tab=signup");
      const page = await visitor().get(`/auth?tab=signup&tier=${encodeURIComponent(tier)}`);
      expect(page.status).toBe(200);
      const html = await page.text();
      expect(html).not.toContain("tier=");
      expect(html).not.toContain("alert(1)");
    },
  );

  test.each(["returnTo", "redirect", "tab", "link", "tier"])("reads %s in any spelling", async (name) => {
    const { visitor } = await createTestApp();
    for (const value of ["%", "%00", "<b>", "%22%3E%3Cscript%3Ealert(1)", "a".repeat(3000), "[]", "\u202e"]) {
      for (const path of ["/auth", "/signup", "/auth/demo", "/cancel", "/pricing"]) {
        const response = await visitor().get(`${path}?${name}=${value}&${name}=x`);
        expect([200, 302]).toContain(response.status);
        const html = await response.text();
        expect(html).not.toContain("<script>alert(1)");
        expect(html).not.toContain("<b>");
      }
    }
  });
});

function mainOf(html: string): string {
  return /<main.*<\/main>/s.exec(html)?.[0] ?? "";
}

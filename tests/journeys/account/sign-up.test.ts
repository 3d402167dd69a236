import { describe, expect, test } from "vitest";

import { firstLink, toastIn, withoutRandom } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";

const ada = { email: "ada@example.com", password: "tea with Charles" };

describe("signing up", () => {
  test("leads through the mail to the first steps, and later through the password", async () => {
    const { visitor, mails } = await createTestApp();
    const user = visitor();
    const form = await user.get("/auth?tab=signup");
    expect(form.status).toBe(200);
    expect(form.headers.get("cache-control")).toBe("no-store");

    const sent = await user.post("/auth?tab=signup", { intent: "sign-up", ...ada });
    expect(sent.status).toBe(200);
    const screen = await sent.text();
    for (const text of ["Check your email for the confirmation link!", ada.email, "/dev/mail", "Resend link"]) {
      expect(screen).toContain(text);
    }

    const [mail] = await mails();
    expect(mail).toMatchObject({ to: ada.email, subject: "Confirm your email for Meishi" });
    const link = firstLink(mail?.text);
    const asked = await (await user.get(link)).text();
    for (const text of ["Confirm your email", ada.email, "Confirm and sign in"]) expect(asked).toContain(text);
    const opened = await user.post(link, {});
    expect(opened.headers.get("location")).toBe("/start");
    expect((await user.get("/profile")).status).toBe(200);

    const out = await user.post("/auth/sign-out", {});
    expect(out.headers.get("location")).toBe("/auth");
    expect(toastIn(out)).toMatchObject({ title: "You're signed out.", tone: "success" });
    expect((await user.get("/profile")).headers.get("location")).toBe("/auth?returnTo=%2Fprofile");

    const back = await user.post("/auth?returnTo=%2Fprofile", { intent: "log-in", ...ada });
    expect(back.headers.get("location")).toBe("/profile");
    expect(toastIn(back)).toMatchObject({ title: "Login successful!", tone: "success" });
    expect((await user.get("/profile")).status).toBe(200);
  });

  test("shows where the link went again when the page is loaded again, until it was used", async () => {
    const { visitor, mails } = await createTestApp();
    const user = visitor();
    const sent = "Check your email for the confirmation link!";
    const open = async (path: string, as = user) => (await as.get(path)).text();
    expect(await open("/auth?tab=signup")).not.toContain(sent);
    await user.post("/auth?tab=signup", { intent: "sign-up", ...ada });
    const again = await open("/auth?tab=signup");
    for (const text of [sent, ada.email, "Resend link"]) expect(again).toContain(text);
    for (const other of ["/auth", "/auth?tab=signup&again=1"]) expect(await open(other)).not.toContain(sent);
    expect(again).toContain('href="/auth?tab=signup&amp;again=1"');
    expect(await open("/auth?tab=signup", visitor())).not.toContain(sent);
    const [mail] = await mails();
    await user.post(firstLink(mail?.text), {});
    await user.post("/auth/sign-out", {});
    expect(await open("/auth?tab=signup")).not.toContain(sent);
  });

  test("with an existing account looks the same, and notifies its owner", async () => {
    const { visitor, mails } = await createTestApp();
    await confirm(visitor(), mails);
    const known = await visitor().post("/auth?tab=signup", {
      intent: "sign-up",
      ...ada,
      password: "a stranger's word",
    });
    const fresh = await visitor().post("/auth?tab=signup", { intent: "sign-up", ...ada, email: "eda@example.com" });
    expect(known.status).toBe(fresh.status);
    const [knownPage, freshPage] = [withoutRandom(await known.text()), withoutRandom(await fresh.text())];
    expect(knownPage === freshPage.replaceAll("eda@", "ada@")).toBe(true);
    const [, told] = await mails();
    expect(told).toMatchObject({ to: ada.email, subject: "You already have a Meishi account" });
    expect(await logIn(visitor(), ada)).toBe(302);
    expect(await logIn(visitor(), { ...ada, password: "a stranger's word" })).toBe(400);
  });

  test("is rejected with the reason beside the field, and keeps the address", async () => {
    const { visitor } = await createTestApp();
    const cases: [Record<string, string>, string][] = [
      [{ email: "ada@example", password: ada.password }, "Enter a valid email address"],
      [{ email: "", password: ada.password }, "Enter your email address."],
      [{ email: ada.email, password: "" }, "Enter your password."],
      [{ email: ada.email, password: "12345" }, "Password must be at least 6 characters long."],
      [{ email: ada.email, password: "a".repeat(129) }, "Password must be at most 128 characters long."],
      [{ email: ada.email, password: "PassWord" }, "This password is too easy to guess."],
      [{ email: ada.email, password: "Ada@example.com" }, "Your password can&#x27;t be your email address."],
      [{}, "Enter your email address."],
    ];
    for (const [fields, reason] of cases) {
      const response = await visitor().post("/auth?tab=signup", { intent: "sign-up", ...fields });
      const page = await response.text();
      expect(response.status).toBe(400);
      expect(page).toContain(reason);
      expect(page).toContain("<title>Error: Sign Up | Meishi</title>");
      expect(page).toContain(`value="${fields["email"] ?? ""}"`);
      if (fields["password"]) expect(page).not.toContain(`value="${fields["password"]}"`);
    }
  });

  test("is refused from another site, like signing in and out", async () => {
    const { visitor, mails } = await createTestApp();
    const evil = { origin: "https://evil.example" };
    for (const intent of ["sign-up", "log-in", "resend"]) {
      expect((await visitor().post("/auth", { intent, ...ada }, evil)).status).toBe(403);
    }
    expect(await mails()).toEqual([]);
    const user = visitor();
    await confirm(user, mails);
    expect((await user.post("/auth/sign-out", {}, evil)).status).toBe(403);
    expect((await user.get("/auth/sign-out")).headers.get("location")).toBe("/");
    expect((await user.get("/profile")).status).toBe(200);
  });

  test("keeps the chosen plan", async () => {
    const { visitor } = await createTestApp();
    for (const tier of ["free", "premium"]) {
      const response = await visitor().get(`/signup?tier=${tier}`);
      expect(response.headers.get("location")).toBe(`/auth?tab=signup&tier=${tier}`);
    }
    expect((await visitor().get("/signup?tier=gold")).headers.get("location")).toBe("/auth?tab=signup");
    const page = await (await visitor().get("/auth?tab=signup&tier=premium&redirect=/pricing")).text();
    expect(page).toContain("You chose Premium.");
    expect(page).toContain("/auth?tier=premium&amp;returnTo=%2Fpricing");
    expect(page).toContain("Create your free account");
  });
});

describe("signing in before the address is confirmed", () => {
  test("looks like a wrong password, so that it doesn't reveal whether there is an account", async () => {
    const { visitor, mails } = await createTestApp();
    const stranger = visitor();
    await stranger.post("/auth?tab=signup", { intent: "sign-up", ...ada });
    const fresh = await stranger.post("/auth", { intent: "log-in", ...ada });
    await confirm(visitor(), mails);
    const own = { ...ada, password: "a stranger's word" };
    await stranger.post("/auth?tab=signup", { intent: "sign-up", ...own });
    const known = await stranger.post("/auth", { intent: "log-in", ...own });
    expect(known.status).toBe(fresh.status);
    const text = /Invalid email or password\.[^<]*/;
    expect(text.exec(await known.text())?.[0]).toBe(text.exec(await fresh.text())?.[0]);
  });

  test("a second sign-up sends a new link, which confirms the second password", async () => {
    const { visitor, mails } = await createTestApp();
    const user = visitor();
    await user.post("/auth?tab=signup", { intent: "sign-up", ...ada });
    await user.post("/auth?tab=signup", { intent: "sign-up", ...ada, password: "a better password" });
    const stored = await mails();
    expect(stored).toHaveLength(2);
    expect((await user.post(firstLink(stored[0]?.text), {})).headers.get("location")).toBe("/start");
    const later = await visitor().post("/auth", { intent: "log-in", email: ada.email, password: "a better password" });
    expect(later.status).toBe(302);
  });

  test("the link can be sent again until the address is confirmed", async () => {
    const { visitor, mails } = await createTestApp();
    const user = visitor();
    const sent = await (await user.post("/auth?tab=signup", { intent: "sign-up", ...ada })).text();
    const again = await (await user.post("/auth", { intent: "resend", pending: pendingIn(sent) })).text();
    expect(again).toContain("Verification email sent!");
    const stored = await mails();
    expect(stored).toHaveLength(2);
    expect((await user.post(firstLink(stored[0]?.text), {})).headers.get("location")).toBe("/start");
    const gone = await visitor().post("/auth", { intent: "resend", pending: pendingIn(again) });
    expect(gone.status).toBe(410);
    expect(await gone.text()).toContain("Nothing to confirm");
    expect(await mails()).toHaveLength(2);
  });
});

describe("the page after signing in", () => {
  test("is the requested one, by default the profile, and never on another site", async () => {
    const { visitor, mails } = await createTestApp();
    await confirm(visitor(), mails);
    const cases = [
      ["/cards/edit?from=x", "/cards/edit?from=x"],
      ["/", "/"],
      ["", "/profile"],
      ["//evil.example", "/profile"],
      ["/\\evil.example", "/profile"],
      ["https:evil.example", "/profile"],
      ["/%2f%2fevil.example", "/profile"],
      ["/\t/evil.example", "/profile"],
      ["/auth?returnTo=/auth", "/profile"],
    ];
    for (const [wanted = "", landed] of cases) {
      const address = `/auth?${new URLSearchParams({ returnTo: wanted })}`;
      const user = visitor();
      expect((await user.post(address, { intent: "log-in", ...ada })).headers.get("location")).toBe(landed);
      expect((await user.get(address)).headers.get("location")).toBe(landed);
    }
  });

  test("is named in a header, with its toast and cookies, for the script of the form", async () => {
    const { visitor, mails } = await createTestApp();
    await confirm(visitor(), mails);
    const user = visitor();
    const inPlace = { "meishi-in-place": "1" };
    const response = await user.post("/auth?returnTo=/pricing", { intent: "log-in", ...ada }, inPlace);
    expect([response.status, response.headers.get("location")]).toEqual([204, null]);
    expect(response.headers.get("meishi-location")).toBe("/pricing");
    expect(toastIn(response)).toMatchObject({ title: "Login successful!" });
    expect((await user.get("/profile")).status).toBe(200);
    const again = await user.get("/auth", inPlace);
    expect(again.headers.get("meishi-location")).toBe("/profile");
    const refused = await visitor().post("/auth", { intent: "log-in", ...ada, password: "wrong" }, inPlace);
    expect([refused.status, refused.headers.has("meishi-location")]).toEqual([400, false]);
  });

  test("has the complete URL of a page that required a session", async () => {
    const { visitor } = await createTestApp();
    for (const [path, wanted] of [
      ["/profile", "/auth?returnTo=%2Fprofile"],
      ["/cards/edit/7f3a?a=1&b=2", "/auth?returnTo=%2Fcards%2Fedit%2F7f3a%3Fa%3D1%26b%3D2"],
    ] as const) {
      expect((await visitor().get(path)).headers.get("location")).toBe(wanted);
    }
    expect((await visitor().post("/profile", { displayName: "x" })).headers.get("location")).toBe(
      "/auth?returnTo=%2Fprofile",
    );
  });
});

describe("an expired cookie", () => {
  test("is removed and doesn't prevent signing in", async () => {
    const { visitor, mails } = await createTestApp();
    await confirm(visitor(), mails);
    const user = visitor();
    user.cookies.set("meishi.session_token", `${"x".repeat(32)}.${"y".repeat(43)}=`);
    expect(await logIn(user, ada)).toBe(302);
    expect((await user.get("/profile")).status).toBe(200);
    user.cookies.set("meishi.session_token", "made-up");
    await user.get("/auth");
    expect(user.cookies.has("meishi.session_token")).toBe(false);
  });
});

type Visitor = ReturnType<TestApp["visitor"]>;

async function confirm(user: Visitor, mails: TestApp["mails"]) {
  await user.post("/auth?tab=signup", { intent: "sign-up", ...ada });
  const [mail] = await mails();
  await user.post(firstLink(mail?.text), {});
}

async function logIn(user: Visitor, form: { email: string; password: string }) {
  return (await user.post("/auth", { intent: "log-in", ...form })).status;
}

function pendingIn(page: string): string {
  return /name="pending" value="([^"]+)"/.exec(page)?.[1] ?? "";
}

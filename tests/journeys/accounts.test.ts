import { describe, expect, test } from "vitest";

import { linkIn, toastOf, withoutRandom } from "#tests/support/answers.ts";
import { createTestApp } from "#tests/support/test-app.ts";
import type { TestApp } from "#tests/support/test-app.ts";

const ada = { email: "ada@example.com", password: "tea with Charles" };

describe("signing up", () => {
  test("leads through the mail to the profile, and the next day through the password", async () => {
    const { visitor, mails } = await createTestApp();
    const person = visitor();
    const form = await person.get("/auth?tab=signup");
    expect(form.status).toBe(200);
    expect(form.headers.get("cache-control")).toBe("no-store");

    const sent = await person.post("/auth?tab=signup", { intent: "sign-up", ...ada });
    expect(sent.status).toBe(200);
    const screen = await sent.text();
    for (const text of ["Check your email for the confirmation link!", ada.email, "/dev/mail", "Send the link again"]) {
      expect(screen).toContain(text);
    }

    const [mail] = await mails();
    expect(mail).toMatchObject({ to: ada.email, subject: "Confirm your email for Meishi" });
    const opened = await person.get(linkIn(mail?.text));
    expect(opened.headers.get("location")).toBe("/profile");
    expect((await person.get("/profile")).status).toBe(200);

    const out = await person.post("/auth/sign-out", {});
    expect(out.headers.get("location")).toBe("/auth");
    expect((await person.get("/profile")).headers.get("location")).toBe("/auth?returnTo=%2Fprofile");

    const back = await person.post("/auth?returnTo=%2Fprofile", { intent: "log-in", ...ada });
    expect(back.headers.get("location")).toBe("/profile");
    expect(toastOf(back)).toMatchObject({ title: "Login successful!", tone: "success" });
    expect((await person.get("/profile")).status).toBe(200);
  });

  test("with an address that has an account looks the same, and its owner is told", async () => {
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

  test("is refused with the reason beside the field, and keeps what was typed but the password", async () => {
    const { visitor } = await createTestApp();
    const cases: [Record<string, string>, string][] = [
      [{ email: "ada@example", password: ada.password }, "This is not an email address"],
      [{ email: "", password: ada.password }, "Enter your email address."],
      [{ email: ada.email, password: "" }, "Enter your password."],
      [{ email: ada.email, password: "12345" }, "Password must be at least 6 characters long."],
      [{ email: ada.email, password: "a".repeat(129) }, "Password must be at most 128 characters long."],
      [{ email: ada.email, password: "PassWord" }, "most common passwords"],
      [{ email: ada.email, password: "Ada@example.com" }, "Choose a password that is not your email address."],
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

  test("is refused when it comes from another site, and when logging in or out does", async () => {
    const { visitor, mails } = await createTestApp();
    const evil = { origin: "https://evil.example" };
    for (const intent of ["sign-up", "log-in", "resend"]) {
      expect((await visitor().post("/auth", { intent, ...ada }, evil)).status).toBe(403);
    }
    expect(await mails()).toEqual([]);
    const person = visitor();
    await confirm(person, mails);
    expect((await person.post("/auth/sign-out", {}, evil)).status).toBe(403);
    expect((await person.get("/auth/sign-out")).headers.get("location")).toBe("/");
    expect((await person.get("/profile")).status).toBe(200);
  });

  test("keeps the plan that was chosen", async () => {
    const { visitor } = await createTestApp();
    for (const tier of ["free", "premium"]) {
      const response = await visitor().get(`/signup?tier=${tier}`);
      expect(response.headers.get("location")).toBe(`/auth?tab=signup&tier=${tier}`);
    }
    expect((await visitor().get("/signup?tier=gold")).headers.get("location")).toBe("/auth?tab=signup");
    const page = await (await visitor().get("/auth?tab=signup&tier=premium&redirect=/pricing")).text();
    expect(page).toContain("You chose Premium.");
    expect(page).toContain("/auth?tier=premium&amp;returnTo=%2Fpricing");
  });
});

describe("the link in the confirmation mail", () => {
  test("that a program opened first still ends well: the person logs in", async () => {
    const { visitor, mails } = await createTestApp();
    const person = visitor();
    await person.post("/auth?tab=signup", { intent: "sign-up", ...ada });
    const link = linkIn((await mails())[0]?.text);
    expect((await visitor().request(link, { method: "HEAD" })).status).toBe(204);
    expect((await visitor().get(link, { "sec-purpose": "prefetch" })).status).toBe(204);
    await visitor().get(link);
    const late = await person.get(link);
    expect(late.headers.get("location")).toBe("/auth");
    expect(toastOf(late)).toMatchObject({ title: "Your email is already confirmed", text: "Please log in." });
    expect(late.headers.getSetCookie().filter((cookie) => cookie.includes("session"))).toEqual([]);
    expect(await logIn(person, ada)).toBe(302);
    expect((await person.get(link)).headers.get("location")).toBe("/profile");
  });

  test("that is cut off or made up says so", async () => {
    const { visitor } = await createTestApp();
    for (const token of ["", "x", "%00", "a.b"]) {
      const response = await visitor().get(`/auth/confirm?token=${token}`);
      const location = response.headers.get("location") ?? "";
      expect(location).toMatch(/^\/auth\?link=/);
      expect(await (await visitor().get(location)).text()).toContain("This confirmation link is not complete");
    }
  });
});

describe("logging in before the address is confirmed", () => {
  test("is answered like a wrong password, and says how to go on: nobody learns whether there was an account", async () => {
    const { visitor, mails } = await createTestApp();
    const stranger = visitor();
    await stranger.post("/auth?tab=signup", { intent: "sign-up", ...ada });
    const fresh = await stranger.post("/auth", { intent: "log-in", ...ada });
    await confirm(visitor(), mails);
    const own = { ...ada, password: "a stranger's word" };
    await stranger.post("/auth?tab=signup", { intent: "sign-up", ...own });
    const known = await stranger.post("/auth", { intent: "log-in", ...own });
    expect(known.status).toBe(fresh.status);
    const words = /Invalid email or password\.[^<]*/;
    expect(words.exec(await known.text())?.[0]).toBe(words.exec(await fresh.text())?.[0]);
  });

  test("signing up again sends a new link, and it is that password which it confirms", async () => {
    const { visitor, mails } = await createTestApp();
    const person = visitor();
    await person.post("/auth?tab=signup", { intent: "sign-up", ...ada });
    await person.post("/auth?tab=signup", { intent: "sign-up", ...ada, password: "a better password" });
    const kept = await mails();
    expect(kept).toHaveLength(2);
    expect((await person.get(linkIn(kept[0]?.text))).headers.get("location")).toBe("/profile");
    const later = await visitor().post("/auth", { intent: "log-in", email: ada.email, password: "a better password" });
    expect(later.status).toBe(302);
  });

  test("the link can be sent again from the page after signing up, until there is nothing left to confirm", async () => {
    const { visitor, mails } = await createTestApp();
    const person = visitor();
    const sent = await (await person.post("/auth?tab=signup", { intent: "sign-up", ...ada })).text();
    const again = await (await person.post("/auth", { intent: "resend", pending: pendingIn(sent) })).text();
    expect(again).toContain("Verification email sent!");
    const kept = await mails();
    expect(kept).toHaveLength(2);
    expect((await person.get(linkIn(kept[0]?.text))).headers.get("location")).toBe("/profile");
    const gone = await visitor().post("/auth", { intent: "resend", pending: pendingIn(again) });
    expect(gone.status).toBe(410);
    expect(await gone.text()).toContain("There is nothing left to confirm");
    expect(await mails()).toHaveLength(2);
  });
});

describe("where one lands", () => {
  test("after logging in is where one wanted to go, and never another site", async () => {
    const { visitor, mails } = await createTestApp();
    await confirm(visitor(), mails);
    const cases = [
      ["/cards/edit?from=x", "/cards/edit?from=x"],
      ["//evil.example", "/"],
      ["/\\evil.example", "/"],
      ["https:evil.example", "/"],
      ["/%2f%2fevil.example", "/"],
      ["/\t/evil.example", "/"],
      ["/auth?returnTo=/auth", "/"],
    ];
    for (const [wanted = "", landed] of cases) {
      const address = `/auth?${new URLSearchParams({ returnTo: wanted })}`;
      const person = visitor();
      expect((await person.post(address, { intent: "log-in", ...ada })).headers.get("location")).toBe(landed);
      expect((await person.get(address)).headers.get("location")).toBe(landed);
    }
  });

  test("keeps the whole address of a page that needs a session", async () => {
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

describe("a cookie that is over", () => {
  test("goes, and does not stand in the way of logging in", async () => {
    const { visitor, mails } = await createTestApp();
    await confirm(visitor(), mails);
    const person = visitor();
    person.cookies.set("meishi.session_token", `${"x".repeat(32)}.${"y".repeat(43)}=`);
    expect(await logIn(person, ada)).toBe(302);
    expect((await person.get("/profile")).status).toBe(200);
    person.cookies.set("meishi.session_token", "made-up");
    await person.get("/auth");
    expect(person.cookies.has("meishi.session_token")).toBe(false);
  });
});

type Visitor = ReturnType<TestApp["visitor"]>;

async function confirm(person: Visitor, mails: TestApp["mails"]) {
  await person.post("/auth?tab=signup", { intent: "sign-up", ...ada });
  const [mail] = await mails();
  await person.get(linkIn(mail?.text));
}

async function logIn(person: Visitor, form: { email: string; password: string }) {
  return (await person.post("/auth", { intent: "log-in", ...form })).status;
}

function pendingIn(page: string): string {
  return /name="pending" value="([^"]+)"/.exec(page)?.[1] ?? "";
}

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { credentialsForm, emailForm, fieldErrors, newPasswordForm, readFields } from "./form.ts";
import { messages } from "./messages.ts";

describe("an email address", () => {
  test.each([
    ["ada@example.com", "ada@example.com"],
    ["  Ada.Lovelace+cards@Example.COM ", "ada.lovelace+cards@example.com"],
    ["o'neil@example.co.uk", "o'neil@example.co.uk"],
  ])("%j is taken, in lower case", (typed, taken) => {
    expect(emailForm.parse({ email: typed })).toEqual({ email: taken });
  });

  test.each([
    "ada",
    "ada@",
    "@example.com",
    "ada@example",
    "ada@@example.com",
    "ada lovelace@example.com",
    "ada@example.com, bob@example.com",
    "<ada@example.com>",
    "ada@exämple.com",
    `${"a".repeat(243)}@example.com`,
  ])("%j is none", (email) => {
    expect(errorsOf(emailForm, { email })).toEqual({ email: messages.emailInvalid });
  });

  test.each(["\r\n", "\n", "\u0000", "\t", "\u0085", "\u2028"])("with %j anywhere in it is refused", (sign) => {
    for (const email of [
      `ada@example.com${sign}`,
      `${sign}ada@example.com`,
      `ada${sign}@example.com`,
      `ada@example.com${sign}Bcc: bob@example.com`,
    ]) {
      expect(emailForm.safeParse({ email }).success).toBe(false);
    }
  });

  test("is asked for when there is none", () => {
    expect(errorsOf(emailForm, { email: "  " })).toEqual({ email: messages.emailRequired });
    expect(errorsOf(emailForm, {})).toEqual({ email: messages.emailRequired });
  });

  test("that is taken has one line and no more than 254 signs, whatever was typed", () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string(), fc.string({ unit: "binary" })), (typed) => {
        const { email = "none@is.taken" } = emailForm.safeParse({ email: typed }).data ?? {};
        expect(email).toMatch(/^[!-~]{3,254}$/);
      }),
    );
  });
});

describe("a form", () => {
  test("says of each field what is wrong", () => {
    expect(errorsOf(credentialsForm, {})).toEqual({
      email: messages.emailRequired,
      password: messages.passwordRequired,
    });
  });

  test("leaves a password as it was typed", () => {
    expect(credentialsForm.parse({ email: "ada@example.com", password: "  ü 😀 " }).password).toBe("  ü 😀 ");
  });

  test("for a new password wants it twice", () => {
    expect(errorsOf(newPasswordForm, { password: "one long word", confirm: "one long word " })).toEqual({
      confirm: "Passwords do not match.",
    });
    expect(newPasswordForm.safeParse({ password: "one long word", confirm: "one long word" }).success).toBe(true);
  });
});

describe("reading what was sent", () => {
  const send = (body: BodyInit, type?: string) =>
    readFields(
      new Request("http://x.invalid", { method: "POST", body, ...(type && { headers: { "content-type": type } }) }),
    );

  test("takes text fields, and the first of two", async () => {
    expect(await send(new URLSearchParams("email=a&email=b&x="))).toEqual({ email: "a", x: "" });
  });

  test("leaves files out", async () => {
    const form = new FormData();
    form.set("email", new Blob(["x"]));
    form.set("intent", "sign-up");
    expect(await send(form)).toEqual({ intent: "sign-up" });
  });

  test.each([
    ['{"email":"a"}', "application/json"],
    ["whatever", "multipart/form-data"],
    ["whatever", "multipart/form-data; boundary=x"],
    ["whatever", "text/plain"],
  ])("takes nothing from what is no form: %s as %s", async (body, type) => {
    expect(await send(body, type)).toEqual({});
  });

  test("keeps the names of objects' own things harmless", async () => {
    const fields = await send(new URLSearchParams("__proto__=x&constructor=y"));
    expect(credentialsForm.safeParse(fields).success).toBe(false);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });
});

function errorsOf(form: typeof emailForm | typeof credentialsForm | typeof newPasswordForm, typed: unknown) {
  const { error } = form.safeParse(typed);
  return error && fieldErrors(error);
}

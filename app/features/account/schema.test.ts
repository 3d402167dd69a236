import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { credentialsForm, emailForm, fieldErrors, newPasswordForm, readFields } from "./schema.ts";
import { messages } from "./messages.ts";

describe("an email address", () => {
  test.each([
    ["ada@example.com", "ada@example.com"],
    ["  Ada.Lovelace+cards@Example.COM ", "ada.lovelace+cards@example.com"],
    ["o'neil@example.co.uk", "o'neil@example.co.uk"],
    [" Lena@MÜLLER.example", "lena@xn--mller-kva.example"],
  ])("%j is taken, in lower case and ASCII", (typed, taken) => {
    expect(emailForm.parse({ email: typed })).toEqual({ email: taken });
  });

  const incomplete = ["ada@", "@example.com", "ada@example", "ada@@example.com", "<ada@example.com>"];
  const several = ["ada lovelace@example.com", "ada@example.com, bob@example.com"];
  test.each([...incomplete, ...several, `${"a".repeat(243)}@example.com`])("%j is none", (email) => {
    expect(errorsOf(emailForm, { email })).toEqual({ email: messages.emailInvalid });
  });

  test.each(["\r\n", "\n", "\u0000", "\t", "\u0085", "\u2028"])("with %j anywhere in it is refused", (character) => {
    for (const text of ["ada@example.com|", "|ada@example.com", "ada|@example.com", "ada@example.com|Bcc: b@b.example"])
      expect(emailForm.safeParse({ email: text.replace("|", character) }).success).toBe(false);
  });

  test("is required", () => {
    expect(errorsOf(emailForm, { email: "  " })).toEqual({ email: messages.emailRequired });
    expect(errorsOf(emailForm, {})).toEqual({ email: messages.emailRequired });
  });

  test("is one line of at most 254 characters, whatever was typed", () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string(), fc.string({ unit: "binary" })), (typed) => {
        const { email = "none@is.taken" } = emailForm.safeParse({ email: typed }).data ?? {};
        expect(email).toMatch(/^[!-~]{3,254}$/);
      }),
    );
  });
});

test("a form reports the problem of each field, and doesn't change a password", () => {
  const required = { email: messages.emailRequired, password: messages.passwordRequired };
  expect(errorsOf(credentialsForm, {})).toEqual(required);
  expect(credentialsForm.parse({ email: "ada@example.com", password: "  ü 😀 " }).password).toBe("  ü 😀 ");
});

test("a form requires a new password twice", () => {
  expect(errorsOf(newPasswordForm, { password: "one long word", confirm: "one long word " })).toEqual({
    confirm: "Passwords do not match.",
  });
  expect(newPasswordForm.safeParse({ password: "one long word", confirm: "one long word" }).success).toBe(true);
});

describe("reading a form", () => {
  const send = (body: BodyInit, type?: string) =>
    readFields(
      new Request("http://x.invalid", { method: "POST", body, ...(type && { headers: { "content-type": type } }) }),
    );

  test("returns the text fields, the first of two with one name, and no files", async () => {
    expect(await send(new URLSearchParams("email=a&email=b&x="))).toEqual({ email: "a", x: "" });
    const form = new FormData();
    form.set("email", new Blob(["x"]));
    form.set("intent", "sign-up");
    expect(await send(form)).toEqual({ intent: "sign-up" });
  });

  test("takes nothing from a body that isn't a form", async () => {
    for (const type of ["application/json", "multipart/form-data", "multipart/form-data; boundary=x", "text/plain"])
      expect(await send('{"email":"a"}', type)).toEqual({});
  });

  test("treats names such as __proto__ as plain fields", async () => {
    const fields = await send(new URLSearchParams("__proto__=x&constructor=y"));
    expect(credentialsForm.safeParse(fields).success).toBe(false);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });
});

function errorsOf(form: typeof emailForm | typeof credentialsForm | typeof newPasswordForm, typed: unknown) {
  const { error } = form.safeParse(typed);
  return error && fieldErrors(error);
}

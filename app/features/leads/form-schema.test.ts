import { describe, expect, test } from "vitest";

import { defaultFormSettings } from "#app/features/leads/schema.ts";
import type { LeadFormSettings } from "#app/features/leads/schema.ts";

import { readLeadForm } from "./form-schema.ts";

const texts = [{ purpose: "answer" as const }, { purpose: "newsletter" as const }];
const typed = { name: "Grace", email: "grace@example.com", "consent-answer": "hash" };

/** What is wrong with a form, by field. */
function read(form: Record<string, string>, fields: Partial<LeadFormSettings["fields"]> = {}) {
  const entries = new FormData();
  for (const [name, value] of Object.entries(form)) entries.set(name, value);
  const settings = {
    ...defaultFormSettings,
    hasNewsletter: true,
    fields: { ...defaultFormSettings.fields, ...fields },
  };
  return readLeadForm(entries, settings, texts);
}

describe("the fields of a form", () => {
  test("are required as the owner chose", () => {
    expect(read(typed).errors).toEqual({});
    const expected = { company: "Enter your company.", note: "Enter a note." };
    expect(read(typed, { company: "required", note: "required" }).errors).toEqual(expected);
    expect(read({ ...typed, name: "" }, { name: "optional" }).errors).toEqual({});
  });

  test("keep an email as it was typed, and store its domain in ASCII", () => {
    const { errors, details, typed: shown } = read({ ...typed, email: "lena@Müller.example" });
    expect([errors, details.email, shown["email"]]).toEqual([{}, "lena@xn--mller-kva.example", "lena@Müller.example"]);
  });

  test("that aren't shown aren't read", () => {
    const { details, typed: shown } = read({ ...typed, company: "U.S. Navy" }, { company: "hidden" });
    expect([details.company, shown["company"]]).toEqual(["", undefined]);
  });

  test("need a way to answer, whichever the visitor prefers", () => {
    const form = { ...typed, email: "" };
    expect(read(form, { email: "optional" }).errors["email"]).toContain("an email address or a phone number");
    expect(read({ ...form, phone: "+1 555 0100" }, { email: "optional" }).errors).toEqual({});
  });

  test("that are all empty have all their errors at once", () => {
    expect(Object.keys(read({}, { email: "optional" }).errors)).toEqual(["name", "consent-answer", "email"]);
  });

  test.each([
    ["email", { email: "optional", phone: "hidden" }, "Enter your email address."],
    ["phone", { email: "hidden", phone: "optional" }, "Enter your phone number."],
  ] as const)("require the only way to answer: %s", (name, fields, message) => {
    expect(read({ ...typed, email: "" }, fields).errors).toEqual({ [name]: message });
  });

  test("need an address for news, and a digit in a phone number", () => {
    const form = { ...typed, email: "", phone: "call me", "consent-newsletter": "hash" };
    expect(read(form, { email: "optional" }).errors).toEqual({
      email: "Enter your email address to get news.",
      phone: "Enter a phone number with at least one digit.",
    });
  });
});

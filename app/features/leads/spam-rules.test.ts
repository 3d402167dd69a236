import { describe, expect, test } from "vitest";

import { isSuspicious } from "#app/features/leads/rules.ts";

import { findSpamReasons, minFormAgeMs } from "./spam-rules.ts";

const details = { name: "Grace Hopper", email: "grace@example.com", phone: "", company: "", note: "", answers: [] };
const person = { ageMs: minFormAgeMs, isHoneypotFilled: false };

describe("the form of a lead", () => {
  test("from a person gives no reason to suspect spam", () => {
    expect(findSpamReasons({ ...details, company: "U.S. Navy", note: "Hi,\nsee grace.example" }, person)).toEqual([]);
  });

  test.each([
    ["is sent faster than a person types", { ageMs: minFormAgeMs - 1 }, "too-fast"],
    ["has a value in the hidden field", { isHoneypotFilled: true }, "honeypot"],
  ])("that %s is suspected", (_, facts, reason) => {
    expect(findSpamReasons(details, { ...person, ...facts })).toEqual([reason]);
    expect(isSuspicious(findSpamReasons(details, { ...person, ...facts }))).toBe(true);
  });

  test.each([
    ["https://www.linkedin.com/in/grace", 1],
    ["https://www.linkedin.com/in/grace and https://www.grace.example", 2],
    ["www.grace.example, HTTP://WWW.NAVY.EXAMPLE", 2],
    ["http://a.example www.b.example https://www.c.example", 3],
  ])("may have two links, each counted once: %s", (note, links) => {
    const answers = [{ question: "Your website?", answer: note }];
    for (const typed of [{ note }, { answers }])
      expect(findSpamReasons({ ...details, ...typed }, person)).toEqual(links > 2 ? ["links"] : []);
  });

  test.each([{ name: "Win at https://a.example" }, { company: "www.a.example" }])("has no link in %j", (typed) => {
    expect(findSpamReasons({ ...details, ...typed }, person)).toEqual(["links"]);
  });

  test("with a disposable address is marked, but not suspected", () => {
    const reasons = findSpamReasons({ ...details, email: "grace@Mailinator.com" }, person);
    expect(reasons).toEqual(["disposable-address"]);
    expect(isSuspicious(reasons)).toBe(false);
  });
});

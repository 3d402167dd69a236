import { expect, test } from "vitest";

import { qrPayload, initialDemoCard, readDemoCard } from "./demo-card.ts";

const site = "https://meishi.example";

test("turns a path into a full URL on this site, never on another one", () => {
  expect(qrPayload("/u/demo-user", site)).toBe("https://meishi.example/u/demo-user");
  expect(qrPayload("  /u/ada lovelace ", site)).toBe("https://meishi.example/u/ada%20lovelace");
  for (const host of ["/\\elsewhere.example", "/..//elsewhere.example", "/@elsewhere.example", "/:80", "/\n/x.example"])
    expect(new URL(qrPayload(host, site)).origin).toBe(site);
});

test("encodes any other text as typed, and treats white space as an empty payload", () => {
  for (const text of ["https://example.com/me", "//example.com", "WIFI:T:WPA;S:Guests;P:tea;;", "a\u0000b", "👩‍🚀"])
    expect(qrPayload(text, site)).toBe(text);
  expect(qrPayload(" \t\u00a0", site)).toBe("");
});

test("starts with the sample profile's path, and reads an unknown accent or mode as the first one", () => {
  expect(initialDemoCard().payload).toBe("/u/demo-user");
  const form = new FormData();
  form.set("accent", "red");
  form.set("mode", "__proto__");
  expect(readDemoCard(form)).toEqual({ name: "", title: "", company: "", accent: "indigo", mode: "dark", payload: "" });
});

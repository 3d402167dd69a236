import { expect, test } from "vitest";

import { codeText, firstDemoCard, readDemoCard } from "./demo-card.ts";

const site = "https://meishi.example";

test("a path becomes the whole address on this site, so that a phone can open it", () => {
  expect(codeText("/u/demo-user", site)).toBe("https://meishi.example/u/demo-user");
  expect(codeText("  /u/ada lovelace ", site)).toBe("https://meishi.example/u/ada%20lovelace");
  expect(codeText("/", site)).toBe("https://meishi.example/");
});

test("a path never leads to another site", () => {
  for (const path of [
    "/\\elsewhere.example",
    "/..//elsewhere.example",
    "/@elsewhere.example",
    "/:80",
    "/\n/elsewhere.example",
  ]) {
    expect(new URL(codeText(path, site)).origin).toBe(site);
  }
});

test("anything else goes into the code as typed", () => {
  for (const text of [
    "https://example.com/me",
    "//example.com",
    "WIFI:T:WPA;S:Guests;P:tea;;",
    "a\u0000b",
    "مرحبا",
    "👩‍🚀",
  ]) {
    expect(codeText(text, site)).toBe(text);
  }
});

test("nothing but spaces is no payload", () => {
  expect(codeText(" \t\u00a0", site)).toBe("");
});

test("the demo starts at the sample profile, or at this page where there is no sample", () => {
  expect(firstDemoCard(true).payload).toBe("/u/demo-user");
  expect(firstDemoCard(false).payload).toBe("/");
});

test("an accent or a mode that there is not is the first one", () => {
  const form = new FormData();
  form.set("accent", "red");
  form.set("mode", "__proto__");
  expect(readDemoCard(form)).toEqual({ name: "", title: "", company: "", accent: "indigo", mode: "dark", payload: "" });
});

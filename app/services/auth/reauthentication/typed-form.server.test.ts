import { expect, test } from "vitest";

import { createTextSigner } from "#app/services/base/signed-token.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { readTyped, typedCookie } from "./typed-form.server.ts";

const now = Date.UTC(2026, 10, 23);
const minute = 60_000;
const sign = createTextSigner("secret");
const deps = { config: { baseUrl: "https://m.example" } as Services["config"], sign };
const form = { userId: "ada", path: "/webhooks/new", fields: { url: "https://example.com/héllo", "card.saved": "on" } };
const line = typedCookie(deps, form, now);
const [cookieHeader = ""] = line.split("; ");
const of = { cookieHeader: `theme=dark; ${cookieHeader}; other=1`, userId: "ada", path: "/webhooks/new", now };

test("a form comes back for its user, at its path, for ten minutes", () => {
  expect(readTyped(deps, of)).toEqual(form.fields);
  expect(readTyped(deps, { ...of, now: now + 10 * minute - 1 })).toEqual(form.fields);
  expect(readTyped(deps, { ...of, now: now + 10 * minute })).toBeUndefined();
  expect(readTyped(deps, { ...of, userId: "eve" })).toBeUndefined();
  expect(readTyped(deps, { ...of, path: "/webhooks/1/edit" })).toBeUndefined();
  expect(readTyped(deps, { ...of, cookieHeader: null })).toBeUndefined();
});

test("a form that someone else wrote is ignored", () => {
  const other = typedCookie({ ...deps, sign: createTextSigner("other") }, form, now).split("; ")[0] ?? "";
  for (const header of [other, `${cookieHeader}x`, cookieHeader.replace(/=./, "=x"), "__Host-meishi.typed="])
    expect(readTyped(deps, { ...of, cookieHeader: header })).toBeUndefined();
});

test("the longest forms fit into a cookie", () => {
  const url = `https://example.com/${"😀".repeat(240)}`;
  expect(url).toHaveLength(500);
  const kinds = { "lead.created": "on", "card.saved": "on", "contact.saved": "on", "plan.changed": "on" };
  const path = `/webhooks/${"0".repeat(36)}/edit`;
  const [pair = ""] = typedCookie(deps, { userId: "0".repeat(36), path, fields: { url, ...kinds } }, now).split("; ");
  expect(pair.length).toBeLessThan(4_096);
});

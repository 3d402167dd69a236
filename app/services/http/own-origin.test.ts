import { expect, test } from "vitest";

import { readConfig } from "#app/services/config/config.server.ts";

import { isOwnOrigin } from "./own-origin.ts";

function isOwn(headers: Record<string, string>, env: Record<string, string> = { BASE_URL: "https://meishi.example" }) {
  const read = readConfig(env, "/tmp");
  if ("problems" in read) throw new Error(read.problems.join());
  return isOwnOrigin(new Headers(headers), read.config);
}

test("accepts the site's own origin, and that of the host that the request went to", () => {
  expect(isOwn({ origin: "https://meishi.example", host: "meishi.example" })).toBe(true);
  expect(isOwn({ origin: "http://192.168.1.5:3000", host: "192.168.1.5:3000" }, {})).toBe(true);
  expect(isOwn({ "sec-fetch-site": "same-origin" })).toBe(true);
  expect(isOwn({ origin: "null", "sec-fetch-site": "same-origin" })).toBe(true);
});

test.each<[string, Record<string, string>]>([
  ["another site", { origin: "https://evil.example" }],
  ["a site whose name starts with ours", { origin: "https://meishi.example.evil.example" }],
  ["a page without an origin", { origin: "null" }],
  ["a page without an origin on another site", { origin: "null", "sec-fetch-site": "cross-site" }],
  ["a page without an origin on another host of ours", { origin: "null", "sec-fetch-site": "same-site" }],
  ["a request without an origin that no page made", { origin: "null", "sec-fetch-site": "none" }],
  ["another site that claims to be ours", { origin: "https://evil.example", "sec-fetch-site": "same-origin" }],
  ["our own host without https", { origin: "http://meishi.example" }],
  ["another port", { origin: "https://meishi.example:8443" }],
  ["no origin at all", {}],
  ["no origin, from a cross-site request", { "sec-fetch-site": "cross-site" }],
])("refuses %s", (_, headers) => {
  expect(isOwn({ host: "meishi.example", ...headers })).toBe(false);
});

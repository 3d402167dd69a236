import { describe, expect, test } from "vitest";

import { readConfig } from "#app/services/config/config.server.ts";
import type { Config } from "#app/services/config/config.server.ts";

import { isOwnOrigin } from "./own-origin.ts";

function configWith(env: Record<string, string>): Config {
  const read = readConfig(env, "/tmp");
  if ("problems" in read) throw new Error(read.problems.join());
  return read.config;
}

describe("the origin check", () => {
  const config = configWith({ BASE_URL: "https://meishi.example" });
  const from = (headers: Record<string, string>) => isOwnOrigin(new Headers(headers), config);

  test("accepts the site's own origin", () => {
    expect(from({ origin: "https://meishi.example", host: "meishi.example" })).toBe(true);
  });
  test("accepts the origin of the host that the request went to", () => {
    const local = configWith({});
    const headers = new Headers({ origin: "http://192.168.1.5:3000", host: "192.168.1.5:3000" });
    expect(isOwnOrigin(headers, local)).toBe(true);
  });
  test.each([
    ["another site", { origin: "https://evil.example", host: "meishi.example" }],
    ["a site whose name starts with ours", { origin: "https://meishi.example.evil.example", host: "meishi.example" }],
    ["a page without an origin", { origin: "null", host: "meishi.example" }],
    ["our own host without https", { origin: "http://meishi.example", host: "meishi.example" }],
    ["another port", { origin: "https://meishi.example:8443", host: "meishi.example" }],
    ["no origin at all", { host: "meishi.example" }],
    ["no origin, from a cross-site request", { host: "meishi.example", "sec-fetch-site": "cross-site" }],
  ])("refuses %s", (_, headers) => {
    expect(from(headers)).toBe(false);
  });
});

import { expect, test } from "vitest";

import { timeInScans } from "#tests/support/measurements.ts";

import { createPathForLog } from "./path-for-log.ts";

const pathForLog = createPathForLog([
  { secretPaths: ["/shared/:token", "/devices/v1/:device"] },
  {},
  { secretPaths: ["/mail/:address/stop/:token"] },
]);

test("removes mail addresses from a path and keeps everything else", () => {
  for (const path of ["/", "/u/ada", "/avatar/a.svg", "/%2540", "/shared", "/shared/", `/${"x".repeat(299)}`])
    expect(pathForLog(path)).toBe(path);
  expect(pathForLog(`/${"x".repeat(16_000)}`)).toBe(`/${"x".repeat(298)}…`);
  expect(pathForLog("/u/ada@example.com/resume")).toBe("/u/…/resume");
  expect(pathForLog("/avatar/ada%40example.com.svg")).toBe("/avatar/…");
  expect(pathForLog("/avatar/ada%252540example.com/x")).toBe("/avatar/…/x");
});

test.each([
  ["/shared/secret", "/shared/…"],
  ["/shared/secret.data", "/shared/…"],
  ["//Shared//secret/x", "//Shared//…/x"],
  ["/%73hared/secret", "/%73hared/…"],
  ["/shared/%zz.secret", "/shared/…"],
  ["/shared%2Fsecret", "/shared%2F…"],
  ["%2Fshared%252fsecret/x", "%2Fshared%252f…/x"],
  ["/reset-password%3Ftoken%3Dsecret", "/reset-password…"],
  [`/shared/${"secret".repeat(1_000)}`, "/shared/…"],
  ["/devices/v1/secret/registrations", "/devices/v1/…/registrations"],
  ["/devices/%76%31/secret", "/devices/%76%31/…"],
  ["/mail/secret/stop/secret", "/mail/…/stop/…"],
  [`/api/v1/cards/meishi%5F${"secret".repeat(6)}12`, "/api/v1/cards/…"],
])("removes the secrets of an address, however it is written: %s", (path, logged) => {
  expect(pathForLog(path)).toBe(logged);
});

test.each(["x", "/", "%", "%40"])("reads a long path of %j in linear time", async (part) => {
  expect(await timeInScans(() => pathForLog(`/${part.repeat(300_000)}`), 20)).toBeLessThan(20);
});

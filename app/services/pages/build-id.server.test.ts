import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { readConfig } from "#app/services/config/config.server.ts";
import { readSiteContent } from "#app/services/config/site-content.server.ts";
import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

import { createBuildId, hashProgram } from "./build-id.server.ts";

test("a program is another one with another file or another package", () => {
  function hashOf({ main = "main", asset = "asset", lock = "{}", readme = "" } = {}) {
    const folder = makeTempFolder();
    mkdirSync(join(folder, "server/assets"), { recursive: true });
    const files = { "server/main.js": main, "server/assets/page.js": asset, "server/readme.txt": readme };
    for (const [name, text] of Object.entries({ ...files, "package-lock.json": lock }))
      writeFileSync(join(folder, name), text);
    return hashProgram(join(folder, "server"), join(folder, "package-lock.json"));
  }
  expect(hashOf()).toBe(hashOf());
  expect(hashOf()).toBe(hashOf({ readme: "other" }));
  const others = [hashOf({ main: "other" }), hashOf({ asset: "other" }), hashOf({ lock: "[]" })];
  expect(new Set([hashOf(), ...others]).size).toBe(4);
});

test("a build is another one with settings that change its pages", () => {
  function idOf(env: Record<string, string>, program = "program") {
    const folder = makeTempFolder();
    const read = readConfig(env, folder);
    if ("problems" in read) throw new Error(read.problems.join());
    const siteContent = readSiteContent(folder);
    return createBuildId(program, { config: read.config, siteContent, hasApplePasses: false, hasGoogleWallet: false });
  }
  const settings = { BASE_URL: "https://meishi.example" };
  expect(idOf(settings)).toBe(idOf({ ...settings, PORT: "4000" }));
  const others = [
    { BASE_URL: "https://other.example" },
    { ...settings, DEMO: "on" },
    { ...settings, HSTS_SUBDOMAINS: "on" },
    { ...settings, PLAN_FOR_EVERYONE: "premium" },
  ];
  expect(new Set([idOf(settings), ...others.map((env) => idOf(env)), idOf(settings, "next")]).size).toBe(6);
});

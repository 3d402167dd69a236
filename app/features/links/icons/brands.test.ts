import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

import { sites } from "#app/features/links/site-data.ts";

import { brandDrawings } from "./brand-drawings.ts";
import { findBrandDrawing, findBrand } from "./brands.ts";

test("finds the brand by the host or a parent domain only", () => {
  const brands = {
    "https://github.com/ada": "github",
    "gist.github.com": "github",
    "https://www.linkedin.com/in/ada": "linkedin",
    "https://x.com/ada": "x",
    "https://mobile.twitter.com/ada": "x",
    "https://instagram.com./ada": "instagram",
    "https://podcasters.spotify.com/ada": "mic",
    "https://ada.substack.com": "substack",
    "https://scholar.google.com/citations?user=1": "googlescholar",
    "https://www.google.com": undefined,
    "mailto:ada@github.com": undefined,
    "https://notgithub.com": undefined,
    "https://github.com.evil.example": undefined,
    "https://evil.example/github.com": undefined,
    "https://netflix.com": undefined,
    "not an address": undefined,
    "javascript:github.com": undefined,
  };
  expect(Object.fromEntries(Object.keys(brands).map((address) => [address, findBrand(address)]))).toEqual(brands);
});

test("has a drawing for each brand and a brand for each drawing", () => {
  const hosts = sites.flatMap((site) => site.hosts);
  expect(sites.length).toBeGreaterThan(60);
  expect(hosts.filter((host) => !findBrandDrawing(`https://${host}/ada`)?.d)).toEqual([]);
  expect(new Set(hosts).size).toBe(hosts.length);
  const icons = new Set(sites.map(({ icon }) => icon));
  expect(Object.keys(brandDrawings).filter((brand) => !icons.has(brand))).toEqual([]);
  for (const { icon, hosts } of sites) expect(findBrand(`https://${hosts[0]}`)).toBe(icon);
});

test("each drawing is one path of at most 345 bytes gzipped", () => {
  const source = readFileSync(new URL("brands.ts", import.meta.url), "utf8");
  const own = [...source.matchAll(/"([mM][^"]{20,})"/g)].map(([, d = ""]) => d);
  for (const d of [...Object.values(brandDrawings), ...own]) {
    expect(d).toMatch(/^[mM][-\d.\sa-zA-Z]+$/);
    expect(gzipSync(d, { level: 9 }).length).toBeLessThanOrEqual(345);
  }
});

test("brand-drawings.ts is the output of its script, unedited", () => {
  const script = fileURLToPath(new URL("../../../../scripts/draw-icons.mjs", import.meta.url));
  expect(() => execFileSync(process.execPath, [script, "--check"], { stdio: "pipe" })).not.toThrow();
});

import * as fc from "fast-check";
import { expect, test } from "vitest";

import { readOrigin, readUserAgent } from "./visit-rules.ts";

const options = { host: "meishi.example", countryHeader: "cf-ipcountry" };
const origin = (headers: Record<string, string>, search = "") => readOrigin({ headers, search }, options);
const referrerOf = (referer: string) => origin({ referer }).referrer;
const campaignOf = (search: string) => origin({}, search).campaign;

test("another site is known by its host alone", () => {
  expect(referrerOf("https://www.News.example:8443/article/7?reader=ada#top")).toBe("news.example");
  expect(referrerOf("https://user:secret@blog.example/")).toBe("blog.example");
  expect(referrerOf("http://xn--bcher-kva.example/")).toBe("xn--bcher-kva.example");
  const unnamed = "https://192.0.2.7/ https://[2001:db8::1]/ http://intranet/ android-app://x.y/ nonsense";
  expect(unnamed.split(" ").filter((referer) => referrerOf(referer) !== "")).toEqual([]);
  expect(referrerOf(`https://${"a.".repeat(80)}example/`)).toBe("");
});

test("on our own pages, the address of the page before says how the visitor came", () => {
  const expected = { source: "qr", referrer: "", campaign: "fair" };
  expect(origin({ referer: "https://meishi.example/u/ada?q&utm_source=fair" })).toMatchObject(expected);
  expect(origin({ referer: "https://meishi.example/u/ada?q" }, "?n").source).toBe("nfc");
});

test("reads the country from the configured header alone", () => {
  const countryOf = (country: string) => origin({ "cf-ipcountry": country }).country;
  expect([countryOf("de"), countryOf(" JP ")]).toEqual(["DE", "JP"]);
  expect(["XX", "T1", "Germany", "", "D", "<b>"].map(countryOf).filter(Boolean)).toEqual([]);
  const request = { headers: { "cf-ipcountry": "DE" }, search: "" };
  expect(readOrigin(request, { ...options, countryHeader: undefined }).country).toBe("");
});

test("reads the campaign of a link, but nothing that could name a reader", () => {
  expect(campaignOf("?utm_source=Newsletter&utm_medium=email&utm_campaign=Spring+sale&utm_term=shoes")).toBe(
    "newsletter / email / spring sale",
  );
  expect(campaignOf("?q&utm_campaign=messe_2026")).toBe("messe_2026");
  const personal = ["ada@example.com", "4915112345678", "x".repeat(41), "<script>", "a/b", "ab%00cd"];
  expect(personal.filter((value) => campaignOf(`?utm_source=${value}`) !== "")).toEqual([]);
});

test("tells phones, tablets and computers apart, by the start of a long header, because the rest would take long", () => {
  const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15";
  const chrome = "AppleWebKit/537.36 Chrome/142.0.0.0";
  const devices: [string, string][] = [
    ["phone", "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1"],
    ["phone", `Mozilla/5.0 (Linux; Android 16; Pixel 10) ${chrome} Mobile Safari/537.36`],
    ["phone", "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"],
    ["tablet", `Mozilla/5.0 (Linux; Android 14; SM-X910) ${chrome} Safari/537.36`],
    ["tablet", "Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) Version/18.1 Mobile/15E148 Safari/604.1"],
    ["desktop", mac],
    ["desktop", "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"],
    ["desktop", `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`],
    ["", ""],
  ];
  for (const [device, agent] of devices) expect(origin({ "user-agent": agent }).device, agent).toBe(device);
  const long = `${mac.padEnd(512, "x")} Googlebot Android Mobile`;
  expect(readUserAgent(long)).toEqual({ isBot: false, device: "desktop" });
});

test("keeps nothing else of any request", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.webUrl({ withQueryParameters: true }), (text, url) => {
      const { referrer, country, campaign } = origin({ referer: url, "cf-ipcountry": text }, `?utm_source=${text}`);
      expect(referrer).toMatch(/^[\w.-]{0,100}$/);
      expect(country).toMatch(/^([A-Z]{2})?$/);
      expect(campaign.length).toBeLessThanOrEqual(126);
    }),
  );
});

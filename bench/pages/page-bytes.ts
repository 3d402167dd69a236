import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";

import PostalMime from "postal-mime";

import { visitorScript } from "#app/features/sharing/visitor-script.ts";

import { browserUserAgent } from "../load.ts";
import type { Program } from "../program.ts";
import { atMost } from "../table.ts";
import type { Row } from "../table.ts";

/** The compressed size of the public pages. The tests check the same targets. */
export async function pageBytes(url: string): Promise<Row[]> {
  const rows = await Promise.all(
    ["/card/demo-card", "/u/demo-user"].map(async (path) => {
      const html = await (await fetch(url + path)).text();
      const bytes = gzipSync(html, { level: 9 }).length;
      return { what: `${path}, everything, gzip`, value: kilobytes(bytes), bar: atMost(10, bytes / 1000, "kB") };
    }),
  );
  const script = gzipSync(visitorScript, { level: 9 }).length;
  return [
    ...rows,
    { what: "deferred script of a public page, gzip", value: kilobytes(script), bar: atMost(2, script / 1000, "kB") },
  ];
}

export const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

/** The compressed size of the landing page without images: what is needed to read it, and the script that loads when the browser is idle. */
export async function landingPage(url: string): Promise<Row[]> {
  const html = await (await fetch(url)).text();
  const sheets = [...html.matchAll(/<link[^>]*rel="stylesheet"[^>]*>/g)].map(
    ([tag]) => /href="([^"]+)"/.exec(tag)?.[1],
  );
  const styles = await Promise.all(sheets.map(async (sheet) => (await fetch(url + sheet)).text()));
  const read = [html, ...styles].reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0);
  const script = await scriptBytes(url, "/", "");
  return [
    { what: "/, HTML and CSS, gzip", value: kilobytes(read), bar: atMost(25, read / 1000, "kB") },
    { what: "/, script loaded when idle, gzip", value: kilobytes(script), bar: atMost(150, script / 1000, "kB") },
  ];
}

/** The compressed size of the script that a first visit to each signed-in page loads. */
export async function signedInScript(meishi: Program): Promise<Row[]> {
  const cookie = await signUp(meishi);
  return Promise.all(
    ["/profile", "/cards/edit", "/share/profile"].map(async (path) => {
      const bytes = await scriptBytes(meishi.url, path, cookie);
      return { what: `${path}, script, gzip`, value: kilobytes(bytes), bar: atMost(180, bytes / 1000, "kB") };
    }),
  );
}

/** Adds up the compressed sizes of a page's scripts and their static imports. */
export async function scriptBytes(url: string, path: string, cookie: string): Promise<number> {
  const html = await (await fetch(url + path, { headers: { cookie, "user-agent": browserUserAgent } })).text();
  const waiting = [...html.matchAll(/"(\/assets\/[^"]+\.js)"/g)].map((match) => match[1] ?? "");
  if (waiting.length === 0) throw new Error(`${path} has no scripts: is it the right page?\n${html.slice(0, 500)}`);
  const seen = new Set<string>();
  let bytes = 0;
  for (let script = waiting.pop(); script !== undefined; script = waiting.pop()) {
    if (seen.has(script)) continue;
    seen.add(script);
    const response = await fetch(url + script, { headers: { "accept-encoding": "gzip" } });
    bytes += Number(response.headers.get("content-length"));
    const source = await response.text();
    const folder = script.slice(0, script.lastIndexOf("/") + 1);
    // Dynamic imports are not part of a first visit.
    for (const match of source.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) waiting.push(folder + match[1]);
  }
  return bytes;
}

/** Signs up through the form and the link in the mail. Returns the session cookie. */
export async function signUp({ url, dataDir }: Program): Promise<string> {
  const email = "bench@example.com";
  const password = "correct horse battery";
  const body = new URLSearchParams({ intent: "sign-up", email, password });
  await fetch(`${url}/auth?tab=signup`, { method: "POST", body, headers: { origin: url }, redirect: "manual" });
  const link = await confirmationLink(join(dataDir, "mail"));
  // Another browser than the one that signed up has to enter the password.
  const confirmation = { method: "POST", body: new URLSearchParams({ password }), headers: { origin: url } };
  const response = await fetch(link, { ...confirmation, redirect: "manual" });
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

async function confirmationLink(folder: string): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    for (const file of globSync("*.eml", { cwd: folder })) {
      const mail = await PostalMime.parse(readFileSync(join(folder, file)));
      const link = /https?:\/\/\S+\/auth\/confirm\S*/.exec(mail.text ?? "")?.[0];
      if (link) return link;
    }
    await pause(100);
  }
  throw new Error(`No confirmation mail came to ${folder}`);
}

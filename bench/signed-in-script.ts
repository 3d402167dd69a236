import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import PostalMime from "postal-mime";

import { browser } from "./load.ts";
import { kilobytes } from "./page-bytes.ts";
import type { Program } from "./program.ts";
import { atMost } from "./table.ts";
import type { Row } from "./table.ts";

/** The script that a browser fetches at its first visit to each signed-in page, as it goes over the wire with gzip. */
export async function signedInScript(meishi: Program): Promise<Row[]> {
  const cookie = await signUp(meishi);
  return Promise.all(
    ["/profile", "/cards/edit", "/share/profile"].map(async (path) => {
      const bytes = await scriptBytes(meishi.url, path, cookie);
      return { what: `${path}, script, gzip`, value: kilobytes(bytes), bar: atMost(150, bytes / 1000, "kB") };
    }),
  );
}

/** Follows the page's scripts and what they import, and adds up what each weighs. */
export async function scriptBytes(url: string, path: string, cookie: string): Promise<number> {
  const html = await (await fetch(url + path, { headers: { cookie, "user-agent": browser } })).text();
  const waiting = [...html.matchAll(/"(\/assets\/[^"]+\.js)"/g)].map((match) => match[1] ?? "");
  if (waiting.length === 0)
    throw new Error(`${path} has no scripts: is it the page that was meant?\n${html.slice(0, 500)}`);
  const seen = new Set<string>();
  let bytes = 0;
  for (let script = waiting.pop(); script !== undefined; script = waiting.pop()) {
    if (seen.has(script)) continue;
    seen.add(script);
    const response = await fetch(url + script, { headers: { "accept-encoding": "gzip" } });
    bytes += Number(response.headers.get("content-length"));
    const source = await response.text();
    const folder = script.slice(0, script.lastIndexOf("/") + 1);
    // Static imports only: what is imported later is not part of a first visit.
    for (const match of source.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) waiting.push(folder + match[1]);
  }
  return bytes;
}

/** An account made as a person makes it: the form, then the link in the mail. Returns its cookie. */
async function signUp({ url, dataDir }: Program): Promise<string> {
  const email = "bench@example.com";
  const body = new URLSearchParams({ intent: "sign-up", email, password: "correct horse battery" });
  await fetch(`${url}/auth?tab=signup`, { method: "POST", body, headers: { origin: url }, redirect: "manual" });
  const link = await confirmationLink(join(dataDir, "mail"));
  const response = await fetch(link, { redirect: "manual" });
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

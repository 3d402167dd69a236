import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createDatabase } from "./databases.ts";
import { load } from "../load.ts";
import { fetchBody, startNginx } from "./nginx.ts";
import { storedLinks } from "./profiles.ts";
import { median, startMeishi } from "../program.ts";
import type { Program } from "../program.ts";
import { atMost } from "../table.ts";
import type { Row } from "../table.ts";

const owners = 60_000;
const rounds = 5;
const maxTimesNginx = 180;
const pages = { profile: "/u/owner-", card: "/card/card-" };

/**
 * The CPU of a public page that no cache has: each request is for the page of another owner, in brotli as browsers do. nginx sends the
 * same compressed bytes from a file. The programs take turns on one core; the median counts.
 */
export async function pageFromScratch(programs: { wrk: string; nginx: string }): Promise<Row[]> {
  const meishi = await startMeishi({ dataDir: await createOwners() });
  const rows: Row[] = [];
  for (const [name, prefix] of Object.entries(pages)) {
    const body = await fetchBody(`${meishi.url}${prefix}0`, "br");
    const nginx = await startNginx(programs.nginx, { body, encoding: "br" });
    const costs = { meishi: [] as number[], nginx: [] as number[] };
    let page = 0;
    // The first round is a warm-up.
    for (let round = -1; round < rounds; round++) {
      const rendered = await loadPages(programs.wrk, { meishi, prefix, from: page });
      const served = await load(programs.wrk, { url: `${nginx.url}/page`, pid: nginx.pid, seconds: 2 });
      page += rendered.requests + connections;
      if (round < 0) continue;
      costs.meishi.push(rendered.cpuMicroseconds);
      costs.nginx.push(served.cpuMicroseconds);
    }
    await nginx.stop();
    const ratio = median(costs.meishi) / median(costs.nginx);
    rows.push(
      {
        what: `${name} from scratch, ${body.length} bytes with Brotli`,
        value: `${Math.round(median(costs.meishi))} µs CPU`,
      },
      { what: "nginx, the same bytes from a file", value: `${median(costs.nginx).toFixed(1)} µs CPU` },
      {
        what: `${name} from scratch vs. nginx, CPU`,
        value: Math.round(ratio).toString(),
        bar: atMost(maxTimesNginx, ratio),
      },
    );
  }
  await meishi.stop();
  return rows;
}

/** wrk's open connections: so many pages are requested, but not counted, at the end of a load. */
const connections = 32;

async function loadPages(wrk: string, { meishi, prefix, from }: { meishi: Program; prefix: string; from: number }) {
  const folder = mkdtempSync(join(tmpdir(), "meishi-wrk-"));
  const script = join(folder, "pages.lua");
  writeFileSync(
    script,
    `local page = ${from}
request = function()
  page = page + 1
  return wrk.format("GET", "${prefix}" .. (page % ${owners}))
end`,
  );
  const headers = { "accept-encoding": "br" };
  const result = await load(wrk, { url: meishi.url, pid: meishi.pid, headers, script });
  rmSync(folder, { recursive: true });
  return result;
}

/** A data folder whose owners each have the profile and the card of the sample. */
async function createOwners(): Promise<string> {
  const { dataDir, db, close } = await createDatabase();
  const now = Date.now();
  const changed = { created_at: now, updated_at: now };
  const batch = 500;
  for (let at = 0; at < owners; at += batch) {
    const numbers = Array.from({ length: batch }, (_, n) => at + n);
    const profiles = numbers.map((n) => ({
      ...profile,
      ...changed,
      owner_id: `owner-${n}`,
      display_name: `Demo User ${n}`,
    }));
    const cards = numbers.map((n) => ({
      ...card,
      ...changed,
      id: `card-${n}`,
      code: `c${String(n).padStart(6, "0")}`,
      owner_id: `owner-${n}`,
      list_position: now,
    }));
    await db.insertInto("profile").values(profiles).execute();
    await db.insertInto("card").values(cards).execute();
  }
  await close();
  return dataDir;
}

const profileLinks = [
  { id: "linkedin", label: "LinkedIn", url: "https://www.linkedin.com/in/demo" },
  { id: "github", label: "GitHub", url: "https://github.com/demo" },
  { id: "portfolio", label: "Portfolio", url: "https://example.com/portfolio" },
  { id: "instagram", label: "Instagram", url: "https://www.instagram.com/demo" },
  { id: "playlist", label: "What I listen to", url: "https://open.spotify.com/playlist/demo" },
];

const profile = {
  bio: "Product designer. I make small things that people keep using.",
  links: storedLinks(profileLinks),
};

const card = {
  card_name: "My Business Card",
  profession: "Product designer",
  company: "Example Studio",
  position: "",
  email: "demo@example.com",
  phone: "+1 555 0100",
  years: 8,
  professional_links: JSON.stringify([
    { id: "linkedin", name: "LinkedIn", url: "https://www.linkedin.com/in/demo" },
    { id: "portfolio", name: "Portfolio", url: "https://example.com/portfolio" },
  ]),
  is_public: 1 as const,
};

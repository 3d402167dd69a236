import { cpus } from "node:os";

import { addressBook } from "./pages/address-book.ts";
import { apiRequests } from "./pages/api-requests.ts";
import { avatar } from "./avatar.ts";
import { cachedPage } from "./pages/cached-page.ts";
import { eventLoop } from "./event-loop/event-loop.ts";
import { generatedImages } from "./generated-images.ts";
import { inboxPage } from "./pages/inbox.ts";
import { lighthouseSpeed, lighthouseSpeedOfSale } from "./lighthouse.ts";
import { liveConnections } from "./live-connections.ts";
import { memory } from "./memory.ts";
import { landingPage, pageBytes, signedInScript } from "./pages/page-bytes.ts";
import { passFiles } from "./passes/pass-files.ts";
import { passPushes } from "./passes/pass-pushes.ts";
import { passSaves } from "./passes/pass-saves.ts";
import { pageFromScratch } from "./pages/page-from-scratch.ts";
import { ensureProgram, startMeishi } from "./program.ts";
import type { Program } from "./program.ts";
import { signIn } from "./sign-in.ts";
import { analyticsPage } from "./pages/analytics.ts";
import { storedPage } from "./pages/stored-page.ts";
import { atMost, markdownTable, missedBars, notMeasured } from "./table.ts";
import type { Row } from "./table.ts";
import { uncachedPage } from "./pages/uncached-page.ts";
import { webhooks } from "./webhooks/webhooks.ts";

/** Each part by its name on the command line, in the order of the table. Loads need wrk and nginx, Lighthouse needs Chromium. */
const parts: Record<string, () => Promise<Row[]>> = {
  start: () => withMeishi(async ({ startedInMs }) => [startRow(startedInMs)]),
  "page-bytes": () =>
    withMeishi(async (meishi) => [
      ...(await pageBytes(meishi.url)),
      ...(await landingPage(meishi.url)),
      ...(await signedInScript(meishi)),
    ]),
  lighthouse: async () => {
    requireProgram("chromium", "chromium");
    return withMeishi(({ url }) => lighthouseSpeed(url));
  },
  "lighthouse-sale": () => {
    requireProgram("chromium", "chromium");
    return lighthouseSpeedOfSale();
  },
  "cached-page": async () => {
    const programs = { wrk: requireProgram("wrk", "wrk"), nginx: requireProgram("nginx", "nginx-light") };
    return withMeishi((meishi) => cachedPage(meishi, programs));
  },
  "page-from-scratch": () =>
    pageFromScratch({ wrk: requireProgram("wrk", "wrk"), nginx: requireProgram("nginx", "nginx-light") }),
  "generated-images": generatedImages,
  avatar,
  "event-loop": eventLoop,
  "sign-in": signIn,
  "uncached-page": uncachedPage,
  "stored-page": () => storedPage(requireProgram("wrk", "wrk")),
  analytics: analyticsPage,
  inbox: inboxPage,
  "address-book": addressBook,
  api: () => apiRequests(requireProgram("wrk", "wrk")),
  memory: async () => {
    const wrk = requireProgram("wrk", "wrk");
    return withMeishi((meishi) => memory(meishi, wrk));
  },
  "live-connections": liveConnections,
  webhooks,
  passes: async () => {
    const wrk = requireProgram("wrk", "wrk");
    return [...(await passFiles(wrk)), ...(await passSaves()), ...(await passPushes())];
  },
};

/** Prints the measurements of docs/figures.md as a table, or those of the named parts. Exits with 1 when one misses its target. */
async function bench(names: string[]) {
  const unknown = names.filter((name) => !(name in parts));
  if (unknown.length > 0) {
    write(`Unknown: ${unknown.join(", ")}. The parts are ${Object.keys(parts).join(", ")}.`);
    process.exitCode = 2;
    return;
  }
  const rows: Row[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    if (names.length > 0 && !names.includes(name)) continue;
    write(`${name} …`);
    rows.push(...(await measure().catch((error: unknown) => [notMeasured(name, error)])));
  }
  const machine = `${cpus().length} cores, ${cpus()[0]?.model ?? "unknown processor"}, Node ${process.version}`;
  process.stdout.write(`\n${machine}\n\n${markdownTable(rows)}\n`);
  const missed = missedBars(rows);
  if (missed.length === 0) return;
  write(`\nMissed targets:\n${missed.map((line) => `- ${line}`).join("\n")}`);
  process.exitCode = 1;
}

async function withMeishi(measure: (meishi: Program) => Promise<Row[]>): Promise<Row[]> {
  const meishi = await startMeishi();
  try {
    return await measure(meishi);
  } finally {
    await meishi.stop();
  }
}

function startRow(startedInMs: number): Row {
  const seconds = startedInMs / 1000;
  return {
    what: "built program, start to first response",
    value: `${seconds.toFixed(2)} s`,
    bar: atMost(2, seconds, "s"),
  };
}

function requireProgram(name: string, debianPackage: string): string {
  const path = ensureProgram(name, debianPackage);
  if (path === undefined) throw new Error(`needs ${name} on the PATH`);
  return path;
}

function write(text: string) {
  process.stderr.write(`${text}\n`);
}

await bench(process.argv.slice(2));

import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { z } from "zod";

import { createOwner, listKinds, ownerAt } from "./event-loop-requests.ts";
import type { Kind, Owner } from "./event-loop-requests.ts";
import type { ProbeReport } from "./event-loop-probe.ts";
import { median, startMeishi } from "../program.ts";
import type { Program } from "../program.ts";
import { atMost } from "../table.ts";
import type { Row } from "../table.ts";

const starts = 3;
const laterRounds = 5;
/** For `startMeishi`: the program then reports its blocks. */
export const preload = join(import.meta.dirname, "event-loop-probe.ts");

/**
 * The longest block of the built program's event loop during one request of each kind: the first after a start, and later ones. In CPU
 * time of the main thread: by the clock, a block also contains what other programs and threads did on its core.
 */
export async function eventLoop(): Promise<Row[]> {
  const prepared = await prepareData();
  const rows: Row[] = [];
  for (const kind of await listKinds()) {
    const reports: Reports[] = [];
    for (let start = 0; start < starts; start++) reports.push(await measureStart(prepared, kind));
    rows.push(
      row(
        kind.what,
        reports.map(({ first }) => first),
        reports.flatMap(({ later }) => later),
      ),
    );
  }
  rmSync(prepared.dataDir, { recursive: true, force: true });
  return rows;
}

async function prepareData() {
  const program = await startMeishi();
  const owner = await createOwner(program);
  const dataDir = mkdtempSync(join(tmpdir(), "meishi-bench-"));
  cpSync(program.dataDir, dataDir, { recursive: true });
  await program.stop();
  return { dataDir, owner };
}

type Reports = { first: ProbeReport; later: ProbeReport[] };

async function measureStart(prepared: { dataDir: string; owner: Owner }, kind: Kind): Promise<Reports> {
  const dataDir = mkdtempSync(join(tmpdir(), "meishi-bench-"));
  cpSync(prepared.dataDir, dataDir, { recursive: true });
  const program = await startMeishi({ dataDir, preload });
  const owner = ownerAt(program, prepared.owner);
  // Any owner's page: the session and the router have been used before.
  await (await owner.person.get("/cards")).text();
  const first = await measure(program, kind, () => kind.send(owner, 0));
  const later: ProbeReport[] = [];
  for (let round = 1; round <= laterRounds; round++) {
    // Each save changes what the images show, so that they are drawn anew.
    await kind.change?.(owner, round);
    later.push(await measure(program, kind, () => kind.send(owner, round)));
  }
  await program.stop();
  return { first, later };
}

/** Sends one request to a program that was started with `preload`. */
export async function measure(
  { child }: Pick<Program, "child">,
  { what }: Pick<Kind, "what">,
  send: () => Promise<Response>,
): Promise<ProbeReport> {
  await pause(100);
  child.send("begin");
  await pause(20);
  const response = await send();
  if (!response.ok) throw new Error(`${what}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
  const report = new Promise((resolve) => child.once("message", resolve));
  child.send("end");
  return reportShape.parse(await report);
}

const reportShape = z.object({
  longestCpu: z.number(),
  mainCpu: z.number(),
  allCpu: z.number(),
});

function row(what: string, first: ProbeReport[], later: ProbeReport[]): Row {
  const both = (name: keyof ProbeReport) =>
    [first, later].map((reports) => median(reports.map((report) => report[name])));
  const show = (name: keyof ProbeReport, digits = 0) =>
    both(name)
      .map((ms) => ms.toFixed(digits))
      .join(" / ");
  return {
    what: `longest block, first request / later: ${what}`,
    value: `${show("longestCpu", 1)} ms; ${show("mainCpu")} of ${show("allCpu")} ms CPU on the main thread`,
    bar: atMost(50, Math.max(...both("longestCpu")), "ms"),
  };
}

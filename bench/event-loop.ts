import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { z } from "zod";

import { createOwner, listKinds, ownerAt } from "./event-loop-requests.ts";
import type { Kind, Owner } from "./event-loop-requests.ts";
import type { ProbeReport } from "./event-loop-probe.ts";
import { median, startMeishi } from "./program.ts";
import type { Program } from "./program.ts";
import { atMost } from "./table.ts";
import type { Row } from "./table.ts";

const starts = 3;
const laterRounds = 5;
const preload = join(import.meta.dirname, "event-loop-probe.ts");

/** The longest block of the built program's event loop during one request of each kind: the first after a start, and later ones. */
export async function eventLoop(): Promise<Row[]> {
  const prepared = await prepareData();
  const rows: Row[] = [];
  for (const kind of await listKinds()) {
    const reports: Reports[] = [];
    for (let start = 0; start < starts; start++) reports.push(await measureStart(prepared, kind));
    const later = reports.flatMap((report) => report.later);
    rows.push(
      row(
        `${kind.what}, first`,
        reports.map(({ first }) => first),
      ),
      row(`${kind.what}, later`, later),
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

async function measure({ child }: Program, { what }: Kind, send: () => Promise<Response>): Promise<ProbeReport> {
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
  longestWall: z.number(),
  longestCpu: z.number(),
  mainCpu: z.number(),
  allCpu: z.number(),
});

function row(what: string, reports: ProbeReport[]): Row {
  const of = (name: keyof ProbeReport) => median(reports.map((report) => report[name]));
  const [block, wall] = [of("longestCpu"), of("longestWall")];
  const value = `${block.toFixed(1)} ms (${wall.toFixed(1)} by the clock), CPU ${of("mainCpu").toFixed(0)} of ${of("allCpu").toFixed(0)} ms on the main thread`;
  return { what: `longest block: ${what}`, value, bar: atMost(50, block, "ms") };
}

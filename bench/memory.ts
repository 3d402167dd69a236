import { load } from "./load.ts";
import { residentMb } from "./program.ts";
import type { Program } from "./program.ts";
import { atMost } from "./table.ts";
import type { Row } from "./table.ts";

const step = 100_000;

/** Resident memory at rest and after a million cached requests, sampled every hundred thousand. */
export async function memory(meishi: Program, wrk: string): Promise<Row[]> {
  const atRest = residentMb(meishi.pid);
  const samples: number[] = [];
  let requests = 0;
  while (requests < 10 * step) {
    const done = await load(wrk, { url: `${meishi.url}/card/demo-card`, pid: meishi.pid, seconds: 2 });
    requests += done.requests;
    while (samples.length < Math.min(10, Math.floor(requests / step))) samples.push(residentMb(meishi.pid));
  }
  const second = samples[1] ?? 0;
  const last = samples.at(-1) ?? 0;
  const growth = last - second;
  return [
    { what: "memory at rest", value: `${atRest.toFixed(0)} MB`, bar: atMost(170, atRest, "MB") },
    { what: `memory after ${requests.toLocaleString("en")} cached requests`, value: `${last.toFixed(0)} MB` },
    {
      what: "growth from request 200,000 to the last",
      value: `${growth.toFixed(0)} MB`,
      bar: { label: "none", isMet: growth <= 0 },
    },
  ];
}

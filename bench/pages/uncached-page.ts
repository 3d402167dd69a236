import { createDatabase } from "./databases.ts";
import { browserUserAgent } from "../load.ts";
import { addProfiles } from "./profiles.ts";
import { median, startMeishi } from "../program.ts";
import type { Program } from "../program.ts";
import { atMost } from "../table.ts";
import type { Row } from "../table.ts";

const rounds = 30;
const pagesARound = 20;

/** An uncached public page with few and with many profiles in the database: alternating rounds, medians. */
export async function uncachedPage(): Promise<Row[]> {
  const few = { profiles: 100, program: await startWith(100), times: [] as number[] };
  const many = { profiles: 100_000, program: await startWith(100_000), times: [] as number[] };
  // The first rounds are a warm-up.
  for (let round = -10; round < rounds; round++) {
    for (const side of [few, many]) {
      const time = await timeRound(side.program, side.profiles);
      if (round >= 0) side.times.push(time);
    }
  }
  await few.program.stop();
  await many.program.stop();
  return [
    { what: "uncached public page, 100 profiles", value: `${median(few.times).toFixed(2)} ms` },
    { what: "uncached public page, 100,000 profiles", value: `${median(many.times).toFixed(2)} ms` },
    {
      what: "100,000 vs. 100 profiles",
      value: (median(many.times) / median(few.times)).toFixed(2),
      bar: atMost(1.3, median(many.times) / median(few.times)),
    },
  ];
}

/** Milliseconds per page, over random pages. The path with a slash at its end is never cached. */
async function timeRound({ url }: Program, profiles: number): Promise<number> {
  const headers = { "user-agent": browserUserAgent };
  const started = performance.now();
  for (let page = 0; page < pagesARound; page++) {
    const response = await fetch(`${url}/u/owner-${Math.floor(Math.random() * profiles)}/`, { headers });
    if (!response.ok) throw new Error(`${response.url} responded with ${response.status}`);
    await response.text();
  }
  return (performance.now() - started) / pagesARound;
}

async function startWith(profiles: number): Promise<Program> {
  const { dataDir, db, close } = await createDatabase();
  await addProfiles(db, profiles);
  await close();
  return startMeishi({ dataDir });
}

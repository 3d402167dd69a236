import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";

import { samplePhoto } from "../avatar.ts";
import { measure, preload } from "../event-loop/event-loop.ts";
import type { ProbeReport } from "../event-loop/event-loop-probe.ts";
import { createOwner, saveProfile, upload } from "../event-loop/event-loop-requests.ts";
import type { Owner } from "../event-loop/event-loop-requests.ts";
import { load } from "../load.ts";
import { kilobytes } from "../pages/page-bytes.ts";
import { median, startMeishi } from "../program.ts";
import type { Program } from "../program.ts";
import { atMost } from "../table.ts";
import type { Row } from "../table.ts";

const rounds = 7;

/** What a pass with an avatar, a logo and a background costs that its owner uploaded: new, after a save, and from memory. */
export async function passFiles(wrk: string): Promise<Row[]> {
  const meishi = await startMeishi({ preload, environment: { ...walletSettings, PLAN_FOR_EVERYONE: "premium" } });
  try {
    const owner = await createOwner(meishi);
    const photo = await samplePhoto();
    const path = `/card/${owner.cardId}/pass.pkpass`;
    const get = () => owner.person.get(path);
    // The modules of the worker threads.
    await (await get()).arrayBuffer();
    const drawn: ProbeReport[] = [];
    const signed: ProbeReport[] = [];
    for (let round = 1; round <= rounds; round++) {
      await chooseBackground(owner, { photo, round });
      drawn.push(await measure(meishi, { what: "drawn pass" }, get));
      await saveProfile(owner, round);
      signed.push(await measure(meishi, { what: "signed pass" }, get));
    }
    const bytes = (await (await get()).arrayBuffer()).byteLength;
    return [...newPassRows({ drawn, signed, bytes }), await cachedRow(meishi, { wrk, path, cardId: owner.cardId })];
  } finally {
    await meishi.stop();
  }
}

async function chooseBackground(owner: Owner, { photo, round }: { photo: Buffer; round: number }) {
  const response = await upload(owner, `pass-background:b${round}`, photo);
  const { keyPrefix }: { keyPrefix?: string } = JSON.parse(await response.text());
  if (keyPrefix === undefined) throw new Error(`The background wasn't stored: ${response.status}`);
  const fields = { background: `asset:${keyPrefix}`, logo: "default", shows_email: "on", version: String(round - 1) };
  const saved = await owner.person.post(`/cards/${owner.cardId}/pass`, fields);
  if (saved.status !== 302) throw new Error(`The design wasn't saved: ${saved.status}`);
}

type NewPasses = { drawn: ProbeReport[]; signed: ProbeReport[]; bytes: number };

function newPassRows({ drawn, signed, bytes }: NewPasses): Row[] {
  const of = (reports: ProbeReport[], name: keyof ProbeReport) => median(reports.map((report) => report[name]));
  const block = Math.max(of(drawn, "longestCpu"), of(signed, "longestCpu"));
  const cpu = of(signed, "allCpu");
  return [
    { what: "pass: new, its background drawn for the first time", value: `${of(drawn, "allCpu").toFixed(0)} ms CPU` },
    {
      what: "pass: new and signed, after a change of what it says",
      value: `${cpu.toFixed(0)} ms CPU`,
      bar: atMost(60, cpu, "ms"),
    },
    {
      what: "pass: longest block of the request thread by a new one",
      value: `${block.toFixed(1)} ms`,
      bar: atMost(10, block, "ms"),
    },
    {
      what: "pass: size with an avatar, a logo and a background",
      value: kilobytes(bytes),
      bar: atMost(150, bytes / 1_000, "kB"),
    },
  ];
}

type CachedPass = { wrk: string; path: string; cardId: string };

/** For a phone that has the pass (304), compared with a browser that has the card's page. They take turns; the median counts. */
async function cachedRow(meishi: Program, { wrk, path, cardId }: CachedPass): Promise<Row> {
  const microseconds: Record<"pass" | "page", number[]> = { pass: [], page: [] };
  const paths = { pass: path, page: `/card/${cardId}` };
  for (let round = 0; round < 3; round++)
    for (const name of ["pass", "page"] as const) {
      const url = meishi.url + paths[name];
      const response = await fetch(url);
      await response.arrayBuffer();
      const headers = { "if-none-match": response.headers.get("etag") ?? "" };
      microseconds[name].push((await load(wrk, { url, pid: meishi.pid, headers, seconds: 2 })).cpuMicroseconds);
    }
  const [pass, page] = [median(microseconds.pass), median(microseconds.page)];
  return {
    what: "pass: unchanged (304), compared with the cached page of its card",
    value: `${pass.toFixed(0)} µs CPU, page ${page.toFixed(0)} µs`,
    bar: atMost(1.2, pass / page, "times the page's CPU"),
  };
}

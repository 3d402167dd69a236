import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";

import sharp from "sharp";

import { prepareImages } from "#app/features/uploads/formats/prepare-images.server.ts";

import { median } from "./program.ts";
import { atMost } from "./table.ts";
import type { Row } from "./table.ts";

const rounds = 15;

/** Crops a 12-megapixel photo of about 4 MB to an avatar, from a file and in this process. */
export async function avatar(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "meishi-bench-"));
  const file = join(folder, "photo.jpg");
  writeFileSync(file, await samplePhoto());
  const times: number[] = [];
  const ownTimes: number[] = [];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  // The first rounds are a warm-up.
  for (let round = -5; round < rounds; round++) {
    if (round === 0) delay.enable();
    const before = process.cpuUsage();
    const ownBefore = process.threadCpuUsage();
    const made = await prepareImages({ file }, { slot: "avatar", crop: { x: 0.2, y: 0.1, size: 0.6 } });
    const { user, system } = process.cpuUsage(before);
    if (made.kind === "refused") throw new Error(made.message);
    const own = process.threadCpuUsage(ownBefore);
    if (round < 0) continue;
    times.push((user + system) / 1_000);
    ownTimes.push((own.user + own.system) / 1_000);
  }
  delay.disable();
  rmSync(folder, { recursive: true, force: true });
  return [
    {
      what: "12-megapixel photo to cropped avatar, CPU",
      value: `${median(times).toFixed(0)} ms`,
      bar: atMost(150, median(times), "ms"),
    },
    { what: "of it on the main thread", value: `${median(ownTimes).toFixed(0)} ms` },
    {
      what: "longest block of the event loop meanwhile",
      value: `${(delay.max / 1e6).toFixed(0)} ms`,
      bar: atMost(50, delay.max / 1e6, "ms"),
    },
  ];
}

/** Coarse and fine noise, blurred: as hard to compress as a photo. */
export async function samplePhoto(): Promise<Buffer> {
  const grain = (width: number, sigma: number) =>
    sharp({
      create: {
        width,
        height: (width * 3) / 4,
        channels: 3,
        background: "#808080",
        noise: { type: "gaussian", mean: 128, sigma },
      },
    });
  const coarse = await grain(80, 60).resize(4_000).jpeg({ quality: 95 }).toBuffer();
  const fine = await grain(4_000, 9).blur(0.7).png().toBuffer();
  return sharp(coarse)
    .composite([{ input: fine, blend: "overlay" }])
    .jpeg({ quality: 92 })
    .toBuffer();
}

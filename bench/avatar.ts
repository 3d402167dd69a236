import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import sharp from "sharp";

import { prepareImages } from "#app/features/uploads/formats/prepare-images.server.ts";

import { median } from "./program.ts";
import { atMost } from "./table.ts";
import type { Row } from "./table.ts";

const rounds = 15;

/** Crops a 12-megapixel photo of about 4 MB to an avatar. The part event-loop measures what it blocks. */
export async function avatar(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "meishi-bench-"));
  const file = join(folder, "photo.jpg");
  writeFileSync(file, await samplePhoto());
  const times: number[] = [];
  // The first rounds are a warm-up.
  for (let round = -5; round < rounds; round++) {
    const before = process.cpuUsage();
    const made = await prepareImages({ file }, { slot: "avatar", crop: { x: 0.2, y: 0.1, size: 0.6 } });
    const { user, system } = process.cpuUsage(before);
    if (made.kind === "refused") throw new Error(made.message);
    if (round >= 0) times.push((user + system) / 1_000);
  }
  rmSync(folder, { recursive: true, force: true });
  return [
    {
      what: "12-megapixel photo to cropped avatar, CPU",
      value: `${median(times).toFixed(0)} ms`,
      bar: atMost(150, median(times), "ms"),
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

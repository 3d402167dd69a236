import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import {
  fadeDurationMs,
  initialRotation,
  loopDurationMs,
  loopRole,
  loops,
  preloadLeadMs,
  preloadNext,
  removeCovered,
  showNext,
} from "./loops.ts";
import type { LoopRotation } from "./loops.ts";

const names = ["ink", "edge", "rings", "fibres"] as const;
const read = (file: string) => readFileSync(join(import.meta.dirname, "loops", file));

describe("the four loops", () => {
  test("have a video in two formats and a poster each", () => {
    expect(loops.map(({ name }) => name)).toEqual(names);
    for (const { name, webm, mp4, poster } of loops)
      for (const address of [webm, mp4, poster]) expect(address).toContain(`/loops/${name}.`);
  });

  test.for(names)("%s has at most 350 kB and 7 seconds in either format, and a poster of at most 10 kB", (name) => {
    for (const kind of ["webm", "mp4"]) {
      expect(read(`${name}.${kind}`).length).toBeGreaterThan(10_000);
      expect(read(`${name}.${kind}`).length).toBeLessThanOrEqual(350_000);
    }
    expect(read(`${name}.avif`).length).toBeLessThanOrEqual(10_000);
    expect(webmSeconds(read(`${name}.webm`))).toBeCloseTo(loopDurationMs / 1000, 2);
    expect(mp4Seconds(read(`${name}.mp4`))).toBeCloseTo(loopDurationMs / 1000, 2);
  });
});

/** Matroska: TimestampScale (2AD7B1, nanoseconds) and Duration (4489), a float of 4 or 8 bytes. */
function webmSeconds(file: Buffer): number {
  const scaleAt = file.indexOf(Buffer.from([0x2a, 0xd7, 0xb1]));
  const scale = scaleAt < 0 ? 1_000_000 : file.readUIntBE(scaleAt + 4, (file[scaleAt + 3] ?? 0) & 0x7f);
  const durationAt = file.indexOf(Buffer.from([0x44, 0x89]));
  const bytes = (file[durationAt + 2] ?? 0) & 0x7f;
  const duration = bytes === 8 ? file.readDoubleBE(durationAt + 3) : file.readFloatBE(durationAt + 3);
  return (duration * scale) / 1e9;
}

/** ISO 14496-12 §8.2.2, version 0: creation and modification time, timescale, duration. */
function mp4Seconds(file: Buffer): number {
  const at = file.indexOf("mvhd");
  return file.readUInt32BE(at + 20) / file.readUInt32BE(at + 16);
}

const roles = (rotation: LoopRotation) => [0, 1, 2, 3].map((loop) => loopRole(loop, rotation, 4));

describe("the loops behind the first screen", () => {
  test("change every 7 seconds with a fade of 1.5, and load the next one shortly before it starts", () => {
    expect([loopDurationMs, fadeDurationMs]).toEqual([7000, 1500]);
    expect(preloadLeadMs).toBeLessThan(loopDurationMs - fadeDurationMs);
    expect(roles(initialRotation)).toEqual(["shown", undefined, undefined, undefined]);
    expect(roles(preloadNext(initialRotation))).toEqual(["shown", "next", undefined, undefined]);
  });

  test("stay below the next one until it has faded in", () => {
    const second = showNext(preloadNext(initialRotation), 4);
    expect(roles(second)).toEqual(["covered", "shown", undefined, undefined]);
    expect(roles(removeCovered(second))).toEqual([undefined, "shown", undefined, undefined]);
  });

  test("start over after the last one", () => {
    let rotation = initialRotation;
    const shown = Array.from({ length: 6 }, () => {
      const { shown } = rotation;
      rotation = removeCovered(showNext(preloadNext(rotation), 4));
      return shown;
    });
    expect(shown).toEqual([0, 1, 2, 3, 0, 1]);
    expect(roles(preloadNext({ ...initialRotation, shown: 3 }))).toEqual(["next", undefined, undefined, "shown"]);
  });
});

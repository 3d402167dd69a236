/**
 * Generates the four loops behind the landing page's first screen in app/features/marketing/landing/hero/loops/: each as WebM (AV1,
 * 10 bit), as MP4 (H.264) and its first frame as AVIF. The scenes are code in scripts/loops/. Needs ffmpeg with libsvtav1 and libx264,
 * and some minutes per loop; the files are committed.
 *
 *   node scripts/draw-loops.mjs          all four
 *   node scripts/draw-loops.mjs ink      one
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

import sharp from "sharp";

import { drawFrame, frames, rate } from "./loops/frame.mjs";
import { scenes } from "./loops/scenes.mjs";

const width = 960;
const height = 540;
const maxBytes = 350_000;

/** The quality of each loop, as high as its size limit allows. */
const fineness = {
  ink: { webm: 32, mp4: 24 },
  fibres: { webm: 32, mp4: 26 },
  edge: { webm: 24, mp4: 20 },
  rings: { webm: 27, mp4: 23 },
};

const chosen = process.argv.slice(2);
for (const name of chosen.length > 0 ? chosen : Object.keys(scenes)) await draw(name);

async function draw(name) {
  const [webm, mp4, poster] = ["webm", "mp4", "avif"].map((kind) =>
    fileURLToPath(new URL(`../app/features/marketing/landing/hero/loops/${name}.${kind}`, import.meta.url)),
  );
  const first = drawFrame(name, { frame: 0, width, height });
  // 8 bits are enough here, because the grain has dithered the gradients.
  const shown = Uint8Array.from(first, (value) => value >> 8);
  await sharp(shown, { raw: { width, height, channels: 3 } })
    .avif({ quality: 62, effort: 9 })
    .toFile(poster);

  const ffmpeg = spawn("ffmpeg", argumentsFor(name, { webm, mp4 }), { stdio: ["pipe", "inherit", "inherit"] });
  const ended = once(ffmpeg, "exit");
  for (let frame = 0; frame < frames; frame++) {
    const { buffer } = frame === 0 ? first : drawFrame(name, { frame, width, height });
    if (!ffmpeg.stdin.write(new Uint8Array(buffer))) await once(ffmpeg.stdin, "drain");
  }
  ffmpeg.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`);
  for (const file of [webm, mp4, poster]) {
    const { size } = statSync(file);
    console.log(`${file.slice(file.lastIndexOf("/") + 1)}: ${(size / 1000).toFixed(1)} kB`);
    if (size > maxBytes) {
      rmSync(file);
      throw new Error(`${file} has more than ${maxBytes} bytes: write it less fine.`);
    }
  }
}

function argumentsFor(name, { webm, mp4 }) {
  const from = ["-f", "rawvideo", "-pix_fmt", "rgb48le", "-s", `${width}x${height}`, "-r", String(rate), "-i", "-"];
  // No metadata about this machine or the time in the files.
  const plain = ["-an", "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"];
  const colour = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"];
  const matrix = "out_color_matrix=bt709:out_range=tv";
  // 10 bits and grain synthesized by the player: gradients without banding in a third of the bytes.
  const av1 = ["-vf", `scale=${matrix}`, "-pix_fmt", "yuv420p10le", "-c:v", "libsvtav1", "-preset", "5"];
  const av1Fineness = ["-crf", String(fineness[name].webm), "-g", String(frames), "-svtav1-params", "film-grain=8"];
  // With 8 bits the grain is in the video, so it has fewer pixels at higher quality.
  const h264 = ["-vf", `scale=768:432:flags=lanczos:${matrix}`, "-pix_fmt", "yuv420p", "-c:v", "libx264"];
  const h264Fineness = ["-preset", "slower", "-crf", String(fineness[name].mp4), "-movflags", "+faststart"];
  const h264Grain = ["-x264-params", "aq-mode=3:aq-strength=1.2:deblock=-2,-2:psy-rd=1.2,0.25"];
  return ["-v", "error", "-y", ...from]
    .concat(av1, av1Fineness, colour, plain, webm)
    .concat(h264, h264Fineness, h264Grain, colour, plain, mp4);
}

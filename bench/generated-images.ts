import { backgroundImage } from "#app/features/sharing/images/background-image.server.ts";
import { cardPreview } from "#app/features/sharing/images/preview-image.server.ts";
import { printSheet } from "#app/features/sharing/images/print-sheet.server.ts";

import { kilobytes } from "./page-bytes.ts";
import { atMost } from "./table.ts";
import type { Row } from "./table.ts";

const cardText = {
  name: "Ada Lovelace",
  company: "Analytical Engines",
  position: "Head of Research",
  work: "Mathematician · 12 years",
  email: "ada@example.com",
  phone: "+44 20 7946 0000",
};
const photos = { avatar: undefined, logo: undefined };
const back = { text: "https://meishi.example/u/ada?q", address: "meishi.example/u/ada", hasBranding: true };
const code = { text: "https://meishi.example/u/ada?b", caption: "Scan for my card" };

/** What drawing an image costs without the image cache: CPU of all threads, and the longest block of the event loop. */
export async function generatedImages(): Promise<Row[]> {
  const card = { ...cardText, ...photos };
  const drawings: [what: string, draw: () => Promise<Buffer>][] = [
    ["first preview image after the start, 1200 x 630", () => cardPreview({ ...card, hasBranding: true })],
    ["preview image", () => cardPreview({ ...card, hasBranding: true })],
    ["preview image, first name in Japanese", () => cardPreview({ ...card, name: "山田 太郎", hasBranding: true })],
    [
      "print sheet, ten cards",
      () => printSheet({ front: card, back }, { size: "91x55", paper: "a4", color: "#000000" }),
    ],
    ["meeting background, 1920 x 1080", () => backgroundImage({ card, code, hasBranding: true }, "dark")],
  ];
  const rows: Row[] = [];
  for (const [what, draw] of drawings) {
    const { bytes, cpu, longest } = await measure(draw);
    const value = `${cpu.toFixed(0)} ms CPU, ${longest.toFixed(0)} ms block, ${kilobytes(bytes)}`;
    rows.push({ what, value, bar: atMost(50, longest, "ms block") });
  }
  return rows;
}

async function measure(draw: () => Promise<Buffer>) {
  let [longest, isRunning] = [0, true];
  let last = mainThreadMs();
  const sample = () => {
    longest = Math.max(longest, mainThreadMs() - last);
    last = mainThreadMs();
    if (isRunning) setImmediate(sample);
  };
  setImmediate(sample);
  const before = process.cpuUsage();
  const { length: bytes } = await draw();
  const { user, system } = process.cpuUsage(before);
  isRunning = false;
  return { bytes, cpu: (user + system) / 1000, longest: Math.max(longest, mainThreadMs() - last) };
}

/** CPU time of the main thread in milliseconds. Other programs on the machine don't add to it. */
function mainThreadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

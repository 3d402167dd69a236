import { backgroundPicture } from "#app/features/sharing/background-picture.server.ts";
import { cardPreview } from "#app/features/sharing/preview-picture.server.ts";
import { printSheet } from "#app/features/sharing/print-sheet.server.ts";

import { kilobytes } from "./page-bytes.ts";
import { atMost } from "./table.ts";
import type { Row } from "./table.ts";

const face = {
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

/** What drawing takes when nothing is in memory yet: CPU of all threads, and how long nobody else had their turn. */
export async function drawnPictures(): Promise<Row[]> {
  const card = { ...face, ...photos };
  const drawings: [what: string, draw: () => Promise<Buffer>][] = [
    ["the first picture for chats after the start, 1200 x 630", () => cardPreview({ ...card, hasBranding: true })],
    ["picture for chats", () => cardPreview({ ...card, hasBranding: true })],
    [
      "picture for chats, the first name in Japanese",
      () => cardPreview({ ...card, name: "山田 太郎", hasBranding: true }),
    ],
    [
      "print sheet, ten cards",
      () => printSheet({ front: card, back }, { size: "91x55", paper: "a4", color: "#000000" }),
    ],
    ["meeting background, 1920 x 1080", () => backgroundPicture({ card, code, hasBranding: true }, "dark")],
  ];
  const rows: Row[] = [];
  for (const [what, draw] of drawings) {
    const { bytes, cpu, longest } = await measured(draw);
    const value = `${cpu.toFixed(0)} ms CPU, ${longest.toFixed(0)} ms at a stretch, ${kilobytes(bytes)}`;
    rows.push({ what, value, bar: atMost(50, longest, "ms at a stretch") });
  }
  return rows;
}

async function measured(draw: () => Promise<Buffer>) {
  let [longest, isRunning] = [0, true];
  let last = ownTime();
  const look = () => {
    longest = Math.max(longest, ownTime() - last);
    last = ownTime();
    if (isRunning) setImmediate(look);
  };
  setImmediate(look);
  const before = process.cpuUsage();
  const { length: bytes } = await draw();
  const { user, system } = process.cpuUsage(before);
  isRunning = false;
  return { bytes, cpu: (user + system) / 1000, longest: Math.max(longest, ownTime() - last) };
}

/** CPU time of the thread that runs our code, in milliseconds: what others on the machine do is not in it. */
function ownTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

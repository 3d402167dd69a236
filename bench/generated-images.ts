import { backgroundImage } from "#app/features/sharing/images/background-image.server.ts";
import { cardPreview } from "#app/features/sharing/images/preview-image.server.ts";
import { printSheet } from "#app/features/sharing/images/print-sheet.server.ts";

import { kilobytes } from "./pages/page-bytes.ts";
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

/** What drawing an image costs without the image cache: CPU of all threads. The part event-loop measures what it blocks. */
export async function generatedImages(): Promise<Row[]> {
  const card = { ...cardText, ...photos };
  const drawings: [what: string, draw: () => Promise<Buffer>][] = [
    ["first preview image after startup, 1200 x 630", () => cardPreview({ ...card, hasBranding: true })],
    ["preview image", () => cardPreview({ ...card, hasBranding: true })],
    ["preview image, first name in Japanese", () => cardPreview({ ...card, name: "山田 太郎", hasBranding: true })],
    ["preview image, first name in Arabic", () => cardPreview({ ...card, name: "ليلى الحسن", hasBranding: true })],
    ["preview image, first emoji", () => cardPreview({ ...card, name: "Zoë 👩‍🚀", hasBranding: true })],
    [
      "print sheet, ten cards",
      () => printSheet({ front: card, back }, { size: "91x55", paper: "a4", color: "#000000" }),
    ],
    ["video call background, 1920 x 1080", () => backgroundImage({ card, code, hasBranding: true }, { id: "dark" })],
  ];
  const rows: Row[] = [];
  for (const [what, draw] of drawings) {
    const before = process.cpuUsage();
    const { length: bytes } = await draw();
    const { user, system } = process.cpuUsage(before);
    rows.push({ what, value: `${((user + system) / 1000).toFixed(0)} ms CPU, ${kilobytes(bytes)}` });
  }
  return rows;
}

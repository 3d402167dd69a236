import { gzipSync } from "node:zlib";

import { kilobytes } from "./page-bytes.ts";
import { scriptBytes } from "./signed-in-script.ts";
import { atMost } from "./table.ts";
import type { Row } from "./table.ts";

/** What the landing page weighs on the wire without its pictures: what is needed to read it, and what comes when the browser is idle. */
export async function landingPage(url: string): Promise<Row[]> {
  const html = await (await fetch(url)).text();
  const sheets = [...html.matchAll(/<link[^>]*rel="stylesheet"[^>]*>/g)].map(
    ([tag]) => /href="([^"]+)"/.exec(tag)?.[1],
  );
  const styles = await Promise.all(sheets.map(async (sheet) => (await fetch(url + sheet)).text()));
  const read = [html, ...styles].reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0);
  const script = await scriptBytes(url, "/", "");
  return [
    { what: "/, HTML and CSS, gzip", value: kilobytes(read), bar: atMost(25, read / 1000, "kB") },
    { what: "/, script once idle, gzip", value: kilobytes(script), bar: atMost(150, script / 1000, "kB") },
  ];
}

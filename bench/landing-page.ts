import { gzipSync } from "node:zlib";

import { kilobytes } from "./page-bytes.ts";
import { scriptBytes } from "./signed-in-script.ts";
import type { Row } from "./table.ts";

/** What the landing page weighs on the wire without its pictures: what is needed to read it, and what comes when the browser is idle. */
export async function landingPage(url: string): Promise<Row[]> {
  const html = await (await fetch(url)).text();
  const sheets = [...html.matchAll(/<link[^>]*rel="stylesheet"[^>]*>/g)].map(
    ([tag]) => /href="([^"]+)"/.exec(tag)?.[1],
  );
  const styles = await Promise.all(sheets.map(async (sheet) => (await fetch(url + sheet)).text()));
  const read = [html, ...styles].reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0);
  return [
    { what: "/, HTML and CSS, gzip", value: kilobytes(read), bar: "at most 25 kB" },
    { what: "/, script once idle, gzip", value: kilobytes(await scriptBytes(url, "/", "")), bar: "at most 150 kB" },
  ];
}

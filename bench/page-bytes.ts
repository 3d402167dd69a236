import { gzipSync } from "node:zlib";

import { visitorScript } from "#app/features/sharing/visitor-script.ts";

import { atMost } from "./table.ts";
import type { Row } from "./table.ts";

/** What a visitor's pages weigh on the wire. The tests hold the bars; here the figures are printed. */
export async function pageBytes(url: string): Promise<Row[]> {
  const rows = await Promise.all(
    ["/card/demo-card", "/u/demo-user"].map(async (path) => {
      const html = await (await fetch(url + path)).text();
      const bytes = gzipSync(html, { level: 9 }).length;
      return { what: `${path}, everything, gzip`, value: kilobytes(bytes), bar: atMost(10, bytes / 1000, "kB") };
    }),
  );
  const script = gzipSync(visitorScript, { level: 9 }).length;
  return [
    ...rows,
    { what: "its deferred script, gzip", value: kilobytes(script), bar: atMost(2, script / 1000, "kB") },
  ];
}

export const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

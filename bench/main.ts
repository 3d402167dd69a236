import { cpus } from "node:os";

import { avatar } from "./avatar.ts";
import { cachedPage } from "./cached-page.ts";
import { drawnPictures } from "./drawn-pictures.ts";
import { landingPage } from "./landing-page.ts";
import { lighthouseSpeed } from "./lighthouse.ts";
import { memory } from "./memory.ts";
import { pageBytes } from "./page-bytes.ts";
import { needProgram, startMeishi } from "./program.ts";
import { signedInScript } from "./signed-in-script.ts";
import { atMost, markdownTable, missed } from "./table.ts";
import type { Row } from "./table.ts";
import { uncachedPage } from "./uncached-page.ts";

/** Prints the README's table of figures, and ends with 1 where one misses its bar. Loads need wrk and nginx, Lighthouse a Chromium (Debian's packages); without them those rows are left out, and said so. */
async function bench() {
  const wrk = needProgram("wrk", "wrk");
  const nginx = needProgram("nginx", "nginx-light");
  const chromium = needProgram("chromium", "chromium");
  const meishi = await startMeishi();
  const rows: Row[] = [
    {
      what: "built program, start to first answer",
      value: `${(meishi.startedInMs / 1000).toFixed(2)} s`,
      bar: atMost(2, meishi.startedInMs / 1000, "s"),
    },
    ...(await pageBytes(meishi.url)),
    ...(await landingPage(meishi.url)),
    ...(await signedInScript(meishi)),
  ];
  if (chromium) {
    say("Lighthouse …");
    rows.push(...(await lighthouseSpeed(meishi.url)));
  } else say("Left out: Lighthouse (needs chromium on the PATH).");
  if (wrk && nginx) {
    say("cached page against nginx …");
    rows.push(...(await cachedPage(meishi, { wrk, nginx })));
  } else say("Left out: the cached page against nginx (needs wrk and nginx on the PATH).");
  await meishi.stop();
  say("pictures …");
  rows.push(...(await drawnPictures()));
  say("a photo to an avatar …");
  rows.push(...(await avatar()));
  say("pages not in the cache …");
  rows.push(...(await uncachedPage()));
  if (wrk) {
    say("a million requests …");
    const fresh = await startMeishi();
    rows.push(...(await memory(fresh, wrk)));
    await fresh.stop();
  }
  process.stdout.write(
    `\n${cpus().length} cores, ${cpus()[0]?.model ?? "unknown processor"}, Node ${process.version}\n\n${markdownTable(rows)}\n`,
  );
  const below = missed(rows);
  if (below.length === 0) return;
  say(`\nNot what they are held to:\n${below.map((line) => `- ${line}`).join("\n")}`);
  process.exitCode = 1;
}

function say(text: string) {
  process.stderr.write(`${text}\n`);
}

await bench();

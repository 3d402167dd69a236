import { load } from "../load.ts";
import type { Load } from "../load.ts";
import { fetchBody, startNginx } from "./nginx.ts";
import { median } from "../program.ts";
import type { Program } from "../program.ts";
import { atLeast, atMost } from "../table.ts";
import type { Row } from "../table.ts";

/**
 * Compares a cached public page with nginx sending the same compressed bytes from a file, and with the page rendered each time. Each
 * program runs on one core and writes a log line per request; they take turns for six rounds, and the median counts.
 */
export async function cachedPage(meishi: Program, programs: { wrk: string; nginx: string }): Promise<Row[]> {
  const page = `${meishi.url}/card/demo-card`;
  const nginx = await startNginx(programs.nginx, { body: await fetchBody(page, "gzip"), encoding: "gzip" });
  const loads: Record<"cached" | "nginx" | "rendered" | "uncounted", Load[]> = {
    cached: [],
    nginx: [],
    rendered: [],
    uncounted: [],
  };
  // Only the canonical path is cached.
  const targets = {
    rendered: { url: `${page}/`, pid: meishi.pid },
    nginx: { url: `${nginx.url}/page`, pid: nginx.pid },
    cached: { url: page, pid: meishi.pid },
    uncounted: { url: page, pid: meishi.pid, headers: { "user-agent": "Googlebot/2.1" } },
  };
  const order = ["nginx", "cached", "uncounted"] as const;
  for (let round = 0; round < 6; round++)
    for (const name of round % 2 === 0 ? order : order.toReversed())
      loads[name].push(await load(programs.wrk, targets[name]));
  await nginx.stop();
  // Last, because rendering leaves garbage behind, which makes what follows slower.
  for (let round = 0; round < 4; round++) loads.rendered.push(await load(programs.wrk, targets.rendered));
  const speed = (name: keyof typeof loads) => median(loads[name].map((one) => one.requestsPerSecond));
  const cpu = (name: keyof typeof loads) => median(loads[name].map((one) => one.cpuMicroseconds));
  const show = (name: keyof typeof loads) =>
    `${Math.round(speed(name)).toLocaleString("en")} requests/s, ${cpu(name).toFixed(1)} µs CPU each`;
  return [
    { what: "nginx, the same bytes from a file", value: show("nginx") },
    { what: "cached public page", value: show("cached") },
    { what: "the same page, not counted (bot)", value: show("uncounted") },
    { what: "the same page, rendered each time", value: show("rendered") },
    {
      what: "cached page vs. nginx, requests per second",
      value: (speed("cached") / speed("nginx")).toFixed(2),
      bar: atLeast(0.4, speed("cached") / speed("nginx")),
    },
    {
      what: "cached page vs. nginx, CPU per request",
      value: (cpu("cached") / cpu("nginx")).toFixed(2),
      bar: atMost(2.8, cpu("cached") / cpu("nginx")),
    },
    {
      what: "counted vs. uncounted (bot) visits, requests per second",
      value: (speed("cached") / speed("uncounted")).toFixed(2),
      bar: atLeast(0.9, speed("cached") / speed("uncounted")),
    },
  ];
}

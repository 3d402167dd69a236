import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { load } from "./load.ts";
import type { Load } from "./load.ts";
import { freePort, median, onCore, waitFor } from "./program.ts";
import type { Program } from "./program.ts";
import { atLeast, atMost } from "./table.ts";
import type { Row } from "./table.ts";

/**
 * Compares a cached public page with nginx sending the same compressed bytes from a file, and with the page rendered each time. Each
 * program runs on one core and writes a log line per request; they take turns for three rounds, and the median counts.
 */
export async function cachedPage(meishi: Program, programs: { wrk: string; nginx: string }): Promise<Row[]> {
  const page = `${meishi.url}/card/demo-card`;
  const nginx = await startNginx(programs.nginx, await compressedBody(page));
  const loads: Record<"cached" | "nginx" | "rendered" | "uncounted", Load[]> = {
    cached: [],
    nginx: [],
    rendered: [],
    uncounted: [],
  };
  for (let round = 0; round < 3; round++) {
    loads.cached.push(await load(programs.wrk, { url: page, pid: meishi.pid }));
    loads.nginx.push(await load(programs.wrk, { url: `${nginx.url}/page`, pid: nginx.pid }));
    loads.uncounted.push(
      await load(programs.wrk, { url: page, pid: meishi.pid, headers: { "user-agent": "Googlebot/2.1" } }),
    );
    // Only the canonical path is cached.
    loads.rendered.push(await load(programs.wrk, { url: `${page}/`, pid: meishi.pid }));
  }
  await nginx.stop();
  const speed = (name: keyof typeof loads) => median(loads[name].map((one) => one.requestsPerSecond));
  const cpu = (name: keyof typeof loads) => median(loads[name].map((one) => one.cpuMicroseconds));
  const show = (name: keyof typeof loads) =>
    `${Math.round(speed(name)).toLocaleString("en")} requests/s, ${cpu(name).toFixed(1)} µs CPU each`;
  return [
    { what: "nginx, the same bytes from a file", value: show("nginx") },
    { what: "cached public page", value: show("cached") },
    { what: "the page rendered each time", value: show("rendered") },
    {
      what: "cached page against nginx, requests a second",
      value: (speed("cached") / speed("nginx")).toFixed(2),
      bar: atLeast(0.4, speed("cached") / speed("nginx")),
    },
    {
      what: "cached page against nginx, CPU a request",
      value: (cpu("cached") / cpu("nginx")).toFixed(2),
      bar: atMost(2.8, cpu("cached") / cpu("nginx")),
    },
    {
      what: "visits counted against not counted (bots), requests a second",
      value: (speed("cached") / speed("uncounted")).toFixed(2),
      bar: atLeast(0.9, speed("cached") / speed("uncounted")),
    },
  ];
}

/** The page's body in gzip. */
function compressedBody(url: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { "accept-encoding": "gzip" } }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => resolve(Buffer.concat(parts)));
    })
      .on("error", reject)
      .end();
  });
}

async function startNginx(nginx: string, body: Buffer) {
  const folder = mkdtempSync(join(tmpdir(), "meishi-nginx-"));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, "www"));
  writeFileSync(join(folder, "www/page"), body);
  const port = await freePort();
  writeFileSync(join(folder, "nginx.conf"), nginxConfiguration(folder, port));
  // Without a master process, this one process uses all of nginx's processor time.
  const [command, ...args] = onCore(
    0,
    nginx,
    "-c",
    join(folder, "nginx.conf"),
    "-g",
    "daemon off; master_process off;",
  );
  const child = spawn(command ?? "", args, { stdio: ["ignore", "ignore", "inherit"] });
  const url = `http://127.0.0.1:${port}`;
  await waitFor(`${url}/page`);
  const stop = async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, pid: child.pid ?? 0, stop };
}

const nginxConfiguration = (folder: string, port: number) => `
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log ${folder}/access.log;
  client_body_temp_path ${folder}/body;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 100000000;
  server {
    listen 127.0.0.1:${port};
    location / { root ${folder}/www; default_type "text/html; charset=utf-8"; add_header Content-Encoding gzip; }
  }
}
`;

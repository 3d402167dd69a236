import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { freePort, onCore, waitFor } from "../program.ts";

type Encoding = "gzip" | "br";

/** A page's body as it is sent in this encoding. */
export function fetchBody(url: string, encoding: Encoding): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { "accept-encoding": encoding } }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => resolve(Buffer.concat(parts)));
    })
      .on("error", reject)
      .end();
  });
}

/** nginx on the first core, which serves this body at `/page` and writes a log line per request. */
export async function startNginx(nginx: string, { body, encoding }: { body: Buffer; encoding: Encoding }) {
  const folder = mkdtempSync(join(tmpdir(), "meishi-nginx-"));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, "www"));
  writeFileSync(join(folder, "www/page"), body);
  const port = await freePort();
  writeFileSync(join(folder, "nginx.conf"), nginxConfiguration(folder, { port, encoding }));
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

const nginxConfiguration = (folder: string, { port, encoding }: { port: number; encoding: Encoding }) => `
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
    location / { root ${folder}/www; default_type "text/html; charset=utf-8"; add_header Content-Encoding ${encoding}; }
  }
}
`;

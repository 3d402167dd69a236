import { createServer } from "node:http";
import type { RequestListener } from "node:http";

import { expect, test } from "vitest";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { listenAnywhere } from "#tests/support/program/free-port.ts";

import { createPublicFetch } from "./public-fetch.server.ts";

async function openServer(listener: RequestListener) {
  const server = createServer(listener);
  const port = await listenAnywhere(server);
  cleanUpAfterTest(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}

const limits = { maxBytes: 100 };

test("opens no connection to a private address, however it is written", async () => {
  let requests = 0;
  const origin = await openServer((_, response) => {
    requests++;
    response.end("secret");
  });
  const { port } = new URL(origin);
  const fetchFile = createPublicFetch({ resolve: async () => ["127.0.0.1"] });
  const literal = "127.0.0.1 127.1 2130706433 0x7f000001 [::ffff:127.0.0.1] private.example";
  const hosts = [...literal.split(" "), `127.0.0.1:${port}`, `private.example:${port}`, "user:password@1.1.1.1"];
  const other = [origin, "file:///etc/passwd", "data:image/png;base64,AAAA", "//evil.example", ""];
  for (const url of [...hosts.map((host) => `https://${host}/`), ...other])
    expect(await fetchFile(url, limits), url).toBeUndefined();
  const fetchMixed = createPublicFetch({ resolve: async () => ["1.1.1.1", "10.0.0.1"] });
  expect(await fetchMixed("https://mixed.example/", limits)).toBeUndefined();
  // Nor as the target of a redirect.
  const redirecting = await openServer((_, response) => response.writeHead(302, { location: origin }).end());
  expect(await createPublicFetch({ allowedOrigins: [redirecting] })(redirecting, limits)).toBeUndefined();
  expect(requests).toBe(0);
});

test("follows three redirects, no more", async () => {
  const origin = await openServer(({ url = "/" }, response) => {
    const left = Number(url.slice(1));
    if (left === 0) response.end("ok");
    else response.writeHead(302, { location: `/${left - 1}` }).end();
  });
  const fetchFile = createPublicFetch({ allowedOrigins: [origin] });
  expect(Buffer.from((await fetchFile(`${origin}/3`, limits)) ?? []).toString()).toBe("ok");
  expect(await fetchFile(`${origin}/4`, limits)).toBeUndefined();
});

test("stops at a file that is too large, is cut off, or comes too slowly", async () => {
  const origin = await openServer(({ url }, response) => {
    if (url === "/large") response.end(Buffer.alloc(101));
    else if (url === "/largest") response.end(Buffer.alloc(100));
    else if (url === "/cut-off") response.writeHead(200, { "content-length": 50 }).write("x", () => response.destroy());
    else if (url === "/slow") response.writeHead(200).write("x");
    else response.writeHead(404).end();
  });
  const fetchFile = createPublicFetch({ allowedOrigins: [origin], timeLimitMs: 300 });
  expect((await fetchFile(`${origin}/largest`, limits))?.length).toBe(100);
  for (const path of ["/large", "/cut-off", "/slow", "/missing"])
    expect(await fetchFile(origin + path, limits), path).toBeUndefined();
});

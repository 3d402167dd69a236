import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, test } from "vitest";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

import { createPublicFetch } from "./public-fetch.server.ts";

async function openServer(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanUpAfterTest(() => {
    server.closeAllConnections();
    server.close();
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
  for (const url of [
    origin,
    `https://127.0.0.1:${port}/`,
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://[::ffff:127.0.0.1]/",
    "https://private.example/",
    `https://private.example:${port}/`,
    "https://user:password@1.1.1.1/",
    "file:///etc/passwd",
    "data:image/png;base64,AAAA",
    "//evil.example",
    "",
  ])
    expect(await fetchFile(url, limits), url).toBeUndefined();
  expect(requests).toBe(0);
});

test("refuses a host with one private address among public ones", async () => {
  const fetchFile = createPublicFetch({ resolve: async () => ["1.1.1.1", "10.0.0.1"] });
  expect(await fetchFile("https://mixed.example/", limits)).toBeUndefined();
});

test("follows no redirect to a private address", async () => {
  let requests = 0;
  const target = await openServer((_, response) => {
    requests++;
    response.end("secret");
  });
  const origin = await openServer((_, response) => response.writeHead(302, { location: target }).end());
  expect(await createPublicFetch({ allowedOrigins: [origin] })(origin, limits)).toBeUndefined();
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

import { connect, createServer } from "node:net";
import { text } from "node:stream/consumers";

import { expect, test } from "vitest";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { listenAnywhere } from "#tests/support/program/free-port.ts";

import { isPublicAddress, pinLookup } from "./public-address.server.ts";

const internal = `
  127.0.0.1 127.8.8.8 10.1.2.3 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255 198.18.0.1
  :: ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:7f00:1 ::127.0.0.1 64:ff9b::7f00:1 fe80::1 fc00::1 fd12:3456::1 ff02::1
  2002:7f00:1:: 2001::1 2001:db8::1 localhost
`;
const external = "1.1.1.1 93.184.215.14 172.32.0.1 2606:4700:4700::1111 2a00:1450:4001:81b::200e";

test("tells addresses of the internet from all others", () => {
  for (const address of ["", ...internal.trim().split(/\s+/)]) expect(isPublicAddress(address), address).toBe(false);
  for (const address of external.split(" ")) expect(isPublicAddress(address), address).toBe(true);
});

test("a connection goes to the address that was checked, whatever the host resolves to by then", async () => {
  const server = createServer((socket) => void socket.end("here"));
  const port = await listenAnywhere(server);
  cleanUpAfterTest(() => void server.close());
  for (const autoSelectFamily of [true, false]) {
    const socket = connect({ host: "rebound.invalid", port, autoSelectFamily, lookup: pinLookup(["127.0.0.1"]) });
    expect(await text(socket)).toBe("here");
  }
});

import { describe, expect, test } from "vitest";

import { networkOf } from "./network.ts";

describe("the network of a visitor", () => {
  test("is the address itself for IPv4", () => {
    expect(networkOf("203.0.113.7")).toBe("203.0.113.7");
  });

  test.each([
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:DB8:0:0:ffff::", "2001:db8:0:0::/64"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["1::", "1:0:0:0::/64"],
    ["64:ff9b::192.0.2.33", "64:ff9b:0:0::/64"],
  ])("is the first half for IPv6: %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  test("is whatever stands there when it is no address", () => {
    expect(networkOf("unknown")).toBe("unknown");
  });
});

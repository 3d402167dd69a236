import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";

import { isEmail, toAsciiDomain } from "./email-address.ts";

test.each([
  ["lena@Müller.example", "lena@xn--mller-kva.example"],
  ["lena@例え.テスト", "lena@xn--r8jz45g.xn--zckzah"],
  ["lena@mail。müller.example", "lena@mail.xn--mller-kva.example"],
  ["Lena@Example.COM", "Lena@Example.COM"],
])("the domain of %s is written as in %s, which is an address", (typed, address) => {
  expect(toAsciiDomain(typed)).toBe(address);
  expect(isEmail(address)).toBe(true);
});

test.each([
  ["no domain", ["müller.example", "lena@müller", "lena@1２.0.0.1"]],
  ["more than a domain", ["lena@mü ller.example", "lena@müller.example:80", "lena@müller.example\n"]],
  ["a path", ["lena@müller.example/x"]],
  ["an escape", ["lena@a%2eü.example"]],
  ["no name, or one beyond ASCII", ["@müller.example", "jörg@example.com"]],
])("text with %s is no address", (_, typed) => {
  expect(typed.map(toAsciiDomain).filter(isEmail)).toEqual([]);
});

test("other addresses are those of zod", () => {
  const part = fc.stringMatching(/^[a-zA-Z0-9@._+'-]{0,6}$/);
  const address = fc.oneof(
    fc.emailAddress(),
    fc.tuple(part, part, part).map(([name, domain, end]) => `${name}@${domain}.${end}`),
  );
  fc.assert(fc.property(address, (text) => isEmail(text) === z.email().safeParse(text).success));
});

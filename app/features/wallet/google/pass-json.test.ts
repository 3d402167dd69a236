import { expect, test } from "vitest";

import { voidedContent } from "#app/features/wallet/pass-content.ts";

import { genericObject } from "./pass-json.ts";

const issuer = { name: "Meishi", url: "https://meishi.example" };
const empty = voidedContent({ cardId: "one", cardUrl: "https://meishi.example/c/h7k2m9x", issuer });

function linksOf(change: { email?: string; phone?: string }): string[] | undefined {
  const options = { issuerId: "1", imageBase: undefined, imageVersion: "" };
  return genericObject({ ...empty, ...change }, options).linksModuleData?.uris.map(({ uri }) => uri);
}

test.each([
  ["+44 (0)20 7946 0000 ext. 5", ["tel:+442079460000;ext=5"]],
  ["*100#", ["tel:*100%23"]],
  ["on request", undefined],
  ["", undefined],
])("the phone number %j makes a link that Google accepts, or none", (phone, links) => {
  expect(linksOf({ phone })).toEqual(links);
});

test("an email address makes one link without further fields", () => {
  expect(linksOf({ email: "ada?bcc=eve@example.com" })).toEqual(["mailto:ada%3Fbcc%3Deve@example.com"]);
  expect(linksOf({ email: "" })).toBeUndefined();
});

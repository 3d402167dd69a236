import { createHash } from "node:crypto";

import { expect, test } from "vitest";

import { makeCard, shortPathOf } from "#tests/support/app/cards.ts";
import { readElements } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";

async function open(env: Record<string, string> = walletSettings, clock?: () => number) {
  const app = await createTestApp({ env, ...(clock && { clock }) });
  const ada = await app.signedIn();
  const id = await makeCard(ada);
  const path = await shortPathOf(app.visitor(), id);
  const readDialog = async () => (await ada.get(`/cards/${id}/details.data`)).text();
  return { ...app, path, readDialog };
}

test("the page of a card links to its pass without script, the same for all devices, in a page that the policy allows", async () => {
  const { visitor, path, readDialog } = await open();
  const response = await visitor().get(path);
  const page = readElements(await response.text());
  const badges = page.filter(({ attributes }) => attributes["class"]?.startsWith("badge "));
  expect(badges.map(({ tag, attributes }) => [tag, attributes["class"], attributes["href"]])).toEqual([
    ["a", "badge apple", `${path}/pass.pkpass`],
    ["a", "badge android", `${path}/pass.pkpass`],
  ]);
  const phone = page.find(({ tag, text }) => tag === "button" && text.includes("Continue on your phone"));
  expect(phone?.attributes["popovertarget"]).toBe("card-qr");
  const styles = page.filter(({ tag }) => tag === "style").map(({ text }) => text);
  expect(styles.at(-1)).toContain(".wallets{");
  const policy = response.headers.get("content-security-policy") ?? "";
  for (const css of styles) expect(policy).toContain(`'sha256-${createHash("sha256").update(css).digest("base64")}'`);
  const onAndroid = await visitor().get(path, { "user-agent": "Mozilla/5.0 (Linux; Android 16)" });
  expect(onAndroid.headers.get("etag")).toBe(response.headers.get("etag"));
  expect(await readDialog()).toMatch(/"hasPass",true/);
});

test("there is no such link where passes aren't configured, and once the certificate has expired", async () => {
  const none = await open({});
  expect(await (await none.visitor().get(none.path)).text()).not.toMatch(/wallets|Apple Wallet|pkpass/);
  expect((await none.visitor().get(`${none.path}/pass.pkpass`)).status).toBe(404);
  expect(await none.readDialog()).toMatch(/"hasPass",false/);
  let now = Date.now();
  const { visitor, path } = await open(walletSettings, () => now);
  const shows = async () => (await (await visitor().get(path)).text()).includes("pass.pkpass");
  expect(await shows()).toBe(true);
  now += 366 * 24 * 60 * 60_000;
  expect(await shows()).toBe(false);
});

import { createHash } from "node:crypto";

import { describe, expect, test } from "vitest";

import { makeCard, shortPathOf } from "#tests/support/app/cards.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";

async function open(env: Record<string, string> = walletSettings, clock?: () => number) {
  const app = await createTestApp({ env, ...(clock && { clock }) });
  const ada = await app.signedIn();
  const id = await makeCard(ada);
  const path = await shortPathOf(app.visitor(), id);
  return { ...app, ada, id, path };
}

describe("the page of a card", () => {
  test("links to its pass for iPhones and for Android, without script, in a page that the policy allows", async () => {
    const { visitor, path } = await open();
    const response = await visitor().get(path);
    const page = await response.text();
    expect(page).toMatch(
      new RegExp(`<a class="badge apple" href="${path}/pass\\.pkpass"[^>]*>.*?<small>Add to</small> Apple Wallet`, "s"),
    );
    expect(page).toMatch(new RegExp(`<a class="badge android" href="${path}/pass\\.pkpass"`));
    expect(page).toMatch(/<button[^>]*popoverTarget="card-qr"[^>]*>Continue on your phone/i);
    const css = [...page.matchAll(/<style>([^]*?)<\/style>/g)].map(([, text = ""]) => text);
    expect(css.at(-1)).toContain(".wallets{");
    const policy = response.headers.get("content-security-policy") ?? "";
    for (const text of css) expect(policy).toContain(`'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  });

  test("is one cached page for all devices", async () => {
    const { visitor, path } = await open();
    const read = async (agent: string) => (await visitor().get(path, { "user-agent": agent })).headers.get("etag");
    const iphone = await read("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)");
    expect(await read("Mozilla/5.0 (Linux; Android 16)")).toBe(iphone);
  });

  test("has no such link where passes aren't configured, and once the certificate has expired", async () => {
    const none = await open({});
    expect(await (await none.visitor().get(none.path)).text()).not.toMatch(/wallets|Apple Wallet|pkpass/);
    let now = Date.now();
    const { visitor, path } = await open(walletSettings, () => now);
    const shows = async () => (await (await visitor().get(path)).text()).includes("pass.pkpass");
    expect(await shows()).toBe(true);
    now += 366 * 24 * 60 * 60_000;
    expect(await shows()).toBe(false);
  });
});

test("the card's dialog says whether there is a pass", async () => {
  const read = async ({ ada, id }: Awaited<ReturnType<typeof open>>) =>
    (await ada.get(`/cards/${id}/details.data`)).text();
  expect(await read(await open())).toMatch(/"hasPass",true/);
  expect(await read(await open({}))).toMatch(/"hasPass",false/);
});

import { describe, expect, test } from "vitest";
import { z } from "zod";

import { baseOf, makeCard, shortPathOf } from "#tests/support/app/cards.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";
import { openUpdatedApp } from "#tests/support/fixtures/wallet/updated-app.ts";
import { openWithCard } from "#tests/support/providers/google-wallet/google-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

/** What the banner of a page is told; undefined on a page without it. React Router sends a list in which values refer to each other by index. */
async function isUnfinished(ada: Visitor, path = "/account"): Promise<unknown> {
  const [line = ""] = (await (await ada.get(`${path}.data`)).text()).split("\n");
  const values = z.array(z.unknown()).parse(JSON.parse(line));
  const name = `_${values.indexOf("hasUnfinishedPass")}`;
  const index = values.flatMap((value) => z.record(z.string(), z.number()).safeParse(value).data?.[name] ?? []);
  return values[index[0] ?? -1];
}

async function design(ada: Visitor, id: string) {
  const path = `/cards/${id}/pass`;
  const base = baseOf(await (await ada.get(path)).text());
  expect((await ada.post(path, { background: "card", logo: "default", version: "0", base })).status).toBe(302);
}

describe("the banner about the wallet pass", () => {
  test("is due until a pass is designed and a device has it", async () => {
    const { ada, id, device, pass } = await openUpdatedApp();
    expect(await isUnfinished(ada)).toBe(true);
    const phone = device(1);
    expect((await phone.add(pass)).status).toBe(201);
    expect(await isUnfinished(ada)).toBe(true);
    await design(ada, id);
    expect(await isUnfinished(ada)).toBe(false);
    await phone.remove(id);
    expect(await isUnfinished(ada)).toBe(true);
  });

  test("takes a pass that Google has for one that was added, if it is of the card that was designed by this user", async () => {
    const { ada, id, add, signedIn } = await openWithCard();
    await add();
    const bob = await signedIn("bob@example.com");
    await design(bob, await makeCard(bob));
    expect([await isUnfinished(ada), await isUnfinished(bob)]).toEqual([true, true]);
    await design(ada, id);
    expect([await isUnfinished(ada), await isUnfinished(bob)]).toEqual([false, true]);
  });

  test("takes a download for added where phones can't register, without https", async () => {
    const app = await createTestApp({ env: walletSettings });
    const ada = await app.signedIn();
    const id = await makeCard(ada);
    await design(ada, id);
    expect(await isUnfinished(ada)).toBe(true);
    await app.visitor().get(`${await shortPathOf(app.visitor(), id)}/pass.pkpass`);
    expect(await isUnfinished(ada)).toBe(false);
  });

  test("is never due where no passes can be made, and not asked for on pages without the banner", async () => {
    const app = await createTestApp();
    const ada = await app.signedIn();
    expect(await isUnfinished(ada)).toBe(false);
    const other = await createTestApp({ env: walletSettings });
    const bob = await other.signedIn();
    expect(await isUnfinished(bob, "/profile")).toBe(undefined);
    expect(await isUnfinished(bob, "/pricing")).toBe(true);
  });
});

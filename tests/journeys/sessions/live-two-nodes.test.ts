import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { readStream } from "#tests/support/browser/event-stream.ts";
import { makePremium, profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";

const cardsOf = ({ events }: { events: { data: Record<string, string> }[] }) =>
  events.flatMap(({ data }) => data["cardId"] ?? []);

describe.runIf(listEngines().includes("postgres"))("live events on two nodes with one PostgreSQL", () => {
  test("reach the owner's connections on both, and only the owner's", async () => {
    const { ada, bob, first, second } = await openNodes();
    const [adaId, bobId] = [await userIdOf(ada), await userIdOf(bob)];
    const [here, there] = [await follow(ada), await follow(onNode(second, ada))];
    const ofBob = await follow(onNode(second, bob));
    const cardId = await makeCard(ada);
    first.services.live.publish(adaId, { kind: "pass.updated", data: { cardId } });
    for (const stream of [here, there]) {
      await stream.waitFor("card.saved");
      await stream.waitFor("pass.updated");
      expect(cardsOf(stream)).toEqual([cardId, cardId]);
    }
    await first.visitor().get(`/u/${adaId}`);
    await there.waitFor("visit");
    await makePremium(second.services, bobId);
    await ofBob.waitFor("plan.changed");
    expect(ofBob.kinds()).toEqual(["plan.changed"]);
  });

  test("are replayed by the other node when a connection broke, none lost", async () => {
    const { ada, second, waitAMinute } = await openNodes();
    // Both have been running for longer than the replay reaches back.
    waitAMinute();
    const here = await follow(ada);
    await ada.post("/profile", profileForm({ version: "1", bio: "Seen" }));
    await here.waitFor("profile.saved");
    await here.cancel();
    const cardId = await makeCard(ada);
    const there = await follow(onNode(second, ada), { "last-event-id": here.lastEventId() });
    // What the other node hears a moment later is sent then.
    await there.waitFor("card.saved");
    expect([cardsOf(there), there.kinds().includes("reload")]).toEqual([[cardId], false]);
  });

  test("a session that ended on one ends its connection on the other at once", async () => {
    const { ada, second } = await openNodes();
    const there = await follow(onNode(second, ada));
    await ada.post("/auth/sign-out", {});
    expect(await there.ended).toBe(true);
  });
});

async function follow(user: Pick<Visitor, "get">, headers: Record<string, string> = {}) {
  const stream = readStream(await user.get("/events", headers));
  cleanUpAfterTest(() => stream.cancel().catch(() => undefined));
  await stream.isOpen();
  return stream;
}

/** Two nodes with the same secrets; both users are signed in on the first. */
async function openNodes() {
  const { databaseUrl: DATABASE_URL = "" } = await makeDatabase("postgres");
  let ahead = 0;
  const clock = () => Date.now() + ahead;
  const first = await createTestApp({ clock, env: { DATABASE_URL } });
  const DATA_DIR = mkdtempSync(join(tmpdir(), "meishi-node-"));
  cleanUpAfterTest(() => rmSync(DATA_DIR, { recursive: true, force: true }));
  copyFileSync(join(first.dataDir, "secrets.json"), join(DATA_DIR, "secrets.json"));
  const second = await createTestApp({ clock, env: { DATABASE_URL, DATA_DIR } });
  const users = { ada: await first.signedIn(), bob: await first.signedIn("bob@example.com") };
  return { first, second, ...users, waitAMinute: () => void (ahead += 60_000) };
}

/** The browser as the balancer would send it to this node. */
function onNode(node: Pick<TestApp, "visitor">, { cookies }: Visitor): Visitor {
  const browser = node.visitor();
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
}

import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { makePremium, profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { copyBrowser, isSignedIn, logIn } from "#tests/support/app/visitor.ts";
import { followEvents } from "#tests/support/browser/event-stream.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";

const cardsOf = ({ events }: { events: { data: Record<string, string> }[] }) =>
  events.flatMap(({ data }) => data["cardId"] ?? []);

/** Two nodes with the same secrets. `ada` and `bob` are signed in on the first. */
async function openNodes() {
  const { databaseUrl: DATABASE_URL = "" } = await makeDatabase("postgres");
  let ahead = 0;
  const clock = () => Date.now() + ahead;
  const first = await createTestApp({ clock, env: { DATABASE_URL } });
  const DATA_DIR = mkdtempSync(join(tmpdir(), "meishi-node-"));
  cleanUpAfterTest(() => rmSync(DATA_DIR, { recursive: true, force: true }));
  copyFileSync(join(first.dataDir, "secrets.json"), join(DATA_DIR, "secrets.json"));
  const second = await createTestApp({ clock, env: { DATABASE_URL, DATA_DIR } });
  const [ada, bob] = [await first.signedIn("ada@example.com"), await first.signedIn("bob@example.com")];
  /** Ada in another browser, signed in on the second node. */
  const phone = second.visitor();
  await logIn(phone, ada);
  expect(await isSignedIn(phone)).toBe(true);
  return { first, second, ada, bob, phone, waitAMinute: () => void (ahead += 60_000) };
}

describe.runIf(listEngines().includes("postgres"))("on two nodes with one PostgreSQL", () => {
  test("a session that ended on one is refused by the other at once, and so is its stream of events", async () => {
    const { ada, phone, first, second } = await openNodes();
    const onFirst = copyBrowser(first, phone);
    expect(await isSignedIn(onFirst)).toBe(true);
    expect((await ada.post("/account/sessions", { intent: "end-others" })).status).toBe(302);
    for (const browser of [phone, onFirst]) expect(await isSignedIn(browser)).toBe(false);
    const desktop = copyBrowser(second, ada);
    expect(await isSignedIn(desktop)).toBe(true);
    const there = await followEvents(desktop);
    await ada.post("/auth/sign-out", {});
    expect(await isSignedIn(desktop)).toBe(false);
    expect(await there.ended).toBe(true);
  });

  test("live events reach the owner's connections on both, and only the owner's", async () => {
    const { ada, bob, first, second } = await openNodes();
    const [adaId, bobId] = [await userIdOf(ada), await userIdOf(bob)];
    const [here, there] = [await followEvents(ada), await followEvents(copyBrowser(second, ada))];
    const ofBob = await followEvents(copyBrowser(second, bob));
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

  test("live events are replayed by the other node when a connection broke, none lost", async () => {
    const { ada, second, waitAMinute } = await openNodes();
    // Both have been running for longer than the replay reaches back.
    waitAMinute();
    const here = await followEvents(ada);
    await ada.post("/profile", profileForm({ version: "1", bio: "Seen" }));
    await here.waitFor("profile.saved");
    await here.cancel();
    const cardId = await makeCard(ada);
    const there = await followEvents(copyBrowser(second, ada), { "last-event-id": here.lastEventId() });
    // What the other node receives a moment later is sent then.
    await there.waitFor("card.saved");
    expect([cardsOf(there), there.kinds().includes("reload")]).toEqual([[cardId], false]);
  });
});

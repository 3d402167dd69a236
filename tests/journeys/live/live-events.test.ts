import { setImmediate as nextTurn } from "node:timers/promises";

import { describe, expect, test } from "vitest";

import { createOperatedApp } from "#tests/support/admin/operated-app.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { followEvents, readStream } from "#tests/support/browser/event-stream.ts";
import { listen } from "#tests/support/app/listening-app.ts";
import { makeFree, makePremium, profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { bearerOf, copyBrowser, logIn } from "#tests/support/app/visitor.ts";
import { openRawConnection } from "#tests/support/program/connections.ts";

type TestUser = Awaited<ReturnType<TestApp["signedIn"]>>;

describe("GET /events", () => {
  test("is a stream for signed-in users, by the cookie on our own pages or by a bearer token", async () => {
    const { ada, visitor } = await createSignedInApp();
    const refused = await visitor().get("/events");
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(await refused.json()).toEqual({ error: "Sign in, or send the token of a session." });
    expect((await visitor().get("/events", { authorization: "Bearer wrong.token" })).status).toBe(401);
    expect((await ada.get("/events", { authorization: "Bearer wrong.token" })).status).toBe(401);
    expect((await ada.get("/events", { origin: "https://evil.example" })).status).toBe(403);
    expect((await ada.get("/events", { "sec-fetch-site": "same-site" })).status).toBe(403);
    // No proxy stores, transforms or collects the stream.
    const response = await ada.get("/events", { "accept-encoding": "gzip, br", "sec-fetch-site": "same-origin" });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
    expect(response.headers.has("content-encoding")).toBe(false);
    const stream = readStream(response);
    await stream.isOpen();
    expect([stream.retryMs(), stream.events]).toEqual([1_000, []]);
    await stream.cancel();
    const accepted: Record<string, string>[] = [{}, { origin: "http://localhost:3000" }];
    for (const headers of accepted) await followEvents(ada, headers);
    await followEvents(visitor(), bearerOf(ada));
  });

  test("is refused from the 21st connection of an account, until one is closed", async () => {
    const { ada, signedIn } = await createSignedInApp();
    // HEAD opens none.
    for (let n = 0; n < 30; n++) {
      const { status, headers, body } = await ada.request("/events", { method: "HEAD" });
      expect([status, headers.get("content-type"), body]).toEqual([200, "text/event-stream", null]);
    }
    const streams = [];
    for (let n = 0; n < 20; n++) streams.push(await followEvents(ada));
    const refused = await ada.get("/events");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    await (await followEvents(await signedIn("bob@example.com"))).cancel();
    await streams[0]?.cancel();
    await followEvents(ada);
  });
});

describe("a connection", () => {
  test("gets each change of its own account, and nothing of another's", async () => {
    const { signedIn, services } = await createTestApp();
    const [ada, bob] = [await signedIn(), await signedIn("bob@example.com")];
    const [adaId, bobId] = [await userIdOf(ada), await userIdOf(bob)];
    const [ofAda, ofBob] = [await followEvents(ada), await followEvents(bob)];
    const cardId = await makeCard(ada);
    await ada.post("/profile", profileForm({ version: "1", bio: "Poetical science" }));
    await makePremium(services, adaId);
    services.live.publish(adaId, { kind: "pass.updated", data: { cardId } });
    await ada.post(`/cards/${cardId}/delete`, {});
    await makePremium(services, bobId);
    await makeFree(services, bobId);
    await ofAda.waitFor("card.deleted");
    expect(ofAda.events.map(({ kind, data }) => ({ kind, data }))).toEqual([
      { kind: "card.saved", data: { cardId } },
      { kind: "profile.saved", data: {} },
      { kind: "plan.changed", data: {} },
      { kind: "pass.updated", data: { cardId } },
      { kind: "card.deleted", data: { cardId } },
    ]);
    await expect.poll(ofBob.kinds).toEqual(["plan.changed", "plan.changed"]);
    expect(new Set(ofAda.events.map(({ lastEventId }) => lastEventId)).size).toBe(5);
  });

  test("reports a visit of the owner's pages without the visitor, and at most one a second", async () => {
    const { signedIn, visitor } = await createTestApp();
    const [ada, bob] = [await signedIn(), await signedIn("bob@example.com")];
    const path = `/u/${await userIdOf(ada)}`;
    const [ofAda, ofBob] = [await followEvents(ada), await followEvents(bob)];
    await ada.get(path);
    for (let n = 0; n < 20; n++) await visitor().get(`${path}?q`);
    expect((await ofAda.waitFor("visit"))?.data).toEqual({});
    expect([ofAda.kinds(), ofBob.kinds()]).toEqual([["visit"], []]);
  });

  test.each<[string, (user: TestUser) => unknown]>([
    ["signs out", (ada) => ada.post("/auth/sign-out", {})],
    ["signs out everywhere", (ada) => ada.post("/account/sessions", { intent: "end-all" })],
    ["deletes the account", (ada) => ada.post("/account/delete", { intent: "delete", confirm: "DELETE" })],
  ])("ends when its owner %s", async (_, leave) => {
    const { signedIn } = await createTestApp();
    const [ada, bob] = [await signedIn(), await signedIn("bob@example.com")];
    const [ofAda, ofBob] = [await followEvents(ada), await followEvents(bob)];
    await leave(ada);
    expect(await ofAda.ended).toBe(true);
    expect(ofAda.kinds()).toEqual(["signed-out"]);
    expect((await ada.get("/events")).status).toBe(401);
    await makeCard(bob);
    await ofBob.waitFor("card.saved");
  });

  test("ends when the session gets another token, and a copy of the old cookie can't keep another", async () => {
    const { ada, ...app } = await createSignedInApp();
    const copy = copyBrowser(app, ada);
    const [ofAda, ofCopy] = [await followEvents(ada), await followEvents(copy)];
    await ada.post("/account/verify", { password: ada.password });
    expect(await Promise.all([ofAda.ended, ofCopy.ended])).toEqual([true, true]);
    expect([ofAda.kinds(), ofCopy.kinds()]).toEqual([["account.changed"], ["account.changed"]]);
    const again = await followEvents(ada);
    // While the old token is still answered, it opens one that ends at the next check.
    const late = await followEvents(copy);
    app.services.live.recheck(await userIdOf(ada));
    expect(await late.ended).toBe(true);
    await makeCard(ada);
    await again.waitFor("card.saved");
  });

  test("of another browser ends when the password changes, and that of the one that changed it connects again", async () => {
    const { ada, visitor } = await createSignedInApp();
    const phone = visitor();
    await logIn(phone, ada);
    const [here, there] = [await followEvents(ada), await followEvents(phone)];
    const words = { current: ada.password, password: "another long word", confirm: "another long word" };
    await ada.post("/account", { intent: "change-password", ...words });
    expect(await Promise.all([here.ended, there.ended])).toEqual([true, true]);
    expect([here.kinds(), there.kinds()]).toEqual([["account.changed"], ["account.changed", "signed-out"]]);
    const again = await followEvents(ada, { "last-event-id": here.lastEventId() });
    await makeCard(ada);
    await again.waitFor("card.saved");
  });

  test("ends when an operator blocks the account", async () => {
    const { admin, signedIn } = await createOperatedApp();
    const ada = await signedIn("ada@example.com");
    const stream = await followEvents(ada);
    await admin.post(`/admin/users/${await userIdOf(ada)}`, { intent: "block", reason: "Spam" });
    expect(await stream.ended).toBe(true);
  });

  test("that isn't read is cut off before it takes much memory, and no other", async () => {
    const { ada, services } = await createSignedInApp();
    const adaId = await userIdOf(ada);
    const { port } = await listen(services);
    const slow = await openRawConnection(port);
    const { authorization } = bearerOf(ada);
    await slow.send(`GET /events HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n\r\n`);
    await expect.poll(slow.status).toBe(200);
    slow.pause();
    const stream = await followEvents(ada);
    const size = 50_000;
    const data = { cardId: "x".repeat(size) };
    for (let sent = 0; sent < 1_000; sent++) {
      services.live.publish(adaId, { kind: "card.saved", data });
      await nextTurn();
    }
    const countSaves = () => stream.kinds().filter((kind) => kind === "card.saved").length;
    await expect.poll(countSaves).toBe(1_000);
    slow.resume();
    await slow.ended;
    expect(slow.answer().length).toBeLessThan(500 * size);
  });

  test("ends at once when the program stops, which accepts no other", async () => {
    const { ada, services } = await createSignedInApp();
    const stream = await followEvents(ada);
    services.live.close();
    expect(await stream.ended).toBe(true);
    expect((await ada.get("/events")).status).toBe(503);
  });
});

describe("with Last-Event-ID", () => {
  test("a connection first gets what it has missed, in order", async () => {
    let ahead = 0;
    const { ada } = await createSignedInApp({ clock: () => Date.now() + ahead });
    const cardId = await makeCard(ada);
    // With PostgreSQL, the events of the half minute before come again.
    ahead = 60_000;
    const first = await followEvents(ada);
    await ada.post("/profile", profileForm({ version: "1", bio: "Seen" }));
    const seen = await first.waitFor("profile.saved");
    await first.cancel();
    await ada.post(`/cards/${cardId}/pause`, {});
    await ada.post(`/cards/${cardId}/delete`, {});
    const second = await followEvents(ada, { "last-event-id": seen?.lastEventId ?? "" });
    expect(second.kinds()).toEqual(["card.saved", "card.deleted"]);
  });

  test("that this program doesn't know, it receives the request to load everything again", async () => {
    const { ada } = await createSignedInApp();
    for (const id of ["1", "", "nonsense", "9".repeat(400), "99999999999999", "1800000000000-\u00e9"])
      expect((await followEvents(ada, { "last-event-id": id })).kinds(), id).toEqual(["reload"]);
  });
});

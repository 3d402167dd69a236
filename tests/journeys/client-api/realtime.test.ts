import { describe, expect, test } from "vitest";

import { clientKey } from "#app/services/client-api/client-route.server.ts";
import { refusalText } from "#app/services/events/live/live-connections.server.ts";
import { messages } from "#app/features/client-api/realtime/messages.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { listen } from "#tests/support/app/listening-app.ts";
import { profileForm } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { readStream } from "#tests/support/browser/event-stream.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

import { follow, openRealtimeApp, viewerOf, watch } from "./realtime-client.ts";

const error = (text: string) => `CHANNEL_ERROR: ${text}`;
const origin = { headers: new Headers(), address: "127.0.0.1" };
const cardForm = { card_name: "Work", is_public: "on", version: "1" };

test.each(["1.0.0", "2.0.0"])(
  "an app gets the changes of its user's rows, and no one else's: protocol %s",
  async (vsn) => {
    const { ada, bob, adaId, connect } = await openRealtimeApp();
    const { client } = await connect({ vsn });
    const { channel, statuses, changes } = follow(client);
    await expect.poll(() => statuses).toEqual(["SUBSCRIBED"]);

    await makeCard(bob);
    const cardId = await makeCard(ada);
    await bob.post("/profile", profileForm({ version: "1", bio: "Bob" }));
    await ada.post(`/cards/edit/${cardId}`, { ...cardForm, company: "Engines" });
    await expect.poll(() => changes.length).toBe(2);
    await ada.post("/profile", profileForm({ version: "1", bio: "Mathematician" }));
    await ada.post(`/cards/${cardId}/delete`, {});
    await expect.poll(() => changes.length).toBe(4);

    const common = { schema: "public", errors: null };
    const card = { table: "business_cards", ...common };
    expect(changes).toMatchObject([
      { ...card, eventType: "INSERT", new: { id: cardId, user_id: adaId, pass_use_default_logo: true }, old: {} },
      { ...card, eventType: "UPDATE", new: { id: cardId, company: "Engines", email: null }, old: { id: cardId } },
      {
        ...common,
        table: "profiles",
        eventType: "UPDATE",
        new: { user_id: adaId, bio: "Mathematician", handle: null },
      },
      { ...card, eventType: "DELETE", new: {}, old: { id: cardId } },
    ]);
    expect(statuses).toEqual(["SUBSCRIBED"]);
    expect(await client.removeChannel(channel)).toBe("ok");
  },
);

test("a channel gets only the rows and columns that it requests, until it leaves", async () => {
  const { ada, adaId, connect } = await openRealtimeApp();
  const { client } = await connect();
  const [first, second] = [await makeCard(ada), "no-such-card"];
  const all = follow(client, {}, "all");
  const own = follow(client, { table: "profiles", filter: `user_id=eq.${adaId}`, select: ["bio"] }, "own");
  const one = follow(client, { table: "business_cards", filter: `id=eq.${first}` }, "one");
  const none = follow(client, { filter: `id=eq.${second}` }, "none");
  const others = follow(client, { filter: "user_id=eq.someone" }, "others");
  for (const { statuses } of [all, own, one, none, others]) await expect.poll(() => statuses).toEqual(["SUBSCRIBED"]);

  await ada.post("/profile", profileForm({ version: "1", bio: "Mathematician" }));
  await ada.post(`/cards/edit/${first}`, cardForm);
  await expect.poll(() => all.changes.length).toBe(2);
  expect(await client.removeChannel(one.channel)).toBe("ok");
  await ada.post(`/cards/${first}/delete`, {});
  await expect.poll(() => all.changes.length).toBe(3);
  expect(own.changes).toMatchObject([{ new: { bio: "Mathematician" } }]);
  expect(Object.keys(own.changes[0]?.["new"] ?? {})).toEqual(["bio"]);
  expect(one.changes).toMatchObject([{ eventType: "UPDATE", new: { card_name: "Work" } }]);
  expect([...none.changes, ...others.changes]).toEqual([]);
});

describe("a channel is refused, and the app receives the reason:", () => {
  test.each([
    [{ table: "users" }, messages.unknownTable],
    [{ schema: "auth" }, messages.unknownTable],
    [{ filter: "bio=eq.x" }, messages.unknownFilter],
    [{ filter: "user_id=neq.x" }, messages.unknownFilter],
  ])("%o", async (filter, reason) => {
    const { connect } = await openRealtimeApp();
    const { client } = await connect();
    const { statuses } = follow(client, filter);
    await expect.poll(() => statuses[0]).toBe(error(reason));
  });

  test("for broadcast and presence", async () => {
    const { connect } = await openRealtimeApp();
    const { client } = await connect();
    const statuses: string[] = [];
    watch(
      client.channel("room").on("broadcast", { event: "move" }, () => undefined),
      statuses,
    );
    await expect.poll(() => statuses[0]).toBe(error(messages.onlyChanges));
    const present: string[] = [];
    const channel = client.channel("presence").on("presence", { event: "sync" }, () => undefined);
    watch(
      channel.on("postgres_changes", { event: "*", schema: "public" }, () => undefined),
      present,
    );
    await expect.poll(() => present[0]).toBe(error(messages.onlyChanges));
    const request = client.channel("room").httpSend("move", { x: 1 });
    await expect(request).rejects.toThrow(messages.onlyChanges);
  });

  test("for a message on a channel that has joined", async () => {
    const { connect } = await openRealtimeApp();
    const { client } = await connect();
    const statuses: string[] = [];
    const channel = client.channel("changes", { config: { broadcast: { ack: true } } });
    watch(
      channel.on("postgres_changes", { event: "*", schema: "public" }, () => undefined),
      statuses,
    );
    await expect.poll(() => statuses).toEqual(["SUBSCRIBED"]);
    expect(await channel.send({ type: "broadcast", event: "move", payload: { x: 1 } })).toBe("error");
    expect(await channel.track({ name: "Ada" })).toBe("error");
  });

  test("without a token of a session that runs and whose second factor was checked", async () => {
    const { adaId, services, signIn, connect } = await openRealtimeApp();
    const { accessToken } = await signIn();
    const viewer = await viewerOf(services, accessToken);
    await services.auth.endAppSessions({ viewer, scope: "local", origin });
    await services.db.insertInto("second_factor").values({ owner_id: adaId, enabled_at: Date.now() }).execute();
    const tokens = [
      [null, messages.noToken],
      [clientKey(services), messages.noToken],
      ["made-up", messages.token.malformed],
      [accessToken, messages.token.ended],
      [(await signIn({ isFull: false })).accessToken, messages.secondFactor],
    ] as const;
    for (const [token, reason] of tokens) {
      const { statuses } = follow((await connect({ token })).client);
      await expect.poll(() => statuses[0]).toBe(error(reason));
    }
  });
});

test("a channel goes on with a newer token, and gets the changes of another account once its user signs in to that", async () => {
  const { ada, bob, bobId, services, signIn, connect } = await openRealtimeApp();
  const tokens = await signIn();
  const { client, setToken } = await connect({ token: tokens.accessToken });
  const { statuses, changes } = follow(client);
  await expect.poll(() => statuses).toEqual(["SUBSCRIBED"]);
  const refreshed = await services.auth.refreshAppSession({ refreshToken: tokens.refreshToken, ...origin });
  if (refreshed.kind !== "refreshed") throw new Error(refreshed.kind);
  await setToken(refreshed.tokens.accessToken);
  const cardId = await makeCard(ada);
  await expect.poll(() => changes.length).toBe(1);

  await setToken((await signIn({ userId: bobId })).accessToken);
  // A heartbeat is answered after the token before it.
  const beats: string[] = [];
  client.realtime.onHeartbeat((status) => void beats.push(status));
  await client.realtime.sendHeartbeat();
  await expect.poll(() => beats).toEqual(["sent", "ok"]);
  await ada.post(`/cards/${cardId}/delete`, {});
  await makeCard(bob);
  await expect.poll(() => changes.length).toBe(2);
  expect(changes[1]).toMatchObject({ eventType: "INSERT", new: { user_id: bobId } });
  expect(statuses).toEqual(["SUBSCRIBED"]);
});

describe("a channel ends, and says why,", () => {
  test("when its session ends", async () => {
    const { services, signIn, connect } = await openRealtimeApp();
    const { accessToken } = await signIn();
    const { client } = await connect({ token: accessToken });
    const other = follow((await connect()).client);
    const { statuses } = follow(client);
    for (const list of [statuses, other.statuses]) await expect.poll(() => list).toEqual(["SUBSCRIBED"]);
    await services.auth.endAppSessions({ viewer: await viewerOf(services, accessToken), scope: "local", origin });
    const reason = messages.token.ended;
    await expect
      .poll(() => statuses.slice(0, 3))
      .toEqual(["SUBSCRIBED", error(`socket closed: 1008 (${reason})`), error(reason)]);
    expect(other.statuses).toEqual(["SUBSCRIBED"]);
  });

  test("when the app signs out and sends no token any more", async () => {
    const { connect } = await openRealtimeApp();
    const { client, setToken } = await connect();
    const { statuses } = follow(client);
    await expect.poll(() => statuses).toEqual(["SUBSCRIBED"]);
    await setToken(null);
    await expect.poll(() => statuses[1]).toBe(error(`socket closed: 1008 (${messages.noToken})`));
  });
});

test("an account has at most 20 connections, together with those to /events", async () => {
  const { ada, connect } = await openRealtimeApp();
  for (let n = 0; n < 19; n++) cleanUpAfterTest(readStream(await ada.get("/events")).cancel);
  const [last, next] = [follow((await connect()).client), follow((await connect()).client)];
  await expect
    .poll(() => new Set([...last.statuses, ...next.statuses]))
    .toEqual(new Set(["SUBSCRIBED", error(refusalText("account"))]));
});

test("requests without a WebSocket, and those without the key or to a server without an API for apps, get a response", async () => {
  const { services, send, logLines } = await openRealtimeApp();
  const path = `/realtime/v1/websocket?apikey=${clientKey(services)}`;
  const upgrade = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
  const key = { "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" };
  const statuses = async (...requests: Parameters<typeof send>[]) =>
    Promise.all(requests.map(async (request) => (await send(...request)).status));
  expect(await statuses([path], ["/realtime/v1/websocket", { ...upgrade, ...key }], ["/healthz", upgrade])).toEqual([
    426, 401, 200,
  ]);
  expect(JSON.stringify(logLines)).not.toContain(clientKey(services));
  const off = await createTestApp({ env: { DATA_API: "off" } });
  const closed = await listen(off.services);
  const closedPath = `/realtime/v1/websocket?apikey=${clientKey(off.services)}`;
  expect((await closed.send(closedPath, { ...upgrade, ...key })).status).toBe(404);
});

test("messages that aren't of the protocol close the connection; unknown ones are refused", async () => {
  const { openSocket } = await openRealtimeApp();
  for (const text of ["", "{", "null", "[]", '{"topic":1}', '["1","2","t"]', Buffer.from([9, 1, 1])]) {
    const socket = await openSocket();
    socket.send(text);
    expect(await socket.closed).toEqual({ code: 1008, reason: messages.malformed });
  }
  const socket = await openSocket();
  const frames = [
    ["1", "1", "t", "phx_join", null],
    ["1", "2", "t", "phx_join", { config: { postgres_changes: [{ event: "TRUNCATE" }] } }],
    ["1", "3", "t", "made_up", {}],
    [null, "4", "phoenix", "heartbeat", {}],
  ];
  for (const frame of frames) socket.send(JSON.stringify(frame));
  const refuse = (ref: string, reason: string) => [
    "1",
    ref,
    "t",
    "phx_reply",
    { status: "error", response: { reason } },
  ];
  await expect
    .poll(() => socket.messages)
    .toEqual([
      refuse("1", messages.invalidJoin),
      refuse("2", messages.unknownEvent),
      refuse("3", messages.notJoined),
      [null, "4", "phoenix", "phx_reply", { status: "ok", response: {} }],
    ]);
});

test("a connection has 300 subscriptions with 30 columns each, which is more than any app needs and little memory", async () => {
  const { openSocket, signIn } = await openRealtimeApp();
  const { accessToken: access_token } = await signIn();
  const socket = await openSocket();
  const join = (topic: string, count: number, columns: number) => {
    const one = { event: "*", select: Array.from({ length: columns }, () => "id") };
    const config = { postgres_changes: Array.from({ length: count }, () => one) };
    socket.send(JSON.stringify(["1", topic, topic, "phx_join", { access_token, config }]));
  };
  join("wide", 1, 31);
  for (const topic of ["a", "b", "c", "c", "d"]) join(topic, 100, 1);
  const replies = () =>
    socket.messages
      .filter((message) => JSON.stringify(message).includes("phx_reply"))
      .map((message) => /"reason":"([^"]+)"/.exec(JSON.stringify(message))?.[1] ?? "ok");
  await expect.poll(replies).toEqual([messages.invalidJoin, "ok", "ok", "ok", "ok", messages.tooManySubscriptions]);
});

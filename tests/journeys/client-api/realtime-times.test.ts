import { expect, test, vi } from "vitest";

import { messages } from "#app/features/client-api/realtime/messages.ts";
import { openConnection } from "#app/features/client-api/realtime/realtime-connection.server.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

import { openRealtimeApp } from "./realtime-client.ts";

const subscription = { event: "*", schema: "public", table: "profiles" };
const config = { postgres_changes: [subscription] };

/** Connections whose time is the test's. */
async function openConnections() {
  const { services, signIn } = await openRealtimeApp();
  const tokens = [(await signIn()).accessToken, (await signIn()).accessToken] as const;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  cleanUpAfterTest(() => vi.useRealTimers());
  const open = () => {
    const sent: string[] = [];
    const ended: string[] = [];
    const socket = {
      send: (text: string) => sent.push(text),
      close: (_: number, reason: string) => ended.push(reason),
    };
    const request = { url: new URL("ws://localhost/realtime/v1/websocket?vsn=2.0.0"), address: "127.0.0.1" };
    const { receive } = openConnection(services, socket, request);
    const say = (topic: string, event: string, payload: object = {}) =>
      receive(JSON.stringify(["1", "1", topic, event, payload]));
    const beat = () => say("phoenix", "heartbeat");
    const join = async (token: string, topic = "t") => {
      const before = sent.length;
      say(topic, "phx_join", { config, access_token: token });
      await expect.poll(() => sent.length).toBeGreaterThan(before);
    };
    return { sent, ended, say, beat, join };
  };
  return { tokens, open };
}

test("a connection is closed after 60 seconds without a heartbeat, and without a token also with heartbeats", async () => {
  const { tokens, open } = await openConnections();
  const [silent, beating, anonymous] = [open(), open(), open()];
  for (const { join } of [silent, beating]) await join(tokens[0]);
  vi.advanceTimersByTime(50_000);
  beating.beat();
  anonymous.beat();
  vi.advanceTimersByTime(10_000);
  expect([silent.ended, beating.ended, anonymous.ended]).toEqual([[messages.idle], [], [messages.idle]]);
});

test("a connection ends when its access token expires, unless a newer one was sent", async () => {
  const { tokens, open } = await openConnections();
  const [old, renewed] = [open(), open()];
  for (const { join } of [old, renewed]) await join(tokens[0]);
  const pass = (times: number) => {
    for (let n = 0; n < times; n++) {
      vi.advanceTimersByTime(50_000);
      for (const { beat } of [old, renewed]) beat();
    }
  };
  pass(10);
  expect([...old.ended, ...renewed.ended]).toEqual([]);
  const count = renewed.sent.length;
  renewed.say("t", "access_token", { access_token: tokens[1] });
  await expect.poll(() => renewed.sent.length).toBeGreaterThan(count + 9);
  pass(9);
  expect([old.ended, renewed.ended]).toEqual([[messages.token.expired], []]);
});

test("a connection has at most 100 channels, and messages that wait are limited", async () => {
  const { tokens, open } = await openConnections();
  const { join, say, beat, sent, ended } = open();
  for (let n = 0; n < 100; n++) await join(tokens[0], `t${n}`);
  await join(tokens[0], "t99");
  expect(sent.join()).not.toContain(messages.tooManyChannels);
  await join(tokens[0], "one more");
  expect(sent.at(-1)).toContain(messages.tooManyChannels);
  say("t1", "phx_leave");
  await join(tokens[0], "one more");
  expect(sent.at(-1)).toContain("Subscribed");
  for (let n = 0; n < 251; n++) beat();
  expect(ended).toEqual([messages.tooFast]);
});

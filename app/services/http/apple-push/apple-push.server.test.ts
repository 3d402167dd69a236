import { expect, test } from "vitest";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { demoCertificates, walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";
import { openPushDouble } from "#tests/support/fixtures/wallet/push-double.ts";
import { createDemoCertificates } from "#app/services/config/demo-certificates.server.ts";

import { createApplePush } from "./apple-push.server.ts";

const now = Date.UTC(2026, 10, 23);
const { certificate, key } = demoCertificates;
const { APPLE_PASS_TYPE_ID: passTypeId } = walletSettings;

async function open(signer: { certificate?: string; key?: string } = {}, limits: { requestMs?: number } = {}) {
  const double = await openPushDouble();
  const signing = { passTypeId, certificate, key, pushUrl: double.url, ...signer };
  const push = createApplePush({ signer: signing, clock: () => now, ...limits });
  cleanUpAfterTest(async () => push.close());
  return { double, push, state: double.state };
}

type PushResult = Awaited<ReturnType<ReturnType<typeof createApplePush>["send"]>>;
type Refusal = NonNullable<ReturnType<Awaited<ReturnType<typeof open>>["state"]["refuse"]>>;

const tokenOf = (n: number) => n.toString(16).padStart(64, "0");

test("sends an empty payload for the pass type, with its certificate, and reuses the connection", async () => {
  const { push, state } = await open();
  const tokens = Array.from({ length: 50 }, (_, n) => tokenOf(n));
  const results = await Promise.all(tokens.map((token) => push.send(token)));
  expect(results).toEqual(tokens.map(() => ({ kind: "accepted" })));
  expect(await push.send(tokenOf(50))).toEqual({ kind: "accepted" });
  expect(state.received.map(({ token }) => token).toSorted()).toEqual([...tokens, tokenOf(50)].toSorted());
  expect(state.received[0]).toMatchObject({ topic: passTypeId, passTypeId, body: "{}" });
  expect(Number(state.received[0]?.headers["apns-expiration"])).toBe(now / 1000 + 30 * 24 * 60 * 60);
  expect(state.connections).toBe(1);
});

const refusals: [status: number, reason: string, expected: PushResult, more?: Partial<Refusal>][] = [
  [410, "Unregistered", { kind: "gone", since: 1_790_000_000_000 }, { timestamp: 1_790_000_000_000 }],
  [410, "ExpiredToken", { kind: "gone", since: undefined }],
  [400, "BadDeviceToken", { kind: "gone", since: undefined }],
  [400, "DeviceTokenNotForTopic", { kind: "gone", since: undefined }],
  [429, "TooManyRequests", { kind: "too-many", retryAfterMs: 90_000 }, { headers: { "retry-after": "90" } }],
  [429, "TooManyRequests", { kind: "too-many", retryAfterMs: undefined }],
  [503, "Down", { kind: "unavailable", reason: "503 Down", retryAfterMs: 5_000 }, { headers: { "retry-after": "5" } }],
  [500, "", { kind: "unavailable", reason: "500", retryAfterMs: undefined }],
  [403, "BadCertificate", { kind: "refused", reason: "403 BadCertificate" }],
  [400, "TopicDisallowed", { kind: "refused", reason: "400 TopicDisallowed" }],
  [400, "BadExpirationDate", { kind: "skipped", reason: "400 BadExpirationDate" }],
  [404, "BadPath", { kind: "skipped", reason: "404 BadPath" }],
];

test.each(refusals)("reads %i %s", async (...[status, reason, expected, more]) => {
  const { push, state } = await open();
  state.refuse = () => ({ status, reason, ...more });
  expect(await push.send(tokenOf(1))).toEqual(expected);
});

test("sends what a closing connection didn't read over another one, each once", async () => {
  const { push, state } = await open();
  state.goAwayAfter = 40;
  const tokens = Array.from({ length: 100 }, (_, n) => tokenOf(n));
  const results = await Promise.all(tokens.map((token) => push.send(token)));
  expect(results.filter(({ kind }) => kind !== "accepted")).toEqual([]);
  expect(state.received.map(({ token }) => token).toSorted()).toEqual(tokens);
  expect(state.connections).toBe(3);
});

test("connects again after the server was away", async () => {
  const { push, double, state } = await open();
  expect(await push.send(tokenOf(1))).toEqual({ kind: "accepted" });
  await double.goDown();
  const reason = expect.stringContaining("ECONNREFUSED");
  expect(await push.send(tokenOf(2))).toMatchObject({ kind: "unavailable", reason });
  await double.goUp();
  expect(await push.send(tokenOf(2))).toEqual({ kind: "accepted" });
  expect([double.tokens(), state.connections]).toEqual([[tokenOf(1), tokenOf(2)], 2]);
});

test("doesn't wait forever for a response", async () => {
  const { push, state } = await open({}, { requestMs: 50 });
  state.isSilent = true;
  const reason = expect.stringContaining("in time");
  expect(await push.send(tokenOf(1))).toMatchObject({ kind: "unavailable", reason });
  state.isSilent = false;
  expect(await push.send(tokenOf(1))).toEqual({ kind: "accepted" });
});

test("can't be used with a certificate that the service doesn't know", async () => {
  const dates = { validFrom: Date.UTC(2020, 0, 1), validTo: Date.UTC(2040, 0, 1) };
  const other = createDemoCertificates({ passTypeId, teamId: "TEAM123456", password: "", ...dates });
  const { push, state } = await open(other);
  expect(await push.send(tokenOf(1))).toMatchObject({ kind: "unavailable" });
  expect(state.count).toBe(0);
});

test("writes a token into the path as it is, whatever it is", async () => {
  const { push, state } = await open();
  expect(await push.send("../../1/other?x=1")).toEqual({ kind: "gone", since: undefined });
  expect(state.count).toBe(0);
});

import { expect, onTestFinished, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { profileForm } from "#tests/support/app/profiles.ts";
import { bearerOf } from "#tests/support/app/visitor.ts";
import { readStream } from "#tests/support/browser/event-stream.ts";
import { keyOf } from "#tests/support/program/app-client.ts";
import { insertAccount } from "#tests/support/program/database.ts";
import { runProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";
import { signUpAt } from "#tests/support/program/users.ts";

async function follow({ url }: Program, headers: Record<string, string>) {
  const response = await fetch(`${url}/events`, { headers });
  expect(response.status).toBe(200);
  const stream = readStream(response);
  onTestFinished(() => stream.cancel().catch(() => undefined));
  await stream.isOpen();
  return stream;
}

/** Each account may have this many. */
const twenty = Array.from({ length: 20 }, () => undefined);

test("/events serves a thousand connections, each with the events of its own account, and again after kill -9, until the program stops", async () => {
  const program = await runProgram();
  const ada = await signUpAt(program, "ada@example.com");
  const accounts: Awaited<ReturnType<typeof insertAccount>>[] = [];
  for (let n = 0; n < 49; n++) accounts.push(await insertAccount(program, `user-${n}@example.com`));
  const others = await Promise.all(
    twenty.flatMap(() => accounts.map(({ name, value }) => follow(program, { cookie: `${name}=${value}` }))),
  );
  const own = await Promise.all(twenty.map(() => follow(program, bearerOf(ada))));
  const cardId = await makeCard(ada);
  for (const stream of own) expect((await stream.waitFor("card.saved"))?.data).toEqual({ cardId });
  expect(others.flatMap(({ events }) => events)).toEqual([]);
  expect((await fetch(`${program.url}/healthz`)).status).toBe(200);
  expect(program.errors()).toBe("");
  await program.kill("SIGKILL");
  expect(await own[0]?.ended).toBe(false);

  const again = await runProgram({ PORT: String(program.port), DATA_DIR: program.dataDir });
  const lastEventId = own[0]?.lastEventId() ?? "";
  const streams = await Promise.all(
    twenty.map(() => follow(again, { ...bearerOf(ada), "last-event-id": lastEventId })),
  );
  expect(streams[0]?.kinds()).toEqual(["reload"]);
  await ada.post("/profile", profileForm({ version: "1", bio: "After" }));
  await streams[0]?.waitFor("profile.saved");
  const socket = new WebSocket(`${again.url.replace("http", "ws")}/realtime/v1/websocket?apikey=${keyOf(again)}`);
  const closed = new Promise((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)));
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  // In order: after eight seconds the stop would cut them off.
  expect((await again.kill("SIGTERM")).code).toBe(0);
  expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual(streams.map(() => true));
  expect(await closed).toBe(1001);
  expect(again.errors()).toBe("");
});

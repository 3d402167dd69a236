import { describe, expect, onTestFinished, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { readStream } from "#tests/support/browser/event-stream.ts";
import { profileForm } from "#tests/support/app/profiles.ts";
import { bearerOf } from "#tests/support/app/visitor.ts";
import { insertAccount } from "#tests/support/program/database.ts";
import { startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";
import { signUpAt } from "#tests/support/program/users.ts";

async function start(env: Record<string, string> = {}) {
  const program = await startProgram(env);
  onTestFinished(program.remove);
  await program.isUp();
  return program;
}

async function follow({ url }: Pick<Program, "url">, headers: Record<string, string>) {
  const response = await fetch(`${url}/events`, { headers });
  expect(response.status).toBe(200);
  const stream = readStream(response);
  onTestFinished(() => stream.cancel().catch(() => undefined));
  await stream.isOpen();
  return stream;
}

describe("GET /events of the running program", () => {
  test("reaches a client that was cut off by kill -9 and connects again", async () => {
    const program = await start();
    const ada = await signUpAt(program, "ada@example.com");
    const stream = await follow(program, bearerOf(ada));
    await makeCard(ada);
    await stream.waitFor("card.saved");
    await program.kill("SIGKILL");
    expect(await stream.ended).toBe(false);
    const again = await start({ PORT: String(program.port), DATA_DIR: program.dataDir });
    const second = await follow(again, { ...bearerOf(ada), "last-event-id": stream.lastEventId() });
    expect(second.kinds()).toEqual(["reload"]);
    await ada.post("/profile", profileForm({ version: "1", bio: "After" }));
    await second.waitFor("profile.saved");
  });

  test("ends at once when the program stops", async () => {
    const program = await start();
    const ada = await signUpAt(program, "ada@example.com");
    const streams = await Promise.all(Array.from({ length: 20 }, () => follow(program, bearerOf(ada))));
    const started = performance.now();
    const { code } = await program.kill("SIGTERM");
    expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual(streams.map(() => true));
    // Otherwise the stop waits eight seconds for them.
    expect([code, performance.now() - started < 6_000]).toEqual([0, true]);
    expect(program.errors()).toBe("");
  });

  test("serves a thousand connections, each with the events of its own account", { timeout: 180_000 }, async () => {
    const program = await start();
    const ada = await signUpAt(program, "ada@example.com");
    const accounts: Awaited<ReturnType<typeof insertAccount>>[] = [];
    for (let n = 0; n < 49; n++) accounts.push(await insertAccount(program, `user-${n}@example.com`));
    const open = ({ name, value }: { name: string; value: string }) => follow(program, { cookie: `${name}=${value}` });
    // Each account may have 20.
    const twenty = Array.from({ length: 20 }, () => undefined);
    const others = await Promise.all(twenty.flatMap(() => accounts.map(open)));
    const own = await Promise.all(twenty.map(() => follow(program, bearerOf(ada))));
    const cardId = await makeCard(ada);
    for (const stream of own) expect((await stream.waitFor("card.saved"))?.data).toEqual({ cardId });
    expect(others.flatMap(({ events }) => events)).toEqual([]);
    expect((await fetch(`${program.url}/healthz`)).status).toBe(200);
    expect(program.errors()).toBe("");
  });
});

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { countEvents } from "#tests/support/program/database.ts";
import { signUpAt } from "#tests/support/program/users.ts";
import { profileForm } from "#tests/support/app/profiles.ts";
import { startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";

/** Whether strace is installed and allowed; containers often forbid it. */
const canTrace = spawnSync("strace", ["-o", "/dev/null", "-e", "trace=fsync", "true"]).status === 0;

test.skipIf(!canTrace)(
  `a save is synced to the disk before the response is sent${canTrace ? "" : " (skipped: no strace, or it may not trace)"}`,
  async () => {
    const program = await startProgram();
    const folder = mkdtempSync(join(tmpdir(), "meishi-trace-"));
    onTestFinished(program.remove);
    onTestFinished(() => rmSync(folder, { recursive: true }));
    await program.isUp();
    const ada = await signUpAt(program, "ada@example.com");
    const cardId = await makeCard(ada);
    const trace = await startTrace(program, join(folder, "trace"));
    const card = { card_name: "Card", company: "Company" };
    const saves: [string, Record<string, string>][] = [
      ["/profile", profileForm({ bio: "Bio 1", version: "1" })],
      [`/cards/edit/${cardId}`, { ...card, version: "1" }],
      [`/cards/${cardId}/details`, { position: "Position", bio: "Bio 2" }],
      ["/profile", profileForm({ bio: "Bio 3", handle: "ada-l", version: "3" })],
      [`/cards/${cardId}/delete`, {}],
      ["/cards/edit", card],
      ["/forgot-password", { email: ada.email }],
      ["/auth/sign-out", {}],
      ["/auth", { intent: "log-in", email: ada.email, password: ada.password }],
    ];
    for (const [path, form] of saves) {
      expect((await ada.post(path, form)).status, path).toBeLessThan(400);
      // Deleting delivered events doesn't wait for the disk. It isn't part of the next save.
      await expect.poll(() => countEvents(program), { interval: 100 }).toBe(0);
    }
    const answers = answersOf(await trace.end());
    expect(answers).toEqual(saves.map(() => ({ isWritten: true, isOnDisk: true })));
  },
);

/** Traces the program's system calls until `end`, which returns strace's lines. */
async function startTrace(program: Program, file: string) {
  const calls = "trace=pwrite64,write,writev,fsync,fdatasync";
  const tracer = spawn("strace", ["-f", "-y", "-s", "16", "-e", calls, "-p", String(program.pid), "-o", file]);
  const ended = once(tracer, "exit");
  // strace reports on stderr once it is attached.
  await once(tracer.stderr, "data");
  return {
    end: async () => {
      tracer.kill("SIGINT");
      await ended;
      return readFileSync(file, "utf8").split("\n");
    },
  };
}

/** For each response: whether the database was written since the previous one, and all of it was synced. */
function answersOf(lines: string[]) {
  const answers: { isWritten: boolean; isOnDisk: boolean }[] = [];
  let state = { isWritten: false, isOnDisk: false };
  for (const line of lines) {
    if (/ p?write(?:64|v)?\(\d+<[^>]*meishi\.db(?:-wal)?>/.test(line)) state = { isWritten: true, isOnDisk: false };
    else if (/ f(?:data)?sync\(\d+<[^>]*meishi\.db-wal>/.test(line)) state = { ...state, isOnDisk: true };
    else if (/ writev?\(\d+<[^>]*>, .*"HTTP\/1\.1 [23]/.test(line)) {
      answers.push(state);
      state = { isWritten: false, isOnDisk: false };
    }
  }
  return answers;
}

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { fieldValue, makeCard } from "#tests/support/app/cards.ts";
import { profileForm } from "#tests/support/app/profiles.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { openFaultyProxy } from "#tests/support/database/faulty-proxy.ts";
import { queryPostgres } from "#tests/support/program/connections.ts";
import { countEvents, withDatabase } from "#tests/support/program/database.ts";
import { runProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";
import { signUpAt, visitorOf } from "#tests/support/program/users.ts";

const tables = ["card", "profile", "handle", "attempt", "hourly_count", "session"];

test("with a broken database every response is a message with the request id of the logged error", async () => {
  const program = await runProgram();
  const ada = await signUpAt(program, "ada@example.com");
  const cardId = await makeCard(ada);
  const visitor = visitorOf(program);
  /** Renames tables under the running program, so that its queries fail. */
  const rename = (from: string, to: string) =>
    withDatabase(program.dataDir, (database) => {
      for (const table of tables) database.exec(`alter table ${table}${from} rename to ${table}${to}`);
    });
  await visitor.get("/card/demo-card");
  rename("", "_gone");
  const paths = ["/card/unknown", "/card/unknown.data", "/card/unknown/contact.vcf", "/card/unknown/qr.svg"];
  const requests: [typeof visitor, string, Record<string, string>?][] = [
    ...[...paths, "/u/unknown", "/u/unknown.data"].map((path): [typeof visitor, string] => [visitor, path]),
    [visitor, "/auth", { intent: "log-in", email: "ada@example.com", password: "tea with Charles" }],
    [visitor, "/auth?tab=signup", { intent: "sign-up", email: "eda@example.com", password: "tea with Charles" }],
    [visitor, "/forgot-password", { email: "ada@example.com" }],
    [ada, "/profile"],
    [ada, "/profile", profileForm()],
    [ada, `/cards/edit/${cardId}`],
    [ada, `/cards/${cardId}/delete`, {}],
    [ada, "/pricing"],
  ];
  const ids = new Map<string, string>();
  for (const [person, path, form] of requests) {
    const response = await (form ? person.post(path, form) : person.get(path));
    const page = await response.text();
    const id = response.headers.get("x-request-id") ?? "";
    expect([path, response.status]).toEqual([path, 500]);
    expect(page, path).not.toMatch(/no such table|sqlite|select |insert |\n\s+at |node_modules|\.server\.ts|main\.js/i);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    if (form?.["email"]) expect(fieldValue(page, "email")).toBe(form["email"]);
    if (path === "/card/unknown") expect(page).toContain(id);
    ids.set(id, path);
  }
  const click = JSON.stringify({ subject: "card:demo-card", target: "linkedin" });
  const clicked = await visitor.request("/count", { method: "POST", headers: { origin: program.url }, body: click });
  expect([clicked.status, await clicked.text()]).toEqual([500, expect.not.stringContaining("table")]);
  // Cached pages are still served, and the program runs on.
  expect((await visitor.get("/card/demo-card")).status).toBe(200);
  expect((await visitor.get("/healthz")).status).toBe(200);
  rename("_gone", "");

  for (const path of ["/profile", `/cards/edit/${cardId}`, `/card/${cardId}`, `/u/${ada.id}`])
    expect((await ada.get(path)).status, path).toBe(200);
  await expect.poll(() => program.output()).toContain([...ids.keys()].at(-1));
  const lines = program.output().split("\n");
  const reasons = lines.filter((line) => line.includes('"level":50') && line.includes('"err"'));
  const missing = [...ids].filter(([id]) => !reasons.some((line) => line.includes(`"id":"${id}"`)));
  expect(missing).toEqual([]);
  expect(program.errors()).toBe("");
});

// One test, because a program of its own for each part would take longer than the parts.
test.runIf(listEngines().includes("postgres"))(
  "lost connections to PostgreSQL go unnoticed in reads; a lost COMMIT answers 503, keeps what was typed and can be sent again",
  async () => {
    const { databaseUrl = "" } = await makeDatabase("postgres", { migrated: false });
    const proxy = await openFaultyProxy(databaseUrl);
    const program = await runProgram({ DATABASE_URL: proxy.url });
    const ada = await signUpAt(program, "ada@example.com");
    for (const path of ["/profile", "/cards/edit", `/u/${ada.id}`]) {
      proxy.breakOpenConnections();
      expect((await ada.get(path)).status, path).toBe(200);
    }

    proxy.breakAt({ pattern: /update "profile"[^]*commit/, isForwarded: true });
    const form = profileForm({ bio: "Typed on a train" });
    const response = await ada.post("/profile", form);
    const page = await response.text();
    expect(response.status).toBe(503);
    expect(page).toContain("Your changes may or may not have been saved.");
    expect(page).toContain("Typed on a train");
    expect((await ada.post("/profile", form)).status).toBe(302);
    expect(await (await ada.get(`/u/${ada.id}`)).text()).toContain("Typed on a train");

    for (const [path, isForwarded] of [
      ["/profile", false],
      ["/profile.data", true],
    ] as const) {
      await queryPostgres(databaseUrl, "delete from profile where owner_id <> 'demo-user'");
      proxy.breakAt({ pattern: /insert into "profile"[^]*commit/, isForwarded });
      const first = await ada.get(path);
      expect(first.status, path).toBe(503);
      expect(await first.text()).toMatch(/^Your change may or may not have been saved\. .*reload/);
      expect((await ada.get(path)).status, path).toBe(200);
    }
  },
);

/** Whether strace is installed and allowed; containers often forbid it. */
const canTrace = spawnSync("strace", ["-o", "/dev/null", "-e", "trace=fsync", "true"]).status === 0;

test.skipIf(!canTrace)(
  `a save is synced to the disk before the response is sent${canTrace ? "" : " (skipped: no strace, or it may not trace)"}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "meishi-trace-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const program = await runProgram();
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

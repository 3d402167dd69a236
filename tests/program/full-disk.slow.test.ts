import { mkdtempSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { tmpdir } from "node:os";

import { describe, expect, onTestFinished, test } from "vitest";

import { makeCard, fieldValue } from "#tests/support/app/cards.ts";
import { waitForMail, signUpAt, visitorOf } from "#tests/support/program/users.ts";
import type { ProgramUser } from "#tests/support/program/users.ts";
import { profileForm } from "#tests/support/app/profiles.ts";
import { withDatabase } from "#tests/support/program/database.ts";
import { startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";
import { canMount, mountSmallDisk } from "#tests/support/program/small-disk.ts";

const reason = canMount ? "" : " (skipped: no disk can be mounted here, only root may)";

async function openOn(megabytes: number) {
  const disk = mountSmallDisk(megabytes);
  onTestFinished(disk.remove);
  // The log is on the same disk, as on many servers.
  const start = () => startProgram({ DATA_DIR: join(disk.folder, "data") }, { logFile: join(disk.folder, "log") });
  const program = await start();
  onTestFinished(program.remove);
  await program.isUp();
  return { disk, program, start };
}

describe.skipIf(!canMount)(`with a full disk${reason}`, () => {
  test("a save reports it and keeps the input, pages are served, nothing is lost, and saves work again once there is space", async () => {
    const { disk, program, start } = await openOn(24);
    const [ada, eda] = await Promise.all([signUpAt(program, "ada@example.com"), signUpAt(program, "eda@example.com")]);
    const cardId = await makeCard(ada);
    makeSessionOld(program, eda);
    disk.fill();

    const last = await saveUntilFull(ada);
    expect(last.refused.status).toBe(503);
    const page = await last.refused.text();
    expect(page).toContain("The server is out of disk space.");
    expect(page).toContain(last.typed);
    const long = {
      card_name: "Card",
      company: "Typed for an hour",
      "links.0.name": "A",
      "links.0.url": `https://a.example/${"x".repeat(2_000)}`,
    };
    for (let version = 1; version < 500; version++) {
      const answer = await ada.post(`/cards/edit/${cardId}`, {
        ...long,
        position: `${version}`,
        version: `${version}`,
      });
      if (answer.status === 302) continue;
      expect(answer.status).toBe(503);
      const editor = await answer.text();
      expect(editor).toContain("the server is out of disk space");
      expect(fieldValue(editor, "company")).toBe("Typed for an hour");
      break;
    }
    await expectAccountFormsToReportIt(program, ada);

    const visits = 30;
    await expectReadable(program, { ada, eda, cardId, visits });

    disk.free();
    expect((await save(ada, last.version, "With room again")).status).toBe(302);
    expect((await signUpAt(program, "ida@example.com")).id).toMatch(/^[\da-f-]{36}$/);
    // Counted while the disk was full, written once there is space.
    await expect
      .poll(() => rows(program, "select sum(n) as n from hourly_count where source = 'qr'")[0]?.["n"])
      .toBe(visits);
    expect((await program.kill("SIGTERM")).code).toBe(0);
    const next = await start();
    onTestFinished(next.remove);
    expect(await next.isUp()).toBe(true);
    for (const line of readFileSync(join(disk.folder, "log"), "utf8").trimEnd().split("\n")) JSON.parse(line);
    expect(rows(next, "pragma integrity_check")).toEqual([{ integrity_check: "ok" }]);
    expect(rows(next, "select bio from profile where display_name = 'Ada Lovelace'")).toEqual([
      { bio: "With room again" },
    ]);
  });

  test("the program stops on SIGTERM, and its log has no partial lines", async () => {
    const { disk, program } = await openOn(16);
    disk.fill();
    const visitor = visitorOf(program);
    for (let n = 0; n < 100; n++) await visitor.get(`/nowhere/${n}`);
    expect((await program.kill("SIGTERM")).code).toBe(0);
    const lines = readFileSync(join(disk.folder, "log"), "utf8").trimEnd().split("\n");
    for (const line of lines.slice(0, -1)) expect(JSON.parse(line)).toHaveProperty("level");
    expect(program.errors()).toBe("");
  });

  test("a mail that can't be stored waits until there is space", async () => {
    const disk = mountSmallDisk(1);
    onTestFinished(disk.remove);
    const dataDir = mkdtempSync(join(tmpdir(), "meishi-program-"));
    symlinkSync(disk.folder, join(dataDir, "mail"));
    disk.fill();
    const program = await startProgram({ DATA_DIR: dataDir });
    onTestFinished(program.remove);
    await program.isUp();
    const form = { intent: "sign-up", email: "ada@example.com", password: "one long word" };
    expect((await visitorOf(program).post("/auth?tab=signup", form)).status).toBe(200);
    await expect.poll(() => program.output()).toContain("a job failed and will be retried");
    disk.free();
    await expect.poll(() => waitForMail(program, form.email)).toContain("/auth/confirm");
  });
});

const bioOf = (version: number) => `Bio ${version} ${"x".repeat(100)}`;

function save(person: ProgramUser, version: number, bio = bioOf(version)) {
  const links = Array.from({ length: 8 }, (_, n) => ({
    label: `Link ${n}`,
    url: `https://a.example/${n}/${"x".repeat(1_900)}`,
  }));
  return person.post("/profile", profileForm({ version: String(version), bio }, links));
}

/** The write-ahead log has some space left; saves acknowledged until then are durable. */
async function saveUntilFull(person: ProgramUser) {
  for (let version = 1; version < 1_000; version++) {
    const answer = await save(person, version);
    if (answer.status !== 302) return { version, refused: answer, typed: bioOf(version) };
  }
  throw new Error("The disk never filled up");
}

async function expectAccountFormsToReportIt(program: Program, ada: ProgramUser) {
  for (const [path, form] of [
    ["/auth?tab=signup", { intent: "sign-up", email: "new@example.com", password: "one long word" }],
    ["/auth", { intent: "log-in", email: ada.email, password: ada.password }],
    ["/forgot-password", { email: ada.email }],
  ] as const) {
    const answer = await visitorOf(program).post(path, form);
    const page = await answer.text();
    expect([path, answer.status]).toEqual([path, 503]);
    expect(page).toContain("The server is out of disk space");
    expect(fieldValue(page, "email")).toBe(form.email);
  }
}

async function expectReadable(
  program: Program,
  { ada, eda, cardId, visits }: { ada: ProgramUser; eda: ProgramUser; cardId: string; visits: number },
) {
  const visitor = visitorOf(program);
  for (let n = 0; n < visits; n++) expect((await visitor.get(`/card/${cardId}?q`)).status).toBe(200);
  const pages = [`/u/${ada.id}`, `/u/${ada.id}/qr.svg`, `/card/${cardId}/contact.vcf`, `/card/${cardId}/qr.png`];
  for (const path of [...pages, "/", "/pricing", "/auth", "/healthz"])
    expect((await visitor.get(path)).status, path).toBe(200);
  for (const path of ["/profile", `/cards/edit/${cardId}`, `/cards/${cardId}/details`, `/u/${ada.id}`])
    expect((await ada.get(path)).status, path).toBe(200);
  // A request extends a session older than a day. With a full disk it stays as it is.
  for (const path of ["/profile", `/u/${eda.id}`, "/pricing"]) expect((await eda.get(path)).status, path).toBe(200);
}

function makeSessionOld(program: Program, { id }: ProgramUser) {
  const inFiveDays = new Date(Date.now() + 5 * 86_400_000).toISOString();
  const statement = "update session set expiresAt = ? where userId = ?";
  const { changes } = withDatabase(program.dataDir, (database) => database.prepare(statement).run(inFiveDays, id));
  expect(changes).toBe(1);
}

const rows = ({ dataDir }: Program, statement: string) =>
  withDatabase(dataDir, (database) => database.prepare(statement).all());

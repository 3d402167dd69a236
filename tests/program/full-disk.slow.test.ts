import { mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { describe, expect, onTestFinished, test } from "vitest";

import { minFormAgeMs } from "#app/features/leads/spam-rules.ts";
import { fieldValue, makeCard } from "#tests/support/app/cards.ts";
import { profileForm } from "#tests/support/app/profiles.ts";
import { jpeg, pdf, uploadFile } from "#tests/support/app/uploads.ts";
import { rowsOf, withDatabase } from "#tests/support/program/database.ts";
import { runProgram, startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";
import { canMount, mountSmallDisk } from "#tests/support/program/small-disk.ts";
import { signUpAt, visitorOf, waitForMail } from "#tests/support/program/users.ts";
import type { ProgramUser } from "#tests/support/program/users.ts";

const reason = canMount ? "" : " (skipped: no disk can be mounted here, only root may)";
const outOfSpace = "The server is out of disk space";

type Form = Record<string, string>;

describe.skipIf(!canMount)(`with a full disk${reason}`, () => {
  test("saves, uploads and visitors' forms report it and keep the input, pages are served, nothing is lost, and all works again once there is space", async () => {
    const disk = mountSmallDisk(24);
    onTestFinished(disk.remove);
    // The log is on the same disk, as on many servers.
    const start = () => startProgram({ DATA_DIR: join(disk.folder, "data") }, { logFile: join(disk.folder, "log") });
    const program = await start();
    onTestFinished(program.remove);
    await program.isUp();
    const [ada, eda] = await Promise.all([signUpAt(program, "ada@example.com"), signUpAt(program, "eda@example.com")]);
    const cardId = await makeCard(ada);
    const grace = visitorOf(program);
    const leads = await prepareLeads(eda, grace);
    makeSessionOld(program, eda);
    const files = () => readdirSync(join(program.dataDir, "files"), { recursive: true }).toSorted();
    const large = Buffer.concat([Buffer.alloc(4_000_000, "%PDF-1.4\n"), pdf()]);
    const upload = (slot: string, bytes: Uint8Array) => {
      const origin = { origin: program.url };
      return uploadFile({ request: (path, init) => ada.request(path, { ...init, headers: origin }) }, slot, { bytes });
    };
    expect((await upload("avatar", await jpeg())).status).toBe(200);
    const stored = files();
    disk.fill();

    const profile = await postUntilFull((n) => saveProfile(ada, n));
    expect(profile.page).toContain(`${outOfSpace}.`);
    expect(profile.page).toContain(bioOf(profile.count));
    const url = `https://a.example/${"x".repeat(2_000)}`;
    const long = { card_name: "Card", company: "Typed for an hour", "links.0.name": "A", "links.0.url": url };
    const card = await postUntilFull((n) =>
      ada.post(`/cards/edit/${cardId}`, { ...long, position: String(n), version: String(n) }),
    );
    expect(card.page).toContain("the server is out of disk space");
    expect(fieldValue(card.page, "company")).toBe("Typed for an hour");
    const lead = await postUntilFull((n) => grace.post(leads.path, leads.forms[n] ?? {}));
    const refused = leads.forms[lead.count] ?? {};
    expect(lead.page).toContain(`${outOfSpace}. Your details are still here.`);
    expect(lead.page).toContain(refused["note"]);
    expect(fieldValue(lead.page, "email")).toBe(refused["email"]);
    const message = `${outOfSpace}. Nothing was changed. Try again later.`;
    for (let times = 0; times < 3; times++) expect(await upload("resume", large)).toEqual({ status: 503, message });
    expect(files()).toEqual(stored);
    await expectAccountFormsToReportIt(program, ada);
    const states = { readyz: [503, "failing"], status: [200, "failing"] };
    await expect.poll(() => readStorageState(program)).toEqual(states);
    const visits = 30;
    await expectReadable(program, { ada, eda, cardId, visits });

    disk.free();
    // 24 MB is little.
    const restored = { readyz: [200, "low"], status: [200, "low"] };
    await expect.poll(() => readStorageState(program)).toEqual(restored);
    expect((await saveProfile(ada, profile.count, "With room again")).status).toBe(302);
    expect((await signUpAt(program, "ida@example.com")).id).toMatch(/^[\da-f-]{36}$/);
    for (let times = 0; times < 2; times++) expect((await grace.post(leads.path, refused)).status).toBe(303);
    const sent = leads.forms.slice(1, lead.count + 1).map(({ email }) => email);
    expect(rowsOf(program, "select email from lead").map(({ email }) => email)).toEqual(expect.arrayContaining(sent));
    expect(rowsOf(program, "select email from lead")).toHaveLength(sent.length);
    expect((await upload("resume", large)).status).toBe(200);
    expect((await upload("avatar", await jpeg())).status).toBe(200);
    // Counted while the disk was full, written once there is space.
    const counted = () =>
      rowsOf(program, "select sum(n) as n from hourly_count where kind = 'visit' and source = 'qr'");
    await expect.poll(counted).toEqual([{ n: visits }]);
    expect((await program.kill("SIGTERM")).code).toBe(0);
    expect(program.errors()).toBe("");
    const next = await start();
    onTestFinished(next.remove);
    expect(await next.isUp()).toBe(true);
    for (const line of readFileSync(join(disk.folder, "log"), "utf8").trimEnd().split("\n")) JSON.parse(line);
    expect(rowsOf(next, "pragma integrity_check")).toEqual([{ integrity_check: "ok" }]);
    const bio = rowsOf(next, "select bio from profile where display_name = 'Ada Lovelace'");
    expect(bio).toEqual([{ bio: "With room again" }]);
  });

  test("the program stops on SIGTERM, and its log has no partial lines", async () => {
    const disk = mountSmallDisk(16);
    onTestFinished(disk.remove);
    const logFile = join(disk.folder, "log");
    const program = await runProgram({ DATA_DIR: join(disk.folder, "data") }, { logFile });
    disk.fill();
    const visitor = visitorOf(program);
    for (let n = 0; n < 100; n++) await visitor.get(`/nowhere/${n}`);
    expect((await program.kill("SIGTERM")).code).toBe(0);
    const lines = readFileSync(logFile, "utf8").trimEnd().split("\n");
    for (const line of lines.slice(0, -1)) expect(JSON.parse(line)).toHaveProperty("level");
    expect(program.errors()).toBe("");
  });

  test("a mail that can't be stored waits until there is space", async () => {
    const disk = mountSmallDisk(1);
    onTestFinished(disk.remove);
    const dataDir = mkdtempSync(join(tmpdir(), "meishi-program-"));
    symlinkSync(disk.folder, join(dataDir, "mail"));
    disk.fill();
    const program = await runProgram({ DATA_DIR: dataDir });
    const form = { intent: "sign-up", email: "ada@example.com", password: "one long word" };
    expect((await visitorOf(program).post("/auth?tab=signup", form)).status).toBe(200);
    await expect.poll(() => program.output()).toContain("a job failed and will be retried");
    disk.free();
    expect(await waitForMail(program, form.email)).toContain("/auth/confirm");
  });
});

/** The status of each response, and the state of the storage that it names. */
async function readStorageState({ url }: Program) {
  const [readyz, status] = await Promise.all([fetch(`${url}/readyz`), fetch(`${url}/status.json`)]);
  const { files } = (await readyz.json()) as { files: string };
  const { checks } = (await status.json()) as { checks: { name: string; state: string }[] };
  const shown = checks.find(({ name }) => name === "files")?.state;
  return { readyz: [readyz.status, files], status: [status.status, shown] };
}

const bioOf = (version: number) => `Bio ${version} ${"x".repeat(100)}`;

function saveProfile(person: ProgramUser, version: number, bio = bioOf(version)) {
  const url = (n: number) => `https://a.example/${n}/${"x".repeat(1_900)}`;
  const links = Array.from({ length: 8 }, (_, n) => ({ label: `Link ${n}`, url: url(n) }));
  return person.post("/profile", profileForm({ version: String(version), bio }, links));
}

/** The write-ahead log has some space left; what is acknowledged until then is durable. Counts from 1. */
async function postUntilFull(post: (count: number) => Promise<Response>) {
  for (let count = 1; count < 1_000; count++) {
    const response = await post(count);
    if (response.status === 302 || response.status === 303) continue;
    expect(response.status).toBe(503);
    return { count, page: await response.text() };
  }
  throw new Error("The disk never filled up");
}

/** Forms of a visitor who connects with a card, old enough to be sent. */
async function prepareLeads(owner: ProgramUser, grace: ReturnType<typeof visitorOf>) {
  const cardId = await makeCard(owner);
  await owner.post(`/cards/${cardId}/leads`, { is_on: "on", version: "0", months: "24", "field-note": "optional" });
  const path = `/card/${cardId}/connect`;
  const forms: Form[] = [];
  for (let n = 0; n < 100; n++) {
    const html = await (await grace.get(path)).text();
    const [formToken, consent] = [fieldValue(html, "formToken"), fieldValue(html, "consent-answer")];
    const note = `${n}: ${"x".repeat(1_900)}`;
    forms.push({ formToken, name: "Grace", email: `grace-${n}@example.com`, note, "consent-answer": consent });
  }
  await pause(minFormAgeMs);
  return { path, forms };
}

async function expectAccountFormsToReportIt(program: Program, ada: ProgramUser) {
  for (const [path, form] of [
    ["/auth?tab=signup", { intent: "sign-up", email: "new@example.com", password: "one long word" }],
    ["/auth", { intent: "log-in", email: ada.email, password: ada.password }],
    ["/forgot-password", { email: ada.email }],
  ] as const) {
    const response = await visitorOf(program).post(path, form);
    const page = await response.text();
    expect([path, response.status]).toEqual([path, 503]);
    expect(page).toContain(outOfSpace);
    expect(fieldValue(page, "email")).toBe(form.email);
  }
}

type Readers = { ada: ProgramUser; eda: ProgramUser; cardId: string; visits: number };

async function expectReadable(program: Program, { ada, eda, cardId, visits }: Readers) {
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

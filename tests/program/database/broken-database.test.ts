import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { afterAll, beforeAll, expect, test } from "vitest";

import { makeCard, fieldValue } from "#tests/support/app/cards.ts";
import { signUpAt, visitorOf } from "#tests/support/program/users.ts";
import type { ProgramUser } from "#tests/support/program/users.ts";
import { profileForm } from "#tests/support/app/profiles.ts";
import { startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";

let program: Program;
let ada: ProgramUser;
let cardId: string;

beforeAll(async () => {
  program = await startProgram();
  await program.isUp();
  ada = await signUpAt(program, "ada@example.com");
  cardId = await makeCard(ada);
});
afterAll(() => program.remove());

const tables = ["card", "profile", "handle", "attempt", "hourly_count", "session"];

/** Renames tables under the running program, so that its queries fail. */
function rename(change: (table: string) => [from: string, to: string]) {
  const database = new DatabaseSync(join(program.dataDir, "meishi.db"), { timeout: 5_000 });
  for (const table of tables) {
    const [from, to] = change(table);
    database.exec(`alter table ${from} rename to ${to}`);
  }
  database.close();
}

test("with a broken database every response is a message with the request id of the logged error", async () => {
  const visitor = visitorOf(program);
  await visitor.get("/card/demo-card");
  rename((table) => [table, `${table}_gone`]);
  const asked: [ProgramUser | typeof visitor, string, Record<string, string>?][] = [
    [visitor, "/card/unknown"],
    [visitor, "/card/unknown.data"],
    [visitor, "/card/unknown/contact.vcf"],
    [visitor, "/card/unknown/qr.svg"],
    [visitor, "/u/unknown"],
    [visitor, "/u/unknown.data"],
    [visitor, "/u/unknown/qr.png"],
    [visitor, "/auth", { intent: "log-in", email: "ada@example.com", password: "tea with Charles" }],
    [visitor, "/auth?tab=signup", { intent: "sign-up", email: "eda@example.com", password: "tea with Charles" }],
    [visitor, "/forgot-password", { email: "ada@example.com" }],
    [ada, "/profile"],
    [ada, "/profile", profileForm()],
    [ada, `/cards/edit/${cardId}`],
    [ada, `/cards/${cardId}/delete`, {}],
    [ada, "/pricing"],
  ];
  const answers: { path: string; id: string; page: string }[] = [];
  for (const [person, path, form] of asked) {
    const answer = await (form ? person.post(path, form) : person.get(path));
    const page = await answer.text();
    expect([path, answer.status]).toEqual([path, 500]);
    expect(page, path).not.toMatch(/no such table|sqlite|select |insert |\n\s+at |node_modules|\.server\.ts|main\.js/i);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    if (form && "email" in form) expect(fieldValue(page, "email")).toBe(form["email"]);
    answers.push({ path, page, id: answer.headers.get("x-request-id") ?? "" });
  }
  const click = JSON.stringify({ subject: "card:demo-card", target: "linkedin" });
  const clicked = await visitor.request("/count", { method: "POST", headers: { origin: program.url }, body: click });
  expect([clicked.status, await clicked.text()]).toEqual([500, expect.not.stringContaining("table")]);
  // Cached pages are still served, and the program runs on.
  expect((await visitor.get("/card/demo-card")).status).toBe(200);
  expect((await visitor.get("/healthz")).status).toBe(200);
  rename((table) => [`${table}_gone`, table]);

  for (const path of ["/profile", `/cards/edit/${cardId}`, `/card/${cardId}`, `/u/${ada.id}`]) {
    expect((await ada.get(path)).status, path).toBe(200);
  }
  await expect.poll(() => program.output()).toContain(answers.at(-1)?.id);
  const reasons = program
    .output()
    .split("\n")
    .filter((line) => line.includes('"level":50') && line.includes('"err"'));
  for (const { id, path } of answers)
    expect(
      reasons.some((line) => line.includes(`"id":"${id}"`)),
      path,
    ).toBe(true);
  for (const { page, id } of answers.filter((answer) => answer.path === "/card/unknown")) expect(page).toContain(id);
  expect(program.errors()).toBe("");
});

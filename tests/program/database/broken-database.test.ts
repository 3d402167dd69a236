import { expect, onTestFinished, test } from "vitest";

import { fieldValue, makeCard } from "#tests/support/app/cards.ts";
import { profileForm } from "#tests/support/app/profiles.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { openFaultyProxy } from "#tests/support/database/faulty-proxy.ts";
import { queryPostgres } from "#tests/support/program/connections.ts";
import { withDatabase } from "#tests/support/program/database.ts";
import { startProgram } from "#tests/support/program/program.ts";
import { signUpAt, visitorOf } from "#tests/support/program/users.ts";

const tables = ["card", "profile", "handle", "attempt", "hourly_count", "session"];

test("with a broken database every response is a message with the request id of the logged error", async () => {
  const program = await startProgram();
  onTestFinished(program.remove);
  await program.isUp();
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
    const program = await startProgram({ DATABASE_URL: proxy.url });
    onTestFinished(program.remove);
    await program.isUp();
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

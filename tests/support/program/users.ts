import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import type { Db } from "#app/services/database/database.server.ts";
import { listStoredMails } from "#app/services/mail/mail-outbox.server.ts";

import { firstLink } from "#tests/support/app/responses.ts";
import type { Program } from "./program.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createVisitor } from "#tests/support/app/visitor.ts";
import { insertRows } from "#tests/support/database/account-rows.ts";
import { accountRows, seededPassword, sessionCookie } from "#tests/support/database/seed.ts";

export type ProgramUser = Awaited<ReturnType<typeof signUpAt>>;

type ProgramAddress = Pick<Program, "url" | "dataDir">;

/** An HTTP client with a cookie jar for a running program. */
export function visitorOf({ url }: Pick<Program, "url">) {
  return createVisitor({ request: (address, init) => fetch(address, init) }, url);
}

/** Signs up through the form and the link in the mail; returns the signed-in client, with a profile. */
export async function signUpAt(program: ProgramAddress, email: string) {
  const person = visitorOf(program);
  const password = "tea with Charles";
  const sent = await person.post("/auth?tab=signup", { intent: "sign-up", email, password });
  if (sent.status !== 200) throw new Error(`${email} could not sign up: ${sent.status} ${await sent.text()}`);
  await person.post(firstLink(await waitForMail(program, email)), {});
  return { ...person, email, password, id: await userIdOf(person) };
}

/**
 * A client that is signed in to a new account with a profile, on the database of a program on PostgreSQL. No mail is needed, which
 * another program on this database could have stored in its own folder.
 */
export async function signInOn(program: ProgramAddress, db: Db, email = "ada@example.com"): Promise<ProgramUser> {
  const { id, token, rows } = await accountRows(email, true);
  await insertRows({ db }, rows);
  const { name, value } = sessionCookie(token, program.dataDir);
  const person = visitorOf(program);
  person.cookies.set(name, value);
  await person.get("/profile");
  return { ...person, email, password: seededPassword, id };
}

const secrets = JSON.stringify({ auth: randomBytes(32).toString("base64url") });

/** A data folder for a node of a cluster: a session of one node is valid on the others, which have the same secrets. */
export function makeNodeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "meishi-node-"));
  writeFileSync(join(folder, "secrets.json"), secrets, { mode: 0o600 });
  return folder;
}

/** The text of the newest mail to an address; waits for it. */
export async function waitForMail({ dataDir }: Pick<Program, "dataDir">, email: string): Promise<string> {
  for (const end = Date.now() + 120_000; Date.now() < end; await pause(50)) {
    const mail = (await listStoredMails(join(dataDir, "mail"))).find(({ to }) => to === email);
    if (mail) return mail.text;
  }
  throw new Error(`No mail to ${email}`);
}

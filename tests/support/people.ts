import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { listKeptMails } from "#app/services/kept-mail.server.ts";

import { linkIn } from "./answers.ts";
import type { Program } from "./program.ts";
import { idOf } from "./profiles.ts";
import { createVisitor } from "./visitor.ts";

export type ProgramPerson = Awaited<ReturnType<typeof signUpAt>>;

type Place = Pick<Program, "url" | "dataDir">;

/** Somebody with a cookie jar who talks to a running program; what the program says over the network, not through a browser. */
export function visitorOf({ url }: Pick<Program, "url">) {
  return createVisitor({ request: (address, init) => fetch(address, init) }, url);
}

/** An account made as a person makes one: the form, the mail, its link. Signed in, with a profile. */
export async function signUpAt(program: Place, email: string) {
  const person = visitorOf(program);
  const password = "tea with Charles";
  const sent = await person.post("/auth?tab=signup", { intent: "sign-up", email, password });
  if (sent.status !== 200) throw new Error(`${email} could not sign up: ${sent.status} ${await sent.text()}`);
  await person.get(linkIn(await mailTo(program, email)));
  return { ...person, email, password, id: await idOf(person) };
}

/** The text of the newest mail to somebody; waits so many milliseconds for it. */
export async function mailTo({ dataDir }: Pick<Program, "dataDir">, email: string, patience = 20_000): Promise<string> {
  for (const end = Date.now() + patience; Date.now() < end; await pause(50)) {
    const mail = (await listKeptMails(join(dataDir, "mail"))).find(({ to }) => to === email);
    if (mail) return mail.text;
  }
  throw new Error(`No mail to ${email}`);
}

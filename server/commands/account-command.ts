import { join } from "node:path";

import pino from "pino";

import { accountMail } from "#app/features/account/account-mails.ts";
import { actOnAccount } from "#app/features/admin/account-action.server.ts";
import type { ActionServices } from "#app/features/admin/account-action.server.ts";
import { inviteAddresses } from "#app/features/admin/invitations/invitation-data.server.ts";
import { readAddressList, readGrantEnd } from "#app/features/admin/rules.ts";
import { adminMessages, maxReasonLength } from "#app/features/admin/messages.ts";
import type { OperatorAction } from "#app/features/admin/messages.ts";
import { createAuth } from "#app/services/auth/auth.server.ts";
import { toAsciiDomain } from "#app/services/base/email-address.ts";
import { startProblem } from "#app/services/base/errors.ts";
import { plainLine } from "#app/services/base/plain-text.ts";
import type { Bus } from "#app/services/bus/bus.server.ts";
import { environment, readConfig } from "#app/services/config/config.server.ts";
import type { Config } from "#app/services/config/config.server.ts";
import { openSecrets } from "#app/services/config/secrets.server.ts";
import { readSiteContent } from "#app/services/config/site-content.server.ts";
import { openDatabase } from "#app/services/database/database.server.ts";
import { createEvents } from "#app/services/events/events.server.ts";
import { createJobs } from "#app/services/jobs/jobs.server.ts";

import { addSubscribedJobs, features } from "../features.ts";
import { rotateSecrets } from "./rotate-secrets.ts";
import { runCommand } from "./run-command.ts";

/** A command for one account: what it does to it, in the words of its help, and what it prints afterwards. */
type Command = { action: OperatorAction; help: string; done: (email: string) => string };

const commands: Record<string, Command> = {
  "reset-2fa": {
    action: "reset-two-step",
    help: "Turns off two-step verification, removes passkeys and signs out everywhere. The owner gets an email.",
    done: (email) =>
      `Two-step verification of ${email} is off, its passkeys are removed, and it is signed out everywhere. Its owner gets an email.`,
  },
  block: {
    action: "block",
    help: "Signs the owner out and hides the public pages. A reason may follow the email; only operators see it.",
    done: (email) => `${email} is blocked and signed out everywhere. Its public pages disappear within a few seconds.`,
  },
  unblock: {
    action: "unblock",
    help: "The owner can sign in again, and the public pages come back.",
    done: (email) => `${email} isn't blocked.`,
  },
  confirm: {
    action: "confirm",
    help: "Confirms the email. The owner gets an email; if they never signed in, it asks them to set a password.",
    done: (email) => `${email} is confirmed.`,
  },
  grant: {
    action: "grant",
    help: "Gives Premium: grant <email> premium [last day, such as 2027-12-31]. The owner gets an email.",
    done: (email) => `${email} has Premium. Its owner gets an email.`,
  },
  revoke: {
    action: "revoke",
    help: "Takes Premium back. The owner gets an email.",
    done: (email) => `${email} no longer has the Premium that was granted.`,
  },
  "sign-out": {
    action: "sign-out",
    help: "Ends all sessions of the account.",
    done: (email) => `${email} is signed out everywhere.`,
  },
  delete: {
    action: "delete",
    help: "Deletes the account with all its data, at once. The owner gets an email. This can't be undone.",
    done: (email) => `The account ${email} is deleted. Its owner gets an email.`,
  },
};

const usage = [
  "Usage: npm run account -- <command> <email>",
  "",
  ...Object.entries(commands).map(([name, { help }]) => `  ${name.padEnd(11)}${help}`),
  "  rotate-secrets",
  "             Replaces the secret in secrets.json and ends all sessions, while Meishi is stopped.",
  "  invite     Mails an invitation to sign up, also where SIGN_UP is invite.",
  "",
  "Works while Meishi is running, on its DATA_DIR or DATABASE_URL. Everything is in the log of the /admin pages.",
].join("\n");

/**
 * The operator's commands for one account. They work while Meishi is running, whose data folder they don't lock; the running program sends the
 * emails and removes what it has cached, or does so after its next start.
 */
async function run(given: string[]): Promise<string> {
  if (given.some((word) => word === "--help" || word === "-h")) return usage;
  const [name = "", typed = "", ...words] = given;
  if (name === "invite" && typed.includes("@") && words.length === 0) return invite(typed);
  if (name === "rotate-secrets" && given.length === 1) return rotateSecrets(readSettings());
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command || !typed.includes("@")) throw startProblem(usage);
  const options = readOptions(command.action, words);
  const { services, close } = await openServices();
  try {
    const email = toAsciiDomain(typed.trim().toLowerCase());
    const ownerId = await services.auth.findUserId(email);
    if (ownerId === undefined) throw startProblem(`No account has the email ${email}.`);
    const { action } = command;
    if (isPlanAction(action) && services.config.premium === "everyone")
      throw startProblem("Everyone has Premium here, because PLAN_FOR_EVERYONE is premium.");
    const outcome = await actOnAccount(services, { adminId: "", ownerId, action, ...options });
    if (outcome === "gone") throw startProblem(`No account has the email ${email}.`);
    if (outcome === "done") return command.done(email);
    return isPlanAction(action)
      ? `${email} was not granted Premium. Nothing was changed.`
      : `${email} has no second factor and no passkeys. Nothing was changed.`;
  } finally {
    await close();
  }
}

async function invite(typed: string): Promise<string> {
  const list = readAddressList(typed);
  if ("error" in list) throw startProblem(list.error);
  const { services, close } = await openServices();
  try {
    if (services.config.signUp === "closed")
      throw startProblem("SIGN_UP is closed, so no one can accept an invitation.");
    const { invited, withAccount, invitedBefore } = await inviteAddresses(services, { adminId: "", ...list });
    return [
      ...invited.map((email) => `${email} gets an invitation by email.`),
      ...withAccount.map((email) => `${email} has an account. Nothing was changed.`),
      ...invitedBefore.map((email) => `${email} was invited before. Send it again at /admin/invitations.`),
    ].join("\n");
  } finally {
    await close();
  }
}

/** What follows the email: the reason of a block, or the plan of a grant and its last day. */
function readOptions(action: OperatorAction, words: string[]): { reason?: string; endsAt?: number } {
  if (action === "grant") {
    const [plan, until = "", ...rest] = words;
    const endsAt = readGrantEnd(until, Date.now());
    if (plan !== "premium" || rest.length > 0) throw startProblem(usage);
    if (endsAt === undefined) throw startProblem(adminMessages.untilInvalid);
    return endsAt === null ? {} : { endsAt };
  }
  if (action !== "block") {
    if (words.length > 0) throw startProblem(usage);
    return {};
  }
  const reason = plainLine(words.join(" ").slice(0, maxReasonLength * 5));
  if (reason.length > maxReasonLength) throw startProblem(`Use at most ${maxReasonLength} characters for the reason.`);
  return { reason: reason || "Blocked on the command line" };
}

const isPlanAction = (action: OperatorAction) => action === "grant" || action === "revoke";

function readSettings(): Config {
  const read = readConfig(environment(), process.cwd());
  if ("problems" in read) throw startProblem(read.problems.join("\n"));
  return read.config;
}

async function openServices(): Promise<{ services: ActionServices; close: () => Promise<void> }> {
  const config = readSettings();
  const log = pino({ level: "error" }, pino.destination(2));
  const { db, engine, close } = await openDatabase({ ...config, log });
  try {
    const jobs = createJobs({ db, clock: Date.now, log, handlers: {} });
    const auth = createAuth({
      db,
      engine,
      config,
      ...openSecrets(join(config.dataDir, "secrets.json")).all(),
      log,
      enqueueMail: (message, trx) => jobs.enqueue(trx ?? db, "mail", accountMail(message, config.baseUrl)),
      enqueueImage: (image, trx) => jobs.enqueue(trx, "provider-picture", image),
    });
    const siteContent = readSiteContent(config.dataDir);
    const events = createEvents({ db, engine, bus: noBus, jobs, clock: Date.now, log });
    addSubscribedJobs(features, events);
    return { services: { db, engine, config, auth, jobs, events, counter, siteContent, clock: Date.now }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Delivers nothing, so that the events stay in the database until the running program finds them there. */
const noBus: Bus = {
  publish: async () => false,
  subscribe: () => undefined,
  sendHint: () => undefined,
  subscribeToHints: () => undefined,
  isShared: false,
  isLive: () => false,
  close: async () => undefined,
};

/** Nothing is counted here. */
const counter = { count: () => undefined, flush: async () => undefined };

runCommand(run);

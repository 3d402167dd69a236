import { letterMail } from "#app/services/mail/letter.ts";
import { dropWaiting, isNoticeSaved, saveInTransaction } from "#app/features/lead-notices/data.server.ts";
import type { NoticeTiming } from "#app/features/lead-notices/rules.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import { findAddress, lockUser } from "#app/services/auth/user-rows.server.ts";
import { plainLine } from "#app/services/base/plain-text.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import type { EncryptedColumns } from "#app/services/base/secret-box.server.ts";
import type { Services } from "#app/services/http/context.ts";
import type { Mail } from "#app/services/mail/mail.server.ts";

type Deps = Pick<Services, "db" | "auth" | "jobs" | "clock" | "config" | "secretBox">;

/** An owner's chat. Times in epoch milliseconds; 0 and null: never. */
export type Chat = {
  timing: NoticeTiming;
  hour: number;
  /** "hooks.slack.com/…a1b2": enough to recognize the address, too little to use it. Undefined when it can't be read (`ChatAddress`). */
  shownAddress: string | undefined;
  sentAt: number;
  lastError: string;
  failedAt: number | null;
};

export async function findChat(deps: Pick<Deps, "db" | "secretBox">, ownerId: string): Promise<Chat | undefined> {
  const row = await selectChat(deps.db, ownerId);
  if (!row) return undefined;
  const address = boxOf(deps).read(row.address, ownerId);
  return {
    timing: row.timing === "daily" ? "daily" : "now",
    hour: row.hour,
    shownAddress: address === undefined ? undefined : shortAddress(new URL(address)),
    sentAt: row.sent_at,
    lastError: row.last_error,
    failedAt: row.failed_at,
  };
}

function shortAddress({ host, pathname }: URL): string {
  return `${host}/…${pathname.slice(-4)}`;
}

/** `url` is undefined when it can't be read, because the installation's secret was replaced. */
export type ChatAddress = { url: string | undefined };

/** The address of an owner's chat, to send to it. */
export async function findChatAddress(
  deps: Pick<Deps, "db" | "secretBox">,
  ownerId: string,
): Promise<ChatAddress | undefined> {
  const row = await selectChat(deps.db, ownerId);
  return row && { url: boxOf(deps).read(row.address, ownerId) };
}

async function selectChat(db: Db, ownerId: string) {
  return db
    .selectFrom("lead_notice")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .where("channel", "=", "chat")
    .where("address", "<>", "")
    .executeTakeFirst();
}

/** Addresses of chats; those of mails are empty. */
export const chatEncryption: EncryptedColumns = {
  purpose: "chats that hear of leads",
  table: "lead_notice",
  key: ["owner_id", "channel"],
  columns: ["address"],
};

function boxOf({ secretBox }: Pick<Deps, "secretBox">) {
  return secretBox(chatEncryption.purpose);
}

type SaveChat = {
  ownerId: string;
  /** Undefined: the address stays as it is. */
  url: string | undefined;
  timing: "now" | "daily";
  hour: number;
  origin: RequestOrigin;
};

/** Saves when and where an owner's chat is notified of leads. False without an address, and when the account is gone. */
export async function saveChat(deps: Deps, { ownerId, url, timing, hour, origin }: SaveChat): Promise<boolean> {
  return transact(deps.db, async (trx) => {
    if (!(await lockUser(trx, ownerId))) return false;
    const chat = { ownerId, channel: "chat" } as const;
    if (url === undefined && !(await isNoticeSaved(trx, chat))) return false;
    await saveInTransaction(trx, deps, { ...chat, timing, hour });
    if (url === undefined) return true;
    await trx
      .updateTable("lead_notice")
      .set({ address: boxOf(deps).encrypt(url, ownerId), last_error: "", failed_at: null })
      .where("owner_id", "=", ownerId)
      .where("channel", "=", "chat")
      .execute();
    const { host } = new URL(url);
    await deps.auth.recordSecurityEvent(trx, { ownerId, event: "lead-chat-added", detail: host, origin });
    const owner = await findAddress(trx, ownerId);
    const { baseUrl } = deps.config;
    if (owner) await deps.jobs.enqueue(trx, "mail", chatAddedMail({ to: owner.email, host, baseUrl }));
    return true;
  });
}

export async function removeChat(
  { db, auth, jobs }: Pick<Deps, "db" | "auth" | "jobs">,
  { ownerId, origin }: { ownerId: string; origin: RequestOrigin },
): Promise<void> {
  await transact(db, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom("lead_notice")
      .where("owner_id", "=", ownerId)
      .where("channel", "=", "chat")
      .executeTakeFirst();
    await dropWaiting(trx, { jobs }, { ownerId, channel: "chat" });
    if (numDeletedRows > 0n) await auth.recordSecurityEvent(trx, { ownerId, event: "lead-chat-removed", origin });
  });
}

/** Remembers why a message wasn't accepted, or that it was, for the owner. */
export async function noteChat(
  { db, clock }: Pick<Deps, "db" | "clock">,
  { ownerId, error }: { ownerId: string; error: string | undefined },
): Promise<void> {
  await db
    .updateTable("lead_notice")
    .set(
      error === undefined
        ? { last_error: "", failed_at: null }
        : { last_error: plainLine(error).slice(0, 300), failed_at: clock() },
    )
    .where("owner_id", "=", ownerId)
    .where("channel", "=", "chat")
    .execute();
}

/** Tells an owner, in case it wasn't them. Of the address only the host: the rest lets anyone write to the channel. */
function chatAddedMail({ to, host, baseUrl }: { to: string; host: string; baseUrl: string }): Mail {
  return letterMail(
    {
      subject: "New leads are sent to a chat",
      heading: "New leads are sent to a chat",
      paragraphs: [
        `From now on a chat at ${host} gets the details of each new lead whose visitor agrees to it: the text of your forms says so.`,
      ],
      action: { label: "See or change it", url: `${baseUrl}/leads/notifications#chat` },
      notes: ["If you didn’t add this chat, remove it, change your password and sign out everywhere."],
    },
    { to, baseUrl },
  );
}

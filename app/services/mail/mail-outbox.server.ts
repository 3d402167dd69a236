import { randomUUID } from "node:crypto";
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { writeAtomically } from "#app/services/base/atomic-write.server.ts";

export type StoredMail = {
  /** The file name, which sorts by time. */
  name: string;
  /** In epoch milliseconds. */
  sentAt: number;
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
};

/** Stores an email as "2026-11-21T02-41-43-123Z-0000-1b9d6bcd….eml". Names sort by time, even within one millisecond. */
export function storeMail(folder: string, content: Uint8Array): void {
  const now = new Date().toISOString();
  sequence = now === lastTime ? sequence + 1 : 0;
  lastTime = now;
  const name = `${now.replace(/[:.]/g, "-")}-${String(sequence).padStart(4, "0")}-${randomUUID()}.eml`;
  writeAtomically(join(folder, name), content);
}

let lastTime = "";
let sequence = 0;

/** Throws when the folder is not writable. */
export async function checkOutbox(folder: string): Promise<void> {
  const probe = join(folder, `.probe-${randomUUID()}`);
  try {
    await writeFile(probe, "can an email be stored?", { mode: 0o600 });
  } finally {
    await rm(probe, { force: true });
  }
}

const maxListed = 100;

export async function listStoredMails(folder: string): Promise<StoredMail[]> {
  const names = (await readdir(folder)).filter(isMailFileName).toSorted().toReversed().slice(0, maxListed);
  return Promise.all(names.map((name) => parseMail(folder, name)));
}

export async function findStoredMail(folder: string, name: string): Promise<StoredMail | undefined> {
  // Opens only names that are in the folder, so that "../" leads nowhere.
  const names = await readdir(folder);
  return isMailFileName(name) && names.includes(name) ? parseMail(folder, name) : undefined;
}

function isMailFileName(name: string) {
  return /^\d{4}-\d{2}-\d{2}T[\w-]+\.eml$/.test(name);
}

async function parseMail(folder: string, name: string): Promise<StoredMail> {
  // Loaded here, because programs that send mail never need it.
  const { default: PostalMime } = await import("postal-mime");
  const {
    date,
    from,
    to,
    subject = "",
    text = "",
    html = "",
  } = await PostalMime.parse(await readFile(join(folder, name)));
  return {
    name,
    sentAt: Date.parse(date ?? "") || 0,
    from: from?.name ? `${from.name} <${from.address}>` : (from?.address ?? ""),
    to: to?.[0]?.address ?? "",
    subject,
    text,
    html,
  };
}

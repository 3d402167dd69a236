import { randomUUID } from "node:crypto";
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import PostalMime from "postal-mime";

import { writeWhole } from "./whole-file.server.ts";

export type KeptMail = {
  /** The file's name, and its place in time. */
  name: string;
  /** When it was sent, epoch milliseconds. */
  sentAt: number;
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
};

/** "2026-11-21T02-41-43-123Z-0000-1b9d6bcd….eml": the names sort by time, also within one millisecond. */
export function keepMail(folder: string, content: Uint8Array): void {
  const now = new Date().toISOString();
  sequence = now === lastTime ? sequence + 1 : 0;
  lastTime = now;
  const name = `${now.replace(/[:.]/g, "-")}-${String(sequence).padStart(4, "0")}-${randomUUID()}.eml`;
  writeWhole(join(folder, name), content);
}

let lastTime = "";
let sequence = 0;

/** Throws when the folder takes no file. */
export async function tryToKeep(folder: string): Promise<void> {
  const probe = join(folder, `.probe-${randomUUID()}`);
  try {
    await writeFile(probe, "can a mail be kept?", { mode: 0o600 });
  } finally {
    await rm(probe, { force: true });
  }
}

const MAX_LISTED = 100;

export async function listKeptMails(folder: string): Promise<KeptMail[]> {
  const names = (await readdir(folder)).filter(isName).toSorted().toReversed().slice(0, MAX_LISTED);
  return Promise.all(names.map((name) => parse(folder, name)));
}

export async function readKeptMail(folder: string, name: string): Promise<KeptMail | undefined> {
  // Only a name that is in the folder is opened, whatever "../" the outside asks for.
  const names = await readdir(folder);
  return isName(name) && names.includes(name) ? parse(folder, name) : undefined;
}

function isName(name: string) {
  return /^\d{4}-\d{2}-\d{2}T[\w-]+\.eml$/.test(name);
}

async function parse(folder: string, name: string): Promise<KeptMail> {
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

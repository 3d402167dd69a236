import type { Insertable } from "kysely";

import type { LeadTable } from "#app/services/database/lead-schema.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { insertRows } from "#tests/support/database/account-rows.ts";
import { insertLead } from "#tests/support/database/leads.ts";

type Lead = Partial<Insertable<LeadTable>>;

export const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/** Noon in Berlin, in winter. */
export const noon = Date.UTC(2026, 10, 23, 11);

type OpenOptions = Pick<Parameters<typeof createTestApp>[0] & {}, "allowedOrigins" | "env"> & { now?: number };

/** An owner, and leads on the way to them. */
export async function openOwner({ now = noon, ...options }: OpenOptions = {}) {
  const time = { now };
  const app = await createTestApp({ clock: () => time.now, ...options });
  const { services } = app;
  const ada = await app.signedIn();
  const ownerId = await userIdOf(ada);
  let count = 0;
  /** A lead as if its form had just been sent, with consent to `text`; returns its id. */
  const share = async ({ id = `lead-${++count}`, ...lead }: Lead = {}, text?: string) => {
    const details = { name: `Guest ${id}`, ...lead };
    await insertLead(services, { id, ownerId, now: time.now, lead: details, ...(text !== undefined && { text }) });
    return id;
  };
  /** Many leads at once, without consent and events. */
  const shareMany = async (leads: Lead[]) => {
    const times = { created_at: noon, received_at: noon, expires_at: noon + 720 * day };
    const rows = leads.map((lead, n) => ({ id: `many-${n}`, owner_id: ownerId, card_id: "card", ...times, ...lead }));
    for (let at = 0; at < rows.length; at += 500) await insertRows(services, { lead: rows.slice(at, at + 500) });
  };
  const wait = async (ms = 0) => {
    time.now += ms;
    await services.jobs.runDue();
  };
  /** The mails to an address, newest first. */
  const mailsTo = async (address: string) => (await app.mails()).filter(({ to }) => to === address);
  /** A page without what React puts between two texts. */
  const read = async (path: string, visitor: Pick<Visitor, "get"> = ada) =>
    (await (await visitor.get(path)).text()).replaceAll("<!-- -->", "");
  return { ...app, time, ada, ownerId, share, shareMany, wait, mailsTo, read };
}

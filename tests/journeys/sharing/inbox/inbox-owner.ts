import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";

/** Noon in Berlin, in winter. */
export const noon = Date.UTC(2026, 10, 23, 11);

/** An owner, and `share` for leads on the way to them. */
export async function openInbox() {
  const time = { now: noon };
  const app = await createTestApp({ clock: () => time.now });
  const ada = await app.signedIn();
  const ownerId = await userIdOf(ada);
  return { ...app, time, ada, ownerId, share: (id: string, lead = {}) => insertLead(app, { id, ownerId, ...lead }) };
}

async function insertLead(
  { services: { db } }: TestApp,
  lead: { id: string; ownerId: string } & Record<string, unknown>,
) {
  const { id, ownerId, ...columns } = lead;
  const times = { created_at: noon, received_at: noon, expires_at: noon + 86_400_000 * 720 };
  await db
    .insertInto("lead")
    .values({ id, owner_id: ownerId, card_id: "card", ...times, ...columns })
    .execute();
  const text = {
    id: "text",
    owner_id: ownerId,
    purpose: "answer",
    version: 3,
    text: "Ada may answer me.",
    hash: "abc123",
  };
  await db
    .insertInto("consent_text")
    .values({ ...text, created_at: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const proof = { text_id: "text", text_version: 3, text_hash: "abc123", source: "form", given_at: noon };
  await db
    .insertInto("lead_consent")
    .values({ lead_id: id, owner_id: ownerId, purpose: "answer", ...proof })
    .execute();
}

/** The HTML of a page, without what React puts between two texts. */
export async function readPage(response: Response | Promise<Response>) {
  return (await (await response).text()).replaceAll("<!-- -->", "");
}

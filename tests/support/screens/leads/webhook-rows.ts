import { readFileSync } from "node:fs";

import { createSecretBox } from "#app/services/base/secret-box.server.ts";

import { insert as insertRow, withDatabase } from "#tests/support/program/database.ts";
import type { Program } from "#tests/support/program/program.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

type Row = Record<string, string | number | null>;

/**
 * As many webhooks of an owner as there can be, `hook-0-<owner>` to `hook-4-<owner>`: on with a long log, paused, switched off by us for two
 * reasons, and by the owner. In the log of the first: `msg_0_<owner>` failed, `msg_1_<owner>` was delivered, and `msg_2_<owner>` was about a
 * lead that is gone. Nothing of it is due.
 */
export function insertWebhooks({ dataDir }: Pick<Program, "dataDir">, ownerId: string): void {
  const { auth: secret } = JSON.parse(readFileSync(`${dataDir}/secrets.json`, "utf8"));
  const box = createSecretBox({ secret }, "webhooks");
  const encrypt = (text: string) => box.encrypt(text, ownerId);
  const now = Date.now();
  insertIntegrations({ dataDir }, ownerId, secret);
  withDatabase(dataDir, (database) => {
    const insert = (table: string, row: Row) => insertRow(database, table, row);
    for (const [index, { url, ...row }] of endpoints(now).entries())
      insert("webhook_endpoint", {
        id: `hook-${index}-${ownerId}`,
        owner_id: ownerId,
        url: encrypt(url),
        kinds: '["lead.created","card.saved"]',
        secret: encrypt(`whsec_${Buffer.alloc(32, index).toString("base64")}`),
        created_at: index,
        updated_at: now,
        ...row,
      });
    for (const [index, row] of deliveries(now).entries())
      insert("webhook_delivery", {
        id: `msg_${index}_${ownerId}`,
        endpoint_id: `hook-0-${ownerId}`,
        owner_id: ownerId,
        kind: "card.saved",
        content: JSON.stringify({ id: "card-1", name: "Work", url: "https://a.example/c/h7k2m9x", is_public: true }),
        attempts: 1,
        happened_at: now - index * hourMs,
        created_at: now - index * hourMs,
        ...row,
      });
    for (const [index, { answer, message, ...row }] of attempts.entries())
      insert("webhook_attempt", {
        id: `attempt-${index}-${ownerId}`,
        delivery_id: `msg_${message}_${ownerId}`,
        owner_id: ownerId,
        started_at: now - index * hourMs,
        signature: `v1,${Buffer.alloc(32, index).toString("base64")} v1,${Buffer.alloc(32).toString("base64")}`,
        answer: answer && encrypt(answer),
        ...row,
      });
  });
}

function endpoints(now: number): ({ url: string } & Row)[] {
  return [
    {
      url: `https://${"hooks".repeat(8)}.example.com/${"path".repeat(20)}`,
      kinds: '["lead.created","consent.withdrawn","card.saved","contact.saved","plan.changed"]',
      old_secret: "x",
      old_secret_until: now + dayMs,
    },
    {
      url: "https://crm.example.com/in",
      failing_since: now - 2 * dayMs,
      unanswered: 7,
      paused_until: now + hourMs,
      left_out: 12,
      left_out_at: now - hourMs,
    },
    { url: "https://gone.example.com/", is_on: 0, off_reason: "gone" },
    { url: "https://down.example.com/", is_on: 0, off_reason: "failing", failing_since: now - 5 * dayMs },
    { url: "https://old.example.com/", is_on: 0, off_reason: "owner" },
  ];
}

/** More than a page of them. */
function deliveries(now: number): Row[] {
  return [
    { state: "failed", attempts: 3 },
    { state: "delivered", kind: "contact.saved", content: '{"card_id":"card-1","source":"qr"}', count: 12 },
    { state: "dropped", kind: "lead.created", content: "{}", attempts: 2 },
    { state: "waiting", next_attempt_at: now + dayMs, attempts: 2 },
    { state: "delivered", kind: "plan.changed", content: '{"plan":"free","ends_at":null}', is_test: 1 },
    ...Array.from({ length: 32 }, () => ({ state: "delivered" })),
  ];
}

const attempts: ({ message: number; answer: string; duration_ms: number } & Row)[] = [
  {
    message: 0,
    answer: `<!doctype html><title>502 Bad Gateway</title>${"x".repeat(300)}`,
    status: 502,
    duration_ms: 812,
  },
  { message: 0, answer: "", problem: "timeout", duration_ms: 15_002 },
  { message: 0, answer: "", status: 301, duration_ms: 120 },
  { message: 1, answer: "ok", status: 200, duration_ms: 93 },
  { message: 2, answer: "", status: 500, duration_ms: 61 },
];

/** Three services: one with contacts in each state, and two that refuse access. */
function insertIntegrations({ dataDir }: Pick<Program, "dataDir">, ownerId: string, secret: string): void {
  const box = createSecretBox({ secret }, "integrations");
  const settings = {
    carddav: {
      url: "https://cloud.example.com/remote.php/dav/addressbooks/users/ada/leads",
      user: "ada",
      password: "x",
    },
    mailchimp: { key: "abcdefgh-us21", list: "a1b2c3d4e5" },
    google: { account: "a.very.long.address.of.ada.lovelace@mail.example.com", refreshToken: "x" },
  };
  const times = { created_at: 1, updated_at: Date.now() };
  const states = ["waiting", "sent", "removed", "kept", "left-out", "given-up"];
  const answer = `{"message":"${"Out of order. ".repeat(30)}"}`;
  withDatabase(dataDir, (database) => {
    for (const [kind, values] of Object.entries(settings)) {
      const row = { kind, owner_id: ownerId, settings: box.encrypt(JSON.stringify(values), ownerId), ...times };
      const state = kind === "carddav" ? "paused" : "refused";
      insertRow(database, "integration", { id: `${kind}-${ownerId}`, state, ...row });
    }
    for (const [index, state] of states.entries()) {
      const log = { state, attempts: index, status: index % 2 ? 500 : null, answer: index % 2 ? answer : "" };
      const row = { integration_id: `carddav-${ownerId}`, owner_id: ownerId, name: `1-${index + 1}`, ...log };
      insertRow(database, "integration_contact", { ...row, updated_at: Date.now() - index * hourMs });
    }
  });
}

import { expect, test } from "vitest";

import { featureOf, listFiles, readSource, sourceFiles, tablesOf } from "#tests/support/sources.ts";

/** The tables of each feature and service: no one else writes them. better-auth made account, session, user and verification. */
const owners: Record<string, string> = {
  account: "data_export",
  "address-book": "address_book_device",
  admin: "account_block operator_log",
  analytics: "count_batch daily_count day_note hourly_count statistics_lock weekly_mail",
  billing: "plan_grant stripe_customer stripe_event stripe_invoice stripe_price stripe_subscription subscription",
  calendar: "calendar_feed",
  cards: "card card_code",
  crawlers: "sitemap_file",
  integrations: "integration integration_contact",
  kiosk: "kiosk_device",
  "lead-notices": "lead_forward lead_in_notice lead_notice",
  leads: `address_book address_book_entry consent_text erased_lead lead lead_consent lead_distinct lead_form lead_recipient lead_reply
    lead_setting lead_tag`,
  "plan-mails": "plan_notice",
  profile: "handle profile retired_handle",
  status: "instance status_day",
  uploads: "asset storage",
  wallet: "google_pass pass_design wallet_device wallet_pass wallet_registration",
  webhooks: "webhook_attempt webhook_delivery webhook_endpoint",
  "services/api": "api_call api_key",
  "services/auth": `account app_link app_session backup_code email_change email_sign_in handed_over_session identity_code invitation known_device passkey passkey_challenge
    refresh_token replaced_token second_factor security_event session sign_in_challenge sign_up_draft user verification`,
  "services/config": "setting",
  "services/events": "event",
  "services/http": "attempt",
  "services/jobs": "job",
  "services/pages": "rendered_page",
  "services/preferences": "account_preference",
};

const oldRows = "declares how long they are stored, which services can't";
const neverUsed = "deletes an account that was never used, in which no feature takes part";
/** Writes to tables of others, and why there is no better way. */
const foreignWrites: Record<string, string> = {
  "account: operator_log":
    "removes the details of an account in the transaction that deletes it; admin imports account",
  "api: api_call": oldRows,
  "api: api_key": oldRows,
  "services/auth: account_block": neverUsed,
  "services/auth: account_preference": neverUsed,
  "services/auth: plan_grant": neverUsed,
  "services/auth: plan_notice": neverUsed,
  "services/auth: subscription": neverUsed,
  "services/backup: address_book":
    "makes devices start over after a restore, before the program and with it any feature starts",
  "services/database: profile":
    "locks the owner by an update that changes nothing, because SQLite has no other lock of a row",
  "services/events: profile":
    "marks stored pages as out of date with the event itself, where a public page reads it in its one query",
};

/** Tables of others that the files of a feature or service read, in joins or because the owner needs no function for it. */
const foreignReads: Record<string, string> = {
  account: `account account_preference backup_code email_change handle known_device passkey profile second_factor
    security_event session user`,
  "address-book": "account_block address_book address_book_entry lead user",
  admin: "handle plan_grant profile rendered_page second_factor security_event session storage subscription user",
  analytics: "account_preference card profile subscription",
  avatar: "profile",
  billing: "job user",
  calendar: "lead",
  cards: "handle lead_form profile subscription",
  integrations: "address_book address_book_entry lead",
  kiosk: "card",
  "lead-notices": "lead",
  leads: "card integration lead_forward lead_notice profile webhook_endpoint",
  "plan-mails": "subscription",
  profile: "card lead_form subscription",
  "services/api": "account_block user",
  "services/auth": "account_block profile stripe_customer",
  "services/config": "passkey",
  "services/database": "account_block",
  "services/pages": "profile",
  shell: "handle",
  status: "event job webhook_delivery webhook_endpoint",
  uploads: "profile",
  wallet: "card job subscription",
  webhooks: "card lead",
};

/** ["admin: operator_log"] for { admin: "operator_log" }. */
const pairs = (table: Record<string, string>) =>
  Object.entries(table).flatMap(([owner, names]) => names.split(/\s+/).map((name) => `${owner}: ${name}`));

const ownerOf = new Map(pairs(owners).map((pair) => pair.split(": ").toReversed() as [string, string]));

/** "cards: profile" for each foreign table that the files of a feature or service use. */
function listForeign(use: "written" | "read"): string[] {
  const found = sourceFiles.flatMap((file) => {
    const user = featureOf(file) ?? /^app\/(services\/[^/]+)/.exec(file)?.[1] ?? "server";
    return [...tablesOf(file)[use]].flatMap((name) => {
      const owner = ownerOf.get(name);
      return owner === undefined || owner === user ? [] : `${user}: ${name}`;
    });
  });
  return [...new Set(found)].toSorted();
}

test("each table has one owner, who writes it", () => {
  const made = listFiles("migrations/*.sql").flatMap(
    (file) => readSource(file).match(/(?<=^create table )\w+/gm) ?? [],
  );
  const tables = [...made, "account", "session", "user", "verification"].toSorted();
  expect(
    pairs(owners)
      .map((pair) => pair.split(": ")[1])
      .toSorted(),
  ).toEqual(tables);
  const written = new Set(sourceFiles.flatMap((file) => [...tablesOf(file).written]));
  expect(tables.filter((name) => !written.has(name))).toEqual([]);
});

test("only the owner of a table writes it", () => {
  expect(listForeign("written")).toEqual(Object.keys(foreignWrites));
});

test("others read only the tables that are listed", () => {
  expect(listForeign("read")).toEqual(pairs(foreignReads).toSorted());
});

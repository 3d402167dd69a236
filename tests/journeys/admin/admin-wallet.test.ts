import { expect, test } from "vitest";

import { features } from "#server/features.ts";
import { runMaintenance } from "#server/maintenance.ts";
import { createOperatedApp } from "#tests/support/admin/operated-app.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";

const day = 24 * 60 * 60_000;

test("the setup page says how passes are configured, what is wrong, and no key", async () => {
  const pageOf = async (env: Record<string, string>) => {
    const { admin } = await createOperatedApp(env);
    return (await admin.get("/admin/setup")).text();
  };
  expect(await pageOf({})).toContain("No certificate, so no card offers a pass.");
  const good = await pageOf(walletSettings);
  expect(good).toMatch(/pass\.example\.card\. The certificates are valid until \w+ \d+, \d{4}\./);
  expect(good).not.toContain("-----BEGIN");
  const bad = await pageOf({ ...walletSettings, APPLE_PASS_TYPE_ID: "pass.other" });
  expect(bad).toContain("No passes: APPLE_PASS_CERTIFICATE is for the pass type pass.example.card");
});

test("operators get a mail 30 and 7 days before a certificate expires, once each", async () => {
  const end = Date.now() + 364 * day;
  let now = Date.now();
  const { services, mails } = await createTestApp({
    env: { ...walletSettings, ADMIN_EMAILS: "operator@example.com, second@example.com" },
    clock: () => now,
  });
  const sent = async (daysLeft: number) => {
    now = end - daysLeft * day;
    await runMaintenance(features, services);
    await runMaintenance(features, services);
    return (await mails()).filter(({ subject }) => subject.startsWith("The certificate for wallet passes expires on"))
      .length;
  };
  const counts = [];
  for (const daysLeft of [40, 32, 28, 20, 8, 5, 2, -3]) counts.push(await sent(daysLeft));
  expect(counts).toEqual([0, 0, 2, 2, 2, 4, 4, 4]);
});

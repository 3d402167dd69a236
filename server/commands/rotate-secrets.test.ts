import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { readSignedMailLink, signMailLink } from "#app/services/mail/mail-links.server.ts";
import { clientKey } from "#app/services/client-api/client-route.server.ts";
import { takeBackupCode, replaceBackupCodes } from "#app/services/auth/factors/backup-codes.server.ts";
import { totpEncryption } from "#app/services/auth/auth-deps.server.ts";
import { createSecretBox } from "#app/services/base/secret-box.server.ts";
import { openSecrets } from "#app/services/config/secrets.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import { copyBrowser } from "#tests/support/app/visitor.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import { startProblemOf } from "#tests/support/storage/setting-rows.ts";

import { rotateSecrets } from "./rotate-secrets.ts";

test("a rotation ends all sessions; links stay valid until the next one, and what was encrypted is encrypted anew", async () => {
  const first = await createSignedInApp();
  const { services, ada } = first;
  const { config } = services;
  const ownerId = (await services.auth.findUserId(ada.email)) ?? "";
  expect(await startProblemOf(() => rotateSecrets(config))).toMatch(/^Another Meishi process is already using /);

  const secretsOf = () => openSecrets(join(config.dataDir, "secrets.json")).all();
  const webhook = { id: "hook", owner_id: ownerId, kinds: "[]", created_at: 1, updated_at: 1 };
  const box = services.secretBox("webhooks");
  const url = box.encrypt("https://example.com/hook", ownerId);
  await services.db
    .insertInto("webhook_endpoint")
    .values({ ...webhook, url, secret: box.encrypt("whsec_1", ownerId) })
    .execute();
  const chat = {
    owner_id: ownerId,
    channel: "chat",
    timing: "now",
    hour: 8,
    updated_at: 1,
    address: services.secretBox("chats that hear of leads").encrypt("https://chat.example/1", ownerId),
  };
  await services.db.insertInto("lead_notice").values(chat).execute();
  const totp = createSecretBox(secretsOf(), totpEncryption.purpose).encrypt("JBSWY3DPEHPK3PXP", ownerId);
  await services.db
    .insertInto("second_factor")
    .values({ owner_id: ownerId, totp_secret: totp, enabled_at: 1 })
    .execute();
  const [firstCode = "", secondCode = ""] = await transact(services.db, (trx) =>
    replaceBackupCodes(secretsOf(), trx, ownerId),
  );
  const link = decodeURIComponent(signMailLink(services.sign, "weekly", ownerId));
  const key = clientKey(services);

  async function check(app: typeof first | Awaited<ReturnType<typeof createTestApp>>) {
    const { db, secretBox } = app.services;
    const hook = await db.selectFrom("webhook_endpoint").selectAll().executeTakeFirstOrThrow();
    const notice = await db
      .selectFrom("lead_notice")
      .select("address")
      .where("channel", "=", "chat")
      .executeTakeFirstOrThrow();
    const factor = await db.selectFrom("second_factor").select("totp_secret").executeTakeFirstOrThrow();
    expect(secretBox("webhooks").read(hook.url, ownerId)).toBe("https://example.com/hook");
    expect(secretBox("webhooks").read(hook.secret, ownerId)).toBe("whsec_1");
    expect(hook.old_secret).toBe("");
    expect(secretBox("chats that hear of leads").read(notice.address, ownerId)).toBe("https://chat.example/1");
    // With the new secret alone.
    const { secret } = secretsOf();
    expect(createSecretBox({ secret }, "totp").read(factor.totp_secret ?? "", ownerId)).toBe("JBSWY3DPEHPK3PXP");
    expect(clientKey(app.services)).toBe(key);
    expect(app.logLines.filter(({ level }) => Number(level) >= 40)).toEqual([]);
    const take = (code: string) => transact(db, (trx) => takeBackupCode(secretsOf(), trx, { ownerId, code }));
    return { take, link: readSignedMailLink(app.services.sign, "weekly", link) };
  }

  const before = readFileSync(join(config.dataDir, "secrets.json"), "utf8");
  await first.close();
  expect(await rotateSecrets(config)).toContain("1 session has ended. Start Meishi.");
  expect(readFileSync(join(config.dataDir, "secrets.json"), "utf8")).not.toBe(before);
  const second = await createTestApp({ restarted: first });
  const afterOne = await check(second);
  expect(afterOne.link).toBe(ownerId);
  expect(await afterOne.take(firstCode)).toBe(9);
  expect((await copyBrowser(second, ada).get("/home")).status).toBe(302);

  await second.close();
  await rotateSecrets(config);
  const afterTwo = await check(await createTestApp({ restarted: second }));
  expect(afterTwo.link).toBeUndefined();
  expect(await afterTwo.take(secondCode)).toBeUndefined();
});

import { expect, test } from "vitest";

import { isDue } from "#app/features/backups/feature.server.ts";
import { saveLastBackup } from "#app/services/backup/last-backup.server.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const hour = 60 * 60_000;
const made = Date.UTC(2026, 10, 28, 3, 4);
const claim = "each backup is kept for 14 days. The last one was made and checked on November 28, 2026.";

/** An app whose last backup was made so many hours ago. */
async function openAfter(hours: number, BACKUP = "daily") {
  const app = await createTestApp({ env: { BACKUP }, clock: () => made + hours * hour });
  await saveLastBackup(app.services.db, { name: "meishi.tar", createdAt: made, bytes: 1, days: 14 });
  const read = async (path: string) => (await app.visitor().get(path)).text();
  return { services: app.services, read };
}

test("visitors read about backups where the last daily one was checked within two days", async () => {
  for (const [hours, setting, isShown] of [
    [47, "daily", true],
    [49, "daily", false],
    [1, "off", false],
  ] as const) {
    const { read } = await openAfter(hours, setting);
    expect((await read("/status")).includes(claim)).toBe(isShown);
    expect((await read("/")).includes(claim)).toBe(isShown);
    const backup = isShown ? { madeAt: "2026-11-28T03:04:00.000Z", keptDays: 14 } : null;
    expect(JSON.parse(await read("/status.json"))).toMatchObject({ backup });
  }
});

test("a backup is due once a day after 03:00 UTC, and at once when there is none", async () => {
  for (const [hours, due] of [
    [0.1, false],
    [23.9, false],
    [24, true],
    [60, true],
  ] as const) {
    const { services } = await openAfter(hours);
    expect(await isDue(services), `after ${hours} hours`).toBe(due);
  }
  expect(await isDue((await createTestApp()).services)).toBe(true);
});

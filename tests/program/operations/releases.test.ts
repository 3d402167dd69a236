import { execFile } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, onTestFinished, test } from "vitest";

import { environment } from "#app/services/config/config.server.ts";
import { logIn } from "#tests/support/app/visitor.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { startProgram } from "#tests/support/program/program.ts";
import { visitorOf } from "#tests/support/program/users.ts";
import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

/**
 * A backup of an installation of each release, with an account, a card, files and a lead, and the contact file that it served. After a
 * release, the next one's is added, and none is ever changed.
 */
const folder = join(import.meta.dirname, "../../support/fixtures/releases");
const releases = readdirSync(folder).flatMap((name) => (name.endsWith(".tar") ? [name.slice(0, -".tar".length)] : []));

test.each(releases.flatMap((release) => listEngines().map((engine) => [release, engine] as const)))(
  "a backup of %s is restored on %s and brought up to date, with everything in it",
  async (release, engine) => {
    const { databaseUrl } = engine === "postgres" ? await makeDatabase(engine, { migrated: false }) : {};
    const target = { DATA_DIR: join(makeTempFolder(), "data"), ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
    const command = join(import.meta.dirname, "../../../build/server/backup.js");
    const args = [command, "restore", join(folder, `${release}.tar`)];
    await promisify(execFile)(process.execPath, args, { env: { PATH: environment().PATH, ...target } });
    const program = await startProgram(target);
    onTestFinished(() => program.remove());
    await program.isUp();
    expect(readdirSync(join(target.DATA_DIR, "backups"))).toEqual([expect.stringMatching(/^before-update-\d+\.tar$/)]);

    const ada = visitorOf(program);
    await logIn(ada, { email: "ada@example.com", password: "tea with Charles" });
    const cards = await (await ada.get("/cards")).text();
    const cardId = /\/cards\/edit\/([\w-]+)/.exec(cards)?.[1] ?? "";
    const contact = await (await visitorOf(program).get(`/card/${cardId}/contact.vcf`)).text();
    const served = readFileSync(join(folder, `${release}.vcf`), "utf8");
    expect(contact.replaceAll(program.url, "https://cards.example")).toBe(served);
    expect((await (await ada.get("/leads")).text()).includes("Grace Hopper")).toBe(true);
    const profile = await (await ada.get("/profile")).text();
    for (const text of ["/avatars/", "Ada.pdf"]) expect(profile.includes(text), text).toBe(true);
  },
);

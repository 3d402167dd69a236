import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { expect, test } from "vitest";

import { rowsOf, withDatabase } from "#tests/support/program/database.ts";
import { signUpAt } from "#tests/support/program/users.ts";
import type { ProgramUser } from "#tests/support/program/users.ts";
import { startProgram } from "#tests/support/program/program.ts";
import { freePort } from "#tests/support/program/free-port.ts";
import type { Program } from "#tests/support/program/program.ts";
import { jpeg, pdf } from "#tests/support/app/uploads.ts";

const rounds = 8;
const twoDays = 2 * 24 * 60 * 60_000;

test(`shows every acknowledged upload and leaves no orphans after ${rounds} times kill -9 during uploads`, async () => {
  const env = { PORT: String(await freePort()) };
  let program = await startProgram(env);
  try {
    await program.isUp();
    const ada = await signUpAt(program, "ada@example.com");
    const told = { avatar: "", banner: "" };
    for (let round = 0; round < rounds; round++) {
      const first = Promise.withResolvers<void>();
      const uploads = [
        uploadUntilDead(program, ada, { slot: "avatar", onAcknowledged: first.resolve }),
        uploadUntilDead(program, ada, { slot: "banner" }),
        uploadUntilDead(program, ada, { slot: "resume" }),
      ];
      // Every other round waits for an acknowledged upload; in the rest it depends on timing.
      if (round % 2 === 1) await first.promise;
      await pause(150 + Math.random() * 250);
      await program.kill("SIGKILL");
      const [avatar, banner] = await Promise.all(uploads);
      told.avatar = avatar || told.avatar;
      told.banner = banner || told.banner;
      makeOld(program);
      program = await startProgram({ ...env, DATA_DIR: program.dataDir });
      expect(await program.isUp()).toBe(true);
      await expect.poll(() => findInconsistencies(program), { interval: 200 }).toEqual([]);
      const shown = rowsOf(
        program,
        "select avatar_key_prefix, banner_key_prefix from profile where owner_id = ?",
        ada.id,
      )[0];
      // An upload in flight may be stored or not; the shown one is never older than the last acknowledged.
      expect(String(shown?.["avatar_key_prefix"] ?? "") >= told.avatar).toBe(true);
      expect(String(shown?.["banner_key_prefix"] ?? "") >= told.banner).toBe(true);
    }
    expect(told.avatar).not.toBe("");
    // Polled, because the self-check of the storage writes a temporary file once a minute.
    await expect.poll(() => readdirSync(join(program.dataDir, "files/.drafts"))).toEqual([]);
  } finally {
    await program.remove();
  }
});

/** The key prefix of the last acknowledged upload; calls back after the first one. */
async function uploadUntilDead(
  program: Program,
  person: ProgramUser,
  { slot, onAcknowledged }: { slot: string; onAcknowledged?: () => void },
): Promise<string> {
  const bytes = new Uint8Array(slot === "resume" ? pdf("x".repeat(100_000)) : await jpeg());
  for (let keyPrefix = ""; ;) {
    const init = { method: "POST", headers: { origin: program.url }, body: bytes };
    const text = person.request(`/uploads/${slot}?name=a`, init).then((response) => response.text());
    const answer = await text.catch(() => "no answer");
    if (!answer.startsWith("{")) return keyPrefix;
    const said = JSON.parse(answer) as { keyPrefix?: string; message: string };
    keyPrefix = said.keyPrefix ?? keyPrefix;
    if (said.keyPrefix) onAcknowledged?.();
    // The rate limit is not under test here.
    if (!said.keyPrefix) execute(program, "delete from attempt");
  }
}

/** Makes all times two days older, as if the process had been down. */
function makeOld({ dataDir }: Program) {
  const then = Date.now() - twoDays;
  execute({ dataDir }, `update asset set created_at = created_at - ${twoDays} where is_ready = 0`);
  execute({ dataDir }, "update job set run_at = 0, leased_until = 0");
  execute({ dataDir }, "delete from attempt");
  for (const path of storedFiles({ dataDir })) utimesSync(join(dataDir, "files", path), then / 1_000, then / 1_000);
}

function storedFiles({ dataDir }: Pick<Program, "dataDir">): string[] {
  const entries = readdirSync(join(dataDir, "files"), { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return paths.map((path) => path.slice(join(dataDir, "files").length + 1)).filter((path) => /^[a-z-]+\//.test(path));
}

/** Lists disagreements between files, rows, quota and profile. */
function findInconsistencies(program: Program): string[] {
  const assets = rowsOf(program, "select files, key_prefix, is_ready from asset");
  const named = assets.flatMap(({ files }) => JSON.parse(String(files)) as { path: string; bytes: number }[]);
  const [room] = rowsOf(program, "select sum(bytes) as bytes, sum(files) as files from storage");
  const profiles = rowsOf(
    program,
    "select avatar_key_prefix, banner_key_prefix, resume_key_prefix from profile where avatar_key_prefix is not null or banner_key_prefix is not null or resume_key_prefix is not null",
  );
  const shown = profiles.flatMap((profile) => Object.values(profile)).filter((prefix) => prefix !== null);
  const facts: [string, unknown, unknown][] = [
    ["files", storedFiles(program).toSorted(), named.map(({ path }) => path).toSorted()],
    [
      "room",
      [Number(room?.["bytes"]), Number(room?.["files"])],
      [named.reduce((sum, { bytes }) => sum + bytes, 0), named.length],
    ],
    ["shown", shown.toSorted(), assets.map(({ key_prefix }) => key_prefix).toSorted()],
    ["unready", assets.filter(({ is_ready }) => is_ready === 0), []],
  ];
  return facts
    .filter(([, one, other]) => JSON.stringify(one) !== JSON.stringify(other))
    .map((fact) => JSON.stringify(fact));
}

const execute = ({ dataDir }: Pick<Program, "dataDir">, statement: string) =>
  withDatabase(dataDir, (database) => database.exec(statement));

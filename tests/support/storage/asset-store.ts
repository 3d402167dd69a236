import pino from "pino";

import { displayLogo } from "#app/features/cards/data.server.ts";
import { profileFiles } from "#app/features/profile/profile-upload.server.ts";
import { removeFiles, removeFilesJob } from "#app/features/uploads/storage/remove-files.server.ts";
import { createTextSigner } from "#app/services/base/signed-token.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import type { DomainEvent } from "#app/services/events/event.ts";
import { createJobs } from "#app/services/jobs/jobs.server.ts";

import { makeWriteServices } from "#tests/support/database/write-services.ts";
import { testWorkers } from "#tests/support/workers.ts";

import { makeStore } from "./stores.ts";
import type { StoreKind } from "./stores.ts";

export type AssetStore = Awaited<ReturnType<typeof openAssetStore>>;

/** The upload feature with a database and a store; the owners "ada" and "eda" have a profile and a card each. */
export async function openAssetStore(db: Db, kind: StoreKind = "folder") {
  const time = { now: Date.now() };
  const clock = () => time.now;
  const log = pino({ level: "silent" });
  const files = await makeStore(kind);
  const handlers = { [removeFilesJob]: (payload: unknown) => removeFiles({ db, files, clock }, payload) };
  const jobs = createJobs({ db, clock, log, handlers });
  const recorded: DomainEvent[] = [];
  const { events, rateLimits } = await makeWriteServices(db, clock);
  events.subscribe({
    name: "test",
    kinds: "all",
    everywhere: (event) => void recorded.push(event),
    missed: () => undefined,
  });
  for (const owner of ["ada", "eda"]) {
    const times = { created_at: 1, updated_at: 1 };
    const row = { owner_id: owner, display_name: owner, bio: "", cards_owned: 1, ...times };
    await db.insertInto("profile").values(row).execute();
    const card = { id: `card-of-${owner}`, code: owner, owner_id: owner, card_name: "Card", years: null, ...times };
    await db.insertInto("card").values(card).execute();
  }

  /** An owner's rows, quota and files, and the assets their profile and card name. */
  async function stateOf(owner: string) {
    const paths: string[] = [];
    for await (const { path } of files.list("")) if (path.split("/")[1] === owner) paths.push(path);
    const assets = await db.selectFrom("asset").selectAll().where("owner_id", "=", owner).execute();
    const quotaRow = await db.selectFrom("storage").selectAll().where("owner_id", "=", owner).executeTakeFirst();
    const profile = await db.selectFrom("profile").selectAll().where("owner_id", "=", owner).executeTakeFirst();
    const card = await db.selectFrom("card").selectAll().where("owner_id", "=", owner).executeTakeFirst();
    const quota = { bytes: quotaRow?.bytes ?? 0, files: quotaRow?.files ?? 0 };
    return { paths: paths.toSorted(), assets, quota, profile, card };
  }

  /** Lists differences between stored files, rows and quota, and assets that neither profile nor card uses. */
  async function listFaults(owner: string): Promise<string[]> {
    const { paths, assets, quota, profile, card } = await stateOf(owner);
    const named = assets.flatMap(({ files: text }) => JSON.parse(text) as { path: string; bytes: number }[]);
    const shown = [
      profile?.avatar_key_prefix,
      profile?.banner_key_prefix,
      profile?.resume_key_prefix,
      card?.logo_key_prefix,
    ].filter(Boolean);
    const facts: [string, unknown, unknown][] = [
      ["files and rows", paths, named.map(({ path }) => path).toSorted()],
      ["bytes", quota.bytes, named.reduce((sum, { bytes }) => sum + bytes, 0)],
      ["number", quota.files, named.length],
      ["shown and rows", shown.toSorted(), assets.map(({ key_prefix }) => key_prefix).toSorted()],
      ["unready", assets.filter(({ is_ready }) => is_ready === 0), []],
    ];
    return facts.filter(([, a, b]) => JSON.stringify(a) !== JSON.stringify(b)).map((fact) => JSON.stringify(fact));
  }

  const displays = { ...profileFiles, logo: displayLogo };
  const services = { db, files, workers: testWorkers, jobs, events, rateLimits, displays, clock, log };
  return { ...services, sign: createTextSigner("secret"), time, recorded, stateOf, listFaults };
}

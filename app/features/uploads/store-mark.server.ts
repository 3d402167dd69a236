import { randomUUID } from "node:crypto";

import type { Services } from "#app/services/context.ts";
import type { Db } from "#app/services/database.server.ts";

type Needed = Pick<Services, "db" | "files" | "log">;

/**
 * Whether this database and this store belong together: the first process to meet both leaves the same random text in each. Says in the
 * log what is wrong when they do not.
 */
export async function isOwnStore({ db, files, log }: Needed): Promise<boolean> {
  const known = await findMark(db);
  const left = await files.read(MARK);
  const there = left && Buffer.from(left).toString().trim();
  if (known !== undefined && known === there) return true;
  if (known === undefined && there === undefined) {
    await files.put(MARK, Buffer.from(await leaveMark(db)), "text/plain");
    return true;
  }
  log.warn(
    there === undefined
      ? `The files of this database lie elsewhere: on the first node, or where they were before. Nodes share files through S3 (S3_ENDPOINT …); when you move there, copy the whole of DATA_DIR/files. If this is the right place, put a file named ${MARK} there that says ${known}.`
      : `These files belong to another database: is DATABASE_URL, DATA_DIR or S3_BUCKET the one that was used before? Files that nothing shows are kept until they fit. If they are right, delete the file named ${MARK} there, and the setting of that name in the database.`,
  );
  return false;
}

async function findMark(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom("setting").select("value").where("name", "=", MARK).executeTakeFirst();
  return row?.value;
}

/** Of two that leave one at the same moment both have that of the first. */
async function leaveMark(db: Db): Promise<string> {
  await db
    .insertInto("setting")
    .values({ name: MARK, value: randomUUID() })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const { value } = await db.selectFrom("setting").select("value").where("name", "=", MARK).executeTakeFirstOrThrow();
  return value;
}

const MARK = "store-id";

import type { Logger } from "pino";

import { createCounter } from "#app/features/analytics/counter.server.ts";
import { mailFor } from "#app/features/account/mails.ts";
import { ensureSample, removeSample } from "#app/features/marketing/sample.server.ts";
import { removeFiles, removeFilesJob } from "#app/features/uploads/remove-files.server.ts";
import { createAuth, createAuthTables } from "#app/services/auth.server.ts";
import { createBus } from "#app/services/bus.server.ts";
import type { Config } from "#app/services/config.server.ts";
import type { Services } from "#app/services/context.ts";
import { openDataFolder } from "#app/services/data-folder.server.ts";
import { openDatabase } from "#app/services/database.server.ts";
import { openFiles } from "#app/services/files.server.ts";
import { createJobs } from "#app/services/jobs.server.ts";
import { createLimits } from "#app/services/limits.server.ts";
import { createMail, readMail } from "#app/services/mail.server.ts";
import { migrate } from "#app/services/migrate.server.ts";
import { createPictures } from "#app/services/pictures.server.ts";
import { createSign } from "#app/services/seal.server.ts";
import { readSiteContent } from "#app/services/site-content.server.ts";

import { compareSecret } from "./same-secret.ts";

type Options = {
  /** Folder of the .sql files. */
  migrations: string;
  log: Logger;
  clock?: () => number;
  /** See createAuth: how long an answer about an e-mail address takes at least, in milliseconds. */
  answerAfter?: number;
};

type Opened = { services: Services; close(): Promise<void> };

/**
 * Opens everything the product leans on, in the order in which it is needed. `close` shuts it in the reverse order and writes
 * what is still in memory. Throws a start problem when something can't be had; then nothing stays open.
 */
export async function openServices(
  config: Config,
  { migrations, log, clock = Date.now, answerAfter }: Options,
): Promise<Opened> {
  const closers: (() => void | Promise<void>)[] = [];
  const opened = <T>(thing: T, close: () => void | Promise<void>): T => {
    closers.push(close);
    return thing;
  };
  const close = async () => {
    for (const next of closers.splice(0).toReversed()) await next();
  };
  try {
    const folder = openDataFolder(config.dataDir);
    opened(folder, folder.close);
    const content = readSiteContent(config.dataDir);
    const database = await openDatabase({ ...config, log });
    const { db, engine } = opened(database, database.close);
    await migrate(db, engine, migrations);
    await createAuthTables(db, engine);
    const secret = folder.secret("auth");
    if (engine === "postgres") await compareSecret(db, secret, log);

    const files = await openFiles({ config, folder, log });
    const mail = createMail(config, folder.mailDir);
    const jobs = createJobs({
      db,
      clock,
      log,
      handlers: {
        mail: (payload) => mail.send(readMail(payload)),
        [removeFilesJob]: (payload) => removeFiles({ db, files, clock }, payload),
      },
    });
    opened(jobs, jobs.stop);
    const bus = await createBus({ engine, databaseUrl: config.databaseUrl, log });
    opened(bus, bus.close);
    const pictures = createPictures({ bus });
    opened(pictures, pictures.close);
    const counter = createCounter({ db, engine, log, clock });
    opened(counter, counter.stop);
    const limits = createLimits({ db, secret, clock });
    const sign = createSign(secret);
    const auth = createAuth({
      db,
      engine,
      config,
      secret,
      log,
      ...(answerAfter !== undefined && { answerAfter }),
      enqueueMail: (message) => jobs.enqueue(db, "mail", mailFor(message, config.baseUrl)),
    });
    await (config.demo ? ensureSample(db, clock()) : removeSample({ db, jobs }));
    return {
      services: {
        config,
        log,
        db,
        engine,
        auth,
        mail,
        jobs,
        bus,
        limits,
        counter,
        files,
        pictures,
        content,
        sign,
        clock,
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

import type { Logger } from "pino";

import type { SecretBox } from "#app/services/base/secret-box.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import type { FileStorage } from "#app/services/storage/file-storage.server.ts";

/** What a feature adds to the export of an account's data. A feature declares it, so that no other feature needs to know its tables. */
export type DataExport = {
  /** The tables whose rows of the owner are exported. A test finds a table with an owner that no feature names. */
  tables: readonly string[];
  /** Tables with an owner that are not exported, and why. */
  leftOut?: Readonly<Record<string, string>>;
  /**
   * The parts of data.json by name, each read when it is written. Only what a person may see: no password hash, no token, no key. A part
   * with many rows is a generator, which is never in memory as a whole.
   */
  sections: (source: ExportSource) => Readonly<Record<string, () => Promise<unknown> | AsyncIterable<unknown>>>;
  /** Lists the files without reading them. */
  listFiles?: (source: ExportSource) => Promise<ExportedFile[]>;
  /** For README.txt: "contacts/", "Each card as a contact file." */
  explanations?: readonly { name: string; text: string }[];
};

/** The owner whose data is exported, and where it is read from. */
export type ExportSource = {
  ownerId: string;
  db: Db;
  files: FileStorage;
  baseUrl: string;
  /** Decrypts what is stored encrypted. */
  secretBox: (purpose: string) => SecretBox;
  log: Logger;
};

export type ExportedFile = {
  /** The path in the archive: "contacts/Work.vcf". A second file of the same name gets a number. */
  name: string;
  /** Undefined when the file is missing in the store. */
  open: () => Promise<Uint8Array | ReadableStream<Uint8Array> | undefined>;
};

import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";

import { formatDate } from "#app/services/base/format.ts";
import type { DataExport, ExportedFile, ExportSource } from "#app/services/features/data-export.ts";

import { jsonText } from "./json-text.server.ts";
import { writeZip } from "./zip-write.server.ts";
import type { ZipEntry } from "./zip-write.server.ts";

type ArchiveOptions = {
  /** The local file that is written. */
  path: string;
  time: number;
  onProgress: (progress: { done: number; total: number }) => Promise<void>;
};

/** Writes the data of an owner to a ZIP archive: what each feature adds, and a README.txt. */
export async function writeArchive(
  exports: readonly DataExport[],
  source: ExportSource,
  { path, time, onProgress }: ArchiveOptions,
): Promise<void> {
  const listed = await Promise.all(exports.map(async ({ listFiles }) => (await listFiles?.(source)) ?? []));
  const files = withUniqueNames(listed.flat());
  const total = files.length + 2;
  let done = 0;
  const missing: string[] = [];
  await onProgress({ done, total });
  const readme = () =>
    readmeText({ host: new URL(source.baseUrl).host, time, explanations: explain(exports), missing });
  const entries: ZipEntry[] = [
    { name: "data.json", level: 6, open: async () => Readable.from(dataText(exports, source, time)) },
    ...files.map(({ name, open }) => ({ name, level: 1, open: async () => toStream(await open()) })),
    // Last, because it names the missing files.
    { name: "README.txt", level: 6, open: async () => Readable.from([readme()]) },
  ];
  await writeZip(entries, {
    path,
    time,
    onEntry: async ({ name }, isMissing) => {
      if (isMissing) missing.push(name);
      await onProgress({ done: ++done, total });
    },
  });
}

function dataText(exports: readonly DataExport[], source: ExportSource, time: number) {
  const about = { format: "meishi-export-1", site: source.baseUrl, exportedAt: time };
  const sections = exports.flatMap((one) => Object.entries(one.sections(source)));
  return jsonText([["export", async () => about], ...sections]);
}

function explain(exports: readonly DataExport[]) {
  return exports.flatMap(({ explanations }) => explanations ?? []);
}

function toStream(body: Uint8Array | ReadableStream<Uint8Array> | undefined): Readable | undefined {
  if (body === undefined) return undefined;
  if (body instanceof Uint8Array) return Readable.from([body]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Node's type and the DOM's describe the same class
  return Readable.fromWeb(body as NodeReadableStream<Uint8Array>);
}

/** Two cards may have one name: the second file becomes "Work (2).vcf". Some systems ignore case. */
function withUniqueNames(files: readonly ExportedFile[]): ExportedFile[] {
  const used = new Set<string>();
  return files.map((file) => {
    let name = file.name;
    for (let number = 2; used.has(name.toLowerCase()); number++)
      name = file.name.replace(/(\.[^./]+)?$/, (extension) => ` (${number})${extension}`);
    used.add(name.toLowerCase());
    return { ...file, name };
  });
}

type Readme = {
  host: string;
  time: number;
  explanations: readonly { name: string; text: string }[];
  /** Names of files that couldn't be found. */
  missing: readonly string[];
};

/** The README.txt of an export. Lines end as Windows' Notepad expects. */
function readmeText({ host, time, explanations, missing }: Readme): string {
  const lines = [
    `Your data from ${host}, as of ${formatDate(time)}`,
    "",
    "data.json",
    ...indent(
      "Everything that is stored about your account, as text: the account, your profile, links and cards, statistics, sessions and security events. Times are in UTC. Passwords, keys and sign-in links are not included.",
    ),
    ...explanations.flatMap(({ name, text }) => ["", name, ...indent(text)]),
    "",
    "Keep this file private: it contains your contact details and where you signed in.",
    ...(missing.length > 0 ? ["", "These files couldn’t be found and are missing here:", ...missing] : []),
  ];
  return lines.map((line) => `${line}\r\n`).join("");
}

/** Breaks text into indented lines of at most 76 characters. */
function indent(text: string): string[] {
  return text.match(/\S.{0,71}(?=\s|$)/g)?.map((line) => `    ${line}`) ?? [];
}

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";

import { describe, expect, test } from "vitest";

import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

import { writeZip } from "./zip-write.server.ts";
import type { ZipEntry } from "./zip-write.server.ts";

const archivePath = () => join(makeTempFolder(), "archive.zip");

// In another locale, Info-ZIP reports file names that it can't show as a failure.
const unzip = (...args: string[]) =>
  execFileSync("unzip", args, { encoding: "utf8", maxBuffer: 1e7, env: { ...process.env, LC_ALL: "C.UTF-8" } });

const options = (path: string) => ({ path, time: Date.UTC(2026, 10, 22), onEntry: async () => undefined });
const entry = (name: string, open: ZipEntry["open"]): ZipEntry => ({ name, level: 6, open });

describe("an archive", () => {
  test("is read by Info-ZIP, with names in every script and an empty file", async () => {
    const path = archivePath();
    const texts: Record<string, string> = {
      "contacts/Zoë 名刺.vcf": "BEGIN:VCARD\r\n",
      "empty.txt": "",
      "big.txt": "x".repeat(3e6),
    };
    const entries = Object.entries(texts).map(([name, text]) => entry(name, async () => Readable.from([text])));
    await writeZip(entries, options(path));
    expect(unzip("-tq", path)).toContain("No errors detected");
    for (const [name, text] of Object.entries(texts)) expect(unzip("-p", path, name)).toBe(text);
  });

  test("has one entry open at a time, and leaves out what is missing", async () => {
    const path = archivePath();
    let opened = 0;
    let mostOpened = 0;
    const counted = async () => {
      mostOpened = Math.max(mostOpened, ++opened);
      return Readable.from(["text"]).once("close", () => opened--);
    };
    const entries = Array.from({ length: 20 }, (_, index) => entry(`${index}.txt`, counted));
    await writeZip([...entries, entry("missing.txt", async () => undefined)], options(path));
    expect(mostOpened).toBe(1);
    expect(unzip("-Z1", path).trim().split("\n")).toHaveLength(20);
  });

  test("is refused as a whole when an entry can't be read", async () => {
    async function* lines() {
      yield "text";
      throw new Error("the connection was lost");
    }
    const writing = writeZip([entry("a.txt", async () => Readable.from(lines()))], options(archivePath()));
    await expect(writing).rejects.toThrow("the connection was lost");
  });

  test("is refused when its folder can't be written, and closes the entry", async () => {
    const path = join(archivePath(), "no", "such", "folder.zip");
    async function* lines() {
      for (;;) yield "x".repeat(65_536);
    }
    const endless = Readable.from(lines());
    await expect(writeZip([entry("a.txt", async () => endless)], options(path))).rejects.toThrow("ENOENT");
    expect(endless.destroyed).toBe(true);
    expect(existsSync(path)).toBe(false);
  });
});

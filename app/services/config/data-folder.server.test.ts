import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { openDataFolder } from "./data-folder.server.ts";
import type { DataFolder } from "./data-folder.server.ts";
import { isStartProblem } from "#app/services/base/errors.ts";

let parent: string;
let dataDir: string;
let opened: DataFolder[];

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "meishi-folder-"));
  dataDir = join(parent, "some", "where");
  opened = [];
});

afterEach(() => {
  for (const folder of opened) folder.close();
  rmSync(parent, { recursive: true });
});

describe("the data folder", () => {
  test("is created with mode 0700 and 0600", () => {
    open().secret("auth");
    expect(modeOf(dataDir)).toBe(0o700);
    expect(modeOf(join(dataDir, "mail"))).toBe(0o700);
    expect(modeOf(join(dataDir, "secrets.json"))).toBe(0o600);
    expect(modeOf(join(dataDir, "lock.db"))).toBe(0o600);
    expect(readdirSync(dataDir).toSorted()).toEqual(["files", "lock.db", "mail", "secrets.json"]);
    expect(modeOf(join(dataDir, "files"))).toBe(0o700);
  });

  test("keeps one secret per name across restarts", () => {
    const first = open();
    const auth = first.secret("auth");
    const other = first.secret("other");
    first.close();
    const second = open();
    expect(auth).toMatch(/^[\w-]{43}$/);
    expect(other).not.toBe(auth);
    expect([second.secret("auth"), second.secret("other")]).toEqual([auth, other]);
  });

  test.each(["", "{", '{"auth":"short"}', "[]", '{"auth":7}', "null"])(
    "never replaces damaged secrets: %j",
    (content) => {
      mkdirSync(dataDir, { recursive: true });
      writeFileSync(join(dataDir, "secrets.json"), content);
      expect(problemOf(open)).toMatch(/secrets\.json are damaged/);
      expect(readFileSync(join(dataDir, "secrets.json"), "utf8")).toBe(content);
      rmSync(join(dataDir, "secrets.json"));
      open();
    },
  );

  test("is rejected in one line when it is a file, or in one", () => {
    writeFileSync(join(parent, "some"), "");
    expect(problemOf(open)).toBe(`The data folder ${dataDir} (DATA_DIR) can't be used: a part of that path is a file.`);
    dataDir = join(parent, "some");
    expect(problemOf(open)).toBe(
      `The data folder ${dataDir} (DATA_DIR) can't be used: a file with that name already exists.`,
    );
  });

  test.skipIf(process.getuid?.() === 0)("is rejected in one line when it is not writable", () => {
    const locked = join(parent, "locked");
    mkdirSync(locked, { mode: 0o500 });
    for (dataDir of [locked, join(locked, "data")])
      expect(problemOf(open)).toMatch(/: no permission to write there\.$/);
  });

  test("is rejected in one line when it can't be created", () => {
    dataDir = "/proc/meishi";
    expect(problemOf(open)).toMatch(/^The data folder \/proc\/meishi \(DATA_DIR\) can't be used: /);
  });
});

describe("a second start on the same folder", () => {
  test("is rejected at once and changes nothing", () => {
    open();
    const before = performance.now();
    expect(problemOf(open)).toBe(
      `Another Meishi process is already using ${dataDir} (DATA_DIR). Stop it first, or use another folder for this one.`,
    );
    expect(performance.now() - before).toBeLessThan(1000);
    expect(existsSync(join(dataDir, "secrets.json"))).toBe(false);
    expect(problemOf(open)).toMatch(/Another Meishi/);
  });

  test("works after the first process has stopped", () => {
    open().close();
    expect(open).not.toThrow();
  });

  test("is rejected in another process, and works after the first one was killed with -9", async () => {
    const child = await openInChild();
    expect(problemOf(open)).toMatch(/Another Meishi process is already using/);
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    expect(open).not.toThrow();
  });
});

function open() {
  const folder = openDataFolder(dataDir);
  opened.push(folder);
  return folder;
}

function problemOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (isStartProblem(error)) return error.message;
    throw error;
  }
  throw new Error("nothing was wrong");
}

async function openInChild() {
  const module = join(import.meta.dirname, "data-folder.server.ts");
  const program = `const { openDataFolder } = await import(${JSON.stringify(module)});
    const folder = openDataFolder(${JSON.stringify(dataDir)});
    process.stdout.write("open");
    setInterval(() => folder, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}

function modeOf(path: string) {
  return statSync(path).mode & 0o777;
}

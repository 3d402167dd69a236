import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { beforeEach, describe, expect, test } from "vitest";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { startProblemOf as problemOf } from "#tests/support/storage/setting-rows.ts";
import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

import { openDataFolder } from "./data-folder.server.ts";

let parent: string;
let dataDir: string;

beforeEach(() => {
  parent = makeTempFolder();
  dataDir = join(parent, "some", "where");
});

describe("the data folder", () => {
  test("is created with mode 0700 and 0600, and keeps its secret across restarts", () => {
    const first = open();
    const secrets = first.secrets();
    first.close();
    const modes = readdirSync(dataDir).map((name) => [name, modeOf(join(dataDir, name)).toString(8)]);
    const expected = { files: "700", "lock.db": "600", mail: "700", "secrets.json": "600" };
    expect([modeOf(dataDir), Object.fromEntries(modes)]).toEqual([0o700, expected]);
    const second = open();
    expect(secrets.secret).toMatch(/^[\w-]{43}$/);
    expect(second.secrets()).toEqual(secrets);
  });

  test("never replaces damaged secrets", async () => {
    mkdirSync(dataDir, { recursive: true });
    const file = join(dataDir, "secrets.json");
    for (const content of ["", "{", '{"auth":"short"}', "[]", '{"auth":7}', "null"]) {
      writeFileSync(file, content);
      expect(await problemOf(open), content).toMatch(/secrets\.json are damaged/);
      expect(readFileSync(file, "utf8")).toBe(content);
    }
    rmSync(file);
    open();
  });

  test("is rejected in one line when it is a file, in one, or can't be created", async () => {
    writeFileSync(join(parent, "some"), "");
    const problem = `The data folder ${dataDir} (DATA_DIR) can't be used: `;
    expect(await problemOf(open)).toBe(`${problem}a part of that path is a file.`);
    dataDir = join(parent, "some");
    expect(await problemOf(open)).toMatch(/ can't be used: a file with that name already exists\.$/);
    dataDir = "/proc/meishi";
    expect(await problemOf(open)).toMatch(/^The data folder \/proc\/meishi \(DATA_DIR\) can't be used: /);
  });

  test.skipIf(process.getuid?.() === 0)("is rejected in one line when it is not writable", async () => {
    const locked = join(parent, "locked");
    mkdirSync(locked, { mode: 0o500 });
    for (dataDir of [locked, join(locked, "data")])
      expect(await problemOf(open)).toMatch(/: no permission to write there\.$/);
  });
});

describe("a second start on the same folder", () => {
  test("is rejected and changes nothing, until the first process has stopped", async () => {
    const first = open();
    for (let n = 0; n < 2; n++)
      expect(await problemOf(open)).toBe(
        `Another Meishi process is already using ${dataDir} (DATA_DIR). Stop it first, or use another folder for this one.`,
      );
    expect(existsSync(join(dataDir, "secrets.json"))).toBe(false);
    first.close();
    expect(open).not.toThrow();
  });

  test("is rejected in another process, and works after the first one was killed with -9", async () => {
    const child = await openInChild();
    expect(await problemOf(open)).toMatch(/Another Meishi process is already using/);
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    expect(open).not.toThrow();
  });
});

function open() {
  const folder = openDataFolder(dataDir);
  cleanUpAfterTest(() => folder.close());
  return folder;
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

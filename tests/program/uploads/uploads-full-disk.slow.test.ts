import { readdirSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, onTestFinished, test } from "vitest";

import { signUpAt } from "#tests/support/program/users.ts";
import { startProgram } from "#tests/support/program/program.ts";
import { canMount, mountSmallDisk } from "#tests/support/program/small-disk.ts";
import { jpeg, pdf, uploadFile } from "#tests/support/app/uploads.ts";

const reason = canMount ? "" : " (skipped: no disk can be mounted here, only root may)";

describe.skipIf(!canMount)(`with a full disk${reason}`, () => {
  test("an upload reports it and leaves no file; existing files can be viewed and removed; uploads work again once there is space", async () => {
    const disk = mountSmallDisk(24);
    onTestFinished(disk.remove);
    const program = await startProgram({ DATA_DIR: join(disk.folder, "data") });
    onTestFinished(program.remove);
    await program.isUp();
    const ada = await signUpAt(program, "ada@example.com");
    const large = Buffer.concat([Buffer.alloc(4_000_000, "%PDF-1.4\n"), pdf()]);
    const person: Pick<typeof ada, "request"> = {
      request: (path, init) => ada.request(path, { ...init, headers: { origin: program.url } }),
    };
    const post = (slot: string, bytes: Uint8Array) => uploadFile(person, slot, { bytes });

    expect((await post("avatar", await jpeg())).status).toBe(200);
    const list = () => readdirSync(join(program.dataDir, "files"), { recursive: true }).toSorted();
    const before = list();
    disk.fill();
    for (let times = 0; times < 3; times++) {
      expect(await post("resume", large)).toEqual({
        status: 503,
        message: "The server is out of disk space. Nothing was changed. Try again later.",
      });
    }
    expect(list()).toEqual(before);
    expect((await fetch(`${program.url}/healthz`)).status).toBe(200);

    disk.free();
    expect((await post("resume", large)).status).toBe(200);
    expect((await post("avatar", await jpeg())).status).toBe(200);
    expect(program.errors()).toBe("");
  });
});

import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { describe, expect, onTestFinished, test } from "vitest";

import { minFormAgeMs } from "#app/features/leads/public/spam-rules.ts";
import { fieldValue, makeCard } from "#tests/support/app/cards.ts";
import { withDatabase } from "#tests/support/program/database.ts";
import { startProgram } from "#tests/support/program/program.ts";
import { canMount, mountSmallDisk } from "#tests/support/program/small-disk.ts";
import { signUpAt, visitorOf } from "#tests/support/program/users.ts";

const reason = canMount ? "" : " (skipped: no disk can be mounted here, only root may)";

describe.skipIf(!canMount)(`with a full disk${reason}`, () => {
  test("a visitor's form says so and keeps what was typed, and arrives once when there is space", async () => {
    const disk = mountSmallDisk(24);
    onTestFinished(disk.remove);
    const program = await startProgram({ DATA_DIR: join(disk.folder, "data") });
    onTestFinished(program.remove);
    await program.isUp();
    const ada = await signUpAt(program, "ada@example.com");
    const cardId = await makeCard(ada);
    await ada.post(`/cards/${cardId}/leads`, { is_on: "on", version: "0", months: "24", "field-note": "optional" });
    const [grace, path] = [visitorOf(program), `/card/${cardId}/connect`];
    const fill = async (n: number) => {
      const html = await (await grace.get(path)).text();
      const [stamp, consent] = [fieldValue(html, "stamp"), fieldValue(html, "consent-answer")];
      const note = `${n}: ${"x".repeat(1_900)}`;
      return { stamp, name: "Grace", email: `grace-${n}@example.com`, note, "consent-answer": consent };
    };
    const forms = await Promise.all(Array.from({ length: 400 }, (_, n) => fill(n)));
    await pause(minFormAgeMs);
    disk.fill();

    // The write-ahead log has some space left; what is acknowledged until then is stored.
    const sent: string[] = [];
    let refused: { form: (typeof forms)[number]; status: number; html: string } | undefined;
    for (const form of forms) {
      const response = await grace.post(path, form);
      if (response.status !== 303) {
        refused = { form, status: response.status, html: await response.text() };
        break;
      }
      sent.push(form.email);
    }
    expect(refused?.status).toBe(503);
    expect(refused?.html).toContain("The server is out of disk space. Your details are still here.");
    expect(fieldValue(refused?.html ?? "", "email")).toBe(refused?.form.email);
    expect(refused?.html).toContain(refused?.form.note);

    disk.free();
    for (let times = 0; times < 2; times++) expect((await grace.post(path, refused?.form ?? {})).status).toBe(303);
    const stored = withDatabase(program.dataDir, (database) => database.prepare("select email from lead").all());
    expect(stored.map(({ email }) => email).toSorted()).toEqual([...sent, refused?.form.email].toSorted());
  });
});

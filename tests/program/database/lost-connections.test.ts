import { expect, onTestFinished, test } from "vitest";

import { profileForm } from "#tests/support/app/profiles.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { openFaultyProxy } from "#tests/support/database/faulty-proxy.ts";
import { queryPostgres } from "#tests/support/program/connections.ts";
import { startProgram } from "#tests/support/program/program.ts";
import { signUpAt } from "#tests/support/program/users.ts";

// One test, because a program of its own for each part would take longer than the parts.
test.runIf(listEngines().includes("postgres"))(
  "lost connections to PostgreSQL go unnoticed in reads; a lost COMMIT answers 503, keeps what was typed and can be sent again",
  async () => {
    const { databaseUrl = "" } = await makeDatabase("postgres", { migrated: false });
    const proxy = await openFaultyProxy(databaseUrl);
    const program = await startProgram({ DATABASE_URL: proxy.url });
    onTestFinished(program.remove);
    await program.isUp();
    const ada = await signUpAt(program, "ada@example.com");
    for (const path of ["/profile", "/cards/edit", `/u/${ada.id}`]) {
      proxy.breakOpenConnections();
      expect((await ada.get(path)).status, path).toBe(200);
    }

    proxy.breakAt({ pattern: /update "profile"[^]*commit/, isForwarded: true });
    const form = profileForm({ bio: "Typed on a train" });
    const response = await ada.post("/profile", form);
    const page = await response.text();
    expect(response.status).toBe(503);
    expect(page).toContain("Your changes may or may not have been saved.");
    expect(page).toContain("Typed on a train");
    expect((await ada.post("/profile", form)).status).toBe(302);
    expect(await (await ada.get(`/u/${ada.id}`)).text()).toContain("Typed on a train");

    for (const [path, isForwarded] of [
      ["/profile", false],
      ["/profile.data", true],
    ] as const) {
      await queryPostgres(databaseUrl, "delete from profile where owner_id <> 'demo-user'");
      proxy.breakAt({ pattern: /insert into "profile"[^]*commit/, isForwarded });
      const first = await ada.get(path);
      expect(first.status, path).toBe(503);
      expect(await first.text()).toMatch(/^Your change may or may not have been saved\. .*reload/);
      expect((await ada.get(path)).status, path).toBe(200);
    }
  },
);

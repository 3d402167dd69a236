import type { TestProject } from "vitest/node";

import { startPostgres } from "./postgres-server.ts";

/** For vitest's globalSetup: one PostgreSQL for the whole run, in a temporary folder, gone when the run ends. */
export default async function setup(project: TestProject) {
  const server = await startPostgres();
  project.provide("postgres", "url" in server ? { url: server.url } : { missing: server.missing });
  return async () => {
    if ("url" in server) await server.stop();
    process.stdout.write(
      `\nDatabases: SQLite, ${"url" in server ? server.version : `no PostgreSQL (${server.missing})`}\n`,
    );
  };
}

declare module "vitest" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- vitest's own is an interface: this adds to it
  export interface ProvidedContext {
    postgres: { url: string } | { missing: string };
  }
}

import { availableParallelism } from "node:os";

import { reactRouter } from "@react-router/dev/vite";
import type { Plugin } from "vite";
import { configDefaults, defineConfig } from "vitest/config";
import type { TestProjectInlineConfiguration } from "vitest/config";

import { bundledText } from "./scripts/bundled-text.ts";
import type { Engine } from "#app/services/database/database.server.ts";

import { runSummary } from "./tests/support/run-summary.ts";

type ProjectOptions = { include: string[]; exclude?: string[]; engines?: Engine[]; retry?: number };

const slowTests = "**/*.slow.test.ts";
/** Journeys whose races, limits and statements about accounts differ between the engines. */
const postgresJourneys = [
  "tests/journeys/account/{change-password,delete-account,rate-limits,sign-up-policy}.test.ts",
  "tests/journeys/account/export/export-contents.test.ts",
  "tests/journeys/account/{factors,sessions}/*.test.ts",
  "tests/journeys/account/sign-in/{connections,email-sign-in,google,guessing}.test.ts",
  "tests/journeys/admin/{admin-actions,system}.test.ts",
  "tests/journeys/api/api-keys.test.ts",
  "tests/journeys/billing/{checkout,webhooks}.test.ts",
  "tests/journeys/{address-book,api,calendar,client-api,integrations,kiosk,lead-notices,live,webhooks}/*.test.ts",
  "tests/journeys/requests/{database-outage,malformed-forms,pooler,stored-pages}.test.ts",
  "tests/journeys/sharing/plan-end.test.ts",
  "tests/journeys/crawlers/sitemap.test.ts",
  "tests/journeys/wallet/{google-interruptions,google-updates,pass-service,pass-updates}.test.ts",
];
/** Tests beside the code that start the whole app. */
const appTestsBesideCode = ["server/**/*.test.ts", "app/features/status/checks.server.test.ts"];

const projectNames = ["unit", "app", "browser", "program", "slow", "postgres"];

export default defineConfig({
  plugins: [reactRouter(), bundledText(), nodeConditions()],
  test: {
    globalSetup: ["./tests/support/database/postgres-server.ts"],
    reporters: [...configDefaults.reporters, runSummary()],
    css: true,
    // React Router's warning about malformed paths, of which random input makes hundreds, and what a provider should have in production.
    onConsoleLog: (text) => !/could not be decoded because it is a malformed URL segment|^oidc-provider /.test(text),
    projects: [
      project("unit", {
        include: ["app/**/*.test.{ts,tsx}", "bench/**/*.test.ts", "tests/*.test.ts", "tests/support/**/*.test.ts"],
        exclude: appTestsBesideCode,
        engines: ["sqlite", "postgres"],
      }),
      project("app", { include: ["tests/journeys/**/*.test.ts", ...appTestsBesideCode] }),
      // Real browsers and processes: a test that failed is repeated once, and the end of the run names it.
      project("browser", { include: ["tests/browser/**/*.test.ts"], retry: 1 }),
      project("program", { include: ["tests/program/**/*.test.ts"], engines: ["sqlite", "postgres"], retry: 1 }),
      project("slow", { include: [slowTests], exclude: [], engines: ["sqlite", "postgres"], retry: 1 }),
      project("postgres", { include: postgresJourneys, engines: ["postgres"] }),
    ],
  },
});

/** Vitest starts Node with "module", a condition of bundlers. The AWS SDK then returns files that Node can't load. */
function nodeConditions(): Plugin {
  return {
    name: "node-conditions",
    configResolved: ({ ssr }) => {
      const { resolve } = ssr;
      if (resolve?.conditions) resolve.conditions = resolve.conditions.filter((condition) => condition !== "module");
    },
  };
}

/** Modules are loaded once per worker, not once per file: a test may leave nothing behind in them. */
function project(
  name: string,
  { include, exclude = [], engines = ["sqlite"], retry = 0 }: ProjectOptions,
): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: {
      name,
      include,
      exclude: [...configDefaults.exclude, ...exclude, ...(name === "slow" ? [] : [slowTests])],
      isolate: false,
      setupFiles: ["./tests/support/setup.ts"],
      provide: { engines },
      retry,
      // One project after another, so that its processor time can be told from the others'.
      sequence: { groupOrder: projectNames.indexOf(name) },
      maxWorkers: availableParallelism(),
      // They only end a test that hangs: on a slow and busy machine every wait may take minutes.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 120_000 } },
    },
  };
}

import { basename, dirname } from "node:path";

import { describe, expect, test } from "vitest";

import {
  featureOf,
  findCycles,
  importsOf,
  isRouteModule,
  isTest,
  listFiles,
  listPaths,
  readSource,
  sourceFiles,
} from "#tests/support/sources.ts";

/**
 * The features that the files of a feature may import; none, for a feature that isn't here. This table is the documentation. Pages,
 * routes and layouts may import any feature; no file may import a page, a route or a layout.
 */
const allowedDependencies: Record<string, readonly string[]> = {
  account: ["analytics", "billing", "cards", "contact", "drawing", "profile", "shell", "uploads"],
  "address-book": ["drawing", "leads", "sharing"],
  admin: ["account", "billing", "plan-mails", "status"],
  api: ["billing", "cards"],
  analytics: ["billing", "cards", "live", "profile", "sharing"],
  avatar: ["uploads"],
  billing: ["shell"],
  calendar: ["sharing"],
  cards: ["billing", "drawing", "linkedin", "links", "live", "profile", "sharing", "shell", "uploads"],
  "client-api": ["billing", "cards", "profile", "uploads", "wallet"],
  content: ["contact"],
  crawlers: ["cards", "profile"],
  drawing: ["shell"],
  home: ["cards", "leads", "shell"],
  integrations: ["address-book", "leads", "shell"],
  kiosk: ["cards", "drawing", "leads", "sharing", "shell"],
  "lead-notices": ["leads", "profile"],
  leads: ["analytics", "cards", "links", "live", "profile", "sharing", "shell"],
  links: ["billing", "linkedin"],
  marketing: ["avatar", "billing", "cards", "drawing", "profile", "shell", "status", "uploads", "wallet"],
  "plan-mails": ["billing", "cards", "profile"],
  profile: ["avatar", "billing", "drawing", "links", "live", "sharing", "shell", "uploads"],
  scanner: ["leads"],
  sharing: ["drawing", "shell"],
  status: ["uploads"],
  start: ["avatar", "billing", "cards", "links", "profile", "sharing", "uploads"],
  wallet: ["billing", "cards", "drawing", "links", "live", "sharing", "shell", "uploads"],
  webhooks: ["billing", "cards", "leads", "shell"],
};

/**
 * A feature's root is what others may import, and its subfolders are its own; but these files in subfolders have importers in other
 * features. The list may only become shorter.
 */
const borrowedFiles = [
  "app/features/account/sessions/security-event-messages.ts",
  "app/features/account/settings/account-deletion-data.server.ts",
  "app/features/avatar/studio/studio-button.tsx",
  "app/features/cards/list/card-image.tsx",
  "app/features/cards/public/business-card.tsx",
  "app/features/cards/public/show-all-field.tsx",
  "app/features/cards/vcard/contact-image.server.ts",
  "app/features/cards/vcard/vcard.ts",
  "app/features/leads/export/lead-vcard.ts",
  "app/features/leads/inbox/inbox-data.server.ts",
  "app/features/leads/inbox/lead-data.server.ts",
  "app/features/leads/inbox/list/listed-lead-row.server.ts",
  "app/features/leads/inbox/merge/person-rules.ts",
  "app/features/leads/public/connect-style.ts",
  "app/features/leads/public/lead-form.tsx",
  "app/features/profile/files/avatar-field.tsx",
  "app/features/profile/files/crop-dialog.tsx",
  "app/features/profile/handle/handle-data.server.ts",
  "app/features/profile/handle/handle-rules.ts",
  "app/features/sharing/offline/offline-qr.ts",
  "app/features/sharing/public-page/public-page-style.tsx",
  "app/features/sharing/public-page/public-page.css",
  "app/features/shell/frame/call-to-action-banner.tsx",
  "app/features/shell/frame/page-status.tsx",
  "app/features/shell/icons/icon-files.ts",
  "app/features/uploads/storage/remove-files.server.ts",
  "app/features/wallet/apple/demo-pass.server.ts",
];

const maxEntries = 15;
/** Folders that may have more entries than `maxEntries`, and why. */
const largeFolders: Record<string, string> = {
  "app/features": "a folder for each feature",
  "app/services": "a folder for each area",
  "app/services/auth": "a folder for each way to sign in, and what they share",
  "app/features/cards": "one schema and eight activities",
  "app/features/profile": "one schema and six activities",
  "app/ui/components": "every component that isn't a form field",
  "app/features/leads": "forms, consent and inbox, which kiosks, the scanner and notices use",
};

/** Files of fewer than 40 lines that only one neighbor imports, and why they aren't part of it. */
const smallFiles: Record<string, string> = {
  "app/features/analytics/report/present-status.tsx": "the page would be too long",
  "app/features/billing/checkout/payment-request.server.ts": "calls Stripe, for a page",
  "app/features/content/docs/events-section.tsx": "a chapter, like its neighbors",
  "app/features/profile/editor/links/campaign-preview.tsx": "loaded when it is needed",
  "app/features/scanner/reading/image-worker.ts": "runs in a worker",
};

/** Imports of our own source files, by file. */
const imports = new Map(sourceFiles.map((file) => [file, importsOf(file)]));

function listImports(isFound: (file: string, imported: string) => boolean): string[] {
  return [...imports].flatMap(([file, paths]) =>
    paths.filter((path) => isFound(file, path)).map((path) => `${file} imports ${path}`),
  );
}

describe("dependencies", () => {
  test("no file imports a page, a route or a layout", () => {
    expect([...imports.values()].flat().length).toBeGreaterThan(1_000);
    expect(listImports((_, path) => isRouteModule(path))).toEqual([]);
  });

  test("features import features only along the table", () => {
    const broken = listImports((file, path) => {
      const from = featureOf(file);
      const to = featureOf(path);
      return !!from && !!to && from !== to && !isRouteModule(file) && !allowedDependencies[from]?.includes(to);
    });
    expect(broken).toEqual([]);
  });

  test("features import from a subfolder of another feature only what is listed", () => {
    const borrowed = [...imports].flatMap(([file, paths]) => {
      const isElsewhere = (path: string) =>
        !!featureOf(path) && !!featureOf(file) && featureOf(path) !== featureOf(file);
      return isRouteModule(file) ? [] : paths.filter((path) => isElsewhere(path) && path.split("/").length > 4);
    });
    expect([...new Set(borrowed)].toSorted()).toEqual(borrowedFiles);
  });

  test("the table has no cycles, and allows nothing that is not used", () => {
    const used = new Set<string>();
    for (const [file, paths] of imports)
      if (!isRouteModule(file)) for (const path of paths) used.add(`${featureOf(file)} -> ${featureOf(path)}`);
    expect(findCycles(new Map(Object.entries(allowedDependencies)))).toEqual([]);
    const unused = Object.entries(allowedDependencies).flatMap(([from, allowed]) =>
      (allowed.length > 0 ? allowed : ["no feature"]).map((to) => `${from} -> ${to}`).filter((pair) => !used.has(pair)),
    );
    expect(unused).toEqual([]);
  });

  test("files don't import each other in a circle, types included", () => {
    const inTests = listFiles("{tests,bench}/**/*.ts").map((file): [string, string[]] => [file, importsOf(file)]);
    expect(findCycles(new Map([...imports, ...inTests]))).toEqual([]);
  });

  test("services import only services, ui imports only ui, and app doesn't import server", () => {
    const stayInside = ["app/services/", "app/ui/"];
    const broken = listImports((file, path) => {
      const folder = stayInside.find((inside) => file.startsWith(inside));
      // The version of the program is in package.json.
      if (path === "package.json") return false;
      return folder ? !path.startsWith(folder) : file.startsWith("app/") && path.startsWith("server/");
    });
    expect(broken).toEqual([]);
  });

  test("server/ names no path of a feature, which declares its own", () => {
    const files = sourceFiles.filter((file) => file.startsWith("server/"));
    expect(files.length).toBeGreaterThan(10);
    const paths = files.flatMap((file) => listPaths(file).map((path) => `${file}: ${path}`));
    // Built files belong to no feature; the last four are modules, for Vite.
    expect(paths).toEqual([
      "server/app.ts: /assets/*",
      "server/dev.ts: /server/services.ts",
      "server/dev.ts: /server/features.ts",
      "server/dev.ts: /server/http/sockets.ts",
      "server/dev.ts: /server/app.ts",
    ]);
  });

  test("only the configuration reads the environment", () => {
    const readers = sourceFiles.filter((file) => readSource(file).includes("process.env"));
    expect(readers).toEqual(["app/services/config/config.server.ts"]);
  });
});

describe("files and folders", () => {
  test("a folder has at most 15 entries, tests not counted", () => {
    // The folders of journeys are named after features, however many journeys one has.
    const entries = new Map<string, Set<string>>();
    for (let path of [...sourceFiles, ...listFiles("{tests,bench}/**/*.ts")]) {
      for (let folder = dirname(path); folder !== "."; folder = dirname(path)) {
        entries.set(folder, (entries.get(folder) ?? new Set()).add(basename(path)));
        path = folder;
      }
    }
    const tooLarge = [...entries].filter(([, names]) => names.size > maxEntries).map(([folder]) => folder);
    expect(tooLarge.filter((folder) => !(folder in largeFolders) && !folder.startsWith("tests/journeys"))).toEqual([]);
  });

  test("a file of fewer than 40 lines that only one neighbor imports is part of that neighbor", () => {
    const importers = new Map<string, string[]>();
    for (const file of listFiles("{app,server,tests,bench}/**/*.{ts,tsx}"))
      for (const path of new Set(importsOf(file))) importers.set(path, [...(importers.get(path) ?? []), file]);
    const small = sourceFiles.filter((file) => {
      const [importer, ...others] = importers.get(file) ?? [];
      const isOfNeighbor = importer && others.length === 0 && !isTest(importer) && dirname(importer) === dirname(file);
      return isOfNeighbor && readSource(file).split("\n").length <= 40;
    });
    expect(small).toEqual(Object.keys(smallFiles));
  });

  test("no file is longer than 300 lines", () => {
    const files = listFiles("{{app,server,tests,bench}/**/*.{ts,tsx},app/**/*.css,scripts/**/*.mjs}");
    expect(files.length).toBeGreaterThan(sourceFiles.length);
    expect(files.filter((file) => readSource(file).split("\n").length > 301)).toEqual([]);
  });

  test("a stylesheet has the classes of each feature's components", () => {
    const sources = listFiles("app/features/**/*.css").map(
      (file) => readSource(file).match(/^@source "[^"]*"/gm) ?? [],
    );
    const named = new Set(sources.flat().flatMap((line) => line.match(/[a-z-]+/g) ?? []));
    const features = new Set(sourceFiles.filter((file) => file.endsWith(".tsx")).map(featureOf));
    // The landing page's stylesheet names its own folder "..".
    expect([...features].filter((feature) => feature && feature !== "marketing" && !named.has(feature))).toEqual([]);
  });

  test("the route table and the route modules match", () => {
    const named = [...readSource("app/routes.ts").matchAll(/"(features\/[^"]+)"/g)].map((match) => `app/${match[1]}`);
    const modules = sourceFiles.filter((file) => featureOf(file) && isRouteModule(file));
    expect([...new Set(named)].toSorted()).toEqual(modules);
  });
});

import { existsSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { signInMethods } from "#app/services/auth/sessions/session-rows.server.ts";
import { describeDataModel } from "../scripts/data-model.ts";
import { listFiles, readSource, sourceFiles } from "#tests/support/sources.ts";

const root = join(import.meta.dirname, "..");

/** The requirements of levels 1 and 2 in chapters V6, V7 and V10 of ASVS 5.0: each section, and how many it has. */
const requirements = `
  6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2
  10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3
`;

describe("the documents", () => {
  test("docs/data-model.md is what scripts/data-model.ts makes of the migrations, with a comment for each table", () => {
    const text = readSource("docs/data-model.md");
    expect(text).toBe(describeDataModel());
    expect(text).not.toContain("|  |");
  });

  test.each(["security/asvs.md", "security/authentication.md", "sign-in.md", "sign-in-layers.md", "api-client.md"])(
    "%s names only tests, files and pages of the documentation that exist",
    (name) => {
      const file = join("docs", name);
      const text = readSource(file);
      const exists = (path: string) => existsSync(join(root, path));
      const tests = [...text.matchAll(/`([\w./-]+\.test\.tsx?)`/g)].map(([, path = ""]) => path);
      expect(
        tests.filter(
          (path) => ![path, join("tests/journeys", path), join("tests/journeys/client-api", path)].some(exists),
        ),
      ).toEqual([]);
      const sources = [...text.matchAll(/`((?:app|server|tests)\/[\w./-]+\.tsx?)`/g)].map(([, path = ""]) => path);
      expect(sources.filter((path) => !exists(path))).toEqual([]);
      const links = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, path = ""]) => path);
      const missing = links.filter((path) => !path.startsWith("http") && !exists(join(file, "..", path)));
      expect(missing).toEqual([]);
    },
  );

  test("the ASVS document has each requirement once, and a test for each that is met", () => {
    const rows = [...readSource("docs/security/asvs.md").matchAll(/^\| (\d+\.\d+\.\d+) \|.*$/gm)];
    const sections = [...requirements.matchAll(/(\S+):(\d+)/g)];
    const expected = sections.flatMap(([, section, count]) =>
      Array.from({ length: Number(count) }, (_, n) => `${section}.${n + 1}`),
    );
    expect(rows.map(([, number]) => number)).toEqual(expected);
    const columns = rows.map(([row]) => row.split(" | ").map((text) => text.replace(/^\|\s*|\s*\|$/g, "")));
    const isCovered = ([, , , state, where = "", covered = ""]: string[]) => {
      if (state === "n/a") return true;
      if (state === "**not met**") return where.length > 80;
      return (state === "met" || state === "partly") && covered.includes(".test.ts");
    };
    expect(columns.filter((row) => !isCovered(row))).toEqual([]);
  });

  test("the list of sign-in methods has every method that the code knows, and no other", () => {
    const table = /## Sign-in methods\n([\s\S]*?)\n## /.exec(readSource("docs/security/authentication.md"))?.[1] ?? "";
    const methods = [...table.matchAll(/^\| [^|]+ \| `([\w-]+)` \|/gm)].map(([, method = ""]) => method);
    expect(methods.toSorted()).toEqual([...signInMethods].toSorted());
  });
});

test("a sign-up asks for an email and a password, and for no hint or secret question", () => {
  const schema = readSource("app/features/account/schema.ts");
  expect(/credentialsForm = z\.object\(\{([^}]*)\}/.exec(schema)?.[1]?.trim()).toBe("email, password");
  const columns = listFiles("migrations/*.sql").map(readSource).join("\n");
  expect(columns).not.toMatch(/hint|question/i);
});

test("code about accounts takes randomness from node:crypto alone", () => {
  const files = sourceFiles.filter((file) => /^(?:app\/services\/auth|app\/features\/(?:account|admin))\//.test(file));
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => readSource(file).includes("Math.random"))).toEqual([]);
});

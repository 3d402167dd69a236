// `node_modules/.bin/node scripts/data-model.ts`: writes docs/data-model.md. A test compares it with the migrations.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** All tables by area, with what the comments in the migrations say of them. */
export function describeDataModel(): string {
  const areas = readdirSync(join(root, "migrations")).flatMap((file) => {
    const tables = [...readFileSync(join(root, "migrations", file), "utf8").matchAll(tablePattern)];
    // A migration may only change rows.
    if (tables.length === 0) return [];
    const rows = tables.map(
      ([, comment = "", name]) => `| \`${name}\` | ${comment.replaceAll(/\n?-- /g, " ").trim()} |`,
    );
    return `\n## [${areaOf(file)}](../migrations/${file})\n| table | content |\n|---|---|\n${rows.join("\n")}\n`;
  });
  return `# Data model\nMade from the comments in \`migrations/\`, which also explain the columns.\n${areas.join("")}`;
}

const tablePattern = /((?:^-- .*\n)*)^create table (\w+)/gm;

function areaOf(file: string): string {
  const words = file.replace(/^\d+-|\.sql$/g, "").replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

if (process.argv[1] === import.meta.filename) writeFileSync(join(root, "docs/data-model.md"), describeDataModel());

// `node_modules/.bin/node scripts/data-model.ts`: writes docs/data-model.md. A test compares it with the migrations.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** All tables by area, with what the comments in the migrations say of them. */
export function describeDataModel(): string {
  const migrations = readdirSync(join(root, "migrations")).map((file) => ({
    file,
    text: readFileSync(join(root, "migrations", file), "utf8"),
  }));
  const added = migrations.flatMap(({ file, text }) =>
    [...text.matchAll(columnPattern)].map(([, comment = "", table, column]) => ({
      table,
      text: ` [Added later](../migrations/${file}): \`${column}\`. ${joinLines(comment)}`,
    })),
  );
  const areas = migrations.flatMap(({ file, text }) => {
    const tables = [...text.matchAll(tablePattern)];
    // A migration may only change rows.
    if (tables.length === 0) return [];
    const rows = tables.map(([, comment = "", name]) => {
      const later = added.filter(({ table }) => table === name).map((column) => column.text);
      return `| \`${name}\` | ${joinLines(comment)}${later.join("")} |`;
    });
    return `\n## [${areaOf(file)}](../migrations/${file})\n| table | content |\n|---|---|\n${rows.join("\n")}\n`;
  });
  return `# Data model\nMade from the comments in \`migrations/\`, which also explain the columns.\n${areas.join("")}`;
}

const tablePattern = /((?:^-- .*\n)*)^create table (\w+)/gm;
/** With a comment of its own; those below it without one belong to it. */
const columnPattern = /((?:^-- .*\n)+)^alter table (\w+) add column (\w+)/gm;

/** Without the condition under which a migration isn't carried out. */
function joinLines(comment: string): string {
  return comment.replace(/^-- Unless .*\n/m, "").replaceAll(/\n?-- /g, " ").trim();
}

function areaOf(file: string): string {
  const words = file.replace(/^\d+-|\.sql$/g, "").replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

if (process.argv[1] === import.meta.filename) writeFileSync(join(root, "docs/data-model.md"), describeDataModel());

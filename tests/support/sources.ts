import { globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

import { parseAst } from "vite";

const root = join(import.meta.dirname, "../..");

/** Paths from the root of the repository, sorted, without declaration files. */
export function listFiles(pattern: string): string[] {
  return globSync(pattern, { cwd: root })
    .filter((file) => !file.endsWith(".d.ts"))
    .toSorted();
}

export function readSource(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

/** The program's own files, without tests. */
export const sourceFiles = listFiles("{app,server}/**/*.{ts,tsx}").filter((file) => !isTest(file));

export function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file);
}

/** A route module: no other file may import it. */
export function isRouteModule(file: string): boolean {
  return /-(page|layout)\.tsx$|-route\.ts$/.test(file);
}

/** "cards" for a file below app/features/cards. */
export function featureOf(file: string): string | undefined {
  return /^app\/features\/([^/]+)\//.exec(file)?.[1];
}

/** Our own files that a file imports, types included. React Router's generated types are left out. */
export function importsOf(file: string): string[] {
  const specifiers = readSource(file).matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g);
  return [...specifiers].flatMap(([, specifier = ""]) => {
    const path = specifier.replace(/\?\w+$/, "");
    if (path.includes("+types/")) return [];
    if (path.startsWith("#")) return [path.slice(1)];
    return path.startsWith(".") ? [posix.join(dirname(file), path)] : [];
  });
}

/**
 * The names after what writes and reads tables, in Kysely and in SQL; the caller knows which of them are tables. A loop that deletes from
 * several writes to all in the file's lists.
 */
export function tablesOf(file: string): Record<"written" | "read", Set<string>> {
  const source = readSource(file).replace(/^\s*(?:\/\/|\/?\*).*$/gm, "");
  const find = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, ...names]) => names.find(Boolean) ?? "");
  const sql = source.includes("sql") ? source : "";
  const lists = /\.deleteFrom\(\w/.test(source) ? find(source, /(\[[\s\w",.]*\])/g).join() : "";
  const written = [
    ...find(source, /(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*"(\w+)|deleteInParts\([^"]*from: "(\w+)/g),
    ...find(sql, /\b(?:insert into|delete from|merge into|update) "?(\w+)/g),
    ...find(lists, /"(\w+)"/g),
  ];
  const read = [
    ...find(source, /(?:selectFrom|from|using|[a-z]+Join)\(\s*\[?"(\w+)/g),
    ...find(sql, /\b(?:from|join) "?(\w+)/g),
  ];
  return { written: new Set(written), read: new Set(read) };
}

/** The texts and regular expressions of a file that begin with a path, such as "/uploads/:slot" or /^\/cards/. "/" isn't one. */
export function listPaths(file: string): string[] {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const text = textOf(node);
    if (/^\^?(?:\(\?:)?(?:\\?\/)[\w.:(]/.test(text)) found.add(text);
    Object.values(node).forEach(visit);
  };
  visit(parseAst(readSource(file), { lang: file.endsWith("x") ? "tsx" : "ts" }));
  return [...found];
}

type LiteralNode = { type?: string; value?: unknown; regex?: { pattern: string } };

/** The text of a string, the source of a regular expression, or the beginning of a template; "" for other nodes. */
function textOf(node: object): string {
  const { type, value, regex } = node as LiteralNode;
  if (type === "TemplateElement") return (value as { raw: string }).raw;
  if (type !== "Literal") return "";
  return regex?.pattern ?? (typeof value === "string" ? value : "");
}

/** Groups of two and more nodes that reach each other (Tarjan's strongly connected components). */
export function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const lower = (node: string, value: number) => lowest.set(node, Math.min(lowest.get(node) ?? value, value));

  function visit(node: string) {
    order.set(node, order.size);
    lower(node, order.size - 1);
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) {
        visit(next);
        lower(node, lowest.get(next) ?? 0);
      } else if (stack.includes(next)) {
        lower(node, order.get(next) ?? 0);
      }
    }
    if (lowest.get(node) !== order.get(node)) return;
    const cycle = stack.splice(stack.indexOf(node));
    if (cycle.length > 1) cycles.push(cycle.toSorted());
  }

  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return cycles;
}

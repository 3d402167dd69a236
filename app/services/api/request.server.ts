import type { z } from "zod";

import { yieldAfter } from "#app/services/http/form-body.ts";
import type { FileStorage } from "#app/services/storage/file-storage.server.ts";
import { receiveBody } from "#app/services/storage/receive-body.server.ts";

import { ApiProblem, invalid } from "./problem.ts";
import type { Operation, ReceiveFile } from "./resource.ts";

/** The most bytes of a JSON body: fifty links with their schedules have about 20 kB. */
export const maxBodyBytes = 1_000_000;

/** The body as JSON; throws what is wrong with it. */
export async function readJson(request: Request): Promise<unknown> {
  return parseJson(await readBytes(request));
}

type FileDeps = { files: FileStorage; authenticate: () => Promise<unknown> };

/** The body of a call, or what receives its file. Throws what is wrong with it. */
export async function readBody(
  request: Request,
  { body: schema, file }: Operation,
  deps: FileDeps,
): Promise<{ raw: Uint8Array; body: unknown }> {
  if (file) return { raw: new Uint8Array(), body: fileReceiver(request, file, deps) };
  const raw = schema ? await readBytes(request) : new Uint8Array();
  if (!schema) return { raw, body: undefined };
  if (raw.length > 0 && !/^application\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(request.headers.get("content-type") ?? ""))
    throw new ApiProblem("unsupported_media_type", "Send the body as application/json.");
  const sent = raw.length > 0 ? parseJson(raw) : {};
  await yieldAfter(raw);
  return { raw, body: checkInput(schema, sent) };
}

/** Throws at once what is wrong with the headers. The key may be revoked while the file arrives. */
function fileReceiver(
  request: Request,
  { mediaTypes, maxBytes }: NonNullable<Operation["file"]>,
  { files, authenticate }: FileDeps,
): ReceiveFile {
  const { headers } = request;
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  if (!mediaTypes.includes(type.trim().toLowerCase()))
    throw new ApiProblem("unsupported_media_type", `Send the file as the body, as one of: ${mediaTypes.join(", ")}.`);
  if (headers.has("idempotency-key"))
    throw new ApiProblem("invalid_request", "Leave out Idempotency-Key: a file may be sent again as it is.");
  checkLength(headers, maxBytes);
  return (work) =>
    receiveBody({ files, request, maxBytes }, async (file, { kind }) => {
      if (kind === "too-large") throw tooLarge(maxBytes);
      if (kind === "cut-off") throw new ApiProblem("invalid_request", "The file was cut off. Send it again.");
      await authenticate();
      return work(file);
    });
}

function checkLength(headers: Headers, maxBytes: number): void {
  if (Number(headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

async function readBytes(request: Request): Promise<Uint8Array> {
  checkLength(request.headers, maxBodyBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    size += part.value.length;
    if (size > maxBodyBytes) throw tooLarge(maxBodyBytes);
    chunks.push(part.value);
  }
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): ApiProblem {
  return new ApiProblem("too_large", `This body has at most ${maxBytes} bytes.`);
}

function parseJson(raw: Uint8Array): unknown {
  let text: string;
  let parsed: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(raw);
    parsed = JSON.parse(text);
  } catch {
    throw new ApiProblem("invalid_json", "The body isn't JSON in UTF-8.");
  }
  const repeated = findRepeatedKey(text);
  if (repeated === undefined) return parsed;
  throw new ApiProblem("invalid_json", `An object has the key ${repeated.slice(0, maxShownKey)} more than once.`);
}

/** A key that one object of valid JSON has twice: parsers differ in which of them counts (RFC 8259 §4). As it was sent, with its quotes. */
function findRepeatedKey(json: string): string | undefined {
  /** The keys of the objects around; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  // In valid JSON, a string before a colon is a key.
  for (const [token, string = "", colon] of json.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\]]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    if (colon === undefined) continue;
    const keys = open.at(-1);
    const key: string = JSON.parse(string);
    if (keys?.has(key)) return string;
    keys?.add(key);
  }
  return undefined;
}

const maxShownKey = 100;

/** The parameters after the "?". Throws what is wrong with them. */
export function readQuery(search: URLSearchParams, { query: schema }: Operation): unknown {
  const names = [...new Set(search.keys())];
  const repeated = names.filter((name) => search.getAll(name).length > 1);
  if (repeated.length > 0)
    throw invalid(
      repeated.map((name) => ({ pointer: `?${name}`, message: "This parameter was sent more than once." })),
    );
  const sent = Object.fromEntries(search);
  if (schema) return checkInput(schema, sent, (path) => `?${path.join(".")}`);
  if (names.length > 0) throw invalid(names.map((name) => ({ pointer: `?${name}`, message: unknownField })));
  return {};
}

const unknownField = "There is no such field, or it can't be set.";

/**
 * Refuses text that was not typed by hand before anything normalizes it, which is quadratic in a run of accents, and nesting that no schema
 * has. Returns what is wrong by path.
 */
function findExcess(
  value: unknown,
  path: readonly PropertyKey[] = [],
): { path: readonly PropertyKey[]; message: string } | undefined {
  if (typeof value === "string" && value.length > maxTextLength)
    return { path, message: `Use at most ${maxTextLength} characters.` };
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value) && value.length > maxItems) return { path, message: `Send at most ${maxItems} items.` };
  if (path.length >= maxDepth) return { path, message: "This is nested too deeply." };
  for (const [key, item] of Object.entries(value)) {
    const found = findExcess(item, [...path, key]);
    if (found) return found;
  }
  return undefined;
}

const maxTextLength = 10_000;
const maxItems = 500;
const maxDepth = 10;

/** What a schema makes of what was sent; throws all that is wrong with it, by pointer. */
export function checkInput(schema: z.ZodType, sent: unknown, toPointer = jsonPointer): unknown {
  const excess = findExcess(sent);
  if (excess) throw invalid([{ pointer: toPointer(excess.path), message: excess.message }]);
  const parsed = schema.safeParse(sent, { error: plainMessage });
  if (parsed.success) return parsed.data;
  const errors = new Map<string, string>();
  for (const issue of parsed.error.issues) {
    const isUnknown = issue.code === "unrecognized_keys";
    for (const path of isUnknown ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]) {
      const pointer = toPointer(path);
      if (!errors.has(pointer)) errors.set(pointer, isUnknown ? unknownField : issue.message);
    }
  }
  throw invalid([...errors].map(([pointer, message]) => ({ pointer, message })));
}

/** Where a schema has no text of its own; undefined for that of the library. */
function plainMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "This field is required." : `Send a value of the type ${issue.expected}.`;
    case "invalid_value":
      return `Send one of: ${issue.values.map((value) => JSON.stringify(value)).join(", ")}.`;
    case "too_big":
      return `At most ${issue.maximum}.`;
    case "too_small":
      return `At least ${issue.minimum}.`;
    default:
      return undefined;
  }
}

/** RFC 6901 §3. */
function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/**
 * The version in `If-Match`. A compressed response has a weak ETag (RFC 9110 §8.8.1), which counts as well: our versions are of the content.
 * One that we never sent matches nothing.
 */
export function readVersion(headers: Headers): number | undefined {
  const sent = headers.get("if-match")?.trim();
  if (sent === undefined || sent === "*") return undefined;
  if (!/^(?:W\/)?"[^"]*"$/.test(sent))
    throw new ApiProblem("invalid_request", 'Send the ETag of the resource as it is, with its quotes: If-Match: "3"');
  const [, version] = /"(\d{1,15})"$/.exec(sent) ?? [];
  return version === undefined ? -1 : Number(version);
}

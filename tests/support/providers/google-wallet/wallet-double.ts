import { generateKeyPairSync, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { decodeProtectedHeader, jwtVerify } from "jose";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

import { listProblems } from "./object-schema.ts";
import { listenAnywhere } from "#tests/support/program/free-port.ts";

export const issuerId = "3388000000012345678";
export const clientEmail = "passes@example-project.iam.gserviceaccount.com";
const keyId = "0123456789abcdef";
const day = 24 * 60 * 60_000;

const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** The content of a service account's JSON file, as Google's console downloads it. */
export function accountFile(fields: Record<string, unknown> = {}): string {
  return JSON.stringify({
    type: "service_account",
    project_id: "example-project",
    private_key_id: keyId,
    private_key: keys.privateKey.export({ type: "pkcs8", format: "pem" }),
    client_email: clientEmail,
    client_id: "100000000000000000000",
    token_uri: "https://oauth2.googleapis.com/token",
    ...fields,
  });
}

/** Settings with which Google can't be reached: nothing listens on this port. */
export function unreachableGoogle() {
  const account = join(mkdtempSync(join(tmpdir(), "meishi-google-")), "account.json");
  writeFileSync(account, accountFile());
  return {
    GOOGLE_WALLET_ISSUER_ID: issuerId,
    GOOGLE_WALLET_SERVICE_ACCOUNT: account,
    GOOGLE_WALLET_API_URL: "http://127.0.0.1:9",
  };
}

type Resource = Record<string, unknown>;
type Answer = { status: number; body?: unknown; headers?: Record<string, string> };

/**
 * Google's token endpoint and Wallet API as documented. It verifies signature, issuer, audience, scope and times of each JWT, and that
 * classes and objects are what the discovery document allows. `state.refuse` decides about each request; while `isDown` no one answers.
 * `clock` is Google's.
 */
export async function openGoogleWalletDouble({ clock = Date.now }: { clock?: () => number } = {}) {
  const state = {
    classes: new Map<string, Resource>(),
    objects: new Map<string, Resource>(),
    /** "PATCH genericObject 404", in order. */
    log: [] as string[],
    problems: [] as string[],
    isDown: false,
    tokens: new Map<string, number>(),
    refuse: (_request: string, _id?: string): Answer | undefined => undefined,
    before: async (_request: string): Promise<void> => undefined,
  };

  async function respond(request: IncomingMessage): Promise<Answer> {
    const url = new URL(request.url ?? "", "http://double");
    const [, , , collection = "token", id] = url.pathname.split("/");
    const name = `${request.method} ${collection}`;
    const body = await text(request);
    await state.before(name);
    const refused = state.refuse(name, id);
    const answer =
      refused ?? (url.pathname === "/token" ? await exchange(body) : answerApi(request, { collection, id, body }));
    state.log.push(`${name} ${answer.status}`);
    return answer;
  }

  async function exchange(body: string): Promise<Answer> {
    const form = new URLSearchParams(body);
    if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer")
      return { status: 400, body: { error: "unsupported_grant_type" } };
    const problem = await assertionProblem(form.get("assertion") ?? "");
    if (problem) return { status: 400, body: { error: "invalid_grant", error_description: problem } };
    const token = `ya29.${randomUUID()}`;
    state.tokens.set(token, clock() + 3_599_000);
    return { status: 200, body: { access_token: token, expires_in: 3599, token_type: "Bearer" } };
  }

  async function assertionProblem(assertion: string): Promise<string> {
    const verified = await verify(assertion, "https://oauth2.googleapis.com/token");
    if (!verified) return "Invalid JWT Signature.";
    const { scope, iat = 0, exp = 0 } = verified;
    const now = clock() / 1000;
    if (exp - iat > 3600 || exp < now || iat > now + 300 || iat < now - 3600)
      return "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.";
    return scope === "https://www.googleapis.com/auth/wallet_object.issuer" ? "" : "Invalid scope.";
  }

  function answerApi(request: IncomingMessage, { collection = "", id, body }: ApiRequest): Answer {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    if (!((state.tokens.get(token) ?? 0) > clock())) return failure(401, "UNAUTHENTICATED");
    const kind = ({ genericObject: "object", genericClass: "class" } as const)[collection];
    const type = request.headers["content-type"] ?? "";
    if (!kind || !type.startsWith("application/json")) return failure(400, "INVALID_ARGUMENT");
    const store = kind === "object" ? state.objects : state.classes;
    const sent = JSON.parse(body) as Resource;
    const key = id ?? String(sent["id"]);
    const existing = store.get(key);
    if (request.method === "PATCH" && !existing) return failure(404, "NOT_FOUND");
    if (request.method === "POST" && existing) return failure(409, "ALREADY_EXISTS");
    const resource = merge(existing ?? {}, sent, request.method === "PATCH");
    if (kind === "object" && !state.classes.has(String(resource["classId"]))) return failure(404, "NOT_FOUND");
    const problems = listProblems(kind, resource);
    if (!key.startsWith(`${issuerId}.`) || resource["id"] !== key) problems.push("id");
    state.problems.push(...problems);
    if (problems.length > 0) return failure(400, "INVALID_ARGUMENT");
    store.set(key, resource);
    return { status: 200, body: resource };
  }

  const server = createServer((request, response) => {
    if (state.isDown) {
      state.log.push("down");
      request.socket.destroy();
      return;
    }
    void respond(request).then((answer) => write(response, answer));
  });
  const port = await listenAnywhere(server);
  const folder = mkdtempSync(join(tmpdir(), "meishi-google-"));
  const path = join(folder, "account.json");
  writeFileSync(path, accountFile());
  cleanUpAfterTest(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });
  return {
    state,
    env: {
      GOOGLE_WALLET_ISSUER_ID: issuerId,
      GOOGLE_WALLET_SERVICE_ACCOUNT: path,
      GOOGLE_WALLET_API_URL: `http://127.0.0.1:${port}`,
    },
    /** The object that a card has at Google. */
    objectOf: (cardId: string) => state.objects.get(`${issuerId}.${cardId}`),
    /** Opens a save link as Google does. Throws for one that it would refuse; returns the object that is saved. */
    openLink: async (link: string) => {
      const jwt = link.replace("https://pay.google.com/gp/v/save/", "");
      const claims = await verify(jwt, "google");
      const { payload, typ, origins } = claims ?? {};
      const ids = (payload as { genericObjects?: { id: string }[] } | undefined)?.genericObjects ?? [];
      const object = state.objects.get(ids[0]?.id ?? "");
      if (link.length > 1800 || typ !== "savetowallet" || !Array.isArray(origins) || !object)
        throw new Error(`Google refuses the link: ${link}`);
      return { object, origins, claims };
    },
  };
}

type ApiRequest = { collection: string | undefined; id: string | undefined; body: string };

/** A JSON merge patch: null removes a field. In a new resource it is kept, and the schema refuses it. */
function merge(existing: Resource, sent: Resource, isPatch: boolean): Resource {
  const merged = { ...existing, ...sent };
  return isPatch ? Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) : merged;
}

function failure(status: number, code: string): Answer {
  return { status, body: { error: { code: status, message: "…", status: code } } };
}

/** The claims, if our service account signed them for this audience. Times are checked elsewhere. */
async function verify(jwt: string, audience: string) {
  try {
    const options = {
      audience,
      issuer: clientEmail,
      algorithms: ["RS256"],
      currentDate: new Date(0),
      clockTolerance: 100 * 365 * day,
    };
    const { payload } = await jwtVerify(jwt, keys.publicKey, options);
    return decodeProtectedHeader(jwt).kid === keyId ? payload : undefined;
  } catch {
    return undefined;
  }
}

function write(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  response.writeHead(status, { "content-type": "application/json; charset=UTF-8", ...headers });
  response.end(body === undefined ? "" : JSON.stringify(body));
}

import createClient from "openapi-fetch";
import type { Client } from "openapi-fetch";

export type MeishiOptions = {
  /** Where the site is: "https://cards.example.com". */
  baseUrl: string;
  /** An API key: "meishi_…". */
  key: string;
  /** By default that of the platform. */
  fetch?: (request: Request) => Promise<Response>;
  /** Waits before a request is repeated; for tests. */
  wait?: (ms: number) => Promise<void>;
};

/** Tries of a request that may be repeated. */
const maxTries = 4;
const maxWaitMs = 120_000;

/**
 * A client of the API of a Meishi site. `Paths` are the types that `npm run generate` writes into schema.d.ts. A request that was refused
 * with 429 or 503 is sent again after the time in `Retry-After` if that can't do anything twice: a GET, a PUT, or one with an
 * `Idempotency-Key`. A Blob is sent as it is, with the `Content-Type` in `headers`.
 */
export function createMeishi<Paths extends object>({
  baseUrl,
  key,
  fetch: send = (request) => fetch(request),
  wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}: MeishiOptions): Client<Paths> {
  return createClient<Paths>({
    baseUrl: new URL("/api/v1", baseUrl).href,
    headers: { authorization: `Bearer ${key}` },
    bodySerializer: (body: unknown) => (body instanceof Blob ? body : JSON.stringify(body)),
    async fetch(request) {
      for (let tries = 1; ; tries++) {
        const response = await send(request.clone());
        const pause = Number(response.headers.get("retry-after") ?? 1) * 1_000;
        const isRefused = response.status === 429 || response.status === 503;
        if (!isRefused || tries === maxTries || !isRepeatable(request) || !(pause <= maxWaitMs)) return response;
        await wait(pause);
      }
    },
  });
}

function isRepeatable({ method, headers }: Request): boolean {
  return method === "GET" || method === "PUT" || headers.has("idempotency-key");
}

type Page<Item> = { data: Item[]; nextCursor: string | null };
type PageResponse<Item> = { data?: Page<Item>; error?: unknown };

/** All items of a list, page by page: `for await (const lead of readPages((cursor) => meishi.GET("/leads", { params: { query: { cursor } } })))`. */
export async function* readPages<Item>(
  read: (cursor: string | undefined) => Promise<PageResponse<Item>>,
): AsyncGenerator<Item> {
  let cursor: string | undefined;
  do {
    const { data, error } = await read(cursor);
    if (!data) throw new Error("A page of the list can't be read.", { cause: error });
    yield* data.data;
    cursor = data.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

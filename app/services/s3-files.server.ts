import type { Logger } from "pino";

import { checkedPath } from "./files-path.ts";
import type { FileBody, Store } from "./files.server.ts";
import { readListing } from "./s3-listing.ts";
import { createS3Client, isS3Refusal } from "./s3-request.server.ts";
import type { S3Place } from "./s3-settings.ts";
import { startProblem } from "./start-problem.ts";

/** The store in a bucket. Throws a start problem when the bucket refuses us; one that can't be reached now may come back. */
export async function openS3(place: S3Place, log: Logger): Promise<Store> {
  const store = createS3Store(place);
  try {
    await store.list("").next();
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    if (isS3Refusal(error))
      throw startProblem(`The bucket ${place.bucket} at ${place.endpoint} can't be used: ${said}`, error);
    log.error({ err: error }, `the bucket ${place.bucket} can't be reached; files will be missing until it can`);
  }
  return store;
}

/** `pageSize`: how many a listing asks for at once. `firstPauseMs`: before the second try of a request. */
export function createS3Store(place: S3Place, { pageSize = 1_000, firstPauseMs = 200 } = {}) {
  const { ask } = createS3Client(place, { firstPauseMs });

  async function put(path: string, body: FileBody, type: string) {
    const answer = await ask({ method: "PUT", path: checkedPath(path), body, headers: { "content-type": type } });
    // There is no file to be missing: the bucket is.
    if (!answer) throw new Error(`S3 found no place for ${path}`);
    await answer.body?.cancel();
  }

  async function open(path: string) {
    const answer = await ask({ method: "GET", path: checkedPath(path) });
    return answer?.body ? asFile(answer, answer.body) : undefined;
  }

  async function read(path: string) {
    const found = await open(path);
    return found && new Uint8Array(await new Response(found.body).arrayBuffer());
  }

  async function remove(path: string) {
    const answer = await ask({ method: "DELETE", path: checkedPath(path) });
    await answer?.body?.cancel();
  }

  async function* list(prefix: string): AsyncGenerator<{ path: string; writtenAt: number }> {
    for (let token: string | undefined = ""; token !== undefined;) {
      const query: Record<string, string> = { "list-type": "2", "max-keys": String(pageSize), prefix };
      if (token) query["continuation-token"] = token;
      const answer = await ask({ method: "GET", path: "", query });
      if (!answer) throw new Error("S3 knows no such bucket.");
      const page = readListing(await answer.text());
      yield* page.files;
      token = page.next;
    }
  }

  return { put, open, read, remove, list };
}

function asFile(answer: Response, body: ReadableStream<Uint8Array>) {
  return { size: Number(answer.headers.get("content-length")), body };
}

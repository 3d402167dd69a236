import { contentDisposition } from "#app/services/http/file-name.ts";

type TextFile = {
  request: Request;
  type: string;
  fileName: string;
  parts: AsyncGenerator<string>;
};

/**
 * Text as a stream that makes the next part when the client has taken the one before, so that a large one is never in memory. Rejects with
 * what fails before the first part.
 */
export async function streamText(parts: AsyncGenerator<string>): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  let first: IteratorResult<string> | undefined = await parts.next();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = first ?? (await parts.next());
      first = undefined;
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}

/** A download that is sent while it is made. */
export async function textFileResponse({ request, type, fileName, parts }: TextFile): Promise<Response> {
  const body = await streamText(parts);
  return new Response(request.method === "HEAD" ? null : body, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "content-disposition": contentDisposition("attachment", fileName, "leads"),
      "cache-control": "no-store",
    },
  });
}

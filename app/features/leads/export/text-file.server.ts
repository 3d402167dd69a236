import { contentDisposition } from "#app/services/http/file-name.ts";

type TextFile = {
  request: Request;
  type: string;
  fileName: string;
  /** Read as fast as the client takes it. */
  parts: AsyncGenerator<string>;
};

/** A download that is sent while it is made, so that a large one is never in memory. */
export function textFileResponse({ request, type, fileName, parts }: TextFile): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
  return new Response(request.method === "HEAD" ? null : body, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "content-disposition": contentDisposition("attachment", fileName, "leads"),
      "cache-control": "no-store",
    },
  });
}

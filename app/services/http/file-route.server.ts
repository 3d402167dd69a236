import { isRouteErrorResponse, redirect } from "react-router";

/**
 * Wraps the loader of a route without a view (an image, a contact file): what it throws with `data(…, { status })` becomes a short text,
 * where the router would send JSON. Redirects, responses and other errors pass through. With `isOpenedByVisitors`, a browser that opens a
 * missing file goes on to the page that the file belongs to, one level up, which says what is missing.
 */
export function fileLoader<Args extends { request: Request; url: URL }>(
  load: (args: Args) => Promise<Response>,
  { isOpenedByVisitors = false } = {},
): (args: Args) => Promise<Response> {
  return async (args) => {
    try {
      return await load(args);
    } catch (error) {
      const status = statusOf(error);
      if (status === undefined) throw error;
      if (status === 404 && isOpenedByVisitors && args.request.headers.get("accept")?.includes("text/html"))
        return redirect(args.url.pathname.replace(/\/[^/]+$/, ""), { headers: { "cache-control": "no-store" } });
      return plainTextResponse(status === 404 ? "There is nothing at this address." : "This request was refused.", {
        status,
      });
    }
  };
}

/** The action of a read-only route. */
export function rejectWrites(): Response {
  return plainTextResponse("This address is read-only.", { status: 405, headers: { allow: "GET, HEAD" } });
}

export function plainTextResponse(
  text: string,
  { status, headers = {} }: { status: number; headers?: Record<string, string> },
) {
  return new Response(text, { status, headers: { ...headers, "content-type": "text/plain; charset=utf-8" } });
}

/** For an image that can't be drawn now, because too many others are waiting. */
export function busyResponse(): Response {
  return plainTextResponse("Too many images are being generated right now. Try again in a moment.", {
    status: 503,
    headers: { "retry-after": "3", "cache-control": "no-store" },
  });
}

/** The status of a value from `data(…, { status })` or of an error of the router. */
function statusOf(error: unknown): number | undefined {
  if (isRouteErrorResponse(error)) return error.status;
  if (error instanceof Response || typeof error !== "object" || error === null || !("init" in error)) return undefined;
  const { init } = error;
  const hasStatus = typeof init === "object" && init !== null && "status" in init && typeof init.status === "number";
  return hasStatus ? Number(init.status) : undefined;
}

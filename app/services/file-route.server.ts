import { isRouteErrorResponse } from "react-router";

/**
 * The loader of a route without a view (a picture, a contact file): what it throws for a visitor becomes a short text, where the
 * router would send JSON. Redirects, answers and crashes go their way.
 */
export function fileLoader<Args>(load: (args: Args) => Promise<Response>): (args: Args) => Promise<Response> {
  return async (args) => {
    try {
      return await load(args);
    } catch (error) {
      const status = statusOf(error);
      if (status === undefined) throw error;
      return plainText(status === 404 ? "There is nothing at this address." : "This request was refused.", { status });
    }
  };
}

/** The action of such a route: it can be read and nothing else. */
export function refuseWrites(): Response {
  return plainText("This address can only be read.", { status: 405, headers: { allow: "GET, HEAD" } });
}

export function plainText(
  text: string,
  { status, headers = {} }: { status: number; headers?: Record<string, string> },
) {
  return new Response(text, { status, headers: { ...headers, "content-type": "text/plain; charset=utf-8" } });
}

/** Of what `data(…, { status })` makes, and of the router's own errors. */
function statusOf(error: unknown): number | undefined {
  if (isRouteErrorResponse(error)) return error.status;
  if (error instanceof Response || typeof error !== "object" || error === null || !("init" in error)) return undefined;
  const { init } = error;
  const hasStatus = typeof init === "object" && init !== null && "status" in init && typeof init.status === "number";
  return hasStatus ? Number(init.status) : undefined;
}

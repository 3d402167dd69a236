import { data, isRouteErrorResponse, redirectDocument } from "react-router";

/**
 * Sends a POST request and leaves the page as it is. Never rejects because of the network: `status` is 0 without a connection (and
 * for a file that was deleted after it was chosen), and 401 when the user is signed out.
 */
export async function submitInPlace(
  path: string,
  body?: BodyInit,
  contentType?: string,
): Promise<{ status: number; text: string }> {
  const headers = { accept: "application/json", ...(contentType && { "content-type": contentType }) };
  try {
    const response = await fetch(path, { method: "POST", body: body ?? null, headers, redirect: "manual" });
    // The only redirect is the one to the sign-in page.
    if (response.type === "opaqueredirect") return { status: 401, text: "" };
    return { status: response.status, text: await response.text() };
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) return { status: 0, text: "" };
    throw error;
  }
}

/** The object that a response body holds as JSON; undefined for anything else, for example a proxy's error page. */
export function parseJsonObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The BroadcastChannel on which the tabs of a browser report who is signed in: the user's id, "" once no one is, or null while visitors have it. */
export const sessionChannel = "meishi.session";
/** Event of the window: a form was refused because the session has ended. */
export const signedOutEvent = "meishi:signed-out";
/** Event of the window: the user has signed in again while the page was open. */
export const signedInEvent = "meishi:signed-in";

export type ActionFailure = "offline" | "signed-out" | "too-large" | "failed";

/**
 * For a `clientAction`: calls the route's action on the server, and returns why it failed instead of rejecting, so that the form keeps
 * what was typed. Throws the redirect that follows a successful save, to `next` if that is given. Return the result with an error status: the router then doesn't
 * reload the page's data.
 */
export async function callServerAction<Result>(
  serverAction: () => Promise<Result>,
  next?: string,
): Promise<{ result: Result } | { failure: ActionFailure }> {
  try {
    return { result: await serverAction() };
  } catch (error) {
    if (error instanceof Response && !error.headers.get("location")?.startsWith("/auth"))
      throw next ? redirectDocument(next) : error;
    const failure = actionFailure(error);
    if (failure === "signed-out") globalThis.dispatchEvent?.(new Event(signedOutEvent));
    return { failure };
  }
}

type ClientAction<Rejection> = {
  request: Request;
  serverAction: () => Promise<Rejection>;
  /** The path that follows a successful save, if the form names one. */
  readNext?: (form: FormData) => string | undefined;
};

/**
 * For the `clientAction` of a form whose action answers with what it rejects. `keep` makes such a rejection from what was typed when the
 * server can't be reached or the user is signed out.
 */
export async function rejectInPlace<Rejection>(
  { request, serverAction, readNext }: ClientAction<Rejection>,
  keep: (form: FormData, failure: ActionFailure) => Rejection,
) {
  const form = await request.clone().formData();
  const response = await callServerAction(serverAction, readNext?.(form));
  // An error status keeps the router from reloading the page's data.
  if ("result" in response) return data(response.result, { status: 422 });
  return data(keep(form, response.failure), { status: 503 });
}

function actionFailure(error: unknown): ActionFailure {
  if (error instanceof Response) return "signed-out";
  // fetch rejects with a TypeError when there is no connection.
  if (error instanceof TypeError) return "offline";
  return isRouteErrorResponse(error) && error.status === 413 ? "too-large" : "failed";
}

type RequestHandler = { request(input: string, init?: RequestInit, env?: unknown): Response | Promise<Response> };

export type Visitor = ReturnType<typeof createVisitor>;

type VisitorRequest = { headers?: Record<string, string>; method?: string; body?: RequestInit["body"] };

const userAgent =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1";

/** A client with a cookie jar: sends the origin with its forms and doesn't follow redirects. */
export function createVisitor(app: RequestHandler, baseUrl: string) {
  const cookies = new Map<string, string>();

  async function request(path: string, { headers = {}, ...init }: VisitorRequest = {}): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await app.request(
      new URL(path, baseUrl).href,
      {
        redirect: "manual",
        ...init,
        headers: { "user-agent": userAgent, host: new URL(baseUrl).host, ...(cookie && { cookie }), ...headers },
      },
      { incoming: { socket: { remoteAddress: "127.0.0.1" } } },
    );
    for (const line of response.headers.getSetCookie()) keep(line);
    return response;
  }

  function keep(line: string) {
    const [pair = "", ...attributes] = line.split("; ");
    const at = pair.indexOf("=");
    const isGone = attributes.some((attribute) => /^max-age=0$/i.test(attribute)) || pair.length === at + 1;
    if (isGone) cookies.delete(pair.slice(0, at));
    else cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }

  return {
    cookies,
    get: (path: string, headers: Record<string, string> = {}) => request(path, { headers }),
    /** Posts a form from our own page. A list of pairs can repeat a name. */
    post: (path: string, form: Record<string, string> | [string, string][], headers: Record<string, string> = {}) =>
      request(path, {
        method: "POST",
        body: new URLSearchParams(form),
        headers: { origin: baseUrl, "content-type": "application/x-www-form-urlencoded", ...headers },
      }),
    request,
  };
}

type FunctionCall = { input?: unknown; headers?: Record<string, string>; method?: string };
type FunctionResponse = { status: number; body: Record<string, unknown>; headers: Headers };

/** Calls a server function from one of our own pages; `input` is the body, as JSON. */
export async function callFunction(
  caller: Visitor,
  name: string,
  { input, headers = {}, method = "POST" }: FunctionCall = {},
): Promise<FunctionResponse> {
  const response = await caller.request(`/functions/v1/${name}`, {
    method,
    headers: {
      origin: "http://localhost:3000",
      ...(input !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(input !== undefined && { body: JSON.stringify(input) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : JSON.parse(text), headers: response.headers };
}

/** A program that calls with a session's token: no cookie, no Origin. */
export function bearerOf(user: Visitor): Record<string, string> {
  const token = decodeURIComponent(user.cookies.get("meishi.session_token") ?? "");
  return { authorization: `Bearer ${token}` };
}

type Credentials = { email: string; password: string };

/** Submits the form for the password on the sign-in page, which leads back to `returnTo`. */
export function logIn(
  visitor: Pick<Visitor, "post">,
  { email, password }: Credentials,
  { returnTo, headers }: { returnTo?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  const path = returnTo === undefined ? "/auth" : `/auth?${new URLSearchParams({ returnTo })}`;
  return visitor.post(path, { intent: "log-in", email, password }, headers);
}

/** Another client with the same cookies. */
export function copyBrowser({ visitor }: { visitor: () => Visitor }, { cookies }: Pick<Visitor, "cookies">): Visitor {
  const copy = visitor();
  for (const [name, value] of cookies) copy.cookies.set(name, value);
  return copy;
}

export async function readPage(visitor: Pick<Visitor, "get">, path: string): Promise<string> {
  return (await visitor.get(path)).text();
}

/** Whether the visitor may open the account page. */
export async function isSignedIn(visitor: Pick<Visitor, "get">): Promise<boolean> {
  return (await visitor.get("/account")).status === 200;
}

export const locationOf = (response: Response) => response.headers.get("location");

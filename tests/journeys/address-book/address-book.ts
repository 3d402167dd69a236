import { openOwner } from "#tests/journeys/leads/lead-owner.ts";

type DavRequest = { path?: string; body?: string; depth?: string; headers?: Record<string, string>; password?: string };

/** The opening tag of a request, with its namespaces. */
export const xmlns = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"';

/** An owner with leads and a device, which has a password. */
export async function openAddressBook(options: Parameters<typeof openOwner>[0] = {}) {
  const owner = await openOwner(options);
  const create = async (name: string) => {
    const response = await owner.ada.post(
      "/leads/devices",
      { intent: "create", name },
      { origin: owner.services.config.baseUrl },
    );
    const html = await response.text();
    return { html, password: /value="((?:\w{4}-){6}\w{4})"/.exec(html)?.[1] ?? "" };
  };
  const { password } = await create("Phone");
  /** A request of the device. */
  const dav = async (method: string, { path = "/dav/leads/", body, depth, headers = {}, ...of }: DavRequest = {}) => {
    const response = await owner.app.request(`http://localhost${path}`, {
      method,
      ...(body !== undefined && { body }),
      headers: {
        authorization: basic(of.password ?? password),
        ...(depth !== undefined && { depth }),
        ...headers,
      },
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const report = (body: string) => dav("REPORT", { body });
  /** What a sync reports: the names that changed and those that are gone, and the next token. */
  const sync = async (token = "") => {
    const prop = "<D:prop><D:getetag/></D:prop>";
    const { status, text } = await report(
      `<D:sync-collection ${xmlns}><D:sync-token>${token}</D:sync-token><D:sync-level>1</D:sync-level>${prop}</D:sync-collection>`,
    );
    const responses = [...text.matchAll(/<d:response><d:href>([^<]+)<\/d:href>(.*)<\/d:response>/g)];
    const isGone = (part = "") => part === "<d:status>HTTP/1.1 404 Not Found</d:status>";
    return {
      status,
      text,
      token: /<d:sync-token>([^<]+)</.exec(text)?.[1] ?? "",
      changed: responses.flatMap(([, href = "", rest]) => (isGone(rest) ? [] : [href])),
      removed: responses.flatMap(([, href = "", rest]) => (isGone(rest) ? [href] : [])),
    };
  };
  return { ...owner, create, password, dav, report, sync };
}

export function basic(password: string): string {
  return `Basic ${Buffer.from(`ada@example.com:${password}`).toString("base64")}`;
}

import { createServer } from "node:http";
import { text } from "node:stream/consumers";

import type { BrowserContext } from "playwright-core";

import type { ProviderDoubles } from "./provider-doubles.ts";
import { listenAnywhere } from "#tests/support/program/free-port.ts";

/**
 * Lets a program in another process reach the providers' doubles: `env` makes it send its requests to other hosts here (see
 * `provider-requests.ts`).
 */
export async function openProviderGateway(providers: ProviderDoubles) {
  const server = createServer((request, response) => {
    void text(request)
      .then((body) => {
        const { "provider-url": url = "", "content-type": type = "" } = request.headers;
        const method = request.method ?? "GET";
        return providers.respond(new URL(String(url)), {
          method,
          ...(body && { body, headers: { "content-type": type } }),
        });
      })
      .then(
        async (answer) => {
          response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" });
          response.end(await answer.text());
        },
        // A provider that is down closes the connection.
        () => response.destroy(),
      );
  });
  const port = await listenAnywhere(server);
  return {
    env: {
      PROVIDER_GATEWAY: `http://127.0.0.1:${port}`,
      NODE_OPTIONS: `--import=${new URL("provider-requests.ts", import.meta.url).href}`,
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The pages of the providers in a browser: each asks once, and sends the user back. */
export async function showProviderPages(context: BrowserContext, providers: ProviderDoubles): Promise<void> {
  await context.route(
    ({ hostname }) => hostname !== "localhost",
    async (route) => {
      const url = new URL(route.request().url());
      const back = url.searchParams.get("post_logout_redirect_uri");
      const body = back ? link(back, "Back to the app") : askUser(url, await providers.approve(url.href));
      await route.fulfill({ contentType: "text/html", body: `<!doctype html><title>${url.hostname}</title>${body}` });
    },
  );
}

function askUser({ searchParams }: URL, callback: URL): string {
  if (searchParams.get("response_mode") !== "form_post") return link(callback.href, "Continue as Ada");
  const fields = [
    ...callback.searchParams,
    ["id_token", "unread"],
    ["user", '{"name":{"firstName":"Ada","lastName":"Lovelace"}}'],
  ];
  const inputs = fields.map(([name = "", value = ""]) => `<input type="hidden" name="${name}" value='${value}'>`);
  return `<form method="post" action="${callback.origin}${callback.pathname}">${inputs.join("")}<button>Continue as Ada</button></form>`;
}

function link(href: string, label: string): string {
  return `<a href="${href.replaceAll("&", "&amp;")}">${label}</a>`;
}

import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";

import { renderToPipeableStream } from "react-dom/server";
import { isRouteErrorResponse, ServerRouter } from "react-router";
import type { EntryContext, HandleErrorFunction, RouterContextProvider } from "react-router";

import { hydrationOf } from "./document.ts";
import { whenIdle } from "./idle-scripts.ts";
import { requestFacts, services } from "#app/services/context.ts";

/** Renders the whole document before the first byte goes out: a page is complete, or it is an error page. */
export default async function handleRequest(...[request, status, headers, entry, context]: Asked) {
  const facts = context.get(requestFacts);
  const { nonce } = facts;
  // Whatever broke, the page that says so is a public one.
  const { matches, errors } = entry.staticHandlerContext;
  const handles = errors ? [] : matches.map(({ route }) => route.handle);
  const hydration = hydrationOf(handles, facts.viewer);
  facts.isHydrated = hydration === "now";
  headers.set("content-type", "text/html; charset=utf-8");
  const html = await renderDocument(<ServerRouter context={entry} url={request.url} nonce={nonce} />, nonce);
  if (hydration !== "idle") return new Response(html, { status, headers });
  const page = whenIdle(new TextDecoder().decode(html), nonce);
  facts.scripts = page.scripts;
  return new Response(page.html, { status, headers });
}

type Asked = [Request, number, Headers, EntryContext, Readonly<RouterContextProvider>];

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // Whoever asked has left, or asked for what is not here: the line of the request says so, and nothing of ours broke.
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  services(context).log.error({ err: error, id: context.get(requestFacts).id }, "request failed");
};

function renderDocument(document: React.ReactNode, nonce: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(document, {
      nonce,
      progressiveChunkSize: Infinity,
      onAllReady: () => resolve(buffer(pipe(new PassThrough()))),
      onShellError: reject,
      onError: reject,
    });
  });
}

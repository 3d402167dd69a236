import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";

import { renderToPipeableStream, renderToStaticMarkup } from "react-dom/server";
import { isRouteErrorResponse, ServerRouter } from "react-router";
import type { EntryContext, HandleErrorFunction, RouterContextProvider } from "react-router";

import { documentScript, hydrationOf } from "./document.ts";
import { deferScripts } from "./deferred-scripts.ts";
import { publicCss, withoutUnusedThemes } from "#app/features/sharing/public-page/public-page-style.tsx";
import { isOutcomeUnknown, isUnavailable } from "#app/services/base/errors.ts";
import { requestContext, services } from "#app/services/http/context.ts";

/** Renders the whole document before it sends the first byte: a page is complete, or it is an error page. */
export default async function handleRequest(...[request, status, headers, entry, context]: RenderArgs) {
  const facts = context.get(requestContext);
  const { nonce } = facts;
  const { matches, errors, loaderData } = entry.staticHandlerContext;
  const ofPage = matches.map(({ route }) => ({ handle: route.handle, loaderData: loaderData[route.id] }));
  const shown = errors ? [] : ofPage;
  const hydration = hydrationOf(shown);
  facts.isHydrated = hydration === "now";
  headers.set("content-type", "text/html; charset=utf-8");
  // The root's error page is a public one; any other is inside the document of its layout.
  facts.inlineScript = documentScript(errors && "root" in errors ? [] : ofPage);
  if (hydration === "none") {
    const page = renderStaticDocument(request, entry);
    facts.publicStyle = withoutUnusedThemes(publicCss, page);
    return new Response(
      page.replace(publicCss, () => facts.publicStyle ?? ""),
      { status, headers },
    );
  }
  const html = await renderDocument(<ServerRouter context={entry} url={request.url} nonce={nonce} />, nonce);
  if (hydration !== "idle") return new Response(html, { status, headers });
  const page = deferScripts(new TextDecoder().decode(html), nonce);
  facts.scripts = page.scripts;
  return new Response(page.html, { status, headers });
}

type RenderArgs = [Request, number, Headers, EntryContext, Readonly<RouterContextProvider>];

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // The client disconnected, or the request was refused: the request's own log line says so, and nothing failed.
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  const state = context.get(requestContext);
  // When a layout can't be rendered because of it, the router reports it a second time, without its message.
  if (state.failure) return;
  if (error instanceof Error && (isOutcomeUnknown(error) || isUnavailable(error))) state.failure = error;
  else services(context).log.error({ err: error, id: state.id }, "request failed");
};

/** A document that nothing hydrates: without React's markers, and without the loader data and routes that only scripts read. */
function renderStaticDocument({ url }: Request, entry: EntryContext): string {
  const ids = entry.staticHandlerContext.matches.map(({ route }) => route.id);
  const ofPage = <Value,>(byRoute: Record<string, Value>) =>
    Object.fromEntries(Object.entries(byRoute).filter(([id]) => ids.includes(id)));
  const context: EntryContext = {
    ...entry,
    manifest: { ...entry.manifest, routes: ofPage(entry.manifest.routes) },
    routeModules: ofPage(entry.routeModules),
    serverHandoffStream: undefined,
  };
  return `<!DOCTYPE html>${renderToStaticMarkup(<ServerRouter context={context} url={url} />)}`;
}

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

import { ReadingFrame, readingLinks } from "#app/features/content/reading-frame.tsx";
import { CodeSample } from "#app/features/content/docs/code-sample.tsx";
import { DefinitionList } from "#app/features/content/docs/docs-elements.tsx";
import { pageHead } from "#app/features/shell/page-head.ts";
import { repeatMs } from "#app/services/api/call-data.server.ts";
import { requestsPerMinute } from "#app/services/api/key-checks.server.ts";
import { maxBodyBytes } from "#app/services/api/request.server.ts";
import { formatBytes } from "#app/services/base/format.ts";
import { markSitePage, services } from "#app/services/http/context.ts";

import type { Route } from "./+types/reference-page.ts";
import { ObjectsSection, ResourceSection } from "./operation-section.tsx";
import { referenceFacts } from "./reference-facts.ts";
import type { ReferenceFacts } from "./reference-facts.ts";

export const links = () => readingLinks;

/** Everything about operations comes from the OpenAPI document. */
export function loader({ context }: Route.LoaderArgs) {
  markSitePage(context);
  const limits = { requestsPerMinute, maxBodyBytes, repeatHours: repeatMs / 3_600_000 };
  return { facts: referenceFacts(services(context).apiDocument()), limits };
}

export function meta(args: Route.MetaArgs) {
  const description =
    "Every operation of the API, with its fields, limits, errors and examples for curl and JavaScript.";
  return pageHead(args, { title: "API reference | Meishi", description });
}

type LimitFacts = Route.ComponentProps["loaderData"]["limits"];

export default function ReferencePage({ loaderData: { facts, limits } }: Route.ComponentProps) {
  const resources = facts.resources.map(({ id, title }) => ({ id, label: title }));
  return (
    <ReadingFrame title="API reference" sections={[...introduction, ...resources, ...endSections]}>
      <div className="prose">
        <p>Read and change your own data with a program. This page describes version 1.</p>
        <Keys baseUrl={facts.baseUrl} />
        <Lists />
        <Writes limits={limits} />
        <Limits limits={limits} />
        <Assistants baseUrl={facts.baseUrl} />
        {facts.resources.map((resource) => (
          <ResourceSection key={resource.id} resource={resource} />
        ))}
        <ObjectsSection objects={facts.objects} />
        <Errors problems={facts.problems} />
      </div>
    </ReadingFrame>
  );
}

/** In page order; a test compares them with the headings. */
const introduction = [
  { id: "keys", label: "Keys and URL" },
  { id: "pages", label: "Pages" },
  { id: "writes", label: "Versions and retries" },
  { id: "limits", label: "Limits" },
  { id: "assistants", label: "AI assistants" },
];
const endSections = [
  { id: "objects", label: "Objects" },
  { id: "errors", label: "Errors" },
];

function Keys({ baseUrl }: { baseUrl: string }) {
  return (
    <>
      <h2 id="keys">Keys and URL</h2>
      <p>
        Create a key under <a href="/account/api-keys">API keys</a>, with the scopes that your program needs, and send
        it as <code>Authorization: Bearer</code>. Never put it in a URL.
      </p>
      <p>
        All paths are below <code>{baseUrl}</code>. Requests and responses are JSON in UTF-8, except for uploaded files.
        For tools, the same is in <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1). Scripts on any site may call
        the API (CORS); cookies are ignored.
      </p>
    </>
  );
}

function Lists() {
  return (
    <>
      <h2 id="pages">Pages</h2>
      <p>
        A list has <code>data</code> and <code>nextCursor</code>. To read on, send that as <code>?cursor=</code>, or
        follow the URL in the header <code>Link</code>. On the last page <code>nextCursor</code> is null.
      </p>
    </>
  );
}

function Writes({ limits }: { limits: LimitFacts }) {
  return (
    <>
      <h2 id="writes">Versions and retries</h2>
      <p>
        What can be changed has a version, in <code>ETag</code>. Send it as it is with a change,{" "}
        <code>If-Match: "3"</code>: if someone else has changed it since, the response is a 412 and nothing is written.
        Without <code>If-Match</code> the last change wins.
      </p>
      <p>
        Send a POST with an <code>Idempotency-Key</code> of your own, such as a UUID, and repeat it safely: for{" "}
        {limits.repeatHours} hours you get the first response, and nothing is done twice. What was refused may be sent
        again. A PUT may be sent again without one.
      </p>
    </>
  );
}

function Assistants({ baseUrl }: { baseUrl: string }) {
  const url = new URL("/mcp", baseUrl).href;
  return (
    <>
      <h2 id="assistants">AI assistants</h2>
      <p>
        Assistants use the same operations as tools, over the Model Context Protocol (Streamable HTTP, revisions
        2025-03-26 to 2026-07-28), at <code>{url}</code> with the same header. A key offers the tools of its scopes:
        give an assistant a key that only reads, unless it is to write for you. Each use of a tool is in your{" "}
        <a href="/account/security-log">security log</a>, and results mark text that strangers may have written. For
        example, in Claude Code:
      </p>
      <CodeSample
        what="Connecting an assistant"
        note="shell"
        code={`claude mcp add --transport http meishi ${url} \\\n  --header "Authorization: Bearer $MEISHI_KEY"`}
      />
    </>
  );
}

function Limits({ limits }: { limits: LimitFacts }) {
  return (
    <>
      <h2 id="limits">Limits</h2>
      <p>
        A key may send {limits.requestsPerMinute} requests a minute; <code>RateLimit</code> says how many are left, and
        after a 429 <code>Retry-After</code> says how many seconds to wait. A JSON body has at most{" "}
        {formatBytes(limits.maxBodyBytes)}. The limits of your plan are the same as on the site.
      </p>
    </>
  );
}

function Errors({ problems }: Pick<ReferenceFacts, "problems">) {
  return (
    <>
      <h2 id="errors">Errors</h2>
      <p>
        A failed call returns a problem document (RFC 9457): <code>code</code> is for programs, <code>detail</code> for
        people, <code>errors</code> names each wrong field, and <code>requestId</code> helps the operator find the
        request.
      </p>
      <DefinitionList rows={problems.map(({ code, status, title }) => [code, `${status}: ${title}.`])} />
    </>
  );
}

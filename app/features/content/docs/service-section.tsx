import { formatBytes } from "#app/services/base/format.ts";

import { CodeSample } from "./code-sample.tsx";
import { DefinitionList, ExampleRequest } from "./docs-elements.tsx";
import type { DocsFacts, PublishedLimit } from "./docs-facts.ts";
import { cardRequest } from "./examples.ts";

type SectionProps = { facts: DocsFacts };

export function ServiceState({ facts }: SectionProps) {
  return (
    <>
      <h2 id="service">Service status</h2>
      <DefinitionList
        rows={[
          ["/healthz", "For monitors: 200 while this process and its database respond, otherwise 503."],
          [
            "/readyz",
            "For load balancers: 200 while this process can also write to its database and its storage, otherwise 503.",
          ],
          ["/status.json", "The data on /status as JSON, readable from any site."],
          ["/sitemap.xml", "The public pages that search engines can list."],
          ["/robots.txt", "What bots can crawl (RFC 9309)."],
          [
            "/.well-known/security.txt",
            "Where to report a vulnerability (RFC 9116); 404 if the operator hasn’t provided an email address.",
          ],
        ]}
      />
      <ExampleRequest name="health" facts={facts} />
      <ExampleRequest name="status" facts={facts} />
    </>
  );
}

export function Caching() {
  return (
    <>
      <h2 id="caching">Caching</h2>
      <p>
        Pages and images have an <code>ETag</code>. Send it back as <code>If-None-Match</code>, and the response is{" "}
        <strong>304</strong> without a body if nothing changed.
      </p>
      <DefinitionList
        rows={[
          ["pages, contact files", "no-cache: revalidate each time. Changes show immediately."],
          ["qr, preview, signature", "no-cache; one hour with ?v= in the URL."],
          ["avatar", "One day; not at all with randomizeIds."],
          ["/files/…?v=", "Uploaded images: one year. Their URL changes when they do."],
        ]}
      />
    </>
  );
}

export function Errors({ facts }: SectionProps) {
  return (
    <>
      <h2 id="errors">Errors</h2>
      <p>
        Pages respond with an error page, everything else with a line of plain text. Each response has an{" "}
        <code>X-Request-Id</code>, which helps the operator find the request in the log.
      </p>
      <DefinitionList
        rows={[
          ["400", "Something in the URL is invalid. The text says what."],
          ["403", "A write from another site, or a file link that has expired."],
          ["404", "There’s nothing there, or you aren’t allowed to see it."],
          ["405", "A method other than GET, HEAD or POST, or a write to something read-only."],
          ["413", "The request body is too large."],
          ["429", "Too many form submissions."],
          ["500", "An error on our end. The text contains the request ID."],
          [
            "503",
            "Too many images are being generated, or the database or file store is unavailable. Retry-After says when to try again.",
          ],
        ]}
      />
      <ExampleRequest name="missing" facts={facts} />
      <ExampleRequest name="method" facts={facts} />
    </>
  );
}

export function Limits({ facts: { limits, largest } }: SectionProps) {
  return (
    <>
      <h2 id="limits">Limits</h2>
      <p>
        There is no limit on reads. Images are generated two at a time; up to eight requests per network and sixty in
        total can wait. Additional requests get a 503 with <code>Retry-After</code>. Generated images are cached. Forms
        are limited by network (for IPv6, the first 64 bits), account or email address:
      </p>
      <DefinitionList
        rows={[
          [
            "sign-in",
            `Failed attempts: ${rateText(limits.failedSignIns)} per account and network. After that, the network has to wait. When many networks guess, a new browser waits up to a minute.`,
          ],
          ["sign-up", `${rateText(limits.signUps)} per network.`],
          ["emails", `${rateText(limits.mails)} per address, and the same number of password resets.`],
          ["uploads", `${rateText(limits.uploads)} per account.`],
          ["new cards", `${rateText(limits.cards)} per account.`],
          ["imports", `${rateText(limits.imports)} per account.`],
          ["/contact", `${rateText(limits.messages)} per sender.`],
        ]}
      />
      <p>
        A form can be up to {formatBytes(largest.form)}, an editor’s form {formatBytes(largest.editor)}, an upload{" "}
        {formatBytes(largest.file)}. For monitoring, one request a minute is enough.
      </p>
    </>
  );
}

export function Api({ facts: { baseUrl } }: SectionProps) {
  return (
    <>
      <h2 id="api">API</h2>
      <p>
        With a key that you <a href="/account/api-keys">create</a>, a program can read and change what is yours. The{" "}
        <a href="/docs/api">API reference</a> lists every operation, and <a href="/openapi.json">openapi.json</a> is the
        same for tools. With a key that may change cards, this request creates one:
      </p>
      <CodeSample what="Creating a card" note="201 application/json" code={cardRequest(baseUrl)} />
      <DefinitionList
        rows={[
          ["userId", "Your ID, which GET /api/v1/account returns. It can be left out."],
          ["links", "A list; each item has a label and a url (http, https, mailto, tel or sms)."],
        ]}
      />
    </>
  );
}

/** "10 every 15 minutes", "5 an hour". */
function rateText({ max, minutes }: PublishedLimit): string {
  return `${max} ${minutes === 60 ? "an hour" : `every ${minutes} minutes`}`;
}

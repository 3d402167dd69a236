import { formatBytes } from "#app/services/base/format.ts";

import { CodeSample } from "./code-sample.tsx";
import { DefinitionList, ExampleRequest } from "./docs-elements.tsx";
import type { DocsFacts, PublishedLimit } from "./docs-facts.ts";
import { plannedRequest } from "./examples.ts";

type SectionProps = { facts: DocsFacts };

export function ServiceState({ facts }: SectionProps) {
  return (
    <>
      <h2 id="service">State of the service</h2>
      <DefinitionList
        rows={[
          ["/healthz", "For load balancers and monitors: 200 while this process and its database answer, else 503."],
          ["/status.json", "What /status shows, as data. Any site may read it."],
          ["/sitemap.xml", "The public pages that search engines may list."],
          ["/robots.txt", "What robots may open (RFC 9309)."],
          [
            "/.well-known/security.txt",
            "Where to report a weakness (RFC 9116); 404 where the operator gave no address.",
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
        Pages and pictures come with an <code>ETag</code>. Send it back as <code>If-None-Match</code>, and the answer is{" "}
        <strong>304</strong> without a body while nothing changed.
      </p>
      <DefinitionList
        rows={[
          ["pages, contact files", "no-cache: ask each time. A save shows at once."],
          ["qr, preview, signature", "no-cache; with ?v= in the address an hour."],
          ["avatar", "A day; with randomizeIds not at all."],
          ["/files/…?v=", "Uploaded pictures: a year, their address changes with them."],
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
        A page says what is wrong on a page; everything else in one line of plain text. Each answer has an{" "}
        <code>X-Request-Id</code>: whoever runs the site finds the request in the log by it.
      </p>
      <DefinitionList
        rows={[
          ["400", "Something in the address can't be had. The text names it."],
          ["403", "A write that does not come from a page of this site, or a file's address that is over."],
          ["404", "Nothing is there, or nothing that you may see."],
          ["405", "Another method than GET, HEAD and POST, or a write to what can only be read."],
          ["413", "More was sent than this address takes."],
          ["429", "A form was sent too often."],
          ["500", "The fault is ours. The text holds the request's number."],
          [
            "503",
            "Too many pictures are being made, or something behind the site is away. Retry-After says when to ask again.",
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
        Reading is not limited by number. Pictures are drawn two at a time; eight more of one network may wait, and
        sixty of all. Who comes after them gets a 503 with <code>Retry-After</code>. What was drawn before comes from
        memory. Forms are limited by network (an IPv6 address by its first 64 bits), account or address:
      </p>
      <DefinitionList
        rows={[
          ["sign-in", `${rateText(limits.failedSignIns)}, for an account; then it waits.`],
          ["sign-up", `${rateText(limits.signUps)} from a network.`],
          ["mails asked for", `${rateText(limits.mails)} to an address, and as many to set a new password.`],
          ["uploads", `${rateText(limits.uploads)} of an account.`],
          ["imports", `${rateText(limits.imports)} of an account.`],
          ["/contact", `${rateText(limits.messages)} of a sender.`],
        ]}
      />
      <p>
        A form may bring {formatBytes(largest.form)}, one of the editors {formatBytes(largest.editor)}, an upload{" "}
        {formatBytes(largest.file)}. Ask as often as you need, and not more; a monitor that asks once a minute learns
        all there is.
      </p>
    </>
  );
}

export function Creating({ facts: { baseUrl } }: SectionProps) {
  return (
    <>
      <h2 id="creating-cards">Creating cards (planned)</h2>
      <p>
        <strong>Not built yet.</strong> This is what creating a card from a program is to look like: a POST to{" "}
        <code>/cards</code> with a bearer token; the body has <code>userId</code> and <code>links</code>. Today there
        are no tokens, and this address refuses what is sent to it. Cards are made on the site.
      </p>
      <CodeSample what="Creating a card" note="planned, not answered yet" code={plannedRequest(baseUrl)} />
      <DefinitionList
        rows={[
          ["userId", "Whose card it is to be: the id of the account that the token belongs to."],
          ["links", "A list; each has a label and a url (http, https, mailto, tel or sms)."],
        ]}
      />
    </>
  );
}

/** "10 in 15 minutes", "5 in an hour". */
function rateText({ max, minutes }: PublishedLimit): string {
  return `${max} in ${minutes === 60 ? "an hour" : `${minutes} minutes`}`;
}

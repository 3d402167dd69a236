import { formatList } from "#app/services/base/format.ts";

import { CodeSample } from "./code-sample.tsx";
import { DefinitionList } from "./docs-elements.tsx";
import type { DocsFacts } from "./docs-facts.ts";

/** What a server gets, and how it has to answer. docs/webhooks.md has complete servers. */
export function Webhooks({ facts: { webhooks } }: { facts: DocsFacts }) {
  const { events, sample, attempts, hours } = webhooks;
  return (
    <>
      <h2 id="webhooks">Webhooks</h2>
      <p>
        Meishi can send what happens in your account to your server: a signed POST request with JSON, as{" "}
        <a href="https://www.standardwebhooks.com" rel="noreferrer">
          Standard Webhooks
        </a>{" "}
        describes. Add the address of your server under “Account”, “Webhooks”. It has to be on the internet, with https
        and port 443.
      </p>
      <DefinitionList
        rows={events.map(({ kind, when, properties }) => [kind, `${when}. Its data has ${formatList(properties)}.`])}
      />
      <CodeSample what="A new lead" note="POST application/json" code={sample} />
      <p>
        What is empty is <code>null</code>. Messages of the test button have <code>&quot;test&quot;: true</code>. New
        properties may be added.
      </p>
      <p>
        <strong>Check the signature</strong> in <code>webhook-signature</code> with your signing secret, over the bytes
        that you received and before you parse them. There are libraries for most languages. For 24 hours after a
        rotation, messages have two signatures, and one of them has to be right.
      </p>
      <p>
        <strong>Answer with 2xx within 15 seconds</strong>, and work afterwards. Anything else is a failure, redirects
        too. A message is attempted up to {attempts} times in {hours} hours. <code>Retry-After</code> counts with 429
        and 503. After 410, or five days without a success, the webhook is switched off, and you get an email.
      </p>
      <p>
        A message may come twice with the same <code>webhook-id</code>, and messages may come in any order. When a
        visitor withdraws their consent or erases a lead, <code>consent.withdrawn</code> has its ID: delete your copy.
      </p>
    </>
  );
}

import { DefinitionList, ExampleRequest } from "./docs-elements.tsx";
import type { DocsFacts } from "./docs-facts.ts";

type SectionProps = { facts: DocsFacts };

export function Overview({ facts: { baseUrl, hasSamples, profile, card } }: SectionProps) {
  return (
    <>
      <h2 id="developers">For developers</h2>
      <p>
        Without an API key, programs can read everything that a visitor can see: pages, contact files, QR codes, images
        and the service status.
      </p>
      <p>
        All paths below are relative to <code>{baseUrl}</code>. Use GET or HEAD; no headers are required, and nothing is
        stored about the client.{" "}
        {hasSamples ? (
          <>
            The examples use the samples <code>{profile}</code> and <code>{card}</code>, so you can run them as they
            are.
          </>
        ) : (
          <>
            Replace <code>{profile}</code> and <code>{card}</code> with an ID or a handle.
          </>
        )}
      </p>
      <p>
        Other sites can show the images (<code>&lt;img&gt;</code>), but their scripts can’t read the responses: only{" "}
        <code>/status.json</code> and the <a href="#api">API</a> allow that (CORS). Servers and command-line tools can
        read everything.
      </p>
    </>
  );
}

export function PublicPages({ facts }: SectionProps) {
  return (
    <>
      <h2 id="pages">Profiles and cards</h2>
      <DefinitionList
        rows={[
          ["/u/{id}", "A profile, by its owner’s ID or handle. The page works without JavaScript."],
          ["/c/{code}", "A business card, by its seven-character code. Codes are never reused."],
          ["/card/{id}", "The same card, by its ID."],
          ["/u/{id}/card", "The card on a person’s profile; 404 if there is none."],
          [
            "/u/{id}/resume",
            "Redirects to the owner’s resume, at a URL that is valid for one hour; 404 if there is none.",
          ],
        ]}
      />
      <ExampleRequest name="profile" facts={facts} />
      <ExampleRequest name="card" facts={facts} />
      <p>
        A handle has 3 to 30 characters: letters (a to z), digits and hyphens. When its owner changes it, the old one
        redirects (<strong>301</strong>) to the current one, including paths below it (<code>/u/earlier/qr.svg</code>),
        and is never given to anyone else. Printed QR codes keep working. Follow redirects, and if you store a
        reference, store the ID.
      </p>
      <p>
        A card that is private, paused or deleted responds with 404; the three look the same. Owners can hide a page
        from search engines; the response then has <code>X-Robots-Tag: noindex</code>.
      </p>
    </>
  );
}

export function ContactFiles({ facts }: SectionProps) {
  return (
    <>
      <h2 id="contact-files">Contact files</h2>
      <p>
        Each card is available as a vCard 3.0 file (RFC 2426) in UTF-8, with the owner’s photo if there is one. It
        contains what the owner chose to include, which may be more or less than the page shows. <code>UID</code> stays
        the same and <code>REV</code> changes with the card, so a contacts app can update an existing contact.
      </p>
      <ExampleRequest name="contactFile" facts={facts} />
      <p>Each download counts as one save. Bots aren’t counted.</p>
    </>
  );
}

export function SourceMarks({ facts }: SectionProps) {
  return (
    <>
      <h2 id="marks">Traffic sources</h2>
      <p>
        One letter after the question mark shows how a URL was shared. It doesn’t change the page; visits are counted by
        hour and letter, and nothing that identifies the visitor is stored. Add the right letter when you print or send
        a URL, so each source is counted separately.
      </p>
      <DefinitionList
        rows={[
          ["?q", "a QR code; every code generated here has it"],
          ["?l", "a shared link"],
          ["?n", "an NFC tag"],
          ["?s", "an email signature"],
          ["?b", "a video call background"],
          ["?p", "a printed card"],
          ...(facts.hasPasses ? [["?w", "a wallet pass"] as const] : []),
        ]}
      />
      <ExampleRequest name="marked" facts={facts} />
      <p>
        <code>?q=</code> works too. Other parameters are allowed. If there are several letters, the first one counts.
      </p>
    </>
  );
}

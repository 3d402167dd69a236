import { DefinitionList, ExampleRequest } from "./docs-elements.tsx";
import type { DocsFacts } from "./docs-facts.ts";

type SectionProps = { facts: DocsFacts };

export function Overview({ facts: { baseUrl, hasSamples, profile, card, isApiBuilt } }: SectionProps) {
  return (
    <>
      <p>
        Whatever a visitor can see can be read by a program, without a key: pages, contact files, codes, pictures and
        the state of the service.
      </p>
      <p>
        All addresses below start with <code>{baseUrl}</code>. They are read with GET or HEAD; nothing has to be sent
        along, and nothing is remembered about who asks.{" "}
        {hasSamples ? (
          <>
            The examples use the samples <code>{profile}</code> and <code>{card}</code>, so you can run them as they
            stand.
          </>
        ) : (
          <>
            Put an id or a handle in the place of <code>{profile}</code> and <code>{card}</code>.
          </>
        )}
      </p>
      <p>
        Scripts on other sites can show the pictures (<code>&lt;img&gt;</code>), but can't read the answers: only{" "}
        <code>/status.json</code> is open to them. Servers and command lines can read everything.
      </p>
      {!isApiBuilt && (
        <p>
          Writing by a program is <a href="#creating-cards">planned</a> and not built yet.
        </p>
      )}
    </>
  );
}

export function PublicPages({ facts }: SectionProps) {
  return (
    <>
      <h2 id="pages">Profiles and cards</h2>
      <DefinitionList
        rows={[
          ["/u/{id}", "A profile, by the id of its owner or by their handle. A page that needs no script."],
          ["/c/{code}", "A business card, by its seven-character short address. It is never given to another card."],
          ["/card/{id}", "The same card, by its id."],
          ["/u/{id}/card", "The first public card of a person."],
          ["/u/{id}/resume", "Leads to the owner's resume, by an address that is good for one hour; 404 without one."],
        ]}
      />
      <ExampleRequest name="profile" facts={facts} />
      <ExampleRequest name="card" facts={facts} />
      <p>
        A handle has 3 to 30 letters a to z, digits and hyphens. Its owner may change it; the earlier one then answers{" "}
        <strong>301</strong> with the address of today, also below it (<code>/u/earlier/qr.svg</code>), and is never
        given to anybody else. A printed code keeps working. So follow redirects, and keep the id if you keep anything.
      </p>
      <p>
        A card that is private, paused or gone answers 404, and these can't be told apart. Owners may keep search
        engines out; then the answer has <code>X-Robots-Tag: noindex</code>.
      </p>
    </>
  );
}

export function ContactFiles({ facts }: SectionProps) {
  return (
    <>
      <h2 id="contact-files">Contact files</h2>
      <p>
        A card as a vCard 3.0 (RFC 2426), in UTF-8, with the owner's photo where they have one. It holds what the owner
        put into it, which may be more or less than what the page shows. <code>UID</code> stays the same and{" "}
        <code>REV</code> changes with the card, so an address book can update what it has.
      </p>
      <ExampleRequest name="contactFile" facts={facts} />
      <p>Fetching it counts as one save, unless a robot does.</p>
    </>
  );
}

export function SourceMarks({ facts }: SectionProps) {
  return (
    <>
      <h2 id="marks">Where a visit came from</h2>
      <p>
        One letter behind the question mark says how the address was handed over. It changes nothing on the page; it is
        added up by day, and nothing about the visitor is kept. Print or send the address with the letter that fits, and
        the owner's counts stay apart.
      </p>
      <DefinitionList
        rows={[
          ["?q", "a QR code; the codes made here have it"],
          ["?l", "a link that was sent"],
          ["?n", "an NFC tag"],
          ["?s", "an e-mail signature"],
          ["?b", "the background of a video call"],
          ...(facts.hasPasses ? [["?w", "a wallet pass"] as const] : []),
        ]}
      />
      <ExampleRequest name="marked" facts={facts} />
      <p>
        <code>?q=</code> counts as well, other parameters may stand beside it, and of two letters the first counts.
      </p>
    </>
  );
}

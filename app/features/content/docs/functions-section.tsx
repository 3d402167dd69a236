import { DefinitionList, ExampleRequest } from "./docs-elements.tsx";
import type { DocsFacts } from "./docs-facts.ts";

/** The server functions; those of billing only where Premium is sold. */
export function ServerFunctions({ facts }: { facts: DocsFacts }) {
  return (
    <>
      <h2 id="functions">Server functions</h2>
      <p>
        Actions as JSON at <code>/functions/v1/</code>, called with POST unless stated otherwise. A program sends the
        token of a session as <code>Authorization: Bearer</code>; functions that visitors can call also accept a public
        key sent both there and as <code>apikey</code>. The body, if there is one, is <code>application/json</code> and
        at most 20 kB. A refused call has an <code>error</code> that says why.
      </p>
      <DefinitionList rows={[...passRows, ...versionRows, ...(facts.hasBilling ? billingRows : [])]} />
      <ExampleRequest name="signedOutCall" facts={facts} />
    </>
  );
}

const passRows = [
  [
    "generate-wallet-pass",
    "GET with ?cardId=, also without a session. Makes the pass of a public card and returns success, passUrl (Apple Wallet) and androidUrl (Google Wallet). Where this site has no passes, the card’s owner gets what the pass is made of as fallback, and others a 404 with instructions.",
  ],
  [
    "push-pass-update",
    "cardId, and changedFields as a list of names. Sends the current pass of your card to the devices that have it; returns success and devices, their number. Saving a card does the same by itself.",
  ],
  [
    "get-default-images",
    "The default backgrounds of passes: a list, each with id, name, description, and urls (raw, 540x660 pixels, and small).",
  ],
  [
    "tint-image",
    "imageUrl, tintColor (#3a5f8c) and cardId. Puts the color over a default background, or over one of your own; returns newUrl, which opens with your session or its token. The original stays as it is.",
  ],
] as const;

const versionRows = [
  ["card-version", "GET with ?card=. Returns version, a number that grows each time your card is saved."],
  ["profile-version", "GET. The same for your profile."],
  ["pass-version", "GET with ?card=. The same for the design of its pass."],
  [
    "lead-counts",
    "GET. Returns unread, the number of leads that you haven’t opened, up to 100. With ?since= (epoch milliseconds) also unlisted: those that came in later, up to 100.",
  ],
] as const;

const billingRows = [
  ["create-checkout", "priceId. Returns the url of Stripe’s checkout."],
  ["check-subscription", "Returns subscribed, subscription_tier and subscription_end, after asking Stripe."],
  ["billing-history", "page (from 1). Returns 24 invoices at a time, the newest first, and has_more."],
  ["customer-portal", "Returns the url of Stripe’s customer portal."],
] as const;

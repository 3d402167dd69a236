import type { Installation } from "#app/features/content/installation.server.ts";
import { escapeMarkdown } from "#app/features/content/markdown.ts";

import { operatorParagraph } from "./privacy-text.ts";

/** Our default terms of use in Markdown, without promises that only an operator can make. */
export function termsText(installation: Installation): string {
  const { host, hasPayments } = installation;
  return `# Terms

The rules for using ${escapeMarkdown(host)}: what you may expect, and what is expected of you.

## Who offers this

${operatorParagraph(installation)}

## What you get

A profile page, business cards, and ways to hand them over. What your plan includes stands on [the page of plans](/pricing). ${hasPayments ? "What a plan costs stands there too." : "Nothing can be bought here yet, so nothing is owed."}

The service comes as it is. There is no promise that it is always there; how it has been doing is on [the status page](/status).

## What is yours

What you type and upload stays yours. You let this site store it, make the forms of it that the product has (a page, a contact file, a code, a picture), and show
what you made public to whoever opens it. That ends when you remove it.

Your handle is yours while you have your account. One that you gave up keeps leading to you and is given to nobody else.

## What is expected of you

- Publish what you may publish: your own details, pictures that you have the right to, links to pages that are lawful.
- Do not pass for somebody else, a company or an office.
- No pages that deceive: no phishing, no harmful files, no collecting of passwords.
- No traffic that hinders others, and no way around the limits.
- Keep your password to yourself, and the mail box of your account yours: it is how you get back in.

## When a rule is broken

A page that breaks them can be taken away, and an account closed; where it can wait, you hear of it first. ${reportSentence(installation)}

## When you want to leave

Take your cards with you as contact files, then delete your account under Account: at once and for good. Its handles are given to nobody after that, not to you either, so that
printed codes never lead to somebody else.

## When this text changes

The current text is always at this address. Look here when you want to know it.
`;
}

function reportSentence({ operator, hasContactForm }: Installation): string {
  if (operator.email) return `To report one, write to <mailto:${operator.email}>.`;
  return hasContactForm ? "To report one, use [the contact page](/contact)." : "";
}

import type { Installation } from "#app/features/content/installation.server.ts";
import { escapeMarkdown } from "#app/features/content/markdown.ts";

import { operatorParagraph } from "./privacy-text.ts";

/** Our default terms of use in Markdown, without promises that only an operator can make. */
export function termsText(installation: Installation): string {
  const { host, premium } = installation;
  return `# Terms

The rules for using ${escapeMarkdown(host)}: what you can expect, and what is expected of you.

## Who provides this service

${operatorParagraph(installation)}

## What you get

A profile page, business cards, and ways to share them.${planSentences[premium]}

The service is provided as is, without a guarantee that it is always available. [The status page](/status) shows the service’s current state and uptime.

## Your content

What you type and upload remains yours. You allow this site to store it, to convert it into the formats that the product offers (a page, a contact file, a QR code, an image), and to show
what you made public to anyone who opens it. This permission ends when you remove the content.

Your handle is yours for as long as you have an account. If you change it, the old one keeps redirecting to you and isn’t given to anyone else.

## What is expected of you

- Publish only what you have the right to publish: your own details, images that you’re allowed to use, links to legal content.
- Don’t impersonate any person, company or authority.
- No deceptive pages: no phishing, malware or password theft.
- Don’t disrupt the service for others, and don’t bypass its limits.
- Keep your password private and your email account secure: you need it to recover your account.

## If a rule is broken

A page that breaks these rules can be removed, and its owner’s account can be closed. Unless it’s urgent, we’ll notify you first. ${reportSentence(installation)}

## If you want to leave

Download your cards as contact files, then delete your account under Account. It is deleted immediately and permanently. Its handles are never given to anyone again, including you, so that
printed QR codes never lead to someone else.

## Changes to these terms

The current version is always on this page.
`;
}

/** What the site costs, after the sentence about what it offers. */
const planSentences: Record<Installation["premium"], string> = {
  everyone: " It costs nothing.",
  sold: " [The pricing page](/pricing) lists what your plan includes and what it costs.",
  granted:
    " [The pricing page](/pricing) lists what your plan includes. Nothing is for sale yet, so there’s nothing to pay.",
};

function reportSentence({ operator, hasContactForm }: Installation): string {
  if (operator.email) return `To report a page, email <mailto:${operator.email}>.`;
  return hasContactForm ? "To report a page, use [the contact page](/contact)." : "";
}

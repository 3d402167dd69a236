import type { Installation } from "#app/features/content/installation.server.ts";
import { escapeMarkdown } from "#app/features/content/markdown.ts";

/** Our default privacy notice in Markdown. Every sentence must be true of the code. */
export function privacyText(installation: Installation): string {
  const { host, hasS3, hasMailServer, sessionCookie, toastCookie, themeCookie } = installation;
  return `# Privacy

What ${escapeMarkdown(host)} stores about people, why, and for how long.

## In short

- Whoever opens somebody's page or card here is **counted, not followed**: no cookie for it, no network address, no profile of the reader.
- **No page here loads anything from another company**: no fonts, no maps, no measuring, no advertising. Codes and pictures are made on this server.
- An account stores what its owner typed and uploaded. What they make public is public.

## Who is responsible

${operatorParagraph(installation)}

## When you open somebody's page

The server counts visits, taps on links and saved contacts: how many there were of each profile and card, on which day, and whether the address was
opened from a QR code, a link, a tag, a signature or a background of a call (a letter in the address says so). The count holds nothing about you: no network address, no
browser, no cookie. Robots are left out.

When you tap a link you leave this site, and what happens there is that site's business.

Pages, cards and contact files show what their owner wrote. If somebody published something about you, write to them or to us.

## When you have an account

- **Your e-mail address and a hash of your password** (scrypt). The password itself is not stored. While you change your email, the new address until it is confirmed, for 24 hours at most.
- **Your profile and cards**: what you type, your handles (also earlier ones, so that printed codes keep working), and whether search engines may list you.
- **Your files**: pictures are drawn anew on arrival, so the place and the camera in them are gone. A resume is kept as it is, and given out only by an address that is good for an hour.
- **Your sessions**: that you are signed in somewhere, and until when. Not where, and not with what.
- **Counts** of your pages, as above.

On a device where you are signed in, your browser keeps one page with your own codes, so that you can show them without a network. It goes when you sign out, and after seven days.

## When you write to us

${contactParagraph(installation)}

## Cookies

None is set for reading. These are set when you do something, for that alone:

- \`${sessionCookie}\`: keeps you signed in. Within seven days of your last visit it is over; signing out ends it at once. Scripts can't read it.
- \`${toastCookie}\`: carries one message to the next page ("Saved"), for at most 30 seconds.
- \`${themeCookie}\`: dark, light or as your device, when you choose one. One year.

Some things your browser remembers in its own storage, and tells nobody: \`meishi.banner-dismissed-until\`, that you closed the banner at the lower edge, for
seven days; \`meishi.background\`, that you stopped the moving background, until you start it again; \`meishi.reloaded-at\`, that a page was loaded anew after an
update, until you close the tab. Signing out empties all of it.

## Logs and limits

The server's log has a line for each request: the time, the address on this site (without what stands behind the question mark), the answer's status, a number. No
network address, no browser, no e-mail address. A handle that stands in an address is in it. Sign-ins, refused sign-ins, limits that were
reached, wrong current passwords, new passwords and emails, and deleted accounts have a line with the account's id.

To stop guessing of passwords and floods of mail, tries are counted by network address and by e-mail address, for an hour at most. What is stored is a
keyed hash; the addresses can't be read from it. A message sent on the contact page leaves such a hash for a day, so that it is not sent twice.

## Where it is, and who else sees it

${locationParagraph(installation)}

${hasMailServer ? "Mail leaves through the mail server that the operator chose." : "This installation sends no mail: what it would send is kept on the server."} ${hasS3 ? "Uploaded files lie in a storage service (S3) that the operator chose; visitors get them from this server." : "Uploaded files lie on the server itself."}
Nothing is sold or given to anybody else.

## How long

- An account and what is in it: until it is deleted. Backups of the server may hold it for longer.
- Of the handles of a deleted account a hash stays, for good, so that nobody else can take them and printed codes never lead to a stranger. It shows no more than that a handle is taken, and nothing says whose it was.
- What may stay for a while when an account is deleted: the hash of a password that was typed in a second sign-up with its address, for seven days; and the number of visits that were being counted at that moment, without a name.
- When an account is deleted its address gets one last mail that says so. Until that mail is handed on the server keeps the address in it.
- A sign-up that was never confirmed: its address and the hash of the password that was typed are removed after seven days.
- A file that you replace or remove: taken away within minutes; what an interruption left behind, within two days.
- Mail on its way: until it is handed on. A mail that could not be delivered for a day and a half stays in the queue until the operator removes it.

## What you can ask for

You can see and change all of your profile and cards yourself, and delete your account under Account: at once, for good, with everything in it. For a copy of
everything, or for a correction that you can't make, write to ${privacyContact(installation)}.
`;
}

/** The operator's name and addresses, as lines of one paragraph. */
export function operatorParagraph({ operator, host }: Installation): string {
  const { name, address, email } = operator;
  const lines = [name && `**${escapeMarkdown(name)}**`, escapeMarkdown(address), email && `<mailto:${email}>`].filter(
    Boolean,
  );
  if (lines.length > 0) return lines.join("\\\n");
  return `Whoever runs ${escapeMarkdown(host)}. They have not said here who they are.`;
}

function contactParagraph({ hasContactForm, hasMailServer }: Installation): string {
  if (!hasContactForm) return "There is no contact form on this installation, so nothing is stored by one.";
  return `What you write on [the contact page](/contact) goes by mail to whoever runs this site, with the name and the e-mail address that you give, and for nothing else than to
answer you. The server keeps it until the mail is handed on${hasMailServer ? "" : " (this installation keeps its mail on the server)"}.`;
}

function locationParagraph({ facts }: Installation): string {
  const statements = [
    facts.region && `- Where the server stands: ${escapeMarkdown(facts.region)}`,
    facts.inTransit && `- On the way: ${escapeMarkdown(facts.inTransit)}`,
    facts.encryptionAtRest && `- On the disk: ${escapeMarkdown(facts.encryptionAtRest)}`,
    facts.backups && `- Backups: ${escapeMarkdown(facts.backups)}`,
  ].filter(Boolean);
  if (statements.length === 0) return "The operator has not said here where the server stands.";
  return `The operator says:\n\n${statements.join("\n")}`;
}

function privacyContact({ operator, hasContactForm }: Installation): string {
  if (operator.email) return `<mailto:${operator.email}>`;
  return hasContactForm ? "us through [the contact page](/contact)" : "whoever runs this site";
}

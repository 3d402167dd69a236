import type { Installation } from "#app/features/content/installation.server.ts";
import { escapeMarkdown } from "#app/features/content/markdown.ts";
import type { StoredData } from "#app/services/features/stored-data.ts";

/** Our default privacy notice in Markdown. Every sentence must be true of the code. */
export function privacyText(installation: Installation): string {
  const {
    host,
    hasS3,
    hasMailServer,
    sessionCookie,
    toastCookie,
    draftCardCookie,
    themeCookie,
    deviceCookie,
    signUpCookie,
    stepCookies,
    storedData,
  } = installation;
  return `# Privacy

What ${escapeMarkdown(host)} stores about people, why, and for how long.

## In short

- When you open someone’s page or card here, you are **counted, not tracked**: no cookie, no IP address, no profile of you.
- **No page loads anything from another company**: no fonts, maps, analytics or ads. QR codes and images are generated on this server.
- An account stores what its owner typed and uploaded. Anyone can see what they make public.

## Who is responsible

${operatorParagraph(installation)}

## When you open someone’s page

${countsParagraphs(storedData)}

When you follow a link, you leave this site, and the other site’s rules apply.

Pages, cards and contact files show what their owner wrote. If someone published something about you, contact them or us.

## Shared contacts

If you share your contact on someone’s card, that person is responsible for it, and this server stores it for them:

${storedDataList(storedData, "leads")}

With an email address you get a link with which you can see, withdraw or erase what you shared at any time, without an account. (If that person gets more than 500 contacts in a day, or your mailbox more than 10 such links, it comes on a later day. If it can’t be sent within a week, ask that person instead.) What is erased is gone at once; only a count stays. If that person has new contacts sent on to colleagues or services, the text that you agree to says so.

## When you have an account

- **Your email address and a hash of your password** (Argon2id). The password itself is not stored. When you change your email, the new address is stored until you confirm it, for 24 hours at most.
- **Your profile and cards**: what you type, your handles (including earlier ones, so that printed QR codes keep working), and whether search engines may list you.
- **Your files**: images are re-encoded on upload, which removes location and camera data. A resume is stored as uploaded, and can be downloaded only through a link that is valid for an hour.
- **Your sessions**: until when you’re signed in, how you signed in, and the kind of browser, such as "Firefox on Windows". No IP address.
- **A security log**: sign-ins and changes to your sign-in methods, with the time and the kind of browser, for 180 days. Networks are stored as a hash, to tell them apart.
- **Sign-in methods that you add**: passkeys (public keys only), an encrypted key for your authenticator app, and the accounts and wallets that you connect.
- **Counts** for your pages, as described above.
${storedDataList(storedData, "owners")}

On a device where you’re signed in, your browser stores one page with your own QR codes, so that you can show them offline. It is deleted when you sign out, or after seven days.

## When you write to us

${contactParagraph(installation)}

## Cookies

Viewing pages sets no cookies. These are set only when you do something that needs them:

- \`${sessionCookie}\`: keeps you signed in. It expires seven days after your last visit, or when you sign out. Scripts can’t read it.
- \`${deviceCookie}\`: tells a browser in which you signed in from a new one, so that we can warn you about new sign-ins. One year. Scripts can’t read it.
- \`${signUpCookie}\`: tells the browser in which you signed up from others, for seven days at most. \`${installation.invitationCookie}\`: the invitation that you accepted, until you have signed up, for an hour at most. Scripts can’t read them.
- ${stepCookies.map((name) => `\`${name}\``).join(", ")}: remember a sign-up, a sign-in, the connection of an account, or a form that first asks you to confirm it’s you, until it is finished, for ten minutes at most. Scripts can’t read them.
- \`${toastCookie}\`: carries one message to the next page (“Saved”), for at most 30 seconds.
- \`${draftCardCookie}\`: the demo card that you keep on the home page (name, title, company, design), until you sign up and create your card, for at most one day. If you sign up, the server keeps the same details with your new account, for at most 14 days, and deletes them when you create your card.
- \`${themeCookie}\`: your choice of dark, light or system. One year.
- \`${installation.kioskCookie}\`: set by a kiosk page at a fair, so that signing out in that browser deletes nothing that is waiting to be sent there (see “Shared contacts”). 100 days. Scripts can’t read it.

Your browser also stores a few things that it doesn’t send anywhere: \`meishi.banner-dismissed-until\` (you closed the banner at the bottom), for seven days;
\`meishi.background\` (you paused the background video), until you play it again; \`meishi.reloaded-at\` (a page was reloaded after an update), until you close
the tab. Signing out clears them all, except in a browser with the cookie of a kiosk.

## Logs and limits

The server’s log has a line for each request: the time, the path (without anything after the question mark), the response status and a request ID. No
IP address, no browser, no email address. If a path contains a handle, so does the log. Sign-ins, failed sign-ins, exceeded limits,
wrong current passwords, password and email changes, and account deletions are logged with the account’s ID.

To prevent password guessing and email floods, attempts are counted by IP address and by email address, for a day at most. Only a
keyed hash is stored; the addresses can’t be read from it. A hash of each message sent through the contact page is
also stored for a day, so that it isn’t sent twice.

## Where it is stored, and who else sees it

${locationParagraph(installation)}

${hasMailServer ? "Email is sent through the mail server that the operator chose." : "This installation sends no email: messages are stored on the server instead."} ${hasS3 ? "Uploaded files are in a storage service (S3) that the operator chose; visitors get them from this server." : "Uploaded files are on the server itself."}
Nothing is sold or given to anyone else.

## How long it is stored

- An account and everything in it: until it is deleted. Backups of the server may keep it longer.
- A hash of each handle of a deleted account: permanently, so that no one else can take it and printed QR codes never lead to a stranger. It only shows that a handle is taken, not whose it was.
- When an account is deleted, two things may remain for a while: the hash of a password entered in another sign-up with the same address, for seven days; and the number of visits being counted at that moment, without a name.
- When an account is deleted, one last email is sent to its address to confirm the deletion. The server keeps the address until that email is sent.
- A sign-up that was never confirmed: its address and password hash are removed after seven days. An invitation: its address is removed 90 days after its link has ended, or with the account.
- A copy of your data that you asked for: deleted after 24 hours.
- A file that you replace or remove: deleted within minutes; after an interruption, within two days.
- Outgoing email: until it is sent. An email that can’t be delivered for a day and a half stays in the queue for 30 days, unless the operator removes it before.

## Your choices

You can view and edit your profile and cards yourself. Under Account, you can download a copy of everything, and delete your account and everything in it, immediately and permanently. For
a correction that you can’t make yourself, write to ${privacyContact(installation)}.
`;
}

/** The operator's name and addresses, as lines of one paragraph. */
export function operatorParagraph({ operator, host }: Installation): string {
  const { name, address, email } = operator;
  const lines = [name && `**${escapeMarkdown(name)}**`, escapeMarkdown(address), email && `<mailto:${email}>`].filter(
    Boolean,
  );
  if (lines.length > 0) return lines.join("\\\n");
  return `The operator of ${escapeMarkdown(host)}, who hasn’t added a name yet.`;
}

function countsParagraphs(storedData: readonly StoredData[]): string {
  return `You are counted without being recognized. No IP address, no browser and no cookie is stored, so the counts say nothing about you. Bots aren’t counted. What is stored:

${storedDataList(storedData, "visitors")}

To count how many different visitors a page had on a day, the server turns the IP address and the browser’s name into a few bits in its
memory, with a random key. Neither is stored, and both are gone when the day ends or the server restarts.`;
}

/** A list in Markdown of what is stored about some people. */
function storedDataList(storedData: readonly StoredData[], people: StoredData["about"]): string {
  return storedData
    .filter(({ about }) => about === people)
    .map(({ what, why, howLong }) => `- ${what}: ${why}. Stored ${howLong}.`)
    .join("\n");
}

function contactParagraph({ hasContactForm, hasMailServer }: Installation): string {
  if (!hasContactForm) return "This installation has no contact form.";
  return `What you write on [the contact page](/contact) is emailed to this site’s operator, with the name and email address that you enter, and used only to reply to you. The server keeps it until the email is sent${hasMailServer ? "" : " (this installation stores its email on the server)"}.`;
}

function locationParagraph({ facts }: Installation): string {
  const statements = [
    facts.region && `- Server location: ${escapeMarkdown(facts.region)}`,
    facts.inTransit && `- In transit: ${escapeMarkdown(facts.inTransit)}`,
    facts.encryptionAtRest && `- At rest: ${escapeMarkdown(facts.encryptionAtRest)}`,
    facts.backups && `- Backups: ${escapeMarkdown(facts.backups)}`,
  ].filter(Boolean);
  if (statements.length === 0) return "The operator hasn’t stated where the server is located.";
  return `The operator says:\n\n${statements.join("\n")}`;
}

function privacyContact({ operator, hasContactForm }: Installation): string {
  if (operator.email) return `<mailto:${operator.email}>`;
  return hasContactForm ? "us through [the contact page](/contact)" : "this site’s operator";
}

import { formatBytes } from "#app/services/base/format.ts";
import { formBytes } from "#app/services/http/form-body.ts";

/** A security measure, with how it works, so that it can be checked in the code or with a browser. */
export type Protection = { title: string; text: string };
export type SecurityChapter = { id: string; title: string; protections: Protection[] };

export const securityChapters: SecurityChapter[] = [
  {
    id: "visitors",
    title: "Whoever opens a card",
    protections: [
      {
        title: "Nothing leaves for another company",
        text: "Fonts, icons, codes and pictures come from this server. The Content-Security-Policy of each page allows no other, so a browser would refuse one that slipped in.",
      },
      {
        title: "Counted, not followed",
        text: "Visits are added up by page, day and kind of link. No cookie, no network address, no browser is stored, so there is nobody to recognise.",
      },
      {
        title: "Nothing has to run",
        text: "Public pages work without script. Links lead to http, https, mailto, tel and sms addresses alone.",
      },
    ],
  },
  {
    id: "accounts",
    title: "Accounts",
    protections: [
      {
        title: "Passwords",
        text: "Stored as scrypt hashes. The most common ones and your own address are refused. After ten wrong ones an account waits a quarter of an hour; a network waits after thirty.",
      },
      {
        title: "Sessions",
        text: "A cookie that scripts can't read (HttpOnly), that other sites' forms don't carry (SameSite=Lax), and that travels over https alone where the site has it (Secure). It ends within seven days of your last visit, when you sign out, and everywhere with a new password. Changing your password or email while signed in ends all sessions but this one.",
      },
      {
        title: "Who has an account stays unsaid",
        text: "Signing up, signing in, asking for a new password and changing your email answer alike, in words and in time, whether an address is known or not.",
      },
      {
        title: "Links in mails",
        text: "A confirmation holds for 24 hours and confirms only the sign-up that it was sent for. A link for a new password holds for an hour and works once. A new email is confirmed by a link that is valid for 24 hours, works once, and only where you are signed in; the current address is told.",
      },
    ],
  },
  {
    id: "pages",
    title: "Pages and forms",
    protections: [
      {
        title: "Only from this site",
        text: "What changes something is taken from pages of this site alone: the browser says where a form comes from (Origin), and the server checks it.",
      },
      {
        title: "Scripts by name",
        text: "On a page no inline script or style runs unless the policy names it by its hash or by a number used once. The preview of a mail signature, a PDF and a drawn face may have styles of their own, and run nothing. No page may be framed elsewhere.",
      },
      {
        title: "Other people's things",
        text: "Each write names its owner in the query itself. What is not yours answers like what does not exist.",
      },
      {
        title: "Errors say little",
        text: "A number to find the request by; never a stack, a path or a query.",
      },
    ],
  },
  {
    id: "files",
    title: "Uploaded files",
    protections: [
      {
        title: "Pictures are drawn anew",
        text: "Only JPEG, PNG and WebP are read, by their bytes and not by their names. Decoding and encoding them again drops place, camera and whatever else was hidden inside.",
      },
      {
        title: "Documents are looked into",
        text: "Resumes with macros, passwords, or archives that grow out of proportion are refused. They are given out by a signed address that is good for one hour, and may run and load nothing.",
      },
      { title: "Bounds", text: "5 MB a file, 50 MB and 200 files an account, 40 million pixels a picture." },
    ],
  },
  {
    id: "server",
    title: "The server",
    protections: [
      {
        title: "Secrets",
        text: "Made at the first start, kept in one file that only the program's user may read (mode 0600), never in the log or the database.",
      },
      {
        title: "The log",
        text: "Time, address on this site, status and a number. No network address, no mail address, no query; handles in addresses are in it.",
      },
      {
        title: "Nothing is fetched for a stranger",
        text: "The server opens no address that a visitor or an owner typed. It talks to its database, its mail server and its file store.",
      },
      {
        title: "Slow and large requests",
        text: `Headers have 15 seconds, a request 30, a file three minutes. A form may bring ${formatBytes(formBytes.usual)}, one of the editors ${formatBytes(formBytes.editors)}.`,
      },
    ],
  },
];

/** What the product does not protect against. */
export const missingProtections: Protection[] = [
  {
    title: "A second factor",
    text: "Signing in takes a password and nothing else. Choose one that you use nowhere else.",
  },
  {
    title: "A list of your sessions",
    text: "They can't be shown or ended one by one. A new password ends them all.",
  },
  {
    title: "An audit by somebody else",
    text: "Nobody outside has been asked to examine the code. It is open, and its tests are part of it.",
  },
  { title: "Encryption that the operator can't open", text: "Whoever runs the server can read what is stored on it." },
];

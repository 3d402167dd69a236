import { formatBytes } from "#app/services/base/format.ts";
import { formBytes } from "#app/services/http/form-body.ts";

/** A security measure, with how it works, so that it can be checked in the code or with a browser. */
export type Protection = { title: string; text: string };
export type SecurityChapter = { id: string; title: string; protections: Protection[] };

export const securityChapters: SecurityChapter[] = [
  {
    id: "visitors",
    title: "Your visitors",
    protections: [
      {
        title: "No third parties",
        text: "Fonts, icons, QR codes and images come from this server. Each page’s Content-Security-Policy allows no other source, so browsers block everything else.",
      },
      {
        title: "Counted, not tracked",
        text: "Visits are counted by page, hour, type of link and type of device. No cookie, IP address or browser is stored, so no one can be identified.",
      },
      {
        title: "No JavaScript required",
        text: "Public pages work without JavaScript. Links can only use http, https, mailto, tel and sms.",
      },
    ],
  },
  {
    id: "accounts",
    title: "Accounts",
    protections: [
      {
        title: "Passwords",
        text: "Stored as Argon2id hashes. Passwords that are easy to guess are rejected. Ten wrong passwords for one account, or thirty in all, block a network for 15 minutes. Strangers elsewhere can’t lock you out: a browser you’ve signed in with keeps working, and a new one waits a minute at most.",
      },
      {
        title: "Sessions",
        text: "A cookie that scripts can’t read (HttpOnly), that isn’t sent with other sites' forms (SameSite=Lax), and that is sent only over HTTPS where the site uses it (Secure). It expires seven days after your last visit, or when you sign out. A password reset ends all sessions; changing your password or email while signed in ends all but the current one.",
      },
      {
        title: "No account lookup",
        text: "Signing up, signing in, resetting a password and changing your email respond the same way, in wording and in timing, whether or not an email address has an account.",
      },
      {
        title: "Links in emails",
        text: "A confirmation link is valid for 24 hours and confirms only the sign-up that it was sent for. A password reset link is valid for one hour and works once. A new email address is confirmed by a link that is valid for 24 hours, works once, and works only in a browser where you’re signed in. Your current address is notified.",
      },
    ],
  },
  {
    id: "pages",
    title: "Pages and forms",
    protections: [
      {
        title: "No cross-site requests",
        text: "Changes are accepted only from pages on this site: the browser reports where a form comes from (Origin), and the server checks it.",
      },
      {
        title: "No injected scripts",
        text: "Inline scripts and styles run only if the page’s policy allows them by hash or one-time nonce. The email signature preview, PDFs and generated avatars may have their own styles, but can’t run scripts. No page can be framed by another site.",
      },
      {
        title: "Ownership checks",
        text: "Every write checks its owner in the query itself. A resource that isn’t yours looks as if it doesn’t exist.",
      },
      {
        title: "Errors reveal little",
        text: "They show a request ID, never a stack trace, path or query.",
      },
    ],
  },
  {
    id: "files",
    title: "Uploaded files",
    protections: [
      {
        title: "Images are re-encoded",
        text: "Only JPEG, PNG and WebP are accepted, detected by content, not by file name. Decoding and encoding them again removes location, camera and any other hidden data.",
      },
      {
        title: "Documents are inspected",
        text: "Resumes with macros or passwords, and archives that unpack to an excessive size, are rejected. Downloads use a signed link that is valid for one hour, and can’t run or load anything.",
      },
      { title: "Limits", text: "5 MB per file, 50 MB and 200 files per account, 40 million pixels per image." },
    ],
  },
  {
    id: "server",
    title: "The server",
    protections: [
      {
        title: "Secrets",
        text: "Generated at first startup and stored in one file that only the program’s user account can read (mode 0600), never in the log or the database.",
      },
      {
        title: "Logs",
        text: "Time, path, status and request ID. No IP address, no email address, no query string. Handles in paths are included.",
      },
      {
        title: "No requests on a user’s behalf",
        text: "The server never requests a URL that a visitor or an owner typed. It talks only to its database, mail server, file store, and the sign-in providers that the operator sets up.",
      },
      {
        title: "Slow and large requests",
        text: `Headers must arrive within 15 seconds, a request within 30, and a file within three minutes. A form can be up to ${formatBytes(formBytes.usual)}, an editor’s up to ${formatBytes(formBytes.editors)}.`,
      },
    ],
  },
];

/** What the product does not protect against. */
export const missingProtections: Protection[] = [
  {
    title: "An external audit",
    text: "The code hasn’t been audited by an outside party. It is open source, including its tests.",
  },
  { title: "End-to-end encryption", text: "The people who run the server can read what is stored on it." },
];

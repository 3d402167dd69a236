import { data, redirect } from "react-router";

import { hasMailbox } from "#app/features/account/mailbox/mailbox.server.ts";
import { Seal } from "#app/features/shell/brand.tsx";
import { pageHead } from "#app/features/shell/page-head.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { formatWait } from "#app/services/base/format.ts";
import type { SiteContent } from "#app/services/config/site-content.server.ts";
import { checkSchema, formAction } from "#app/services/forms/form-action.server.ts";
import { requestId, services, viewer } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";

import type { Route } from "./+types/contact-page.ts";
import { ContactForm } from "./contact-form.tsx";
import { contactAddress, contactMail } from "./contact-mail.server.ts";
import { sendMessage } from "./data.server.ts";
import { failures, messages, tooManyMessages } from "./messages.ts";
import { classifyFormAge, formAge, honeypotField, sentNoticeMs } from "./rules.ts";
import { contactSchema } from "./schema.ts";

/** Not cached: each form has its own token and may hold the signed-in user's address. */
export function loader({ context, url }: Route.LoaderArgs) {
  const all = services(context);
  return {
    host: new URL(all.config.baseUrl).host,
    operator: all.siteContent.operator,
    canSend: contactAddress(all) !== undefined,
    isSent: isSentToken(all, url.searchParams.get("sent")),
    hasMailBox: hasMailbox(all.config),
    email: viewer(context)?.email ?? "",
    formToken: makeToken(all.sign, "form", all.clock()),
  };
}

/** Sends the message and redirects to the confirmation, or returns the form with everything that was typed. */
export async function action(args: Route.ActionArgs) {
  const to = contactAddress(services(args.context));
  if (to === undefined) return data(undefined, 503);
  return formAction(args, {
    read: readContactForm,
    check: (typed) => checkSchema(contactSchema, typed),
    run: async (message, { all, context, values, text, origin, refuse }) => {
      const { sign, clock, log, config } = all;
      if (text(honeypotField) !== "") {
        log.info({ id: requestId(context) }, "the honeypot of the contact form was filled in; nothing was sent");
        return redirectToSent(all);
      }
      const openedAt = readToken(sign, "form", values.formToken);
      const age = openedAt === undefined ? "too-old" : classifyFormAge(openedAt, clock());
      if (age === "too-new") return refuse({ problem: messages.tooNew });
      // It is already filled in, so it can be submitted at once.
      const ready = () => ({ ...values, formToken: makeToken(sign, "form", clock() - formAge.min) });
      if (age === "too-old") return refuse({ problem: messages.tooOld, values: ready() });
      const user = viewer(context);
      const isSignedIn = user?.isConfirmed === true && user.email === message.email.toLowerCase();
      const mail = contactMail(message, { to, host: new URL(config.baseUrl).host, isSignedIn });
      const result = await sendMessage(all, { message, mail, formToken: values.formToken, address: origin.address });
      if (result.kind !== "rate-limited") return redirectToSent(all);
      return refuse({ problem: tooManyMessages(formatWait(result.until, clock())) }, 429);
    },
    failure: { event: "could not store a message to the operator", ...failures },
  });
}

/** The form as it was typed, with the token to submit it with. */
function readContactForm(form: FormFields) {
  const text = (name: string) => fieldText(form, name);
  return { name: text("name"), email: text("email"), message: text("message"), formToken: text("formToken") };
}

/** Whether `sent`, the query parameter of the confirmation page, was issued by us within the last hour. */
function isSentToken({ sign, clock }: Services, sent: string | null): boolean {
  const at = sent === null ? undefined : readToken(sign, "sent", sent);
  return at !== undefined && Math.abs(clock() - at) < sentNoticeMs;
}

function redirectToSent({ sign, clock }: Services) {
  return redirect(`/contact?sent=${makeToken(sign, "sent", clock())}`, 303);
}

type TokenPurpose = "form" | "sent";

/** A signed time (epoch milliseconds): when a form was opened, or its message sent. */
function makeToken(sign: Services["sign"], purpose: TokenPurpose, at: number): string {
  return `${at}.${sign(`contact ${purpose}`, String(at))}`;
}

/** The time in a token that we signed for this purpose; undefined for any other text. */
function readToken(sign: Services["sign"], purpose: TokenPurpose, token: string): number | undefined {
  const [digits = ""] = token.split(".", 1);
  if (!/^\d{1,15}$/.test(digits)) return undefined;
  return token === makeToken(sign, purpose, Number(digits)) ? Number(digits) : undefined;
}

export function meta(args: Route.MetaArgs) {
  const description = "Write to the people who run this site. They’ll reply by email.";
  return pageHead(args, { title: "Contact | Meishi", description });
}

export default function ContactPage({ loaderData, actionData }: Route.ComponentProps) {
  const { host, operator, canSend, isSent } = loaderData;
  return (
    <div className="mx-auto grid w-full max-w-[1200px] gap-x-20 gap-y-8 px-5 pt-10 sm:pt-16 lg:grid-cols-[minmax(0,1fr)_minmax(0,35rem)]">
      <div className="grid content-start gap-4">
        <h1 className="heading text-[clamp(1.875rem,7vw,2.5rem)] leading-[1.15] tracking-[-0.015em]">Contact</h1>
        <p className="max-w-120 text-lg text-muted">
          {canSend
            ? `Your message is emailed to ${operator.name || `the people who run ${host}`}.`
            : `${messages.unreachable.title}.`}
        </p>
        <p className="max-w-120 text-muted">
          To reach someone whose card you saw here, use the contact details on their card. Messages from this page go to
          the people who run the site.
        </p>
        <OperatorAddress operator={operator} />
      </div>
      {isSent && !actionData ? (
        <ContactSent operator={operator} hasMailBox={loaderData.hasMailBox} />
      ) : (
        <ContactForm
          canSend={canSend}
          result={actionData}
          email={loaderData.email}
          formToken={actionData?.values.formToken ?? loaderData.formToken}
        />
      )}
    </div>
  );
}

/** The operator's name and address, as far as they are configured. */
function OperatorAddress({ operator: { name, address, email } }: { operator: SiteContent["operator"] }) {
  if (!name && !address && !email) return null;
  return (
    <address className="mt-2 grid gap-1 border-t border-line pt-5 not-italic">
      {name && <span className="font-semibold">{name}</span>}
      {address && <span className="whitespace-pre-line text-muted">{address}</span>}
      {email && (
        <a
          className="inline-flex min-h-11 items-center justify-self-start underline underline-offset-4"
          href={`mailto:${email}`}
        >
          {email}
        </a>
      )}
    </address>
  );
}

/** The confirmation: what happens next with the message. */
function ContactSent({ operator, hasMailBox }: { operator: SiteContent["operator"]; hasMailBox: boolean }) {
  return (
    <div className="grid content-start gap-5">
      <section
        role="status"
        className="grid min-h-72 grid-cols-[minmax(0,1fr)_auto] grid-rows-[auto_1fr] gap-x-5 gap-y-4 rounded-card border border-paper-line bg-linear-to-br from-paper to-paper-edge p-6 text-ink shadow-card sm:p-9"
      >
        <h2 className="heading text-xl">Your message is on its way</h2>
        <Seal size={34} />
        <p className="col-span-2 max-w-100 self-end text-ink-soft">
          {operator.name || "The people who run this site"} will reply to the address you entered. You won’t get a copy
          of your message.
        </p>
      </section>
      <div className="flex flex-wrap gap-2.5">
        <ButtonLink href="/">Go to the home page</ButtonLink>
        <ButtonLink href="/contact" variant="plain">
          Send another message
        </ButtonLink>
        {hasMailBox && (
          <ButtonLink href="/dev/mail" variant="plain">
            Open mailbox
          </ButtonLink>
        )}
      </div>
    </div>
  );
}

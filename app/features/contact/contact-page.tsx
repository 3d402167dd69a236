import { hasMailBox } from "#app/features/account/mail-box.server.ts";
import { contactAddress } from "#app/features/content/contact-address.server.ts";
import { siteHead } from "#app/features/shell/site-head.ts";
import { requestFacts, services, viewer } from "#app/services/context.ts";
import { readForm } from "#app/services/form-body.ts";

import type { Route } from "./+types/contact-page.ts";
import { answerContact, freshStamp, isSentAddress } from "./answer.server.ts";
import { ContactForm } from "./contact-form.tsx";
import { ContactSent } from "./contact-sent.tsx";
import { messages } from "./messages.ts";
import { OperatorLines } from "./operator-lines.tsx";

/** Never cached: each form has its own stamp, and a signed-in person's address stands in it. */
export function loader({ context, url }: Route.LoaderArgs) {
  const all = services(context);
  return {
    host: new URL(all.config.baseUrl).host,
    operator: all.content.operator,
    canSend: contactAddress(all) !== undefined,
    isSent: isSentAddress(all, url.searchParams.get("sent")),
    hasMailBox: hasMailBox(all.config),
    email: viewer(context)?.email ?? "",
    stamp: freshStamp(all),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { id, address } = context.get(requestFacts);
  const form = await readForm(request);
  return answerContact({ services: services(context), id, form, viewer: viewer(context), address });
}

export function meta(asked: Route.MetaArgs) {
  const description = "Write to whoever runs this site. The answer comes to your e-mail address.";
  return siteHead(asked, { title: "Contact | Meishi", description });
}

export default function ContactPage({ loaderData, actionData }: Route.ComponentProps) {
  const { host, operator, canSend, isSent } = loaderData;
  return (
    <div className="mx-auto grid w-full max-w-[1200px] gap-x-20 gap-y-8 px-5 pt-10 sm:pt-16 lg:grid-cols-[minmax(0,1fr)_minmax(0,35rem)]">
      <div className="grid content-start gap-4">
        <h1 className="heading text-[clamp(1.875rem,7vw,2.5rem)] leading-[1.15] tracking-[-0.015em]">Contact</h1>
        <p className="max-w-120 text-lg text-muted">
          {canSend
            ? `A message goes by mail to ${operator.name || `whoever runs ${host}`}.`
            : messages.unreachable.title}
        </p>
        <p className="max-w-120 text-muted">
          To reach somebody whose card you saw here, use what stands on their card: this page leads to the people behind
          the site.
        </p>
        <OperatorLines operator={operator} />
      </div>
      {isSent && !actionData ? (
        <ContactSent operator={operator} hasMailBox={loaderData.hasMailBox} />
      ) : (
        <ContactForm
          canSend={canSend}
          answer={actionData}
          email={loaderData.email}
          stamp={actionData?.stamp ?? loaderData.stamp}
        />
      )}
    </div>
  );
}

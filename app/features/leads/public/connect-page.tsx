import { createContext, data, isRouteErrorResponse, redirect } from "react-router";

import { countCardEvent } from "#app/features/analytics/counting/counter.server.ts";
import { plainStyle } from "#app/features/cards/card-view-model.ts";
import { messages as cardMessages } from "#app/features/cards/messages.ts";
import { BusinessCard, fallbackName } from "#app/features/cards/public/business-card.tsx";
import { loadPublicCard } from "#app/features/cards/public-card.server.ts";
import { leadMessages } from "#app/features/leads/messages.ts";
import { MessageView } from "#app/features/shell/message-view.tsx";
import { markedUrl, sourceOf } from "#app/features/sharing/source-marks.ts";
import { readSentForm } from "#app/services/forms/form-action.server.ts";
import { allowInlineStyle, services } from "#app/services/http/context.ts";
import { Icon } from "#app/ui/components/icon.tsx";
import { Portrait } from "#app/ui/components/portrait.tsx";

import type { Route } from "./+types/connect-page.ts";
import { handleLeadForm } from "./connect-action.server.ts";
import { connectCss } from "./connect-style.ts";
import { findOpenForm, newFormToken, readSentToken } from "#app/features/leads/lead-form.server.ts";
import { LeadFormView } from "./lead-form.tsx";
import { visitorPageMeta } from "./mail-link-view.tsx";

type RouteArgs = Pick<Route.LoaderArgs, "params" | "context" | "url">;

/** The card and its form, or undefined while that is off. Throws a 404 for a card that visitors can't open. */
async function findForm({ params, context, url }: RouteArgs) {
  const { card, ownerId } = await loadPublicCard(context, { params, url });
  const displayName = card.displayName.trim() || fallbackName;
  const company = card.company ?? "";
  const open = await findOpenForm(services(context), { cardId: card.id, ownerId, displayName, company });
  return { card, displayName, ownerId, open };
}

/** Not cached: each form has its own token. A printed code that opens the form leads to the card once the form is off. */
export async function loader({ params, context, url, request }: Route.LoaderArgs) {
  const { card, displayName, ownerId, open } = await findForm({ params, context, url });
  const source = sourceOf(url.search);
  if (!open)
    throw redirect(source ? markedUrl(card.path, source) : card.path, { headers: { "cache-control": "no-store" } });
  if (!context.get(isSubmission)) countDirectVisit({ request, context, url }, { ownerId, cardId: card.id });
  const all = services(context);
  const css = (card.style?.css ?? "") + connectCss;
  allowInlineStyle(context, css);
  const { settings } = open;
  const shown = {
    name: displayName,
    work: [card.position ?? card.profession, card.company].filter(Boolean).join(", "),
    theme: (card.style ?? plainStyle).theme,
    card,
  };
  const sent = readSentToken(all, url.searchParams.get("sent"));
  const form = {
    settings,
    consents: open.consents,
    formToken: newFormToken(all, { url, headers: request.headers }, card.id),
  };
  return { shown, css, form, sent: sent && { isMailed: sent.isMailed && all.mail.isConfigured } };
}

/** A tag or code may open the form itself. With its mark that counts as a visit of the card; from the card's page it has no mark. */
function countDirectVisit(
  args: Pick<Route.LoaderArgs, "request" | "context" | "url">,
  card: { ownerId: string; cardId: string },
) {
  const source = sourceOf(args.url.search);
  if (source) countCardEvent(args, { ...card, kind: "visit", source });
}

/** Whether the loader runs to show a form again; its request is a GET then too. */
const isSubmission = createContext(false);

export async function action(args: Route.ActionArgs) {
  args.context.set(isSubmission, true);
  const { card, ownerId, open } = await findForm(args);
  if (!open) throw data(null, { status: isOffStatus });
  return handleLeadForm(await readSentForm(args), { open, card: { id: card.id, ownerId, path: card.path } });
}

/** The card is there, but its owner has switched the form off since the visitor opened it. */
const isOffStatus = 410;

export function meta({ loaderData, error }: Route.MetaArgs) {
  if (isOff(error)) return visitorPageMeta(leadMessages.off.title);
  if (loaderData?.sent) return visitorPageMeta(leadMessages.sent(loaderData.shown.name));
  const title = loaderData ? `${leadMessages.share} with ${loaderData.shown.name}` : cardMessages.notFound.title;
  return visitorPageMeta(title);
}

export default function ConnectPage({ loaderData, actionData }: Route.ComponentProps) {
  const { shown, css, form, sent } = loaderData;
  return (
    <main className="page accent" data-theme={shown.theme}>
      <style suppressHydrationWarning dangerouslySetInnerHTML={{ __html: css }} />
      <div className="column">
        <div className="framed">
          {sent && !actionData ? (
            <Thanks shown={shown} isMailed={sent.isMailed} bookingUrl={form.settings.bookingUrl} />
          ) : (
            <>
              <Head {...shown} />
              <LeadFormView {...form} {...actionData} />
            </>
          )}
          <p className="more">
            <a href={shown.card.path}>Back to the card</a>
          </p>
        </div>
      </div>
    </main>
  );
}

type Shown = Route.ComponentProps["loaderData"]["shown"];

/** Whose form it is. */
function Head({ name, work, card }: Shown) {
  return (
    <header className="to">
      <Portrait name={name} image={card.avatar} width={64} />
      <div>
        <h1>{leadMessages.share}</h1>
        <p>
          with <bdi>{name}</bdi>
        </p>
        {work && (
          <p>
            <bdi>{work}</bdi>
          </p>
        )}
      </div>
    </header>
  );
}

function Thanks({ shown, isMailed, bookingUrl }: { shown: Shown; isMailed: boolean; bookingUrl: string }) {
  const { name, card } = shown;
  return (
    <>
      <div className="to" role="status">
        <span className="check" aria-hidden="true" />
        <div>
          <h1>{leadMessages.done(name)}</h1>
          {isMailed && <p>{leadMessages.mailed}</p>}
        </div>
      </div>
      <BusinessCard card={card} as="p" />
      <div className="actions">
        <a className="button main" href={`${card.path}/contact.vcf`}>
          <Icon name="user-plus" />
          Save Contact
        </a>
        {bookingUrl && (
          <a className="button" href={bookingUrl} rel="noopener">
            Book a time
          </a>
        )}
      </div>
    </>
  );
}

function isOff(error: unknown): boolean {
  return isRouteErrorResponse(error) && error.status === isOffStatus;
}

/** A visitor can't tell an unknown card from a private one. */
export function ErrorBoundary({ error, params }: Route.ErrorBoundaryProps) {
  if (isOff(error)) {
    const { code, id } = params;
    const href = code === undefined ? `/card/${id}` : `/c/${code}`;
    return <MessageView {...leadMessages.off} action={{ href, label: "Back to the card" }} />;
  }
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  return <MessageView {...cardMessages.notFound} action={{ href: "/", label: "Go to the home page" }} />;
}

import { data, redirect } from "react-router";

import { leadMessages } from "#app/features/leads/messages.ts";
import { connectCss } from "#app/features/leads/public/connect-style.ts";
import {
  IncompleteLink,
  MailLinkFrame,
  visitorPageMeta,
  MailLinkTitle,
} from "#app/features/leads/public/mail-link-view.tsx";
import { detailNames } from "#app/features/leads/rules.ts";
import { MessageView } from "#app/features/shell/message-view.tsx";
import { fieldText } from "#app/services/base/form-fields.ts";
import { readSignedText, signedText } from "#app/services/base/signed-token.server.ts";
import { formatDate } from "#app/services/base/format.ts";
import { allowInlineStyle, services } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { tryWrite } from "#app/services/http/save-response.server.ts";

import type { Route } from "./+types/shared-page.ts";
import { findSharedDetails, followRequest, readSharedToken, visitorRequests } from "./visitor-data.server.ts";
import type { SharedDetails } from "./visitor-data.server.ts";

/** What a visitor shared, for anyone who has the link from the email. Opening it changes nothing: mail scanners open links too. */
export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { db, sign } = services(context);
  const id = readSharedToken(sign, params.token);
  if (id === undefined) throw data(null, { status: 404 });
  allowInlineStyle(context, connectCss);
  const erasedFrom = readSignedText(sign, erasedPurpose, url.searchParams.get("erased") ?? "");
  return { found: await findSharedDetails(db, id), erasedFrom };
}

/** Whose details were erased is known from the link alone: nothing of them is stored. */
const erasedPurpose = "details erased from";

export async function action({ params, context, request }: Route.ActionArgs) {
  const all = services(context);
  const id = readSharedToken(all.sign, params.token);
  if (id === undefined) throw data(null, { status: 404 });
  const intent = fieldText(await readForm(request), "intent");
  const wanted = visitorRequests.find((known) => known === intent);
  if (!wanted) throw data(null, { status: 400 });
  const follow = async () => {
    const owner = (await findSharedDetails(all.db, id))?.displayName || unnamedOwner;
    await followRequest(all, id, wanted);
    const erased = new URLSearchParams({ erased: signedText(all.sign, erasedPurpose, owner) });
    return redirect(`/shared/${encodeURIComponent(params.token)}${wanted === "erase" ? `?${erased}` : ""}`, 303);
  };
  return tryWrite(all.log, follow, {
    event: "could not follow a request of a visitor",
    unexpected: "Nothing was changed. Try again in a moment.",
    refuse: (notice, status) => data({ notice }, { status }),
  });
}

const unnamedOwner = "The owner of the card";

export function meta() {
  return visitorPageMeta("Your shared details");
}

export default function SharedPage({ loaderData, actionData }: Route.ComponentProps) {
  const { found, erasedFrom } = loaderData;
  if (!found)
    return erasedFrom === undefined ? (
      <MessageView
        title="Nothing is stored"
        text="These details were erased, or deleted when their storage time ended."
      />
    ) : (
      <MessageView
        title="Your details are erased"
        text={`Nothing of them is stored here anymore. ${erasedFrom} will be asked to delete any copies.`}
      />
    );
  return (
    <MailLinkFrame>
      <MailLinkTitle
        title="Your shared details"
        text={
          <>
            with <bdi>{found.displayName || "the owner of a business card"}</bdi>
          </>
        }
      />
      {actionData && (
        <p className="error" role="alert">
          {actionData.notice}
        </p>
      )}
      {found.lead.withdrawnAt === null ? <Stored {...found} /> : <Withdrawn {...found} />}
    </MailLinkFrame>
  );
}

function Stored({ lead, consents }: SharedDetails) {
  const facts = [
    ...([...detailNames, "note"] as const).map((name) => [leadMessages.labels[name], lead[name]] as const),
    ...lead.answers.map(({ question, answer }) => [question, answer] as const),
    ["Deleted at the latest on", formatDate(lead.expiresAt)] as const,
  ];
  const news = consents.find(({ purpose }) => purpose === "newsletter");
  return (
    <>
      {news && news.withdrawnAt !== null && (
        <p role="status">You stopped the news emails on {formatDate(news.withdrawnAt)}.</p>
      )}
      <dl className="stored">
        {facts
          .filter(([, value]) => value !== "")
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        <Consents consents={consents} />
      </dl>
      <form className="form" method="post">
        {news?.withdrawnAt === null && consents.length > 1 && (
          <RequestButton
            intent="newsletter"
            label="Stop the news emails only"
            hint="Your other consent stays as it is."
          />
        )}
        <RequestButton
          intent="withdraw"
          label="Withdraw my consent"
          hint="Removes your details. Proof that you agreed and withdrew stays until the date above, without your name or address."
        />
        <RequestButton intent="erase" label="Erase everything" hint="Removes your details and that proof." />
      </form>
    </>
  );
}

function Withdrawn({ lead, consents }: SharedDetails) {
  return (
    <>
      <p role="status">
        You withdrew your consent on {formatDate(lead.withdrawnAt ?? 0)}. Your details are removed. Only this proof is
        left, until {formatDate(lead.expiresAt)}:
      </p>
      <dl className="stored">
        <Consents consents={consents} />
      </dl>
      <form className="form" method="post">
        <RequestButton intent="erase" label="Erase everything" hint="Removes the proof as well." />
      </form>
    </>
  );
}

function Consents({ consents }: Pick<SharedDetails, "consents">) {
  return consents.map(({ purpose, text, version, givenAt, withdrawnAt }) => (
    <div key={purpose}>
      <dt>
        {purpose === "in-person" ? "The owner confirmed" : "You agreed"} on {formatDate(givenAt)} (version {version} of
        the text)
        {withdrawnAt !== null && `, withdrawn on ${formatDate(withdrawnAt)}`}
      </dt>
      <dd dir="auto">{text}</dd>
    </div>
  ));
}

/** One press: the answer to it is this page without what was removed. */
function RequestButton({ intent, label, hint }: { intent: string; label: string; hint: string }) {
  return (
    <div className="field">
      <button className="button" name="intent" value={intent} aria-describedby={`${intent}-hint`}>
        {label}
      </button>
      <p className="hint" id={`${intent}-hint`}>
        {hint}
      </p>
    </div>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <IncompleteLink error={error} />;
}

import { revokeOwnKey } from "#app/features/api/keys/owner-key-data.server.ts";
import { listKeys } from "#app/services/api/key-data.server.ts";
import type { ApiKey } from "#app/services/api/key-data.server.ts";
import { fieldId } from "#app/services/base/form-fields.ts";
import { intentAction } from "#app/services/forms/form-action.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import { formatOwnDate } from "#app/services/preferences/owner-time.ts";
import type { DateChoice } from "#app/services/preferences/owner-time.ts";
import { Page } from "#app/ui/components/page.tsx";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { EmptyState } from "#app/ui/components/panel.tsx";

import type { Route } from "./+types/api-keys-page.ts";
import { describeScopes, keyMessages as messages } from "./key-messages.ts";
import { keyStateOf, maxKeys } from "./key-rules.ts";
import type { KeyState } from "./key-rules.ts";

const dayMs = 86_400_000;

export async function loader({ context }: Route.LoaderArgs) {
  const { db, clock } = services(context);
  const ownerId = requireUser(context).id;
  const [keys, choice] = await Promise.all([listKeys(db, ownerId), findPreferences(db, ownerId)]);
  return {
    keys: keys.map((key) => {
      const state = keyStateOf(key, clock());
      const { id, name, ending, scopes } = key;
      return { id, name, ending, state, scopes: describeScopes(scopes), facts: describeTimes(key, state, choice) };
    }),
  };
}

/** Its times in the owner's words, in the order in which they happened. */
function describeTimes(
  { createdAt, expiresAt, revokedAt, usedOn, usedBy }: ApiKey,
  state: KeyState,
  choice: DateChoice,
): string[] {
  const date = (time: number) => formatOwnDate(time, choice);
  // Only the day of the last call is stored, in UTC.
  const lastDay = usedOn !== null && formatOwnDate(usedOn * dayMs, { ...choice, timeZone: "UTC" });
  const end =
    revokedAt !== null
      ? `revoked ${date(revokedAt)}`
      : expiresAt === null
        ? "never expires"
        : `${state === "expired" ? "expired" : "expires"} ${date(expiresAt)}`;
  return [`Created ${date(createdAt)}`, lastDay ? `last used ${lastDay} (${usedBy})` : "never used", end];
}

export async function action(args: Route.ActionArgs) {
  return intentAction(args, {
    revoke: async ({ all, ownerId, form, origin }) => {
      const isRevoked = await revokeOwnKey(all, { ownerId, id: fieldId(form, "id"), origin });
      return redirectWithToast(
        "/account/api-keys",
        isRevoked
          ? { title: "API key revoked", text: "It doesn't work anymore.", tone: "success" }
          : { title: messages.gone, tone: "info" },
      );
    },
  });
}

export function meta() {
  return [{ title: "API keys | Meishi" }];
}

export default function ApiKeysPage({ loaderData: { keys } }: Route.ComponentProps) {
  const isFull = keys.filter(({ state }) => state === "works").length >= maxKeys;
  const create = (
    <ButtonLink variant="main" href="/account/api-keys/new">
      Create API key
    </ButtonLink>
  );
  return (
    <Page
      width="form"
      title="API keys"
      back={<BackLink to="/account">Account</BackLink>}
      intro={
        <>
          With a key, a program can read or change your data without your password.{" "}
          <a href="/docs#api" className="underline">
            For developers
          </a>
        </>
      }
    >
      {keys.length === 0 ? (
        <EmptyState
          title="No API keys yet"
          text="A key is for a script, an automation service or an AI assistant that works for you. You choose what it may do, and can revoke it at any time."
          action={create}
        />
      ) : (
        <ul className="divide-y divide-line rounded-card border border-line bg-raised px-5 sm:px-6.5">
          {keys.map((key) => (
            <KeyItem key={key.id} {...key} />
          ))}
        </ul>
      )}
      {keys.length > 0 && !isFull && <div>{create}</div>}
      {isFull && <p className="text-sm text-muted">{messages.full}</p>}
    </Page>
  );
}

function KeyItem({ id, name, ending, state, scopes, facts }: Route.ComponentProps["loaderData"]["keys"][number]) {
  return (
    <li className="grid gap-1 py-4">
      <p className="flex items-baseline justify-between gap-4">
        <span className="min-w-0 font-medium wrap-anywhere">
          <bdi>{name}</bdi> <code className="ms-1 text-sm font-normal text-muted">{`…${ending}`}</code>
        </span>
        <span className={`shrink-0 text-sm font-medium ${state === "works" ? "text-success" : "text-muted"}`}>
          {messages.states[state]}
        </span>
      </p>
      <p className="text-sm">{scopes}</p>
      <p className="text-sm text-muted">{facts.join(" · ")}</p>
      {state === "works" && (
        <details>
          <summary className={summaryClass}>
            Revoke<span className="sr-only"> {name}</span>
          </summary>
          <form method="post" className="grid justify-items-start gap-3 pt-1 pb-2">
            <input type="hidden" name="intent" value="revoke" />
            <input type="hidden" name="id" value={id} />
            <p className="text-sm text-muted">Programs that use this key stop working at once. You can’t undo this.</p>
            <Button type="submit" size="s" variant="danger">
              Revoke key<span className="sr-only"> {name}</span>
            </Button>
          </form>
        </details>
      )}
    </li>
  );
}

const summaryClass =
  "-ms-3 inline-flex min-h-11 cursor-pointer list-none items-center rounded-control px-3 text-sm font-medium text-muted hover:text-text " +
  "[&::-webkit-details-marker]:hidden";

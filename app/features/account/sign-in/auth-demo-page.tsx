import type { DocumentHandle } from "#app/document.ts";
import { viewer } from "#app/services/http/context.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { sessionChannel } from "#app/ui/forms/submit-in-place.ts";
import { themeScript } from "#app/features/shell/theme/theme-script.ts";

import type { Route } from "./+types/auth-demo-page.ts";
import { AuthCard } from "./auth-card.tsx";
import { plainScript } from "./form-script.ts";

/** Adds what happens to the session in other tabs and browsers. It is sent as source text, so it uses nothing outside its body. */
function followSession(name: string): void {
  const list = document.querySelector<HTMLElement>("[data-session-events]");
  if (!list) return;
  const add = (event: string) => {
    const item = document.createElement("li");
    item.textContent = `${new Date().toLocaleTimeString()} ${event}`;
    list.append(item);
  };
  let known = list.dataset.sessionEvents;
  new BroadcastChannel(name).addEventListener("message", ({ data: id }: MessageEvent<string>) => {
    if (id === known) return;
    known = id;
    add(id === "" ? "SIGNED_OUT" : "SIGNED_IN");
  });
  if (!known) return;
  const names: Record<string, string> = {
    "identity-confirmed": "TOKEN_REFRESHED",
    "password-set": "PASSWORD_RECOVERY",
  };
  new EventSource("/events").addEventListener("account.changed", ({ data: text }: MessageEvent<string>) => {
    const { event }: { event: string } = JSON.parse(text);
    add(names[event] ?? "USER_UPDATED");
  });
}

export const handle: DocumentHandle = {
  document: "plain",
  script: plainScript(themeScript(), `(${followSession.toString()})("${sessionChannel}")`),
};

export function loader({ context }: Route.LoaderArgs) {
  const user = viewer(context);
  return { user: user && { id: user.id, email: user.email, isConfirmed: user.isConfirmed } };
}

/** Shows who is signed in and what happens to the session, for trying out sessions. */
export default function AuthDemoPage({ loaderData: { user } }: Route.ComponentProps) {
  return (
    <AuthCard title="Auth demo" heading="Auth demo" lead={user ? "You’re signed in." : undefined}>
      {user ? (
        <dl className="grid gap-4">
          <Fact name="Email" value={user.email} />
          <Fact name="Email confirmed" value={user.isConfirmed ? "Yes" : "No"} />
          <Fact name="User ID" value={user.id} />
        </dl>
      ) : (
        <p className="font-medium">No user is signed in.</p>
      )}
      <section className="grid gap-1">
        <h2 className="text-sm text-muted">Events of the session, also from other tabs</h2>
        <ul data-session-events={user?.id ?? ""} aria-live="polite" className="font-medium">
          <li>INITIAL_SESSION</li>
        </ul>
      </section>
      <div className="flex flex-wrap gap-2.5">
        <ButtonLink size="s" variant={user ? "quiet" : "main"} href="/auth">
          Sign In
        </ButtonLink>
        <ButtonLink size="s" href="/account">
          Account
        </ButtonLink>
        <form method="post" action="/auth/sign-out">
          <Button type="submit" size="s" disabled={!user}>
            Sign Out
          </Button>
        </form>
      </div>
    </AuthCard>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className="grid gap-1">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="font-medium">{value}</dd>
    </div>
  );
}

import { viewer } from "#app/services/http/context.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";

import type { Route } from "./+types/auth-demo-page.ts";
import { AuthCard } from "./auth-card.tsx";

export function loader({ context }: Route.LoaderArgs) {
  const user = viewer(context);
  return { user: user && { id: user.id, email: user.email, isConfirmed: user.isConfirmed } };
}

/** Shows who is signed in, for trying out sessions. */
export default function AuthDemoPage({ loaderData: { user } }: Route.ComponentProps) {
  return (
    <AuthCard title="Auth demo" heading="Auth demo" lead={user ? "You're signed in." : undefined}>
      {user ? (
        <dl className="grid gap-4">
          <Fact name="Email" value={user.email} />
          <Fact name="Email confirmed" value={user.isConfirmed ? "Yes" : "No"} />
          <Fact name="User ID" value={user.id} />
        </dl>
      ) : (
        <p className="font-medium">No user is signed in.</p>
      )}
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

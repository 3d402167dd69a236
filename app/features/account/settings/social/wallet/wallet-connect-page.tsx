import { data, redirect } from "react-router";

import type { DocumentHandle } from "#app/document.ts";
import { tooManyCallbacksMessage } from "#app/features/account/messages.ts";
import { authPath } from "#app/services/auth/return-to.ts";
import { requireFresh } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { socialMessages, walletMessages as messages } from "#app/features/account/settings/social/social-messages.ts";
import { AuthCard } from "#app/features/account/sign-in/auth-card.tsx";
import { accountFailure, cookieHeaders } from "#app/features/account/sign-in/auth-response.server.ts";
import { plainScript } from "#app/features/account/sign-in/form-script.ts";
import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { themeScript } from "#app/features/shell/theme/theme-script.ts";
import { formatWait } from "#app/services/base/format.ts";
import { readSentForm } from "#app/services/forms/form-action.server.ts";
import type { SentForm } from "#app/services/forms/form-action.server.ts";
import { services, viewer } from "#app/services/http/context.ts";
import { tryWrite } from "#app/services/http/save-response.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

import type { Route } from "./+types/wallet-connect-page.ts";
import { WalletButtons } from "./wallet-button.tsx";
import { connectWallet } from "./wallet-data.server.ts";
import { walletScript } from "./wallet-script.ts";

export const handle: DocumentHandle = { document: "plain", script: plainScript(themeScript(), walletScript) };

const connectionsPath = "/account/connections";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { auth } = services(context);
  if (!auth.hasWallets) throwNotFound(context, url);
  const user = viewer(context);
  if (!user) throw redirect(authPath(url.pathname));
  requireFresh(context, url);
  return { wallet: (await auth.findWallet(user.id))?.address };
}

export async function action(args: Route.ActionArgs) {
  const { context, url } = args;
  const all = services(context);
  if (!all.auth.hasWallets) throwNotFound(context, url);
  if (!viewer(context)) throw redirect(authPath(url.pathname));
  requireFresh(context, url);
  const sent = await readSentForm(args);
  const write = () => (sent.text("intent") === "disconnect" ? disconnect(sent) : connect(sent));
  return tryWrite(all.log, write, { ...accountFailure, refuse: (notice, status) => data({ notice }, status) });
}

async function connect({ all, ownerId: userId, text, origin }: SentForm) {
  const result = await connectWallet(all, { userId, signature: text("signature"), ...origin });
  switch (result.kind) {
    case "connected": {
      const toast = { title: messages.connected, tone: "success" } as const;
      return redirectWithToast(connectionsPath, toast, cookieHeaders(result.cookies));
    }
    case "rate-limited":
      return data({ notice: tooManyCallbacksMessage(formatWait(result.until, all.clock())) }, 429);
    case "refused":
      return data({ notice: messages.refused }, 400);
    case "connected-elsewhere":
      return data({ notice: messages.connectedElsewhere }, 409);
    case "connected-before":
      return data({ notice: messages.connectedBefore }, 409);
  }
}

async function disconnect({ all, ownerId: userId, origin }: SentForm) {
  const result = await all.auth.disconnectWallet({ userId, ...origin });
  if (result === "last-sign-in-method")
    return redirectWithToast(connectionsPath, { ...socialMessages.lastSignInMethod, tone: "error" });
  const isDone = result === "disconnected";
  const title = isDone ? messages.disconnected : messages.notConnected;
  return redirectWithToast(connectionsPath, { title, tone: isDone ? "success" : "info" });
}

/** A page of the sign-in pages' kind, whose small script asks the wallet. */
export default function WalletConnectPage({ loaderData, actionData }: Route.ComponentProps) {
  const { wallet } = loaderData;
  const notice = actionData?.notice;
  return (
    <AuthCard
      title={messages.name}
      heading={wallet === undefined ? "Connect a wallet" : "Your wallet"}
      lead={
        wallet === undefined
          ? "Your wallet asks you to sign a message. It costs nothing and moves no funds. Then you can sign in with it."
          : "You can sign in with this wallet."
      }
      hasErrors={notice !== undefined}
    >
      {notice && (
        <Notice tone="error" title={notice.title}>
          {notice.text}
        </Notice>
      )}
      {wallet === undefined ? (
        <form method="post" name="wallet" className="grid gap-5">
          <WalletButtons purpose="connect" />
        </form>
      ) : (
        <form method="post" name="disconnect" className="grid gap-5">
          <p className="font-mono text-sm wrap-anywhere">{wallet}</p>
          <input type="hidden" name="intent" value="disconnect" />
          <Button type="submit" data-busy="Disconnecting...">
            Disconnect
          </Button>
        </form>
      )}
      <a
        href={connectionsPath}
        className="-my-2.5 inline-flex min-h-11 items-center justify-self-center text-sm text-muted hover:text-text"
      >
        Back to connected accounts
      </a>
    </AuthCard>
  );
}

import { data } from "react-router";

import { findLastBackup } from "#app/services/backup/last-backup.server.ts";
import { programVersion } from "#app/services/config/version.ts";
import { requireFresh } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { readFields } from "#app/features/account/schema.ts";
import { requestContext, requestId, requireUser, services } from "#app/services/http/context.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

import type { Route } from "./+types/setup-page.ts";
import { listProviders, listSetup } from "./setup-rows.server.ts";
import type { SetupRow } from "./setup-rows.server.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const all = services(context);
  return {
    email: requireUser(context).email,
    rows: listSetup({ ...all, lastBackup: await findLastBackup(all.db) }, context.get(requestContext).address),
    providers: listProviders(all.config),
    version: `Meishi ${programVersion}, Node ${process.version.slice(1)}`,
  };
}

export function meta() {
  return [{ title: "Setup | Meishi" }];
}

type TestMailResult = { tone: "success" | "error"; title: string; text?: string };

/** Sends a test email at once, not as a job, so that the operator sees the mail server's own response. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const { intent } = await readFields(request);
  if (intent !== "test-mail") throw data(null, { status: 400 });
  requireFresh(context, url);
  const { mail, config, log } = services(context);
  const { email } = requireUser(context);
  const { host } = new URL(config.baseUrl);
  const text = `This is the test email that you asked for on the setup page of ${host}. Email works.\n`;
  try {
    await mail.send({ to: email, subject: `Test email from Meishi at ${host}`, text });
  } catch (error) {
    log.warn({ err: error, id: requestId(context) }, "a test email could not be sent");
    return data<TestMailResult>(
      { tone: "error", title: "The email couldn’t be sent", text: reasonOf(error) },
      { status: 502 },
    );
  }
  const title = config.smtpUrl === undefined ? "The email was stored" : "The mail server accepted the email";
  const where =
    config.smtpUrl === undefined
      ? "SMTP_URL isn’t set, so it’s in DATA_DIR/mail."
      : `Check the inbox of ${email}, including the spam folder.`;
  return data<TestMailResult>({ tone: "success", title, text: where });
}

/** What the mail server said; it never contains the password. */
function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 300);
}

export default function SetupPage({ loaderData, actionData }: Route.ComponentProps) {
  const { rows, providers, version, email } = loaderData;
  return (
    <>
      <header className="grid gap-1.5">
        <h1 className="heading text-xl">Setup</h1>
        <p className="text-muted">
          {version}. docs/settings.md explains each setting. Changes take effect after a restart.
        </p>
      </header>
      {actionData && (
        <Notice tone={actionData.tone} title={actionData.title}>
          <span className="wrap-anywhere">{actionData.text}</span>
        </Notice>
      )}
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Panel title="This installation">
          <ul className={listClass}>
            {rows.map(({ status, purpose, ...row }) => (
              <Row key={row.name} {...row} action={row.name === "Email" && <TestMailForm email={email} />}>
                <span className="wrap-anywhere">{status}</span>
                <span className="text-sm text-muted">{purpose}</span>
              </Row>
            ))}
          </ul>
        </Panel>
        <Panel title="Sign-in providers">
          <p className="mb-4 text-sm text-muted">
            Let users sign in or connect an account. Enter the callback URL at the provider, exactly as shown.
          </p>
          <ul className={listClass}>
            {providers.map(({ callback, ...provider }) => (
              <Row key={provider.name} {...provider}>
                <code className="text-sm wrap-anywhere select-all">{callback}</code>
              </Row>
            ))}
          </ul>
        </Panel>
      </div>
    </>
  );
}

type RowProps = Pick<SetupRow, "name" | "state" | "settings"> & { children: React.ReactNode; action?: React.ReactNode };

function Row({ name, state, settings, children, action }: RowProps) {
  const { label, className } = states[state];
  return (
    <li className="grid gap-1 py-4 first:pt-0">
      <span className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-semibold">{name}</span>
        <span className={`text-sm font-medium ${className}`}>{label}</span>
      </span>
      {children}
      <code className="text-xs text-muted wrap-anywhere">{settings.join(", ")}</code>
      {action}
    </li>
  );
}

function TestMailForm({ email }: { email: string }) {
  return (
    <form method="post" className="mt-2">
      <input type="hidden" name="intent" value="test-mail" />
      <Button type="submit" size="s">
        Send a test email to {email}
      </Button>
    </form>
  );
}

const states = {
  on: { label: "Set up", className: "text-success" },
  off: { label: "Off", className: "text-muted" },
  warning: { label: "Check", className: "text-warning" },
};

const listClass = "-mb-4 divide-y divide-line";

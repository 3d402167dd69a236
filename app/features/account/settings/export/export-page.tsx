import { useEffect, useState } from "react";
import { data, Form, redirect, useNavigation, useRevalidator } from "react-router";

import { identityPath } from "#app/services/auth/return-to.ts";
import { isFresh, requireFresh } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { formatOwnTime } from "#app/services/preferences/owner-time.ts";
import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import { formatBytes } from "#app/services/base/format.ts";
import { requestContext, requireUser, services } from "#app/services/http/context.ts";
import { Page } from "#app/ui/components/page.tsx";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { callServerAction, parseJsonObject } from "#app/ui/forms/submit-in-place.ts";

import type { Route } from "./+types/export-page.ts";
import { findExport, startExport } from "./data.server.ts";
import type { DataExportRow } from "./data.server.ts";
import type { ExportProgress, ExportState } from "./rules.ts";
import { exportMessages, tooManyExportsMessage } from "./messages.ts";
import { formatLongWait, progressText, readProgress } from "./rules.ts";

const path = "/account/export";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { db, clock, mail } = services(context);
  const ownerId = requireUser(context).id;
  const state = toState(await findExport(db, ownerId), clock());
  // Not while it is prepared: the page may be open for longer than the proof is valid.
  if (state.kind !== "running") requireFresh(context, url);
  const until = state.kind === "ready" ? formatOwnTime(state.expiresAt, await findPreferences(db, ownerId)) : "";
  return { state, until, canMail: mail.isConfigured };
}

function toState(row: DataExportRow | undefined, now: number): ExportState {
  if (!row || row.expires_at <= now) return { kind: "none" };
  if (row.state === "failed") return { kind: "failed" };
  if (row.state === "ready") return { kind: "ready", bytes: row.bytes, expiresAt: row.expires_at };
  return { kind: "running", isRunning: true, done: row.files_done, total: row.files_total };
}

export function meta() {
  return [{ title: "Export your data | Meishi" }];
}

type StartProblem = { title: string; text: string };

export async function action({ request, context }: Route.ActionArgs) {
  if (!isFresh(context)) return redirect(identityPath(path));
  const all = services(context);
  const { id: ownerId } = requireUser(context);
  const { address } = context.get(requestContext);
  const result = await startExport(all, { ownerId, origin: { headers: request.headers, address } });
  if (result.kind === "rate-limited") {
    return data<StartProblem>(tooManyExportsMessage(formatLongWait(result.until, all.clock())), 429);
  }
  return redirect(path);
}

/** Reports a server that can't be reached on the page. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  const response = await callServerAction(serverAction);
  if ("result" in response) return data(response.result, { status: 422 });
  const { failure } = response;
  const problem: StartProblem =
    failure === "offline" || failure === "signed-out" ? exportMessages[failure] : exportMessages.unavailable;
  return data(problem, { status: 503 });
}

export default function ExportPage({ loaderData: { state, until, canMail }, actionData }: Route.ComponentProps) {
  return (
    <Page
      width="form"
      title="Export your data"
      back={<BackLink to="/account">Account</BackLink>}
      intro="One ZIP file with everything that belongs to your account."
    >
      {actionData && (
        <Notice tone="error" title={actionData.title}>
          {actionData.text}
        </Notice>
      )}
      {state.kind === "failed" && !actionData && (
        <Notice tone="error" title={exportMessages.failed.title}>
          {exportMessages.failed.text}
        </Notice>
      )}
      <div role="status">
        <StateView state={state} until={until} canMail={canMail} />
      </div>
      <ContentsPanel />
    </Page>
  );
}

/** `until`: when the download expires, as text. */
function StateView({ state, until, canMail }: { state: ExportState; until: string; canMail: boolean }) {
  if (state.kind === "running") return <RunningPanel initial={state} canMail={canMail} />;
  if (state.kind === "ready") return <ReadyPanel bytes={state.bytes} until={until} />;
  return (
    <Panel title="Download your data">
      <p className="text-muted">
        Preparing the file usually takes less than a minute.{" "}
        {canMail ? "We’ll email you when it’s ready. You’ll have 24 hours to download it." : keptText}
      </p>
      <div className="mt-5">
        <StartButton variant="main">{state.kind === "failed" ? "Try again" : "Prepare download"}</StartButton>
      </div>
    </Panel>
  );
}

const keptText = "You’ll have 24 hours to download it.";

function StartButton({ variant, children }: { variant: "main" | "quiet"; children: string }) {
  const isStarting = useNavigation().formMethod === "POST";
  return (
    <Form method="post" preventScrollReset className="max-sm:grow max-sm:*:w-full">
      <Button type="submit" variant={variant} aria-disabled={isStarting}>
        {children}
      </Button>
    </Form>
  );
}

function RunningPanel({ initial, canMail }: { initial: ExportProgress; canMail: boolean }) {
  const progress = useProgress(initial);
  const { done, total } = progress;
  return (
    <Panel title="Preparing your data" aside={<span aria-hidden="true">{progressText(progress)}</span>}>
      <progress
        aria-label="Progress"
        aria-valuetext={progressText(progress)}
        className={progressClass}
        max={total || 1}
        value={done}
      />
      <p className="mt-4 text-muted">
        {canMail
          ? "You can close this page. We’ll email you when it’s ready."
          : "You can close this page and come back."}
      </p>
      <noscript>
        <ButtonLink size="s" href={path} className="mt-4">
          Refresh
        </ButtonLink>
      </noscript>
    </Panel>
  );
}

const progressClass =
  "block h-2 w-full appearance-none overflow-hidden rounded-full border-0 bg-higher " +
  "[&::-webkit-progress-bar]:bg-higher [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-main " +
  "[&::-webkit-progress-value]:transition-[width] motion-reduce:[&::-webkit-progress-value]:transition-none " +
  "[&::-moz-progress-bar]:rounded-full [&::-moz-progress-bar]:bg-main";

/** Asks the server every two seconds, and loads the page's data again when the export is no longer running. */
function useProgress(initial: ExportProgress): ExportProgress {
  const [progress, setProgress] = useState(initial);
  const { revalidate } = useRevalidator();
  // The timer belongs to the browser, not to React.
  useEffect(() => {
    const timer = setInterval(() => {
      void fetchProgress().then((current) => {
        if (current?.isRunning) setProgress(current);
        else if (current) void revalidate();
      });
    }, pollMs);
    return () => clearInterval(timer);
  }, [revalidate]);
  return progress;
}

const pollMs = 2000;

/** Undefined without a proper response: the next request may get one. */
async function fetchProgress(): Promise<ExportProgress | undefined> {
  try {
    const response = await fetch(`${path}/progress`, { redirect: "error" });
    return response.ok ? readProgress(parseJsonObject(await response.text())) : undefined;
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) return undefined;
    throw error;
  }
}

function ReadyPanel({ bytes, until }: { bytes: number; until: string }) {
  return (
    <Panel title="Your data is ready" aside={formatSize(bytes)}>
      <p className="text-muted">Download it before {until}. It’s deleted after that.</p>
      <div className="mt-5 flex flex-wrap gap-2.5 max-sm:*:grow">
        <ButtonLink variant="main" href={`${path}/download`} download>
          Download ZIP
        </ButtonLink>
        <StartButton variant="quiet">Prepare a new one</StartButton>
      </div>
    </Panel>
  );
}

/** Small archives have less than the kilobyte that formatBytes starts with. */
function formatSize(bytes: number): string {
  return formatBytes(Math.max(bytes, 1000));
}

function ContentsPanel() {
  return (
    <Panel title="What’s in the file">
      <dl className="grid gap-4 text-sm">
        {contents.map(({ name, text }) => (
          <div key={name} className="grid gap-0.5 sm:grid-cols-[9rem_minmax(0,1fr)] sm:gap-4">
            <dt className="font-semibold">{name}</dt>
            <dd className="text-muted">{text}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-5 border-t border-line pt-4 text-sm text-muted">
        Passwords, keys and sign-in links are never included.
      </p>
    </Panel>
  );
}

const contents = [
  {
    name: "All data",
    text: "Account, profile, handles, links, cards, statistics, sessions and security events, as JSON.",
  },
  { name: "Contact files", text: "Every card as a vCard, which phones and address books open." },
  { name: "Images and resume", text: "Your avatar, banner, logos, pictures and resume, as stored." },
  { name: "README", text: "A short explanation of each file." },
];

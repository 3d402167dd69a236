import { data } from "react-router";

import { adminMessages } from "#app/features/admin/messages.ts";
import { requireFresh } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { fieldId } from "#app/services/base/form-fields.ts";
import { formatList, formatTime } from "#app/services/base/format.ts";
import { intentAction } from "#app/services/forms/form-action.server.ts";
import { services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { Notice } from "#app/ui/components/notice.tsx";

import type { Route } from "./+types/system-page.ts";
import { discardJob, readSystem, retryJobs } from "./system-data.server.ts";
import { FailedJobsPanel, MaintenancePanel, ProcessesPanel, QueuesPanel, StoragePanel } from "./system-panels.tsx";

const path = "/admin/system";
const messages = adminMessages.system;

export async function loader({ context }: Route.LoaderArgs) {
  return readSystem(services(context));
}

export function meta() {
  return [{ title: "System | Meishi" }];
}

export async function action(args: Route.ActionArgs) {
  return intentAction(
    args,
    {
      retry: async ({ all, ownerId: adminId, form }) =>
        showResult(await retryJobs(all, { adminId, id: fieldId(form, "id") }), messages.retried),
      "retry-all": async ({ all, ownerId: adminId, form }) =>
        showResult(await retryJobs(all, { adminId, kind: fieldId(form, "kind") }), messages.retried),
      discard: async ({ all, ownerId: adminId, form }) =>
        showResult(await discardJob(all, { adminId, id: fieldId(form, "id") }), () => messages.discarded),
      run: async ({ all, text }) => {
        const task = text("task");
        if (!(await all.maintenance.runNow(task))) throw data(null, { status: 400 });
        return redirectWithToast(path, { title: messages.started(task), text: messages.reload, tone: "success" });
      },
    },
    async ({ context, url }) => requireFresh(context, url),
  );
}

function showResult(count: number, title: (count: number) => string): Response {
  return count > 0
    ? redirectWithToast(path, { title: title(count), tone: "success" })
    : redirectWithToast(path, { title: messages.gone, tone: "info" });
}

export default function SystemPage({ loaderData }: Route.ComponentProps) {
  const { now, versions } = loaderData;
  return (
    <>
      <header className="grid gap-1.5">
        <h1 className="heading text-xl">System</h1>
        <p className="text-muted">The state at {formatTime(now)} UTC. Reload the page for the current one.</p>
      </header>
      {versions.length > 1 && (
        <Notice tone="warning" title="An update is in progress">
          Processes run {formatList(versions.map((version) => version || "an older version"))}. If this lasts, one of
          them wasn’t updated.
        </Notice>
      )}
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
        <div className="grid min-w-0 gap-5">
          <QueuesPanel {...loaderData} />
          <FailedJobsPanel {...loaderData} />
          <StoragePanel {...loaderData} />
          <ProcessesPanel {...loaderData} />
        </div>
        <MaintenancePanel {...loaderData} />
      </div>
    </>
  );
}

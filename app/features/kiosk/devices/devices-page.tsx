import { data, Form, useNavigation } from "react-router";

import { formatOwnTime } from "#app/services/preferences/owner-time.ts";
import { findOwnCard } from "#app/features/cards/data.server.ts";
import { messages as cardMessages } from "#app/features/cards/messages.ts";
import { createDevice, listDevices, removeDevice } from "#app/features/kiosk/device-data.server.ts";
import { findFormState } from "#app/features/kiosk/kiosk-form-data.server.ts";
import { kioskMessages } from "#app/features/kiosk/messages.ts";
import { FormStateNotice } from "#app/features/kiosk/form-state-notice.tsx";
import { defaultDeviceName, defaultHeading, maxDevices, maxNameLength } from "#app/features/kiosk/rules.ts";
import { CopyField } from "#app/features/sharing/copy-button.tsx";
import { qrPath } from "#app/features/drawing/qr-code.ts";
import type { QrDrawing } from "#app/features/drawing/qr-code.ts";
import { QrImage } from "#app/features/drawing/qr-image.tsx";
import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import { fieldId } from "#app/services/base/form-fields.ts";
import { plainLine } from "#app/services/base/plain-text.ts";
import { readSentForm } from "#app/services/forms/form-action.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { Page } from "#app/ui/components/page.tsx";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { ActionButton } from "#app/ui/components/action-button.tsx";
import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { EmptyState, Panel } from "#app/ui/components/panel.tsx";
import { Field } from "#app/ui/forms/field.tsx";

import type { Route } from "./+types/devices-page.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { id: ownerId } = requireUser(context);
  const all = services(context);
  const card = await findOwnCard(all.db, { ownerId, id: params.id });
  if (!card) throw redirectWithToast("/profile", { title: "Error", text: cardMessages.loadFailed, tone: "error" });
  const [state, devices, choice] = await Promise.all([
    findFormState(all, card.id),
    listDevices(all.db, { ownerId, cardId: card.id }),
    findPreferences(all.db, ownerId),
  ]);
  return {
    cardId: card.id,
    state,
    devices: devices.map(({ id, name, received, createdAt, lastSeenAt }) => ({
      id,
      name,
      received,
      created: formatOwnTime(createdAt, choice),
      lastSeen: lastSeenAt === null ? undefined : formatOwnTime(lastSeenAt, choice),
    })),
  };
}

/** `path`: of the link, if the owner can start on this device. Signing out with single sign-on leads to its provider. */
type CreatedDevice = { name: string; url: string; code: QrDrawing; path?: string };

/** A link that was just created, shown once; or a name that wasn't accepted. */
type DevicesResult = { created: CreatedDevice } | RejectedDevice;

type RejectedDevice = { typed: { name: string; heading: string }; errors: { name?: string; heading?: string } };

export async function action(args: Route.ActionArgs) {
  const { all, ownerId, params, form, text, origin } = await readSentForm(args);
  const of = { ownerId, cardId: params.id, origin };
  if (text("intent") === "remove") {
    const isRemoved = await removeDevice(all, { ...of, id: fieldId(form, "id") });
    return redirectWithToast(
      `/cards/${params.id}/kiosk`,
      isRemoved ? { title: "Kiosk link removed", tone: "success" } : { title: kioskMessages.gone, tone: "info" },
    );
  }
  const typed = { name: text("name"), heading: text("heading") };
  const reject = (errors: RejectedDevice["errors"], status: number) => data<DevicesResult>({ typed, errors }, status);
  const errors = { ...findProblem("name", typed.name), ...findProblem("heading", typed.heading) };
  if (Object.keys(errors).length > 0) return reject(errors, 400);
  const [name, heading] = [plainLine(typed.name), plainLine(typed.heading)];
  const result = await createDevice(all, { ...of, name, heading: heading === defaultHeading ? "" : heading });
  if (result.kind === "missing") return reject({ name: cardMessages.gone }, 404);
  if (result.kind === "too-many") return reject({ name: kioskMessages.tooMany(maxDevices) }, 409);
  const path = `/kiosk/${result.token}`;
  const url = `${all.config.baseUrl}${path}`;
  const connections = await all.auth.listConnections(ownerId);
  const isSso = connections.some(({ id, connectedAt }) => id === "sso" && connectedAt !== undefined);
  return data<DevicesResult>({ created: { name, url, code: qrPath(url), ...(!isSso && { path }) } });
}

function findProblem(field: "name" | "heading", text: string): RejectedDevice["errors"] {
  if (text.length > maxNameLength) return { [field]: kioskMessages.tooLong(maxNameLength) };
  return field === "name" && plainLine(text) === "" ? { name: kioskMessages.nameRequired } : {};
}

/** The new link is shown once: nothing may store it. */
export function headers({ actionHeaders }: Route.HeadersArgs) {
  return { ...Object.fromEntries(actionHeaders), "cache-control": "no-store" };
}

export function meta() {
  return [{ title: "Kiosk mode | Meishi" }];
}

export default function DevicesPage({ loaderData, actionData }: Route.ComponentProps) {
  const { cardId, state, devices } = loaderData;
  const created = actionData && "created" in actionData ? actionData.created : undefined;
  const rejected = actionData && "errors" in actionData ? actionData : undefined;
  return (
    <Page
      width="form"
      title="Kiosk mode"
      back={<BackLink to={`/cards/${cardId}/leads`}>Contact form</BackLink>}
      intro="This card’s form, full screen for a booth. It clears itself 10 seconds after each visitor. Offline, contacts are stored encrypted on the device and sent later."
    >
      {state !== "ready" && <FormStateNotice cardId={cardId} state={state} />}
      {created && <CreatedLink {...created} />}
      {state === "ready" && <NewDevice key={created?.url} rejected={rejected} />}
      <Panel title="Devices">
        {devices.length === 0 ? (
          <EmptyState
            title="No kiosk link yet"
            text={
              state === "ready" ? "Create one, and open it on the device." : "You can create one when the form is on."
            }
          />
        ) : (
          <ul className="divide-y divide-line">
            {devices.map((device) => (
              <DeviceItem key={device.id} {...device} />
            ))}
          </ul>
        )}
      </Panel>
      <Instructions />
    </Page>
  );
}

function CreatedLink({ name, url, code, path }: CreatedDevice) {
  return (
    <Notice tone="success" title="Kiosk link created">
      <div className="grid gap-4">
        <p>
          Open it on “<bdi>{name}</bdi>” now: it is shown only once. Anyone who has it can fill in the form, and do
          nothing else.
        </p>
        <QrImage
          className="w-48 rounded-control bg-white forced-color-adjust-none"
          code={code}
          label="QR code of the kiosk link"
        />
        <CopyField label="Kiosk link" value={url} button="Copy link" />
        {path && (
          <form
            method="post"
            action={`/auth/sign-out?${new URLSearchParams({ returnTo: path })}`}
            className="grid gap-2 sm:justify-items-start"
          >
            <Button type="submit">Sign out and start here</Button>
            <p className="text-sm text-muted">
              Use this on the kiosk device itself, so that visitors can’t open your account.
            </p>
          </form>
        )}
      </div>
    </Notice>
  );
}

function NewDevice({ rejected }: { rejected: RejectedDevice | undefined }) {
  const isBusy = useNavigation().formData?.get("intent") === "create";
  return (
    <Panel title="New kiosk link">
      <Form method="post" noValidate preventScrollReset className="grid gap-4">
        <input type="hidden" name="intent" value="create" />
        <Field
          label="Name of the device"
          name="name"
          defaultValue={rejected?.typed.name ?? defaultDeviceName}
          limit={{ max: maxNameLength }}
          error={rejected?.errors.name}
          autoComplete="off"
          hint="For your list. Visitors don’t see it."
        />
        <Field
          label="Heading"
          name="heading"
          defaultValue={rejected?.typed.heading ?? defaultHeading}
          limit={{ max: maxNameLength }}
          error={rejected?.errors.heading}
          autoComplete="off"
          hint="Visitors read it above the form."
        />
        <Button variant="main" type="submit" className="sm:justify-self-start" aria-disabled={isBusy}>
          {isBusy ? "Creating..." : "Create kiosk link"}
        </Button>
      </Form>
    </Panel>
  );
}

type DeviceItemProps = Route.ComponentProps["loaderData"]["devices"][number];

function DeviceItem({ id, name, received, created, lastSeen }: DeviceItemProps) {
  const isBusy = useNavigation().formData?.get("id") === id;
  const facts = [
    received === 1 ? "1 contact" : `${received} contacts`,
    lastSeen ? `last seen ${lastSeen}` : "not opened yet",
    `created ${created}`,
  ];
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 py-4.5 first:pt-0 last:pb-0">
      <div className="grid min-w-0 flex-1 basis-64 gap-1">
        <p className="font-medium wrap-anywhere">
          <bdi>{name}</bdi>
        </p>
        <p className="text-sm text-muted">{facts.join(" · ")}</p>
      </div>
      <ActionButton fields={{ intent: "remove", id }} variant="danger" aria-disabled={isBusy}>
        Remove<span className="sr-only"> {name}</span>
      </ActionButton>
    </li>
  );
}

function Instructions() {
  return (
    <Panel title="At the fair">
      <ol className="grid list-decimal gap-2 ps-5 text-sm text-muted marker:tabular-nums">
        <li>
          Open the link on the device while it has a network, in a browser in which you aren’t signed in. From then on
          it also starts without one.
        </li>
        <li>Press “Full screen”. The screen stays on while the page is visible.</li>
        <li>Keep visitors on the page. {kioskMessages.stayOnPage}</li>
        <li>
          After the fair, open the page on the device once with a network, and leave it open until nothing is waiting.
          Do this within a week: later, Safari may delete what a website has stored.
        </li>
        <li>
          Then remove the link here. If contacts are still waiting on the device, a new link of this card sends them:
          open it in the same browser within 90 days.
        </li>
      </ol>
    </Panel>
  );
}

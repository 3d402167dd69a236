import { data } from "react-router";

import { createDevice, listDevices, revokeDevice } from "#app/features/address-book/device-data.server.ts";
import { createLimit, davPaths, maxDevices, maxNameLength } from "#app/features/address-book/rules.ts";
import { qrPath } from "#app/features/drawing/qr-code.ts";
import { isFresh, takeTyped } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { fieldId, fieldText } from "#app/services/base/form-fields.ts";
import { plainLine } from "#app/services/base/plain-text.ts";
import { formAction, intentAction } from "#app/services/forms/form-action.server.ts";
import type { SentForm } from "#app/services/forms/form-action.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import { formatOwnTime } from "#app/services/preferences/owner-time.ts";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Page } from "#app/ui/components/page.tsx";
import { EmptyState, Panel } from "#app/ui/components/panel.tsx";
import { ConfirmedNotice } from "#app/ui/forms/confirmed-notice.tsx";
import { Field } from "#app/ui/forms/field.tsx";

import type { Route } from "./+types/devices-page.ts";
import { NewPassword } from "./new-password-view.tsx";
import type { CreatedPassword } from "./new-password-view.tsx";
import { profilePath } from "./profile-handler.server.ts";

const page = "/leads/devices";

const messages = {
  nameRequired: "Enter a name for the device.",
  nameTooLong: `Use at most ${maxNameLength} characters.`,
  full: `You have ${maxDevices} devices, the most an account can have. Revoke one first.`,
  tooMany: (wait: string) => `Too many passwords. Try again ${wait}.`,
  gone: "This device has no password anymore.",
} as const;

export async function loader({ context, request, url }: Route.LoaderArgs) {
  const { db } = services(context);
  const ownerId = requireUser(context).id;
  const { fields, headers } = takeTyped(context, { request, url });
  const [devices, choice] = await Promise.all([listDevices(db, ownerId), findPreferences(db, ownerId)]);
  const listed = devices.map(({ id, name, createdAt, usedAt }) => ({
    id,
    name,
    facts: [
      `Created ${formatOwnTime(createdAt, choice)}`,
      usedAt === null ? "not used yet" : `last used ${formatOwnTime(usedAt, choice)}`,
    ],
  }));
  const isConfirmed = fields !== undefined && isFresh(context);
  return data({ devices: listed, name: fields?.["name"] ?? "", isConfirmed }, { headers });
}

export async function action(args: Route.ActionArgs) {
  return intentAction(args, { create, revoke });
}

function create(sent: SentForm) {
  return formAction(sent, {
    read: (form) => ({ name: fieldText(form, "name") }),
    check: ({ name }) => checkName(name),
    // A device reads on when the session has ended, and a new password of the account doesn't end its own.
    prove: (_, { name }) => ({ path: page, fields: { name } }),
    limit: { of: createLimit, problem: messages.tooMany },
    run: async ({ name }, { all, ownerId, origin, context, refuse }) => {
      const result = await createDevice(all, { ownerId, name, origin });
      if (result.kind === "too-many") return refuse({ problem: messages.full }, 409);
      if (result.kind === "gone") return redirectWithToast("/auth", { title: "Nothing was created", tone: "error" });
      const { email } = requireUser(context);
      return { created: describePassword(all, { name, email, password: result.password }) };
    },
  });
}

function checkName(typed: string): { name: string } | { errors: { name: string } } {
  if (typed.length > maxNameLength) return { errors: { name: messages.nameTooLong } };
  const name = plainLine(typed);
  return name === "" ? { errors: { name: messages.nameRequired } } : { name };
}

/** Apple devices don’t send passwords over http, and DAVx⁵ links have no scheme for it. */
function describePassword(all: Services, device: { name: string; email: string; password: string }): CreatedPassword {
  const { baseUrl } = all.config;
  const server = baseUrl + davPaths.home;
  if (!baseUrl.startsWith("https:")) return { ...device, server };
  const profile = baseUrl + profilePath(all, device);
  const user = `${encodeURIComponent(device.email)}:${device.password}`;
  const android = server.replace("https://", `davx5://${user}@`);
  return {
    ...device,
    server,
    apple: { url: profile, code: qrPath(profile) },
    android: { url: android, code: qrPath(android) },
  };
}

async function revoke({ all, ownerId, form, origin }: SentForm) {
  const isRevoked = await revokeDevice(all, { ownerId, id: fieldId(form, "id"), origin });
  return redirectWithToast(
    page,
    isRevoked
      ? { title: "Device password revoked", text: "The device can’t read your leads anymore.", tone: "success" }
      : { title: messages.gone, tone: "info" },
  );
}

/** The new password is shown once: nothing may store it. */
export function headers({ actionHeaders }: Route.HeadersArgs) {
  return { ...Object.fromEntries(actionHeaders), "cache-control": "no-store" };
}

export function meta() {
  return [{ title: "Contacts on your phone | Meishi" }];
}

const createLabel = "Create password";

export default function DevicesPage({ loaderData, actionData }: Route.ComponentProps) {
  if (actionData && "created" in actionData) return <NewPassword {...actionData.created} />;
  const { devices, name, isConfirmed } = loaderData;
  const { values = { name }, errors, problem } = actionData ?? {};
  return (
    <Page
      width="form"
      title="Contacts on your phone"
      back={<BackLink to="/leads">Leads</BackLink>}
      intro="Your leads in the contacts app of your phone or computer. New ones appear there; those that are withdrawn or deleted disappear."
    >
      {problem && <Notice tone="error" title={problem} />}
      {isConfirmed && !actionData && <ConfirmedNotice button={createLabel} />}
      {devices.length >= maxDevices ? (
        !problem && <Notice title={messages.full} />
      ) : (
        <Panel title="Add a device">
          <form method="post" noValidate className="grid gap-4">
            <input type="hidden" name="intent" value="create" />
            <Field
              label="Name of the device"
              name="name"
              autoComplete="off"
              limit={{ max: maxNameLength }}
              defaultValue={values.name}
              hint="For your list. The device gets a password of its own."
              error={errors?.name}
            />
            <Button variant="main" type="submit" className="sm:justify-self-start">
              {createLabel}
            </Button>
          </form>
        </Panel>
      )}
      <Panel title="Devices">
        {devices.length === 0 ? (
          <EmptyState title="No device yet" text="Each device that shows your leads is listed here." />
        ) : (
          <ul className="divide-y divide-line">
            {devices.map((device) => (
              <DeviceItem key={device.id} {...device} />
            ))}
          </ul>
        )}
      </Panel>
    </Page>
  );
}

function DeviceItem({ id, name, facts }: Route.ComponentProps["loaderData"]["devices"][number]) {
  return (
    <li className="grid gap-1 py-4 first:pt-0 last:pb-0">
      <p className="font-medium wrap-anywhere">
        <bdi>{name}</bdi>
      </p>
      <p className="text-sm text-muted">{facts.join(" · ")}</p>
      <details>
        <summary className={summaryClass}>
          Revoke<span className="sr-only"> {name}</span>
        </summary>
        <form method="post" className="grid justify-items-start gap-3 pt-1 pb-2">
          <input type="hidden" name="intent" value="revoke" />
          <input type="hidden" name="id" value={id} />
          <p className="text-sm text-muted">
            The device stops updating at once. To remove the contacts from it, delete the account in its settings.
          </p>
          <Button type="submit" size="s" variant="danger">
            Revoke password<span className="sr-only"> {name}</span>
          </Button>
        </form>
      </details>
    </li>
  );
}

const summaryClass =
  "-ms-3 inline-flex min-h-11 cursor-pointer list-none items-center rounded-control px-3 text-sm font-medium text-muted hover:text-text " +
  "[&::-webkit-details-marker]:hidden";

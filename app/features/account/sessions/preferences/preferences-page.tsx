import { useRef, useState } from "react";
import type { ComponentProps } from "react";
import { data, Form, useNavigation } from "react-router";
import { z } from "zod";

import { isFresh } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { accountFailure } from "#app/features/account/sign-in/auth-response.server.ts";
import { findPreferences, savePreferences } from "#app/services/preferences/account-preferences.server.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import { formAction } from "#app/services/forms/form-action.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { Page } from "#app/ui/components/page.tsx";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { useIsHydrated, useValuesBeforeHydration } from "#app/ui/components/hydration.ts";
import { Notice } from "#app/ui/components/notice.tsx";
import { Switch } from "#app/ui/forms/checkbox-field.tsx";
import { SelectField } from "#app/ui/forms/select-field.tsx";

import type { Route } from "./+types/preferences-page.ts";
import { identityMessages } from "#app/features/account/sessions/identity-messages.ts";
import { dateLocales, formatOwnDate, timeZones } from "#app/services/preferences/owner-time.ts";
import { currentZone } from "#app/services/preferences/zone-rules.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const { db, clock } = services(context);
  const locales = ["", ...dateLocales].map((locale): [string, string] => [
    locale,
    formatOwnDate(clock(), { locale, timeZone: "" }),
  ]);
  return { preferences: await findPreferences(db, requireUser(context).id), locales, timeZones };
}

export function meta() {
  return [{ title: "Preferences | Meishi" }];
}

const preferencesForm = z.object({
  // A checkbox that isn't checked isn't sent.
  mailsSignIns: z
    .string()
    .optional()
    .transform((value) => value !== undefined),
  locale: z.enum(["", ...dateLocales]),
  timeZone: z
    .string()
    .transform(currentZone)
    .refine((zone) => zone === "" || timeZones.includes(zone)),
});

export async function action(args: Route.ActionArgs) {
  return formAction(args, {
    read: (form) => {
      const read = preferencesForm.safeParse(Object.fromEntries(form));
      if (!read.success) throw data(null, { status: 400 });
      return read.data;
    },
    check: (values) => values,
    run: async (values, { all, ownerId, context, refuse }) => {
      // A thief would turn them off before signing in elsewhere.
      if (!values.mailsSignIns && !isFresh(context) && (await findPreferences(all.db, ownerId)).mailsSignIns)
        return refuse({ problem: { ...identityMessages.beforeMailsEnd, isStale: true } }, 403);
      await transact(all.db, async (trx) => {
        if (await lockUser(trx, ownerId)) await savePreferences(trx, { ownerId, ...values });
      });
      return redirectWithToast("/account/preferences", { title: "Preferences saved", tone: "success" });
    },
    failure: accountFailure,
  });
}

export default function PreferencesPage({ loaderData, actionData }: Route.ComponentProps) {
  const { locales } = loaderData;
  const preferences = actionData?.values ?? loaderData.preferences;
  const problem = actionData?.problem;
  const isStale = problem !== undefined && "isStale" in problem;
  const isBusy = useNavigation().formData !== undefined;
  return (
    <Page width="form" title="Preferences" back={<BackLink to="/account">Account</BackLink>}>
      {problem && (
        <Notice tone={isStale ? "warning" : "error"} title={problem.title} action={isStale && <IdentityLink />}>
          {problem.text}
        </Notice>
      )}
      <Form
        method="post"
        preventScrollReset
        className="grid gap-6 rounded-card border border-line bg-raised p-5 sm:p-6.5"
      >
        <Switch
          name="mailsSignIns"
          label="Email me about new sign-ins"
          hint="When someone signs in to your account from a new browser."
          defaultChecked={preferences.mailsSignIns}
        />
        <LocaleField initial={preferences.locale} options={locales} />
        <TimeZoneField initial={preferences.timeZone} zones={loaderData.timeZones} />
        <Button variant="main" type="submit" size="s" className="justify-self-start" aria-disabled={isBusy}>
          {isBusy ? "Saving..." : "Save preferences"}
        </Button>
      </Form>
    </Page>
  );
}

function IdentityLink() {
  return (
    <ButtonLink size="s" href="/account/verify" target="_blank">
      Confirm it’s you
    </ButtonLink>
  );
}

function LocaleField({ initial, options }: { initial: string; options: [string, string][] }) {
  const [locale, setLocale] = useState(initial);
  return (
    <EarlySelectField
      id="locale"
      label="Date format"
      name="locale"
      value={locale}
      onChange={setLocale}
      options={options}
    />
  );
}

/** Suggests the browser's own time zone. */
function TimeZoneField({ initial, zones }: { initial: string; zones: readonly string[] }) {
  const [zone, setZone] = useState(currentZone(initial));
  const own = useIsHydrated() ? currentZone(new Intl.DateTimeFormat().resolvedOptions().timeZone) : "";
  const options = ["", ...zones].map((name): [string, string] => [name, zoneName(name)]);
  return (
    <div className="grid gap-2">
      <EarlySelectField
        id="time-zone"
        label="Time zone"
        name="timeZone"
        value={zone}
        onChange={setZone}
        options={options}
      />
      {own !== zone && zones.includes(own) && (
        <Button size="s" className="justify-self-start" onClick={() => setZone(own)}>
          Use {zoneName(own)}
        </Button>
      )}
    </div>
  );
}

/** A list that keeps what was chosen before hydration. */
function EarlySelectField(props: ComponentProps<typeof SelectField> & { onChange: (value: string) => void }) {
  const frame = useRef<HTMLDivElement>(null);
  useValuesBeforeHydration(frame, (fields) => {
    const chosen = fields.querySelector("select")?.value ?? props.value;
    if (chosen !== props.value) props.onChange?.(chosen);
  });
  return (
    <div ref={frame}>
      <SelectField {...props} />
    </div>
  );
}

/** "America/New_York" -> "America/New York" */
function zoneName(zone: string): string {
  return zone === "" ? "UTC" : zone.replaceAll("_", " ");
}

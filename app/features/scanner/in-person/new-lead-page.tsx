import { useLocation } from "react-router";

import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Page, PageTitle } from "#app/ui/components/page.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

import type { Route } from "./+types/new-lead-page.ts";
import { saveContactInPlace, useNextForm } from "./in-person-client.ts";
import { ContactForm, NoCardNotice } from "./in-person-form.tsx";
import { saveContact } from "./in-person-action.server.ts";
import { loadContactForm } from "./in-person-form.server.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { displayName } = await loadOwnProfile(context);
  return loadContactForm(context, { displayName, query: url.searchParams });
}

export async function action(args: Route.ActionArgs) {
  const { displayName } = await loadOwnProfile(args.context);
  return saveContact(args, { displayName, source: "hand", path: "/leads/new" });
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return saveContactInPlace({ request, serverAction });
}

export function meta() {
  return [{ title: "Add a lead | Meishi" }];
}

export default function NewLeadPage({ loaderData, actionData }: Route.ComponentProps) {
  const { key } = useLocation();
  const { heading } = useNextForm(actionData !== undefined);
  return (
    <Page
      width="form"
      title={
        <PageTitle ref={heading} tabIndex={-1} className="outline-none">
          Add a lead
        </PageTitle>
      }
      back={<BackLink to="/leads">Leads</BackLink>}
      intro="Someone who gave you their card or their details in person."
    >
      {loaderData.cards.length === 0 ? (
        <NoCardNotice />
      ) : (
        <Panel title="Their details">
          <ContactForm key={key} {...loaderData} rejection={actionData} nextLabel="Save and add another" />
        </Panel>
      )}
    </Page>
  );
}

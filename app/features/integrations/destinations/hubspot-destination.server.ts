import { z } from "zod";

import { mapDetails, mappingFields, readJson } from "#app/features/integrations/destination.ts";
import type { Destination, Settings } from "#app/features/integrations/destination.ts";

const api = "https://api.hubapi.com/crm/v3/objects/contacts";
const account = z.object({ portalId: z.number() });
const contactAnswer = z.object({ id: z.string() });
const upserted = z.object({ results: z.tuple([contactAnswer], contactAnswer) });

/** https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/batch/post-crm-v3-objects-contacts-batch-upsert */
export const hubspot: Destination = {
  kind: "hubspot",
  name: "HubSpot",
  about: "Creates a contact in your HubSpot account for each one with an email address, and keeps it up to date.",
  audience: "contacts",
  needsEmail: true,
  fields: [
    {
      name: "token",
      label: "Token of a private app",
      hint: "Settings, Integrations, Private apps, with the scopes crm.objects.contacts.read and .write",
      isSecret: true,
    },
    ...mappingFields(["note", "tags"], "message"),
  ],
  target: () => new URL(api).host,
  async test({ settings, send }) {
    await send({ method: "GET", url: `${api}?limit=1`, headers: headers(settings) });
    // https://developers.hubspot.com/docs/api-reference/account-account-info-v3/details/get-account-info-v3-details
    const url = "https://api.hubapi.com/account-info/v3/details";
    const answer = await send({ method: "GET", url, headers: headers(settings), accepts: [403, 404] });
    return answer.status < 300 ? String(account.parse(readJson(answer)).portalId) : "";
  },
  async find({ settings, send, contact }) {
    const url = `${api}/${encodeURIComponent(contact.email)}?idProperty=email`;
    const answer = await send({ method: "GET", url, headers: headers(settings), accepts: [404] });
    return answer.status === 404 ? undefined : contactAnswer.parse(readJson(answer)).id;
  },
  async copy({ settings, send, contact }) {
    const properties = {
      email: contact.email,
      firstname: contact.firstName,
      lastname: contact.lastName,
      phone: contact.phone,
      company: contact.company,
      jobtitle: contact.title,
      website: contact.website,
      ...mapDetails(settings, contact),
    };
    const inputs = [{ id: contact.email, idProperty: "email", properties: withoutEmpty(properties) }];
    const url = `${api}/batch/upsert`;
    const answer = await send({ method: "POST", url, headers: headers(settings), body: { inputs } });
    return upserted.parse(readJson(answer)).results[0].id;
  },
  async remove({ settings, send, known }) {
    // What the owner had before stays theirs.
    if (!known.isOurs) return "kept";
    await send({ method: "DELETE", url: `${api}/${known.id}`, headers: headers(settings), accepts: [404] });
    return "removed";
  },
};

function headers({ token = "" }: Settings) {
  return { authorization: `Bearer ${token}` };
}

/** An empty property would clear what the owner entered there. */
function withoutEmpty(properties: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== ""));
}

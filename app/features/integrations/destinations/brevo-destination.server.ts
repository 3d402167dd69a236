import { z } from "zod";

import { mapDetails, mappingFields, readJson } from "#app/features/integrations/destination.ts";
import type { Destination, FindRequest, Settings } from "#app/features/integrations/destination.ts";

const api = "https://api.brevo.com/v3";
const accountAnswer = z.object({ email: z.string() });
const contactAnswer = z.object({ id: z.number() });

/** https://developers.brevo.com/reference/create-contact */
export const brevo: Destination = {
  kind: "brevo",
  name: "Brevo",
  about: "Adds contacts who agreed to news by email to a list of your Brevo account.",
  audience: "newsletter",
  fields: [
    { name: "key", label: "API key", hint: "Settings, SMTP & API, API keys: xkeysib-…", isSecret: true },
    { name: "list", label: "List ID", hint: "The number with # beside the list" },
    ...mappingFields(["phone", "company", "title", "website", "note", "tags"], "COMPANY"),
  ],
  check: ({ list = "" }) => (/^\d{1,9}$/.test(list) ? {} : { list: "Enter the number of the list." }),
  target: () => new URL(api).host,
  async test({ settings, send }) {
    await send({ method: "GET", url: `${api}/contacts/lists/${settings["list"]}`, headers: headers(settings) });
    const account = await send({ method: "GET", url: `${api}/account`, headers: headers(settings) });
    return `${accountAnswer.parse(readJson(account)).email} ${settings["list"]}`;
  },
  find,
  async copy(request) {
    const { settings, send, contact, known } = request;
    const body = {
      email: contact.email,
      attributes: { FIRSTNAME: contact.firstName, LASTNAME: contact.lastName, ...mapDetails(settings, contact) },
      listIds: [Number(settings["list"])],
      updateEnabled: true,
    };
    const answer = await send({ method: "POST", url: `${api}/contacts`, headers: headers(settings), body });
    // 204 says that there was such a contact.
    if (answer.status === 201) return String(contactAnswer.parse(readJson(answer)).id);
    return known?.id ?? find(request);
  },
  async remove({ settings, send, known }) {
    if (known.isOurs) {
      const url = `${api}/contacts/${known.id}`;
      await send({ method: "DELETE", url, headers: headers(settings), accepts: [404] });
      return "removed";
    }
    const url = `${api}/contacts/lists/${settings["list"]}/contacts/remove`;
    const body = { ids: [Number(known.id)] };
    // 400: it isn't on the list anymore.
    await send({ method: "POST", url, headers: headers(settings), body, accepts: [400, 404] });
    return "kept";
  },
};

function headers({ key = "" }: Settings) {
  return { "api-key": key };
}

/** Its id, which Brevo has for each address. */
async function find({ settings, send, contact }: FindRequest) {
  const url = `${api}/contacts/${encodeURIComponent(contact.email)}`;
  const answer = await send({ method: "GET", url, headers: headers(settings), accepts: [404] });
  return answer.status === 404 ? undefined : String(contactAnswer.parse(readJson(answer)).id);
}

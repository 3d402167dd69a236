import { createHash } from "node:crypto";

import { z } from "zod";

import { mapDetails, mappingFields, readJson } from "#app/features/integrations/destination.ts";
import type { Contact, Destination, Settings } from "#app/features/integrations/destination.ts";

const storedContact = z.object({ status: z.string() });

/** https://mailchimp.com/developer/marketing/api/list-members/ */
export const mailchimp: Destination = {
  kind: "mailchimp",
  name: "Mailchimp",
  about: "Adds contacts who agreed to news by email to an audience of your Mailchimp account.",
  audience: "newsletter",
  fields: [
    { name: "key", label: "API key", hint: "Profile, Extras, API keys; ends with -us21 or similar", isSecret: true },
    { name: "list", label: "Audience ID", hint: "Audience, Settings: such as a1b2c3d4e5" },
    ...mappingFields(["phone", "company", "title", "website", "note", "tags"], "PHONE"),
  ],
  check: ({ key = "", list = "" }) => ({
    ...(!/^[\w]{8,100}-[a-z]{2,5}\d{1,3}$/.test(key) && { key: "The key ends with its data center, such as -us21." }),
    ...(!/^[a-z0-9]{4,20}$/i.test(list) && { list: "Enter the ID of the audience, not its name." }),
  }),
  target: (settings) => new URL(api(settings, "")).host,
  async test({ settings, send }) {
    await send({ method: "GET", url: api(settings, ""), headers: headers(settings) });
    return settings["list"] ?? "";
  },
  async find({ settings, send, contact }) {
    const url = api(settings, `/members/${hashEmail(contact)}`);
    const answer = await send({ method: "GET", url, headers: headers(settings), accepts: [404] });
    // Archived ones are like new ones: Mailchimp keeps them when they are deleted.
    const isThere = answer.status !== 404 && storedContact.parse(readJson(answer)).status !== "archived";
    return isThere ? hashEmail(contact) : undefined;
  },
  async copy({ settings, send, contact, known }) {
    const id = hashEmail(contact);
    const body = {
      email_address: contact.email,
      status_if_new: "subscribed",
      // Who unsubscribed at Mailchimp stays unsubscribed.
      ...(known?.id !== id && { status: "subscribed" }),
      merge_fields: { FNAME: contact.firstName, LNAME: contact.lastName, ...mapDetails(settings, contact) },
    };
    await send({ method: "PUT", url: api(settings, `/members/${id}`), headers: headers(settings), body });
    return id;
  },
  async remove({ settings, send, known }) {
    const url = api(settings, `/members/${known.id}`);
    if (known.isOurs) {
      const erase = `${url}/actions/delete-permanent`;
      await send({ method: "POST", url: erase, headers: headers(settings), accepts: [404] });
      return "removed";
    }
    await send({ method: "DELETE", url, headers: headers(settings), accepts: [404, 405] });
    return "kept";
  },
};

/** https://mailchimp.com/developer/marketing/docs/methods-parameters/#path-parameters */
function hashEmail({ email }: Contact): string {
  return createHash("md5").update(email.toLowerCase()).digest("hex");
}

function api({ key = "", list = "" }: Settings, path: string): string {
  return `https://${key.split("-").at(-1)}.api.mailchimp.com/3.0/lists/${list}${path}`;
}

function headers({ key = "" }: Settings) {
  return { authorization: `Bearer ${key}` };
}

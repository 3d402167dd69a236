import type { Destination, Settings } from "#app/features/integrations/destination.ts";
import { DestinationError } from "#app/features/integrations/destination-request.server.ts";

/** RFC 6352: an address book of Nextcloud, Radicale, Fastmail, iCloud, mailbox.org and others. */
export const carddav: Destination = {
  kind: "carddav",
  name: "Address book (CardDAV)",
  about: "Adds your leads to an address book of Nextcloud, Fastmail, mailbox.org or another CardDAV server.",
  audience: "contacts",
  fields: [
    {
      name: "url",
      label: "Address of the address book",
      hint: "Nextcloud: Contacts, Settings, Copy link. Use an address book of its own.",
      isAddress: true,
    },
    { name: "user", label: "User name", hint: "" },
    { name: "password", label: "App password", hint: "Most services make one for each app", isSecret: true },
  ],
  target: ({ url = "" }) => new URL(url).host,
  async test({ settings, send }) {
    const url = bookUrl(settings);
    const answer = await send({
      method: "PROPFIND",
      url,
      headers: { ...headers(settings), depth: "0", "content-type": "application/xml; charset=utf-8" },
      body: '<?xml version="1.0"?><propfind xmlns="DAV:"><prop><resourcetype/></prop></propfind>',
    });
    if (!/urn:ietf:params:xml:ns:carddav/.test(answer.text) || !/addressbook\b/.test(answer.text))
      throw new DestinationError("rejected", "There is no address book at this address.", answer);
    return url;
  },
  findNamed: ({ name }) => Promise.resolve(name),
  // A PUT to the same address replaces the contact.
  async copy({ settings, send, contact, name }) {
    await send({
      method: "PUT",
      url: contactUrl(settings, name),
      headers: { ...headers(settings), "content-type": "text/vcard; charset=utf-8" },
      body: contact.vcard,
    });
    return name;
  },
  async remove({ settings, send, known }) {
    const url = contactUrl(settings, known.id);
    await send({ method: "DELETE", url, headers: headers(settings), accepts: [404, 410] });
    return "removed";
  },
};

function bookUrl({ url = "" }: Settings): string {
  return `${url.replace(/\/+$/, "")}/`;
}

function contactUrl(settings: Settings, name: string): string {
  return `${bookUrl(settings)}meishi-${name}.vcf`;
}

function headers({ user = "", password = "" }: Settings) {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
}

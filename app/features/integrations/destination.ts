import type { ContactClient } from "#app/services/config/settings.ts";
import type { PublicAnswer } from "#app/services/http/public/public-sender.server.ts";

/** A contact as it is sent to the other side. Texts are "" where there is nothing. */
export type Contact = {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  company: string;
  title: string;
  website: string;
  /** All of them, the first one included. */
  emails: readonly string[];
  phones: readonly string[];
  /** What the visitor wrote, and what the owner noted. */
  note: string;
  tags: readonly string[];
  /** vCard 3.0 with everything, whose UID is the contact's name. */
  vcard: string;
};

/** What an owner enters to connect a service, by the names of its fields. */
export type Settings = Readonly<Record<string, string>>;

/** `isAddress`: the https address of a server. `isMapping`: see `mappingFields`. Secrets are shown to no one again. */
export type DestinationField = {
  name: string;
  label: string;
  hint: string;
  isSecret?: boolean;
  isAddress?: boolean;
  isMapping?: boolean;
};

const mappedDetails = {
  phone: "Phone",
  company: "Company",
  title: "Job title",
  website: "Website",
  note: "Note",
  tags: "Tags",
} as const;

type MappedDetail = keyof typeof mappedDetails;

/** For details that are sent only where the owner names the field for them at the other side. `example`: of such a name. */
export function mappingFields(details: readonly MappedDetail[], example: string): DestinationField[] {
  const hint = `The name of the field there, such as ${example}. What is left empty isn’t sent`;
  return details.map((name) => ({ name: `${name}Field`, label: mappedDetails[name], hint, isMapping: true }));
}

/** Those details, by the names of the fields there. */
export function mapDetails(settings: Settings, contact: Contact): Record<string, string> {
  const values: Record<MappedDetail, string> = { ...contact, tags: contact.tags.join(", ") };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const field = Object.hasOwn(mappedDetails, name) ? settings[`${name}Field`] : undefined;
      return field ? [[field, value]] : [];
    }),
  );
}

/** `body`: a text, or anything else as JSON. `accepts`: statuses besides 2xx that are no failure. */
export type DestinationRequest = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "PROPFIND";
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  accepts?: readonly number[];
};

/** Sends a request. Throws a `DestinationError` when it is refused or gets no answer. */
export type SendRequest = (request: DestinationRequest) => Promise<PublicAnswer>;

/** A contact at the other side. `isOurs`: it wasn't there before, so it may be deleted with the consent. */
export type RemoteContact = { id: string; isOurs: boolean };

type Connection = { settings: Settings; send: SendRequest };

/** `name`: ours for the contact, unique, and safe in a URL. */
export type NamedRequest = Connection & { name: string };

export type FindRequest = Connection & { contact: Contact };

/** `known`: what the other side has of it. */
export type CopyRequest = NamedRequest & FindRequest & { known: RemoteContact | undefined };

type RemoveRequest = Connection & { known: RemoteContact };

/**
 * How an owner lets us act for them at a service: OAuth 2.0 (RFC 6749) with the client that the operator registered there. `contactsScope` is what
 * must be granted, `scopes` what is requested besides. `parameters`: further ones of the first request.
 */
export type OAuthAccess = {
  client: ContactClient;
  authorizeUrl: string;
  tokenUrl: string;
  contactsScope: string;
  scopes: readonly string[];
  parameters: Readonly<Record<string, string>>;
};

/** A service to which contacts are copied. One file for each, and its line in destinations.server.ts. */
export type Destination = {
  kind: string;
  name: string;
  /** What it is and what is sent there, in a sentence. */
  about: string;
  /** "newsletter": only contacts who agreed to news by email. */
  audience: "contacts" | "newsletter";
  /** Contacts without an email address are left out. */
  needsEmail?: boolean;
  fields: readonly DestinationField[];
  /** Instead of fields. Its settings are those of `AccessSettings`. */
  oauth?: OAuthAccess;
  /** What is wrong with a setting besides its length, by field. */
  check?: (settings: Settings) => Partial<Record<string, string>>;
  /** What owners know the connection by: the host of the server, or the account there. */
  target: (settings: Settings) => string;
  /** Returns what tells this account, server or list from others. Throws when the settings don't work. */
  test: (request: Connection) => Promise<string>;
  /** The contact with this address at the other side, if there is one. */
  find?: (request: FindRequest) => Promise<string | undefined>;
  /** Instead, where contacts have our names: the one that we added. Needed when an answer was lost. */
  findNamed?: (request: NamedRequest) => Promise<string | undefined>;
  /** Creates or changes a contact, and returns its id; undefined when the known one is gone. Must be safe to repeat, also when the answer was lost. */
  copy: (request: CopyRequest) => Promise<string | undefined>;
  /** Deletes a contact of ours, or takes another one off the list. One that is gone is no error. */
  remove: (request: RemoveRequest) => Promise<"removed" | "kept">;
};

/** The parts of an answer that a destination reads. Throws for anything but JSON. */
export function readJson(answer: Pick<PublicAnswer, "text">): unknown {
  return answer.text === "" ? undefined : JSON.parse(answer.text);
}

/** For a service with OAuth, whose settings have an access token while requests are made. */
export function bearer({ accessToken = "" }: Settings) {
  return { authorization: `Bearer ${accessToken}` };
}

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
  note: string;
  tags: readonly string[];
  /** vCard 3.0 with everything, whose UID is the contact's name. */
  vcard: string;
};

/** What an owner enters to connect a service, by the names of its fields. */
export type Settings = Readonly<Record<string, string>>;

/** `isAddress`: the https address of a server. Secrets are shown to no one again. */
export type DestinationField = {
  name: string;
  label: string;
  hint: string;
  isSecret?: boolean;
  isAddress?: boolean;
};

/** `body`: a text, or anything else as JSON. `accepts`: statuses besides 2xx that are no failure. */
export type DestinationRequest = {
  method: "GET" | "POST" | "PUT" | "DELETE" | "PROPFIND";
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  accepts?: readonly number[];
};

/** Sends a request. Throws a `DestinationError` when it is refused or gets no answer. */
export type SendRequest = (request: DestinationRequest) => Promise<PublicAnswer>;

/** A contact at the other side. `isOurs`: it wasn't there before, so it may be deleted with the consent. */
export type RemoteContact = { id: string; isOurs: boolean };

type FindRequest = { settings: Settings; send: SendRequest; contact: Contact };

type CopyRequest = FindRequest & {
  /** Ours for the contact: unique, and safe in a URL. */
  name: string;
  /** What the other side has of it. */
  known: RemoteContact | undefined;
};

type RemoveRequest = { settings: Settings; send: SendRequest; known: RemoteContact };

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
  /** What is wrong with a setting besides its length, by field. */
  check?: (settings: Settings) => Partial<Record<string, string>>;
  /** Where requests go. */
  host: (settings: Settings) => string;
  /** Throws when the settings don't work. */
  test: (request: { settings: Settings; send: SendRequest }) => Promise<void>;
  /** How the other side names a contact, where we choose that. */
  idOf?: (name: string) => string;
  /** The contact with this address at the other side, if there is one. */
  find: (request: FindRequest) => Promise<string | undefined>;
  /** Creates or changes a contact, and returns its id. Must be safe to repeat, also when the answer was lost. */
  copy: (request: CopyRequest) => Promise<string>;
  /** Deletes a contact of ours, or takes another one off the list. One that is gone is no error. */
  remove: (request: RemoveRequest) => Promise<"removed" | "kept">;
};

/** The parts of an answer that a destination reads. Throws for anything but JSON. */
export function readJson(answer: Pick<PublicAnswer, "text">): unknown {
  return answer.text === "" ? undefined : JSON.parse(answer.text);
}
